//! Whole matches of four bots at a table, in virtual time.

use tandem_core::bot::{Bot, Level, View};
use tandem_core::table::{COUNTDOWN_MS, Command, MatchNo, Millis, Phase, PlayerId, Table};
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
    plies: Vec<(Millis, BoardId, Ply)>,
    end: EndRule,
    winner: Option<Team>,
    said: usize,
}

/// The turn that is on at a board.
#[derive(Default)]
struct Turn {
    began: Millis,
    planned: Option<(Option<Ply>, Millis)>,
    partner_plies: u16,
}

/// Four people at a table who do what their bots say, in virtual time.
struct Tabled {
    table: Table,
    now: Millis,
    players: [PlayerId; 4],
    bots: [Bot; 4],
    turns: [Turn; 2],
    told: [Vec<Tell>; 4],
    said: usize,
    plies: Vec<(Millis, BoardId, Ply)>,
}

impl Tabled {
    fn start(levels: [Level; 4], seed: u64, options: Options) -> Tabled {
        let mut table = Table::new();
        let players = Seat::ALL.map(|seat| table.join(0, &seat.to_string()).unwrap());
        let mut ask = |player, command| table.handle(0, player, command).unwrap();
        ask(players[0], Command::SetOptions(options));
        for (player, seat) in players.into_iter().zip(Seat::ALL) {
            ask(player, Command::Sit(seat));
        }
        for player in players {
            ask(player, Command::SetReady(true));
        }
        table.tick(COUNTDOWN_MS);
        let bots = Seat::ALL.map(|seat| {
            let index = seat.index();
            Bot::new(levels[index], seed * 4 + index as u64)
        });
        let mut tabled = Tabled {
            table,
            now: COUNTDOWN_MS,
            players,
            bots,
            turns: Default::default(),
            told: Default::default(),
            said: 0,
            plies: Vec::new(),
        };
        for turn in &mut tabled.turns {
            turn.began = COUNTDOWN_MS;
        }
        tabled
    }

    fn boards(&self) -> Match {
        *self.table.state().game().unwrap().boards()
    }

    fn clock(&self, seat: Seat) -> u64 {
        self.table.state().game().unwrap().clock(seat, self.now)
    }

    fn run(mut self) -> Record {
        while self.table.state().phase() == Phase::Playing {
            // What one bot tells may wake its partner on the other board.
            while let Some(board) = BoardId::ALL
                .into_iter()
                .find(|board| self.turns[board.index()].planned.is_none())
            {
                self.think(board);
            }
            let (board, at) = BoardId::ALL
                .map(|board| (board, self.turns[board.index()].planned.unwrap().1))
                .into_iter()
                .min_by_key(|&(_, at)| at)
                .unwrap();
            self.now = at;
            self.table.tick(at);
            if self.table.state().phase() != Phase::Playing {
                break;
            }
            if let Some((Some(ply), _)) = self.turns[board.index()].planned.take() {
                self.play(board, ply);
            }
        }
        let game = self.table.state().game().unwrap();
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
            plies: self.plies,
            said: self.said,
        }
    }

    fn play(&mut self, board: BoardId, ply: Ply) {
        let boards = self.boards();
        let seat = boards.seat_to_move(board);
        let command = Command::Play {
            match_no: MatchNo(1),
            board,
            answers: boards.plies(board),
            ply,
        };
        self.table
            .handle(self.now, self.players[seat.index()], command)
            .unwrap_or_else(|refusal| panic!("{seat} plays {ply}: {refusal}"));
        self.plies.push((self.now, board, ply));
        self.turns[board.index()] = Turn {
            began: self.now,
            ..Turn::default()
        };
        let other = board.other();
        if boards.seat_to_move(other) == seat.partner() {
            self.turns[other.index()].partner_plies += 1;
        }
        self.ask_again(other);
    }

    /// Whoever waits at this board is asked again.
    fn ask_again(&mut self, board: BoardId) {
        let turn = &mut self.turns[board.index()];
        if matches!(turn.planned, Some((None, _))) {
            turn.planned = None;
        }
    }

    fn think(&mut self, board: BoardId) {
        let boards = self.boards();
        let seat = boards.seat_to_move(board);
        let turn = &self.turns[board.index()];
        let clocks = Seat::ALL.map(|seat| self.clock(seat));
        let view = View {
            boards: &boards,
            seat,
            clocks_ms: Some(clocks),
            increment_ms: self.table.state().options().increment_ms,
            heard: &self.told[seat.index()],
            partner_plies_since_my_turn: turn.partner_plies,
        };
        let thought = self.bots[seat.index()].think(&view);
        if thought.ply.is_none() && boards.position(board).has_legal_ply() {
            let (own, other) = (clocks[seat.index()], clocks[seat.diagonal().index()]);
            assert!(own > other, "{seat} waits with {own} ms against {other} ms");
        }
        let took = thought.nodes / NODES_PER_MS + 1;
        let at = match thought.ply {
            Some(_) => (turn.began + u64::from(thought.pace_ms)).max(self.now + took),
            None => self.now + took.max(u64::from(thought.pace_ms)),
        };
        self.turns[board.index()].planned = Some((thought.ply, at));
        for tell in thought.say {
            self.say(seat, tell);
        }
    }

    fn say(&mut self, seat: Seat, tell: Tell) {
        let channel = match seat.team() {
            Team::One => Channel::TeamOne,
            Team::Two => Channel::TeamTwo,
        };
        let command = Command::Say(channel, Words::Tell(tell));
        self.table
            .handle(self.now, self.players[seat.index()], command)
            .expect("a bot talks too much");
        self.said += 1;
        let partner = seat.partner();
        self.told[partner.index()].push(tell);
        if self.boards().seat_to_move(partner.board()) == partner {
            self.ask_again(partner.board());
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
            let view = View {
                heard: &told[seat.index()],
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
