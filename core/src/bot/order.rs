//! Which plies to look at first.
//!
//! With pieces in hand there are easily two hundred plies, and the search can afford a few of
//! them. Plies are told apart by sets of squares computed once a position: where a piece would
//! give check, where it would be lost, what is near the kings.

use core::ops::ControlFlow;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::movegen::{self, Flow, Visitor};
use crate::piece::Role;
use crate::ply::Ply;
use crate::position::Position;
use crate::square::Square;

use super::eval::Attacked;
use super::exchange::{LOSS, exchange};

/// A ply with what is known about it before it is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The ply.
    pub ply: Ply,
    /// The higher, the earlier.
    pub order: i32,
    /// Takes, promotes or gives check: not to be passed over lightly.
    pub sharp: bool,
    /// Gives check.
    pub check: bool,
    /// A drop that is far from both kings and threatens little.
    pub remote: bool,
}

/// How often plies to a square have been good, by colour, kind (drops apart) and square.
pub(super) struct History([[[i16; 64]; 12]; 2]);

impl History {
    pub(super) fn new() -> History {
        History([[[0; 64]; 12]; 2])
    }

    fn kind(position: &Position, ply: Ply) -> usize {
        match ply {
            Ply::Drop { role, .. } => 6 + role.index(),
            Ply::Move { from, .. } => position.role_at(from).map_or(0, Role::index),
        }
    }

    /// Notes that a ply was good (or not), found at this depth.
    pub(super) fn note(&mut self, position: &Position, ply: Ply, depth: i32, good: bool) {
        let kind = History::kind(position, ply);
        let side = position.turn().index();
        let entry = &mut self.0[side][kind][ply.to().index()];
        let by = (depth * depth).min(200) as i16;
        let now = i32::from(*entry);
        // The pull towards zero keeps old successes from ruling for ever.
        let change = if good {
            i32::from(by) * 8
        } else {
            -i32::from(by) * 2
        };
        *entry = (now + change - now * change.abs() / 8_192).clamp(-8_000, 8_000) as i16;
    }
}

/// What makes plies urgent in one position.
pub(super) struct Sorter<'a> {
    position: &'a Position,
    history: &'a [[i16; 64]; 12],
    out: &'a mut Vec<Candidate>,
    first: [Option<Ply>; 3],
    theirs: Bitboard,
    checks: [Bitboard; 6],
    /// Where a piece of each kind would be lost, more or less.
    lost: [Bitboard; 6],
    attacked: Bitboard,
    near: Bitboard,
    home: Bitboard,
    /// Only plies that take, promote, or give a check that no drop answers.
    only_sharp: bool,
}

