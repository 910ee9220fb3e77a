//! The authority of a table: judges commands, keeps time, numbers events.

use std::collections::VecDeque;

use super::event::{
    Command, DrawClosed, End, Event, HouseRules, MatchNo, Millis, PlayerId, Refusal, Seq, Stamped,
};
use super::name::{clean_text, unique_name};
use super::people::Person;
use super::state::{Phase, State};
use super::talk::{FLOOD_LINES, FLOOD_MS, Heard, Line, Lines, Speaker, Stream, forget_with};
use crate::tell::{Channel, TEXT_MAX_CHARS, Tell, Words};
use crate::{BoardId, EndRule, Ply, Seat, Team};

/// The countdown before a match and after a pause, in milliseconds.
pub const COUNTDOWN_MS: Millis = 3_000;

/// After how long without a connection somebody is gone who is not playing, in milliseconds.
pub const AWAY_MS: Millis = 15_000;

/// How long a player may be away in a match unless the relay is told otherwise, in milliseconds.
pub const ABSENCE_GRACE_MS: Millis = 60_000;

/// How many people a table holds, spectators included.
pub const PEOPLE_MAX: usize = 64;

/// How many events are kept to be sent again; who misses more gets a snapshot, which is shorter than so
/// many events.
pub const HISTORY_KEPT: usize = 128;

/// By how many events the room for them grows: doubling it would leave half of it empty at most tables.
const HISTORY_STEP: usize = 16;

/// The table is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table is full")]
pub struct TableFull;

/// A table with its authority. It has no I/O: the time comes in with every call, as table time,
/// and what happened is read back with [`Table::events_since`] and [`Table::lines_since`].
///
/// ```
/// use tandem_core::Seat;
/// use tandem_core::table::{Command, Refusal, Table};
///
/// let mut table = Table::new();
/// let anna = table.join(0, "Anna").unwrap();
/// let ben = table.join(5, "Ben").unwrap();
/// table.handle(10, anna, Command::Sit(Seat::AWhite)).unwrap();
/// assert_eq!(table.handle(11, ben, Command::Sit(Seat::AWhite)), Err(Refusal::SeatTaken));
/// assert_eq!(table.state().occupant(Seat::AWhite), Some(anna));
/// assert_eq!(table.events_since(2).unwrap().count(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) state: State,
    pub(super) absence_grace_ms: Millis,
    pub(super) people: Vec<Person>,
    /// For the running clock of each board: the lesser of lag and allowance as they were when it
    /// began to run. Its flag waits that long, and its ply is credited no more.
    pub(super) flag_grace: [u32; 2],
    /// Whether play must not go on yet, however many people are there.
    pub(super) resume_blocked: bool,
    /// Whether a further bot may sit down: somebody plays for it.
    pub(super) bots_may_sit: bool,
    /// Whether a match may be played without clocks.
    pub(super) clocks_optional: bool,
    pub(super) house: HouseRules,
    /// How many lines one person may say within [`FLOOD_MS`].
    flood_lines: usize,
    refused: u64,
    history: VecDeque<Stamped>,
    pub(super) talk: [Stream; 3],
}

impl Default for Table {
    fn default() -> Self {
        Table::new()
    }
}

impl Table {
    /// An empty table, at table time zero.
    pub fn new() -> Table {
        Table {
            state: State::default(),
            absence_grace_ms: ABSENCE_GRACE_MS,
            people: Vec::new(),
            flag_grace: [0; 2],
            resume_blocked: false,
            bots_may_sit: false,
            clocks_optional: false,
            house: HouseRules::default(),
            flood_lines: FLOOD_LINES,
            refused: 0,
            history: VecDeque::new(),
            talk: Default::default(),
        }
    }

    /// The same table with another grace for absence, in milliseconds.
    #[must_use]
    pub fn with_absence_grace(mut self, grace_ms: Millis) -> Table {
        self.absence_grace_ms = grace_ms;
        self
    }

    /// The same table under other house rules.
    #[must_use]
    pub fn with_house_rules(mut self, house: HouseRules) -> Table {
        self.house = house;
        self
    }

    /// The same table, where one person may say so many lines within [`FLOOD_MS`].
    #[must_use]
    pub fn with_flood_lines(mut self, lines: usize) -> Table {
        self.flood_lines = lines;
        self
    }

