//! The rules of one board a second time, as slowly and plainly as they are written down.
//!
//! Every conceivable ply is asked about one by one, played on an array of squares, and refused if
//! the own king can then be taken. Nothing is shared with the crate but the vocabulary.

use tandem_core::position::Wing;
use tandem_core::{Color, Drops, Piece, Ply, Position, Promotion, Role, Square};

/// The squares of a board and what else decides about legality.
#[derive(Clone)]
pub struct Slow {
    squares: [Option<Piece>; 64],
    position: Position,
}

impl Slow {
    pub fn new(position: &Position) -> Slow {
        let mut squares = [None; 64];
        for square in Square::all() {
            squares[square.index()] = position.piece_at(square);
        }
        Slow {
            squares,
            position: *position,
        }
    }

    /// Every legal ply, in the order of their numbers.
    pub fn legal(&self) -> Vec<Ply> {
        let us = self.position.turn();
        let mut legal = Vec::new();
        for to in Square::all() {
            for from in Square::all().filter(|&from| from != to) {
                let promotions = Role::PROMOTIONS.into_iter().map(Some);
                for promotion in promotions.chain([None]) {
                    if self.can_move(us, from, to, promotion) {
                        legal.push(Ply::Move {
                            from,
                            to,
                            promotion,
                        });
                    }
                }
            }
            for role in Role::HAND {
                if self.position.hand(us).count(role) > 0 && self.can_drop(us, role, to) {
                    legal.push(Ply::Drop { role, to });
                }
            }
        }
        legal.sort();
        legal
    }

    /// E1 word by word.
    pub fn is_mate(&self, us: Color) -> bool {
        let blocked = |role: Role| {
            Square::all().any(|to| {
                let mut after = self.clone();
                let free = self.squares[to.index()].is_none();
                after.squares[to.index()] = Some(Piece::new(us, role));
                free && !after.is_attacked_king(us)
            })
        };
        // Blocking is a matter of squares: a knight may go everywhere a drop may.
        self.is_attacked_king(us) && !self.any_move(us) && !blocked(Role::Knight)
    }

    pub fn is_check(&self) -> bool {
        self.is_attacked_king(self.position.turn())
    }

    fn any_move(&self, us: Color) -> bool {
        Square::all().any(|from| {
            Square::all().filter(|&to| to != from).any(|to| {
                self.can_move(us, from, to, None) || self.can_move(us, from, to, Some(Role::Queen))
            })
        })
    }

    fn can_drop(&self, us: Color, role: Role, to: Square) -> bool {
        let back = to.rank() == 0 || to.rank() == 7;
        if self.squares[to.index()].is_some() || role == Role::Pawn && back {
            return false;
        }
        let mut after = self.clone();
        after.squares[to.index()] = Some(Piece::new(us, role));
        // The dropped piece has cleared the en passant square.
        let mut cleared = self.position;
        if cleared.en_passant().is_some() {
            cleared = without_en_passant(&cleared);
        }
        after.position = cleared;
        let allowed = match self.position.rules().drops {
            Drops::Any => true,
            Drops::NoCheck => !after.is_attacked_king(!us),
            Drops::NoMate => !after.is_mate(!us),
        };
        allowed && !after.is_attacked_king(us)
    }

    fn can_move(&self, us: Color, from: Square, to: Square, promotion: Option<Role>) -> bool {
        let Some(piece) = self.squares[from.index()].filter(|piece| piece.color == us) else {
            return false;
        };
        if self.squares[to.index()].is_some_and(|target| target.color == us) {
            return false;
        }
        let last = piece.role == Role::Pawn && (to.rank() == 0 || to.rank() == 7);
        let trickles = last && self.position.rules().promotion == Promotion::Trickle;
        if promotion.is_some() != (last && !trickles) {
            return false;
        }
        let mut after = self.clone();
        after.squares[from.index()] = None;
        after.squares[to.index()] = match promotion {
            _ if trickles => None,
            Some(role) => Some(Piece::new(us, role)),
            None => Some(piece),
        };
        let files = to.file().abs_diff(from.file());
        let possible = match piece.role {
            Role::King if files == 2 => self.can_castle(us, from, to, &mut after),
            Role::Pawn if files == 1 && self.squares[to.index()].is_none() => {
                let beside = Square::from_coords(to.file(), from.rank()).unwrap();
                after.squares[beside.index()] = None;
                self.position.en_passant() == Some(to)
                    && self.sees(from, to)
                    && us == self.position.turn()
            }
            Role::Pawn if files == 0 => self.can_push(us, from, to),
            _ => self.sees(from, to),
        };
        possible && !after.is_attacked_king(us)
    }

