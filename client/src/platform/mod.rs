//! What the browser offers beside the page itself.

pub mod audio;
pub mod awake;
pub mod clipboard;
pub mod newer;
pub mod page;
pub mod random;
pub mod router;
pub mod sealed;
pub mod start;
pub mod storage;
pub mod time;
pub mod token;
pub mod worker;