    /// The same table, whose owner plays for bots with [`Bots`](super::Bots). Otherwise none may sit
    /// down: it would never move.
    #[must_use]
    pub fn with_bots(mut self) -> Table {
        self.bots_may_sit = true;
        self
    }

    /// The same table for one person alone among bots: a match may go without clocks.
    #[must_use]
    pub fn alone(mut self) -> Table {
        self.clocks_optional = true;
        self.house.public_list = false;
        self.with_bots()
    }

    /// Whether a further bot may sit down from now on. Those who sit stay.
    pub fn let_bots_sit(&mut self, may: bool) {
        self.bots_may_sit = may;
    }

    /// What everyone knows of the table.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The events after number `seq`, oldest first, each of them the next number; nothing when they
    /// are no longer kept, or when so many have not happened.
    pub fn events_since(&self, seq: Seq) -> Option<impl Iterator<Item = &Stamped>> {
        let missing = self.state.seq().checked_sub(seq)? as usize;
        let skip = self.history.len().checked_sub(missing)?;
        Some(self.history.iter().skip(skip))
    }

    pub(super) fn emit(&mut self, at: Millis, event: Event) {
        let at = at.max(self.state.at());
        forget_with(&mut self.talk, &event);
        let stamped = Stamped { at, event };
        // The authority judges before it emits, so this is a bug in this module and nothing that
        // came from outside; the relay ends the table of a panic, and no other.
        if let Err(error) = self.state.apply(&stamped) {
            panic!("the authority made an event that does not fit: {error}");
        }
        if self.history.len() == HISTORY_KEPT {
            self.history.pop_front();
        }
        if self.history.len() == self.history.capacity() {
            self.history.reserve_exact(HISTORY_STEP);
        }
        self.history.push_back(stamped);
    }

    /// Somebody comes to the table and is connected.
    ///
    /// # Errors
    /// When [`PEOPLE_MAX`] people are there already.
    pub fn join(&mut self, now: Millis, name: &str) -> Result<PlayerId, TableFull> {
        self.tick(now);
        if self.people.len() >= PEOPLE_MAX || self.state.next_player().0 == u16::MAX {
            return Err(TableFull);
        }
        let player = self.state.next_player();
        let name = unique_name(&self.state, player, name);
        self.emit(now, Event::Joined { player, name });
        self.people.push(Person::new(player, now));
        Ok(player)
    }

    /// Judges what `player` asks, after the clocks that have run out by `now`.
    ///
    /// # Errors
    /// The reason, when nothing comes of it; then nothing has changed.
    pub fn handle(
        &mut self,
        now: Millis,
        player: PlayerId,
        command: Command,
    ) -> Result<(), Refusal> {
        let result = self.decide(now, player, command);
        self.refused += u64::from(result.is_err());
        result
    }

