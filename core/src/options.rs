//! What the host of a table chooses before the start.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Whether a dropped piece may give mate, or check at all.
///
/// Checkmate itself is judged without this option: a check that any drop could block is not mate.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Drops {
    /// Any drop is allowed.
    #[default]
    Any,
    /// A drop may give check, but not mate.
    NoMate,
    /// A drop may not give check.
    NoCheck,
}

/// What happens to a pawn that reaches the last rank.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Promotion {
    /// It becomes a queen, rook, bishop or knight, as its player chooses.
    #[default]
    Choose,
    /// It leaves the board and goes to the partner's hand as a pawn of the partner's colour.
    Trickle,
}

/// A word that is no value of the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ParseOptionError {
    /// Of [`Drops`].
    #[error("drops must be any, no-mate or no-check")]
    Drops,
    /// Of [`Promotion`].
    #[error("promotion must be choose or trickle")]
    Promotion,
}

impl Drops {
    /// Every value, the default first.
    pub const ALL: [Drops; 3] = [Drops::Any, Drops::NoMate, Drops::NoCheck];

    /// `any`, `no-mate` or `no-check`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Drops::Any => "any",
            Drops::NoMate => "no-mate",
            Drops::NoCheck => "no-check",
        }
    }
}

impl fmt::Display for Drops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Drops {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<Drops, ParseOptionError> {
        Drops::ALL
            .into_iter()
            .find(|value| value.as_str() == text)
            .ok_or(ParseOptionError::Drops)
    }
}

impl Promotion {
    /// Every value, the default first.
    pub const ALL: [Promotion; 2] = [Promotion::Choose, Promotion::Trickle];

    /// `choose` or `trickle`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Promotion::Choose => "choose",
            Promotion::Trickle => "trickle",
        }
    }
}

impl fmt::Display for Promotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Promotion {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<Promotion, ParseOptionError> {
        Promotion::ALL
            .into_iter()
            .find(|value| value.as_str() == text)
            .ok_or(ParseOptionError::Promotion)
    }
}

/// The options that decide which plies are legal: all that a position needs to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rules {
    /// What drops may do.
    pub drops: Drops,
    /// What pawns become.
    pub promotion: Promotion,
}

/// Everything the host chooses for a table.
///
/// ```
/// use tandem_core::Options;
///
/// let options = Options { base_ms: 60_000, ..Options::default() };
/// assert!(options.validate().is_ok());
/// assert!(Options { base_ms: 1_000, ..options }.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Options {
    /// The time each player starts with, in milliseconds; 0 is a match without clocks, for those who
    /// play alone.
    pub base_ms: u32,
    /// What each ply adds to its player's clock, in milliseconds.
    pub increment_ms: u32,
    /// Which plies are legal.
    pub rules: Rules,
    /// Whether partners can send each other tells and chat during the match.
    pub talk: bool,
}

/// An option out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum OptionsError {
    /// See [`Options::BASE_MS`].
    #[error("each player needs 30 seconds to 60 minutes")]
    Base,
    /// See [`Options::INCREMENT_MS`].
    #[error("the increment is 0 to 60 seconds")]
    Increment,
}

impl Options {
    /// The choices for the starting time, in milliseconds: 30 s to 60 min.
    pub const BASE_MS: core::ops::RangeInclusive<u32> = 30_000..=3_600_000;
    /// The choices for the increment, in milliseconds: 0 to 60 s.
    pub const INCREMENT_MS: core::ops::RangeInclusive<u32> = 0..=60_000;

    /// Whether the match is played with clocks.
    #[must_use]
    pub const fn has_clocks(&self) -> bool {
        self.base_ms > 0
    }

    /// Says whether every option is within its range for a match between people, who always have
    /// clocks.
    ///
    /// # Errors
    ///
    /// The first option that is not.
    pub fn validate(&self) -> Result<(), OptionsError> {
        if !Options::BASE_MS.contains(&self.base_ms) {
            return Err(OptionsError::Base);
        }
        self.validate_alone()
    }

    /// Says whether every option is within its range for a match of one person among bots, who may
    /// go without clocks.
    ///
    /// # Errors
    ///
    /// The first option that is not.
    pub fn validate_alone(&self) -> Result<(), OptionsError> {
        if self.has_clocks() && !Options::BASE_MS.contains(&self.base_ms) {
            return Err(OptionsError::Base);
        }
        if !Options::INCREMENT_MS.contains(&self.increment_ms) {
            return Err(OptionsError::Increment);
        }
        Ok(())
    }
}

impl Default for Options {
    /// Three minutes each without increment, drops and promotion free, partners may talk.
    fn default() -> Options {
        Options {
            base_ms: 180_000,
            increment_ms: 0,
            rules: Rules::default(),
            talk: true,
        }
    }
}
