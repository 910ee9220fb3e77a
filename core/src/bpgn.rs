//! Whole matches as text: BPGN, one list of the plies of both boards in the order they happened.
//!
//! `1A. e4{58.3}` is White's first move on board A with 58.3 seconds left, `1a.` Black's answer
//! there, `1B.` and `1b.` are those on board B. Tags in front say who played and how it ended.

use thiserror::Error;

use crate::bughouse::{Match, MatchFenError};
use crate::options::Rules;
use crate::ply::Ply;
use crate::san::ParsePlyError;
use crate::seat::Seat;

mod scan;

use scan::{Scanner, Token};

/// A match as it was written down, every ply checked for legality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The tags in their order, such as `("WhiteA", "player-one")`.
    pub tags: Vec<(String, String)>,
    /// The boards before the first ply: the standard ones, or those of the tag `FEN`.
    pub start: Match,
    /// Comments before the first ply.
    pub comments: Vec<String>,
    /// The plies of both boards in the order they happened.
    pub plies: Vec<RecordedPly>,
    /// The comment before the result, which usually says how the match ended.
    pub end_comment: Option<String>,
    /// How it ended.
    pub result: RecordedResult,
}

/// One ply of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPly {
    /// Who played it.
    pub seat: Seat,
    /// What was played.
    pub ply: Ply,
    /// What the mover's clock showed afterwards, in milliseconds, if that was written.
    pub clock_ms: Option<u32>,
    /// Other comments after the ply.
    pub comments: Vec<String>,
}

/// The result tag of a record, from the view of White on board A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedResult {
    /// `1-0`: team 1 won.
    TeamOne,
    /// `0-1`: team 2 won.
    TeamTwo,
    /// `1/2-1/2`: a draw.
    Draw,
    /// `*`: not finished, or unknown.
    Unknown,
}

impl RecordedResult {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            RecordedResult::TeamOne => "1-0",
            RecordedResult::TeamTwo => "0-1",
            RecordedResult::Draw => "1/2-1/2",
            RecordedResult::Unknown => "*",
        }
    }

    fn from_text(text: &str) -> Option<RecordedResult> {
        [
            RecordedResult::TeamOne,
            RecordedResult::TeamTwo,
            RecordedResult::Draw,
            RecordedResult::Unknown,
        ]
        .into_iter()
        .find(|result| result.as_str() == text)
    }
}

