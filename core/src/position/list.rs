//! A list of plies that usually needs no heap.

use core::fmt;
use core::ops::Deref;

use crate::bitboard::Bitboard;
use crate::ply::Ply;
use crate::square::Square;

/// How many plies fit without a heap. Two bare kings with every kind in hand have 301, and to the
/// last of them sets are added as if they might be full.
const INLINE: usize = 384;

/// The legal plies of a position, in no particular order; reads like a slice.
///
/// Up to 384 plies are kept in place. More are possible only on boards crowded with queens, such
/// as a test may set up; those go to the heap instead of being lost.
#[derive(Clone)]
pub struct PlyList {
    len: usize,
    inline: [Ply; INLINE],
    spilled: Vec<Ply>,
    /// The squares of the set named last in [`PlyList::extend_again`], one by one.
    squares: [Square; 64],
    squares_of: Bitboard,
}

/// Copied by [`PlyList::new`], which is quicker than to write the fillers one by one.
const EMPTY: PlyList = PlyList {
    len: 0,
    inline: [Ply::quiet(Square::wrapping(0), Square::wrapping(0)); INLINE],
    spilled: Vec::new(),
    squares: [Square::wrapping(0); 64],
    squares_of: Bitboard::EMPTY,
};

impl PlyList {
    /// An empty list.
    #[inline]
    #[must_use]
    pub fn new() -> PlyList {
        EMPTY
    }

    /// Takes all plies out.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
        self.spilled.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, ply: Ply) {
        if let Some(slot) = self.inline.get_mut(self.len) {
            *slot = ply;
        } else {
            self.spill(ply);
        }
        self.len += 1;
    }

    /// Adds a ply for each of the squares.
    #[inline]
    pub(crate) fn extend(&mut self, squares: Bitboard, ply: impl Fn(Square) -> Ply) {
        // Room for every set there is: one look at the bound serves all, and nothing is counted
        // before.
        match self.inline.get_mut(self.len..self.len + 64) {
            Some(slots) => {
                let mut count = 0;
                for (slot, square) in slots.iter_mut().zip(squares) {
                    *slot = ply(square);
                    count += 1;
                }
                self.len += count;
            }
            None => squares
                .into_iter()
                .for_each(|square| self.push(ply(square))),
        }
    }

    /// Adds a ply for each of the squares. Quicker than [`extend`](PlyList::extend) when the same
    /// set comes several times in a row, as it does for drops of different kinds.
    #[inline]
    pub(crate) fn extend_again(&mut self, squares: Bitboard, plies: &[Ply; 64]) {
        if self.squares_of != squares {
            self.squares_of = squares;
            for (slot, square) in self.squares.iter_mut().zip(squares) {
                *slot = square;
            }
        }
        let count = squares.len() as usize;
        match self.inline.get_mut(self.len..self.len + count) {
            Some(slots) => {
                for (slot, square) in slots.iter_mut().zip(&self.squares) {
                    *slot = plies[square.index()];
                }
                self.len += count;
            }
            None => squares
                .into_iter()
                .for_each(|square| self.push(plies[square.index()])),
        }
    }

    #[cold]
    fn spill(&mut self, ply: Ply) {
        if self.spilled.is_empty() {
            self.spilled.extend_from_slice(&self.inline);
        }
        self.spilled.push(ply);
    }
}

impl Default for PlyList {
    fn default() -> PlyList {
        PlyList::new()
    }
}

impl Deref for PlyList {
    type Target = [Ply];

    #[inline]
    fn deref(&self) -> &[Ply] {
        match self.inline.get(..self.len) {
            Some(plies) => plies,
            None => &self.spilled,
        }
    }
}

impl<'a> IntoIterator for &'a PlyList {
    type Item = &'a Ply;
    type IntoIter = core::slice::Iter<'a, Ply>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for PlyList {
    type Item = Ply;
    type IntoIter = IntoIter;

    fn into_iter(self) -> IntoIter {
        IntoIter {
            list: self,
            next: 0,
        }
    }
}

/// The plies of a [`PlyList`], by value.
#[derive(Clone, Debug)]
pub struct IntoIter {
    list: PlyList,
    next: usize,
}

impl Iterator for IntoIter {
    type Item = Ply;

    #[inline]
    fn next(&mut self) -> Option<Ply> {
        let ply = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(ply)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for IntoIter {}

impl PartialEq for PlyList {
    fn eq(&self, other: &PlyList) -> bool {
        **self == **other
    }
}

impl Eq for PlyList {}

impl fmt::Debug for PlyList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
