//! Questions about legality, and why a ply is refused.

use core::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{PlyList, Position, Wing};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::movegen::{self, Any, Count, Find};
use crate::options::{Drops, Promotion};
use crate::piece::{Color, Role};
use crate::ply::Ply;
use crate::square::Square;

/// Why a ply is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error, Serialize, Deserialize)]
pub enum IllegalPly {
    /// A move from a square where nothing stands.
    #[error("there is no piece on the square the move starts from")]
    EmptySquare,
    /// A move of a piece of the side that is not to move.
    #[error("the piece belongs to the side that is not to move")]
    NotYourPiece,
    /// A move onto a piece of one's own.
    #[error("a piece of one's own stands on the target square")]
    OwnPieceThere,
    /// The piece does not move that way, or something stands in its way.
    #[error("the piece cannot reach that square")]
    PieceCannotReach,
    /// One's own king would be in check, be it still or anew.
    #[error("the king would be in check")]
    LeavesKingInCheck,
    /// A pawn reaches the last rank and does not say what it becomes.
    #[error("the pawn must say what it becomes: queen, rook, bishop or knight")]
    MissingPromotion,
    /// A piece named in a move that promotes to nothing, or to that piece never.
    #[error("the move cannot promote to that piece")]
    ImpossiblePromotion,
    /// Castling after the king or that rook has moved, or the rook was taken.
    #[error("the right to castle on that side is lost")]
    CastlingLost,
    /// Castling with something between king and rook.
    #[error("a piece stands between king and rook")]
    CastlingBlocked,
    /// Castling out of check or across an attacked square.
    #[error("the king may castle neither out of check nor across an attacked square")]
    CastlingThroughCheck,
    /// A drop of what is not in the hand.
    #[error("there is no such piece in the hand")]
    NotInHand,
    /// A drop on a piece.
    #[error("a piece can only be dropped on an empty square")]
    SquareOccupied,
    /// A pawn dropped on rank 1 or 8.
    #[error("a pawn cannot be dropped on the first or the last rank")]
    PawnOnBackRank,
    /// A drop that gives check, at a table where none may.
    #[error("at this table a drop may not give check")]
    DropGivesCheck,
    /// A drop that gives mate, at a table where none may.
    #[error("at this table a drop may not give mate")]
    DropGivesMate,
}

/// What the side to move can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Status {
    /// Not in check, and there is a legal ply.
    Move,
    /// In check, and there is a legal ply.
    Check,
    /// No legal ply and no mate: the player waits until the partner sends a piece.
    Waiting,
    /// Mated (E1): in check, and neither a move nor a drop of any piece whatever could help.
    Checkmate,
}

impl Status {
    /// `move`, `check`, `waiting` or `checkmate`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Move => "move",
            Status::Check => "check",
            Status::Waiting => "waiting",
            Status::Checkmate => "checkmate",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Position {
    /// Every legal ply, in no particular order.
    #[inline]
    #[must_use]
    pub fn legal_plies(&self) -> PlyList {
        let mut list = PlyList::new();
        self.list_plies(&mut list);
        list
    }

    /// Makes a list hold every legal ply instead of what it held: quicker than
    /// [`legal_plies`](Position::legal_plies) for who looks at many positions in turn.
    pub fn list_plies(&self, list: &mut PlyList) {
        list.clear();
        // Listing never stops early, so there is nothing to learn from the result.
        let _ = movegen::visit(self, list);
    }

    /// How many legal plies there are; quicker than to list them.
    #[must_use]
    pub fn count_legal_plies(&self) -> u32 {
        let mut count = Count::default();
        let _ = movegen::visit(self, &mut count);
        count.0
    }

    /// Whether there is a legal ply.
    #[must_use]
    pub fn has_legal_ply(&self) -> bool {
        movegen::visit(self, &mut Any).is_break()
    }

    /// Whether this ply is legal.
    #[must_use]
    pub fn is_legal(&self, ply: Ply) -> bool {
        movegen::visit(self, &mut Find(ply)).is_break()
    }

    /// Whether this ply is legal, and if not, why.
    ///
    /// # Errors
    ///
    /// The reason why it is not.
    pub fn check_legal(&self, ply: Ply) -> Result<(), IllegalPly> {
        if self.is_legal(ply) {
            return Ok(());
        }
        Err(match ply {
            Ply::Drop { role, to } => self.why_no_drop(role, to),
            Ply::Move {
                from,
                to,
                promotion,
            } => self.why_no_move(from, to, promotion),
        })
    }

    /// What the side to move can do.
    #[must_use]
    pub fn status(&self) -> Status {
        movegen::status(self)
    }

    /// Whether the side to move is mated (E1).
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        movegen::is_checkmate(self)
    }

