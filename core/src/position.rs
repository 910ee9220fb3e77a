//! One board: what stands where, who is to move, what may be dropped.

use serde::{Deserialize, Serialize};

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::options::{Promotion, Rules};
use crate::piece::{Color, Hand, Piece, Role};
use crate::ply::Ply;
use crate::square::Square;

mod castling;
mod legality;
mod list;

pub use castling::{Castling, Wing};
pub use legality::{IllegalPly, Status};
pub use list::PlyList;

/// One board with both hands: everything that decides which plies are legal on it.
///
/// A position always has one king of each colour, no pawn on a back rank, and the side that has
/// just moved is not in check. It is a plain value: copying it takes no heap.
///
/// ```
/// use tandem_core::{Color, Position, Role, Rules};
///
/// let mut position = Position::start(Rules::default());
/// assert_eq!(position.legal_plies().len(), 20);
/// position.play("e2e4".parse()?)?;
/// assert_eq!(position.turn(), Color::Black);
/// assert_eq!(position.hand(Color::Black).count(Role::Pawn), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The squares of each colour.
    pub(crate) colors: [Bitboard; 2],
    /// The squares of each kind, both colours together.
    pub(crate) roles: [Bitboard; 6],
    /// The squares of pieces that arrive in a hand as pawns.
    pub(crate) promoted: Bitboard,
    pub(crate) hands: [Hand; 2],
    pub(crate) turn: Color,
    pub(crate) castling: Castling,
    /// The square a pawn has just passed with a double step, whether or not anyone can take there.
    pub(crate) en_passant: Option<Square>,
    /// Plies since the last capture, pawn move or drop.
    pub(crate) halfmove_clock: u16,
    /// 1 at the start, counted up after each ply of Black.
    pub(crate) fullmove_number: u16,
    pub(crate) rules: Rules,
}

// A search copies a position for every ply it tries.
const _: () = assert!(size_of::<Position>() <= 256);

/// What one ply sends to the partner: nothing, one piece, or two when promotion trickles.
///
/// The pieces have the colour in which they arrive, which is the partner's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sent {
    /// What was captured. A promoted piece has become a pawn again.
    pub captured: Option<Piece>,
    /// The pawn that reached the last rank of a table where promotion trickles.
    pub trickled: Option<Piece>,
}

impl Sent {
    /// Whether nothing is sent.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Sent::default()
    }

    /// The pieces sent, the captured one first.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        self.captured.into_iter().chain(self.trickled)
    }
}

impl IntoIterator for Sent {
    type Item = Piece;
    type IntoIter = core::iter::Chain<core::option::IntoIter<Piece>, core::option::IntoIter<Piece>>;

    fn into_iter(self) -> Self::IntoIter {
        self.captured.into_iter().chain(self.trickled)
    }
}

impl Position {
    /// The standard starting position with empty hands.
    #[must_use]
    pub fn start(rules: Rules) -> Position {
        let mut position = Position::empty(rules);
        let back = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        for (file, role) in (0u32..).zip(back) {
            position.put(Square::wrapping(file), Color::White, role);
            position.put(Square::wrapping(8 + file), Color::White, Role::Pawn);
            position.put(Square::wrapping(48 + file), Color::Black, Role::Pawn);
            position.put(Square::wrapping(56 + file), Color::Black, role);
        }
        position.castling = Castling::ALL;
        position
    }

    /// A board with nothing on it, which is no legal position yet.
    pub(crate) fn empty(rules: Rules) -> Position {
        Position {
            colors: [Bitboard::EMPTY; 2],
            roles: [Bitboard::EMPTY; 6],
            promoted: Bitboard::EMPTY,
            hands: [Hand::EMPTY; 2],
            turn: Color::White,
            castling: Castling::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
            rules,
        }
    }

