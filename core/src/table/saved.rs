//! A table put away, and taken up again.

use serde::{Deserialize, Serialize};

use super::authority::Table;
use super::event::{Event, PauseReason, Stamped};
use super::people::Person;
use super::state::{Inconsistent, Phase, State};
use super::talk::{Heard, Lines, Stream, forget_with};
use crate::tell::Channel;

/// All that outlives the authority of a table: the public state and what was said. Who is connected,
/// and with which lag, belongs to lines that are gone.
///
/// By default, an empty table at table time zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    state: State,
    talk: [Stream; 3],
    clocks_optional: bool,
    bots_may_sit: bool,
}

impl Saved {
    /// The public state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The number of the newest line of each channel.
    pub fn heard(&self) -> Heard {
        [0, 1, 2].map(|channel| self.talk[channel].last())
    }

    /// Takes in what happened after the table was saved, event by event.
    ///
    /// # Errors
    /// When it is not the next event of this table.
    pub fn apply(&mut self, stamped: &Stamped) -> Result<(), Inconsistent> {
        forget_with(&mut self.talk, &stamped.event);
        self.state.apply(stamped)
    }

    /// Takes in what was said after the table was saved.
    pub fn hear(&mut self, lines: Lines) {
        self.talk[lines.channel.index()].append(lines);
    }
}

impl Table {
    /// All that was said after `heard`, whoever may hear it: for the record, and for nobody's eyes.
    pub fn spoken_since(&self, heard: Heard) -> impl Iterator<Item = Lines> {
        Channel::ALL.into_iter().filter_map(move |channel| {
            self.talk[channel.index()].since(channel, heard[channel.index()])
        })
    }

    /// What is needed to [restore](Table::restore) the table.
    pub fn save(&self) -> Saved {
        Saved {
            state: self.state.clone(),
            talk: self.talk.clone(),
            clocks_optional: self.clocks_optional,
            bots_may_sit: self.bots_may_sit,
        }
    }

    /// The table as it was when it was saved. Its time goes on from [`State::at`], so that what lies
    /// in between is charged to nobody. Everybody is away; a match is paused until they are back, and
    /// a countdown is called off.
    #[must_use]
    pub fn restore(saved: Saved) -> Table {
        let mut table = Table::new();
        let now = saved.state.at();
        table.people = saved
            .state
            .players()
            .iter()
            .map(|player| Person::new(player.id, now))
            .collect();
        table.state = saved.state;
        table.talk = saved.talk;
        table.clocks_optional = saved.clocks_optional;
        table.house.public_list = !saved.clocks_optional;
        table.bots_may_sit = saved.bots_may_sit;
        match table.state.phase() {
            Phase::Playing => table.emit(now, Event::Paused(PauseReason::RelayRestarted)),
            Phase::Countdown { .. } => table.emit(now, Event::CountdownCancelled),
            Phase::Lobby | Phase::Ended => {}
        }
        let match_time = table.state.game().map_or(0, |game| game.match_time(now));
        for person in &mut table.people {
            person.leave_line(now, match_time);
        }
        table
    }
}
