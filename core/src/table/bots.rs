//! Plays for the bots of a table: knows whose turn it is, what is to be thought about, and when to
//! play what came of it. The thinking itself is done elsewhere, by threads or workers.

use serde::{Deserialize, Serialize};

use super::authority::Table;
use super::event::{MatchNo, Millis};
use super::state::{Game, Phase};
use crate::bot::{Bot, Thought, View};
use crate::clock::MatchTime;
use crate::tell::Tell;
use crate::{BoardId, Match, Ply, Seat};

/// With less on its clock a bot does not change its mind, in milliseconds.
const RECONSIDERS_ABOVE_MS: u64 = 5_000;

/// How long an answer may take when there is time enough, in milliseconds.
const PATIENCE_MS: u64 = 2_000;

/// Which share of its clock a bot lets its answer take at most.
const PATIENCE_SHARE: u64 = 20;

/// The driver of all bots at one table, through all its matches.
///
/// It has no I/O and no time of its own. Its owner calls [`Bots::drive`] after anything has happened
/// at the table and at [`Bots::next_deadline`], has the jobs thought about somewhere, and hands the
/// reports to [`Bots::report`]. At most one job a board is out.
///
/// ```
/// use tandem_core::bot::Level;
/// use tandem_core::table::{Bots, COUNTDOWN_MS, Command, Table};
/// use tandem_core::{BoardId, Seat};
///
/// let mut table = Table::new().with_bots();
/// let anna = table.join(0, "Anna").unwrap();
/// table.handle(0, anna, Command::Sit(Seat::ABlack)).unwrap();
/// for seat in [Seat::AWhite, Seat::BWhite, Seat::BBlack] {
///     table.handle(0, anna, Command::AddBot(seat, Level::MIN)).unwrap();
/// }
/// table.handle(0, anna, Command::SetReady(true)).unwrap();
/// let mut bots = Bots::new(1);
/// for job in bots.drive(COUNTDOWN_MS, &mut table) {
///     bots.report(COUNTDOWN_MS, &mut table, job.think(0));
/// }
/// while let Some(at) = bots.next_deadline(&table) {
///     bots.drive(at, &mut table);
///     if table.state().game().unwrap().boards().plies(BoardId::A) == 1 {
///         break;
///     }
/// }
/// assert_eq!(table.state().game().unwrap().boards().plies(BoardId::A), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Bots {
    seed: u64,
    match_no: MatchNo,
    minds: [Option<Mind>; 4],
    turns: [Turn; 2],
    tickets: u32,
}

/// A bot with what it has yet to take in.
#[derive(Clone, Debug)]
struct Mind {
    bot: Bot,
    /// The number of the newest line it was given.
    heard: u32,
    /// What its partner has told since it was last asked.
    news: Vec<Tell>,
}

/// What is on at a board.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    /// How many plies had been played there when it began.
    answers: u16,
    plan: Plan,
    /// How many plies had been played on the other board when the bot was last asked.
    seen: u16,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Plan {
    /// The bot is to be asked.
    #[default]
    Ask,
    /// It has been asked, by that number.
    Thinking { ticket: u32 },
    /// It plays then.
    Play { ply: Ply, at: MatchTime },
    /// It waits for something to happen, and no longer than that.
    Wait { until: MatchTime },
}

/// One question to one bot, complete in itself, to be answered wherever there is time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    ticket: u32,
    bot: Bot,
    seat: Seat,
    boards: Match,
    clocks_ms: Option<[u64; 4]>,
    increment_ms: u32,
    heard: Vec<Tell>,
    partner_plies: u16,
}

/// What came of a [`Job`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    ticket: u32,
    bot: Bot,
    seat: Seat,
    thought: Thought,
}

impl Job {
    /// Who is asked.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// On which board. A table has at most one job a board out.
    pub fn board(&self) -> BoardId {
        self.seat.board()
    }

    /// How long the answer may take, from the moment the job was given, before the bot gets short of
    /// time, in milliseconds.
    pub fn patience_ms(&self) -> u64 {
        let own = self
            .clocks_ms
            .map_or(u64::MAX, |clocks| clocks[self.seat.index()]);
        (own / PATIENCE_SHARE).min(PATIENCE_MS)
    }

