//! Whole matches as text: BPGN, one list of the plies of both boards in the order they happened.
//!
//! `1A. e4{58.3}` is White's first move on board A with 58.3 seconds left, `1a.` Black's answer
//! there, `1B.` and `1b.` are those on board B. Tags in front say who played and under which
//! options; the result stands at the end, often with a comment before it that says how it came.
//!
//! A [`Record`] is such a match, every ply checked for legality. It is written with
//! [`Display`](fmt::Display) and read with [`Record::read`]; both are exact: what is written is
//! read as the same record, and written again it is the same text.
//!
//! # What tags say
//!
//! | tag | what it says | written |
//! | --- | --- | --- |
//! | `WhiteA`, `BlackA`, `WhiteB`, `BlackB` | the names of the four | when known |
//! | `TimeControl` | `180+2`: seconds at the start, and for each ply; `-` without clocks | for a table's match |
//! | `Drops` | `any`, `no-mate` or `no-check` | unless `any` |
//! | `Promotion` | `choose` or `trickle` | unless `choose` |
//! | `Talk` | `on` or `off` | unless `on` |
//! | `FEN` | both boards at the start, `A-FEN \| B-FEN` | unless they are the standard ones |
//! | `Lag` | the lag of each ply in milliseconds | for a table's match |
//! | `Termination` | how it ended, see [`Record::ending`] | for a table's match that is over |
//! | `Result` | `1-0`, `0-1`, `1/2-1/2`, seen from White on board A | once it is over |

use core::fmt;

use thiserror::Error;

use crate::bughouse::{Match, MatchFenError};
use crate::options::{Options, ParseOptionError, Rules};
use crate::ply::Ply;
use crate::position::IllegalPly;
use crate::san::ParsePlyError;
use crate::seat::{BoardId, Seat, Team};

mod clock_text;
mod ending;
mod game;
mod read;
mod scan;
mod write;

pub use ending::Ending;

use clock_text::{read_clock, read_time_control};
use ending::read_ending;

/// The tags that follow from the rest of a record.
const DERIVED: [&str; 4] = ["FEN", "Drops", "Promotion", "Result"];

/// A match as it was written down, every ply of it legal.
///
/// ```
/// use tandem_core::bpgn::{Record, RecordedResult};
/// use tandem_core::{BoardId, Options};
///
/// let mut record = Record::of_table(&Options::default());
/// record.set_tag("WhiteA", "Ann")?;
/// record.push(BoardId::B, "e2e4".parse()?, Some(178_500))?;
/// record.push(BoardId::A, "g1f3".parse()?, Some(177_000))?;
/// record.comment("quick");
/// record.finish(RecordedResult::TeamTwo, Some("Ann resigns"));
///
/// let text = "[TimeControl \"180+0\"]\n[WhiteA \"Ann\"]\n[Result \"0-1\"]\n\
///             1B. e4{178.5} 1A. Nf3{177}{quick}\n{Ann resigns} 0-1";
/// assert_eq!(record.to_string(), text);
/// assert_eq!(Record::read(text)?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    tags: Vec<(String, String)>,
    start: Match,
    comments: Vec<String>,
    plies: Vec<RecordedPly>,
    end_comment: Option<String>,
    result: RecordedResult,
    /// The boards after the last ply.
    last: Match,
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
    /// Other comments after the ply, in their order.
    pub comments: Vec<String>,
}

/// The result of a record, from the view of White on board A.
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
    /// Every result.
    pub const ALL: [RecordedResult; 4] = [
        RecordedResult::TeamOne,
        RecordedResult::TeamTwo,
        RecordedResult::Draw,
        RecordedResult::Unknown,
    ];

    /// The result of a match that is over.
    #[must_use]
    pub const fn of_winner(winner: Option<Team>) -> RecordedResult {
        match winner {
            Some(Team::One) => RecordedResult::TeamOne,
            Some(Team::Two) => RecordedResult::TeamTwo,
            None => RecordedResult::Draw,
        }
    }

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
        RecordedResult::ALL
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

