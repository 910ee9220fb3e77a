//! Colours, kinds of pieces, and the hand they wait in.

use core::fmt;
use core::ops::Not;

use serde::{Deserialize, Serialize};

/// One of the two colours of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The opposite colour; `!color` is the same.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// 0 for White, 1 for Black.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank, counted from 0, on which this colour's king starts.
    #[inline]
    #[must_use]
    pub const fn home_rank(self) -> u8 {
        match self {
            Color::White => 0,
            Color::Black => 7,
        }
    }

    /// `w` or `b`, as FEN writes it.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        self.other()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// A kind of piece, whatever its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    /// Moves forward, takes diagonally.
    Pawn,
    /// Jumps.
    Knight,
    /// Runs on diagonals.
    Bishop,
    /// Runs on ranks and files.
    Rook,
    /// Runs in all eight directions.
    Queen,
    /// Is never taken, so it is never in a hand.
    King,
}

impl Role {
    /// Every kind, pawn first.
    pub const ALL: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];

    /// The kinds that a hand can hold, in the order in which the screen shows them.
    pub const HAND: [Role; 5] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];

    /// What a pawn can become, the usual choice first.
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// The position of this kind in [`Role::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter in upper case: `P N B R Q K`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Role::Pawn => 'P',
            Role::Knight => 'N',
            Role::Bishop => 'B',
            Role::Rook => 'R',
            Role::Queen => 'Q',
            Role::King => 'K',
        }
    }

    /// The kind with this letter, of either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Role::Pawn,
            'N' => Role::Knight,
            'B' => Role::Bishop,
            'R' => Role::Rook,
            'Q' => Role::Queen,
            'K' => Role::King,
            _ => return None,
        })
    }

    /// Whether a pawn can become this.
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        !matches!(self, Role::Pawn | Role::King)
    }
}

/// A piece: what it is and whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// A piece of this colour and kind.
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Piece {
        Piece { color, role }
    }

    /// The letter FEN uses: upper case for White, lower case for Black.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece that FEN writes with this letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }

    /// Colour and kind in two letters, such as `wN` or `bQ`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        const CODES: [[&str; 6]; 2] = [
            ["wP", "wN", "wB", "wR", "wQ", "wK"],
            ["bP", "bN", "bB", "bR", "bQ", "bK"],
        ];
        CODES[self.color.index()][self.role.index()]
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The pieces one player may drop: a count for each of the five kinds of [`Role::HAND`].
///
/// Counts stop at 255 instead of overflowing. Two sets of chess hold 64 pieces, so a match
/// never gets near that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hand([u8; 5]);

impl Hand {
    /// A hand without pieces.
    pub const EMPTY: Hand = Hand([0; 5]);

    /// How many of this kind are held; of kings there are none.
    #[inline]
    #[must_use]
    pub const fn count(self, role: Role) -> u8 {
        match role {
            Role::King => 0,
            _ => self.0[role.index()],
        }
    }

    /// How many pieces are held altogether.
    #[must_use]
    pub fn total(self) -> u16 {
        self.0.iter().map(|&count| u16::from(count)).sum()
    }

    /// Whether nothing is held.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Hand::EMPTY
    }

    /// Adds one piece. A king is not added: no rule takes one.
    #[inline]
    pub const fn add(&mut self, role: Role) {
        if !matches!(role, Role::King) {
            self.0[role.index()] = self.0[role.index()].saturating_add(1);
        }
    }

    /// Takes one piece out and says whether there was one.
    #[inline]
    pub const fn remove(&mut self, role: Role) -> bool {
        if self.count(role) == 0 {
            return false;
        }
        self.0[role.index()] -= 1;
        true
    }

    /// The five kinds with their counts, those of zero included.
    pub fn iter(self) -> impl Iterator<Item = (Role, u8)> {
        Role::HAND
            .into_iter()
            .map(move |role| (role, self.count(role)))
    }
}

impl FromIterator<Role> for Hand {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Hand {
        let mut hand = Hand::EMPTY;
        for role in roles {
            hand.add(role);
        }
        hand
    }
}
