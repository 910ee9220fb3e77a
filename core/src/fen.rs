//! Positions as text: FEN in its crazyhouse form.
//!
//! `placement[hand] turn castling en-passant halfmove-clock move-number`: the hand in brackets
//! holds upper-case letters for White and lower-case ones for Black, `~` follows a promoted
//! piece, and the en passant square is written after every double step.

use core::fmt::Write as _;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::bitboard::Bitboard;
use crate::options::Rules;
use crate::piece::{Color, Hand, Piece, Role};
use crate::position::{Position, Wing, behind};
use crate::square::Square;

mod lenient;

/// The most pieces one hand may hold in a FEN: two sets of chess have 64 pieces.
pub const HAND_LIMIT: u16 = 64;

/// What is wrong with a FEN. Every message begins with the field concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// Not six fields separated by spaces.
    #[error(
        "a FEN has six fields: placement with hand, turn, castling, en passant square, \
         half-move clock, move number"
    )]
    FieldCount,
    /// The placement has not eight ranks.
    #[error("placement: there must be eight ranks")]
    RankCount,
    /// A rank has not eight squares.
    #[error("placement: rank {rank} does not have eight squares")]
    RankLength {
        /// The rank, from 1 to 8.
        rank: u8,
    },
    /// A character that is neither a piece nor a count of empty squares.
    #[error("placement: unexpected {found:?} on rank {rank}")]
    UnexpectedInPlacement {
        /// The character.
        found: char,
        /// The rank, from 1 to 8.
        rank: u8,
    },
    /// A `~` that does not follow a knight, bishop, rook or queen.
    #[error("placement: on rank {rank} a ~ marks something that is no promoted piece")]
    MisplacedTilde {
        /// The rank, from 1 to 8.
        rank: u8,
    },
    /// A colour that has not exactly one king.
    #[error("placement: {color} has {count} kings instead of one")]
    KingCount {
        /// The colour.
        color: Color,
        /// How many it has.
        count: u32,
    },
    /// A pawn on rank 1 or 8.
    #[error("placement: a pawn stands on {square}")]
    PawnOnBackRank {
        /// The pawn's square.
        square: Square,
    },
    /// The king of the side that has just moved could be taken.
    #[error("placement: {color} is in check, but it is the other side's turn")]
    OpponentInCheck {
        /// The colour of that king.
        color: Color,
    },
    /// The bracket after the placement is not closed, or something follows it.
    #[error("hand: the pieces must stand in one pair of brackets after the placement")]
    HandBrackets,
    /// A letter that is no piece a hand can hold.
    #[error("hand: unexpected {found:?}")]
    UnexpectedInHand {
        /// The character.
        found: char,
    },
    /// More pieces in a hand than there are.
    #[error("hand: {color} holds more than {HAND_LIMIT} pieces")]
    HandTooFull {
        /// Whose hand.
        color: Color,
    },
    /// The turn is neither `w` nor `b`.
    #[error("turn: must be w or b")]
    Turn,
    /// The castling field is no set of `KQkq`.
    #[error("castling: must be - or some of KQkq, each once")]
    Castling,
    /// A right to castle without the king on its square.
    #[error("castling: the king of {color} does not stand on {square}")]
    CastlingWithoutKing {
        /// The colour.
        color: Color,
        /// Where its king would have to be.
        square: Square,
    },
    /// A right to castle without an original rook on its square.
    #[error("castling: no original rook of {color} stands on {square}")]
    CastlingWithoutRook {
        /// The colour.
        color: Color,
        /// Where its rook would have to be.
        square: Square,
    },
    /// The en passant field is no square.
    #[error("en passant square: must be - or a square")]
    EnPassant,
    /// No pawn can just have passed the en passant square.
    #[error("en passant square: no pawn can just have passed {square}")]
    ImpossibleEnPassant {
        /// The square.
        square: Square,
    },
    /// The half-move clock is no number.
    #[error("half-move clock: must be a whole number up to 65535")]
    HalfmoveClock,
    /// The move number is no number.
    #[error("move number: must be a whole number from 1 to 65535")]
    MoveNumber,
}

/// The parts of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FenField {
    /// Where the pieces stand.
    Placement,
    /// What is in hand.
    Hand,
    /// Who is to move.
    Turn,
    /// Who may castle where.
    Castling,
    /// The square a pawn has just passed.
    EnPassant,
    /// Plies since the last capture, pawn move or drop.
    HalfmoveClock,
    /// The number of the move.
    MoveNumber,
}

