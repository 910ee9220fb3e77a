//! The public state of a table: what every observer knows, and how events change it.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::event::{Arrangement, End, Event, MatchNo, Millis, PauseReason, PlayerId, Seq, Stamped};
use crate::bot::Level;
use crate::clock::{Clocks, MatchTime};
use crate::{BoardId, IllegalPly, Match, Options, Ply, Seat};

/// How long a draw offer stands, in milliseconds (rules.md, agreement).
pub const DRAW_OFFER_MS: Millis = 30_000;

/// How long somebody whose offer was closed waits before the next, in milliseconds.
pub const DRAW_AGAIN_MS: Millis = 20_000;

/// How many plies somebody's partner may make within one of their turns when there are no clocks
/// (rules.md, "Without a clock").
pub const PARTNER_PLIES_MAX: u16 = 3;

/// A person at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The number.
    pub id: PlayerId,
    /// The name; empty when none was given.
    pub name: String,
}

/// In which part of its life a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// People sit down and get ready.
    Lobby,
    /// All are ready.
    Countdown {
        /// When the clocks will start, in table time.
        starts_at: Millis,
    },
    /// A match is being played, or paused.
    Playing,
    /// The match is over and still on the boards.
    Ended,
}

/// One ply as it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyRecord {
    /// On which board.
    pub board: BoardId,
    /// The ply.
    pub ply: Ply,
    /// When, in match time.
    pub at: MatchTime,
    /// Lag credited, in milliseconds.
    pub credit: u16,
}

/// Why no clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// The reason.
    pub reason: PauseReason,
    /// Since when, in table time.
    pub since: Millis,
    /// When play goes on, once that is known.
    pub resumes_at: Option<Millis>,
}

/// A draw on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawOffer {
    /// Who offered it.
    pub by: Seat,
    /// Who has agreed, by the index of the seat; the one who offered has.
    pub agreed: [bool; 4],
    /// When it lapses, in table time.
    pub lapses_at: Millis,
}

/// A match at a table: both boards, the clocks and all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    no: MatchNo,
    names: [String; 4],
    bots: [Option<Level>; 4],
    options: Options,
    boards: Match,
    clocks: Clocks,
    plies: Vec<PlyRecord>,
    /// The table time at which match time would have been zero had there been no pause.
    origin: Millis,
    pause: Option<Pause>,
    draw: Option<DrawOffer>,
    offer_again_at: [Millis; 4],
    end: Option<End>,
}

impl Game {
    fn new(
        no: MatchNo,
        names: [String; 4],
        bots: [Option<Level>; 4],
        options: Options,
        origin: Millis,
    ) -> Game {
        Game {
            no,
            names,
            bots,
            options,
            boards: Match::new(options.rules),
            clocks: Clocks::new(&options),
            plies: Vec::new(),
            origin,
            pause: None,
            draw: None,
            offer_again_at: [0; 4],
            end: None,
        }
    }

    /// Which match of the table it is.
    pub fn no(&self) -> MatchNo {
        self.no
    }

    /// The names of the four as they sat down, by the index of the seat.
    pub fn names(&self) -> &[String; 4] {
        &self.names
    }

    /// Where the computer plays, and at which level, by the index of the seat.
    pub fn bots(&self) -> &[Option<Level>; 4] {
        &self.bots
    }

    /// The options it is played with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Both boards and all four hands.
    pub fn boards(&self) -> &Match {
        &self.boards
    }

    /// The four clocks.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Whether it is played with clocks.
    pub fn has_clocks(&self) -> bool {
        self.clocks.limited()
    }

    /// Every ply of both boards in the order they were played.
    pub fn plies(&self) -> &[PlyRecord] {
        &self.plies
    }

    /// The pause, if play is paused.
    pub fn pause(&self) -> Option<&Pause> {
        self.pause.as_ref()
    }

    /// The draw on offer.
    pub fn draw(&self) -> Option<&DrawOffer> {
        self.draw.as_ref()
    }

    /// From when on `seat` may offer a draw, in table time.
    pub fn offer_again_at(&self, seat: Seat) -> Millis {
        self.offer_again_at[seat.index()]
    }

