//! The task of one table. It alone touches the table: everything comes through its mailbox, in one
//! order, and leaves through the queues of the lines.
//!
//! What it does at each input: judge (core), put new events on record, encode them once, send them
//! to every line, then talk to those who may hear it, then the answer to the one who asked. Then the
//! bots of the table do what is due, in the same way.

mod bots;
mod record;
mod tell;

use std::sync::Arc;
use std::time::Duration;

use tandem_core::link::Arrival;
use tandem_core::protocol::{
    BEAT_MS, Close, CommandId, Have, Hello, Here, SILENCE_MS, ServerMessage,
};
use tandem_core::table::{Command, Millis, PauseReason, Refusal, Seq, Table};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use crate::config::Config;
use crate::journal::Base;
use crate::line::{Line, LineId};
use crate::metrics::Metrics;
use crate::open_tables::Place;
use crate::seat_token::{Attached, People};
use crate::stopped;

pub(crate) use record::Record;

pub(crate) use bots::TableBots;

/// What reaches a table.
#[derive(Debug)]
pub(crate) enum Input {
    /// A page says hello on a new line.
    Hello {
        /// What it said.
        hello: Box<Hello>,
        /// The way to it.
        line: Line,
    },
    /// A page asks for something.
    Command {
        /// On which line.
        from: LineId,
        /// Its number.
        id: CommandId,
        /// What is asked, or why that is refused unheard.
        command: Result<Command, Refusal>,
    },
    /// A page has heard the beat.
    Echo {
        /// On which line.
        from: LineId,
    },
    /// A page has missed something.
    Resync {
        /// On which line.
        from: LineId,
        /// What it has.
        have: Have,
    },
    /// A ping came back.
    Measured {
        /// On which line.
        from: LineId,
        /// After how long, in milliseconds.
        round_trip_ms: u32,
    },
    /// A line is cut.
    Gone {
        /// Which one.
        from: LineId,
    },
    /// The operator closes the table.
    Close,
    /// A fault in this table.
    #[cfg(test)]
    Fault,
}

/// With what a table begins.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    table: Table,
    people: People,
    record: Record,
}

impl Origin {
    /// A new table.
    pub(crate) fn new(record: Record) -> Origin {
        Origin {
            record,
            ..Origin::default()
        }
    }

    /// A table from the journal.
    pub(crate) fn restored(base: Base, record: Record) -> Origin {
        Origin {
            // On record is what was saved; the pause that begins with the restart is not yet.
            record: record.after(&base),
            table: Table::restore(base.saved),
            people: People::restored(base.people, base.barred),
        }
    }
}

/// What came of a command, for the line it came on.
struct Answer {
    to: LineId,
    id: CommandId,
    result: Result<(), Refusal>,
}

/// A table with its people, lines and time.
#[derive(Debug)]
pub(crate) struct TableTask {
    table: Table,
    people: People,
    bots: TableBots,
    record: Record,
    /// Where everybody can read of the table, if anywhere.
    place: Option<Place>,
    metrics: Arc<Metrics>,
    inputs: mpsc::Receiver<Input>,
    stopping: watch::Receiver<bool>,
    /// Names this run of event numbers, so that nobody takes another run's for these.
    epoch: u32,
    /// When the table was opened or taken up again, and what table time was then. The clock behind
    /// it never goes back.
    opened_at: Instant,
    time_then: Millis,
    /// Every line has been sent the events up to this one.
    told: Seq,
    /// Presence and lag as everyone was last told, and whether that may have changed.
    here: Vec<Here>,
    presence_changed: bool,
    /// When the next beat is due; none while nobody is connected.
    beat_at: Option<Instant>,
    /// Since when nobody has been connected.
    deserted_since: Option<Instant>,
    absence_grace_ms: Millis,
    forget_empty: Duration,
    forget_abandoned: Duration,
}

impl TableTask {
    pub(crate) fn new(
        config: &Arc<Config>,
        metrics: Arc<Metrics>,
        epoch: u32,
        bots: TableBots,
        origin: Origin,
        inputs: mpsc::Receiver<Input>,
        stopping: watch::Receiver<bool>,
    ) -> TableTask {
        let absence_grace_ms = millis(config.absence_grace);
        let opened_at = Instant::now();
        let Origin {
            table,
            people,
            record,
        } = origin;
        TableTask {
            time_then: table.state().at(),
            told: table.state().seq(),
            table: table
                .with_absence_grace(absence_grace_ms)
                .with_house_rules(config.house)
                .with_flood_lines(config.tells),
            people,
            bots,
            record,
            place: None,
            metrics,
            inputs,
            stopping,
            epoch,
            opened_at,
            here: Vec::new(),
            presence_changed: false,
            beat_at: None,
            deserted_since: Some(opened_at),
            absence_grace_ms,
            forget_empty: config.forget_empty,
            forget_abandoned: config.forget_abandoned,
        }
    }

