//! The table in the page: the authority itself, the bots that play at it, and the workers in which
//! they think. It is spoken to like the relay, but sending is a function call and the answers are
//! what it returns; what happens by itself comes to a handler.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo_timers::callback::Timeout;
use tandem_core::protocol::{ClientMessage, ServerMessage};
use tandem_core::table::{
    ABSENCE_GRACE_MS, Bots, Command, Heard, Job, Millis, Phase, PlayerId, Seq, Table,
};
use tandem_core::{BoardId, Seat};

use super::kept::{self, Choices, Keeper, Kept};
use super::thinker::{Outcome, Thinker};
use crate::platform::worker::{Program, WorkerEvent};
use crate::platform::{page, random, time};

/// What happens at the table though nobody has said anything to it.
#[derive(Debug)]
pub enum LocalEvent {
    /// Word from the table.
    Messages(Vec<ServerMessage>),
    /// Whether the bots can no longer think, because their worker fails.
    Trouble(bool),
    /// Another page has taken the match over; this one is out of it.
    Elsewhere,
}

/// How to begin.
pub enum Start {
    /// A match with these choices, and the reader's name.
    New(Choices, String),
    /// The match that was kept.
    Kept(Box<Kept>),
}

/// A table in the page. A handle: copies are the same table, which ends with the last of them.
#[derive(Clone)]
pub struct LocalTable {
    inner: Rc<Inner>,
}

struct Inner {
    state: RefCell<State>,
    program: Rc<Program>,
    handle: Box<dyn Fn(LocalEvent)>,
}

struct State {
    table: Table,
    bots: Bots,
    me: PlayerId,
    /// Names this run of event numbers.
    epoch: u32,
    /// Table time was that when the page's clock showed this.
    clocks: (Millis, Millis),
    /// The reader has been told the events and the lines up to these.
    told: Seq,
    heard: Heard,
    /// The page can be seen.
    visible: bool,
    thinkers: [Thinker; 2],
    trouble: bool,
    timer: Option<Timeout>,
    keeper: Keeper,
    /// The number of the newest event that is kept.
    kept: Seq,
    /// What can wait for the next frame waits for it.
    settling: bool,
    /// Another page is in charge.
    over: bool,
}

impl LocalTable {
    /// Begins or goes on, and keeps the match from now on. `None` if the kept match is of somebody
    /// who is not at its table, or the choices are none.
    pub fn open(
        program: Rc<Program>,
        start: Start,
        visible: bool,
        handle: impl Fn(LocalEvent) + 'static,
    ) -> Option<Self> {
        let (table, me) = match start {
            Start::New(choices, name) => new_table(&choices, &name)?,
            Start::Kept(kept) => (Table::restore(kept.saved), kept.me),
        };
        table.state().seat_of(me)?;
        let state = State {
            clocks: (table.state().at(), time::now()),
            told: table.state().seq(),
            heard: [0; 3],
            // Nothing of a restored table has been kept by this page.
            kept: 0,
            settling: false,
            table,
            bots: Bots::new(u64::from_le_bytes(random::bytes())),
            me,
            epoch: u32::from_le_bytes(random::bytes()),
            visible,
            thinkers: Default::default(),
            trouble: false,
            timer: None,
            keeper: Keeper::take_charge(),
            over: false,
        };
        let inner = Rc::new(Inner {
            state: RefCell::new(state),
            program,
            handle: Box::new(handle),
        });
        for board in BoardId::ALL {
            inner.start(&mut inner.state.borrow_mut().thinkers[board.index()], board);
        }
        // What this brings is part of the snapshot that a hello is answered with.
        inner.step(|_, _| {});
        Some(Self { inner })
    }

    /// Says something to the table; gives its answers.
    pub fn send(&self, message: &ClientMessage) -> Vec<ServerMessage> {
        self.inner.take(message)
    }

    /// Says whether the page can be seen: while it cannot, the match is paused.
    pub fn set_visible(&self, visible: bool) {
        self.inner.tell(|state, _| state.visible = visible);
    }

    /// Looks whether another page has taken over.
    pub fn look_for_others(&self) {
        self.inner.in_charge();
    }

