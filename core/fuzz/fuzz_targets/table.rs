//! Bytes as the life of a table.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tandem_fuzz::table(bytes));