    /// Thinks. `waited_ms` is how long the job has lain somewhere meanwhile: that was the bot's own
    /// time, and if it has cost too much of it the bot plays the first thing that comes to mind.
    pub fn think(mut self, waited_ms: u64) -> Report {
        let late = waited_ms > self.patience_ms();
        if let Some(clocks) = &mut self.clocks_ms {
            let own = &mut clocks[self.seat.index()];
            *own = own.saturating_sub(waited_ms);
        }
        let view = View {
            boards: &self.boards,
            seat: self.seat,
            clocks_ms: self.clocks_ms,
            increment_ms: self.increment_ms,
            heard: &self.heard,
            partner_plies_since_my_turn: self.partner_plies,
        };
        let thought = if late {
            self.bot.quick(&view)
        } else {
            self.bot.think(&view)
        };
        Report {
            ticket: self.ticket,
            bot: self.bot,
            seat: self.seat,
            thought,
        }
    }
}

impl Report {
    /// Whose answer it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What the bot has come to.
    pub fn thought(&self) -> &Thought {
        &self.thought
    }
}

impl Bots {
    /// A driver whose bots make the same choices as those of every other one with this seed.
    pub fn new(seed: u64) -> Bots {
        Bots {
            seed,
            match_no: MatchNo(0),
            minds: [const { None }; 4],
            turns: [Turn::default(); 2],
            tickets: 0,
        }
    }

    /// Does all that is due by `now`: plays, and gives what is to be thought about from now on.
    pub fn drive(&mut self, now: Millis, table: &mut Table) -> Vec<Job> {
        table.tick(now);
        while let Some((seat, answers, ply)) = self.due(now, table) {
            // A ply that does not count is no reason to stop: the bot is asked again, unless the
            // match is over by then.
            if table
                .play_for_bot(now, seat, self.match_no, answers, ply)
                .is_err()
            {
                self.turns[seat.board().index()].plan = Plan::Ask;
                break;
            }
        }
        BoardId::ALL
            .into_iter()
            .filter_map(|board| self.job(now, table, board))
            .collect()
    }

    /// What came of a job. An answer to a question that is no longer open is dropped.
    pub fn report(&mut self, now: Millis, table: &mut Table, report: Report) {
        let Report {
            ticket,
            bot,
            seat,
            thought,
        } = report;
        table.tick(now);
        self.look(table);
        // In a pause answers are kept for later: match time stands still meanwhile.
        let Some(game) = playing(table) else {
            return;
        };
        let turn = &mut self.turns[seat.board().index()];
        if turn.plan != (Plan::Thinking { ticket }) {
            return;
        }
        let Some(mind) = &mut self.minds[seat.index()] else {
            return;
        };
        mind.bot = bot;
        let began = game.clocks().running_since(seat.board());
        let moment = game.match_time(now);
        let reconsiders = !mind.news.is_empty() && may_reconsider(game, seat, now);
        let pace = MatchTime::from(thought.pace_ms);
        turn.plan = match thought.ply {
            Some(_) if reconsiders => Plan::Ask,
            Some(ply) => Plan::Play {
                ply,
                at: (began + pace).max(moment),
            },
            // Should anything have happened meanwhile, the next look ends the wait at once.
            None => Plan::Wait {
                until: moment + pace,
            },
        };
        for tell in thought.say {
            // At a table without talk it has nobody to talk to.
            let _ = table.tell_for_bot(now, seat, tell);
        }
    }

    /// The answer to the job of that board will not come: the bot is asked again.
    pub fn lost(&mut self, board: BoardId) {
        let turn = &mut self.turns[board.index()];
        if matches!(turn.plan, Plan::Thinking { .. }) {
            turn.plan = Plan::Ask;
        }
    }

    /// When [`Bots::drive`] has something to do though nothing happens, in table time.
    pub fn next_deadline(&self, table: &Table) -> Option<Millis> {
        let game = running(table).filter(|game| game.no() == self.match_no)?;
        BoardId::ALL
            .into_iter()
            .filter(|&board| game.held_board() != Some(board))
            .filter_map(|board| match self.turns[board.index()].plan {
                Plan::Play { at, .. } => Some(at),
                Plan::Wait { until } => Some(until),
                Plan::Ask | Plan::Thinking { .. } => None,
            })
            .min()
            .map(|at| game.table_time(at))
    }