impl FenError {
    /// The field that is wrong; none when there are too few fields or too many.
    #[must_use]
    pub const fn field(&self) -> Option<FenField> {
        Some(match self {
            FenError::FieldCount => return None,
            FenError::RankCount
            | FenError::RankLength { .. }
            | FenError::UnexpectedInPlacement { .. }
            | FenError::MisplacedTilde { .. }
            | FenError::KingCount { .. }
            | FenError::PawnOnBackRank { .. }
            | FenError::OpponentInCheck { .. } => FenField::Placement,
            FenError::HandBrackets
            | FenError::UnexpectedInHand { .. }
            | FenError::HandTooFull { .. } => FenField::Hand,
            FenError::Turn => FenField::Turn,
            FenError::Castling
            | FenError::CastlingWithoutKing { .. }
            | FenError::CastlingWithoutRook { .. } => FenField::Castling,
            FenError::EnPassant | FenError::ImpossibleEnPassant { .. } => FenField::EnPassant,
            FenError::HalfmoveClock => FenField::HalfmoveClock,
            FenError::MoveNumber => FenField::MoveNumber,
        })
    }
}

impl Position {
    /// Reads a position. A missing bracket means empty hands.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with the text or with the position it describes: see
    /// [`FenError`]. Nothing is repaired silently.
    ///
    /// ```
    /// use tandem_core::{Position, Rules};
    ///
    /// let fen = "4k3/8/8/3pP3/8/8/8/4K3[QNp] w - d6 0 9";
    /// let position = Position::from_fen(fen, Rules::default())?;
    /// assert_eq!(position.to_fen(), fen);
    /// # Ok::<(), tandem_core::fen::FenError>(())
    /// ```
    pub fn from_fen(text: &str, rules: Rules) -> Result<Position, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut next = || fields.next().ok_or(FenError::FieldCount);
        let [board, turn, castling, en_passant, halfmoves, number] =
            [next()?, next()?, next()?, next()?, next()?, next()?];
        if fields.next().is_some() {
            return Err(FenError::FieldCount);
        }

        let mut position = Position::empty(rules);
        let (placement, hand) = match board.split_once('[') {
            Some((placement, hand)) => (
                placement,
                hand.strip_suffix(']').ok_or(FenError::HandBrackets)?,
            ),
            None => (board, ""),
        };
        read_placement(&mut position, placement)?;
        position.hands = read_hands(hand)?;
        position.turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::Turn),
        };
        check_pieces(&position)?;
        read_castling(&mut position, castling)?;
        if en_passant != "-" {
            let square = en_passant.parse().map_err(|_| FenError::EnPassant)?;
            check_en_passant(&position, square)?;
            position.en_passant = Some(square);
        }
        position.halfmove_clock = read_number(halfmoves).ok_or(FenError::HalfmoveClock)?;
        position.fullmove_number = read_number(number)
            .filter(|&number| number > 0)
            .ok_or(FenError::MoveNumber)?;
        Ok(position)
    }

    /// Writes the position.
    #[must_use]
    pub fn to_fen(&self) -> String {
        let mut fen = String::with_capacity(96);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for square in Bitboard::rank(rank) {
                let Some(piece) = self.piece_at(square) else {
                    empty += 1;
                    continue;
                };
                push_count(&mut fen, &mut empty);
                fen.push(piece.letter());
                if self.is_promoted(square) {
                    fen.push('~');
                }
            }
            push_count(&mut fen, &mut empty);
            if rank > 0 {
                fen.push('/');
            }
        }
        fen.push('[');
        for color in Color::ALL {
            for role in Role::HAND.into_iter().rev() {
                let letter = Piece::new(color, role).letter();
                fen.extend((0..self.hand(color).count(role)).map(|_| letter));
            }
        }
        let en_passant = self
            .en_passant
            .map_or_else(|| "-".to_owned(), |square| square.to_string());
        // Writing to a string cannot fail.
        let _ = write!(
            fen,
            "] {} {} {en_passant} {} {}",
            self.turn.letter(),
            self.castling,
            self.halfmove_clock,
            self.fullmove_number
        );
        fen
    }
}

