//! A list of plies that usually needs no heap.

use core::fmt;
use core::ops::Deref;

use crate::ply::Ply;
use crate::square::Square;

/// How many plies fit without a heap. Two bare kings with every kind in hand have 301.
const INLINE: usize = 320;

/// The legal plies of a position, in no particular order; reads like a slice.
///
/// Up to 320 plies are kept in place. More are possible only on boards crowded with queens, such
/// as a test may set up; those go to the heap instead of being lost.
#[derive(Clone)]
pub struct PlyList {
    len: usize,
    inline: [Ply; INLINE],
    spilled: Vec<Ply>,
}

impl PlyList {
    /// An empty list.
    #[must_use]
    pub fn new() -> PlyList {
        let filler = Ply::quiet(Square::wrapping(0), Square::wrapping(0));
        PlyList {
            len: 0,
            inline: [filler; INLINE],
            spilled: Vec::new(),
        }
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
