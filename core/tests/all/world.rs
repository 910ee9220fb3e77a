//! One authority, four players and a spectator in one process, over lines that delay, repeat,
//! reorder, lose and break, through random lives of a table: people sit, play, offer, talk, leave,
//! come back and do wrong things. A seed names a world; a failing one is shrunk to a short script.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tandem_core::link::{Arrival, Inbox};
use tandem_core::protocol::{
    BEAT_MS, ClientMessage, Have, Here, ServerMessage, Token, decode, encode,
};
use tandem_core::replica::{CannotPlay, Notice, Replica};
use tandem_core::table::{
    Arrangement, Command, Event, Heard, MatchNo, Millis, PauseReason, Phase, PlayerId, Table,
};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{
    BoardId, Color, Match, Options, Ply, Role, Seat, Square, Status, TableCode, Team,
};

use crate::random::Random;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// How many worlds a plain test run visits; `TANDEM_WORLDS` asks for more.
const WORLDS: u64 = 400;

/// Four players and a spectator.
const PEERS: usize = 5;

/// One step of a script.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Do what a well-meaning person would: sit, get ready, play a legal ply, want a rematch.
    Act {
        who: usize,
        pick: u32,
    },
    /// Something less usual: offers, talk, standing up, leaving, resigning.
    Odd {
        who: usize,
        pick: u32,
    },
    /// Something wrong: plies that are late, foreign, illegal or repeated, commands out of place.
    Wrong {
        who: usize,
        pick: u32,
    },
    /// Time goes by.
    Wait {
        ms: u32,
    },
    /// A line breaks.
    Cut {
        who: usize,
    },
    /// A broken line is there again.
    Back {
        who: usize,
    },
    /// Play is paused from outside, or the reason is gone.
    Pause {
        restart: bool,
    },
    Unblock,
}

/// How bad the lines of a world are.
#[derive(Clone, Copy, Debug)]
struct Weather {
    delay_ms: u32,
    lost_percent: u32,
    repeated_percent: u32,
}

/// A script with the seed of its chances.
#[derive(Clone, Debug)]
struct Script {
    seed: u64,
    weather: Weather,
    steps: Vec<Step>,
}

impl Script {
    fn new(seed: u64) -> Script {
        let mut random = Random::new(seed);
        let weather = match random.below(4) {
            0 => Weather {
                delay_ms: 1,
                lost_percent: 0,
                repeated_percent: 0,
            },
            1 => Weather {
                delay_ms: 120,
                lost_percent: 0,
                repeated_percent: 10,
            },
            2 => Weather {
                delay_ms: 400,
                lost_percent: 15,
                repeated_percent: 10,
            },
            _ => Weather {
                delay_ms: 2_500,
                lost_percent: 33,
                repeated_percent: 20,
            },
        };
        // Every third world has no cuts, so that long matches happen too.
        let calm = seed.is_multiple_of(3);
        let steps = (0..600 + random.below(1_400))
            .map(|_| {
                let who = random.below(PEERS as u32) as usize;
                let pick = random.next() as u32;
                match random.below(100) {
                    0..72 => Step::Act { who, pick },
                    72..75 => Step::Odd { who, pick },
                    75..78 => Step::Wrong { who, pick },
                    78..96 => Step::Wait {
                        ms: 1 << random.below(11),
                    },
                    96 if random.below(4) == 0 => Step::Wait {
                        ms: random.below(20_000),
                    },
                    97 if !calm && random.below(2) == 0 => Step::Cut { who },
                    98 if !calm => Step::Back { who },
                    99 if !calm => match random.below(3) {
                        0 => Step::Pause { restart: true },
                        1 => Step::Pause { restart: false },
                        _ => Step::Unblock,
                    },
                    _ => Step::Act { who, pick },
                }
            })
            .collect();
        Script {
            seed,
            weather,
            steps,
        }
    }
}