/// A count of empty squares in front of a piece or of the end of a rank.
fn push_count(fen: &mut String, empty: &mut u8) {
    if *empty > 0 {
        fen.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

fn read_placement(position: &mut Position, text: &str) -> Result<(), FenError> {
    if text.split('/').count() != 8 {
        return Err(FenError::RankCount);
    }
    for (row, number) in text.split('/').zip((1..=8u8).rev()) {
        read_rank(position, row, number)?;
    }
    Ok(())
}

fn read_rank(position: &mut Position, row: &str, rank: u8) -> Result<(), FenError> {
    let mut file = 0u8;
    let mut after_digit = false;
    // The square a `~` would mark.
    let mut promotable = None;
    for found in row.chars() {
        let unexpected = FenError::UnexpectedInPlacement { found, rank };
        if found == '~' {
            let square: Square = promotable.take().ok_or(FenError::MisplacedTilde { rank })?;
            position.promoted |= square.into();
        } else if let '1'..='8' = found {
            if after_digit {
                return Err(unexpected);
            }
            promotable = None;
            // At most 7 + 8, as the file is compared at the end of each turn.
            file += found as u8 - b'0';
        } else {
            let piece = Piece::from_letter(found).ok_or(unexpected)?;
            let square =
                Square::from_coords(file, rank - 1).ok_or(FenError::RankLength { rank })?;
            position.put(square, piece.color, piece.role);
            promotable = piece.role.is_promotion().then_some(square);
            file += 1;
        }
        after_digit = found.is_ascii_digit();
        if file > 8 {
            return Err(FenError::RankLength { rank });
        }
    }
    if file == 8 {
        Ok(())
    } else {
        Err(FenError::RankLength { rank })
    }
}

fn read_hands(text: &str) -> Result<[Hand; 2], FenError> {
    let mut hands = [Hand::EMPTY; 2];
    for found in text.chars() {
        let piece = match found {
            '[' | ']' => return Err(FenError::HandBrackets),
            _ => Piece::from_letter(found).filter(|piece| piece.role != Role::King),
        };
        let Piece { color, role } = piece.ok_or(FenError::UnexpectedInHand { found })?;
        let hand = &mut hands[color.index()];
        if hand.total() == HAND_LIMIT {
            return Err(FenError::HandTooFull { color });
        }
        hand.add(role);
    }
    Ok(hands)
}

/// The demands on a position that concern the pieces alone.
fn check_pieces(position: &Position) -> Result<(), FenError> {
    for color in Color::ALL {
        let count = position.by_piece(color, Role::King).len();
        if count != 1 {
            return Err(FenError::KingCount { color, count });
        }
    }
    let misplaced = position.by_role(Role::Pawn) & Bitboard::BACK_RANKS;
    if let Some(square) = misplaced.first() {
        return Err(FenError::PawnOnBackRank { square });
    }
    let waiting = !position.turn;
    let king = position.king_square(waiting);
    let attackers = position.attackers(king, position.turn, position.occupied());
    if attackers.is_empty() {
        Ok(())
    } else {
        Err(FenError::OpponentInCheck { color: waiting })
    }
}

fn read_castling(position: &mut Position, text: &str) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    text.chars()
        .try_for_each(|letter| read_castling_right(position, letter))
}

/// Adds one right to castle.
fn read_castling_right(position: &mut Position, letter: char) -> Result<(), FenError> {
    let (color, wing) = match letter {
        'K' => (Color::White, Wing::King),
        'Q' => (Color::White, Wing::Queen),
        'k' => (Color::Black, Wing::King),
        'q' => (Color::Black, Wing::Queen),
        _ => return Err(FenError::Castling),
    };
    let square = Wing::king_from(color);
    if position.king_square(color) != square {
        return Err(FenError::CastlingWithoutKing { color, square });
    }
    let square = wing.rook_from(color);
    let rooks = position.by_piece(color, Role::Rook) - position.promoted;
    if !rooks.contains(square) {
        return Err(FenError::CastlingWithoutRook { color, square });
    }
    if position.castling.insert(color, wing) {
        Ok(())
    } else {
        Err(FenError::Castling)
    }
}

/// A pawn of the side that has just moved stands in front of the square, seen from where it came;
/// the square itself and the one behind it are empty.
fn check_en_passant(position: &Position, square: Square) -> Result<(), FenError> {
    let mover = !position.turn;
    let (passed, came_from) = match mover {
        Color::White => (2, 1),
        Color::Black => (5, 6),
    };
    let pawn = behind(square);
    let possible = square.rank() == passed
        && position.by_piece(mover, Role::Pawn).contains(pawn)
        && !position.occupied().contains(square)
        && Square::from_coords(square.file(), came_from)
            .is_some_and(|origin| !position.occupied().contains(origin));
    if possible {
        Ok(())
    } else {
        Err(FenError::ImpossibleEnPassant { square })
    }
}

/// A number in plain digits; `str::parse` alone would also take a plus sign.
fn read_number(text: &str) -> Option<u16> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

/// As FEN and rules.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.to_fen(), self.rules).serialize(serializer)
    }
}

/// Refuses what [`Position::from_fen`] refuses.
impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        let (fen, rules) = <(String, Rules)>::deserialize(deserializer)?;
        Position::from_fen(&fen, rules).map_err(D::Error::custom)
    }
}
