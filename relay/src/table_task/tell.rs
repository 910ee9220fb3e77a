//! What a table says to its lines: events, talk, answers, presence and signs of life.

use bytes::Bytes;
use tandem_core::protocol::{Close, Have, Here, ServerMessage};
use tandem_core::table::{Event, Millis, PlayerId, Table};
use tokio::time::Instant;

use super::{Answer, TableTask};
use crate::line::{LineId, frame};
use crate::seat_token::Attached;

impl TableTask {
    /// Sends what that page has not: events if they are kept, else everything; and talk.
    pub(super) fn catch_up(&mut self, to: LineId, have: Option<Have>) {
        let have = have.filter(|have| have.epoch == self.epoch);
        // Number zero says that the page has no state to apply events to.
        let since = have.map(|have| have.seq).filter(|&seq| seq > 0);
        let missed = since.and_then(|seq| {
            let events: Vec<_> = self.table.events_since(seq)?.cloned().collect();
            Some((seq + 1, events))
        });
        let message = match missed {
            Some((_, events)) if events.is_empty() => None,
            Some((first, events)) => Some(ServerMessage::Events { first, events }),
            None => {
                let state = Box::new(self.table.state().clone());
                Some(ServerMessage::Snapshot(state))
            }
        };
        if let Some(message) = message {
            self.send(to, &message);
        }
        if let Some(person) = self.people.by_line(to)
            && let Some(attached) = &mut person.attached
        {
            attached.heard = have.map_or([0; 3], |have| have.heard);
            attached.tell_lines(&self.table, person.player);
        }
    }

    pub(super) fn send(&mut self, to: LineId, message: &ServerMessage) {
        if let Some(person) = self.people.by_line(to)
            && let Some(attached) = &mut person.attached
        {
            attached.send(frame(message));
        }
    }

    /// Tells everyone what is new: events, talk, the answer to whoever asked, presence. Lines that
    /// do not keep up are closed, and what follows from that is told too.
    pub(super) fn publish(&mut self, now: Millis, mut answer: Option<Answer>) {
        // Whoever is told that a bot is gone may want its place at another table.
        self.hold_places();
        loop {
            if !self.record(now) {
                // What is no event, beats and the word that play stands still, goes out all the same.
                return self.flush();
            }
            let leavers = self.tell_events();
            for (player, attached) in self.people.attached() {
                attached.tell_lines(&self.table, player);
            }
            if let Some(Answer { to, id, result }) = answer.take() {
                self.send(to, &ServerMessage::Answer { id, result });
            }
            for (player, removed) in leavers {
                self.presence_changed = true;
                if let Some(attached) = self.people.forget(player, removed) {
                    attached.close(if removed { Close::Removed } else { Close::Left });
                }
            }
            if self.presence_changed {
                self.presence_changed = false;
                self.tell_people(|old, new| {
                    old.len() != new.len()
                        || old.iter().zip(new).any(|(old, new)| {
                            (old.player, old.away_since) != (new.player, new.away_since)
                        })
                });
            }
            self.flush();
            if !self.close_where(now, Close::TooSlow, |attached| attached.is_slow) {
                break;
            }
        }
        if self.people.is_deserted() {
            self.beat_at = None;
            self.deserted_since.get_or_insert_with(Instant::now);
            self.hold_places();
        }
        if let Some(place) = &mut self.place {
            place.tell(self.table.state(), self.deserted_since.is_some());
        }
    }

    /// What has been said to each line goes on its way.
    pub(super) fn flush(&mut self) {
        for (_, attached) in self.people.attached() {
            attached.flush();
        }
    }

    pub(super) fn hold_places(&mut self) {
        let deserted = self.deserted_since.is_some();
        self.bots.hold_places(&self.table, deserted);
    }

    /// Sends new events to every line; gives who has left, and whether they were sent away.
    fn tell_events(&mut self) -> Vec<(PlayerId, bool)> {
        let newest = self.table.state().seq();
        if newest == self.told {
            return Vec::new();
        }
        let first = self.told + 1;
        let events: Vec<_> = self
            .table
            .events_since(self.told)
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        self.told = newest;
        self.metrics.events(events.len());
        let leavers = events
            .iter()
            .filter_map(|stamped| match stamped.event {
                Event::Left { player, removed } => Some((player, removed)),
                _ => None,
            })
            .collect();
        let frame = frame(&ServerMessage::Events { first, events });
        for (_, attached) in self.people.attached() {
            attached.send(frame.clone());
        }
        leavers
    }

    /// Tells everyone's presence and lag, if they differ enough from what was told last.
    fn tell_people(&mut self, differs: impl Fn(&[Here], &[Here]) -> bool) {
        let here: Vec<_> = self
            .table
            .state()
            .players()
            .iter()
            .map(|player| Here {
                player: player.id,
                away_since: self.table.away_since(player.id),
                lag_ms: u16::try_from(self.table.lag(player.id)).unwrap_or(u16::MAX),
            })
            .collect();
        if !differs(&self.here, &here) {
            return;
        }
        let frame = frame(&ServerMessage::People(here.clone()));
        self.here = here;
        for (_, attached) in self.people.attached() {
            attached.send(frame.clone());
        }
    }

    /// Closes the lines that are so; says whether there were any.
    pub(super) fn close_where(
        &mut self,
        now: Millis,
        reason: Close,
        is_so: impl Fn(&Attached) -> bool,
    ) -> bool {
        let players: Vec<_> = self
            .people
            .attached()
            .filter(|(_, attached)| is_so(attached))
            .map(|(player, _)| player)
            .collect();
        for &player in &players {
            tracing::debug!(
                code = reason.code(),
                "a line is closed: {}",
                reason.reason()
            );
            if let Some(attached) = self.people.detach(player) {
                attached.close(reason);
            }
            self.cut(now, player);
        }
        !players.is_empty()
    }

    pub(super) fn close_all(&mut self, reason: Close) {
        self.close_where(self.now(), reason, |_| true);
    }

    pub(super) fn cut(&mut self, now: Millis, player: PlayerId) {
        self.table.disconnected(now, player);
        self.presence_changed = true;
    }

    /// Gives every page a sign of life, and asks for one.
    pub(super) fn beat(&mut self, now: Millis) {
        self.tell_people(|old, new| {
            let noticeable = |old: u16, new: u16| old.abs_diff(new) > 10.max(old / 8);
            old.iter()
                .zip(new)
                .any(|(old, new)| noticeable(old.lag_ms, new.lag_ms))
        });
        let seq = self.told;
        // Most hear the same, so that one frame serves them all.
        let mut encoded = None;
        for (player, attached) in self.people.attached() {
            let heard = self.table.heard_by(player);
            let frame = match &encoded {
                Some((same, frame)) if *same == heard => Bytes::clone(frame),
                _ => {
                    let frame = frame(&ServerMessage::Beat { now, seq, heard });
                    encoded = Some((heard, frame.clone()));
                    frame
                }
            };
            attached.send(frame);
            attached.ping();
        }
    }
}

impl Attached {
    /// Sends what `player` may hear and has not.
    fn tell_lines(&mut self, table: &Table, player: PlayerId) {
        for lines in table.lines_since(player, self.heard) {
            self.heard[lines.channel.index()] = lines.newest();
            self.send(frame(&ServerMessage::Lines(lines)));
        }
    }
}
