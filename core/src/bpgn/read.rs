//! Reads a record, ply by ply.

use super::scan::{Scanner, Token};
use super::{
    BpgnError, BpgnReason, Record, RecordedPly, RecordedResult, Unreadable, clean_comment,
    read_clock,
};
use crate::bughouse::Match;
use crate::options::Rules;
use crate::seat::{BoardId, Seat};

/// Reads one record; what is known so far is in `record`.
pub(super) struct Reader<'a> {
    scanner: Scanner<'a>,
    record: Record,
    /// Whether the boards at the start are known: once all tags are read.
    started: bool,
    /// The lines of the tags that say what the boards are at the start.
    start_lines: Vec<(String, usize)>,
    /// Whether the last ply's clock was read, or an empty comment said that there is none.
    clock_known: bool,
    /// Whether the comment read last was empty.
    empty_comment: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Reader<'a> {
        Reader {
            scanner: Scanner::new(text),
            record: Record::new(Match::new(Rules::default())),
            started: false,
            start_lines: Vec::new(),
            clock_known: false,
            empty_comment: false,
        }
    }

    pub(super) fn read(mut self) -> Result<Record, Unreadable> {
        match self.read_all() {
            Ok(()) => Ok(self.record),
            Err(error) => Err(Unreadable {
                error,
                readable: Box::new(self.readable()),
            }),
        }
    }

    /// What could be read, as a record that is sound in itself.
    fn readable(mut self) -> Record {
        if !self.started && self.start().is_err() {
            self.record
                .tags
                .retain(|(name, _)| !matches!(name.as_str(), "FEN" | "Drops" | "Promotion"));
        }
        self.record.result = self.tagged_result().unwrap_or(RecordedResult::Unknown);
        self.record
    }

    fn read_all(&mut self) -> Result<(), BpgnError> {
        loop {
            match self.next()? {
                None => return self.end_of_text(),
                Some(Token::Tag(name, value)) => self.tag(name, value)?,
                Some(Token::Comment(text)) => self.comment(text),
                Some(Token::Word(word)) => {
                    self.start()?;
                    match RecordedResult::from_text(word) {
                        Some(result) => return self.finish(result),
                        None => self.ply(word)?,
                    }
                }
            }
        }
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
        if self.started {
            return Err(self.error(BpgnReason::LateTag));
        }
        self.start_lines
            .push((name.to_owned(), self.scanner.line()));
        self.record.tags.push((name.to_owned(), value));
        Ok(())
    }

    /// Sets up the boards, once all tags are known: the rules are needed to read a FEN.
    fn start(&mut self) -> Result<(), BpgnError> {
        if self.started {
            return Ok(());
        }
        let start = starting_boards(&self.record).map_err(|(tag, reason)| {
            let line = self.start_lines.iter().find(|(name, _)| name == tag);
            BpgnError {
                line: line.map_or_else(|| self.scanner.line(), |&(_, line)| line),
                ply: 0,
                reason,
            }
        })?;
        self.started = true;
        self.record.start = start;
        self.record.last = start;
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let text = clean_comment(text);
        self.empty_comment = text.is_none();
        match (self.record.plies.last_mut(), text) {
            (Some(_), None) => self.clock_known = true,
            (Some(last), Some(text)) => match read_clock(&text) {
                Some(clock) if !self.clock_known => {
                    last.clock_ms = Some(clock);
                    self.clock_known = true;
                }
                _ => last.comments.push(text),
            },
            (None, Some(text)) => self.record.comments.push(text),
            (None, None) => {}
        }
    }

    /// Reads a ply from the word with its number, such as `1A.` or `1A.e4`.
    fn ply(&mut self, word: &'a str) -> Result<(), BpgnError> {
        let index = self.record.plies.len() + 1;
        let Some((number, seat, rest)) = read_number(word) else {
            return Err(self.error_at(index, BpgnReason::MoveNumber(word.to_owned())));
        };
        let mut text = rest;
        while text.is_empty() {
            text = match self.next()? {
                Some(Token::Word(word)) if RecordedResult::from_text(word).is_none() => {
                    word.trim_start_matches('.')
                }
                _ => return Err(self.error_at(index, BpgnReason::MissingMove)),
            };
        }
        let board = seat.board();
        let position = self.record.last.position(board);
        if position.turn() != seat.color() {
            return Err(self.error_at(index, BpgnReason::NotOnTurn(seat)));
        }
        let expected = position.fullmove_number();
        if number != expected && number != self.number_from_one(board) {
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
        self.record.last.play_unchecked(board, ply);
        self.record.plies.push(RecordedPly {
            seat,
            ply,
            clock_ms: None,
            comments: Vec::new(),
        });
        self.clock_known = false;
        Ok(())
    }

    /// The number of the next move on a board for those who count from 1 whatever the FEN says.
    fn number_from_one(&self, board: BoardId) -> u16 {
        let start = self.record.start.position(board).fullmove_number();
        let now = self.record.last.position(board).fullmove_number();
        now.saturating_sub(start).saturating_add(1)
    }

    fn tagged_result(&self) -> Option<RecordedResult> {
        self.record
            .tag("Result")
            .and_then(RecordedResult::from_text)
    }

    /// Some servers leave out the result where a tag has said it.
    fn end_of_text(&mut self) -> Result<(), BpgnError> {
        self.start()?;
        match self.tagged_result() {
            Some(result) => {
                self.set_result(result);
                Ok(())
            }
            None => Err(self.error(BpgnReason::MissingResult)),
        }
    }

    fn finish(&mut self, result: RecordedResult) -> Result<(), BpgnError> {
        if self.tagged_result().is_some_and(|tag| tag != result) {
            return Err(self.error(BpgnReason::ResultMismatch));
        }
        self.set_result(result);
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(self.error(BpgnReason::AfterResult)),
        }
    }

    fn set_result(&mut self, result: RecordedResult) {
        self.record.result = result;
        if !self.empty_comment {
            self.record.end_comment = match self.record.plies.last_mut() {
                Some(last) => last.comments.pop(),
                None => self.record.comments.pop(),
            };
        }
    }
}

