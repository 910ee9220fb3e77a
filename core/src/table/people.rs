//! Who is connected, how much their lines lag, and everything a table does by itself when time passes.

use super::authority::{AWAY_MS, COUNTDOWN_MS, Table};
use super::event::{DrawClosed, End, Event, Millis, PauseReason, PlayerId};
use super::state::Phase;
use crate::clock::MatchTime;
use crate::{BoardId, EndRule, Seat};

/// After how long play goes on at the latest when the reason of a pause is gone and somebody is
/// there, in milliseconds.
pub const RESUME_AT_LATEST_MS: Millis = 15_000;

/// How many measured round trips count for somebody's lag.
const ROUND_TRIPS: usize = 5;

/// What the authority knows of a person beyond the public state.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) id: PlayerId,
    presence: Presence,
    /// The last round trips, in milliseconds, newest last.
    round_trips: Vec<u32>,
    /// When the last lines were said.
    pub(super) said: Vec<Millis>,
    /// Whether somebody was connected when the present pause began.
    expected: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Connected {
        since: Millis,
    },
    Away {
        since: Millis,
        /// The same instant in match time; the start, if the match began later.
        match_time: MatchTime,
    },
}

impl Person {
    pub(super) fn new(id: PlayerId, now: Millis) -> Person {
        Person {
            id,
            presence: Presence::Connected { since: now },
            round_trips: Vec::new(),
            said: Vec::new(),
            expected: true,
        }
    }

    fn is_connected(&self) -> bool {
        matches!(self.presence, Presence::Connected { .. })
    }

    /// The line is cut.
    pub(super) fn leave_line(&mut self, now: Millis, match_time: MatchTime) {
        self.presence = Presence::Away {
            since: now,
            match_time,
        };
    }
}

/// What happens next by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    Start,
    Flag,
    Absence(Seat),
    Gone(PlayerId),
    DrawLapses,
    ResumeBegins,
    Resume,
}

impl Table {
    fn person(&self, id: PlayerId) -> Option<&Person> {
        self.people.iter().find(|person| person.id == id)
    }

    /// Whether that person has a connection.
    pub fn is_connected(&self, id: PlayerId) -> bool {
        self.person(id).is_some_and(Person::is_connected)
    }

    /// Since when that person has been away, in table time.
    pub fn away_since(&self, id: PlayerId) -> Option<Millis> {
        match self.person(id)?.presence {
            Presence::Connected { .. } => None,
            Presence::Away { since, .. } => Some(since),
        }
    }

    /// The lag of that person: the least of the last five round trips, in milliseconds.
    pub fn lag(&self, id: PlayerId) -> u32 {
        self.person(id)
            .and_then(|person| person.round_trips.iter().min().copied())
            .unwrap_or(0)
    }

    /// The relay measured a round trip to that person, in milliseconds.
    pub fn measured(&mut self, id: PlayerId, round_trip_ms: u32) {
        if let Some(person) = self.people.iter_mut().find(|person| person.id == id) {
            if person.round_trips.len() == ROUND_TRIPS {
                person.round_trips.remove(0);
            }
            person.round_trips.push(round_trip_ms);
        }
    }

    /// That person has a connection again.
    pub fn connected(&mut self, now: Millis, id: PlayerId) {
        self.tick(now);
        if let Some(person) = self.people.iter_mut().find(|person| person.id == id)
            && !person.is_connected()
        {
            person.presence = Presence::Connected { since: now };
            // Another line has another lag.
            person.round_trips.clear();
            self.maybe_start(now);
            self.maybe_resume(now);
            self.tick(now);
        }
    }

    /// The last connection of that person is cut.
    pub fn disconnected(&mut self, now: Millis, id: PlayerId) {
        self.tick(now);
        let match_time = self.state.game().map_or(0, |game| game.match_time(now));
        if let Some(person) = self.people.iter_mut().find(|person| person.id == id)
            && person.is_connected()
        {
            person.leave_line(now, match_time);
            if self.is_running() && !self.anyone_playing_there() {
                self.pause(now, PauseReason::NobodyThere);
            }
        }
    }

    fn is_running(&self) -> bool {
        self.state.phase() == Phase::Playing
            && self
                .state
                .game()
                .is_some_and(|game| game.pause().is_none_or(|p| p.resumes_at.is_some()))
    }

    fn seated_connected(&self, seat: Seat) -> bool {
        self.state
            .occupant(seat)
            .is_some_and(|id| self.is_connected(id))
    }

    fn anyone_playing_there(&self) -> bool {
        Seat::ALL
            .into_iter()
            .any(|seat| self.seated_connected(seat))
    }

    /// Pauses the match being played, if there is one: no clock runs, plies are refused. One that is
    /// about to begin does not.
    pub fn pause(&mut self, now: Millis, reason: PauseReason) {
        self.tick(now);
        self.cancel_countdown(now);
        if self.state.phase() != Phase::Playing {
            return;
        }
        for person in &mut self.people {
            person.expected = person.is_connected();
        }
        self.resume_blocked = reason == PauseReason::DiskFull;
        self.emit(now, Event::Paused(reason));
    }

    /// The reason of a pause is gone: play goes on when people are there.
    pub fn unblock(&mut self, now: Millis) {
        self.tick(now);
        self.resume_blocked = false;
        self.maybe_resume(now);
    }

