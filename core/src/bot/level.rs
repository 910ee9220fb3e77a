//! How well the computer plays.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How well the computer plays, from 1 (beatable by a beginner) to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct Level(u8);

/// A level that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a level is a number from 1 to 8")]
pub struct BadLevel;

impl Level {
    /// The weakest.
    pub const MIN: Level = Level(1);
    /// The strongest.
    pub const MAX: Level = Level(8);

    /// Every level, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (Level::MIN.0..=Level::MAX.0).map(Level)
    }

    /// Its number, 1 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Level {
    type Error = BadLevel;

    fn try_from(number: u8) -> Result<Level, BadLevel> {
        if (Level::MIN.0..=Level::MAX.0).contains(&number) {
            Ok(Level(number))
        } else {
            Err(BadLevel)
        }
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> u8 {
        level.0
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