/// A page and its line.
struct Peer {
    replica: Replica,
    token: Token,
    /// Grows with every connection; what belongs to an older one no longer arrives.
    connection: u32,
    online: bool,
    /// The page's own clock is off by this much.
    clock_off: Millis,
    heard: BTreeSet<(usize, u32)>,
}

/// The relay's side of a person.
#[derive(Default)]
struct Desk {
    player: Option<PlayerId>,
    inbox: Inbox,
    open: Option<u32>,
    sent_seq: u32,
    sent_lines: Heard,
}

enum Packet {
    ToRelay(ClientMessage),
    ToPage(ServerMessage),
}

/// What was said on a team's channel, and to whom it may go.
struct Said {
    match_no: u16,
    seats: [Option<PlayerId>; 4],
    text: String,
    ended_at: Option<Millis>,
}

struct World {
    random: Random,
    weather: Weather,
    now: Millis,
    table: Table,
    peers: Vec<Peer>,
    desks: Vec<Desk>,
    /// What is under way, by the instant of its arrival.
    lines: BTreeMap<(Millis, u64), (usize, u32, Packet)>,
    packets: u64,
    next_beat: Millis,
    checked_seq: u32,
    said: Vec<Said>,
    ended: BTreeSet<u16>,
    record: Record,
}

/// What happened, to be sure that the worlds are worth visiting.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    matches: u32,
    plies: u32,
    ends: [u32; 8],
    refusals: u32,
    taken_back: u32,
    snapshots: u32,
    lines: u32,
    pauses: u32,
}

impl World {
    fn new(script: &Script) -> World {
        let mut random = Random::new(script.seed ^ 0x5EED);
        let peers = (0..PEERS)
            .map(|who| Peer {
                replica: Replica::new(random.next() as u32),
                token: Token([who as u8; 16]),
                connection: 0,
                online: false,
                clock_off: Millis::from(random.below(1 << 30)),
                heard: BTreeSet::new(),
            })
            .collect();
        World {
            random,
            weather: script.weather,
            now: 0,
            table: Table::new(),
            peers,
            desks: (0..PEERS).map(|_| Desk::default()).collect(),
            lines: BTreeMap::new(),
            packets: 0,
            next_beat: BEAT_MS,
            checked_seq: 0,
            said: Vec::new(),
            ended: BTreeSet::new(),
            record: Record::default(),
        }
    }

    fn local(&self, who: usize) -> Millis {
        self.now + self.peers[who].clock_off
    }

    /// Puts a packet on the line of `who`; the first frame of a connection is never lost, since
    /// without it there is no connection.
    fn post(&mut self, who: usize, connection: u32, packet: impl Fn() -> Packet, sure: bool) {
        let copies = match self.random.below(100) {
            _ if sure => 1,
            n if n < self.weather.lost_percent => 0,
            n if n < self.weather.lost_percent + self.weather.repeated_percent => 2,
            _ => 1,
        };
        for _ in 0..copies {
            let delay = if sure {
                0
            } else {
                self.random.below(self.weather.delay_ms + 1)
            };
            self.packets += 1;
            self.lines.insert(
                (self.now + Millis::from(delay), self.packets),
                (who, connection, packet()),
            );
        }
    }

    fn page_sends(&mut self, who: usize, message: &ClientMessage) {
        // Bytes are made and read, so that what travels is what the protocol can carry.
        let bytes = encode(message);
        let sure = matches!(message, ClientMessage::Hello(_));
        if self.peers[who].online {
            let connection = self.peers[who].connection;
            self.post(
                who,
                connection,
                || Packet::ToRelay(decode(&bytes).expect("a message survives its bytes")),
                sure,
            );
        }
    }

    fn relay_sends(&mut self, who: usize, message: &ServerMessage) {
        let bytes = encode(message);
        let sure = matches!(message, ServerMessage::Welcome { .. });
        if let Some(connection) = self.desks[who].open {
            self.post(
                who,
                connection,
                || Packet::ToPage(decode(&bytes).expect("a message survives its bytes")),
                sure,
            );
        }
    }

