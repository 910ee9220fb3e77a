//! Bytes as frames of the protocol.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tandem_fuzz::frame(bytes));
