//! Delivery over lines that delay, repeat, reorder, lose and break: the page's end ([`Link`]) and
//! the relay's end for commands ([`Inbox`]).
//!
//! Commands have numbers without gaps and are kept until they are answered. The relay takes them in
//! order, each once; a repeated one gets the answer it had. Events and talk have numbers too: what
//! was seen is dropped, a gap is asked for.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::code::TableCode;
use crate::protocol::{ClientMessage, CommandId, Have, Hello, Here, ServerMessage, Token, VERSION};
use crate::table::{Command, Heard, HouseRules, Lines, Millis, PlayerId, Refusal, Stamped, State};

/// How many commands may be without an answer at the same time.
pub const UNANSWERED_MAX: usize = 32;

/// Too many commands have no answer yet; the line is probably cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("too many commands are waiting for an answer")]
pub struct LinkFull;

#[derive(Clone, Debug)]
struct Unanswered {
    id: CommandId,
    command: Command,
    /// How many beats had come when it was last sent.
    sent_at_beat: u32,
}

/// What reaches the page, in order and once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The page is at the table.
    Welcome {
        /// As which person.
        you: PlayerId,
        /// Table time when it was sent.
        now: Millis,
        /// The grace for absence, in milliseconds.
        absence_grace_ms: Millis,
        /// What the relay lets people do.
        house: HouseRules,
    },
    /// The whole state, instead of the one before.
    State(Box<State>),
    /// The next event.
    Event(Stamped),
    /// New lines of talk.
    Lines(Lines),
    /// What came of a command.
    Answer {
        /// Its number.
        id: CommandId,
        /// The command.
        command: Command,
        /// Whether it was done.
        result: Result<(), Refusal>,
    },
    /// Presence and lag of everyone.
    People(Vec<Here>),
    /// Whether the relay cannot put on record what happens.
    Stuck(bool),
    /// A sign of life.
    Beat {
        /// Table time when it was sent.
        now: Millis,
    },
}

/// The page's end of the line.
#[derive(Clone, Debug)]
pub struct Link {
    session: u32,
    next: CommandId,
    unanswered: VecDeque<Unanswered>,
    have: Option<Have>,
    epoch: u32,
    heard: Heard,
    /// Whether a gap has been asked for and not been filled yet, and at which beat.
    asked_at_beat: Option<u32>,
    beats: u32,
}

impl Link {
    /// A new link; `session` is a random number.
    pub fn new(session: u32) -> Link {
        Link {
            session,
            next: 1,
            unanswered: VecDeque::new(),
            have: None,
            epoch: 0,
            heard: [0; 3],
            asked_at_beat: None,
            beats: 0,
        }
    }

    /// The first frame on a new connection.
    pub fn hello(&self, table: TableCode, token: Token, name: &str) -> ClientMessage {
        ClientMessage::Hello(Hello {
            version: VERSION,
            table,
            token,
            session: self.session,
            next_command: self.unanswered.front().map_or(self.next, |first| first.id),
            name: name.to_owned(),
            have: self.have.map(|have| Have {
                heard: self.heard,
                ..have
            }),
        })
    }

    /// Takes a command; the message is to be sent if there is a connection, and is kept in any case.
    ///
    /// # Errors
    /// When [`UNANSWERED_MAX`] commands have no answer yet; the command is not taken.
    pub fn send(&mut self, command: Command) -> Result<(CommandId, ClientMessage), LinkFull> {
        if self.unanswered.len() >= UNANSWERED_MAX {
            return Err(LinkFull);
        }
        let id = self.next;
        self.next += 1;
        self.unanswered.push_back(Unanswered {
            id,
            command: command.clone(),
            sent_at_beat: self.beats,
        });
        Ok((id, ClientMessage::Command { id, command }))
    }