    /// The end, once there is one.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Match time at table time `now`. It stands still in a pause and after the end; there it never
    /// lies before the last ply, so that no clock runs backwards.
    pub fn match_time(&self, now: Millis) -> MatchTime {
        if let Some(end) = &self.end {
            return self.plies.last().map_or(end.at, |ply| ply.at.max(end.at));
        }
        let now = self.pause.map_or(now, |pause| pause.since);
        now.saturating_sub(self.origin)
    }

    /// The table time at which match time will be `at`, if no pause comes in between.
    pub fn table_time(&self, at: MatchTime) -> Millis {
        self.origin.saturating_add(at)
    }

    /// What the clock of `seat` shows at table time `now`, in milliseconds; zero when it has run out.
    pub fn clock(&self, seat: Seat, now: Millis) -> u64 {
        u64::try_from(self.clocks.left(seat, self.match_time(now))).unwrap_or(0)
    }

    /// Whether the clock of `seat` is running.
    pub fn is_running(&self, seat: Seat) -> bool {
        self.has_clocks()
            && self.end.is_none()
            && self.pause.is_none()
            && self.clocks.running(seat.board()) == seat
    }

    /// How many plies the partner of `seat` has made since the last ply on the board of `seat`: if
    /// that seat is to move, since its turn began.
    pub fn partner_plies_since_turn(&self, seat: Seat) -> u16 {
        let since = self.plies.iter().rev();
        let count = since
            .take_while(|record| record.board != seat.board())
            .count();
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        // They alternate, and whoever is not to move there made the last one.
        let partner = seat.partner();
        let partner_last = self.boards.position(partner.board()).turn() != partner.color();
        count / 2 + if partner_last { count % 2 } else { 0 }
    }

    /// Without clocks, the board that stands still: the partner there has made three plies since the
    /// turn of somebody began who could move, and is no bot (rules.md, "Without a clock").
    pub fn held_board(&self) -> Option<BoardId> {
        if self.has_clocks() || self.end.is_some() {
            return None;
        }
        BoardId::ALL.into_iter().find(|board| {
            let seat = self.boards.seat_to_move(board.other());
            self.bots[seat.index()].is_none()
                && self.boards.position(seat.board()).has_legal_ply()
                && self.partner_plies_since_turn(seat) >= PARTNER_PLIES_MAX
        })
    }

    fn play(&mut self, record: PlyRecord) -> Result<(), Inconsistent> {
        self.boards
            .play(record.board, record.ply)
            .map_err(Inconsistent::Ply)?;
        self.clocks
            .press(record.board, record.at, u32::from(record.credit));
        self.plies.push(record);
        Ok(())
    }
}

/// A rematch somebody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RematchWish {
    /// With which seats.
    pub arrangement: Arrangement,
    /// Who wants it, by the index of the seat.
    pub wanted: [bool; 4],
}

/// The public state of a table. Equal events in equal order make it equal everywhere; it travels
/// as a snapshot of what cannot be derived, and the boards and clocks are played again from the plies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Snapshot", try_from = "Snapshot")]
pub struct State {
    seq: Seq,
    at: Millis,
    players: Vec<Player>,
    next_player: u16,
    seats: [Option<PlayerId>; 4],
    bots: [Option<Level>; 4],
    ready: [bool; 4],
    options: Options,
    phase: Phase,
    game: Option<Game>,
    matches: u16,
    rematch: Option<RematchWish>,
    public: bool,
}

/// An event does not fit the state it is applied to, or a snapshot does not fit together. An
/// authority never makes such a thing; an observer who meets one asks for a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Inconsistent {
    /// A ply that is not legal.
    #[error("a ply does not fit the board: {0}")]
    Ply(IllegalPly),
    /// An event of a match without a match.
    #[error("an event of a match came while no match was played")]
    NoMatch,
    /// Somebody who is not there, or is there twice.
    #[error("an event names somebody who is not at the table")]
    Player,
    /// A seat that is taken.
    #[error("an event seats two people on one seat")]
    Seat,
}