    /// The squares where the side to move could legally drop a piece of this kind now, whether
    /// or not it holds one.
    #[must_use]
    pub fn drop_targets(&self, role: Role) -> Bitboard {
        movegen::drop_targets(self, role)
    }

    /// The kinds of which one more piece in hand would give the side to move a legal drop now.
    pub fn waiting_roles(&self) -> impl Iterator<Item = Role> + use<> {
        let position = *self;
        Role::HAND
            .into_iter()
            .filter(move |&role| !position.drop_targets(role).is_empty())
    }

    fn why_no_drop(&self, role: Role, to: Square) -> IllegalPly {
        if self.hand(self.turn).count(role) == 0 {
            IllegalPly::NotInHand
        } else if self.occupied().contains(to) {
            IllegalPly::SquareOccupied
        } else if role == Role::Pawn && Bitboard::BACK_RANKS.contains(to) {
            IllegalPly::PawnOnBackRank
        } else if !movegen::answering_squares(self).contains(to) {
            IllegalPly::LeavesKingInCheck
        } else if self.rules.drops == Drops::NoMate {
            IllegalPly::DropGivesMate
        } else {
            IllegalPly::DropGivesCheck
        }
    }

    fn why_no_move(&self, from: Square, to: Square, promotion: Option<Role>) -> IllegalPly {
        let us = self.turn;
        let Some(role) = self.role_at(from) else {
            return IllegalPly::EmptySquare;
        };
        if self.by_color(!us).contains(from) {
            return IllegalPly::NotYourPiece;
        }
        if role == Role::King
            && from == Wing::king_from(us)
            && let Some(wing) = Wing::ALL.into_iter().find(|wing| wing.king_to(us) == to)
        {
            return self.why_no_castling(wing);
        }
        if self.by_color(us).contains(to) {
            return IllegalPly::OwnPieceThere;
        }
        let reach = if role == Role::Pawn {
            self.pawn_reach(from)
        } else {
            attacks::of(role, us, from, self.occupied())
        };
        if !reach.contains(to) {
            return IllegalPly::PieceCannotReach;
        }
        let chooses = role == Role::Pawn
            && Bitboard::BACK_RANKS.contains(to)
            && self.rules.promotion == Promotion::Choose;
        match promotion {
            None if chooses => IllegalPly::MissingPromotion,
            Some(role) if !(chooses && role.is_promotion()) => IllegalPly::ImpossiblePromotion,
            _ => IllegalPly::LeavesKingInCheck,
        }
    }

    fn why_no_castling(&self, wing: Wing) -> IllegalPly {
        if !self.castling.has(self.turn, wing) {
            IllegalPly::CastlingLost
        } else if wing.must_be_empty(self.turn).meets(self.occupied()) {
            IllegalPly::CastlingBlocked
        } else {
            IllegalPly::CastlingThroughCheck
        }
    }

    /// Where a pawn could go if kings did not matter.
    fn pawn_reach(&self, from: Square) -> Bitboard {
        let us = self.turn;
        let empty = !self.occupied();
        let (forward, home_rank) = match us {
            Color::White => (8, 1),
            Color::Black => (-8, 6),
        };
        let ahead = |square: Square| {
            let index = square.index() as i32 + forward;
            u8::try_from(index).ok().and_then(Square::new)
        };
        let mut reach = attacks::pawn(us, from)
            & (self.by_color(!us) | self.en_passant.map_or(Bitboard::EMPTY, Bitboard::of));
        if let Some(single) = ahead(from).filter(|&square| empty.contains(square)) {
            reach |= single.into();
            if from.rank() == home_rank
                && let Some(double) = ahead(single).filter(|&square| empty.contains(square))
            {
                reach |= double.into();
            }
        }
        reach
    }
}
