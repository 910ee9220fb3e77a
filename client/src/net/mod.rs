//! Messages to the table and back, whether the relay has it or the page itself.

pub mod http;
pub mod kept;
pub mod local;
pub mod socket;
mod thinker;