    fn connect(&mut self, who: usize) {
        if !self.peers[who].online {
            let peer = &mut self.peers[who];
            peer.online = true;
            peer.connection += 1;
            let hello = peer
                .replica
                .hello(TableCode::from_random(1), peer.token, "Anna");
            self.page_sends(who, &hello);
        }
    }

    fn cut(&mut self, who: usize) {
        self.peers[who].online = false;
        if self.desks[who].open.take().is_some()
            && let Some(player) = self.desks[who].player
        {
            self.table.disconnected(self.now, player);
            self.broadcast();
        }
    }

    /// Lets time go by, with everything that arrives and falls due meanwhile.
    fn wait(&mut self, ms: Millis) {
        let until = self.now + ms;
        loop {
            let packet = self.lines.first_key_value().map(|((at, _), _)| *at);
            let timer = self.table.next_deadline();
            let next = [packet, timer, Some(self.next_beat)]
                .into_iter()
                .flatten()
                .min()
                .unwrap_or(until);
            if next > until {
                break;
            }
            self.now = self.now.max(next);
            if packet == Some(next) {
                if let Some((_, (who, connection, packet))) = self.lines.pop_first() {
                    self.arrive(who, connection, packet);
                }
            } else if timer == Some(next) {
                self.table.tick(self.now);
                self.broadcast();
            } else {
                self.beat();
            }
        }
        self.now = until;
    }

    fn beat(&mut self) {
        self.next_beat = self.now + BEAT_MS;
        for who in 0..PEERS {
            if let (Some(player), Some(_)) = (self.desks[who].player, self.desks[who].open) {
                let lag = self.random.below(2 * self.weather.delay_ms + 1);
                self.table.measured(player, lag);
                let beat = ServerMessage::Beat {
                    now: self.now,
                    seq: self.table.state().seq(),
                    heard: self.table.heard_by(player),
                };
                self.relay_sends(who, &beat);
            }
        }
    }

    fn arrive(&mut self, who: usize, connection: u32, packet: Packet) {
        match packet {
            Packet::ToRelay(message) => {
                let current = self.peers[who].connection == connection && self.peers[who].online;
                if current {
                    self.relay_takes(who, connection, message);
                    self.broadcast();
                }
            }
            Packet::ToPage(message) => {
                if self.peers[who].connection == connection && self.peers[who].online {
                    let local = self.local(who);
                    if matches!(message, ServerMessage::Snapshot(_)) {
                        self.record.snapshots += 1;
                    }
                    let (notices, replies) = self.peers[who].replica.receive(message, local);
                    self.notice(who, &notices);
                    for reply in replies {
                        self.page_sends(who, &reply);
                    }
                }
            }
        }
    }

