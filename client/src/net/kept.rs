//! What is kept of a match against the computer: the table itself, so that it survives a reload, and
//! what was chosen last.
//!
//! One page is in charge of the kept match. Whichever opened it last writes its mark; any other sees
//! that and writes nothing more.

use tandem_core::bot::Level;
use tandem_core::protocol::{VERSION, decode, encode};
use tandem_core::table::{Phase, PlayerId, Saved, Table};
use tandem_core::{Options, Seat};

use crate::platform::{random, sealed, storage};

// A table is kept with the protocol's version: its state goes over the wire in the same bytes, and a
// change of those is a change of the version.
const MATCH: &str = "tandem.solo.match";
const PAGE: &str = "tandem.solo.page";
const CHOICES: &str = "tandem.solo.choices";

/// Whether a storage event about this key may mean that another page has taken over.
pub fn is_mark(key: Option<&str>) -> bool {
    // No key at all: everything was removed.
    key.is_none_or(|key| key == PAGE)
}

/// What is chosen before a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Where the reader plays.
    pub seat: Seat,
    /// How well the three bots play.
    pub level: Level,
    /// The clock and the rules.
    pub options: Options,
}

impl Choices {
    /// The choices of the last time.
    pub fn remembered() -> Self {
        let first = Self {
            seat: Seat::AWhite,
            level: Level::MIN,
            options: Options {
                base_ms: 5 * 60_000,
                ..Options::default()
            },
        };
        let kept = storage::get(CHOICES).and_then(|text| sealed::open(&text));
        kept.and_then(|bytes| decode::<(Seat, Level, Options)>(&bytes).ok())
            .map_or(first, |(seat, level, options)| Self {
                seat,
                level,
                options,
            })
    }

    /// Remembers them for the next time.
    pub fn remember(&self) {
        let bytes = encode(&(self.seat, self.level, self.options));
        storage::set(CHOICES, &sealed::seal(&bytes));
    }
}

/// A match that was put away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Which person of the table the reader is.
    pub me: PlayerId,
    /// The table.
    pub saved: Saved,
}

/// What was found where a match is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// No match.
    Nothing,
    /// Something that cannot be read: it is damaged, or of another version.
    Unreadable,
    /// A match.
    Match(Box<Kept>),
}

/// Looks for the kept match.
pub fn find() -> Found {
    let Some(text) = storage::get(MATCH) else {
        return Found::Nothing;
    };
    let kept = sealed::open(&text).and_then(|bytes| decode::<(u16, PlayerId, Saved)>(&bytes).ok());
    match kept {
        Some((VERSION, me, saved)) => Found::Match(Box::new(Kept { me, saved })),
        _ => Found::Unreadable,
    }
}

/// Whether a match is kept that has not ended.
pub fn in_progress() -> bool {
    match find() {
        Found::Match(kept) => kept.saved.state().phase() == Phase::Playing,
        Found::Nothing | Found::Unreadable => false,
    }
}

/// Removes the kept match.
pub fn forget() {
    storage::remove(MATCH);
}

/// The right of one page to keep its match.
#[derive(Debug)]
pub struct Keeper {
    mark: String,
    /// Whether the browser stores anything at all.
    works: bool,
}

impl Keeper {
    /// Takes charge, from whichever page it was before.
    pub fn take_charge() -> Self {
        let mark = sealed::seal(&random::bytes::<8>());
        storage::set(PAGE, &mark);
        let works = storage::get(PAGE).as_deref() == Some(&mark);
        Self { mark, works }
    }

    /// Whether no other page has taken charge since.
    pub fn in_charge(&self) -> bool {
        !self.works || storage::get(PAGE).is_none_or(|mark| mark == self.mark)
    }

    /// Keeps the match as it is now. To be called only [in charge](Keeper::in_charge).
    pub fn keep(&self, me: PlayerId, table: &Table) {
        if self.works {
            storage::set(MATCH, &sealed::seal(&encode(&(VERSION, me, table.save()))));
        }
    }
}
