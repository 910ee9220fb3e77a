//! Moves as players write them: SAN.

use core::fmt::Write as _;

use thiserror::Error;

use crate::bitboard::Bitboard;
use crate::piece::Role;
use crate::ply::Ply;
use crate::position::{IllegalPly, Position, Status, Wing};
use crate::premove::{Origin, Plan};
use crate::square::Square;

/// Why a text is no move here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ParsePlyError {
    /// It is neither SAN nor UCI.
    #[error("not a move such as Nf3, exd5, O-O, e8=Q, N@f3 or g1f3")]
    Unreadable,
    /// No piece of that kind stands where the text says, or at all.
    #[error("there is no such piece to move")]
    NoSuchPiece,
    /// It says that something is taken where nothing can be.
    #[error("there is nothing to take on that square")]
    NothingToTake,
    /// Several pieces could move like that.
    #[error("several pieces can move like that; say which one")]
    Ambiguous,
    /// It is clear which ply is meant, but that one is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalPly),
}

/// What a SAN text says, before looking at the board.
struct San {
    role: Role,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    takes: bool,
    to: Square,
    promotion: Option<Role>,
}

impl Position {
    /// Writes a legal ply in SAN, with `#` for checkmate (E1) and `+` for every other check.
    /// An illegal ply is written in UCI.
    ///
    /// ```
    /// use tandem_core::{Position, Rules};
    ///
    /// let position = Position::from_fen("6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1", Rules::default())?;
    /// let ply = position.parse_ply("N@f7")?;
    /// assert_eq!(position.san(ply), "N@f7#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn san(&self, ply: Ply) -> String {
        if !self.is_legal(ply) {
            return ply.to_string();
        }
        let mut san = match ply {
            Ply::Drop { .. } => ply.to_string(),
            Ply::Move {
                from,
                to,
                promotion,
            } => self.san_of_move(from, to, promotion),
        };
        let mut after = *self;
        after.play_unchecked(ply);
        if after.is_check() {
            san.push(if after.status() == Status::Checkmate {
                '#'
            } else {
                '+'
            });
        }
        san
    }

    /// Reads a legal ply in SAN or UCI.
    ///
    /// Signs of check, mate, en passant and comment at the end are not judged. Castling may be
    /// written with zeros, a dropped pawn without its letter, a promotion as `e8Q`, `e8(Q)` or `e8/Q`.
    ///
    /// # Errors
    ///
    /// When the text says no ply, not which one, or an illegal one.
    pub fn parse_ply(&self, text: &str) -> Result<Ply, ParsePlyError> {
        if let Ok(ply) = text.parse::<Ply>() {
            self.check_legal(ply)?;
            return Ok(ply);
        }
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let text = text.strip_suffix("e.p.").unwrap_or(text);
        if let Some(wing) = castling_wing(text) {
            let (from, to) = (Wing::king_from(self.turn()), wing.king_to(self.turn()));
            if self.king(self.turn()) != Some(from) {
                return Err(IllegalPly::CastlingLost.into());
            }
            let ply = Ply::quiet(from, to);
            self.check_legal(ply)?;
            return Ok(ply);
        }
        if let Some((letter, square)) = text.split_once('@') {
            let ply = read_drop(letter, square).ok_or(ParsePlyError::Unreadable)?;
            self.check_legal(ply)?;
            return Ok(ply);
        }
        let san = read_move(text).ok_or(ParsePlyError::Unreadable)?;
        self.find_move(&san)
    }

    fn san_of_move(&self, from: Square, to: Square, promotion: Option<Role>) -> String {
        let Some(role) = self.role_at(from) else {
            return String::new();
        };
        if role == Role::King && from.file().abs_diff(to.file()) == 2 {
            return match Wing::of_king_target(to) {
                Wing::King => "O-O".to_owned(),
                Wing::Queen => "O-O-O".to_owned(),
            };
        }
        let mut san = String::with_capacity(8);
        let takes = self.occupied().contains(to) || role == Role::Pawn && from.file() != to.file();
        // Writing to a string cannot fail.
        if role != Role::Pawn {
            san.push(role.letter());
            let _ = write!(san, "{}", self.which_of_them(role, from, to));
        } else if takes {
            san.push(file_letter(from));
        }
        if takes {
            san.push('x');
        }
        let _ = write!(san, "{to}");
        if let Some(role) = promotion {
            let _ = write!(san, "={}", role.letter());
        }
        san
    }

    /// What tells this piece from others of its kind that could go to the same square: nothing,
    /// its file, its rank, or both, the first that is enough.
    fn which_of_them(&self, role: Role, from: Square, to: Square) -> String {
        let others: Vec<Square> = (self.by_piece(self.turn(), role) - Bitboard::of(from))
            .into_iter()
            .filter(|&other| self.is_legal(Ply::quiet(other, to)))
            .collect();
        let full = from.to_string();
        if others.is_empty() {
            String::new()
        } else if others.iter().all(|other| other.file() != from.file()) {
            full[..1].to_owned()
        } else if others.iter().all(|other| other.rank() != from.rank()) {
            full[1..].to_owned()
        } else {
            full
        }
    }

    fn find_move(&self, san: &San) -> Result<Ply, ParsePlyError> {
        let fits = |square: &Square| {
            san.from_file.is_none_or(|file| file == square.file())
                && san.from_rank.is_none_or(|rank| rank == square.rank())
        };
        let mut found = None;
        let mut refusal = None;
        for from in self
            .by_piece(self.turn(), san.role)
            .into_iter()
            .filter(fits)
        {
            let ply = Ply::Move {
                from,
                to: san.to,
                promotion: san.promotion,
            };
            // Castling has a notation of its own; as a plain king's move it is out of reach.
            let castles = san.role == Role::King && from.file().abs_diff(san.to.file()) > 1;
            let verdict = if castles {
                Err(IllegalPly::PieceCannotReach)
            } else {
                self.check_legal(ply)
            };
            match verdict {
                Ok(()) if found.is_some() => return Err(ParsePlyError::Ambiguous),
                Ok(()) => found = Some(ply),
                // Of several pieces, the one that could get there says more than one that could not.
                Err(reason) if reason != IllegalPly::PieceCannotReach => refusal = Some(reason),
                Err(reason) => refusal = refusal.or(Some(reason)),
            }
        }
        match (found, refusal) {
            (Some(ply), _) if san.takes && !self.takes(ply) => Err(ParsePlyError::NothingToTake),
            (Some(ply), _) => Ok(ply),
            (None, Some(reason)) => Err(reason.into()),
            (None, None) => Err(ParsePlyError::NoSuchPiece),
        }
    }

    /// Whether a legal ply takes something.
    fn takes(&self, ply: Ply) -> bool {
        match ply {
            Ply::Drop { .. } => false,
            Ply::Move { from, to, .. } => {
                self.occupied().contains(to)
                    || self.role_at(from) == Some(Role::Pawn) && from.file() != to.file()
            }
        }
    }
}