impl Default for State {
    fn default() -> Self {
        State {
            seq: 0,
            at: 0,
            players: Vec::new(),
            next_player: 1,
            seats: [None; 4],
            bots: [None; 4],
            ready: [false; 4],
            options: Options::default(),
            phase: Phase::Lobby,
            game: None,
            matches: 0,
            rematch: None,
            public: false,
        }
    }
}

impl State {
    /// The number of the newest event applied.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// The stamp of the newest event applied, in table time.
    pub fn at(&self) -> Millis {
        self.at
    }

    /// Everyone at the table, longest there first.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The number the next newcomer gets.
    pub fn next_player(&self) -> PlayerId {
        PlayerId(self.next_player)
    }

    /// The person of that number.
    pub fn player(&self, id: PlayerId) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    /// The host: who has been there longest.
    pub fn host(&self) -> Option<PlayerId> {
        self.players.first().map(|player| player.id)
    }

    /// The person at `seat`.
    pub fn occupant(&self, seat: Seat) -> Option<PlayerId> {
        self.seats[seat.index()]
    }

    /// Where that person sits.
    pub fn seat_of(&self, id: PlayerId) -> Option<Seat> {
        Seat::ALL
            .into_iter()
            .find(|seat| self.seats[seat.index()] == Some(id))
    }

    /// The level of the computer at `seat`, if it sits there.
    pub fn bot(&self, seat: Seat) -> Option<Level> {
        self.bots[seat.index()]
    }

    /// Whether nobody sits at `seat`, neither a person nor the computer.
    pub fn is_free(&self, seat: Seat) -> bool {
        self.occupant(seat).is_none() && self.bot(seat).is_none()
    }

    /// Whether all four seats are occupied.
    pub fn is_full(&self) -> bool {
        Seat::ALL.into_iter().all(|seat| !self.is_free(seat))
    }

    /// On which seats people sit, by the index of the seat.
    pub fn people_seated(&self) -> [bool; 4] {
        self.seats.map(|seat| seat.is_some())
    }

    /// Whether `seat` is ready to start. The computer always is.
    pub fn is_ready(&self, seat: Seat) -> bool {
        self.ready[seat.index()] || self.bot(seat).is_some()
    }

    /// Whether all four are.
    pub fn all_ready(&self) -> bool {
        Seat::ALL.into_iter().all(|seat| self.is_ready(seat))
    }

    /// The options chosen for the next match.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// In which part of its life the table is.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The match being played or just ended.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// How many matches were begun.
    pub fn matches(&self) -> u16 {
        self.matches
    }

    /// Whether the table is on the list for everybody.
    pub fn is_public(&self) -> bool {
        self.public
    }

    /// The rematch somebody wants.
    pub fn rematch(&self) -> Option<&RematchWish> {
        self.rematch.as_ref()
    }

