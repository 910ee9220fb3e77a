//! Which plies are legal.
//!
//! Nothing is tried out and taken back. From the king's square one sees which pieces give check
//! and which own pieces are pinned; from that, every piece gets the set of squares where it may
//! go. The sets are handed to a `Visitor`, which counts them, lists them or plays them, so that
//! there is one source of truth for all of these.
//!
//! Two cases are tried out after all, because they change two squares at once and are rare: en
//! passant, and a pawn that leaves the board on a table where promotion trickles.

use core::ops::ControlFlow;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::options::{Drops, Promotion};
use crate::piece::{Color, Hand, Role};
use crate::position::{Position, Status, Wing, behind};
use crate::square::Square;

mod visitors;

pub use visitors::perft;
pub(crate) use visitors::{Any, Count, Find, Visitor};

/// Whether to go on visiting.
pub(crate) type Flow = ControlFlow<()>;

/// Visits every legal ply of the side to move.
#[inline]
pub(crate) fn visit<V: Visitor>(position: &Position, visitor: &mut V) -> Flow {
    match position.turn() {
        Color::White => visit_as::<true, V>(position, visitor),
        Color::Black => visit_as::<false, V>(position, visitor),
    }
}

fn visit_as<const WHITE: bool, V: Visitor>(position: &Position, visitor: &mut V) -> Flow {
    let board = Board::<WHITE>::new(position);
    board.visit_moves(visitor)?;
    board.visit_drops(visitor)
}

/// Visits every legal move of a piece on the board, and no drop.
pub(crate) fn visit_moves<V: Visitor>(position: &Position, visitor: &mut V) -> Flow {
    match position.turn() {
        Color::White => Board::<true>::new(position).visit_moves(visitor),
        Color::Black => Board::<false>::new(position).visit_moves(visitor),
    }
}

/// The squares where a piece of this kind could legally be dropped now, if it were in the hand.
pub(crate) fn drop_targets(position: &Position, role: Role) -> Bitboard {
    match position.turn() {
        Color::White => Board::<true>::new(position).drop_targets(role),
        Color::Black => Board::<false>::new(position).drop_targets(role),
    }
}

/// The empty squares where a drop would answer every check, or all of them without a check. The
/// table's options and the ranks forbidden to pawns are not looked at.
pub(crate) fn answering_squares(position: &Position) -> Bitboard {
    match position.turn() {
        Color::White => Board::<true>::new(position).answering_squares(),
        Color::Black => Board::<false>::new(position).answering_squares(),
    }
}

/// Whether the side to move is checkmated in the sense of E1: no move answers the check, and no
/// drop could, whatever were in the hand and whatever the table allows to drop.
pub(crate) fn is_checkmate(position: &Position) -> bool {
    position.is_check()
        && answering_squares(position).is_empty()
        && visit_moves(position, &mut Any).is_continue()
}

/// A position as the side to move sees it; the colour is known to the compiler.
struct Board<'a, const WHITE: bool> {
    position: &'a Position,
    king: Square,
    ours: Bitboard,
    theirs: Bitboard,
    occupied: Bitboard,
    checkers: Bitboard,
    /// Own pieces that alone shield the king from a slider.
    pinned: Bitboard,
    /// The sliders they shield it from.
    pinners: Bitboard,
}