/// Where and why a text is no record of a match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, ply {ply}: {reason}")]
pub struct BpgnError {
    /// The line of the text, counted from 1.
    pub line: usize,
    /// The ply being read, counted from 1 over both boards; 0 before the first.
    pub ply: usize,
    /// What is wrong there.
    pub reason: BpgnReason,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BpgnReason {
    /// A bracket of a tag does not hold a name and a quoted value.
    #[error("a tag must be written [Name \"value\"]")]
    Tag,
    /// A tag after the first ply.
    #[error("a tag stands among the moves")]
    LateTag,
    /// The tag `FEN` holds no pair of boards.
    #[error("tag FEN: {0}")]
    Start(MatchFenError),
    /// A comment without its closing brace.
    #[error("a comment is not closed")]
    OpenComment,
    /// A word where the number of a move must be.
    #[error("{0:?} is no number of a move such as 1A. or 1b.")]
    MoveNumber(String),
    /// The player named is not to move on that board.
    #[error("{0} is not to move")]
    NotOnTurn(Seat),
    /// The number is not the one that comes next on that board.
    #[error("move {found} of {seat} should be move {expected}")]
    WrongNumber {
        /// Whose move it is.
        seat: Seat,
        /// The number in the text.
        found: u16,
        /// The number it should have.
        expected: u16,
    },
    /// The number of a move with no move after it.
    #[error("the move is missing")]
    MissingMove,
    /// The move cannot be read or played.
    #[error("{text}: {reason}")]
    Move {
        /// The move in the text.
        text: String,
        /// What is wrong with it.
        reason: ParsePlyError,
    },
    /// The text ends without a result.
    #[error("the result is missing (1-0, 0-1, 1/2-1/2 or *)")]
    MissingResult,
    /// The result after the moves is not the one in the tag.
    #[error("the result differs from the one in the tag")]
    ResultMismatch,
    /// Something follows the result.
    #[error("something follows the result")]
    AfterResult,
}

impl Record {
    /// Reads one match and plays through it.
    ///
    /// Clocks and comments are kept; the values of other systems' annotations, such as `$1`,
    /// are skipped.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its line and ply.
    ///
    /// ```
    /// use tandem_core::{Rules, bpgn::Record};
    ///
    /// let record = Record::read("[WhiteA \"Ann\"] 1B. e4{58.5} 1A. d4 {time} 1-0", Rules::default())?;
    /// assert_eq!(record.tag("WhiteA"), Some("Ann"));
    /// assert_eq!(record.plies[0].clock_ms, Some(58_500));
    /// assert_eq!(record.end_comment.as_deref(), Some("time"));
    /// # Ok::<(), tandem_core::bpgn::BpgnError>(())
    /// ```
    pub fn read(text: &str, rules: Rules) -> Result<Record, BpgnError> {
        Reader::new(text, rules).read()
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The boards after the last ply.
    #[must_use]
    pub fn last(&self) -> Match {
        let mut game = self.start;
        for recorded in &self.plies {
            game.play_unchecked(recorded.seat.board(), recorded.ply);
        }
        game
    }
}

/// Reads one record; what is known so far is in `record`.
struct Reader<'a> {
    scanner: Scanner<'a>,
    rules: Rules,
    record: Record,
    game: Match,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, rules: Rules) -> Reader<'a> {
        let start = Match::new(rules);
        Reader {
            scanner: Scanner::new(text),
            rules,
            record: Record {
                tags: Vec::new(),
                start,
                comments: Vec::new(),
                plies: Vec::new(),
                end_comment: None,
                result: RecordedResult::Unknown,
            },
            game: start,
        }
    }

    fn read(mut self) -> Result<Record, BpgnError> {
        loop {
            match self.next()? {
                None => return Err(self.error(BpgnReason::MissingResult)),
                Some(Token::Tag(name, value)) => self.tag(name, value)?,
                Some(Token::Comment(text)) => self.comment(text),
                Some(Token::Word(word)) => match RecordedResult::from_text(word) {
                    Some(result) => break self.finish(result)?,
                    None => self.ply(word)?,
                },
            }
        }
        Ok(self.record)
    }

    fn next(&mut self) -> Result<Option<Token<'a>>, BpgnError> {
        self.scanner.next().map_err(|reason| self.error(reason))
    }

    /// An error at the ply read last.
    fn error(&self, reason: BpgnReason) -> BpgnError {
        self.error_at(self.record.plies.len(), reason)
    }

    fn error_at(&self, ply: usize, reason: BpgnReason) -> BpgnError {
        BpgnError {
            line: self.scanner.line(),
            ply,
            reason,
        }
    }

    fn tag(&mut self, name: &str, value: String) -> Result<(), BpgnError> {
        if !self.record.plies.is_empty() {
            return Err(self.error(BpgnReason::LateTag));
        }
        if name == "FEN" {
            let start = Match::from_fens(&value, self.rules)
                .map_err(|error| self.error(BpgnReason::Start(error)))?;
            self.record.start = start;
            self.game = start;
        }
        self.record.tags.push((name.to_owned(), value));
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        match self.record.plies.last_mut() {
            Some(last) => match read_clock(text) {
                Some(clock) if last.clock_ms.is_none() => last.clock_ms = Some(clock),
                _ => last.comments.push(text.to_owned()),
            },
            None => self.record.comments.push(text.to_owned()),
        }
    }

    /// Reads a ply from the word with its number, such as `1A.` or `1A.e4`.
    fn ply(&mut self, word: &'a str) -> Result<(), BpgnError> {
        let index = self.record.plies.len() + 1;
        let Some((number, seat, rest)) = read_number(word) else {
            return Err(self.error_at(index, BpgnReason::MoveNumber(word.to_owned())));
        };
        let text = if rest.is_empty() {
            match self.next()? {
                Some(Token::Word(text)) if RecordedResult::from_text(text).is_none() => text,
                _ => return Err(self.error_at(index, BpgnReason::MissingMove)),
            }
        } else {
            rest
        };
        let position = self.game.position(seat.board());
        if position.turn() != seat.color() {
            return Err(self.error_at(index, BpgnReason::NotOnTurn(seat)));
        }
        let expected = position.fullmove_number();
        if number != expected {
            let found = number;
            let reason = BpgnReason::WrongNumber {
                seat,
                found,
                expected,
            };
            return Err(self.error_at(index, reason));
        }
        let ply = position.parse_ply(text).map_err(|reason| {
            let text = text.to_owned();
            self.error_at(index, BpgnReason::Move { text, reason })
        })?;
        self.game.play_unchecked(seat.board(), ply);
        self.record.plies.push(RecordedPly {
            seat,
            ply,
            clock_ms: None,
            comments: Vec::new(),
        });
        Ok(())
    }

    fn finish(&mut self, result: RecordedResult) -> Result<(), BpgnError> {
        let tag = self.record.tag("Result");
        if tag
            .and_then(RecordedResult::from_text)
            .is_some_and(|tag| tag != result)
        {
            return Err(self.error(BpgnReason::ResultMismatch));
        }
        self.record.result = result;
        self.record.end_comment = match self.record.plies.last_mut() {
            Some(last) => last.comments.pop(),
            None => self.record.comments.pop(),
        };
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(self.error(BpgnReason::AfterResult)),
        }
    }
}

/// `12b.e4` is 12, Black on B, `e4`; the move may be missing.
fn read_number(word: &str) -> Option<(u16, Seat, &str)> {
    let (head, rest) = word.split_once('.')?;
    let (number, letter) = head.split_at_checked(head.len().checked_sub(1)?)?;
    let seat = match letter {
        "A" => Seat::AWhite,
        "a" => Seat::ABlack,
        "B" => Seat::BWhite,
        "b" => Seat::BBlack,
        _ => return None,
    };
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| number.parse().ok())??;
    Some((number, seat, rest))
}

/// Reads `58.345`, `9`, `2:03.5` or `1:00:00` as milliseconds. More than three decimals are cut.
fn read_clock(text: &str) -> Option<u32> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    if !is_number(decimals) {
        return None;
    }
    let mut seconds = 0u32;
    for (place, part) in whole.split(':').enumerate() {
        if place > 2 || !is_number(part) {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let thousandths = decimals
        .bytes()
        .chain([b'0'; 3])
        .take(3)
        .fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    seconds.checked_mul(1_000)?.checked_add(thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_exactly() {
        assert_eq!(read_clock("58.345"), Some(58_345));
        assert_eq!(read_clock("59.9"), Some(59_900));
        assert_eq!(read_clock("0.0004"), Some(0));
        assert_eq!(read_clock("9"), Some(9_000));
        assert_eq!(read_clock("2:03.5"), Some(123_500));
        assert_eq!(read_clock("1:00:00"), Some(3_600_000));
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "1:",
            "-1",
            "+1",
            "1.2.3",
            "C: hello",
            "99999999999",
        ] {
            assert_eq!(read_clock(text), None, "{text}");
        }
        assert_eq!(read_clock("4294967.296"), None);
    }
}
