//! FEN as other programs write it.

use super::{
    FenError, check_en_passant, check_pieces, read_castling_right, read_hands, read_number,
    read_placement,
};
use crate::options::Rules;
use crate::piece::Color;
use crate::position::Position;

impl Position {
    /// Reads a position from a text that other programs or people have written.
    ///
    /// What is taken beyond [`from_fen`](Position::from_fen):
    ///
    /// - the hand behind a ninth `/` instead of in brackets, `[-]` for an empty one, a space before
    ///   the bracket;
    /// - counts of empty squares in several digits, such as `44` for a whole rank;
    /// - fields that are missing at the end: White to move, no castling, no en passant square,
    ///   clock 0, move 1; the move number alone may be missing, too;
    /// - `W` and `B` for the turn, `_` for a space, a `~` where it says nothing;
    /// - rights to castle and en passant squares that cannot be, which are left out;
    /// - a clock or move number that is no number, taken as 0 or 1.
    ///
    /// # Errors
    ///
    /// What no reading makes a legal position, see [`FenError`].
    ///
    /// ```
    /// use tandem_core::{Position, Rules};
    ///
    /// let position = Position::from_fen_lenient("4k3/8/8/8/8/8/8/4K3/QNp W KQ", Rules::default())?;
    /// assert_eq!(position.to_fen(), "4k3/8/8/8/8/8/8/4K3[QNp] w - - 0 1");
    /// # Ok::<(), tandem_core::fen::FenError>(())
    /// ```
    pub fn from_fen_lenient(text: &str, rules: Rules) -> Result<Position, FenError> {
        let (placement, hand, rest) = split_board(text)?;
        let mut fields = rest.split(is_space).filter(|field| !field.is_empty());
        let mut position = Position::empty(rules);
        read_placement(&mut position, &joined(placement)?)?;
        if hand != "-" {
            position.hands = read_hands(hand)?;
        }
        position.turn = match fields.next() {
            None | Some("w" | "W") => Color::White,
            Some("b" | "B") => Color::Black,
            Some(_) => return Err(FenError::Turn),
        };
        check_pieces(&position)?;
        for letter in fields.next().unwrap_or("-").chars() {
            if !"KQkq-".contains(letter) {
                return Err(FenError::Castling);
            }
            // A right that cannot be, or that is there already, is left out.
            let _ = read_castling_right(&mut position, letter);
        }
        let en_passant = fields.next().unwrap_or("-");
        if en_passant != "-" {
            let square = en_passant.parse().map_err(|_| FenError::EnPassant)?;
            position.en_passant = check_en_passant(&position, square).ok().map(|()| square);
        }
        let mut number = || fields.next().and_then(read_number);
        position.halfmove_clock = number().unwrap_or(0);
        position.fullmove_number = number().filter(|&number| number > 0).unwrap_or(1);
        match fields.next() {
            Some(_) => Err(FenError::FieldCount),
            None => Ok(position),
        }
    }
}

fn is_space(character: char) -> bool {
    character.is_whitespace() || character == '_'
}

/// Placement, hand and all other fields.
fn split_board(text: &str) -> Result<(&str, &str, &str), FenError> {
    let text = text.trim_matches(is_space);
    if let Some((placement, rest)) = text.split_once('[') {
        let (hand, rest) = rest.split_once(']').ok_or(FenError::HandBrackets)?;
        return Ok((
            placement.trim_end_matches(is_space),
            hand.trim_matches(is_space),
            rest,
        ));
    }
    let (board, rest) = text.split_once(is_space).unwrap_or((text, ""));
    match board.match_indices('/').nth(7) {
        Some((end, _)) => Ok((&board[..end], &board[end + 1..], rest)),
        None => Ok((board, "", rest)),
    }
}

/// The placement with several digits in a row added up, and without a `~` behind a pawn, a king or
/// nothing.
fn joined(placement: &str) -> Result<String, FenError> {
    if placement.split('/').count() != 8 {
        return Err(FenError::RankCount);
    }
    let mut rows = Vec::new();
    for (row, number) in placement.split('/').zip((1..=8u8).rev()) {
        rows.push(joined_row(row).ok_or(FenError::RankLength { rank: number })?);
    }
    Ok(rows.join("/"))
}

/// One rank of it, or nothing when the digits make more than a rank.
fn joined_row(row: &str) -> Option<String> {
    let mut joined = String::with_capacity(8);
    let mut empty = 0;
    for character in row.chars() {
        if let Some(digit) = character.to_digit(10) {
            empty += digit;
            if empty > 8 {
                return None;
            }
            continue;
        }
        if empty > 0 {
            joined.push(char::from_digit(empty, 10)?);
            empty = 0;
        }
        let marks_nothing = character == '~' && !joined.ends_with(|c: char| "NBRQnbrq".contains(c));
        if !marks_nothing {
            joined.push(character);
        }
    }
    if empty > 0 {
        joined.push(char::from_digit(empty, 10)?);
    }
    Some(joined)
}
