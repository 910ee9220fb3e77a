//! The threads on which bots think, shared by all tables.
//!
//! Thinking takes whole milliseconds of a processor, so it has threads of its own: the tasks that
//! carry plies and keep time never wait behind it. There are few of these threads, and many bots
//! may sit at tables; what a table asks therefore waits in one queue, the most urgent first. That
//! wait is the bot's own time, and it knows of it.
//!
//! So that no bot need wait for too long, a bot takes a place while it sits at a table, and there
//! are only so many. Where all are taken no further bot sits down.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering as Memory};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tandem_core::BoardId;
use tandem_core::table::{Job, Report};
use thiserror::Error;
use tokio::sync::mpsc;

use crate::limits;

/// Something to think about.
pub(crate) trait Work: Clone + Send + 'static {
    /// What comes of it.
    type Answer: Send + 'static;

    /// On which board of its table.
    fn board(&self) -> BoardId;

    /// Thinks, after it has lain in a queue for `waited_ms`.
    fn think(self, waited_ms: u64) -> Self::Answer;
}

impl Work for Job {
    type Answer = Report;

    fn board(&self) -> BoardId {
        Job::board(self)
    }

    fn think(self, waited_ms: u64) -> Report {
        Job::think(self, waited_ms)
    }
}

/// Thinking came to grief, twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a bot on board {board:?} came to grief while thinking")]
pub(crate) struct Failed {
    /// On which board of its table.
    pub(crate) board: BoardId,
}

/// What came of a question.
pub(crate) type Answer<W> = Result<<W as Work>::Answer, Failed>;

/// A question, and where its answer goes.
#[derive(Debug)]
pub(crate) struct Question<W: Work> {
    /// What is to be thought about.
    pub(crate) work: W,
    /// When the answer is wanted; of several questions the earliest is taken first.
    pub(crate) due: Instant,
    /// Since when it has been waiting.
    pub(crate) asked_at: Instant,
    /// Where the answer goes. It is to have room for as many as there are questions out: a thread
    /// waits for nobody. It is boxed, as a table without bots keeps room for answers too.
    pub(crate) to: mpsc::Sender<Box<Answer<W>>>,
}

/// The threads, their queue and the places.
pub(crate) struct Pool<W: Work> {
    shared: Arc<Shared<W>>,
    /// Ends when every thread has ended.
    threads: tokio::sync::Mutex<mpsc::Receiver<()>>,
}

/// The pool of a relay.
pub(crate) type BotPool = Pool<Job>;

struct Shared<W: Work> {
    queue: Mutex<Queue<W>>,
    /// Something is in the queue, or the threads are to stop.
    changed: Condvar,
    places: usize,
    taken: AtomicUsize,
    /// How long all threads together have thought, in nanoseconds.
    thought: AtomicU64,
}

struct Queue<W: Work> {
    waiting: BinaryHeap<Waiting<W>>,
    /// How many questions came so far: of two that are equally urgent the older goes first.
    asked: u64,
    stopping: bool,
}

struct Waiting<W: Work> {
    question: Question<W>,
    number: u64,
}

impl<W: Work> Pool<W> {
    /// How long all threads together have thought.
    pub(crate) fn thought(&self) -> Duration {
        Duration::from_nanos(self.shared.thought.load(Memory::Relaxed))
    }

    /// How many questions wait for a thread.
    pub(crate) fn waiting(&self) -> usize {
        self.shared.queue().waiting.len()
    }

    /// Starts `threads` threads, with places for `bots_per_thread` bots on each.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub(crate) fn start(threads: usize, bots_per_thread: usize) -> io::Result<Arc<Pool<W>>> {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue {
                waiting: BinaryHeap::new(),
                asked: 0,
                stopping: false,
            }),
            changed: Condvar::new(),
            places: threads.saturating_mul(bots_per_thread),
            taken: AtomicUsize::new(0),
            thought: AtomicU64::new(0),
        });
        let (alive, ended) = mpsc::channel(1);
        // Should a thread not start, those before it are told to stop when this is dropped.
        let pool = Arc::new(Pool {
            shared,
            threads: tokio::sync::Mutex::new(ended),
        });
        for number in 0..threads {
            let shared = Arc::clone(&pool.shared);
            let alive = alive.clone();
            thread::Builder::new()
                .name(format!("bots-{number}"))
                .spawn(move || {
                    while let Some(question) = shared.next() {
                        let began = Instant::now();
                        question.answer();
                        let took = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
                        shared.thought.fetch_add(took, Memory::Relaxed);
                    }
                    drop(alive);
                })?;
        }
        Ok(pool)
    }

    /// Puts a question in the queue.
    ///
    /// # Errors
    /// The question itself, when the queue is full.
    pub(crate) fn ask(&self, question: Question<W>) -> Result<(), Question<W>> {
        let mut queue = self.shared.queue();
        if queue.waiting.len() >= limits::BOT_QUESTIONS {
            return Err(question);
        }
        let number = queue.asked;
        queue.asked += 1;
        queue.waiting.push(Waiting { question, number });
        drop(queue);
        self.shared.changed.notify_one();
        Ok(())
    }

    /// No places yet, for the bots of one table.
    pub(crate) fn places(self: &Arc<Self>) -> Places<W> {
        Places {
            pool: Arc::clone(self),
            held: 0,
        }
    }

    /// Has every thread end behind what it is thinking about now. What waits is dropped.
    pub(crate) fn stop(&self) {
        let mut queue = self.shared.queue();
        queue.stopping = true;
        let dropped = std::mem::take(&mut queue.waiting);
        drop(queue);
        drop(dropped);
        self.shared.changed.notify_all();
    }

    /// Waits until every thread has ended.
    pub(crate) async fn stopped(&self) {
        // Nothing is ever sent: the channel closes with the last thread.
        let _ = self.threads.lock().await.recv().await;
    }
}