    fn notice(&mut self, who: usize, notices: &[Notice]) {
        for notice in notices {
            match notice {
                Notice::Refused { .. } => self.record.refusals += 1,
                Notice::TakenBack { .. } => self.record.taken_back += 1,
                Notice::Lines(lines) => {
                    for (number, line) in (lines.first..).zip(&lines.lines) {
                        let new = self.peers[who]
                            .heard
                            .insert((lines.channel.index(), number));
                        assert!(new, "peer {who} hears line {number} twice");
                        self.record.lines += 1;
                        if let Words::Text(text) = &line.words {
                            self.may_know(who, text);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A line of a team was heard: by the team itself, or by a spectator after the end.
    fn may_know(&self, who: usize, text: &str) {
        let Some(said) = self.said.iter().find(|said| said.text == text) else {
            return;
        };
        let me = self.desks[who].player;
        let speaker = Seat::ALL
            .into_iter()
            .find(|seat| text.starts_with(&format!("{seat}:")))
            .expect("the text names its seat");
        let own = [speaker, speaker.partner()].map(|seat| said.seats[seat.index()]);
        let ended = said.ended_at.is_some_and(|at| at <= self.now);
        assert!(
            own.contains(&me) || ended,
            "peer {who} hears {text:?} of match {} before its end",
            said.match_no
        );
    }

    fn relay_takes(&mut self, who: usize, connection: u32, message: ClientMessage) {
        let now = self.now;
        match message {
            ClientMessage::Hello(hello) => {
                let gone = self.desks[who]
                    .player
                    .is_none_or(|id| self.table.state().player(id).is_none());
                if gone {
                    let player = self.table.join(now, &hello.name).expect("five people fit");
                    self.desks[who] = Desk {
                        player: Some(player),
                        ..Desk::default()
                    };
                }
                let player = self.desks[who].player.expect("just joined");
                self.desks[who].open = Some(connection);
                self.table.connected(now, player);
                self.desks[who]
                    .inbox
                    .hello(hello.session, hello.next_command);
                let welcome = ServerMessage::Welcome {
                    you: player,
                    epoch: 7,
                    now,
                    absence_grace_ms: 60_000,
                };
                self.relay_sends(who, &welcome);
                self.resync(who, hello.have);
            }
            ClientMessage::Command { id, command } => {
                let player = self.desks[who].player.expect("hello comes first");
                let result = match self.desks[who].inbox.arrival(id) {
                    Arrival::OutOfOrder => return,
                    Arrival::Repeated(result) => result,
                    Arrival::Next => {
                        let result = self.judge(player, command);
                        self.desks[who].inbox.answered(id, result);
                        result
                    }
                };
                self.relay_sends(who, &ServerMessage::Answer { id, result });
            }
            ClientMessage::Echo => {}
            ClientMessage::Resync(have) => self.resync(who, Some(have)),
        }
    }

    fn judge(
        &mut self,
        player: PlayerId,
        command: Command,
    ) -> Result<(), tandem_core::table::Refusal> {
        self.table.tick(self.now);
        let before = self.table.state().clone();
        let said = match &command {
            Command::Say(Channel::TeamOne | Channel::TeamTwo, Words::Text(text)) => {
                Some(text.clone())
            }
            _ => None,
        };
        let counts = match &command {
            Command::Play {
                match_no,
                board,
                answers,
                ..
            } => before.game().is_some_and(|game| {
                game.no() == *match_no
                    && game.end().is_none()
                    && game.boards().plies(*board) == *answers
                    && before.seat_of(player).map(|seat| seat.board()) == Some(*board)
            }),
            _ => true,
        };
        let result = self.table.handle(self.now, player, command);
        assert!(
            counts || result.is_err(),
            "only the next ply of its board counts"
        );
        if result.is_err() {
            assert_eq!(self.table.state(), &before, "a refusal changes nothing");
        } else if let Some(text) = said {
            self.said.push(Said {
                match_no: self.table.state().matches(),
                seats: Seat::ALL.map(|seat| self.table.state().occupant(seat)),
                text,
                ended_at: None,
            });
        }
        result
    }

    fn resync(&mut self, who: usize, have: Option<Have>) {
        let have = have.filter(|have| have.epoch == 7);
        let seq = have.map_or(0, |have| have.seq);
        // Only somebody with a state can use events, and not all events are kept.
        let events = (seq > 0).then(|| self.table.events_since(seq).map(|e| e.cloned().collect()));
        let message = match events.flatten() {
            Some(events) => ServerMessage::Events {
                first: seq + 1,
                events,
            },
            None => ServerMessage::Snapshot(Box::new(self.table.state().clone())),
        };
        self.relay_sends(who, &message);
        self.desks[who].sent_seq = self.table.state().seq();
        self.desks[who].sent_lines = have.map_or([0; 3], |have| have.heard);
        let people = self
            .table
            .state()
            .players()
            .iter()
            .map(|player| Here {
                player: player.id,
                away_since: self.table.away_since(player.id),
                lag_ms: self.table.lag(player.id) as u16,
            })
            .collect();
        self.relay_sends(who, &ServerMessage::People(people));
    }

    /// Sends everyone what is new, and checks the invariants at every new event.
    fn broadcast(&mut self) {
        self.check();
        for who in 0..PEERS {
            let Some(player) = self.desks[who]
                .player
                .filter(|_| self.desks[who].open.is_some())
            else {
                continue;
            };
            let first = self.desks[who].sent_seq + 1;
            if first <= self.table.state().seq() {
                let events = self
                    .table
                    .events_since(first - 1)
                    .expect("what was just made is kept")
                    .cloned()
                    .collect();
                self.relay_sends(who, &ServerMessage::Events { first, events });
                self.desks[who].sent_seq = self.table.state().seq();
            }
            let heard = self.desks[who].sent_lines;
            for lines in self.table.lines_since(player, heard).collect::<Vec<_>>() {
                self.desks[who].sent_lines[lines.channel.index()] =
                    lines.first + lines.lines.len() as u32 - 1;
                self.relay_sends(who, &ServerMessage::Lines(lines));
            }
            if self.table.state().player(player).is_none() {
                // Whoever left is disconnected, and may come again as somebody new.
                self.desks[who] = Desk::default();
                self.peers[who].online = false;
                self.peers[who].replica = Replica::new(self.random.next() as u32);
                self.peers[who].heard.clear();
            }
        }
    }

    fn check(&mut self) {
        let state = self.table.state();
        let new: Vec<_> = self
            .table
            .events_since(self.checked_seq)
            .expect("every event is checked soon after it happened")
            .cloned()
            .collect();
        for stamped in &new {
            match &stamped.event {
                Event::Started => self.record.matches += 1,
                Event::Played { .. } => self.record.plies += 1,
                Event::Paused(_) => self.record.pauses += 1,
                Event::Ended(end) => {
                    let rule = tandem_core::EndRule::ALL
                        .iter()
                        .position(|r| *r == end.rule);
                    self.record.ends[rule.expect("a rule")] += 1;
                    assert!(self.ended.insert(state.matches()), "a match ends once");
                    for said in &mut self.said {
                        if said.match_no == state.matches() {
                            said.ended_at = Some(self.now);
                        }
                    }
                }
                _ => {}
            }
        }
        self.checked_seq = state.seq();
        let Some(game) = state.game() else {
            return;
        };
        if game.options().increment_ms == 0 {
            let at = game.match_time(self.now);
            let [aw, ab, bw, bb] = Seat::ALL.map(|seat| game.clocks().left(seat, at));
            assert_eq!(aw + ab, bw + bb, "both boards have the same time");
        }
        assert_eq!(
            pieces(game.boards()),
            pieces(&Match::new(game.options().rules))
        );
        assert_eq!(
            game.plies().len(),
            usize::from(game.boards().plies(BoardId::A) + game.boards().plies(BoardId::B))
        );
    }

    fn send(&mut self, who: usize, command: Command) {
        if let Ok(message) = self.peers[who].replica.send(command) {
            self.page_sends(who, &message);
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Act { who, pick } => self.act(who, pick),
            Step::Odd { who, pick } => self.odd(who, pick),
            Step::Wrong { who, pick } => self.wrong(who, pick),
            Step::Wait { ms } => self.wait(Millis::from(ms)),
            Step::Cut { who } => self.cut(who),
            Step::Back { who } => self.connect(who),
            Step::Pause { restart } => {
                let reason = if restart {
                    PauseReason::RelayRestarted
                } else {
                    PauseReason::DiskFull
                };
                self.table.pause(self.now, reason);
                self.broadcast();
            }
            Step::Unblock => {
                self.table.unblock(self.now);
                self.broadcast();
            }
        }
        self.wait(1);
    }

    fn act(&mut self, who: usize, pick: u32) {
        // Whoever is cut off goes on playing on the own screen.
        if !self.peers[who].online && pick.is_multiple_of(3) {
            self.connect(who);
        }
        let Some(state) = self.peers[who].replica.state().cloned() else {
            return;
        };
        match (state.phase(), self.peers[who].replica.seat()) {
            (Phase::Lobby, None) if who < 4 => {
                let free: Vec<Seat> = Seat::ALL
                    .into_iter()
                    .filter(|seat| state.occupant(*seat).is_none() || pick.is_multiple_of(9))
                    .collect();
                if !free.is_empty() {
                    self.send(who, Command::Sit(free[pick as usize % free.len()]));
                }
            }
            (Phase::Lobby, Some(seat)) if !state.is_ready(seat) => {
                self.send(who, Command::SetReady(true));
            }
            (Phase::Playing, Some(seat)) => {
                let Some(boards) = self.peers[who].replica.boards() else {
                    return;
                };
                let plies = boards.position(seat.board()).legal_plies();
                if !plies.is_empty() && self.peers[who].replica.is_my_turn() {
                    let mates = |ply: &&Ply| {
                        let mut after = *boards.position(seat.board());
                        after.play(**ply).is_ok() && after.status() == Status::Checkmate
                    };
                    // Random play hardly ever mates, so mates are sought now and then.
                    let ply = match plies.iter().find(mates) {
                        Some(mate) if pick.is_multiple_of(4) => *mate,
                        _ => plies[pick as usize % plies.len()],
                    };
                    let local = self.local(who);
                    let decided = boards.judge(None).is_some();
                    match self.peers[who].replica.play(ply, local) {
                        Ok(message) => {
                            let shown = self.peers[who].replica.boards().expect("still a match");
                            assert_eq!(
                                shown.plies(seat.board()),
                                boards.plies(seat.board()) + 1,
                                "the own ply is shown at once"
                            );
                            self.page_sends(who, &message);
                        }
                        // In bad weather many commands are without an answer.
                        Err(CannotPlay::Link(_)) => {}
                        Err(error) => assert!(decided, "{error}"),
                    }
                }
            }
            (Phase::Ended, Some(_)) => {
                let no = MatchNo(state.matches());
                let arrangement = match self.random.below(3) {
                    0 => Arrangement::SwapColors,
                    1 => Arrangement::SwapPartners,
                    _ => Arrangement::Same,
                };
                let command = match pick % 8 {
                    _ if !state.is_full() => Command::ToLobby(no),
                    0 => Command::Rematch(no, arrangement),
                    _ => Command::Rematch(
                        no,
                        state
                            .rematch()
                            .map_or(Arrangement::Same, |wish| wish.arrangement),
                    ),
                };
                self.send(who, command);
            }
            _ => {}
        }
    }

    fn odd(&mut self, who: usize, pick: u32) {
        let Some(state) = self.peers[who].replica.state().cloned() else {
            return;
        };
        let no = MatchNo(state.matches());
        let seat = self.peers[who].replica.seat();
        let command = match pick % 24 {
            // What upsets the seating plan is rare, or nothing would ever begin.
            0 | 14 | 15 if !(pick / 24).is_multiple_of(8) => Command::SetReady(true),
            0 => Command::Stand,
            1 if pick.is_multiple_of(5) => Command::Leave,
            2 if pick.is_multiple_of(7) => Command::Resign(no),
            3..=5 => Command::OfferDraw(no),
            6..=10 => Command::AcceptDraw(no),
            11 => Command::DeclineDraw(no),
            12 => Command::WithdrawDraw(no),
            13 => Command::SetName(format!("  Name {} ", pick % 3)),
            14 => Command::Swap(Seat::ALL[(pick / 24) as usize % 4], Seat::BWhite),
            15 => Command::SetOptions(Options {
                base_ms: 30_000 + (pick % 1_000),
                increment_ms: if pick.is_multiple_of(4) { 1_000 } else { 0 },
                ..Options::default()
            }),
            16 => Command::Say(Channel::Everyone, Words::Tell(Tell::Thanks)),
            _ => {
                let Some(seat) = seat else {
                    return;
                };
                let channel = match seat.team() {
                    Team::One => Channel::TeamOne,
                    Team::Two => Channel::TeamTwo,
                };
                let text = format!("{seat}:{pick}:{}", self.now);
                Command::Say(channel, Words::Text(text))
            }
        };
        self.send(who, command);
    }

    fn wrong(&mut self, who: usize, pick: u32) {
        let Some(state) = self.peers[who].replica.state().cloned() else {
            return;
        };
        let matches = state.matches();
        let any_ply = Ply::Move {
            from: Square::new((pick % 64) as u8).expect("below 64"),
            // Never the same square: such a ply cannot even be written.
            to: Square::new(((pick + 1 + pick / 64 % 63) % 64) as u8).expect("below 64"),
            promotion: None,
        };
        let any_drop = Ply::Drop {
            role: Role::Queen,
            to: Square::new((pick % 64) as u8).expect("below 64"),
        };
        let board = if pick.is_multiple_of(2) {
            BoardId::A
        } else {
            BoardId::B
        };
        let answers = state.game().map_or(0, |game| game.boards().plies(board));
        let command = match pick % 9 {
            // Late, early, on a foreign board, in another match, out of turn, against the rules.
            0 => play(matches, board, answers.wrapping_sub(1), any_ply),
            1 => play(matches, board, answers + 1, any_ply),
            2 => play(matches, board.other(), answers, any_ply),
            3 => play(matches.wrapping_sub(1), board, answers, any_ply),
            4 => play(matches + 1, board, answers, any_drop),
            5 => play(matches, board, answers, any_drop),
            6 => Command::Resign(MatchNo(matches.wrapping_sub(1))),
            7 => Command::Remove(PlayerId(pick as u16)),
            _ => Command::Rematch(MatchNo(matches + 1), Arrangement::Same),
        };
        self.send(who, command);
    }

    /// Calm weather, everyone back: now all must agree.
    fn settle(&mut self) {
        self.weather = Weather {
            delay_ms: 0,
            lost_percent: 0,
            repeated_percent: 0,
        };
        self.table.unblock(self.now);
        self.broadcast();
        for _ in 0..4 {
            for who in 0..PEERS {
                self.connect(who);
            }
            self.wait(3 * BEAT_MS);
        }
        for (who, peer) in self.peers.iter().enumerate() {
            assert!(peer.online, "peer {who} stays connected in calm weather");
            assert_eq!(
                peer.replica.state(),
                Some(self.table.state()),
                "the replica of peer {who} equals the authority"
            );
            assert_eq!(
                peer.replica.pending(),
                None,
                "nothing of peer {who} is pending"
            );
            assert_eq!(
                peer.replica.boards().as_ref(),
                self.table.state().game().map(|game| game.boards()),
            );
            // What the team said in this match has reached both of it.
            let player = self.desks[who].player.expect("connected");
            let last = self.table.heard_by(player);
            for channel in Channel::ALL {
                if last[channel.index()] > 0 {
                    assert!(
                        peer.heard
                            .contains(&(channel.index(), last[channel.index()])),
                        "peer {who} has heard all of {channel:?}"
                    );
                }
            }
            if self.table.state().phase() == Phase::Playing {
                for seat in Seat::ALL {
                    let game = self.table.state().game().expect("a match is being played");
                    let (shown, _) = peer.replica.clock(seat, self.local(who)).expect("a clock");
                    let true_clock = game.clock(seat, self.now);
                    assert!(
                        shown >= true_clock && shown <= true_clock + 20,
                        "peer {who} sees {shown} ms of {seat}, it has {true_clock}"
                    );
                }
            }
        }
    }
}

fn play(match_no: u16, board: BoardId, answers: u16, ply: Ply) -> Command {
    Command::Play {
        match_no: MatchNo(match_no),
        board,
        answers,
        ply,
    }
}

/// How many pieces of each kind there are on both boards and in all hands; promoted ones are pawns.
fn pieces(boards: &Match) -> BTreeMap<(bool, char), u32> {
    let mut count = BTreeMap::new();
    for position in BoardId::ALL.map(|board| boards.position(board)) {
        for square in Square::all() {
            if let Some(piece) = position.piece_at(square) {
                let role = if position.is_promoted(square) {
                    Role::Pawn
                } else {
                    piece.role
                };
                *count
                    .entry((piece.color == Color::White, role.letter()))
                    .or_insert(0) += 1;
            }
        }
        for color in [Color::White, Color::Black] {
            for role in Role::HAND {
                let held = u32::from(position.hand(color).count(role));
                if held > 0 {
                    *count
                        .entry((color == Color::White, role.letter()))
                        .or_insert(0) += held;
                }
            }
        }
    }
    count
}

fn live(script: &Script) -> Record {
    let mut world = World::new(script);
    for who in 0..PEERS {
        world.connect(who);
    }
    if script.seed.is_multiple_of(2) {
        // Short of time, so that flags fall.
        world.wait(100);
        let options = Options {
            base_ms: 30_000,
            ..Options::default()
        };
        world.send(0, Command::SetOptions(options));
    }
    for &step in &script.steps {
        world.step(step);
    }
    world.settle();
    world.record
}

/// Whether a script fails, with the message.
fn fails(script: &Script) -> Option<String> {
    catch_unwind(AssertUnwindSafe(|| live(script)))
        .err()
        .map(|panic| {
            panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
                .unwrap_or_default()
        })
}

/// Leaves out steps as long as the script still fails: halves first, single steps last.
fn shrink(mut script: Script) -> Script {
    let mut size = script.steps.len().div_ceil(2).max(1);
    loop {
        let mut from = 0;
        while from < script.steps.len() {
            let mut shorter = script.clone();
            shorter
                .steps
                .drain(from..(from + size).min(script.steps.len()));
            if fails(&shorter).is_some() {
                script = shorter;
            } else {
                from += size;
            }
        }
        if size == 1 {
            return script;
        }
        size = size.div_ceil(2);
    }
}

#[test]
fn every_replica_equals_the_authority_whatever_the_lines_do() {
    let worlds = std::env::var("TANDEM_WORLDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(WORLDS);
    let first = std::env::var("TANDEM_WORLD_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let mut total = Record::default();
    for seed in first..first + worlds {
        let script = Script::new(seed);
        match catch_unwind(AssertUnwindSafe(|| live(&script))) {
            Ok(record) => {
                total.matches += record.matches;
                total.plies += record.plies;
                total.refusals += record.refusals;
                total.taken_back += record.taken_back;
                total.snapshots += record.snapshots;
                total.lines += record.lines;
                total.pauses += record.pauses;
                for (sum, count) in total.ends.iter_mut().zip(record.ends) {
                    *sum += count;
                }
            }
            Err(_) => {
                std::panic::set_hook(Box::new(|_| {}));
                let short = shrink(script);
                let message = fails(&short).unwrap_or_default();
                let _ = std::panic::take_hook();
                panic!(
                    "world {seed} fails: {message}\nthe shortest script that still fails: {short:#?}"
                );
            }
        }
    }
    println!("worlds {first} to {}: {total:?}", first + worlds - 1);
    if worlds >= WORLDS {
        assert!(
            u64::from(total.matches) >= worlds,
            "worlds see matches: {total:?}"
        );
        assert!(
            u64::from(total.plies) > 20 * worlds,
            "matches have plies: {total:?}"
        );
        assert!(total.refusals > 0 && total.taken_back > 0, "{total:?}");
        assert!(
            total.snapshots > 0 && total.lines > 0 && total.pauses > 0,
            "{total:?}"
        );
    }
}