    /// The same table with a place on the list for everybody.
    pub(crate) fn at(mut self, place: Place) -> TableTask {
        self.place = Some(place);
        self
    }

    /// Runs until the table is forgotten or the relay stops. It is boxed, or its place in the task would
    /// be taken twice: for what it is made of, and for what runs.
    pub(crate) async fn run(mut self: Box<Self>) {
        let timer = sleep_until(self.wake_at());
        tokio::pin!(timer);
        // Made once: to begin to wait for it takes a lock that all tables share.
        let mut stopping = self.stopping.clone();
        let stop = stopped(&mut stopping);
        tokio::pin!(stop);
        loop {
            let wake_at = self.wake_at();
            if timer.deadline() != wake_at {
                timer.as_mut().reset(wake_at);
            }
            tokio::select! {
                () = &mut stop => {
                    // The clocks stop here, and that is on record before anybody is sent away.
                    let now = self.now();
                    self.table.pause(now, PauseReason::RelayRestarted);
                    self.publish(now, None);
                    return self.close_all(Close::Restart);
                }
                input = self.inputs.recv() => match input {
                    Some(Input::Close) => {
                        self.close_all(Close::TableClosed);
                        return self.record.remove();
                    }
                    Some(input) => {
                        let began = std::time::Instant::now();
                        self.take(input);
                        self.metrics.input(self.inputs.len(), began.elapsed());
                    }
                    None => return,
                },
                answer = self.bots.answer() => self.bots.take(self.now(), &mut self.table, answer),
                () = &mut timer => self.wake(),
            }
            self.drive_bots();
            if self.forget_at().is_some_and(|at| at <= Instant::now()) {
                self.record.remove();
                return;
            }
        }
    }

    /// Table time now.
    fn now(&self) -> Millis {
        self.time_then + millis(self.opened_at.elapsed())
    }

    /// When it is that table time.
    fn instant(&self, at: Millis) -> Instant {
        self.opened_at + Duration::from_millis(at.saturating_sub(self.time_then))
    }

    fn take(&mut self, input: Input) {
        let now = self.now();
        match input {
            // What cannot be put on record is not begun; the page will ask again.
            Input::Hello { line, .. } if self.record.is_stuck() => line.close(Close::CannotSave),
            Input::Command { from, .. } | Input::Resync { from, .. } if self.record.is_stuck() => {
                self.alive(from);
            }
            Input::Hello { hello, line } => self.hello(now, *hello, line),
            Input::Command { from, id, command } => self.command(now, from, id, command),
            Input::Echo { from } => self.alive(from),
            Input::Resync { from, have } => {
                self.alive(from);
                self.catch_up(from, Some(have));
                self.publish(now, None);
            }
            Input::Measured {
                from,
                round_trip_ms,
            } => {
                if let Some(person) = self.people.by_line(from) {
                    self.table.measured(person.player, round_trip_ms);
                }
            }
            Input::Gone { from } => {
                // A retired line says nothing about its person.
                if let Some(person) = self.people.by_line(from) {
                    person.attached = None;
                    let player = person.player;
                    self.cut(now, player);
                    self.publish(now, None);
                }
            }
            // Ends the task, which sees to it.
            Input::Close => {}
            #[cfg(test)]
            Input::Fault => panic!("a fault was asked for"),
        }
    }