impl<W: Work> Drop for Pool<W> {
    fn drop(&mut self) {
        self.stop();
    }
}

impl<W: Work> fmt::Debug for Pool<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("waiting", &self.shared.queue().waiting.len())
            .field("places", &self.shared.places)
            .field("taken", &self.shared.taken)
            .finish_non_exhaustive()
    }
}

impl<W: Work> Shared<W> {
    fn queue(&self) -> MutexGuard<'_, Queue<W>> {
        // Nothing that could panic is done while the lock is held.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The most urgent question; nothing when the threads are to stop.
    fn next(&self) -> Option<Question<W>> {
        let mut queue = self.queue();
        loop {
            if queue.stopping {
                return None;
            }
            match queue.waiting.pop() {
                // Nobody waits for the answer to a table that is gone.
                Some(waiting) if waiting.question.to.is_closed() => {}
                Some(waiting) => return Some(waiting.question),
                None => {
                    queue = self
                        .changed
                        .wait(queue)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

impl<W: Work> Question<W> {
    fn answer(self) {
        let waited = self.asked_at.elapsed();
        let answer = think(self.work, waited);
        // The table may be gone; then nobody waits for this.
        if let Err(mpsc::error::TrySendError::Full(_)) = self.to.try_send(Box::new(answer)) {
            tracing::error!("a table had no room for what its bot thought");
        }
    }
}

/// Thinks. A panic is caught, or it would cost the relay a thread: the question is then asked again
/// as if no time were left, which has the bot play without looking far.
fn think<W: Work>(work: W, waited: Duration) -> Answer<W> {
    let again = work.clone();
    let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(NO_TIME_LEFT);
    attempt(work, waited_ms).or_else(|failed| {
        tracing::error!("{failed}; it is to play without looking far");
        attempt(again, NO_TIME_LEFT)
    })
}

/// Longer than any clock lasts, in milliseconds.
const NO_TIME_LEFT: u64 = 24 * 3_600_000;

fn attempt<W: Work>(work: W, waited_ms: u64) -> Answer<W> {
    let board = work.board();
    // What is thought about is moved in and gone in any case, so that nothing broken is left.
    catch_unwind(AssertUnwindSafe(|| work.think(waited_ms))).map_err(|_| Failed { board })
}

impl<W: Work> PartialEq for Waiting<W> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<W: Work> Eq for Waiting<W> {}

impl<W: Work> PartialOrd for Waiting<W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<W: Work> Ord for Waiting<W> {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap gives the greatest first.
        let key = |waiting: &Self| (waiting.question.due, waiting.number);
        key(other).cmp(&key(self))
    }
}

/// The places of the bots at one table. They are given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Places<W: Work> {
    pool: Arc<Pool<W>>,
    held: usize,
}

impl<W: Work> Places<W> {
    /// Takes one more place; `false` when there is none.
    pub(crate) fn take_one(&mut self) -> bool {
        let Shared { places, taken, .. } = &*self.pool.shared;
        let free = |taken: usize| (taken < *places).then_some(taken + 1);
        let took = taken
            .fetch_update(Memory::Relaxed, Memory::Relaxed, free)
            .is_ok();
        self.held += usize::from(took);
        took
    }

    /// Holds exactly so many places from now on, even if there are no more: bots in the middle of
    /// a match get theirs back when their people come back.
    pub(crate) fn hold(&mut self, places: usize) {
        let taken = &self.pool.shared.taken;
        match places.cmp(&self.held) {
            Ordering::Equal => {}
            Ordering::Greater => {
                taken.fetch_add(places - self.held, Memory::Relaxed);
            }
            Ordering::Less => {
                taken.fetch_sub(self.held - places, Memory::Relaxed);
            }
        }
        self.held = places;
    }
}

impl<W: Work> Drop for Places<W> {
    fn drop(&mut self) {
        self.hold(0);
    }
}

#[cfg(test)]
mod tests;
