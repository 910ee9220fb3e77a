//! The computer as a player.

mod level;

pub use level::{BadLevel, Level};
