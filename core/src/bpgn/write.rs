//! Writes a record in the layout that chess servers give it: a line for each tag, a line for each
//! comment in front, all plies in one line, and the result.

use core::fmt::{Formatter, Result, Write as _};

use super::clock_text::{clock, read_clock};
use super::{Record, RecordedPly};

pub(super) fn record(record: &Record, f: &mut Formatter<'_>) -> Result {
    tags(record, f)?;
    for comment in &record.comments {
        writeln!(f, "{{{comment}}}")?;
    }
    if record.plies.is_empty() && record.end_comment.is_none() && !record.comments.is_empty() {
        // Else the last comment in front would be read as the one before the result.
        f.write_str("{} ")?;
    }
    plies(record, f)?;
    if let Some(comment) = &record.end_comment {
        write!(f, "{{{comment}}} ")?;
    }
    f.write_str(record.result.as_str())
}

/// One tag a line; a rating stands beside its player.
fn tags(record: &Record, f: &mut Formatter<'_>) -> Result {
    let mut tags = record.tags.iter().peekable();
    while let Some((name, value)) = tags.next() {
        write!(f, "[{name} \"")?;
        for character in value.chars() {
            if matches!(character, '"' | '\\') {
                f.write_char('\\')?;
            }
            f.write_char(character)?;
        }
        f.write_str("\"]")?;
        let rating = tags
            .peek()
            .and_then(|(next, _)| next.strip_prefix(name.as_str()));
        if rating != Some("Elo") {
            f.write_char('\n')?;
        }
    }
    Ok(())
}

/// All plies, and a line end after them.
fn plies(record: &Record, f: &mut Formatter<'_>) -> Result {
    let mut game = record.start;
    let mut left = record.plies.as_slice();
    while let [recorded, rest @ ..] = left {
        let board = recorded.seat.board();
        let position = game.position(board);
        let letter = super::read::seat_letter(recorded.seat);
        write!(f, "{}{letter}. ", position.fullmove_number())?;
        f.write_str(&position.san(recorded.ply))?;
        let end_comment = rest.is_empty().then(|| record.end_comment()).flatten();
        comments(recorded, end_comment, rest.is_empty(), f)?;
        game.play_unchecked(board, recorded.ply);
        f.write_char(if rest.is_empty() { '\n' } else { ' ' })?;
        left = rest;
    }
    Ok(())
}

/// The clock and the comments after a ply. An empty comment stands where the next one would be
/// taken for what it is not: for the clock, or for the comment before the result.
fn comments(
    recorded: &RecordedPly,
    end_comment: Option<&str>,
    is_last: bool,
    f: &mut Formatter<'_>,
) -> Result {
    let mut all = recorded.comments.iter().map(String::as_str);
    match recorded.clock_ms {
        Some(ms) => write!(f, "{{{}}}", clock(ms))?,
        None if all.clone().chain(end_comment).any(is_clock) => f.write_str("{}")?,
        None => {}
    }
    all.try_for_each(|comment| write!(f, "{{{comment}}}"))?;
    if is_last && end_comment.is_none() && !recorded.comments.is_empty() {
        f.write_str("{}")?;
    }
    Ok(())
}

fn is_clock(comment: &str) -> bool {
    read_clock(comment).is_some()
}