    /// Applies the next event.
    ///
    /// # Errors
    /// When the event does not fit the state; the state may then be half changed and is to be
    /// replaced by a snapshot.
    pub fn apply(&mut self, stamped: &Stamped) -> Result<(), Inconsistent> {
        self.seq += 1;
        self.at = self.at.max(stamped.at);
        let at = stamped.at;
        match &stamped.event {
            Event::Joined { player, name } => {
                if self.player(*player).is_some() {
                    return Err(Inconsistent::Player);
                }
                self.next_player = self.next_player.max(player.0.saturating_add(1));
                self.players.push(Player {
                    id: *player,
                    name: name.clone(),
                });
            }
            Event::Left { player, .. } => {
                self.unseat(*player);
                self.players.retain(|other| other.id != *player);
            }
            Event::Named { player, name } => {
                let player = self
                    .players
                    .iter_mut()
                    .find(|other| other.id == *player)
                    .ok_or(Inconsistent::Player)?;
                player.name.clone_from(name);
            }
            Event::Sat { player, seat } => {
                if self.player(*player).is_none() {
                    return Err(Inconsistent::Player);
                }
                if !self.is_free(*seat) {
                    return Err(Inconsistent::Seat);
                }
                self.unseat(*player);
                self.seats[seat.index()] = Some(*player);
            }
            Event::Stood { player } => self.unseat(*player),
            Event::BotSat { seat, level } => {
                if self.occupant(*seat).is_some() {
                    return Err(Inconsistent::Seat);
                }
                self.bots[seat.index()] = Some(*level);
            }
            Event::BotLeft(seat) => self.bots[seat.index()] = None,
            Event::Swapped(a, b) => {
                self.seats.swap(a.index(), b.index());
                self.bots.swap(a.index(), b.index());
                self.ready[a.index()] = false;
                self.ready[b.index()] = false;
            }
            Event::OptionsSet(options) => {
                self.options = *options;
                self.ready = [false; 4];
            }
            Event::PublicSet(public) => self.public = *public,
            Event::ReadySet { seat, ready } => self.ready[seat.index()] = *ready,
            Event::CountdownBegun { starts_at } => {
                self.phase = Phase::Countdown {
                    starts_at: *starts_at,
                };
            }
            Event::CountdownCancelled => self.open_lobby(),
            Event::Started => {
                self.open_lobby();
                self.matches += 1;
                let names = Seat::ALL.map(|seat| {
                    self.occupant(seat)
                        .and_then(|id| self.player(id))
                        .map_or_else(String::new, |player| player.name.clone())
                });
                self.game = Some(Game::new(
                    MatchNo(self.matches),
                    names,
                    self.bots,
                    self.options,
                    at,
                ));
                self.phase = Phase::Playing;
            }
            Event::RematchWanted { seat, arrangement } => {
                let wish = self
                    .rematch
                    .filter(|wish| wish.arrangement == *arrangement)
                    .unwrap_or(RematchWish {
                        arrangement: *arrangement,
                        wanted: [false; 4],
                    });
                let wish = self.rematch.insert(wish);
                wish.wanted[seat.index()] = true;
            }
            Event::RematchAgreed(arrangement) => {
                let (seats, bots) = (self.seats, self.bots);
                self.open_lobby();
                self.seats = Seat::ALL.map(|seat| seats[arrangement.source(seat).index()]);
                self.bots = Seat::ALL.map(|seat| bots[arrangement.source(seat).index()]);
                self.ready = self.people_seated();
            }
            Event::LobbyOpened => self.open_lobby(),
            Event::Ended(_) => {
                self.phase = Phase::Ended;
                self.apply_to_game(at, &stamped.event)?;
            }
            Event::Played { .. }
            | Event::DrawOffered(_)
            | Event::DrawAgreed(_)
            | Event::DrawClosed(_)
            | Event::Paused(_)
            | Event::ResumeBegun { .. }
            | Event::Resumed => self.apply_to_game(at, &stamped.event)?,
        }
        Ok(())
    }

    fn apply_to_game(&mut self, at: Millis, event: &Event) -> Result<(), Inconsistent> {
        let game = self.game.as_mut().ok_or(Inconsistent::NoMatch)?;
        if game.end.is_some() {
            return Err(Inconsistent::NoMatch);
        }
        match event {
            Event::Played { board, ply, credit } => game.play(PlyRecord {
                board: *board,
                ply: *ply,
                at: game.match_time(at),
                credit: *credit,
            })?,
            Event::DrawOffered(seat) => {
                let mut agreed = [false; 4];
                agreed[seat.index()] = true;
                game.draw = Some(DrawOffer {
                    by: *seat,
                    agreed,
                    lapses_at: at + DRAW_OFFER_MS,
                });
            }
            Event::DrawAgreed(seat) => {
                if let Some(draw) = &mut game.draw {
                    draw.agreed[seat.index()] = true;
                }
            }
            Event::DrawClosed(_) => {
                if let Some(draw) = game.draw.take() {
                    game.offer_again_at[draw.by.index()] = at + DRAW_AGAIN_MS;
                }
            }
            Event::Paused(reason) => {
                // A pause within a pause keeps the instant at which the clocks stopped.
                let since = game.pause.map_or(at, |pause| pause.since);
                game.pause = Some(Pause {
                    reason: *reason,
                    since,
                    resumes_at: None,
                });
            }
            Event::ResumeBegun { resumes_at } => {
                if let Some(pause) = &mut game.pause {
                    pause.resumes_at = Some(*resumes_at);
                }
            }
            Event::Resumed => {
                if let Some(pause) = game.pause.take() {
                    game.origin += at.saturating_sub(pause.since);
                }
            }
            Event::Ended(end) => {
                game.end = Some(*end);
                game.draw = None;
                game.pause = None;
            }
            _ => {}
        }
        Ok(())
    }

