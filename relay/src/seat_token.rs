//! Who is who at a table: secret tokens, compared without telling by the time it takes how much of
//! one was right.

use std::collections::VecDeque;

use bytes::Bytes;
use subtle::ConstantTimeEq as _;
use tandem_core::link::Inbox;
use tandem_core::protocol::{Close, Token};
use tandem_core::table::{Heard, PlayerId};
use tokio::time::Instant;

use crate::journal::Seated;
use crate::limits;
use crate::line::{Line, LineId};

/// A person at a table, as the relay knows them. The table itself knows nothing of tokens and lines.
#[derive(Debug)]
pub(crate) struct Person {
    pub(crate) player: PlayerId,
    token: Token,
    /// The commands of this person, each taken once.
    pub(crate) inbox: Inbox,
    /// The connection in charge; older ones are closed.
    pub(crate) attached: Option<Attached>,
}

/// The connection of a person.
#[derive(Debug)]
pub(crate) struct Attached {
    line: Line,
    /// Of which page load it is.
    pub(crate) session: u32,
    /// What is to be sent together: one write to a socket costs more than all else at a ply.
    held: Vec<Bytes>,
    /// Which talk has been sent on it.
    pub(crate) heard: Heard,
    /// When the page last gave a sign of life.
    pub(crate) alive_at: Instant,
    /// Whether its queue has been full: then frames are missing, and it must be closed.
    pub(crate) is_slow: bool,
}

impl Attached {
    pub(crate) fn new(line: Line, session: u32) -> Attached {
        Attached {
            line,
            session,
            held: Vec::new(),
            heard: [0; 3],
            alive_at: Instant::now(),
            is_slow: false,
        }
    }

    /// Has a frame go out with the next [`flush`](Attached::flush).
    pub(crate) fn send(&mut self, frame: Bytes) {
        self.held.push(frame);
    }

    /// Has a ping go out with the next [`flush`](Attached::flush).
    pub(crate) fn ping(&mut self) {
        self.held.push(self.line.ping());
    }

    /// Sends what is held, unless something before it found no room.
    pub(crate) fn flush(&mut self) {
        let sent = match self.held.as_slice() {
            [] => return,
            [frame] => self.line.send(frame),
            frames => self.line.send(&frames.concat()),
        };
        self.is_slow = self.is_slow || sent.is_err();
        self.held.clear();
    }

    /// Closes the connection behind what has been sent.
    pub(crate) fn close(mut self, reason: Close) {
        self.flush();
        self.line.close(reason);
    }
}

/// Everyone at a table, and those who were sent away. The core bounds how many join.
#[derive(Debug, Default)]
pub(crate) struct People {
    list: Vec<Person>,
    barred: VecDeque<Token>,
}

impl People {
    /// People who have been away with the relay, and are not back yet.
    pub(crate) fn restored(seated: Vec<Seated>, barred: Vec<Token>) -> People {
        let list = seated
            .into_iter()
            .map(|seated| Person {
                player: seated.player,
                token: seated.token,
                inbox: seated.inbox,
                attached: None,
            })
            .collect();
        People {
            list,
            barred: barred.into(),
        }
    }

    /// What is to be known of them to take them up again.
    pub(crate) fn seated(&self) -> Vec<Seated> {
        self.list
            .iter()
            .map(|person| Seated {
                player: person.player,
                token: person.token,
                inbox: person.inbox.clone(),
            })
            .collect()
    }

    /// Who was sent away.
    pub(crate) fn barred(&self) -> Vec<Token> {
        self.barred.iter().copied().collect()
    }

    /// The secret of somebody at the table.
    pub(crate) fn token(&self, player: PlayerId) -> Option<Token> {
        let person = self.list.iter().find(|person| person.player == player)?;
        Some(person.token)
    }

    pub(crate) fn by_token(&mut self, token: &Token) -> Option<&mut Person> {
        self.list
            .iter_mut()
            .find(|person| same(&person.token, token))
    }

    /// The person whose connection in charge this is.
    pub(crate) fn by_line(&mut self, id: LineId) -> Option<&mut Person> {
        self.list.iter_mut().find(|person| {
            person
                .attached
                .as_ref()
                .is_some_and(|attached| attached.line.id() == id)
        })
    }

    pub(crate) fn add(&mut self, player: PlayerId, token: Token) {
        self.list.push(Person {
            player,
            token,
            inbox: Inbox::default(),
            attached: None,
        });
    }

    /// Forgets a person who has left; gives the connection, which is to be closed.
    pub(crate) fn forget(&mut self, player: PlayerId, bar: bool) -> Option<Attached> {
        let place = self.list.iter().position(|other| other.player == player)?;
        let person = self.list.swap_remove(place);
        if bar {
            if self.barred.len() == limits::BARRED {
                self.barred.pop_front();
            }
            self.barred.push_back(person.token);
        }
        person.attached
    }

    /// Whether the host sent this person away.
    pub(crate) fn is_barred(&self, token: &Token) -> bool {
        self.barred.iter().any(|barred| same(barred, token))
    }

    /// Everyone who is connected.
    pub(crate) fn attached(&mut self) -> impl Iterator<Item = (PlayerId, &mut Attached)> {
        self.list.iter_mut().filter_map(|person| {
            let attached = person.attached.as_mut()?;
            Some((person.player, attached))
        })
    }

    /// Takes the connection from a person.
    pub(crate) fn detach(&mut self, player: PlayerId) -> Option<Attached> {
        self.list
            .iter_mut()
            .find(|person| person.player == player)?
            .attached
            .take()
    }

    /// Whether nobody is connected.
    pub(crate) fn is_deserted(&self) -> bool {
        self.list.iter().all(|person| person.attached.is_none())
    }

    /// Since when the most silent of all connections has been silent.
    pub(crate) fn most_silent(&self) -> Option<Instant> {
        self.list
            .iter()
            .filter_map(|person| Some(person.attached.as_ref()?.alive_at))
            .min()
    }
}

fn same(one: &Token, other: &Token) -> bool {
    one.0.ct_eq(&other.0).into()
}
