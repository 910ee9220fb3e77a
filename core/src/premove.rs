//! Premoves: plies that a player lines up while it is not the player's turn yet. They live in the
//! player's browser; the relay hears of one only when it is played, as of any other ply.
//!
//! [`Premoves`] is the line itself, [`Plan`] the board as the player imagines it once all of them are
//! played. What a premove may be is decided by how pieces go, not by what stands in the way: a piece
//! that blocks today may be gone tomorrow.

use crate::position::{Castling, Wing};
use crate::{Bitboard, Color, Ply, Position, Promotion, Role, Square, attacks};

/// How many premoves can be lined up.
pub const PREMOVE_LIMIT: usize = 16;

/// Where a ply begins: on a square, or in the player's hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A square of the board.
    Square(Square),
    /// The pieces of one kind in the player's hand, be there any or none.
    Hand(Role),
}

impl Ply {
    /// Where this ply begins.
    #[must_use]
    pub const fn origin(self) -> Origin {
        match self {
            Ply::Move { from, .. } => Origin::Square(from),
            Ply::Drop { role, .. } => Origin::Hand(role),
        }
    }
}

/// What is due when it is the player's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing is lined up.
    Nothing,
    /// The first premove is legal, and to be played.
    Play(Ply),
    /// The first premove is a drop that would be legal if the piece were in the hand: it waits for it.
    Armed,
    /// The first premove has become illegal, and with it the whole line is void.
    Void,
}

/// Premoves, the next one first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Premoves {
    plies: Vec<Ply>,
}

impl Premoves {
    /// Those that are lined up, the next one first.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Lines one up behind the others, and says whether there was room for it.
    pub fn push(&mut self, ply: Ply) -> bool {
        let room = self.plies.len() < PREMOVE_LIMIT;
        if room {
            self.plies.push(ply);
        }
        room
    }

    /// Forgets all of them, and says whether there were any.
    pub fn clear(&mut self) -> bool {
        let any = !self.plies.is_empty();
        self.plies.clear();
        any
    }

    /// What is due in a position in which it is the player's turn.
    #[must_use]
    pub fn due(&self, position: &Position) -> Due {
        let Some(&ply) = self.plies.first() else {
            return Due::Nothing;
        };
        if position.is_legal(ply) {
            return Due::Play(ply);
        }
        match ply {
            Ply::Drop { role, to }
                if position.hand(position.turn()).count(role) == 0
                    && position.drop_targets(role).contains(to) =>
            {
                Due::Armed
            }
            _ => Due::Void,
        }
    }

    /// Takes the next one off the line: it has been played.
    pub fn take(&mut self) -> Option<Ply> {
        (!self.plies.is_empty()).then(|| self.plies.remove(0))
    }
}

/// A player's own pieces as they will stand once all premoves are played.
///
/// ```
/// use tandem_core::premove::{Origin, Plan};
/// use tandem_core::{Color, Position, Role, Rules};
///
/// let position = Position::start(Rules::default());
/// let plan = Plan::new(&position, Color::Black, &["e7e5".parse()?]);
/// assert_eq!(plan.role_at("e5".parse()?), Some(Role::Pawn));
/// // From there it may take on an empty square: something may stand there by then.
/// assert_eq!(plan.plies(Origin::Square("e5".parse()?), "d4".parse()?).len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    color: Color,
    roles: [Bitboard; 6],
    castling: Castling,
    promotion: Promotion,
}

impl Plan {
    /// The pieces of `color` in `position` after these premoves.
    #[must_use]
    pub fn new(position: &Position, color: Color, premoves: &[Ply]) -> Plan {
        let mut plan = Plan {
            color,
            roles: Role::ALL.map(|role| position.by_piece(color, role)),
            castling: position.castling(),
            promotion: position.rules().promotion,
        };
        for &ply in premoves {
            plan.apply(ply);
        }
        plan
    }

    /// Whose pieces they are.
    #[must_use]
    pub fn color(&self) -> Color {
        self.color
    }