impl Plan {
    /// Reads a premove in SAN or UCI, as [`Position::parse_ply`] does a legal ply.
    ///
    /// # Errors
    ///
    /// When the text says no ply, not which one, or one that no piece of the player could ever play.
    pub fn parse_ply(&self, text: &str) -> Result<Ply, ParsePlyError> {
        let possible = |ply: Ply| {
            if self.plies(ply.origin(), ply.to()).contains(&ply) {
                Ok(ply)
            } else {
                Err(IllegalPly::PieceCannotReach.into())
            }
        };
        if let Ok(ply) = text.parse::<Ply>() {
            return possible(ply);
        }
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        if let Some(wing) = castling_wing(text) {
            let color = self.color();
            return possible(Ply::quiet(Wing::king_from(color), wing.king_to(color)));
        }
        if let Some((letter, square)) = text.split_once('@') {
            return possible(read_drop(letter, square).ok_or(ParsePlyError::Unreadable)?);
        }
        let san = read_move(text).ok_or(ParsePlyError::Unreadable)?;
        // A pawn that takes names its file, so that one without goes straight ahead.
        let straight = san.role == Role::Pawn && san.from_file.is_none();
        let mut plies = Square::all()
            .filter(|from| {
                self.role_at(*from) == Some(san.role)
                    && san.from_file.is_none_or(|file| file == from.file())
                    && san.from_rank.is_none_or(|rank| rank == from.rank())
                    && (!straight || from.file() == san.to.file())
            })
            .flat_map(|from| self.plies(Origin::Square(from), san.to))
            .filter(
                |ply| matches!(ply, Ply::Move { promotion, .. } if *promotion == san.promotion),
            );
        match (plies.next(), plies.next()) {
            (None, _) => Err(IllegalPly::PieceCannotReach.into()),
            (Some(ply), None) => Ok(ply),
            (Some(_), Some(_)) => Err(ParsePlyError::Ambiguous),
        }
    }
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file())
}

fn castling_wing(text: &str) -> Option<Wing> {
    match text {
        "O-O" | "0-0" | "o-o" => Some(Wing::King),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(Wing::Queen),
        _ => None,
    }
}

fn read_drop(letter: &str, square: &str) -> Option<Ply> {
    let mut letters = letter.chars();
    let role = match letters.next() {
        Some(letter) => Role::from_letter(letter)?,
        None => Role::Pawn,
    };
    if letters.next().is_some() || role == Role::King {
        return None;
    }
    Some(Ply::Drop {
        role,
        to: square.parse().ok()?,
    })
}

/// Reads from the end, because the target square is what every move has.
fn read_move(text: &str) -> Option<San> {
    if !text.is_ascii() {
        return None;
    }
    let (rest, promotion) = read_promotion(text)?;
    let (rest, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to = to.parse().ok()?;
    let (rest, takes) = match rest.strip_suffix('x') {
        Some(rest) => (rest, true),
        None => (rest.strip_suffix('-').unwrap_or(rest), false),
    };
    let (role, rest) = match rest.chars().next() {
        Some(letter @ ('P' | 'N' | 'B' | 'R' | 'Q' | 'K')) => {
            (Role::from_letter(letter)?, &rest[1..])
        }
        _ => (Role::Pawn, rest),
    };
    let (from_file, from_rank) = match *rest.as_bytes() {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    Some(San {
        role,
        from_file,
        from_rank,
        takes,
        to,
        promotion,
    })
}

/// Splits off `=Q`, `/Q`, `(Q)`, or `Q` alone.
fn read_promotion(text: &str) -> Option<(&str, Option<Role>)> {
    if let Some((rest, letter)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        let mut letters = letter.chars();
        let role = letters.next().and_then(Role::from_letter)?;
        return letters.next().is_none().then_some((rest, Some(role)));
    }
    let letter = text.chars().next_back()?;
    if !letter.is_ascii_uppercase() {
        return Some((text, None));
    }
    let role = Role::from_letter(letter)?;
    let rest = &text[..text.len() - 1];
    Some((rest.strip_suffix(['=', '/']).unwrap_or(rest), Some(role)))
}