    fn unseat(&mut self, player: PlayerId) {
        if let Some(seat) = self.seat_of(player) {
            self.seats[seat.index()] = None;
            self.ready[seat.index()] = false;
            self.rematch = None;
        }
    }

    fn open_lobby(&mut self) {
        self.phase = Phase::Lobby;
        self.ready = [false; 4];
        self.game = None;
        self.rematch = None;
    }
}

/// [`State`] without what can be derived from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    seq: Seq,
    at: Millis,
    players: Vec<Player>,
    next_player: u16,
    seats: [Option<PlayerId>; 4],
    bots: [Option<Level>; 4],
    ready: [bool; 4],
    options: Options,
    phase: Phase,
    game: Option<GameSnapshot>,
    matches: u16,
    rematch: Option<RematchWish>,
    public: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct GameSnapshot {
    no: MatchNo,
    names: [String; 4],
    bots: [Option<Level>; 4],
    options: Options,
    plies: Vec<PlyRecord>,
    origin: Millis,
    pause: Option<Pause>,
    draw: Option<DrawOffer>,
    offer_again_at: [Millis; 4],
    end: Option<End>,
}

impl From<State> for Snapshot {
    fn from(state: State) -> Snapshot {
        Snapshot {
            seq: state.seq,
            at: state.at,
            players: state.players,
            next_player: state.next_player,
            seats: state.seats,
            bots: state.bots,
            ready: state.ready,
            options: state.options,
            phase: state.phase,
            game: state.game.map(|game| GameSnapshot {
                no: game.no,
                names: game.names,
                bots: game.bots,
                options: game.options,
                plies: game.plies,
                origin: game.origin,
                pause: game.pause,
                draw: game.draw,
                offer_again_at: game.offer_again_at,
                end: game.end,
            }),
            matches: state.matches,
            rematch: state.rematch,
            public: state.public,
        }
    }
}

impl TryFrom<Snapshot> for State {
    type Error = Inconsistent;

    fn try_from(snapshot: Snapshot) -> Result<State, Inconsistent> {
        let game = snapshot.game.map(Game::try_from).transpose()?;
        if game.is_none() && matches!(snapshot.phase, Phase::Playing | Phase::Ended) {
            return Err(Inconsistent::NoMatch);
        }
        let state = State {
            seq: snapshot.seq,
            at: snapshot.at,
            players: snapshot.players,
            next_player: snapshot.next_player,
            seats: snapshot.seats,
            bots: snapshot.bots,
            ready: snapshot.ready,
            options: snapshot.options,
            phase: snapshot.phase,
            game,
            matches: snapshot.matches,
            rematch: snapshot.rematch,
            public: snapshot.public,
        };
        let seated = |seat: &Option<PlayerId>| seat.is_none_or(|id| state.player(id).is_some());
        if state.seats.iter().all(seated) {
            Ok(state)
        } else {
            Err(Inconsistent::Player)
        }
    }
}

impl TryFrom<GameSnapshot> for Game {
    type Error = Inconsistent;

    fn try_from(snapshot: GameSnapshot) -> Result<Game, Inconsistent> {
        let mut game = Game::new(
            snapshot.no,
            snapshot.names,
            snapshot.bots,
            snapshot.options,
            snapshot.origin,
        );
        for record in snapshot.plies {
            game.play(record)?;
        }
        game.pause = snapshot.pause;
        game.draw = snapshot.draw;
        game.offer_again_at = snapshot.offer_again_at;
        game.end = snapshot.end;
        Ok(game)
    }
}