    /// Takes a message from the relay; gives what it brings, and what is to be sent in return.
    pub fn receive(&mut self, message: ServerMessage) -> (Vec<Delivery>, Vec<ClientMessage>) {
        let mut delivered = Vec::new();
        let mut replies = Vec::new();
        match message {
            ServerMessage::Welcome {
                you,
                epoch,
                now,
                absence_grace_ms,
                house,
            } => {
                if epoch != self.epoch {
                    self.epoch = epoch;
                    self.heard = [0; 3];
                    self.have = None;
                }
                self.asked_at_beat = None;
                delivered.push(Delivery::Welcome {
                    you,
                    now,
                    absence_grace_ms,
                    house,
                });
                self.resend(u32::MAX, &mut replies);
            }
            ServerMessage::Snapshot(state) => {
                // A snapshot that was overtaken by events is of no use.
                if self.have.is_none_or(|have| have.seq < state.seq()) {
                    self.have = Some(self.having(state.seq()));
                    self.asked_at_beat = None;
                    delivered.push(Delivery::State(state));
                }
            }
            ServerMessage::Events { first, events } => match self.have {
                Some(have) if first <= have.seq + 1 => {
                    let seen = (have.seq + 1 - first) as usize;
                    for event in events.into_iter().skip(seen) {
                        let seq = self.have.map_or(0, |have| have.seq) + 1;
                        self.have = Some(self.having(seq));
                        self.asked_at_beat = None;
                        delivered.push(Delivery::Event(event));
                    }
                }
                _ => self.ask(&mut replies),
            },
            ServerMessage::Lines(mut lines) => {
                let heard = self.heard[lines.channel.index()];
                let seen = (heard + 1).saturating_sub(lines.first) as usize;
                if lines.after > heard {
                    self.ask(&mut replies);
                } else if seen < lines.lines.len() {
                    lines.lines.drain(..seen);
                    lines.first = lines.first.max(heard + 1);
                    self.heard[lines.channel.index()] = lines.newest();
                    delivered.push(Delivery::Lines(lines));
                }
            }
            ServerMessage::Answer { id, result } => {
                // Answers count in order, like commands: so what is unanswered has no gaps, and a
                // relay that knows nothing of this session can take it from its first number on. An
                // answer that came before its turn comes again when the command is sent again.
                if let Some(sent) = self.unanswered.pop_front_if(|sent| sent.id == id) {
                    delivered.push(Delivery::Answer {
                        id,
                        command: sent.command,
                        result,
                    });
                }
            }
            ServerMessage::Stuck(stuck) => delivered.push(Delivery::Stuck(stuck)),
            ServerMessage::People(people) => delivered.push(Delivery::People(people)),
            ServerMessage::Beat { now, seq, heard } => {
                delivered.push(Delivery::Beat { now });
                let quiet = self.heard.iter().zip(heard).any(|(&own, said)| own < said);
                if quiet || self.have.is_none_or(|have| have.seq < seq) {
                    self.ask(&mut replies);
                }
                self.resend(self.beats, &mut replies);
                self.beats += 1;
                // Whatever is sent says that the page is alive.
                if replies.is_empty() {
                    replies.push(ClientMessage::Echo);
                }
            }
        }
        (delivered, replies)
    }

    /// The state could not be used: everything is wanted again.
    pub fn forget_state(&mut self) -> ClientMessage {
        self.have = None;
        self.asked_at_beat = Some(self.beats);
        ClientMessage::Resync(self.having(0))
    }

    fn having(&self, seq: u32) -> Have {
        Have {
            epoch: self.epoch,
            seq,
            heard: self.heard,
        }
    }

    fn ask(&mut self, replies: &mut Vec<ClientMessage>) {
        // One question is enough, unless a whole beat has gone by without an answer: then it is asked
        // twice, for the same reason that `resend` has.
        let times = match self.asked_at_beat {
            None => 1,
            Some(beat) if beat < self.beats => 2,
            Some(_) => 0,
        };
        if times > 0 {
            self.asked_at_beat = Some(self.beats);
            let seq = self.have.map_or(0, |have| have.seq);
            let question = ClientMessage::Resync(self.having(seq));
            replies.extend(std::iter::repeat_n(question, times));
        }
    }

    /// Sends again, in order, what was sent before beat `before` and has no answer: all from the
    /// first such command on, since the relay takes none before its predecessor. At every other beat
    /// only the first, lest a line that loses frames in step with the beat always lose the same one.
    fn resend(&mut self, before: u32, replies: &mut Vec<ClientMessage>) {
        if self
            .unanswered
            .front()
            .is_some_and(|first| first.sent_at_beat < before)
        {
            let all = before == u32::MAX || self.beats.is_multiple_of(2);
            let count = if all { UNANSWERED_MAX } else { 1 };
            for sent in self.unanswered.iter_mut().take(count) {
                sent.sent_at_beat = self.beats;
                replies.push(ClientMessage::Command {
                    id: sent.id,
                    command: sent.command.clone(),
                });
            }
        }
    }
}

/// What a command that arrives at the relay is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The next one: to be judged, and its answer told to [`Inbox::answered`].
    Next,
    /// One that was answered before; the answer goes out again.
    Repeated(Result<(), Refusal>),
    /// One from before all that is remembered, or before its predecessor: to be ignored. The page
    /// sends it again when its turn has come.
    OutOfOrder,
}

/// The relay's end of the line for the commands of one person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inbox {
    session: Option<u32>,
    last: CommandId,
    answers: VecDeque<(CommandId, Result<(), Refusal>)>,
}

impl Inbox {
    /// A page says hello: with the session known here numbers go on, with another they begin at
    /// `next_command`. What comes before that has been answered, even if it is not remembered here.
    pub fn hello(&mut self, session: u32, next_command: CommandId) {
        let before = next_command.saturating_sub(1);
        if self.session == Some(session) {
            self.last = self.last.max(before);
        } else {
            self.session = Some(session);
            self.last = before;
            self.answers.clear();
        }
    }

    /// What the command of that number is.
    pub fn arrival(&self, id: CommandId) -> Arrival {
        if self.last.checked_add(1) == Some(id) {
            return Arrival::Next;
        }
        self.answers
            .iter()
            .find(|(answered, _)| *answered == id)
            .map_or(Arrival::OutOfOrder, |&(_, result)| {
                Arrival::Repeated(result)
            })
    }

    /// Remembers the answer to the next command.
    pub fn answered(&mut self, id: CommandId, result: Result<(), Refusal>) {
        self.last = id;
        if self.answers.len() == UNANSWERED_MAX {
            self.answers.pop_front();
        }
        self.answers.push_back((id, result));
    }
}
