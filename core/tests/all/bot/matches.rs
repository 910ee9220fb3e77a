//! Whole matches of four bots at a table, in virtual time.

use tandem_core::bot::{Bot, Level, Thought, View};
use tandem_core::table::{
    Bots, Command, Game, Job, Millis, Phase, PlayerId, PlyRecord, Refusal, Report, Table,
};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{BoardId, EndRule, Match, Options, Ply, Rules, Seat, Status, Team};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::level;
use crate::random::Random;
use crate::sample::all_rules;

/// How many nodes the machine of these matches searches in a millisecond: a slow phone.
const NODES_PER_MS: u64 = 30;

/// The record of a match: every ply with its instant, and how it ended.
#[derive(Debug, PartialEq, Eq)]
struct Record {
    plies: Vec<PlyRecord>,
    end: EndRule,
    winner: Option<Team>,
    said: usize,
}

/// One person among three bots at a table, in virtual time. The person plays what a bot of their own says.
struct Tabled {
    table: Table,
    now: Millis,
    anna: PlayerId,
    mind: Bot,
    seat: Seat,
    /// What Anna plays and when, or when she looks again.
    planned: Option<(Option<Ply>, Millis)>,
    bots: Bots,
    /// What is being thought about, by when it is ready.
    thinking: Vec<(Millis, Report)>,
    said: usize,
    /// Whether the clocks of the match are on.
    timed: bool,
}

impl Tabled {
    fn start(levels: [Level; 4], seed: u64, options: Options) -> Tabled {
        let mut table = Table::new().alone();
        let anna = table.join(0, "Anna").unwrap();
        let seat = Seat::ALL[seed as usize % 4];
        let mut ask = |command| table.handle(0, anna, command).unwrap();
        ask(Command::SetOptions(options));
        ask(Command::Sit(seat));
        for other in Seat::ALL.into_iter().filter(|&other| other != seat) {
            ask(Command::AddBot(other, levels[other.index()]));
        }
        ask(Command::SetReady(true));
        Tabled {
            table,
            now: 0,
            anna,
            mind: Bot::new(levels[seat.index()], seed),
            seat,
            planned: None,
            bots: Bots::new(seed),
            thinking: Vec::new(),
            said: 0,
            timed: options.has_clocks(),
        }
    }

    fn game(&self) -> &Game {
        self.table.state().game().unwrap()
    }

    fn run(mut self) -> Record {
        while self.table.state().phase() != Phase::Ended {
            for job in self.bots.drive(self.now, &mut self.table) {
                self.think(job);
            }
            if self.table.state().phase() == Phase::Ended {
                break;
            }
            self.plan();
            let ready = self.thinking.iter().map(|&(at, _)| at).min();
            let planned = self.planned.map(|(_, at)| at);
            let due = [
                ready,
                planned,
                self.bots.next_deadline(&self.table),
                self.table.next_deadline(),
            ];
            self.now = due.into_iter().flatten().min().expect("a stuck match");
            self.table.tick(self.now);
            if let Some(place) = self.thinking.iter().position(|&(at, _)| at <= self.now) {
                let (_, report) = self.thinking.remove(place);
                self.bots.report(self.now, &mut self.table, report);
            }
            if self.planned.is_some_and(|(_, at)| at <= self.now)
                && let Some((Some(ply), _)) = self.planned.take()
            {
                self.play(ply);
            }
        }
        let game = self.game();
        let end = game.end().unwrap();
        if end.rule == EndRule::Time {
            // Only somebody who could do nothing but wait may lose on time.
            let seat = end.seat.unwrap();
            let status = game.boards().position(seat.board()).status();
            assert_eq!(status, Status::Waiting, "{seat} lost on time");
        }
        Record {
            end: end.rule,
            winner: end.winner,
            plies: game.plies().to_vec(),
            said: self.said,
        }
    }

    /// The bots play for so long, at most, and Anna does nothing.
    fn bots_only(&mut self, ms: Millis) {
        let until = self.now + ms;
        while self.now < until {
            for job in self.bots.drive(self.now, &mut self.table) {
                let report = job.think(0);
                self.bots.report(self.now, &mut self.table, report);
            }
            let due = [
                self.bots.next_deadline(&self.table),
                self.table.next_deadline(),
            ];
            self.now = due
                .into_iter()
                .flatten()
                .min()
                .unwrap_or(until)
                .clamp(self.now + 1, until);
        }
    }