    fn hello(&mut self, now: Millis, hello: Hello, line: Line) {
        // Whoever has been away for too long is gone before being back.
        self.table.tick(now);
        self.publish(now, None);
        if self.people.is_barred(&hello.token) {
            return line.close(Close::Removed);
        }
        if let Some(person) = self.people.by_token(&hello.token) {
            if let Some(older) = person.attached.take() {
                let reason = if older.session == hello.session {
                    Close::Replaced
                } else {
                    Close::OpenedElsewhere
                };
                older.close(reason);
            }
            let player = person.player;
            self.table.connected(now, player);
        } else {
            match self.table.join(now, &hello.name) {
                Ok(player) => {
                    self.people.add(player, hello.token);
                    self.record.joined(player, hello.token);
                }
                Err(full) => {
                    tracing::debug!("{full}");
                    return line.close(Close::TableFull);
                }
            }
        }
        self.presence_changed = true;
        if let Some(person) = self.people.by_token(&hello.token) {
            person.inbox.hello(hello.session, hello.next_command);
            self.record
                .session(person.player, hello.session, hello.next_command);
        }
        // To the others first: the new line gets what there is by now in one piece.
        self.publish(now, None);
        if self.record.is_stuck() {
            return line.close(Close::CannotSave);
        }
        let Some(person) = self.people.by_token(&hello.token) else {
            return line.close(Close::Left);
        };
        let you = person.player;
        let from = line.id();
        person.attached = Some(Attached::new(line, hello.session));
        self.deserted_since = None;
        self.beat_at
            .get_or_insert_with(|| Instant::now() + Duration::from_millis(BEAT_MS));
        self.send(
            from,
            &ServerMessage::Welcome {
                you,
                epoch: self.epoch,
                now,
                absence_grace_ms: self.absence_grace_ms,
                house: self.table.house(),
            },
        );
        self.catch_up(from, hello.have);
        self.send(from, &ServerMessage::People(self.here.clone()));
        if let Some(person) = self.people.by_line(from)
            && let Some(attached) = &mut person.attached
        {
            attached.ping();
        }
        self.publish(now, None);
    }

    fn command(
        &mut self,
        now: Millis,
        from: LineId,
        id: CommandId,
        command: Result<Command, Refusal>,
    ) {
        self.alive(from);
        let Some(person) = self.people.by_line(from) else {
            return;
        };
        let result = match person.inbox.arrival(id) {
            Arrival::Next => {
                if let Ok(Command::AddBot(seat, _)) = command {
                    self.bots.make_room(&mut self.table, seat);
                }
                let player = person.player;
                let result = command.and_then(|it| self.table.handle(now, player, it));
                person.inbox.answered(id, result);
                if result.is_ok() {
                    self.record.done(player, id);
                }
                if let Err(refusal) = result {
                    self.metrics.refused(refusal);
                    let refused = self.table.refused();
                    tracing::debug!(player = player.0, refused, "refused: {refusal}");
                }
                result
            }
            Arrival::Repeated(result) => result,
            Arrival::OutOfOrder => return,
        };
        self.publish(
            now,
            Some(Answer {
                to: from,
                id,
                result,
            }),
        );
    }

    fn alive(&mut self, from: LineId) {
        if let Some(person) = self.people.by_line(from)
            && let Some(attached) = &mut person.attached
        {
            attached.alive_at = Instant::now();
        }
    }

    /// Does what time brings.
    fn wake(&mut self) {
        let now = self.now();
        let instant = Instant::now();
        if !self.record.is_stuck() {
            self.table.tick(now);
        }
        self.close_where(now, Close::Silent, |attached| {
            attached.alive_at + SILENCE <= instant
        });
        self.publish(now, None);
        if self.beat_at.is_some_and(|at| at <= instant) {
            self.beat(now);
            self.beat_at = Some(instant + Duration::from_millis(BEAT_MS));
            self.publish(now, None);
        }
    }

    /// Has the bots do what is due, and tells it.
    fn drive_bots(&mut self) {
        if self.record.is_stuck() {
            return;
        }
        let now = self.now();
        if self.bots.drive(now, &mut self.table) {
            self.publish(now, None);
        }
    }

    /// When something is to be done next, if nothing comes in.
    fn wake_at(&self) -> Instant {
        // Nothing falls due while play stands still.
        let stuck = self.record.is_stuck();
        let due = self
            .table
            .next_deadline()
            .filter(|_| !stuck)
            .map(|at| self.instant(at));
        let bots = self
            .bots
            .next_deadline(&self.table)
            .filter(|_| !stuck)
            .map(|at| self.instant(at));
        let again = self.bots.ask_again_at().filter(|_| !stuck);
        let record = self.record.try_at();
        let silent = self.people.most_silent().map(|at| at + SILENCE);
        let beat = self.beat_at;
        [due, bots, again, record, silent, beat, self.forget_at()]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or_else(|| Instant::now() + self.forget_abandoned)
    }

    fn forget_at(&self) -> Option<Instant> {
        let nobody = self.table.state().players().is_empty();
        let after = if nobody {
            self.forget_empty
        } else {
            self.forget_abandoned
        };
        Some(self.deserted_since? + after)
    }
}

const SILENCE: Duration = Duration::from_millis(SILENCE_MS);

fn millis(time: Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

#[cfg(test)]
mod tests;
