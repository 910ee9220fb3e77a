//! What an exchange on one square comes to, both sides taking with the cheapest piece first.

use crate::bitboard::Bitboard;
use crate::piece::Role;
use crate::ply::Ply;
use crate::position::Position;

use super::search::Value;

/// What it means to lose a piece, by kind: it leaves this board and arrives on the other one.
pub(super) const LOSS: [Value; 6] = [150, 450, 430, 590, 1_050, 20_000];

/// What `ply` gains after all exchanges on its target square, or loses when negative.
pub(super) fn exchange(position: &Position, ply: Ply) -> Value {
    let to = ply.to();
    let mut occupied = position.occupied();
    let mut gains = [0; 32];
    let mut standing = match ply {
        Ply::Drop { role, .. } => role,
        Ply::Move {
            from, promotion, ..
        } => {
            let Some(role) = position.role_at(from) else {
                return 0;
            };
            occupied = occupied - Bitboard::of(from);
            gains[0] = match position.role_at(to) {
                Some(taken) => worth(position, taken, to),
                None if role == Role::Pawn && from.file() != to.file() => LOSS[0],
                None => 0,
            };
            match promotion {
                Some(promoted) => {
                    gains[0] += LOSS[promoted.index()] / 2;
                    Role::Pawn
                }
                None => role,
            }
        }
    };
    occupied |= to.into();
    let mut side = !position.turn();
    let mut last = 0;
    while last + 1 < gains.len() {
        let attackers = position.attackers(to, side, occupied) & occupied;
        let Some((role, set)) = Role::ALL
            .into_iter()
            .map(|role| (role, attackers & position.by_role(role)))
            .find(|(_, set)| !set.is_empty())
        else {
            break;
        };
        // A king may not take what is still defended.
        if role == Role::King
            && !(position.attackers(to, !side, occupied) & (occupied - Bitboard::of(to))).is_empty()
        {
            break;
        }
        last += 1;
        gains[last] = LOSS[standing.index()] - gains[last - 1];
        standing = role;
        if let Some(from) = set.first() {
            occupied = occupied - Bitboard::of(from);
        }
        side = !side;
    }
    // From the last taking backwards: whoever would lose by taking leaves it.
    while last > 0 {
        gains[last - 1] = -gains[last].max(-gains[last - 1]);
        last -= 1;
    }
    gains[0]
}

/// What is taken with the piece on a square: a promoted one arrives as a pawn.
fn worth(position: &Position, role: Role, square: crate::square::Square) -> Value {
    if position.is_promoted(square) {
        LOSS[0] + 300
    } else {
        LOSS[role.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Rules;

    fn gain(fen: &str, ply: &str) -> Value {
        let position = Position::from_fen(fen, Rules::default()).unwrap();
        exchange(&position, ply.parse().unwrap())
    }

    #[test]
    fn exchanges_are_counted_to_their_end() {
        // An undefended pawn, a defended one, and one defended once but attacked twice.
        assert_eq!(gain("4k3/8/8/3p4/8/8/8/3QK3[] w - - 0 1", "d1d5"), 150);
        assert_eq!(
            gain("4k3/8/4p3/3p4/8/8/8/3QK3[] w - - 0 1", "d1d5"),
            150 - 1_050
        );
        assert_eq!(gain("4k3/8/2n5/4p3/8/5N2/8/4R1K1[] w - - 0 1", "f3e5"), 150);
        // A drop onto a square a pawn guards.
        assert_eq!(gain("4k3/3p4/8/8/8/8/8/4K3[N] w - - 0 1", "N@e6"), -450);
        assert_eq!(gain("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@e6"), 0);
        // The king does not take what is defended.
        assert_eq!(gain("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "Q@e7"), -1_050);
        assert_eq!(gain("4k3/8/8/6B1/8/8/8/4K3[Q] w - - 0 1", "Q@e7"), 0);
    }
}
