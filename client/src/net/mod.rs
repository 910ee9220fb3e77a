//! Messages to the relay and back.

pub mod http;
pub mod socket;
