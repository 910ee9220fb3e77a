//! The 64 squares of one board.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One square of a board, counted from a1 = 0 along the ranks to h8 = 63.
///
/// A square knows nothing about its board: the same value means e4 on both boards.
///
/// ```
/// use tandem_core::Square;
///
/// let e4: Square = "e4".parse()?;
/// assert_eq!((e4.file(), e4.rank()), (4, 3));
/// assert_eq!(Square::from_coords(4, 3), Some(e4));
/// # Ok::<(), tandem_core::square::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Square(u8);

/// A text or a number that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a square (a1 to h8)")]
pub struct ParseSquareError;

impl Square {
    /// The square with this index (0 = a1, 7 = h1, 63 = h8), or `None` from 64 on.
    #[must_use]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The square on this file and rank, both counted from 0, or `None` off the board.
    #[must_use]
    pub const fn from_coords(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 {
            Some(Square(rank * 8 + file))
        } else {
            None
        }
    }

    /// The square whose index is the low six bits of a number. It is for code that already
    /// knows its number to be in range and should not pay for asking again.
    #[inline]
    pub(crate) const fn wrapping(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// The index, 0 = a1 to 63 = h8.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // The mask changes nothing, but lets the compiler see that a table of 64 is never missed.
        (self.0 & 63) as usize
    }

    /// The file, 0 = a to 7 = h.
    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, 0 = the first to 7 = the eighth.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Whether this is a light square; a1 is dark.
    #[must_use]
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
        (0..64u8).map(Square)
    }
}

impl From<Square> for u8 {
    fn from(square: Square) -> u8 {
        square.0
    }
}

impl TryFrom<u8> for Square {
    type Error = ParseSquareError;

    fn try_from(index: u8) -> Result<Square, ParseSquareError> {
        Square::new(index).ok_or(ParseSquareError)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            char::from(b'a' + self.file()),
            char::from(b'1' + self.rank())
        )
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let &[file, rank] = text.as_bytes() else {
            return Err(ParseSquareError);
        };
        Square::from_coords(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'))
            .ok_or(ParseSquareError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_survives_its_text() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for text in ["", "e", "e9", "i1", "E4", "e44", "é4", "e0"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text}");
        }
    }

    #[test]
    fn colours_of_corners() {
        assert!(!Square(0).is_light());
        assert!(Square(7).is_light());
        assert!(!Square(63).is_light());
    }
}