    /// The options that decide which plies are legal.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        let color = if self.colors[0].contains(square) {
            Color::White
        } else {
            Color::Black
        };
        Some(Piece { color, role })
    }

    /// Whether the piece on a square is a promoted pawn, which arrives in a hand as a pawn.
    #[must_use]
    pub fn is_promoted(&self, square: Square) -> bool {
        self.promoted.contains(square)
    }

    /// The pieces this colour may drop.
    #[inline]
    #[must_use]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// Adds a piece to the hand of its own colour, as when the partner sends one.
    pub fn receive(&mut self, piece: Piece) {
        self.hands[piece.color.index()].add(piece.role);
    }

    /// The square a pawn has just passed with a double step, whether or not it can be taken.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Which castling moves the kings and rooks have not lost yet.
    #[must_use]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// Plies since the last capture, pawn move or drop; 65535 stands for more.
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the current move: 1 at the start, counted up after each ply of Black; 65535
    /// stands for more.
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// All occupied squares.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares where pieces of this colour stand.
    #[inline]
    #[must_use]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares where pieces of this kind stand, of both colours.
    #[inline]
    #[must_use]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The squares where pieces of this colour and kind stand.
    #[inline]
    #[must_use]
    pub fn by_piece(&self, color: Color, role: Role) -> Bitboard {
        self.by_color(color) & self.by_role(role)
    }

    /// The squares of promoted pieces.
    #[must_use]
    pub fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// Where the king of this colour stands. Every position has both kings.
    #[must_use]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.by_piece(color, Role::King).first()
    }

    /// The king's square without asking whether there is a king.
    #[inline]
    pub(crate) fn king_square(&self, color: Color) -> Square {
        Square::wrapping(self.by_piece(color, Role::King).0.trailing_zeros())
    }

    /// The pieces that give check to the side to move.
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king_square(self.turn), !self.turn, self.occupied())
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The pieces of a colour that attack a square, if `occupied` were the occupied squares.
    ///
    /// A piece that stands on a square outside of `occupied` still counts as an attacker.
    #[must_use]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        self.by_color(by)
            & (attacks::pawn(!by, square) & pawns
                | attacks::knight(square) & knights
                | attacks::bishop(square, occupied) & (bishops | queens)
                | attacks::rook(square, occupied) & (rooks | queens)
                | attacks::king(square) & kings)
    }

    /// Plays a ply if it is legal, and says what goes to the partner.
    ///
    /// # Errors
    ///
    /// Why the ply is illegal; the position is then unchanged.
    pub fn play(&mut self, ply: Ply) -> Result<Sent, IllegalPly> {
        self.check_legal(ply)?;
        Ok(self.play_unchecked(ply))
    }

    /// Plays a ply that is known to be legal here, as one taken from
    /// [`legal_plies`](Position::legal_plies), and says what goes to the partner.
    ///
    /// An illegal ply does not panic, but leaves a position about which nothing is promised.
    pub fn play_unchecked(&mut self, ply: Ply) -> Sent {
        match ply {
            Ply::Drop { role, to } => {
                self.drop_piece(role, to);
                Sent::default()
            }
            Ply::Move {
                from,
                to,
                promotion,
            } => match self.role_at(from) {
                Some(role) => self.move_piece(role, from, to, promotion),
                None => Sent::default(),
            },
        }
    }

    #[inline]
    pub(crate) fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|role| self.roles[role.index()].contains(square))
    }

    #[inline]
    pub(crate) fn put(&mut self, square: Square, color: Color, role: Role) {
        self.colors[color.index()] |= square.into();
        self.roles[role.index()] |= square.into();
    }

    #[inline]
    fn lift(&mut self, square: Square, color: Color, role: Role) {
        self.colors[color.index()] ^= square.into();
        self.roles[role.index()] ^= square.into();
    }

    #[inline]
    pub(crate) fn drop_piece(&mut self, role: Role, to: Square) {
        let us = self.turn;
        self.hands[us.index()].remove(role);
        self.put(to, us, role);
        self.en_passant = None;
        self.halfmove_clock = 0;
        self.pass_turn();
    }

    #[inline]
    pub(crate) fn move_piece(
        &mut self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Sent {
        let us = self.turn;
        let passed = self.en_passant.take();
        let mut sent = Sent::default();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);

        if self.colors[(!us).index()].contains(to) {
            sent.captured = self.capture(to);
        }
        self.castling = self.castling.after(from, to);

        let was_promoted = self.promoted.contains(from);
        self.promoted = self.promoted - Bitboard::of(from);
        self.lift(from, us, role);
        match role {
            Role::Pawn => {
                self.halfmove_clock = 0;
                let last_rank = Bitboard::BACK_RANKS.contains(to);
                if last_rank && self.rules.promotion == Promotion::Trickle {
                    sent.trickled = Some(Piece::new(!us, Role::Pawn));
                } else if last_rank {
                    self.put(to, us, promotion.unwrap_or(Role::Queen));
                    self.promoted |= to.into();
                } else {
                    self.put(to, us, Role::Pawn);
                    if from.index().abs_diff(to.index()) == 16 {
                        self.en_passant = Some(behind(to));
                    } else if passed == Some(to) {
                        sent.captured = self.capture(behind(to));
                    }
                }
            }
            Role::King => {
                self.put(to, us, Role::King);
                if from.file().abs_diff(to.file()) == 2 {
                    let wing = Wing::of_king_target(to);
                    self.lift(wing.rook_from(us), us, Role::Rook);
                    self.put(wing.rook_to(us), us, Role::Rook);
                }
            }
            _ => {
                self.put(to, us, role);
                if was_promoted {
                    self.promoted |= to.into();
                }
            }
        }
        self.pass_turn();
        sent
    }

    /// Takes an enemy piece off the board and returns what its capturer's partner gets.
    #[inline]
    fn capture(&mut self, square: Square) -> Option<Piece> {
        let them = !self.turn;
        let role = self.role_at(square)?;
        self.lift(square, them, role);
        self.halfmove_clock = 0;
        let arrives_as = if self.promoted.contains(square) {
            self.promoted = self.promoted - Bitboard::of(square);
            Role::Pawn
        } else {
            role
        };
        Some(Piece::new(them, arrives_as))
    }

    #[inline]
    fn pass_turn(&mut self) {
        if self.turn == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.turn = !self.turn;
    }
}

/// From the square where a double step ends, or where an en passant capture ends, to the other
/// one of the two: from rank 4 to 3, 3 to 4, 5 to 6, 6 to 5.
#[inline]
pub(crate) fn behind(square: Square) -> Square {
    Square::wrapping(square.index() as u32 ^ 8)
}