    fn can_push(&self, us: Color, from: Square, to: Square) -> bool {
        let (step, home) = match us {
            Color::White => (1, 1),
            Color::Black => (-1, 6),
        };
        let ahead = (to.rank() as i8 - from.rank() as i8) * step;
        let free = |rank: i8| {
            let square = Square::from_coords(from.file(), rank as u8).unwrap();
            self.squares[square.index()].is_none()
        };
        match ahead {
            1 => free(to.rank() as i8),
            2 => from.rank() == home && free(from.rank() as i8 + step) && free(to.rank() as i8),
            _ => false,
        }
    }

    fn can_castle(&self, us: Color, from: Square, to: Square, after: &mut Slow) -> bool {
        let Some(wing) = Wing::ALL.into_iter().find(|wing| wing.king_to(us) == to) else {
            return false;
        };
        if from != Wing::king_from(us) || !self.position.castling().has(us, wing) {
            return false;
        }
        let rank = from.rank();
        let rook = wing.rook_from(us);
        let (low, high) = (from.file().min(rook.file()), from.file().max(rook.file()));
        let path = |file| Square::from_coords(file, rank).unwrap();
        let empty = (low + 1..high).all(|file| self.squares[path(file).index()].is_none());
        let (low, high) = (from.file().min(to.file()), from.file().max(to.file()));
        let safe = (low..=high).all(|file| !self.is_attacked(path(file), !us));
        after.squares[rook.index()] = None;
        after.squares[wing.rook_to(us).index()] = Some(Piece::new(us, Role::Rook));
        empty && safe
    }

    fn is_attacked_king(&self, color: Color) -> bool {
        let king = Piece::new(color, Role::King);
        let square = Square::all().find(|square| self.squares[square.index()] == Some(king));
        self.is_attacked(square.unwrap(), !color)
    }

    fn is_attacked(&self, square: Square, by: Color) -> bool {
        Square::all().any(|from| {
            from != square
                && self.squares[from.index()].is_some_and(|piece| piece.color == by)
                && self.sees(from, square)
        })
    }

    /// Whether the piece on `from` attacks `to`.
    fn sees(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.squares[from.index()] else {
            return false;
        };
        let file = to.file() as i8 - from.file() as i8;
        let rank = to.rank() as i8 - from.rank() as i8;
        let straight = file == 0 || rank == 0;
        let slanted = file.abs() == rank.abs();
        match piece.role {
            Role::Pawn => {
                let forward = if piece.color == Color::White { 1 } else { -1 };
                file.abs() == 1 && rank == forward
            }
            Role::Knight => file.abs().min(rank.abs()) == 1 && file.abs().max(rank.abs()) == 2,
            Role::King => file.abs().max(rank.abs()) == 1,
            Role::Bishop => slanted && self.is_open(from, file, rank),
            Role::Rook => straight && self.is_open(from, file, rank),
            Role::Queen => (straight || slanted) && self.is_open(from, file, rank),
        }
    }

    /// Whether every square strictly between is empty.
    fn is_open(&self, from: Square, file: i8, rank: i8) -> bool {
        (1..file.abs().max(rank.abs())).all(|step| {
            let file = from.file() as i8 + file.signum() * step;
            let rank = from.rank() as i8 + rank.signum() * step;
            let square = Square::from_coords(file as u8, rank as u8).unwrap();
            self.squares[square.index()].is_none()
        })
    }
}

/// The same position with an empty en passant field.
fn without_en_passant(position: &Position) -> Position {
    let fen = position.to_fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[3] = "-";
    Position::from_fen(&fields.join(" "), position.rules()).unwrap()
}