    /// A bot thinks, on a slow phone; the answer comes later.
    fn think(&mut self, job: Job) {
        assert!(
            self.thinking
                .iter()
                .all(|(_, report)| report.seat().board() != job.board()),
            "one job a board"
        );
        let seat = job.seat();
        assert_ne!(self.game().held_board(), Some(seat.board()));
        let report = job.think(0);
        let thought = report.thought();
        self.said += thought.say.len();
        self.may_wait(seat, thought);
        let took = thought.nodes / NODES_PER_MS + 1;
        self.thinking.push((self.now + took, report));
    }

    /// Whoever could move waits only as long as the opponents lose by it.
    fn may_wait(&self, seat: Seat, thought: &Thought) {
        let game = self.game();
        if thought.ply.is_some() || !game.boards().position(seat.board()).has_legal_ply() {
            return;
        }
        if self.timed {
            let [own, other] = [seat, seat.diagonal()].map(|seat| game.clock(seat, self.now));
            assert!(own > other, "{seat} waits with {own} ms against {other} ms");
        } else {
            assert!(game.partner_plies_since_turn(seat) < 3, "{seat} waits");
        }
    }

    fn plan(&mut self) {
        let Some(game) = self.table.state().game() else {
            return;
        };
        let board = self.seat.board();
        let on_turn = game.boards().seat_to_move(board) == self.seat;
        if !on_turn || self.planned.is_some() || self.table.state().phase() != Phase::Playing {
            return;
        }
        let clocks = Seat::ALL.map(|seat| game.clock(seat, self.now));
        let view = View {
            clocks_ms: self.timed.then_some(clocks),
            increment_ms: game.options().increment_ms,
            partner_plies_since_my_turn: game.partner_plies_since_turn(self.seat),
            ..View::new(game.boards(), self.seat)
        };
        let thought = self.mind.think(&view);
        self.may_wait(self.seat, &thought);
        let began = game.table_time(game.clocks().running_since(board));
        let pace = u64::from(thought.pace_ms);
        let at = match thought.ply {
            Some(_) => (began + pace).max(self.now + 1),
            None => self.now + pace.min(200),
        };
        self.planned = Some((thought.ply, at));
        let channel = match self.seat.team() {
            Team::One => Channel::TeamOne,
            Team::Two => Channel::TeamTwo,
        };
        for tell in thought.say {
            let say = Command::Say(channel, Words::Tell(tell));
            self.table
                .handle(self.now, self.anna, say)
                .expect("a bot talks too much");
            self.said += 1;
        }
    }

    fn play(&mut self, ply: Ply) {
        let board = self.seat.board();
        let command = Command::Play {
            match_no: self.game().no(),
            board,
            answers: self.game().boards().plies(board),
            ply,
        };
        match self.table.handle(self.now, self.anna, command) {
            // The end may have come in the same instant.
            Ok(()) | Err(Refusal::MatchEnded) => {}
            Err(refusal) => panic!("{} plays {ply}: {refusal}", self.seat),
        }
    }
}

fn short(seed: u64) -> Record {
    let mut random = Random::new(seed);
    let levels = Seat::ALL.map(|_| level(1 + random.below(4) as u8));
    let options = Options {
        base_ms: 30_000,
        increment_ms: 1_000 * random.below(2),
        rules: match seed % 3 {
            0 => all_rules().nth(random.below(6) as usize).unwrap(),
            _ => Rules::default(),
        },
        ..Options::default()
    };
    Tabled::start(levels, seed, options).run()
}

#[test]
fn the_same_seed_gives_the_same_match() {
    assert_eq!(short(7), short(7));
    assert_ne!(short(7).plies, short(8).plies);
    let options = Options::default();
    let strong = |seed| Tabled::start([level(6); 4], seed, options).run();
    assert_eq!(strong(3), strong(3));
}

