//! The world itself: pages, the relay, and the lines between them.

use std::collections::{BTreeMap, BTreeSet};

use tandem_core::link::{Arrival, Inbox};
use tandem_core::protocol::{
    BEAT_MS, ClientMessage, Have, Here, ServerMessage, Token, decode, encode,
};
use tandem_core::replica::{CannotPlay, Notice, Replica};
use tandem_core::table::{Command, Heard, HouseRules, Millis, PlayerId, Refusal, Table};
use tandem_core::tell::{Channel, Words};
use tandem_core::{Ply, Seat, TableCode};

use super::PEERS;
use super::script::{Script, Weather};
use crate::random::Random;

/// A page and its line.
pub(super) struct Peer {
    pub(super) replica: Replica,
    pub(super) token: Token,
    /// Grows with every connection; what belongs to an older one no longer arrives.
    pub(super) connection: u32,
    pub(super) online: bool,
    /// The page's own clock is off by this much.
    pub(super) clock_off: Millis,
    pub(super) heard: BTreeSet<(usize, u32)>,
}

/// The relay's side of a person.
#[derive(Default)]
pub(super) struct Desk {
    pub(super) player: Option<PlayerId>,
    pub(super) inbox: Inbox,
    pub(super) open: Option<u32>,
    pub(super) sent_seq: u32,
    pub(super) sent_lines: Heard,
}

pub(super) enum Packet {
    ToRelay(ClientMessage),
    ToPage(ServerMessage),
}

/// What was said on a team's channel, and to whom it may go.
pub(super) struct Said {
    pub(super) match_no: u16,
    pub(super) seats: [Option<PlayerId>; 4],
    pub(super) text: String,
    pub(super) ended_at: Option<Millis>,
}

pub(super) struct World {
    pub(super) random: Random,
    pub(super) weather: Weather,
    /// How many frames each peer has sent and been sent; those that are never lost do not count.
    pub(super) frames: [[u32; 2]; PEERS],
    pub(super) now: Millis,
    pub(super) table: Table,
    pub(super) peers: Vec<Peer>,
    pub(super) desks: Vec<Desk>,
    /// What is under way, by the instant of its arrival.
    pub(super) lines: BTreeMap<(Millis, u64), (usize, u32, Packet)>,
    pub(super) packets: u64,
    pub(super) next_beat: Millis,
    pub(super) checked_seq: u32,
    pub(super) said: Vec<Said>,
    pub(super) ended: BTreeSet<u16>,
    pub(super) record: Record,
}

/// What happened, to be sure that the worlds are worth visiting.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record {
    pub(super) matches: u32,
    pub(super) plies: u32,
    pub(super) ends: [u32; 8],
    pub(super) refusals: u32,
    pub(super) taken_back: u32,
    pub(super) premoved: u32,
    pub(super) premoves_void: u32,
    pub(super) snapshots: u32,
    pub(super) lines: u32,
    pub(super) pauses: u32,
}

impl World {
    pub(super) fn new(script: &Script) -> World {
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
            frames: [[0; 2]; PEERS],
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

    pub(super) fn local(&self, who: usize) -> Millis {
        self.now + self.peers[who].clock_off
    }

    /// Puts a packet on the line of `who`; the first frame of a connection is never lost, since
    /// without it there is no connection.
    pub(super) fn post(
        &mut self,
        who: usize,
        connection: u32,
        packet: impl Fn() -> Packet,
        sure: bool,
    ) {
        let direction = usize::from(matches!(packet(), Packet::ToPage(_)));
        let frame = &mut self.frames[who][direction];
        *frame += u32::from(!sure);
        let every = self.weather.lost_every;
        let falls_out = every > 0 && frame.is_multiple_of(every);
        let copies = match self.random.below(100) {
            _ if sure => 1,
            _ if falls_out => 0,
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

    pub(super) fn page_sends(&mut self, who: usize, message: &ClientMessage) {
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

    pub(super) fn relay_sends(&mut self, who: usize, message: &ServerMessage) {
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

    pub(super) fn connect(&mut self, who: usize) {
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

    pub(super) fn cut(&mut self, who: usize) {
        self.peers[who].online = false;
        if self.desks[who].open.take().is_some()
            && let Some(player) = self.desks[who].player
        {
            self.table.disconnected(self.now, player);
            self.broadcast();
        }
    }

    /// Lets time go by, with everything that arrives and falls due meanwhile.
    pub(super) fn wait(&mut self, ms: Millis) {
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

    pub(super) fn beat(&mut self) {
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

    pub(super) fn arrive(&mut self, who: usize, connection: u32, packet: Packet) {
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
                    self.no_premove_is_late(who);
                    for reply in replies {
                        self.page_sends(who, &reply);
                    }
                }
            }
        }
    }

    /// Whoever has the turn has no premove left but a drop that waits for its piece.
    fn no_premove_is_late(&self, who: usize) {
        let replica = &self.peers[who].replica;
        let (Some(seat), Some(boards), Some(&first)) =
            (replica.seat(), replica.boards(), replica.premoves().first())
        else {
            return;
        };
        if replica.is_my_turn() && !replica.is_decided() {
            let position = boards.position(seat.board());
            let full = replica.clone().play(first, 0);
            assert!(
                matches!(first, Ply::Drop { role, .. } if position.hand(seat.color()).count(role) == 0)
                    || matches!(full, Err(CannotPlay::Link(_))),
                "peer {who} has the turn and {first} still lined up"
            );
        }
    }

    pub(super) fn notice(&mut self, who: usize, notices: &[Notice]) {
        for notice in notices {
            match notice {
                Notice::Refused { .. } => self.record.refusals += 1,
                Notice::TakenBack { .. } => self.record.taken_back += 1,
                Notice::Premoved(_) => self.record.premoved += 1,
                Notice::PremovesVoid => self.record.premoves_void += 1,
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
    pub(super) fn may_know(&self, who: usize, text: &str) {
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

    pub(super) fn relay_takes(&mut self, who: usize, connection: u32, message: ClientMessage) {
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
                    house: HouseRules::default(),
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

    pub(super) fn judge(&mut self, player: PlayerId, command: Command) -> Result<(), Refusal> {
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

    pub(super) fn resync(&mut self, who: usize, have: Option<Have>) {
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
    pub(super) fn broadcast(&mut self) {
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
                self.desks[who].sent_lines[lines.channel.index()] = lines.newest();
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
}
