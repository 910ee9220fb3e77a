//! The worker of one board: asked one thing at a time, and started again when it fails.

use gloo_timers::callback::Timeout;
use tandem_core::protocol::{decode, encode};
use tandem_core::table::{Job, Millis, Report};

use crate::platform::worker::{Program, Worker, WorkerEvent};

/// After how long without an answer a worker has failed, in milliseconds. Thinking takes a small part
/// of that on the slowest machine.
const STUCK_MS: u32 = 30_000;

/// Thinks for the bots of one board. Its owner hands it what the worker says.
#[derive(Default)]
pub struct Thinker {
    worker: Option<Worker>,
    /// Which worker is the present one; what any other says is ignored.
    run: u32,
    ready: bool,
    /// How often a worker has failed since the last answer.
    failures: u32,
    /// What is asked, and since when, in table time.
    job: Option<(Job, Millis)>,
    /// The worker has not been told of it yet.
    unsaid: bool,
    watch: Option<Timeout>,
}

/// What became of an event.
pub enum Outcome {
    /// Nothing to do.
    Nothing,
    /// The answer.
    Answer(Report),
    /// The worker has failed for the first time: another one is to be [started](Thinker::start).
    StartAgain,
    /// It has failed once more, and would again.
    GiveUp,
}

impl Thinker {
    /// Starts a worker instead of the one before. The handle is given the number of its run.
    pub fn start(
        &mut self,
        program: &Program,
        handle: impl Fn(u32, WorkerEvent) + Clone + 'static,
    ) {
        self.run += 1;
        self.ready = false;
        let run = self.run;
        self.worker = Worker::start(program, {
            let handle = handle.clone();
            move |event| handle(run, event)
        });
        self.watch = Some(Timeout::new(
            if self.worker.is_some() { STUCK_MS } else { 0 },
            move || handle(run, WorkerEvent::Failed),
        ));
    }

    /// Forgets the failures, so that the next one is a first one.
    pub fn pardon(&mut self) {
        self.failures = 0;
    }

    /// Takes in a job, instead of whatever was asked before; [`put`](Thinker::put) asks.
    pub fn ask(&mut self, now: Millis, job: Job) {
        self.job = Some((job, now));
        self.unsaid = true;
    }

    /// Puts a new question to the worker if that can take it.
    pub fn put(&mut self, now: Millis, handle: impl Fn(u32, WorkerEvent) + 'static) {
        let (Some(worker), Some((job, since)), true) = (&self.worker, &self.job, self.ready) else {
            return;
        };
        if !std::mem::take(&mut self.unsaid) {
            return;
        }
        worker.ask(&encode(&(now.saturating_sub(*since), job)));
        let run = self.run;
        self.watch = Some(Timeout::new(STUCK_MS, move || {
            handle(run, WorkerEvent::Failed);
        }));
    }

    /// Takes in what the worker of that run says.
    pub fn take(
        &mut self,
        now: Millis,
        run: u32,
        event: WorkerEvent,
        handle: impl Fn(u32, WorkerEvent) + 'static,
    ) -> Outcome {
        if run != self.run {
            return Outcome::Nothing;
        }
        self.watch = None;
        match event {
            WorkerEvent::Ready => {
                self.ready = true;
                self.unsaid = true;
                self.put(now, handle);
                Outcome::Nothing
            }
            WorkerEvent::Answer(bytes) => match decode::<Report>(&bytes) {
                Ok(report) => {
                    self.failures = 0;
                    self.job = None;
                    Outcome::Answer(report)
                }
                // It is of another version than the page.
                Err(_) => self.fail(),
            },
            WorkerEvent::Failed => self.fail(),
        }
    }

    fn fail(&mut self) -> Outcome {
        self.worker = None;
        self.ready = false;
        self.failures += 1;
        if self.failures == 1 {
            Outcome::StartAgain
        } else {
            Outcome::GiveUp
        }
    }
}