    /// Starts workers again that had failed for good.
    pub fn retry(&self) {
        for board in BoardId::ALL {
            let thinker = &mut self.inner.state.borrow_mut().thinkers[board.index()];
            thinker.pardon();
            self.inner.start(thinker, board);
        }
        self.inner.set_trouble(false);
    }

    /// The page turns to something else: a match that goes on is kept, one that has ended is not.
    pub fn put_away(&self) {
        self.inner.step(|state, _| state.visible = false);
        let state = self.inner.state.borrow();
        if !state.over && state.table.state().phase() != Phase::Playing {
            kept::forget();
        }
    }
}

/// A table at which the reader sits among bots, all of them ready.
fn new_table(choices: &Choices, name: &str) -> Option<(Table, PlayerId)> {
    let mut table = Table::new().alone();
    let me = table.join(0, name).ok()?;
    let mut commands = vec![
        Command::SetOptions(choices.options),
        Command::Sit(choices.seat),
    ];
    let others = Seat::ALL.into_iter().filter(|&seat| seat != choices.seat);
    commands.extend(others.map(|seat| Command::AddBot(seat, choices.level)));
    commands.push(Command::SetReady(true));
    for command in commands {
        table.handle(0, me, command).ok()?;
    }
    Some((table, me))
}

impl Inner {
    fn take(self: &Rc<Self>, message: &ClientMessage) -> Vec<ServerMessage> {
        match message {
            ClientMessage::Hello(_) => {
                let mut answers = {
                    let state = self.state.borrow();
                    vec![ServerMessage::Welcome {
                        you: state.me,
                        epoch: state.epoch,
                        now: state.now(),
                        absence_grace_ms: ABSENCE_GRACE_MS,
                        house: state.table.house(),
                    }]
                };
                answers.extend(self.everything());
                answers
            }
            ClientMessage::Command { id, command } => {
                let mut result = Ok(());
                let mut answers = self.step(|state, now| {
                    result = state.table.handle(now, state.me, command.clone());
                });
                answers.push(ServerMessage::Answer { id: *id, result });
                answers
            }
            ClientMessage::Resync(_) => self.everything(),
            // Nobody listens for signs of life: there is no line that could be cut.
            ClientMessage::Echo => Vec::new(),
        }
    }

    /// All that the reader may know.
    fn everything(self: &Rc<Self>) -> Vec<ServerMessage> {
        let mut answers = self.step(|state, _| state.heard = [0; 3]);
        // The snapshot has the events in it.
        answers.retain(|message| matches!(message, ServerMessage::Lines(_)));
        let snapshot = Box::new(self.state.borrow().table.state().clone());
        answers.insert(0, ServerMessage::Snapshot(snapshot));
        answers
    }

    /// Does what is due by now.
    fn wake(self: &Rc<Self>) {
        self.tell(|_, _| {});
    }

    /// Does something that nobody asked for, and passes on what comes of it.
    fn tell(self: &Rc<Self>, act: impl FnOnce(&mut State, Millis)) {
        let messages = self.step(act);
        if !messages.is_empty() {
            (self.handle)(LocalEvent::Messages(messages));
        }
    }

    /// Does something at the table, lets the bots play, and sees to it that the table goes on in time.
    /// Gives what the reader is to be told; the rest waits until that is painted, if the page can be seen.
    fn step(self: &Rc<Self>, act: impl FnOnce(&mut State, Millis)) -> Vec<ServerMessage> {
        let mut state = self.state.borrow_mut();
        if state.over {
            return Vec::new();
        }
        let now = state.now();
        act(&mut state, now);
        state.see_presence(now);
        for job in state.drive(now) {
            let board = job.board();
            state.thinkers[board.index()].ask(now, job);
        }
        state.timer = state.next_deadline().map(|at| {
            let weak = Rc::downgrade(self);
            let wait = u32::try_from(at.saturating_sub(now)).unwrap_or(u32::MAX);
            Timeout::new(wait, move || {
                if let Some(inner) = weak.upgrade() {
                    inner.wake();
                }
            })
        });
        let news = state.news();
        let (visible, waits) = (state.visible, state.settling);
        state.settling = visible;
        drop(state);
        if !visible {
            self.settle();
        } else if !waits {
            let weak = Rc::downgrade(self);
            page::after_paint(move || {
                if let Some(inner) = weak.upgrade() {
                    inner.settle();
                }
            });
        }
        news
    }

