//! What the search already knows about a position.

use super::noise::mix;
use super::search::{MATE_BOUND, Value};
use crate::piece::Color;
use crate::ply::Ply;
use crate::position::{Position, Wing};

/// Whether a stored value is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is.
    Exact,
    /// The true value is at least this.
    AtLeast,
    /// The true value is at most this.
    AtMost,
}

/// What was found out about one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The best ply, if one stood out.
    pub ply: Option<Ply>,
    /// What the position is worth to the side to move.
    pub value: Value,
    /// How far was looked ahead.
    pub depth: i32,
    /// What the value says.
    pub bound: Bound,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u32,
    ply: u16,
    value: i16,
    depth: i8,
    bound: u8,
}

/// No ply has this number.
const NO_PLY: u16 = u16::MAX;

const EMPTY: Entry = Entry {
    key: 0,
    ply: NO_PLY,
    value: 0,
    depth: -1,
    bound: 0,
};

/// A table of bounded size in which a newer position replaces an older one.
pub(super) struct Transpositions {
    entries: Vec<Entry>,
}

/// 384 KiB: what a search of a whole level fills, and no more for a page to hold.
const ENTRIES_MAX: usize = 1 << 15;

impl Transpositions {
    /// A table for a search of so many nodes.
    pub(super) fn for_nodes(nodes: u32) -> Transpositions {
        let entries = (nodes as usize).clamp(256, ENTRIES_MAX).next_power_of_two();
        Transpositions {
            entries: vec![EMPTY; entries],
        }
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    /// What is known about the position with this key, `ply` plies from the root.
    pub(super) fn get(&self, key: u64, ply: usize) -> Option<Known> {
        let entry = self.entries.get(self.slot(key))?;
        if entry.depth < 0 || entry.key != (key >> 32) as u32 {
            return None;
        }
        let value = i32::from(entry.value);
        let ply_count = ply as i32;
        Some(Known {
            ply: Ply::from_bits(entry.ply).ok(),
            // A mate is stored by its distance from the position, not from the root.
            value: if value >= MATE_BOUND {
                value - ply_count
            } else if value <= -MATE_BOUND {
                value + ply_count
            } else {
                value
            },
            depth: i32::from(entry.depth),
            bound: match entry.bound {
                0 => Bound::Exact,
                1 => Bound::AtLeast,
                _ => Bound::AtMost,
            },
        })
    }

    /// Keeps what was found out.
    pub(super) fn put(&mut self, key: u64, ply: usize, known: Known) {
        let slot = self.slot(key);
        let ply_count = ply as i32;
        let value = if known.value >= MATE_BOUND {
            known.value + ply_count
        } else if known.value <= -MATE_BOUND {
            known.value - ply_count
        } else {
            known.value
        };
        self.entries[slot] = Entry {
            key: (key >> 32) as u32,
            ply: known.ply.map_or(NO_PLY, Ply::to_bits),
            value: value.clamp(-32_000, 32_000) as i16,
            depth: known.depth.clamp(0, 100) as i8,
            bound: known.bound as u8,
        };
    }
}

/// A number that stands for the position: two different ones share it hardly ever.
///
/// It is computed from the sets of squares at once instead of being kept up ply by ply, which
/// needs no tables and leaves the rules alone.
#[inline]
pub(super) fn key(position: &Position) -> u64 {
    const ODD: u64 = 0x9FB2_1C65_1E98_DF25;
    let mut key = position.turn as u64 ^ 0x5851_F42D_4C95_7F2D;
    let mut take = |word: u64| {
        key = (key.rotate_left(23) ^ word).wrapping_mul(ODD);
        key ^= key >> 29;
    };
    take(position.colors[0].0);
    take(position.colors[1].0);
    for set in &position.roles[..5] {
        take(set.0);
    }
    take(position.promoted.0 ^ position.roles[5].0.rotate_left(7));
    let mut hands = 0u64;
    for hand in position.hands {
        for (_, count) in hand.iter() {
            hands = hands << 6 ^ u64::from(count);
        }
    }
    let passed = position
        .en_passant
        .map_or(64, |square| square.index() as u64);
    take(hands);
    let mut rights = 0;
    for color in Color::ALL {
        for wing in Wing::ALL {
            rights = rights << 1 | u64::from(position.castling.has(color, wing));
        }
    }
    take(passed << 8 | rights);
    mix(key, 0x2545)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Rules;

    #[test]
    fn keys_tell_positions_apart() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQk - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[P] w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[p] w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[N] w KQkq - 0 1",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq e6 0 2",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2",
        ];
        let mut keys: Vec<u64> = fens
            .iter()
            .map(|fen| key(&Position::from_fen(fen, Rules::default()).unwrap()))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), fens.len());
    }

    #[test]
    fn a_mate_is_as_far_from_the_position_wherever_it_is_met() {
        let mut table = Transpositions::for_nodes(1_000);
        let known = Known {
            ply: None,
            value: super::super::search::MATE - 7,
            depth: 3,
            bound: Bound::Exact,
        };
        table.put(42, 4, known);
        let found = table.get(42, 2).unwrap();
        assert_eq!(found.value, super::super::search::MATE - 5);
        assert!(table.get(43 << 32 | 42, 2).is_none());
    }
}