#[test]
fn two_hundred_matches_come_to_an_end() {
    // Without threads and slower: a sample.
    let matches = if cfg!(target_family = "wasm") {
        20
    } else {
        200
    };
    let mut ends = Vec::new();
    let (mut plies, mut said) = (0, 0);
    for seed in 0..matches {
        let record = short(seed);
        assert!(record.plies.len() <= 800);
        plies += record.plies.len();
        said += record.said;
        ends.push(record.end);
    }
    let count = |rule| ends.iter().filter(|&&end| end == rule).count();
    // They are decided on the boards, and bots speak now and then.
    assert!(count(EndRule::Checkmate) * 10 > ends.len() * 8, "{ends:?}");
    assert!(
        said > 0 && said * 5 < plies,
        "{said} tells with {plies} plies"
    );
}

#[test]
fn strong_bots_do_not_lose_on_time_either() {
    let matches = if cfg!(target_family = "wasm") { 1 } else { 2 };
    for seed in 0..matches {
        let levels = [level(8), level(5), level(6), level(7)];
        let options = Options {
            base_ms: 30_000,
            ..Options::default()
        };
        Tabled::start(levels, seed, options).run();
    }
}

#[test]
fn without_clocks_the_other_board_stands_still_for_the_person() {
    let mut held = 0;
    for seed in 0..8 {
        let options = Options {
            base_ms: 0,
            ..Options::default()
        };
        let mut tabled = Tabled::start([level(2); 4], seed, options);
        // Anna thinks for as long as she likes before each of her first plies.
        for _ in 0..4 {
            tabled.bots_only(600_000);
            let game = tabled.game();
            if tabled.table.state().phase() == Phase::Ended {
                break;
            }
            let seat = tabled.seat;
            let plies = game.boards().position(seat.board()).legal_plies();
            let partner = game.boards().position(seat.partner().board());
            assert_eq!(game.boards().seat_to_move(seat.board()), seat);
            assert!(game.partner_plies_since_turn(seat) <= 3);
            if game.partner_plies_since_turn(seat) == 3 {
                held += 1;
                assert_eq!(game.held_board(), Some(seat.partner().board()));
                assert_eq!(tabled.bots.next_deadline(&tabled.table), None);
                assert_eq!(tabled.table.next_deadline(), None, "no flag falls");
            } else {
                // Nobody there can go on without her.
                assert!(!partner.has_legal_ply() || plies.is_empty());
            }
            let Some(&ply) = plies.first() else { break };
            tabled.play(ply);
            assert_eq!(tabled.game().held_board(), None);
        }
    }
    assert!(held > 16, "{held} times");
}

#[test]
fn matches_without_clocks_come_to_an_end() {
    for seed in 0..12 {
        let options = Options {
            base_ms: 0,
            ..Options::default()
        };
        let levels = Seat::ALL.map(|seat| level(1 + ((seed as usize + seat.index()) % 3) as u8));
        let record = Tabled::start(levels, seed, options).run();
        assert_ne!(record.end, EndRule::Time);
    }
}

#[test]
fn without_clocks_nobody_waits_beyond_three_plies_of_the_partner() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let mut bots =
            Seat::ALL.map(|seat| Bot::new(level(3 + (seed % 3) as u8), seed + seat.index() as u64));
        let mut told: [Vec<Tell>; 4] = Default::default();
        let mut partner_plies = [0u16; 2];
        let mut game = Match::new(Rules::default());
        let mut last = None;
        while game.judge(last).is_none() {
            let board = BoardId::ALL[random.below(2) as usize];
            let seat = game.seat_to_move(board);
            if random.below(8) == 0 {
                told[seat.index()].push(Tell::Sit);
            }
            let heard = std::mem::take(&mut told[seat.index()]);
            let view = View {
                heard: &heard,
                partner_plies_since_my_turn: partner_plies[board.index()],
                ..View::new(&game, seat)
            };
            let thought = bots[seat.index()].think(&view);
            told[seat.partner().index()].extend(thought.say);
            let Some(ply) = thought.ply else {
                let idle = !game.position(board).has_legal_ply();
                assert!(idle || partner_plies[board.index()] < 3);
                continue;
            };
            game.play(board, ply).unwrap();
            last = Some(board);
            partner_plies[board.index()] = 0;
            if game.seat_to_move(board.other()) == seat.partner() {
                partner_plies[board.other().index()] += 1;
            }
        }
    }
}
