//! What the browser offers beside the page itself.

pub mod page;
pub mod storage;
pub mod token;
