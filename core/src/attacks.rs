//! Which squares a piece attacks from where it stands.
//!
//! Knights, kings and pawns are looked up. Sliders are computed line by line: on a line through
//! the square, the nearest occupied square below and the nearest above bound what is attacked.
//! That takes 4 KiB of tables, where the usual perfect hashing takes 800, which every visitor
//! would have to download; it needs no multiplication and no byte swap, which WASM lacks.

use crate::bitboard::Bitboard;
use crate::piece::{Color, Role};
use crate::square::Square;

/// The squares of one line through a square, without the square itself.
#[derive(Clone, Copy)]
struct Line {
    /// Those with a lower index.
    lower: u64,
    /// Those with a higher index.
    upper: u64,
}

/// Steps along the four lines, as (file, rank), always towards higher indices.
const STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

static LINES: [[Line; 4]; 64] = lines();
static KNIGHT: [u64; 64] = jumps(&[
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);
static KING: [u64; 64] = jumps(&[
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
]);
static PAWN: [[u64; 64]; 2] = [jumps(&[(-1, 1), (1, 1)]), jumps(&[(-1, -1), (1, -1)])];
static BETWEEN: [[u64; 64]; 64] = betweens();

const fn step(square: usize, file: i8, rank: i8) -> Option<usize> {
    let file = (square % 8) as i8 + file;
    let rank = (square / 8) as i8 + rank;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        return None;
    }
    Some((rank * 8 + file) as usize)
}

const fn jumps(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(target) = step(square, steps[i].0, steps[i].1) {
                table[square] |= 1 << target;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// All squares from here to the edge of the board.
const fn ray(mut square: usize, file: i8, rank: i8) -> u64 {
    let mut ray = 0;
    while let Some(next) = step(square, file, rank) {
        ray |= 1 << next;
        square = next;
    }
    ray
}

const fn lines() -> [[Line; 4]; 64] {
    let mut table = [[Line { lower: 0, upper: 0 }; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            let (file, rank) = STEPS[i];
            table[square][i] = Line {
                lower: ray(square, -file, -rank),
                upper: ray(square, file, rank),
            };
            i += 1;
        }
        square += 1;
    }
    table
}

const fn betweens() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            let (file, rank) = STEPS[i];
            let mut passed = 0;
            let mut at = square;
            while let Some(next) = step(at, file, rank) {
                table[square][next] = passed;
                table[next][square] = passed;
                passed |= 1 << next;
                at = next;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// What a slider sees along one line. Subtracting the nearest blocker below from the blockers
/// above flips every bit from that blocker up to the nearest one above, both included.
#[inline]
fn slide(line: Line, occupied: u64) -> u64 {
    let lower = line.lower & occupied;
    let upper = line.upper & occupied;
    let nearest_below = (1 << 63) >> (lower | 1).leading_zeros();
    (upper ^ upper.wrapping_sub(nearest_below)) & (line.lower | line.upper)
}

/// The squares a knight attacks.
#[inline]
#[must_use]
pub fn knight(from: Square) -> Bitboard {
    Bitboard(KNIGHT[from.index()])
}

/// The squares a king attacks.
#[inline]
#[must_use]
pub fn king(from: Square) -> Bitboard {
    Bitboard(KING[from.index()])
}

/// The squares on which a pawn of this colour takes.
#[inline]
#[must_use]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][from.index()])
}

/// The squares a bishop attacks, the first occupied one in each direction included.
#[inline]
#[must_use]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    let [_, _, rising, falling] = LINES[from.index()];
    Bitboard(slide(rising, occupied.0) | slide(falling, occupied.0))
}

/// The squares a rook attacks, the first occupied one in each direction included.
#[inline]
#[must_use]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    let [rank, file, _, _] = LINES[from.index()];
    Bitboard(slide(rank, occupied.0) | slide(file, occupied.0))
}

/// The squares a queen attacks, the first occupied one in each direction included.
#[inline]
#[must_use]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    bishop(from, occupied) | rook(from, occupied)
}

/// The squares a piece of this kind and colour attacks.
#[inline]
#[must_use]
pub fn of(role: Role, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, from),
        Role::Knight => knight(from),
        Role::Bishop => bishop(from, occupied),
        Role::Rook => rook(from, occupied),
        Role::Queen => queen(from, occupied),
        Role::King => king(from),
    }
}

/// The squares strictly between two squares of one rank, file or diagonal; none for two others.
#[inline]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: step until something stands in the way.
    fn walk(from: Square, steps: &[(i8, i8)], occupied: Bitboard) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for &(file, rank) in steps {
            let mut at = from.index();
            while let Some(next) = step(at, file, rank) {
                let square = Square::wrapping(next as u32);
                seen |= square.into();
                if occupied.contains(square) {
                    break;
                }
                at = next;
            }
        }
        seen
    }

    #[test]
    fn sliders_see_what_a_walk_sees() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        for round in 0..2_000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let occupied = Bitboard(if round % 2 == 0 {
                seed
            } else {
                seed & seed >> 9
            });
            for from in Square::all() {
                let straight = walk(from, &[(1, 0), (-1, 0), (0, 1), (0, -1)], occupied);
                let slanted = walk(from, &[(1, 1), (-1, 1), (1, -1), (-1, -1)], occupied);
                assert_eq!(rook(from, occupied), straight);
                assert_eq!(bishop(from, occupied), slanted);
                assert_eq!(queen(from, occupied), straight | slanted);
            }
        }
    }

    #[test]
    fn between_is_what_two_rooks_or_bishops_share() {
        for a in Square::all() {
            for b in Square::all() {
                let both = Bitboard::of(a) | Bitboard::of(b);
                let expected = if rook(a, Bitboard::EMPTY).contains(b) {
                    rook(a, both) & rook(b, both)
                } else if bishop(a, Bitboard::EMPTY).contains(b) {
                    bishop(a, both) & bishop(b, both)
                } else {
                    Bitboard::EMPTY
                };
                assert_eq!(between(a, b), expected - both, "{a} {b}");
            }
        }
    }
}
