//! What can be done with legal plies: count them, list them, look for one, play them all.

use core::ops::ControlFlow;

use super::{Flow, visit};
use crate::bitboard::Bitboard;
use crate::piece::Role;
use crate::ply::Ply;
use crate::position::{PlyList, Position};
use crate::square::Square;

/// Takes legal plies in sets. No set is empty, and each may say that it has seen enough.
pub(crate) trait Visitor {
    /// Moves of one piece, without promotion. Castling is a move of the king.
    fn moves(&mut self, role: Role, from: Square, targets: Bitboard) -> Flow;
    /// Moves of pawns, each from the square `by` before its target, without promotion.
    fn pawns(&mut self, targets: Bitboard, by: i32) -> Flow;
    /// The same with the choice of what to become.
    fn promotions(&mut self, targets: Bitboard, by: i32) -> Flow;
    /// Drops of one kind.
    fn drops(&mut self, role: Role, targets: Bitboard) -> Flow;
}

/// The square from which a pawn reached its target.
#[inline]
fn origin(target: Square, by: i32) -> Square {
    Square::wrapping((target.index() as i32 - by) as u32)
}

/// Stops at the first ply: breaks exactly when there is one.
pub(crate) struct Any;

impl Visitor for Any {
    #[inline]
    fn moves(&mut self, _: Role, _: Square, _: Bitboard) -> Flow {
        ControlFlow::Break(())
    }
    #[inline]
    fn pawns(&mut self, _: Bitboard, _: i32) -> Flow {
        ControlFlow::Break(())
    }
    #[inline]
    fn promotions(&mut self, _: Bitboard, _: i32) -> Flow {
        ControlFlow::Break(())
    }
    #[inline]
    fn drops(&mut self, _: Role, _: Bitboard) -> Flow {
        ControlFlow::Break(())
    }
}

/// Counts plies without looking at each.
#[derive(Default)]
pub(crate) struct Count(pub(crate) u32);

impl Visitor for Count {
    #[inline]
    fn moves(&mut self, _: Role, _: Square, targets: Bitboard) -> Flow {
        self.0 += targets.len();
        ControlFlow::Continue(())
    }
    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i32) -> Flow {
        self.0 += targets.len();
        ControlFlow::Continue(())
    }
    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i32) -> Flow {
        self.0 += targets.len() * Role::PROMOTIONS.len() as u32;
        ControlFlow::Continue(())
    }
    #[inline]
    fn drops(&mut self, _: Role, targets: Bitboard) -> Flow {
        self.0 += targets.len();
        ControlFlow::Continue(())
    }
}

/// Lists plies.
impl Visitor for PlyList {
    #[inline]
    fn moves(&mut self, _: Role, from: Square, targets: Bitboard) -> Flow {
        self.extend(targets, |to| Ply::quiet(from, to));
        ControlFlow::Continue(())
    }
    #[inline]
    fn pawns(&mut self, targets: Bitboard, by: i32) -> Flow {
        self.extend(targets, |to| Ply::quiet(origin(to, by), to));
        ControlFlow::Continue(())
    }
    #[inline]
    fn promotions(&mut self, targets: Bitboard, by: i32) -> Flow {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.push(Ply::Move {
                    from: origin(to, by),
                    to,
                    promotion: Some(role),
                });
            }
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn drops(&mut self, role: Role, targets: Bitboard) -> Flow {
        match role {
            // Pawns have a set of their own.
            Role::Pawn => self.extend(targets, |to| Ply::Drop { role, to }),
            Role::Knight => self.extend_again(targets, &DROPS[0]),
            Role::Bishop => self.extend_again(targets, &DROPS[1]),
            Role::Rook => self.extend_again(targets, &DROPS[2]),
            Role::Queen | Role::King => self.extend_again(targets, &DROPS[3]),
        }
        ControlFlow::Continue(())
    }
}