    /// How many commands were refused so far.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    fn decide(&mut self, now: Millis, player: PlayerId, command: Command) -> Result<(), Refusal> {
        let now = now.max(self.state.at());
        self.tick(now);
        if self.state.player(player).is_none() {
            return Err(Refusal::UnknownPlayer);
        }
        match command {
            Command::SetName(name) => {
                let name = unique_name(&self.state, player, &name);
                if self.state.player(player).is_some_and(|p| p.name != name) {
                    self.emit(now, Event::Named { player, name });
                }
                Ok(())
            }
            Command::Sit(seat) => {
                self.before_start()?;
                if self.state.occupant(seat).is_some() {
                    return Err(Refusal::SeatTaken);
                }
                self.cancel_countdown(now);
                if self.state.bot(seat).is_some() {
                    self.emit(now, Event::BotLeft(seat));
                }
                self.emit(now, Event::Sat { player, seat });
                Ok(())
            }
            Command::Stand => {
                self.seat_of(player)?;
                if self.state.phase() == Phase::Playing {
                    return Err(Refusal::NotInLobby);
                }
                self.cancel_countdown(now);
                self.emit(now, Event::Stood { player });
                Ok(())
            }
            Command::Swap(a, b) => {
                self.as_host(player)?;
                self.before_start()?;
                self.cancel_countdown(now);
                self.emit(now, Event::Swapped(a, b));
                Ok(())
            }
            Command::AddBot(seat, level) => {
                self.as_host(player)?;
                self.before_start()?;
                if self.state.occupant(seat).is_some() {
                    return Err(Refusal::SeatTaken);
                }
                if !(self.bots_may_sit && self.house.bots) && self.state.bot(seat).is_none() {
                    return Err(Refusal::BotsBusy);
                }
                if self.state.bot(seat) != Some(level) {
                    self.cancel_countdown(now);
                    self.emit(now, Event::BotSat { seat, level });
                    self.maybe_start(now);
                }
                Ok(())
            }
            Command::RemoveBot(seat) => {
                self.as_host(player)?;
                self.before_start()?;
                if self.state.bot(seat).is_none() {
                    return Err(Refusal::NoBotThere);
                }
                self.cancel_countdown(now);
                self.emit(now, Event::BotLeft(seat));
                Ok(())
            }
            Command::Remove(other) => {
                self.as_host(player)?;
                self.before_start()?;
                if other == player || self.state.player(other).is_none() {
                    return Err(Refusal::UnknownPlayer);
                }
                self.cancel_countdown_for(now, other);
                self.let_go(now, other, true);
                Ok(())
            }
            Command::SetOptions(options) => {
                self.as_host(player)?;
                self.before_start()?;
                let fit = if self.clocks_optional {
                    options.validate_alone()
                } else {
                    options.validate()
                };
                fit.map_err(|_| Refusal::BadOptions)?;
                self.cancel_countdown(now);
                self.emit(now, Event::OptionsSet(options));
                Ok(())
            }
            Command::SetPublic(public) => {
                self.as_host(player)?;
                self.before_start()?;
                if public && !self.house.public_list {
                    return Err(Refusal::NoPublicList);
                }
                if self.state.is_public() != public {
                    self.emit(now, Event::PublicSet(public));
                }
                Ok(())
            }
            Command::SetReady(ready) => {
                let seat = self.seat_of(player)?;
                self.before_start()?;
                if !ready {
                    self.cancel_countdown(now);
                }
                if self.state.is_ready(seat) != ready {
                    self.emit(now, Event::ReadySet { seat, ready });
                }
                self.maybe_start(now);
                Ok(())
            }
            Command::Play {
                match_no,
                board,
                answers,
                ply,
            } => self.play(now, player, match_no, board, answers, ply),
            Command::Resign(match_no) => {
                let seat = self.playing(player, match_no)?;
                self.end_by(now, EndRule::Resignation, seat);
                Ok(())
            }
            Command::OfferDraw(match_no) => self.offer_draw(now, player, match_no),
            Command::AcceptDraw(match_no) => {
                let seat = self.playing(player, match_no)?;
                if self.draw_by().is_none() {
                    return Err(Refusal::NoOffer);
                }
                self.agree(now, seat);
                Ok(())
            }
            Command::DeclineDraw(match_no) => {
                let seat = self.playing(player, match_no)?;
                if self.draw_by().is_none_or(|by| by == seat) {
                    return Err(Refusal::NoOffer);
                }
                self.emit(now, Event::DrawClosed(DrawClosed::Declined(seat)));
                Ok(())
            }
            Command::WithdrawDraw(match_no) => {
                let seat = self.playing(player, match_no)?;
                if self.draw_by() != Some(seat) {
                    return Err(Refusal::NoOffer);
                }
                self.emit(now, Event::DrawClosed(DrawClosed::Withdrawn));
                Ok(())
            }
            Command::Leave => {
                if let (Phase::Playing, Some(seat)) =
                    (self.state.phase(), self.state.seat_of(player))
                {
                    self.end_by(now, EndRule::Leaving, seat);
                }
                self.cancel_countdown_for(now, player);
                self.let_go(now, player, false);
                Ok(())
            }
            Command::Rematch(match_no, arrangement) => {
                let seat = self.seat_of(player)?;
                self.after_end(match_no)?;
                if !self.state.is_full() {
                    return Err(Refusal::SeatsNotFull);
                }
                self.emit(now, Event::RematchWanted { seat, arrangement });
                // The computer plays on as long as people want to.
                let people = self.state.people_seated();
                if self.state.rematch().is_some_and(|w| w.wanted == people) {
                    self.emit(now, Event::RematchAgreed(arrangement));
                    self.maybe_start(now);
                }
                Ok(())
            }
            Command::ToLobby(match_no) => {
                if self.state.host() != Some(player) {
                    self.seat_of(player)?;
                }
                self.after_end(match_no)?;
                self.emit(now, Event::LobbyOpened);
                Ok(())
            }
            Command::Say(channel, words) => self.say(now, player, channel, words),
        }
    }

    fn seat_of(&self, player: PlayerId) -> Result<Seat, Refusal> {
        self.state.seat_of(player).ok_or(Refusal::NotSeated)
    }

    fn as_host(&self, player: PlayerId) -> Result<(), Refusal> {
        if self.state.host() == Some(player) {
            Ok(())
        } else {
            Err(Refusal::NotHost)
        }
    }

    fn before_start(&self) -> Result<(), Refusal> {
        match self.state.phase() {
            Phase::Lobby | Phase::Countdown { .. } => Ok(()),
            Phase::Playing | Phase::Ended => Err(Refusal::NotInLobby),
        }
    }

    /// The match `no` is over and still on the boards.
    fn after_end(&self, no: MatchNo) -> Result<(), Refusal> {
        match (self.state.phase(), self.state.game()) {
            (Phase::Ended, Some(game)) if game.no() == no => Ok(()),
            (Phase::Playing, _) => Err(Refusal::NotInLobby),
            _ => Err(Refusal::NoMatch),
        }
    }

    /// The seat of somebody who is playing match `no` right now.
    fn playing(&self, player: PlayerId, no: MatchNo) -> Result<Seat, Refusal> {
        self.in_match(no)?;
        self.seat_of(player)
    }

    /// Match `no` is being played right now.
    fn in_match(&self, no: MatchNo) -> Result<(), Refusal> {
        let over = no.0 < self.state.matches()
            || (no.0 == self.state.matches() && self.state.phase() != Phase::Playing);
        if over && no.0 > 0 {
            return Err(Refusal::MatchEnded);
        }
        if no.0 != self.state.matches() || self.state.phase() != Phase::Playing {
            return Err(Refusal::NoMatch);
        }
        Ok(())
    }

    pub(super) fn cancel_countdown(&mut self, now: Millis) {
        if matches!(self.state.phase(), Phase::Countdown { .. }) {
            self.emit(now, Event::CountdownCancelled);
        }
    }

    /// A spectator may come and go without stopping the countdown.
    pub(super) fn cancel_countdown_for(&mut self, now: Millis, player: PlayerId) {
        if self.state.seat_of(player).is_some() {
            self.cancel_countdown(now);
        }
    }

    pub(super) fn let_go(&mut self, now: Millis, player: PlayerId, removed: bool) {
        self.people.retain(|person| person.id != player);
        self.emit(now, Event::Left { player, removed });
    }

    pub(super) fn maybe_start(&mut self, now: Millis) {
        let there = |seat| {
            self.state
                .occupant(seat)
                .is_none_or(|id| self.is_connected(id))
        };
        // All ready means all seats occupied; four bots do not play for nobody.
        if self.state.phase() == Phase::Lobby
            && self.state.all_ready()
            && self.state.people_seated() != [false; 4]
            && Seat::ALL.into_iter().all(there)
        {
            let starts_at = now + COUNTDOWN_MS;
            self.emit(now, Event::CountdownBegun { starts_at });
        }
    }

    fn play(
        &mut self,
        now: Millis,
        player: PlayerId,
        match_no: MatchNo,
        board: BoardId,
        answers: u16,
        ply: Ply,
    ) -> Result<(), Refusal> {
        let seat = self.playing(player, match_no)?;
        self.judge_ply(now, seat, board, answers, ply)
    }

    /// The ply of the computer at `seat` in match `match_no`: judged like everyone's.
    ///
    /// # Errors
    /// The reason, when it does not count; then nothing has changed.
    pub fn play_for_bot(
        &mut self,
        now: Millis,
        seat: Seat,
        match_no: MatchNo,
        answers: u16,
        ply: Ply,
    ) -> Result<(), Refusal> {
        let now = now.max(self.state.at());
        self.tick(now);
        self.in_match(match_no)?;
        if self.state.bot(seat).is_none() {
            return Err(Refusal::NoBotThere);
        }
        self.judge_ply(now, seat, seat.board(), answers, ply)
    }

    fn judge_ply(
        &mut self,
        now: Millis,
        seat: Seat,
        board: BoardId,
        answers: u16,
        ply: Ply,
    ) -> Result<(), Refusal> {
        if seat.board() != board {
            return Err(Refusal::NotYourSeat);
        }
        let Some(game) = self.state.game() else {
            return Err(Refusal::NoMatch);
        };
        if let Some(pause) = game.pause() {
            return Err(Refusal::Paused(pause.reason));
        }
        let boards = game.boards();
        if boards.plies(board) != answers {
            return Err(Refusal::Stale);
        }
        if boards.position(board).turn() != seat.color() {
            return Err(Refusal::NotYourTurn);
        }
        let at = game.match_time(now);
        let grace = self.flag_grace[board.index()];
        if at >= game.clocks().zero(board).saturating_add(u64::from(grace)) {
            return Err(Refusal::TimeIsUp);
        }
        boards
            .position(board)
            .check_legal(ply)
            .map_err(Refusal::Illegal)?;
        let credit = game.clocks().credit(board, at, grace);
        let credit = u16::try_from(credit).unwrap_or(u16::MAX);
        self.emit(now, Event::Played { board, ply, credit });
        self.begin_turn(board);
        let verdict = self
            .state
            .game()
            .and_then(|game| game.boards().judge(Some(board)));
        if let Some(verdict) = verdict {
            let end = End {
                rule: verdict.rule,
                winner: verdict.winner,
                board: verdict.board,
                seat: None,
                at,
            };
            self.emit(now, Event::Ended(end));
        }
        Ok(())
    }

    /// The clock of whoever is to move on `board` begins to run.
    pub(super) fn begin_turn(&mut self, board: BoardId) {
        if let Some(game) = self.state.game() {
            let seat = game.clocks().running(board);
            let allowance = game.clocks().allowance(seat);
            let lag = self.state.occupant(seat).map_or(0, |id| self.lag(id));
            self.flag_grace[board.index()] = lag.min(allowance);
        }
    }

    /// Ends the match against the team of `seat`.
    pub(super) fn end_by(&mut self, now: Millis, rule: EndRule, seat: Seat) {
        if let Some(game) = self.state.game() {
            let end = End {
                rule,
                winner: Some(seat.team().other()),
                board: Some(seat.board()),
                seat: Some(seat),
                at: game.match_time(now),
            };
            self.emit(now, Event::Ended(end));
        }
    }

    fn draw_by(&self) -> Option<Seat> {
        Some(self.state.game()?.draw()?.by)
    }

    fn offer_draw(
        &mut self,
        now: Millis,
        player: PlayerId,
        match_no: MatchNo,
    ) -> Result<(), Refusal> {
        let seat = self.playing(player, match_no)?;
        let again_at = self.state.game().map(|game| game.offer_again_at(seat));
        if self.draw_by().is_some() {
            // Two offers that cross are an agreement.
            self.agree(now, seat);
            return Ok(());
        }
        if again_at.is_some_and(|again_at| now < again_at) {
            return Err(Refusal::OfferTooSoon);
        }
        self.emit(now, Event::DrawOffered(seat));
        self.draw_if_agreed(now);
        Ok(())
    }

    fn agree(&mut self, now: Millis, seat: Seat) {
        let draw = self.state.game().and_then(|game| game.draw());
        if draw.is_some_and(|draw| !draw.agreed[seat.index()]) {
            self.emit(now, Event::DrawAgreed(seat));
            self.draw_if_agreed(now);
        }
    }

    /// Bots have no vote: the people decide.
    fn draw_if_agreed(&mut self, now: Millis) {
        let people = self.state.people_seated();
        if let Some(game) = self.state.game()
            && game.draw().is_some_and(|draw| draw.agreed == people)
        {
            let end = End {
                rule: EndRule::Agreement,
                winner: None,
                board: None,
                seat: None,
                at: game.match_time(now),
            };
            self.emit(now, Event::Ended(end));
        }
    }

    fn say(
        &mut self,
        now: Millis,
        player: PlayerId,
        channel: Channel,
        words: Words,
    ) -> Result<(), Refusal> {
        if !self.may_say(player, channel) {
            return Err(Refusal::NoTalk);
        }
        let words = match words {
            Words::Text(_) if !self.house.free_text => return Err(Refusal::NoFreeText),
            Words::Text(text) => {
                let text = clean_text(&text, TEXT_MAX_CHARS);
                if text.is_empty() {
                    return Err(Refusal::EmptyText);
                }
                Words::Text(text)
            }
            Words::Tell(tell) => Words::Tell(tell),
        };
        let Some(person) = self.people.iter_mut().find(|person| person.id == player) else {
            return Err(Refusal::UnknownPlayer);
        };
        person.said.retain(|&at| at + FLOOD_MS > now);
        if person.said.len() >= self.flood_lines {
            return Err(Refusal::TooMuchTalk);
        }
        person.said.push(now);
        self.talk[channel.index()].say(Line {
            at: now,
            speaker: Speaker::Person(player),
            words,
        });
        Ok(())
    }

    /// The computer at `seat` gives its partner a signal.
    ///
    /// # Errors
    /// When it does not sit there, or talk is closed now.
    pub fn tell_for_bot(&mut self, now: Millis, seat: Seat, tell: Tell) -> Result<(), Refusal> {
        let now = now.max(self.state.at());
        self.tick(now);
        if self.state.bot(seat).is_none() {
            return Err(Refusal::NoBotThere);
        }
        if !self.partners_may_talk() {
            return Err(Refusal::NoTalk);
        }
        self.talk[team_channel(seat).index()].say(Line {
            at: now,
            speaker: Speaker::Bot(seat),
            words: Words::Tell(tell),
        });
        Ok(())
    }

    /// What the partner of the computer at `seat` has told it in this match after line number
    /// `heard`, oldest first; and the number of the newest line.
    pub fn tells_to_bot(&self, seat: Seat, heard: u32) -> (Vec<Tell>, u32) {
        let channel = team_channel(seat);
        let Some(lines) = self.talk[channel.index()].since(channel, heard) else {
            return (Vec::new(), heard);
        };
        let newest = lines.newest();
        let tells = lines
            .lines
            .into_iter()
            .filter(|line| line.speaker != Speaker::Bot(seat))
            .filter_map(|line| match line.words {
                Words::Tell(tell) => Some(tell),
                Words::Text(_) => None,
            })
            .collect();
        (tells, newest)
    }

    /// What may be done at the table.
    pub fn house(&self) -> HouseRules {
        self.house
    }

    fn partners_may_talk(&self) -> bool {
        self.state.phase() == Phase::Playing
            && self.state.game().is_some_and(|game| game.options().talk)
    }

    fn may_say(&self, player: PlayerId, channel: Channel) -> bool {
        match channel {
            Channel::Everyone => self.state.phase() != Phase::Playing,
            Channel::TeamOne | Channel::TeamTwo => {
                self.partners_may_talk()
                    && self.state.seat_of(player).map(team_channel) == Some(channel)
            }
        }
    }

    /// Whether `player` may know what is said on `channel`.
    pub fn may_hear(&self, player: PlayerId, channel: Channel) -> bool {
        match channel {
            Channel::Everyone => true,
            Channel::TeamOne | Channel::TeamTwo => {
                match self.state.seat_of(player).map(team_channel) {
                    Some(own) => own == channel,
                    None => self.state.phase() == Phase::Ended,
                }
            }
        }
    }

    /// The number of the newest line of each channel that `player` may hear; zero for the others.
    pub fn heard_by(&self, player: PlayerId) -> Heard {
        Channel::ALL.map(|channel| {
            if self.may_hear(player, channel) {
                self.talk[channel.index()].last()
            } else {
                0
            }
        })
    }

    /// What `player` may hear and has not yet, when `heard` is what they have.
    pub fn lines_since(&self, player: PlayerId, heard: Heard) -> impl Iterator<Item = Lines> {
        Channel::ALL
            .into_iter()
            .filter(move |&channel| self.may_hear(player, channel))
            .filter_map(move |channel| {
                self.talk[channel.index()].since(channel, heard[channel.index()])
            })
    }
}

fn team_channel(seat: Seat) -> Channel {
    match seat.team() {
        Team::One => Channel::TeamOne,
        Team::Two => Channel::TeamTwo,
    }
}