impl<'a, const WHITE: bool> Board<'a, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };
    /// Before a double step has become one, seen by the side to move.
    const THIRD_RANK: Bitboard = Bitboard::rank(if WHITE { 2 } else { 5 });
    const SEVENTH_RANK: Bitboard = Bitboard::rank(if WHITE { 6 } else { 1 });

    #[inline]
    fn new(position: &'a Position) -> Self {
        let king = position.king_square(Self::US);
        let ours = position.by_color(Self::US);
        let theirs = position.by_color(Self::THEM);
        let occupied = ours | theirs;
        let [pawns, knights, bishops, rooks, queens, _] = position.roles;

        let mut checkers =
            theirs & (attacks::knight(king) & knights | attacks::pawn(Self::US, king) & pawns);
        let mut pinned = Bitboard::EMPTY;
        let mut pinners = Bitboard::EMPTY;
        // Looking through own pieces finds the sliders that give check and those that pin.
        let snipers = attacks::rook(king, theirs) & theirs & (rooks | queens)
            | attacks::bishop(king, theirs) & theirs & (bishops | queens);
        for sniper in snipers {
            let shield = attacks::between(king, sniper) & ours;
            if shield.is_empty() {
                checkers |= sniper.into();
            } else if !shield.is_many() {
                pinned |= shield;
                pinners |= sniper.into();
            }
        }
        Board {
            position,
            king,
            ours,
            theirs,
            occupied,
            checkers,
            pinned,
            pinners,
        }
    }

    #[inline]
    fn own(&self, role: Role) -> Bitboard {
        self.ours & self.position.by_role(role)
    }

    /// The set moved one square forward.
    #[inline]
    fn forward(set: Bitboard) -> Bitboard {
        if WHITE { set << 8 } else { set >> 8 }
    }

    /// The set moved as pawns take, towards the a-file.
    #[inline]
    fn take_left(set: Bitboard) -> Bitboard {
        let set = set - Bitboard::FILE_A;
        if WHITE { set << 7 } else { set >> 9 }
    }

    /// The set moved as pawns take, towards the h-file.
    #[inline]
    fn take_right(set: Bitboard) -> Bitboard {
        let set = set - Bitboard::FILE_H;
        if WHITE { set << 9 } else { set >> 7 }
    }

    #[inline]
    fn visit_moves<V: Visitor>(&self, visitor: &mut V) -> Flow {
        self.visit_king(visitor)?;
        // Only the king answers two checks at once.
        if self.checkers.is_many() {
            return Flow::Continue(());
        }
        let answers = match self.checkers.first() {
            Some(checker) => attacks::between(self.king, checker) | self.checkers,
            None => Bitboard::ALL,
        };
        self.visit_pieces(answers - self.ours, visitor)?;
        self.visit_pawns(answers, visitor)
    }

    #[inline]
    fn visit_king<V: Visitor>(&self, visitor: &mut V) -> Flow {
        let near = attacks::king(self.king) - self.ours;
        let may_castle = self.checkers.is_empty() && self.position.castling().has_any(Self::US);
        if near.is_empty() && !may_castle {
            return Flow::Continue(());
        }
        let attacked = self.attacked();
        let targets = near - attacked;
        if !targets.is_empty() {
            visitor.moves(Role::King, self.king, targets)?;
        }
        if may_castle {
            for wing in Wing::ALL {
                if self.position.castling().has(Self::US, wing)
                    && !wing.must_be_empty(Self::US).meets(self.occupied)
                    && !wing.must_be_safe(Self::US).meets(attacked)
                {
                    let target = Bitboard::of(wing.king_to(Self::US));
                    visitor.moves(Role::King, self.king, target)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// The squares the opponent attacks, seen through the own king so that it cannot step back
    /// along the line of a check.
    #[inline]
    fn attacked(&self) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, _] = self.position.roles;
        let occupied = self.occupied - Bitboard::of(self.king);
        let pawns = self.theirs & pawns;
        let mut attacked = if WHITE {
            Board::<false>::take_left(pawns) | Board::<false>::take_right(pawns)
        } else {
            Board::<true>::take_left(pawns) | Board::<true>::take_right(pawns)
        };
        attacked |= attacks::king(self.position.king_square(Self::THEM));
        for from in self.theirs & knights {
            attacked |= attacks::knight(from);
        }
        for from in self.theirs & (bishops | queens) {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in self.theirs & (rooks | queens) {
            attacked |= attacks::rook(from, occupied);
        }
        attacked
    }

    /// Knights, bishops, rooks and queens.
    #[inline]
    fn visit_pieces<V: Visitor>(&self, answers: Bitboard, visitor: &mut V) -> Flow {
        let occupied = self.occupied;
        let bishop = |from| attacks::bishop(from, occupied);
        let rook = |from| attacks::rook(from, occupied);
        let queen = |from| attacks::queen(from, occupied);
        self.visit_free(Role::Knight, attacks::knight, answers, visitor)?;
        self.visit_free(Role::Bishop, bishop, answers, visitor)?;
        self.visit_free(Role::Rook, rook, answers, visitor)?;
        self.visit_free(Role::Queen, queen, answers, visitor)?;
        // A pinned piece stays on its line, which no other check crosses; a knight cannot.
        if !self.checkers.is_empty() {
            return Flow::Continue(());
        }
        for pinner in self.pinners {
            let line = attacks::between(self.king, pinner);
            let Some(from) = (line & self.ours).first() else {
                continue;
            };
            let role = match self.position.role_at(from) {
                Some(role @ (Role::Bishop | Role::Rook | Role::Queen)) => role,
                _ => continue,
            };
            let targets = attacks::of(role, Self::US, from, self.occupied)
                & (line | Bitboard::of(pinner))
                & answers;
            if !targets.is_empty() {
                visitor.moves(role, from, targets)?;
            }
        }
        Flow::Continue(())
    }

    /// The pieces of one kind that are not pinned.
    #[inline]
    fn visit_free<V: Visitor>(
        &self,
        role: Role,
        reach: impl Fn(Square) -> Bitboard,
        answers: Bitboard,
        visitor: &mut V,
    ) -> Flow {
        for from in self.own(role) - self.pinned {
            let targets = reach(from) & answers;
            if !targets.is_empty() {
                visitor.moves(role, from, targets)?;
            }
        }
        Flow::Continue(())
    }

    #[inline]
    fn visit_pawns<V: Visitor>(&self, answers: Bitboard, visitor: &mut V) -> Flow {
        let mut pawns = self.own(Role::Pawn);
        if self.position.rules().promotion == Promotion::Trickle {
            self.visit_trickling(pawns & Self::SEVENTH_RANK, visitor)?;
            pawns = pawns - Self::SEVENTH_RANK;
        }

        let (left, straight, right) = if WHITE { (7, 8, 9) } else { (-9, -8, -7) };
        let free = pawns - self.pinned;
        let single = Self::forward(free) - self.occupied;
        let double = Self::forward(single & Self::THIRD_RANK) - self.occupied;
        let takes = self.theirs & answers;
        self.pawn_set(single & answers, straight, visitor)?;
        if !(double & answers).is_empty() {
            visitor.pawns(double & answers, 2 * straight)?;
        }
        self.pawn_set(Self::take_left(free) & takes, left, visitor)?;
        self.pawn_set(Self::take_right(free) & takes, right, visitor)?;

        if (pawns & self.pinned).is_empty() || !self.checkers.is_empty() {
            return self.visit_en_passant(pawns, visitor);
        }
        for pinner in self.pinners {
            let line = attacks::between(self.king, pinner);
            let pawn = line & pawns;
            let takes = Bitboard::of(pinner);
            let single = Self::forward(pawn) & line;
            let double = Self::forward(single & Self::THIRD_RANK) & line;
            self.pawn_set(single, straight, visitor)?;
            if !double.is_empty() {
                visitor.pawns(double, 2 * straight)?;
            }
            self.pawn_set(Self::take_left(pawn) & takes, left, visitor)?;
            self.pawn_set(Self::take_right(pawn) & takes, right, visitor)?;
        }
        self.visit_en_passant(pawns, visitor)
    }

    /// Pawn moves that all go the same way, told apart by whether they promote.
    #[inline]
    fn pawn_set<V: Visitor>(&self, targets: Bitboard, by: i32, visitor: &mut V) -> Flow {
        let last = targets & Bitboard::BACK_RANKS;
        let other = targets - Bitboard::BACK_RANKS;
        if !other.is_empty() {
            visitor.pawns(other, by)?;
        }
        if !last.is_empty() {
            visitor.promotions(last, by)?;
        }
        Flow::Continue(())
    }

    #[inline]
    fn visit_en_passant<V: Visitor>(&self, pawns: Bitboard, visitor: &mut V) -> Flow {
        let Some(target) = self.position.en_passant() else {
            return Flow::Continue(());
        };
        let taken = Bitboard::of(behind(target));
        for from in attacks::pawn(Self::THEM, target) & pawns {
            let after = (self.occupied ^ Bitboard::of(from) ^ taken) | Bitboard::of(target);
            if self.is_king_safe(after, taken) {
                visitor.moves(Role::Pawn, from, target.into())?;
            }
        }
        Flow::Continue(())
    }

    /// Pawns that leave the board on the last rank. They shield the king neither there, nor does
    /// what they take on the way, so pins and checks say too little.
    fn visit_trickling<V: Visitor>(&self, pawns: Bitboard, visitor: &mut V) -> Flow {
        for from in pawns {
            let pawn = Bitboard::of(from);
            let targets =
                (Self::forward(pawn) - self.occupied) | attacks::pawn(Self::US, from) & self.theirs;
            for to in targets {
                let gone = pawn | Bitboard::of(to);
                if self.is_king_safe(self.occupied - gone, gone) {
                    visitor.moves(Role::Pawn, from, to.into())?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Whether no enemy piece outside of `gone` attacks the king if `occupied` is what stands.
    fn is_king_safe(&self, occupied: Bitboard, gone: Bitboard) -> bool {
        (self.position.attackers(self.king, Self::THEM, occupied) - gone).is_empty()
    }

    #[inline]
    fn answering_squares(&self) -> Bitboard {
        if self.checkers.is_many() {
            return Bitboard::EMPTY;
        }
        match self.checkers.first() {
            Some(checker) => attacks::between(self.king, checker),
            None => !self.occupied,
        }
    }

    #[inline]
    fn visit_drops<V: Visitor>(&self, visitor: &mut V) -> Flow {
        let hand = self.position.hand(Self::US);
        if hand == Hand::EMPTY {
            return Flow::Continue(());
        }
        let squares = self.answering_squares();
        if squares.is_empty() {
            return Flow::Continue(());
        }
        for role in Role::HAND {
            if hand.count(role) > 0 {
                let targets = self.allowed_drops(role, squares);
                if !targets.is_empty() {
                    visitor.drops(role, targets)?;
                }
            }
        }
        Flow::Continue(())
    }

    fn drop_targets(&self, role: Role) -> Bitboard {
        if role == Role::King {
            return Bitboard::EMPTY;
        }
        self.allowed_drops(role, self.answering_squares())
    }

    /// Those of the squares where a piece of this kind may be dropped at this table.
    #[inline]
    fn allowed_drops(&self, role: Role, squares: Bitboard) -> Bitboard {
        let squares = if role == Role::Pawn {
            squares - Bitboard::BACK_RANKS
        } else {
            squares
        };
        match self.position.rules().drops {
            Drops::Any => squares,
            Drops::NoCheck => squares - self.checking_squares(role),
            Drops::NoMate => {
                let mating =
                    (squares & self.checking_squares(role))
                        .into_iter()
                        .filter(|&square| {
                            let mut after = *self.position;
                            after.drop_piece(role, square);
                            is_checkmate(&after)
                        });
                squares - mating.collect()
            }
        }
    }

    /// The squares from which a piece of this kind would give check.
    fn checking_squares(&self, role: Role) -> Bitboard {
        let target = self.position.king_square(Self::THEM);
        attacks::of(role, Self::THEM, target, self.occupied)
    }
}

pub(crate) fn status(position: &Position) -> Status {
    let check = position.is_check();
    if visit(position, &mut Any).is_break() {
        if check { Status::Check } else { Status::Move }
    } else if check && answering_squares(position).is_empty() {
        Status::Checkmate
    } else {
        Status::Waiting
    }
}