impl<'a> Sorter<'a> {
    pub(super) fn new(
        position: &'a Position,
        attacked: &Attacked,
        history: &'a History,
        first: [Option<Ply>; 3],
        out: &'a mut Vec<Candidate>,
    ) -> Sorter<'a> {
        let us = position.turn();
        let them = !us;
        let king = position.king_square(them);
        let occupied = position.occupied();
        let near = attacks::king(king);
        let straight = attacks::rook(king, occupied);
        let slanted = attacks::bishop(king, occupied);
        let ours = attacked.all[us.index()];
        let hit = attacked.all[them.index()];
        let loose = hit - ours;
        let pawns = attacked.pawns[them.index()];
        // The king takes only what is not guarded; then it is a piece for a piece.
        let minor = loose | pawns;
        let by_others = attacked.pieces[them.index()];
        Sorter {
            position,
            history: &history.0[us.index()],
            out,
            first,
            theirs: position.by_color(them),
            checks: [
                attacks::pawn(them, king),
                attacks::knight(king),
                slanted,
                straight,
                slanted | straight,
                Bitboard::EMPTY,
            ],
            lost: [
                loose,
                minor,
                minor,
                minor | by_others,
                minor | by_others,
                Bitboard::EMPTY,
            ],
            attacked: hit,
            near: near | attacks::knight(king),
            home: attacks::king(position.king_square(us)),
            only_sharp: false,
        }
    }

    /// Lists every legal ply.
    pub(super) fn all(mut self) {
        let position = self.position;
        // Listing never stops early.
        let _ = movegen::visit(position, &mut self);
    }

    /// Lists captures, promotions and, if `checks`, drops that give check next to the king or
    /// with a knight, without being lost.
    pub(super) fn sharp(mut self, checks: bool) {
        self.only_sharp = true;
        let position = self.position;
        let _ = if checks {
            movegen::visit(position, &mut self)
        } else {
            movegen::visit_moves(position, &mut self)
        };
    }

    fn rank_of(&self, ply: Ply) -> Option<i32> {
        self.first
            .iter()
            .position(|&first| first == Some(ply))
            .map(|place| match place {
                0 => 10_000_000,
                place => 300_000 - place as i32,
            })
    }

    fn push_move(&mut self, role: Role, from: Square, to: Square, promotion: Option<Role>) {
        let ply = Ply::Move {
            from,
            to,
            promotion,
        };
        let takes = self.theirs.contains(to) || (role == Role::Pawn && from.file() != to.file());
        let check = self.checks[role.index()].contains(to);
        let promotes = matches!(promotion, Some(Role::Queen | Role::Knight));
        let mut order;
        if takes {
            let victim = self
                .position
                .role_at(to)
                .map_or(LOSS[0], |role| LOSS[role.index()]);
            let own = LOSS[role.index()];
            let gain = if own <= victim || !self.attacked.contains(to) {
                victim - own / 16
            } else {
                exchange(self.position, ply)
            };
            order = if gain >= 0 {
                1_000_000 + gain
            } else {
                -200_000 + gain
            };
        } else {
            order = i32::from(self.history[role.index()][to.index()]);
            if self.lost[role.index()].contains(to) {
                order -= 20_000 + LOSS[role.index()];
            }
            if self.lost[role.index()].contains(from) {
                order += 4_000;
            }
        }
        if promotes {
            order += 900_000;
        }
        if check {
            order += 30_000;
        }
        if let Some(rank) = self.rank_of(ply) {
            order = order.max(rank);
        }
        self.out.push(Candidate {
            ply,
            order,
            sharp: takes || promotes || check,
            check,
            remote: false,
        });
    }

    fn push_drop(&mut self, role: Role, to: Square) {
        let ply = Ply::Drop { role, to };
        let kind = role.index();
        let check = self.checks[kind].contains(to);
        let mut order = i32::from(self.history[6 + kind][to.index()]) - 500;
        let lost = self.lost[kind].contains(to);
        if lost {
            order -= 20_000 + LOSS[kind];
        }
        let near = self.near.contains(to);
        if check {
            // Next to the king or by a knight: nothing can be put in between.
            order += if near && !lost { 200_000 } else { 25_000 };
            order -= LOSS[kind] / 4;
        } else if near {
            order += 3_000;
        } else if self.home.contains(to) {
            order += 1_500;
        }
        if let Some(rank) = self.rank_of(ply) {
            order = order.max(rank);
        }
        self.out.push(Candidate {
            ply,
            order,
            sharp: check,
            check,
            remote: !check && !near && !self.home.contains(to),
        });
    }
}

impl Visitor for Sorter<'_> {
    fn moves(&mut self, role: Role, from: Square, targets: Bitboard) -> Flow {
        let mut targets = targets;
        if self.only_sharp {
            let passed = match role {
                Role::Pawn => targets - self.position.occupied(),
                _ => Bitboard::EMPTY,
            };
            targets = targets & self.theirs | passed;
        }
        for to in targets {
            self.push_move(role, from, to, None);
        }
        ControlFlow::Continue(())
    }

    fn pawns(&mut self, targets: Bitboard, by: i32) -> Flow {
        let targets = if self.only_sharp {
            targets & self.theirs
        } else {
            targets
        };
        for to in targets {
            let from = Square::wrapping((to.index() as i32 - by) as u32);
            self.push_move(Role::Pawn, from, to, None);
        }
        ControlFlow::Continue(())
    }

    fn promotions(&mut self, targets: Bitboard, by: i32) -> Flow {
        for to in targets {
            let from = Square::wrapping((to.index() as i32 - by) as u32);
            let choices = if self.only_sharp {
                1
            } else {
                Role::PROMOTIONS.len()
            };
            for role in &Role::PROMOTIONS[..choices] {
                self.push_move(Role::Pawn, from, to, Some(*role));
            }
        }
        ControlFlow::Continue(())
    }

    fn drops(&mut self, role: Role, targets: Bitboard) -> Flow {
        let targets = if self.only_sharp {
            targets & self.checks[role.index()] & (self.near - self.lost[role.index()])
        } else {
            targets
        };
        for to in targets {
            self.push_drop(role, to);
        }
        ControlFlow::Continue(())
    }
}
