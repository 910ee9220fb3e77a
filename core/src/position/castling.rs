//! Castling rights and the squares castling is about.

use core::fmt;

use crate::bitboard::Bitboard;
use crate::piece::Color;
use crate::square::Square;

/// A side of the board to castle to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wing {
    /// The short side: the king goes to the g-file.
    King,
    /// The long side: the king goes to the c-file.
    Queen,
}

impl Wing {
    /// Both sides, the short one first.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    const fn square(file: u8, color: Color) -> Square {
        Square::wrapping(color.home_rank() as u32 * 8 + file as u32)
    }

    /// Where the king of this colour must stand to castle.
    #[must_use]
    pub const fn king_from(color: Color) -> Square {
        Wing::square(4, color)
    }

    /// Where the king goes.
    #[must_use]
    pub const fn king_to(self, color: Color) -> Square {
        match self {
            Wing::King => Wing::square(6, color),
            Wing::Queen => Wing::square(2, color),
        }
    }

    /// Where the rook must stand.
    #[must_use]
    pub const fn rook_from(self, color: Color) -> Square {
        match self {
            Wing::King => Wing::square(7, color),
            Wing::Queen => Wing::square(0, color),
        }
    }

    /// Where the rook goes.
    #[must_use]
    pub const fn rook_to(self, color: Color) -> Square {
        match self {
            Wing::King => Wing::square(5, color),
            Wing::Queen => Wing::square(3, color),
        }
    }

    /// The side on which this square lies, for the square a castling king goes to.
    pub(crate) const fn of_king_target(square: Square) -> Wing {
        if square.file() > 4 {
            Wing::King
        } else {
            Wing::Queen
        }
    }

    /// The squares between king and rook, which must be empty.
    pub(crate) const fn must_be_empty(self, color: Color) -> Bitboard {
        let files: u64 = match self {
            Wing::King => 0b0110_0000,
            Wing::Queen => 0b0000_1110,
        };
        Bitboard(files << (color.home_rank() * 8))
    }

    /// The squares the king crosses or reaches, which must not be attacked. On the long side the
    /// rook's neighbour is not among them.
    pub(crate) const fn must_be_safe(self, color: Color) -> Bitboard {
        let files: u64 = match self {
            Wing::King => 0b0110_0000,
            Wing::Queen => 0b0000_1100,
        };
        Bitboard(files << (color.home_rank() * 8))
    }
}

/// The set of castling moves that are not lost for good.
///
/// The default is none. The text form is that of FEN, such as `KQkq` or `-`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Castling(u8);

impl Castling {
    /// Nobody may castle any more.
    pub const NONE: Castling = Castling(0);
    /// Everybody may castle to both sides.
    pub const ALL: Castling = Castling(0b1111);

    const fn bit(color: Color, wing: Wing) -> u8 {
        let bit = match wing {
            Wing::King => 1,
            Wing::Queen => 2,
        };
        bit << (color.index() * 2)
    }

    /// Whether this colour has not lost castling to this side.
    #[inline]
    #[must_use]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & Castling::bit(color, wing) != 0
    }

    /// Whether this colour has not lost castling to both sides.
    #[inline]
    #[must_use]
    pub const fn has_any(self, color: Color) -> bool {
        self.0 >> (color.index() * 2) & 3 != 0
    }

    /// Adds one castling move, and says whether it was new.
    pub(crate) fn insert(&mut self, color: Color, wing: Wing) -> bool {
        let before = self.0;
        self.0 |= Castling::bit(color, wing);
        self.0 != before
    }

    /// What is left after a piece has moved. Whatever leaves or reaches the home square of a king
    /// or rook ends the rights tied to it: while a right lasts, only that king or rook stands there.
    #[inline]
    pub(crate) fn after(self, from: Square, to: Square) -> Castling {
        Castling(self.0 & KEPT[from.index()] & KEPT[to.index()])
    }
}

/// For each square the rights that survive when something leaves or reaches it.
static KEPT: [u8; 64] = {
    let mut kept = [Castling::ALL.0; 64];
    let mut color_index = 0;
    while color_index < 2 {
        let color = Color::ALL[color_index];
        let mut wing_index = 0;
        while wing_index < 2 {
            let wing = Wing::ALL[wing_index];
            kept[Wing::king_from(color).index()] &= !Castling::bit(color, wing);
            kept[wing.rook_from(color).index()] &= !Castling::bit(color, wing);
            wing_index += 1;
        }
        color_index += 1;
    }
    kept
};

impl fmt::Display for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("-");
        }
        for (bit, letter) in ['K', 'Q', 'k', 'q'].into_iter().enumerate() {
            if self.0 >> bit & 1 == 1 {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