    /// Asks the workers, and keeps what has become of the match.
    fn settle(self: &Rc<Self>) {
        if !self.in_charge() {
            return;
        }
        let mut state = self.state.borrow_mut();
        state.settling = false;
        let now = state.now();
        for board in BoardId::ALL {
            state.thinkers[board.index()].put(now, self.listener(board));
        }
        state.keep();
    }

    /// Whether no other page has taken the match over. If one has, this one is out of it.
    fn in_charge(self: &Rc<Self>) -> bool {
        let mut state = self.state.borrow_mut();
        if !state.over && !state.keeper.in_charge() {
            state.over = true;
            state.timer = None;
            state.thinkers = Default::default();
            drop(state);
            (self.handle)(LocalEvent::Elsewhere);
            return false;
        }
        !state.over
    }

    fn start(self: &Rc<Self>, thinker: &mut Thinker, board: BoardId) {
        thinker.start(&self.program, self.listener(board));
    }

    /// What a worker's events are handed to.
    fn listener(self: &Rc<Self>, board: BoardId) -> impl Fn(u32, WorkerEvent) + Clone + 'static {
        let weak: Weak<Self> = Rc::downgrade(self);
        move |run, event| {
            if let Some(inner) = weak.upgrade() {
                inner.on_worker(board, run, event);
            }
        }
    }

    fn on_worker(self: &Rc<Self>, board: BoardId, run: u32, event: WorkerEvent) {
        let outcome = {
            let mut state = self.state.borrow_mut();
            if state.over {
                return;
            }
            let now = state.now();
            let listener = self.listener(board);
            state.thinkers[board.index()].take(now, run, event, listener)
        };
        match outcome {
            Outcome::Nothing => {}
            Outcome::Answer(report) => self.tell(|state, now| {
                let State { table, bots, .. } = state;
                bots.report(now, table, report);
            }),
            Outcome::StartAgain => {
                self.start(&mut self.state.borrow_mut().thinkers[board.index()], board);
            }
            Outcome::GiveUp => self.set_trouble(true),
        }
    }

    fn set_trouble(self: &Rc<Self>, trouble: bool) {
        (self.handle)(LocalEvent::Trouble(trouble));
        self.tell(|state, _| state.trouble = trouble);
    }
}

impl State {
    /// Table time now.
    fn now(&self) -> Millis {
        let (table, local) = self.clocks;
        table + time::now().saturating_sub(local)
    }

    /// The reader counts as away while the page cannot be seen, and while the bots cannot think: then
    /// the match is paused. Outside a match that would mean to be gone soon.
    fn see_presence(&mut self, now: Millis) {
        let matters = matches!(
            self.table.state().phase(),
            Phase::Playing | Phase::Countdown { .. }
        );
        let there = !matters || (self.visible && !self.trouble);
        if there {
            self.table.connected(now, self.me);
        } else {
            self.table.disconnected(now, self.me);
        }
    }

    fn drive(&mut self, now: Millis) -> Vec<Job> {
        self.bots.drive(now, &mut self.table)
    }

    fn next_deadline(&self) -> Option<Millis> {
        let bots = self.bots.next_deadline(&self.table);
        [self.table.next_deadline(), bots]
            .into_iter()
            .flatten()
            .min()
    }

    fn keep(&mut self) {
        let seq = self.table.state().seq();
        if self.kept != seq {
            self.keeper.keep(self.me, &self.table);
            self.kept = seq;
        }
    }

    /// What the reader has not been told yet.
    fn news(&mut self) -> Vec<ServerMessage> {
        let mut news = Vec::new();
        let seq = self.table.state().seq();
        if self.told < seq {
            // More than is remembered does not happen in one step.
            let events: Vec<_> = self
                .table
                .events_since(self.told)
                .map(|events| events.cloned().collect())
                .unwrap_or_default();
            news.push(ServerMessage::Events {
                first: self.told + 1,
                events,
            });
            self.told = seq;
        }
        let lines = self.table.lines_since(self.me, self.heard);
        news.extend(lines.map(ServerMessage::Lines));
        self.heard = self.table.heard_by(self.me);
        news
    }
}
