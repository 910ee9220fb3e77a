//! What is said at a table: three streams with numbers of their own, apart from the public events,
//! so that nobody can see even gaps of what is not for them.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::event::{Event, Millis, PlayerId};
use crate::Seat;
use crate::tell::{Channel, Words};

/// How many lines of a channel are remembered for those who come back.
pub const LINES_KEPT: usize = 200;

/// How many lines one person may say within [`FLOOD_MS`].
pub const FLOOD_LINES: usize = 12;

/// The time in which [`FLOOD_LINES`] lines may be said, in milliseconds.
pub const FLOOD_MS: Millis = 10_000;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Speaker {
    /// A person.
    Person(PlayerId),
    /// The computer at this seat.
    Bot(Seat),
}

/// One utterance as it was heard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// When, in table time.
    pub at: Millis,
    /// Who said it.
    pub speaker: Speaker,
    /// What.
    pub words: Words,
}

/// Lines of one channel that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// On which channel.
    pub channel: Channel,
    /// Nothing between this number and the first line is for this listener any more; whoever has
    /// less than this number has missed something.
    pub after: u32,
    /// The number of the first line; the others follow without gap.
    pub first: u32,
    /// The lines, oldest first.
    pub lines: Vec<Line>,
}

impl Lines {
    /// The number of the last line; that before the first, if there are none.
    pub fn newest(&self) -> u32 {
        let count = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        (self.first - 1).saturating_add(count)
    }
}

/// How many lines of each channel somebody has, by the index of the channel: the number of the
/// newest one.
pub type Heard = [u32; 3];

/// What partners said belongs to one match and one pair of teams.
pub(super) fn forget_with(talk: &mut [Stream; 3], event: &Event) {
    if let Event::Started | Event::LobbyOpened | Event::RematchAgreed(_) = event {
        talk[Channel::TeamOne.index()].clear();
        talk[Channel::TeamTwo.index()].clear();
    }
}

/// One channel: numbered lines, the newest [`LINES_KEPT`] of them remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stream {
    last: u32,
    lines: VecDeque<Line>,
}

impl Stream {
    /// The number of the newest line, or zero when none is remembered.
    pub(super) fn last(&self) -> u32 {
        if self.lines.is_empty() { 0 } else { self.last }
    }

    pub(super) fn say(&mut self, line: Line) {
        self.last = self.last.saturating_add(1);
        if self.lines.len() == LINES_KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    /// Forgets the lines; the numbers go on.
    fn clear(&mut self) {
        self.lines.clear();
    }

    /// Takes in lines that were said elsewhere, with their numbers.
    pub(super) fn append(&mut self, lines: Lines) {
        for (number, line) in (lines.first..).zip(lines.lines) {
            if number > self.last {
                self.last = number - 1;
                self.say(line);
            }
        }
    }

    /// The lines after number `heard` that are still remembered.
    pub(super) fn since(&self, channel: Channel, heard: u32) -> Option<Lines> {
        let kept = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        let oldest = self.last.saturating_sub(kept);
        // Somebody who claims to have heard more than was said has heard nothing of it.
        let heard = if heard > self.last { 0 } else { heard };
        let from = heard.max(oldest);
        (from < self.last).then(|| Lines {
            channel,
            after: heard,
            first: from + 1,
            lines: self
                .lines
                .iter()
                .skip((from - oldest) as usize)
                .cloned()
                .collect(),
        })
    }
}