/// A text that could not be read to its end, and what could be read before.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{error}")]
pub struct Unreadable {
    /// Where and why.
    pub error: BpgnError,
    /// Everything before that place. Its result is that of the tag, if there is one.
    pub readable: Box<Record>,
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
    /// The tag `Drops` or `Promotion` has an unknown value, so nobody knows which plies are legal.
    #[error("tag of an option: {0}")]
    Option(ParseOptionError),
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
    /// The text ends without a result, and no tag says one.
    #[error("the result is missing (1-0, 0-1, 1/2-1/2 or *)")]
    MissingResult,
    /// The result after the moves is not the one in the tag.
    #[error("the result differs from the one in the tag")]
    ResultMismatch,
    /// Something follows the result.
    #[error("something follows the result")]
    AfterResult,
}

/// Why a tag cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TagError {
    /// A name is made of letters, digits and `_`.
    #[error("the name of a tag is made of letters a to z, digits and _")]
    Name,
    /// The tag follows from the rest of the record.
    #[error("this tag follows from the match itself")]
    Derived,
}

impl Record {
    /// A record without plies that begins with these boards. Tags say so where they are not the
    /// standard ones under the default rules.
    #[must_use]
    pub fn new(start: Match) -> Record {
        let mut tags = Vec::new();
        let mut tag = |name: &str, value: String| tags.push((name.to_owned(), value));
        let rules = start.rules();
        if rules.drops != Rules::default().drops {
            tag("Drops", rules.drops.to_string());
        }
        if rules.promotion != Rules::default().promotion {
            tag("Promotion", rules.promotion.to_string());
        }
        if start.to_fens() != Match::new(rules).to_fens() {
            tag("FEN", start.to_fens());
        }
        // The text says neither how many plies came before, nor other rules for each board.
        let [a, mut b] = BoardId::ALL.map(|board| *start.position(board));
        b.rules = rules;
        let start = Match::from_positions(a, b);
        Record {
            tags,
            start,
            comments: Vec::new(),
            plies: Vec::new(),
            end_comment: None,
            result: RecordedResult::Unknown,
            last: start,
        }
    }

    /// A record without plies of a match with these options, which it keeps in tags.
    #[must_use]
    pub fn of_table(options: &Options) -> Record {
        let mut record = Record::new(Match::new(options.rules));
        let control = clock_text::time_control(options.base_ms, options.increment_ms);
        record.tags.insert(0, ("TimeControl".to_owned(), control));
        if !options.talk {
            record.tags.push(("Talk".to_owned(), "off".to_owned()));
        }
        record
    }

    /// Reads one match and plays through it. The rules are those of the tags, else the default.
    ///
    /// Other systems' texts are read too: any line ends and spacing, missing tags, moves in SAN
    /// or UCI, drops as `P@e4`, `p@e4` or `@e4`; a FEN is read leniently. Annotations such as
    /// `$1` are skipped.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its line and ply, and everything read before it.
    ///
    /// ```
    /// use tandem_core::bpgn::Record;
    ///
    /// let record = Record::read("[WhiteA \"Ann\"] 1B. e4{58.5} 1A. d4 {time} 1-0")?;
    /// assert_eq!(record.tag("WhiteA"), Some("Ann"));
    /// assert_eq!(record.plies()[0].clock_ms, Some(58_500));
    /// assert_eq!(record.end_comment(), Some("time"));
    ///
    /// let unreadable = Record::read("1A. e4\n1a. Qh1 *").unwrap_err();
    /// assert_eq!((unreadable.error.line, unreadable.error.ply), (2, 2));
    /// assert_eq!(unreadable.readable.plies().len(), 1);
    /// # Ok::<(), tandem_core::bpgn::Unreadable>(())
    /// ```
    pub fn read(text: &str) -> Result<Record, Unreadable> {
        read::Reader::new(text).read()
    }