    /// Takes in what has happened at the table since the last look.
    fn look(&mut self, table: &Table) {
        let Some(game) = playing(table) else {
            self.match_no = MatchNo(0);
            self.minds = [const { None }; 4];
            self.turns = [Turn::default(); 2];
            return;
        };
        if self.match_no != game.no() {
            self.match_no = game.no();
            self.turns = [Turn::default(); 2];
            let seed = self.seed.wrapping_add(u64::from(game.no().0) << 32);
            self.minds = game.bots().map(|level| {
                level.map(|level| Mind {
                    bot: Bot::new(level, seed),
                    heard: 0,
                    news: Vec::new(),
                })
            });
        }
        for seat in Seat::ALL {
            if let Some(mind) = &mut self.minds[seat.index()] {
                let (tells, newest) = table.tells_to_bot(seat, mind.heard);
                mind.news.extend(tells);
                mind.heard = newest;
            }
        }
        for board in BoardId::ALL {
            let turn = &mut self.turns[board.index()];
            let answers = game.boards().plies(board);
            if turn.answers != answers {
                *turn = Turn {
                    answers,
                    ..Turn::default()
                };
            }
            let seat = game.boards().seat_to_move(board);
            let Some(mind) = &self.minds[seat.index()] else {
                continue;
            };
            let told = !mind.news.is_empty();
            let moved = turn.seen != game.boards().plies(board.other());
            match turn.plan {
                Plan::Wait { .. } if told || moved => turn.plan = Plan::Ask,
                // Being told to sit counts even when the hand is already above the piece.
                Plan::Play { at, .. }
                    if told
                        && at > game.match_time(table.state().at())
                        && may_reconsider(game, seat, table.state().at()) =>
                {
                    turn.plan = Plan::Ask;
                }
                _ => {}
            }
        }
    }

    /// The next ply to be played by `now`.
    fn due(&mut self, now: Millis, table: &Table) -> Option<(Seat, u16, Ply)> {
        self.look(table);
        let game = running(table)?;
        let moment = game.match_time(now);
        let held = game.held_board();
        let plan = |board: BoardId| match self.turns[board.index()].plan {
            Plan::Play { ply, at } if at <= moment && held != Some(board) => Some((at, board, ply)),
            _ => None,
        };
        let (_, board, ply) = BoardId::ALL
            .into_iter()
            .filter_map(plan)
            .min_by_key(|&(at, ..)| at)?;
        let boards = game.boards();
        Some((boards.seat_to_move(board), boards.plies(board), ply))
    }

    /// What the bot to move on `board` is to think about now, if it is to think.
    fn job(&mut self, now: Millis, table: &Table, board: BoardId) -> Option<Job> {
        let game = running(table)?;
        if game.held_board() == Some(board) {
            return None;
        }
        let turn = &mut self.turns[board.index()];
        match turn.plan {
            Plan::Ask => {}
            Plan::Wait { until } if until <= game.match_time(now) => {}
            _ => return None,
        }
        let seat = game.boards().seat_to_move(board);
        let mind = self.minds[seat.index()].as_mut()?;
        self.tickets = self.tickets.wrapping_add(1);
        turn.plan = Plan::Thinking {
            ticket: self.tickets,
        };
        turn.seen = game.boards().plies(board.other());
        let clocks = || Seat::ALL.map(|seat| game.clock(seat, now));
        Some(Job {
            ticket: self.tickets,
            bot: mind.bot.clone(),
            seat,
            boards: *game.boards(),
            clocks_ms: game.has_clocks().then(clocks),
            increment_ms: game.options().increment_ms,
            heard: std::mem::take(&mut mind.news),
            partner_plies: game.partner_plies_since_turn(seat),
        })
    }
}

/// Whether the bot at `seat` has the time to change its mind.
fn may_reconsider(game: &Game, seat: Seat, now: Millis) -> bool {
    !game.has_clocks() || game.clock(seat, now) > RECONSIDERS_ABOVE_MS
}

/// The match that is being played, or paused.
fn playing(table: &Table) -> Option<&Game> {
    let game = table.state().game();
    game.filter(|_| table.state().phase() == Phase::Playing)
}

/// The match that is being played and not paused.
fn running(table: &Table) -> Option<&Game> {
    playing(table).filter(|game| game.pause().is_none())
}
