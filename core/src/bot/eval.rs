//! What a position is worth as it stands.
//!
//! Everything is counted in centipawns and from scratch. Two things differ from chess: a piece in
//! the hand is worth about as much as one on the board, since it can appear anywhere; and a king is
//! judged by what could be dropped next to it, which makes holes worse than missing pawns.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::piece::{Color, Role};
use crate::position::{Position, Wing};
use crate::square::Square;

use super::search::Value;

/// What a piece on the board is worth, by kind.
pub(super) const ON_BOARD: [Value; 6] = [95, 285, 275, 380, 680, 0];

/// What a piece in the hand is worth, by kind. Pawns and knights gain, since they give checks
/// that nothing blocks; a queen loses, since it is dropped next to defenders.
pub(super) const IN_HAND: [Value; 5] = [110, 310, 280, 370, 650];

/// The squares attacked, as the evaluation and the order of plies need them.
#[derive(Clone, Copy, Default)]
pub(super) struct Attacked {
    /// By pawns of each colour.
    pub pawns: [Bitboard; 2],
    /// By anything but the king.
    pub pieces: [Bitboard; 2],
    /// By anything.
    pub all: [Bitboard; 2],
}

/// What is seen of a position without trying a ply.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// What it is worth to the side to move.
    pub value: Value,
    /// Who attacks what.
    pub attacked: Attacked,
}

/// How much a piece near the enemy king adds to the danger, by kind.
const NEAR_KING: [i32; 5] = [2, 3, 2, 3, 4];

/// What each square of free movement is worth, by kind.
const MOBILITY: [i32; 5] = [0, 5, 5, 3, 2];

/// How much a piece in the attacker's hand feeds an attack, by kind.
const RESERVE: [i32; 5] = [1, 3, 2, 3, 4];

/// Looks at a position.
pub(super) fn look(position: &Position) -> Seen {
    let occupied = position.occupied();
    let kings = Color::ALL.map(|color| position.king_square(color));
    let rings = kings.map(attacks::king);
    let mut attacked = Attacked::default();
    for color in Color::ALL {
        let pawns = position.by_piece(color, Role::Pawn);
        attacked.pawns[color.index()] = pawn_attacks(pawns, color);
    }

    let mut scores = [0; 2];
    let mut near = [0; 2];
    for color in Color::ALL {
        let us = color.index();
        let them = (!color).index();
        let target = rings[them] | kings[them].into();
        let own = position.by_color(color);
        let pawns = own & position.by_role(Role::Pawn);
        let mut score = pawns.len() as i32 * ON_BOARD[0];
        score += pawn_places(pawns, color);
        let mut all = attacked.pawns[us];
        near[us] += (attacked.pawns[us] & target).len() as i32 * NEAR_KING[0];
        let free = !(own | attacked.pawns[them]);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let kind = role.index();
            for square in own & position.by_role(role) {
                let reach = attacks::of(role, color, square, occupied);
                all |= reach;
                score += ON_BOARD[kind] + MOBILITY[kind] * (reach & free).len() as i32;
                let hits = (reach & target).len() as i32;
                if hits > 0 {
                    near[us] += NEAR_KING[kind] + hits;
                }
                score += piece_place(role, square, color);
            }
        }
        for (role, count) in position.hand(color).iter() {
            score += i32::from(count) * IN_HAND[role.index()];
        }
        for wing in Wing::ALL {
            if position.castling().has(color, wing) {
                score += 12;
            }
        }
        attacked.pieces[us] = all;
        attacked.all[us] = all | rings[us];
        scores[us] = score;
    }

    for color in Color::ALL {
        let danger = danger(position, color, kings, occupied, &attacked, near);
        scores[color.index()] -= danger + king_place(kings[color.index()], color);
    }
    let [white, black] = scores;
    let value = match position.turn() {
        Color::White => white - black,
        Color::Black => black - white,
    };
    Seen {
        value: value + TEMPO,
        attacked,
    }
}

/// What it is worth to be the one to move.
const TEMPO: Value = 22;

/// How much the king of this colour has to fear, in centipawns.
fn danger(
    position: &Position,
    color: Color,
    kings: [Square; 2],
    occupied: Bitboard,
    attacked: &Attacked,
    near: [i32; 2],
) -> Value {
    let us = color.index();
    let them = (!color).index();
    let king = kings[us];
    let ring = attacks::king(king);
    let hand = position.hand(!color);
    let defended = attacked.pieces[us];
    let hit = attacked.all[them];
    let empty = !occupied;
    let open = ring & (empty - defended);

    let mut units = near[them];
    units += 3 * (ring & (hit - defended)).len() as i32;
    units += open.len() as i32;
    let escapes = ring - position.by_color(color) - hit;
    if escapes.is_empty() {
        units += 3;
    }
    // Pieces that could be dropped with a check that no drop answers.
    let jumps = attacks::knight(king) & (empty - defended);
    if hand.count(Role::Knight) > 0 && !jumps.is_empty() {
        units += 2 + jumps.len().min(3) as i32;
    }
    let contact = open & hit;
    if hand.count(Role::Queen) > 0 && !contact.is_empty() {
        units += 7;
    }
    if hand.count(Role::Rook) > 0 && contact.meets(attacks::rook(king, occupied)) {
        units += 4;
    }
    if hand.count(Role::Bishop) > 0 && contact.meets(attacks::bishop(king, occupied)) {
        units += 3;
    }
    if hand.count(Role::Pawn) > 0 && attacks::pawn(color, king).meets(empty & hit) {
        units += 2;
    }
    let reserve: i32 = hand
        .iter()
        .map(|(role, count)| i32::from(count.min(4)) * RESERVE[role.index()])
        .sum();
    (units * units * (reserve.min(14) + 5) / 10).min(1_100)
}

/// The squares pawns of this colour attack.
fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    let left = pawns - Bitboard::FILE_A;
    let right = pawns - Bitboard::FILE_H;
    match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    }
}

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
const WIDE_CENTRE: Bitboard = Bitboard(0x0000_3C3C_3C3C_0000);

/// Pawns in the centre and pawns about to promote.
fn pawn_places(pawns: Bitboard, color: Color) -> Value {
    let (sixth, seventh) = match color {
        Color::White => (5, 6),
        Color::Black => (2, 1),
    };
    18 * (pawns & CENTRE).len() as i32
        + 30 * (pawns & Bitboard::rank(sixth)).len() as i32
        + 75 * (pawns & Bitboard::rank(seventh)).len() as i32
}

/// Minor pieces off the back rank and near the centre.
fn piece_place(role: Role, square: Square, color: Color) -> Value {
    match role {
        Role::Knight | Role::Bishop => {
            let home = square.rank() == color.home_rank();
            let mut value = if home { -14 } else { 0 };
            if WIDE_CENTRE.contains(square) {
                value += 10;
            }
            if role == Role::Knight && (square.file() == 0 || square.file() == 7) {
                value -= 14;
            }
            value
        }
        _ => 0,
    }
}

/// What a king loses by standing away from its back rank, or in the middle of it.
fn king_place(king: Square, color: Color) -> Value {
    let steps = i32::from(king.rank().abs_diff(color.home_rank()));
    let middle = (3..=5).contains(&king.file());
    30 * steps.min(4) + if middle { 18 } else { 0 }
}
