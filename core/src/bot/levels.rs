//! The eight levels, and what makes one stronger than another.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How well a bot plays: 1, which a beginner can beat, to 8.
///
/// ```
/// use tandem_core::bot::Level;
///
/// assert_eq!(Level::all().count(), 8);
/// assert_eq!("3".parse::<Level>()?.number(), 3);
/// assert!(Level::try_from(9).is_err());
/// # Ok::<(), tandem_core::bot::NoSuchLevel>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Level(u8);

/// A number or a text that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a level is a whole number from 1 to 8")]
pub struct NoSuchLevel;

impl Level {
    /// The level a beginner can beat.
    pub const LOWEST: Level = Level(1);
    /// The strongest level.
    pub const HIGHEST: Level = Level(8);

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator + Clone {
        (1..=8u8).map(Level)
    }

    /// 1 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    pub(super) fn strength(self) -> Strength {
        STRENGTHS[usize::from(self.0.clamp(1, 8)) - 1]
    }
}

impl TryFrom<u8> for Level {
    type Error = NoSuchLevel;

    fn try_from(number: u8) -> Result<Level, NoSuchLevel> {
        match number {
            1..=8 => Ok(Level(number)),
            _ => Err(NoSuchLevel),
        }
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> u8 {
        level.0
    }
}

impl FromStr for Level {
    type Err = NoSuchLevel;

    fn from_str(text: &str) -> Result<Level, NoSuchLevel> {
        let number: u8 = text.parse().map_err(|_| NoSuchLevel)?;
        Level::try_from(number)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a level can and cannot do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    /// How many positions it looks at for one ply, more or less.
    pub nodes: u32,
    /// How many plies it looks ahead, exchanges left out.
    pub depth: u8,
    /// By how much it misjudges a ply of its own, in centipawns, up or down.
    pub noise: i32,
    /// Of 256 plies it could play, how many it does not think of.
    pub overlooks: u32,
    /// Of 256 answers of the opponent, how many it does not think of.
    pub overlooks_answers: u32,
    /// Whether it follows exchanges to their end.
    pub exchanges: bool,
    /// Whether it looks for checks by drops where it would otherwise only follow exchanges.
    pub checks: bool,
    /// Whether it always takes a mate in one.
    pub mates: bool,
    /// Whether it looks at the other board to see which pieces matter there.
    pub feeds: bool,
    /// Whether it waits for a piece by its own decision.
    pub waits: bool,
}

const fn strength(nodes: u32, depth: u8, noise: i32) -> Strength {
    Strength {
        nodes,
        depth,
        noise,
        overlooks: 0,
        overlooks_answers: 0,
        exchanges: true,
        checks: true,
        mates: true,
        feeds: true,
        waits: true,
    }
}

const STRENGTHS: [Strength; 8] = [
    Strength {
        overlooks: 80,
        overlooks_answers: 110,
        exchanges: false,
        checks: false,
        mates: false,
        feeds: false,
        waits: false,
        ..strength(400, 2, 110)
    },
    Strength {
        overlooks: 45,
        overlooks_answers: 64,
        exchanges: false,
        checks: false,
        feeds: false,
        waits: false,
        ..strength(700, 2, 70)
    },
    Strength {
        overlooks: 16,
        overlooks_answers: 26,
        checks: false,
        waits: false,
        ..strength(900, 2, 45)
    },
    Strength {
        waits: false,
        ..strength(1_500, 3, 25)
    },
    strength(3_500, 4, 15),
    strength(8_000, 6, 8),
    strength(18_000, 10, 6),
    strength(45_000, 20, 4),
];