    /// Adds a tag, or changes it. Line ends and other control characters become spaces.
    ///
    /// # Errors
    ///
    /// When that is no name, or the tag is one of `FEN`, `Drops`, `Promotion` and `Result`.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if name.is_empty() || !name.bytes().all(scan::is_in_tag_name) {
            return Err(TagError::Name);
        }
        if DERIVED.contains(&name) {
            return Err(TagError::Derived);
        }
        let value = value.replace(char::is_control, " ");
        self.put_tag(name, value);
        Ok(())
    }

    fn put_tag(&mut self, name: &str, value: String) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Adds a ply, with what the mover's clock shows afterwards in milliseconds.
    ///
    /// # Errors
    ///
    /// Why the ply is illegal; the record is then unchanged.
    pub fn push(
        &mut self,
        board: BoardId,
        ply: Ply,
        clock_ms: Option<u32>,
    ) -> Result<(), IllegalPly> {
        let played = self.last.play(board, ply)?;
        self.plies.push(RecordedPly {
            seat: played.seat,
            ply,
            clock_ms,
            comments: Vec::new(),
        });
        Ok(())
    }

    /// Adds a comment after the last ply, or before the first. Spaces and line ends become single
    /// spaces, a closing brace becomes a parenthesis, and nothing at all is no comment.
    pub fn comment(&mut self, text: &str) {
        if let Some(text) = clean_comment(text) {
            match self.plies.last_mut() {
                Some(last) => last.comments.push(text),
                None => self.comments.push(text),
            }
        }
    }

    /// Sets the result, in a tag as well, and the comment that stands before it.
    pub fn finish(&mut self, result: RecordedResult, comment: Option<&str>) {
        self.result = result;
        self.end_comment = comment.and_then(clean_comment);
        self.put_tag("Result", result.as_str().to_owned());
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The tags in their order, such as `("WhiteA", "player-one")`.
    #[must_use]
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// The boards before the first ply: the standard ones, or those of the tag `FEN`.
    #[must_use]
    pub fn start(&self) -> &Match {
        &self.start
    }

    /// The boards after the last ply.
    #[must_use]
    pub fn last(&self) -> &Match {
        &self.last
    }

    /// Comments before the first ply.
    #[must_use]
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// The plies of both boards in the order they happened.
    #[must_use]
    pub fn plies(&self) -> &[RecordedPly] {
        &self.plies
    }

    /// The comment before the result, which usually says how the match ended.
    #[must_use]
    pub fn end_comment(&self) -> Option<&str> {
        self.end_comment.as_deref()
    }

    /// The result.
    #[must_use]
    pub fn result(&self) -> RecordedResult {
        self.result
    }

    /// The options of the table. What no tag says is the default.
    #[must_use]
    pub fn options(&self) -> Options {
        let (base_ms, increment_ms) = self
            .tag("TimeControl")
            .and_then(read_time_control)
            .unwrap_or((Options::default().base_ms, Options::default().increment_ms));
        Options {
            base_ms,
            increment_ms,
            rules: self.start.rules(),
            talk: self.tag("Talk") != Some("off"),
        }
    }

    /// The lag of each ply in milliseconds, from the tag `Lag`; shorter than the plies when some
    /// are not known, empty when it is no list of whole numbers.
    #[must_use]
    pub fn lag_ms(&self) -> Vec<u32> {
        let numbers = self.tag("Lag").unwrap_or_default().split_whitespace();
        numbers
            .map(str::parse)
            .collect::<Result<_, _>>()
            .unwrap_or_default()
    }

    /// How the match ended, from the tag `Termination` or the comment before the result, in the
    /// words of this program or those of the chess servers.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let tag = self.tag("Termination").and_then(read_ending);
        tag.or_else(|| self.end_comment().and_then(read_ending))
    }
}

/// A comment as a record keeps it; nothing when there is nothing in it.
fn clean_comment(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    (!words.is_empty()).then(|| words.join(" ").replace('}', ")"))
}

impl fmt::Display for Record {
    /// Writes the whole match as BPGN, without a line end after the result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write::record(self, f)
    }
}
