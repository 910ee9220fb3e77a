//! Who sits where: boards, seats, teams.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::piece::Color;

/// One of the two boards of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BoardId {
    /// The first board.
    A,
    /// The second board.
    B,
}

impl BoardId {
    /// Both boards, A first.
    pub const ALL: [BoardId; 2] = [BoardId::A, BoardId::B];

    /// The board one does not mean.
    #[inline]
    #[must_use]
    pub const fn other(self) -> BoardId {
        match self {
            BoardId::A => BoardId::B,
            BoardId::B => BoardId::A,
        }
    }

    /// 0 for A, 1 for B.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `A` or `B`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            BoardId::A => 'A',
            BoardId::B => 'B',
        }
    }
}

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A text that is neither `A` nor `B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a board (A or B)")]
pub struct ParseBoardError;

impl FromStr for BoardId {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<BoardId, ParseBoardError> {
        match text {
            "A" => Ok(BoardId::A),
            "B" => Ok(BoardId::B),
            _ => Err(ParseBoardError),
        }
    }
}

/// One of the four places at a table: a colour on a board.
///
/// ```
/// use tandem_core::{Seat, Team};
///
/// let seat = Seat::AWhite;
/// assert_eq!(seat.partner(), Seat::BBlack);
/// assert_eq!(seat.team(), Team::One);
/// assert_eq!(seat.to_string(), "A-white");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Seat {
    /// White on board A, team 1.
    AWhite,
    /// Black on board A, team 2.
    ABlack,
    /// White on board B, team 2.
    BWhite,
    /// Black on board B, team 1.
    BBlack,
}

impl Seat {
    /// The four seats, in the order of their indices.
    pub const ALL: [Seat; 4] = [Seat::AWhite, Seat::ABlack, Seat::BWhite, Seat::BBlack];

    /// The seat of this colour on this board.
    #[must_use]
    pub const fn new(board: BoardId, color: Color) -> Seat {
        match (board, color) {
            (BoardId::A, Color::White) => Seat::AWhite,
            (BoardId::A, Color::Black) => Seat::ABlack,
            (BoardId::B, Color::White) => Seat::BWhite,
            (BoardId::B, Color::Black) => Seat::BBlack,
        }
    }

    /// The position of this seat in [`Seat::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The board one plays on.
    #[must_use]
    pub const fn board(self) -> BoardId {
        match self {
            Seat::AWhite | Seat::ABlack => BoardId::A,
            Seat::BWhite | Seat::BBlack => BoardId::B,
        }
    }

    /// The colour one plays.
    #[must_use]
    pub const fn color(self) -> Color {
        match self {
            Seat::AWhite | Seat::BWhite => Color::White,
            Seat::ABlack | Seat::BBlack => Color::Black,
        }
    }

    /// The team one plays for (R1).
    #[must_use]
    pub const fn team(self) -> Team {
        match self {
            Seat::AWhite | Seat::BBlack => Team::One,
            Seat::ABlack | Seat::BWhite => Team::Two,
        }
    }

    /// The other player of one's team: other board, other colour.
    #[must_use]
    pub const fn partner(self) -> Seat {
        Seat::new(self.board().other(), self.color().other())
    }

    /// The opponent on one's own board.
    #[must_use]
    pub const fn opponent(self) -> Seat {
        Seat::new(self.board(), self.color().other())
    }

    /// The opponent on the other board, who plays the same colour as oneself.
    #[must_use]
    pub const fn diagonal(self) -> Seat {
        Seat::new(self.board().other(), self.color())
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.board(), self.color())
    }
}

/// A text that names no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a seat (A-white, A-black, B-white or B-black)")]
pub struct ParseSeatError;

impl FromStr for Seat {
    type Err = ParseSeatError;

    fn from_str(text: &str) -> Result<Seat, ParseSeatError> {
        match text {
            "A-white" => Ok(Seat::AWhite),
            "A-black" => Ok(Seat::ABlack),
            "B-white" => Ok(Seat::BWhite),
            "B-black" => Ok(Seat::BBlack),
            _ => Err(ParseSeatError),
        }
    }
}

/// Two partners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Team {
    /// White on board A and Black on board B.
    One,
    /// Black on board A and White on board B.
    Two,
}

impl Team {
    /// Both teams, the first one first.
    pub const ALL: [Team; 2] = [Team::One, Team::Two];

    /// The opposing team.
    #[must_use]
    pub const fn other(self) -> Team {
        match self {
            Team::One => Team::Two,
            Team::Two => Team::One,
        }
    }

    /// 1 or 2, as the screen and the tools write it.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Team::One => 1,
            Team::Two => 2,
        }
    }

    /// The two seats of the team, board A first.
    #[must_use]
    pub const fn seats(self) -> [Seat; 2] {
        match self {
            Team::One => [Seat::AWhite, Seat::BBlack],
            Team::Two => [Seat::ABlack, Seat::BWhite],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_relate_as_r1_says() {
        for (index, seat) in Seat::ALL.into_iter().enumerate() {
            assert_eq!(seat.index(), index);
            assert_eq!(Seat::new(seat.board(), seat.color()), seat);
            assert_eq!(seat.partner().partner(), seat);
            assert_eq!(seat.partner().team(), seat.team());
            assert_ne!(seat.partner().color(), seat.color());
            assert_ne!(seat.partner().board(), seat.board());
            assert_eq!(seat.opponent().team(), seat.team().other());
            assert_eq!(seat.diagonal().team(), seat.team().other());
            assert_eq!(seat.diagonal().color(), seat.color());
            assert_eq!(seat.to_string().parse(), Ok(seat));
            assert!(seat.team().seats().contains(&seat));
        }
        assert_eq!(Seat::AWhite.team().number(), 1);
    }
}