    /// Which piece of the player will stand there.
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|role| self.roles[role.index()].contains(square))
    }

    /// The squares on which pieces of the player will stand.
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.roles
            .into_iter()
            .fold(Bitboard::EMPTY, |all, one| all | one)
    }

    /// Every square that a premove from there may name. Squares of own pieces are among them: a piece
    /// that is taken there can be avenged.
    #[must_use]
    pub fn reach(&self, from: Origin) -> Bitboard {
        match from {
            Origin::Hand(Role::King) => Bitboard::EMPTY,
            Origin::Hand(Role::Pawn) => !Bitboard::BACK_RANKS,
            Origin::Hand(_) => !Bitboard::EMPTY,
            Origin::Square(square) => match self.role_at(square) {
                None => Bitboard::EMPTY,
                Some(Role::Pawn) => self.pawn_reach(square),
                Some(Role::King) => attacks::king(square) | self.castling_reach(square),
                Some(role) => attacks::of(role, self.color, square, Bitboard::EMPTY),
            },
        }
    }

    /// The premoves from one place to another: none, one, or one for each promotion.
    #[must_use]
    pub fn plies(&self, from: Origin, to: Square) -> Vec<Ply> {
        if !self.reach(from).contains(to) {
            return Vec::new();
        }
        match from {
            Origin::Hand(role) => vec![Ply::Drop { role, to }],
            Origin::Square(from) if self.promotes(from, to) => Role::ALL
                .into_iter()
                .filter(|role| role.is_promotion())
                .map(|role| Ply::Move {
                    from,
                    to,
                    promotion: Some(role),
                })
                .collect(),
            Origin::Square(from) => vec![Ply::quiet(from, to)],
        }
    }

    fn promotes(&self, from: Square, to: Square) -> bool {
        self.promotion == Promotion::Choose
            && Bitboard::BACK_RANKS.contains(to)
            && self.role_at(from) == Some(Role::Pawn)
    }

    fn pawn_reach(&self, from: Square) -> Bitboard {
        let home = match self.color {
            Color::White => 1,
            Color::Black => 6,
        };
        let ahead = |steps: i8| {
            let steps = if self.color == Color::White {
                steps
            } else {
                -steps
            };
            from.rank()
                .checked_add_signed(steps)
                .and_then(|rank| Square::from_coords(from.file(), rank))
                .map_or(Bitboard::EMPTY, Bitboard::of)
        };
        let double = if from.rank() == home {
            ahead(2)
        } else {
            Bitboard::EMPTY
        };
        attacks::pawn(self.color, from) | ahead(1) | double
    }

    fn castling_reach(&self, from: Square) -> Bitboard {
        if from != Wing::king_from(self.color) {
            return Bitboard::EMPTY;
        }
        Wing::ALL
            .into_iter()
            .filter(|wing| self.castling.has(self.color, *wing))
            .fold(Bitboard::EMPTY, |reach, wing| {
                reach | Bitboard::of(wing.king_to(self.color))
            })
    }

    fn apply(&mut self, ply: Ply) {
        let (role, to) = match ply {
            Ply::Drop { role, to } => (role, to),
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                let Some(role) = self.role_at(from) else {
                    return;
                };
                if role == Role::King && self.castling_reach(from).contains(to) {
                    let wing = Wing::of_king_target(to);
                    self.lift(wing.rook_from(self.color));
                    self.put(Role::Rook, wing.rook_to(self.color));
                }
                self.lift(from);
                self.castling = self.castling.after(from, to);
                let last = role == Role::Pawn && Bitboard::BACK_RANKS.contains(to);
                match (last, self.promotion) {
                    (false, _) => (role, to),
                    (true, Promotion::Choose) => (promotion.unwrap_or(Role::Queen), to),
                    // It leaves the board; whatever it takes there is an opponent's.
                    (true, Promotion::Trickle) => return,
                }
            }
        };
        self.lift(to);
        self.put(role, to);
    }

    fn lift(&mut self, square: Square) {
        for squares in &mut self.roles {
            *squares = *squares - Bitboard::of(square);
        }
    }

    fn put(&mut self, role: Role, square: Square) {
        self.roles[role.index()] |= Bitboard::of(square);
    }
}