/// Every drop of knight, bishop, rook and queen. To copy one is quicker than to make it, and most
/// of a long list are drops.
static DROPS: [[Ply; 64]; 4] = {
    let mut drops = [[Ply::quiet(Square::wrapping(0), Square::wrapping(0)); 64]; 4];
    let mut role = 0;
    while role < drops.len() {
        let mut square = 0;
        while square < 64 {
            drops[role][square] = Ply::Drop {
                role: Role::HAND[role + 1],
                to: Square::wrapping(square as u32),
            };
            square += 1;
        }
        role += 1;
    }
    drops
};

/// Looks for one ply: breaks exactly when it is legal.
pub(crate) struct Find(pub(crate) Ply);

impl Find {
    #[inline]
    fn stop_if(found: bool) -> Flow {
        if found {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    #[inline]
    fn pawn(&self, targets: Bitboard, by: i32, promotes: bool) -> Flow {
        let Ply::Move {
            from,
            to,
            promotion,
        } = self.0
        else {
            return ControlFlow::Continue(());
        };
        Find::stop_if(
            targets.contains(to)
                && origin(to, by) == from
                && promotion.is_some_and(Role::is_promotion) == promotes
                && promotion.is_some() == promotes,
        )
    }
}

impl Visitor for Find {
    #[inline]
    fn moves(&mut self, _: Role, from: Square, targets: Bitboard) -> Flow {
        let wanted = matches!(self.0, Ply::Move { from: origin, to, promotion: None }
            if origin == from && targets.contains(to));
        Find::stop_if(wanted)
    }
    #[inline]
    fn pawns(&mut self, targets: Bitboard, by: i32) -> Flow {
        self.pawn(targets, by, false)
    }
    #[inline]
    fn promotions(&mut self, targets: Bitboard, by: i32) -> Flow {
        self.pawn(targets, by, true)
    }
    #[inline]
    fn drops(&mut self, role: Role, targets: Bitboard) -> Flow {
        let wanted = matches!(self.0, Ply::Drop { role: dropped, to }
            if dropped == role && targets.contains(to));
        Find::stop_if(wanted)
    }
}

/// Plays every ply and counts the leaves below it.
struct Descend<'a> {
    position: &'a Position,
    depth: u32,
    leaves: u64,
}

impl Descend<'_> {
    #[inline]
    fn into(&mut self, play: impl FnOnce(&mut Position)) {
        let mut after = *self.position;
        play(&mut after);
        self.leaves += perft(&after, self.depth - 1);
    }
}

impl Visitor for Descend<'_> {
    #[inline]
    fn moves(&mut self, role: Role, from: Square, targets: Bitboard) -> Flow {
        for to in targets {
            self.into(|after| {
                after.move_piece(role, from, to, None);
            });
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn pawns(&mut self, targets: Bitboard, by: i32) -> Flow {
        for to in targets {
            self.into(|after| {
                after.move_piece(Role::Pawn, origin(to, by), to, None);
            });
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn promotions(&mut self, targets: Bitboard, by: i32) -> Flow {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.into(|after| {
                    after.move_piece(Role::Pawn, origin(to, by), to, Some(role));
                });
            }
        }
        ControlFlow::Continue(())
    }
    #[inline]
    fn drops(&mut self, role: Role, targets: Bitboard) -> Flow {
        for to in targets {
            self.into(|after| after.drop_piece(role, to));
        }
        ControlFlow::Continue(())
    }
}

/// How many sequences of `depth` plies there are on one board alone: captured pieces leave the
/// board and enter no hand. The last ply is counted without being played.
///
/// ```
/// use tandem_core::{Position, Rules, movegen::perft};
///
/// assert_eq!(perft(&Position::start(Rules::default()), 3), 8_902);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    // Nothing is visited beyond the depth asked for, so the result of a visit says nothing here.
    match depth {
        0 => 1,
        1 => {
            let mut count = Count::default();
            let _ = visit(position, &mut count);
            u64::from(count.0)
        }
        _ => {
            let mut descend = Descend {
                position,
                depth,
                leaves: 0,
            };
            let _ = visit(position, &mut descend);
            descend.leaves
        }
    }
}