    fn maybe_resume(&mut self, now: Millis) {
        let Some(pause) = self.state.game().and_then(|game| game.pause()) else {
            return;
        };
        if self.resume_blocked || pause.resumes_at.is_some() {
            return;
        }
        let missing = |seat: Seat| {
            let occupant = self.state.occupant(seat).and_then(|id| self.person(id));
            occupant.is_some_and(|person| person.expected && !person.is_connected())
        };
        let enough = match pause.reason {
            PauseReason::NobodyThere => self.anyone_playing_there(),
            PauseReason::RelayRestarted | PauseReason::DiskFull => {
                self.anyone_playing_there() && !Seat::ALL.into_iter().any(missing)
            }
        };
        if enough {
            let resumes_at = now + COUNTDOWN_MS;
            self.emit(now, Event::ResumeBegun { resumes_at });
        }
    }

    /// When [`Table::tick`] has something to do next, in table time.
    pub fn next_deadline(&self) -> Option<Millis> {
        self.next_due().map(|(at, _)| at)
    }

    fn next_due(&self) -> Option<(Millis, Due)> {
        let mut next: Option<(Millis, Due)> = None;
        let mut consider = |at: Millis, due: Due| {
            if next.is_none_or(|(earliest, _)| at < earliest) {
                next = Some((at, due));
            }
        };
        let phase = self.state.phase();
        if let Phase::Countdown { starts_at } = phase {
            consider(starts_at, Due::Start);
        }
        for person in &self.people {
            let plays = phase == Phase::Playing && self.state.seat_of(person.id).is_some();
            if let (Presence::Away { since, .. }, false) = (person.presence, plays) {
                consider(since + AWAY_MS, Due::Gone(person.id));
            }
        }
        let Some(game) = self.state.game().filter(|_| phase == Phase::Playing) else {
            return next;
        };
        if let Some(draw) = game.draw() {
            consider(draw.lapses_at, Due::DrawLapses);
        }
        if let Some(pause) = game.pause() {
            if let Some(resumes_at) = pause.resumes_at {
                consider(resumes_at, Due::Resume);
            } else if !self.resume_blocked && self.anyone_playing_there() {
                consider(pause.since + RESUME_AT_LATEST_MS, Due::ResumeBegins);
            }
            return next;
        }
        if game.has_clocks() {
            let flag = game.clocks().next_flag(self.flag_grace);
            consider(game.table_time(flag.due), Due::Flag);
        }
        for seat in Seat::ALL {
            let person = self.state.occupant(seat).and_then(|id| self.person(id));
            let Some(Presence::Away { match_time, .. }) = person.map(|person| person.presence)
            else {
                continue;
            };
            if let Some(there) = self.opponents_there_since(seat) {
                let over = game.table_time(match_time + self.absence_grace_ms);
                consider(over.max(there), Due::Absence(seat));
            }
        }
        next
    }

    /// Since when somebody of the other team has been there to win; the computer always is.
    fn opponents_there_since(&self, seat: Seat) -> Option<Millis> {
        let since = |seat| {
            if self.state.bot(seat).is_some() {
                return Some(0);
            }
            match self.person(self.state.occupant(seat)?)?.presence {
                Presence::Connected { since } => Some(since),
                Presence::Away { .. } => None,
            }
        };
        [seat.opponent(), seat.diagonal()]
            .into_iter()
            .filter_map(since)
            .min()
    }

    /// Does all that is due by `now`, each at its own instant, in that order.
    pub fn tick(&mut self, now: Millis) {
        while let Some((at, due)) = self.next_due()
            && at <= now
        {
            self.happen(at.max(self.state.at()), due);
        }
    }

    /// Every arm takes its own cause away, or `tick` would not end.
    fn happen(&mut self, at: Millis, due: Due) {
        match due {
            Due::Start => {
                self.emit(at, Event::Started);
                for person in &mut self.people {
                    if let Presence::Away { match_time, .. } = &mut person.presence {
                        *match_time = 0;
                    }
                }
                self.begin_turn(BoardId::A);
                self.begin_turn(BoardId::B);
                if !self.anyone_playing_there() {
                    self.pause(at, PauseReason::NobodyThere);
                }
            }
            Due::Flag => self.flag_falls(at),
            Due::Absence(seat) => {
                self.end_by(at, EndRule::Leaving, seat);
            }
            Due::Gone(player) => {
                self.cancel_countdown_for(at, player);
                self.let_go(at, player, false);
            }
            Due::DrawLapses => self.emit(at, Event::DrawClosed(DrawClosed::Lapsed)),
            Due::ResumeBegins => {
                let resumes_at = at + COUNTDOWN_MS;
                self.emit(at, Event::ResumeBegun { resumes_at });
            }
            Due::Resume => {
                self.emit(at, Event::Resumed);
                self.begin_turn(BoardId::A);
                self.begin_turn(BoardId::B);
            }
        }
    }

    fn flag_falls(&mut self, at: Millis) {
        let Some(game) = self.state.game() else {
            return;
        };
        let flag = game.clocks().next_flag(self.flag_grace);
        let fallen = flag.seats.into_iter().flatten();
        let end = match (fallen.clone().next(), fallen.clone().nth(1)) {
            (Some(one), Some(two)) if one.team() != two.team() => End {
                rule: EndRule::BothAtOnce,
                winner: None,
                board: None,
                seat: None,
                at: flag.zero,
            },
            (Some(seat), _) => End {
                rule: EndRule::Time,
                winner: Some(seat.team().other()),
                board: Some(seat.board()),
                seat: Some(seat),
                at: flag.zero,
            },
            (None, _) => return,
        };
        self.emit(at, Event::Ended(end));
    }
}