/// The boards that the tags say, or which tag is wrong.
fn starting_boards(record: &Record) -> Result<Match, (&'static str, BpgnReason)> {
    let mut rules = Rules::default();
    if let Some(text) = record.tag("Drops") {
        rules.drops = text
            .parse()
            .map_err(|error| ("Drops", BpgnReason::Option(error)))?;
    }
    if let Some(text) = record.tag("Promotion") {
        rules.promotion = text
            .parse()
            .map_err(|error| ("Promotion", BpgnReason::Option(error)))?;
    }
    match record.tag("FEN") {
        Some(fens) => {
            Match::from_fens_lenient(fens, rules).map_err(|error| ("FEN", BpgnReason::Start(error)))
        }
        None => Ok(Match::new(rules)),
    }
}

/// The letter of a seat in the numbers of moves.
pub(super) const fn seat_letter(seat: Seat) -> char {
    match seat {
        Seat::AWhite => 'A',
        Seat::ABlack => 'a',
        Seat::BWhite => 'B',
        Seat::BBlack => 'b',
    }
}

/// `12b.e4` is 12, Black on B, `e4`; the move may be missing, and the point where nothing follows.
fn read_number(word: &str) -> Option<(u16, Seat, &str)> {
    let (head, rest) = word.split_once('.').unwrap_or((word, ""));
    let (number, letter) = head.split_at_checked(head.len().checked_sub(1)?)?;
    let letter = letter.chars().next()?;
    let seat = Seat::ALL
        .into_iter()
        .find(|&seat| seat_letter(seat) == letter)?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| number.parse().ok())??;
    Some((number, seat, rest.trim_start_matches('.')))
}
