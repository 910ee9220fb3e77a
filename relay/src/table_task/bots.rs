//! The bots of one table: when they do something, the way to the threads on which they think, and
//! the places they take there.

use std::sync::Arc;
use std::time::Duration;

use tandem_core::table::{Bots, Job, Millis, Table};
use tandem_core::{BoardId, Seat};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::bots::{Answer, BotPool, Places, Question};
use crate::limits;

/// After how long a bot is asked again whose question found no room, or came to grief.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// The bots of a table.
#[derive(Debug)]
pub(crate) struct TableBots {
    driver: Bots,
    pool: Arc<BotPool>,
    places: Places<Job>,
    answers: mpsc::Receiver<Box<Answer<Job>>>,
    /// Given to each question; the one kept here holds the channel open.
    answer_to: mpsc::Sender<Box<Answer<Job>>>,
    /// When the bot to move on each board is to be asked anew, because no answer will come.
    ask_again: [Option<Instant>; 2],
}

impl TableBots {
    /// No bots yet. Their choices are drawn from `seed`.
    pub(crate) fn new(pool: &Arc<BotPool>, seed: u64) -> TableBots {
        let (answer_to, answers) = mpsc::channel(limits::BOT_ANSWERS);
        TableBots {
            driver: Bots::new(seed),
            pool: Arc::clone(pool),
            places: pool.places(),
            answers,
            answer_to,
            ask_again: [None; 2],
        }
    }

    /// Says to the table whether a bot may sit down on `seat` now. Its place is kept until
    /// [`TableBots::hold_places`] sees whether it has.
    pub(super) fn make_room(&mut self, table: &mut Table, seat: Seat) {
        let has_place = table.state().bot(seat).is_some();
        table.let_bots_sit(has_place || self.places.take_one());
    }

    /// The next answer. Nothing is lost when this is dropped halfway.
    pub(super) async fn answer(&mut self) -> Answer<Job> {
        match self.answers.recv().await {
            Some(answer) => *answer,
            // The own sender holds the channel open.
            None => std::future::pending().await,
        }
    }

    /// Takes what a thread has come to.
    pub(super) fn take(&mut self, now: Millis, table: &mut Table, answer: Answer<Job>) {
        match answer {
            Ok(report) => self.driver.report(now, table, report),
            Err(failed) => {
                // The position may be the reason, and it may stay: not at once, and the clock, which
                // runs, sees to an end.
                tracing::error!("{failed}");
                self.ask_again(failed.board);
            }
        }
    }

    fn ask_again(&mut self, board: BoardId) {
        self.ask_again[board.index()] = Some(Instant::now() + ASK_AGAIN);
    }

    /// Takes or gives back places, so that each bot has one. At a deserted table they need none:
    /// nobody plays there until somebody is back.
    pub(super) fn hold_places(&mut self, table: &Table, deserted: bool) {
        self.places.hold(if deserted { 0 } else { count(table) });
    }

    /// Does what is due by `now` and asks what is to be thought about; says whether anything may
    /// have happened.
    pub(super) fn drive(&mut self, now: Millis, table: &mut Table) -> bool {
        if count(table) == 0 {
            self.ask_again = [None; 2];
            return false;
        }
        let instant = Instant::now();
        for board in BoardId::ALL {
            let again = &mut self.ask_again[board.index()];
            if again.take_if(|at| *at <= instant).is_some() {
                self.driver.lost(board);
            }
        }
        for job in self.driver.drive(now, table) {
            let asked_at = std::time::Instant::now();
            let question = Question {
                due: asked_at + Duration::from_millis(job.patience_ms()),
                work: job,
                asked_at,
                to: self.answer_to.clone(),
            };
            if let Err(question) = self.pool.ask(question) {
                tracing::warn!("too many bots wait for a thread");
                self.ask_again(question.work.board());
            }
        }
        true
    }

    /// When [`TableBots::drive`] has something to do for the table, in table time.
    pub(super) fn next_deadline(&self, table: &Table) -> Option<Millis> {
        self.driver.next_deadline(table)
    }

    /// When it has to ask anew.
    pub(super) fn ask_again_at(&self) -> Option<Instant> {
        self.ask_again.into_iter().flatten().min()
    }
}

/// How many bots sit at a table.
fn count(table: &Table) -> usize {
    let is_bot = |&seat: &Seat| table.state().bot(seat).is_some();
    Seat::ALL.into_iter().filter(is_bot).count()
}
