//! What happens at a table goes on record before anybody is told. While that fails nothing is told:
//! play stands still, and nobody can lose what the record does not have.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tandem_core::TableCode;
use tandem_core::protocol::{CommandId, ServerMessage, Token};
use tandem_core::table::{Event, Heard, Millis, PauseReason, PlayerId, Seq, Stamped, Table};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;
use tokio::time::Instant;

use super::TableTask;
use crate::archive::Archive;
use crate::journal::{Base, Step, TableLog};
use crate::line::frame;
use crate::seat_token::People;

/// How long after a failure the record is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// The record of one table, and what is owed to it.
#[derive(Debug, Default)]
pub(crate) struct Record {
    log: Option<TableLog>,
    /// Where matches that are over are kept, by the code of this table.
    archive: Option<(Arc<Archive>, TableCode)>,
    /// The newest event and lines of talk that are on record.
    seq: Seq,
    heard: Heard,
    /// What has happened besides.
    owed: Step,
    /// When to try again; while there is such a time, the table is stuck.
    try_at: Option<Instant>,
}

impl Record {
    /// The record of a new table.
    pub(crate) fn new(log: Option<TableLog>, archive: Option<(Arc<Archive>, TableCode)>) -> Record {
        Record {
            log,
            archive,
            ..Record::default()
        }
    }

    /// A record to which is added what happens after `base`.
    pub(super) fn after(self, base: &Base) -> Record {
        Record {
            seq: base.saved.state().seq(),
            heard: base.saved.heard(),
            ..self
        }
    }

    pub(super) fn is_stuck(&self) -> bool {
        self.try_at.is_some()
    }

    pub(super) fn try_at(&self) -> Option<Instant> {
        self.try_at
    }

    pub(super) fn joined(&mut self, player: PlayerId, token: Token) {
        self.owed.joined.push((player, token));
    }

    pub(super) fn session(&mut self, player: PlayerId, session: u32, next: CommandId) {
        self.owed.session = Some((player, session, next));
    }

    pub(super) fn done(&mut self, player: PlayerId, id: CommandId) {
        self.owed.done = Some((player, id));
    }

    /// The table is no more.
    pub(super) fn remove(self) {
        if let Some(log) = self.log {
            log.remove();
        }
    }

    /// Writes what is new; says whether there was anything.
    fn write(&mut self, table: &Table, people: &People) -> io::Result<bool> {
        let Some(log) = &mut self.log else {
            self.owed = Step::default();
            return Ok(false);
        };
        let mut step = Step {
            events: table
                .events_since(self.seq)
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
            lines: table.spoken_since(self.heard).collect(),
            ..self.owed.clone()
        };
        if step.is_empty() {
            return Ok(false);
        }
        step.barred = step
            .events
            .iter()
            .filter_map(|stamped| match stamped.event {
                Event::Left {
                    player,
                    removed: true,
                } => people.token(player),
                _ => None,
            })
            .collect();
        log.write(&step)?;
        self.owed = Step::default();
        let over = |stamped: &Stamped| matches!(stamped.event, Event::Ended(_));
        if step.events.iter().any(over)
            && let (Some((archive, code)), Some(game)) = (&self.archive, table.state().game())
            && let Err(error) = archive.keep(*code, game)
        {
            tracing::error!("a match that is over cannot be kept: {error}");
        }
        self.seq = table.state().seq();
        for lines in &step.lines {
            self.heard[lines.channel.index()] = lines.newest();
        }
        if log.has_grown()
            && let Err(error) = aside(|| {
                log.compact(&Base {
                    saved: table.save(),
                    people: people.seated(),
                    barred: people.barred(),
                })
            })
        {
            tracing::warn!("the record of a table cannot be written anew: {error}");
        }
        Ok(true)
    }
}

/// Does what waits for the disk, so that no other table waits with it.
fn aside<T>(act: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(act),
        _ => act(),
    }
}

impl TableTask {
    /// Puts on record what has happened. `false` if that cannot be done: then nothing may be told.
    pub(super) fn record(&mut self, now: Millis) -> bool {
        if self.record.try_at.is_some_and(|at| at > Instant::now()) {
            return false;
        }
        let began = std::time::Instant::now();
        let written = self.record.write(&self.table, &self.people);
        if let Ok(true) = written {
            self.metrics.journal(began.elapsed());
        }
        let was_stuck = self.record.is_stuck();
        match written {
            Ok(_) => {
                self.record.try_at = None;
                if was_stuck {
                    tracing::warn!("the journal can be written again: play goes on");
                    self.tell_stuck(false);
                    self.table.unblock(now);
                    // What follows from that belongs on record too.
                    return self.record(now);
                }
                true
            }
            Err(error) => {
                self.record.try_at = Some(Instant::now() + TRY_AGAIN);
                if !was_stuck {
                    tracing::error!("the journal cannot be written, so play stands still: {error}");
                    // The clocks stop here, whenever that comes on record.
                    self.table.pause(now, PauseReason::DiskFull);
                    self.tell_stuck(true);
                }
                false
            }
        }
    }

    fn tell_stuck(&mut self, stuck: bool) {
        let frame = frame(&ServerMessage::Stuck(stuck));
        for (_, attached) in self.people.attached() {
            attached.send(frame.clone());
        }
    }
}
