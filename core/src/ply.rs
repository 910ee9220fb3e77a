//! One move or drop by one player.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::piece::Role;
use crate::square::Square;

/// One move or one drop. It does not say on which board or by whom.
///
/// Castling is the king's move of two squares. The text form is UCI: `g1f3`, `e7e8q`, `N@f3`.
/// In bytes a ply is a number of 15 bits, see [`Ply::to_bits`].
///
/// ```
/// use tandem_core::{Ply, Role};
///
/// let drop: Ply = "N@f3".parse()?;
/// assert_eq!(drop, Ply::Drop { role: Role::Knight, to: "f3".parse().unwrap() });
/// assert_eq!(drop.to_string(), "N@f3");
/// assert!("K@f3".parse::<Ply>().is_err());
/// # Ok::<(), tandem_core::ply::ParseUciError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
// Three bytes would do, but lists are filled and copied more quickly by the word.
#[repr(align(4))]
pub enum Ply {
    /// A piece on the board moves.
    Move {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// What a pawn on the last rank becomes, where the table lets it choose.
        promotion: Option<Role>,
    },
    /// A piece from the hand is put on an empty square.
    Drop {
        /// What is dropped.
        role: Role,
        /// Where it is put.
        to: Square,
    },
}

/// A text that is no ply in UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a move such as g1f3, e7e8q or N@f3")]
pub struct ParseUciError;

/// A number that is no ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not the number of a ply")]
pub struct PlyBitsError;

/// The kind of drops in the top bits of [`Ply::to_bits`]; 1 to 4 are promotions, 0 is the rest.
const DROP: u16 = 5;

impl Ply {
    /// A move without promotion.
    #[inline]
    #[must_use]
    pub const fn quiet(from: Square, to: Square) -> Ply {
        Ply::Move {
            from,
            to,
            promotion: None,
        }
    }

    /// The square where the piece arrives.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        match self {
            Ply::Move { to, .. } | Ply::Drop { to, .. } => to,
        }
    }

    /// The square a moved piece leaves; a dropped one leaves none.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Option<Square> {
        match self {
            Ply::Move { from, .. } => Some(from),
            Ply::Drop { .. } => None,
        }
    }

    /// Whether a piece is dropped.
    #[inline]
    #[must_use]
    pub const fn is_drop(self) -> bool {
        matches!(self, Ply::Drop { .. })
    }

    /// The ply as a number: the target in bits 0 to 5, the origin or the dropped kind in bits 6
    /// to 11, and in bits 12 to 14 zero, the kind promoted to (1 to 4) or 5 for a drop.
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        match self {
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                let kind = match promotion {
                    None => 0,
                    Some(role) => role.index() as u16,
                };
                kind << 12 | (from.index() as u16) << 6 | to.index() as u16
            }
            Ply::Drop { role, to } => DROP << 12 | (role.index() as u16) << 6 | to.index() as u16,
        }
    }

    /// The ply with this number.
    ///
    /// # Errors
    ///
    /// When no ply has it: a move that stays where it is, a king in the hand, a bit too many.
    pub fn from_bits(bits: u16) -> Result<Ply, PlyBitsError> {
        let to = Square::wrapping(u32::from(bits));
        let middle = bits >> 6 & 63;
        let kind = bits >> 12;
        if kind == DROP {
            return match Role::HAND.get(usize::from(middle)) {
                Some(&role) => Ok(Ply::Drop { role, to }),
                None => Err(PlyBitsError),
            };
        }
        let from = Square::wrapping(u32::from(middle));
        let promotion = match kind {
            0 => None,
            1..DROP => Some(Role::HAND[usize::from(kind)]),
            _ => return Err(PlyBitsError),
        };
        if from == to {
            return Err(PlyBitsError);
        }
        Ok(Ply::Move {
            from,
            to,
            promotion,
        })
    }
}

impl From<Ply> for u16 {
    fn from(ply: Ply) -> u16 {
        ply.to_bits()
    }
}

impl TryFrom<u16> for Ply {
    type Error = PlyBitsError;

    fn try_from(bits: u16) -> Result<Ply, PlyBitsError> {
        Ply::from_bits(bits)
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                write!(f, "{from}{to}")?;
                match promotion {
                    Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
                    None => Ok(()),
                }
            }
            Ply::Drop { role, to } => write!(f, "{}@{to}", role.letter()),
        }
    }
}

impl fmt::Debug for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Ply {
    type Err = ParseUciError;

    fn from_str(text: &str) -> Result<Ply, ParseUciError> {
        // Slicing below is by bytes, which only fits ASCII.
        if !text.is_ascii() {
            return Err(ParseUciError);
        }
        let square = |part: &str| part.parse::<Square>().map_err(|_| ParseUciError);
        match text.as_bytes() {
            [letter @ b'A'..=b'Z', b'@', _, _] => {
                let role = Role::from_letter(char::from(*letter)).ok_or(ParseUciError)?;
                if role == Role::King {
                    return Err(ParseUciError);
                }
                Ok(Ply::Drop {
                    role,
                    to: square(&text[2..])?,
                })
            }
            [_, _, _, _, rest @ ..] if rest.len() <= 1 => {
                let promotion = match rest {
                    [] => None,
                    [letter @ b'a'..=b'z', ..] => Some(
                        Role::from_letter(char::from(*letter))
                            .filter(|role| role.is_promotion())
                            .ok_or(ParseUciError)?,
                    ),
                    _ => return Err(ParseUciError),
                };
                let (from, to) = (square(&text[..2])?, square(&text[2..4])?);
                if from == to {
                    return Err(ParseUciError);
                }
                Ok(Ply::Move {
                    from,
                    to,
                    promotion,
                })
            }
            _ => Err(ParseUciError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_ply_or_an_error() {
        let mut plies = 0;
        for bits in 0..=u16::MAX {
            if let Ok(ply) = Ply::from_bits(bits) {
                assert_eq!(ply.to_bits(), bits);
                assert_eq!(ply.to_string().parse(), Ok(ply));
                plies += 1;
            }
        }
        assert_eq!(plies, 5 * 64 * 63 + 5 * 64);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "", "e2", "e2e", "e2e2", "e2e9", "e7e8k", "e7e8p", "e7e8Q", "K@e4", "n@f3", "N@f33",
            "@f3", "e2e4qq", "N@é", "é2e4", "0000",
        ] {
            assert_eq!(text.parse::<Ply>(), Err(ParseUciError), "{text}");
        }
        assert!(Ply::try_from(0u16).is_err());
    }
}
