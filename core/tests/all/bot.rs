//! The computer as a player: what it must see, what it must not do, and that it plays matches to
//! their end.

use tandem_core::bot::{Bot, Level, Limits, Thought, View};
use tandem_core::table::{COUNTDOWN_MS, Command, MatchNo, Millis, Phase, PlayerId, Table};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{
    BoardId, EndRule, Match, Options, Ply, Position, Role, Rules, Seat, Status, Team,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::random::Random;
use crate::rules::position;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";

fn level(number: u8) -> Level {
    Level::try_from(number).unwrap()
}

fn from(number: u8) -> impl Iterator<Item = Level> {
    Level::all().filter(move |level| level.number() >= number)
}

/// A match with this position on board A and another one on board B.
fn boards(a: &str, b: &str) -> Match {
    Match::from_fens(&format!("{a} | {b}"), Rules::default()).unwrap()
}

fn to_move(boards: &Match) -> Seat {
    boards.seat_to_move(BoardId::A)
}

fn think(level: Level, seed: u64, boards: &Match) -> Thought {
    Bot::new(level, seed).think(&View::new(boards, to_move(boards)))
}

fn uci(thought: &Thought) -> String {
    thought.ply.map_or("wait".into(), |ply| ply.to_string())
}

const MATES_IN_ONE: [&str; 9] = [
    // Smothered by a move, by a drop, and by a drop of Black's.
    "6rk/6pp/8/4N3/8/8/8/4K3[] w - - 0 1",
    "6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1",
    "4k3/8/8/8/8/8/6PP/6RK[n] b - - 0 1",
    // The queen next to the king, by a move and by a drop.
    "6k1/5p1p/5P1Q/8/8/8/8/6K1[] w - - 0 1",
    "6k1/5p1p/5P2/8/8/8/8/6K1[Q] w - - 0 1",
    // One mate among many drops, while a move would win a queen.
    "q5rk/6pp/8/8/8/8/6B1/4K3[QRBNP] w - - 0 1",
    // In check oneself: taking the checker, and only that, mates.
    "6rk/5npp/8/4N1K1/8/8/8/8[] w - - 0 1",
    "6rk/5bpp/8/4N2K/8/8/8/8[QR] w - - 0 1",
    // A pawn, guarded by another one.
    "5rnk/7p/7P/8/8/8/8/4K3[P] w - - 0 1",
];

#[test]
fn a_mate_in_one_is_always_taken() {
    for fen in MATES_IN_ONE {
        let boards = boards(fen, START);
        let position = boards.position(BoardId::A);
        let mates = |ply: Ply| {
            let mut after = *position;
            after.play(ply).unwrap();
            after.is_checkmate()
        };
        assert!(
            position.legal_plies().iter().any(|&ply| mates(ply)),
            "{fen}"
        );
        for level in from(2) {
            for seed in 0..6 {
                let mut bot = Bot::new(level, seed);
                let seat = to_move(&boards);
                let mut view = View::new(&boards, seat);
                for heard in [&[][..], &[Tell::Sit]] {
                    view.heard = heard;
                    let ply = bot.think(&view).ply;
                    assert!(ply.is_some_and(mates), "{fen}: level {level} plays {ply:?}");
                }
                view.clocks_ms = Some([900; 4]);
                let ply = bot.quick(&view).ply;
                assert!(ply.is_some_and(mates), "{fen}: level {level} plays {ply:?}");
            }
        }
    }
}

/// Whether the opponent can now take a piece, not a pawn, that nothing takes back.
fn leaves_something(position: &Position, ply: Ply) -> bool {
    let mut after = *position;
    after.play(ply).unwrap();
    after.legal_plies().iter().any(|&taking| {
        let mut taken = after;
        let sent = taken.play(taking).unwrap();
        sent.captured.is_some_and(|piece| piece.role != Role::Pawn)
            && !taken
                .legal_plies()
                .iter()
                .any(|back| !back.is_drop() && back.to() == taking.to())
    })
}

#[test]
fn nothing_is_left_to_be_taken_for_nothing() {
    let fens = [
        // A queen attacked by a pawn, a knight attacked by a pawn, a bishop by a knight.
        "rnb1kbnr/ppp1pppp/8/3q4/2P5/8/PP1PPPPP/RNBQKBNR[] b KQkq - 0 3",
        "rnbqkb1r/pppp1ppp/5n2/4P3/8/8/PPP1PPPP/RNBQKBNR[] b KQkq - 0 3",
        "rnbqkb1r/pppp1ppp/8/4p3/4n3/3P1N2/PPP1PPPP/RNBQKB1R[] b KQkq - 0 3",
        // Pieces in hand, and plenty of squares on which they would be lost.
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R[NB] w KQkq - 0 5",
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R[qrp] b KQkq - 0 5",
        "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1[Pp] w - - 0 7",
    ];
    for fen in fens {
        let boards = boards(fen, START);
        for level in from(4) {
            for seed in 0..u64::from(10 - level.number()) {
                let thought = think(level, seed, &boards);
                let ply = thought.ply.unwrap();
                assert!(
                    !leaves_something(boards.position(BoardId::A), ply),
                    "{fen}: level {level} plays {ply}"
                );
            }
        }
    }
}

#[test]
fn what_is_free_is_taken() {
    // A queen for nothing, and a rook that only the queen could take and be taken back.
    let boards = boards(
        "r3k2r/ppp2ppp/8/3q4/8/2N5/PPP2PPP/R3K2R[] w KQkq - 0 1",
        START,
    );
    for level in from(3) {
        let thought = think(level, 1, &boards);
        assert!(
            level.number() == 3 || uci(&thought) == "c3d5",
            "level {level}: {thought:?}"
        );
    }
}

#[test]
fn a_check_is_answered_by_the_only_drop() {
    let boards = boards("4R1k1/5ppp/8/8/8/8/8/4K3[np] b - - 0 1", START);
    for level in Level::all() {
        assert_eq!(uci(&think(level, 3, &boards)), "N@f8", "level {level}");
    }
}

#[test]
fn who_has_no_legal_ply_waits_and_says_what_would_help() {
    let boards = boards("4R1k1/5ppp/8/8/8/8/8/4K3[p] b - - 0 1", START);
    assert_eq!(boards.position(BoardId::A).status(), Status::Waiting);
    for level in Level::all() {
        let thought = think(level, 3, &boards);
        assert_eq!((thought.ply, thought.nodes), (None, 0));
        assert_eq!(thought.say, [Tell::Saves(Role::Knight)]);
    }
    // Nor does anybody play out of turn.
    let view = View::new(&boards, Seat::AWhite);
    assert_eq!(Bot::new(level(8), 1).think(&view).ply, None);
}

/// White may take a knight or a bishop with the same pawn.
const KNIGHT_OR_BISHOP: &str = "4k3/ppp3pp/8/3n1b2/4P3/8/PPP3PP/4K3[] w - - 0 1";

fn told(number: u8, boards: &Match, heard: &[Tell]) -> String {
    let view = View {
        heard,
        ..View::new(boards, to_move(boards))
    };
    uci(&Bot::new(level(number), 5).think(&view))
}

#[test]
fn the_partner_gets_what_it_needs() {
    let boards = boards(KNIGHT_OR_BISHOP, START);
    for number in 4..=8 {
        let need = |role| told(number, &boards, &[Tell::Need(role)]);
        assert_eq!(need(Role::Knight), "e4d5", "level {number}");
        assert_eq!(need(Role::Bishop), "e4f5", "level {number}");
    }
    // Even at a loss, if the piece gives mate.
    let costly = self::boards("4k3/pp4pp/2p5/3n4/8/8/PP4PP/3RK3[] w - - 0 1", START);
    for number in 4..=8 {
        assert_ne!(told(number, &costly, &[]), "d1d5", "level {number}");
        let heard = [Tell::Mates(Role::Knight)];
        assert_eq!(told(number, &costly, &heard), "d1d5", "level {number}");
    }
}

#[test]
fn the_other_board_is_looked_at_without_being_told() {
    // Black is the partner there, and mates with a knight on f2 as soon as there is one.
    let boards = boards(KNIGHT_OR_BISHOP, "4k3/8/8/8/8/8/6PP/6RK[] b - - 0 1");
    for number in 4..=8 {
        assert_eq!(told(number, &boards, &[]), "e4d5", "level {number}");
    }
    let say = Bot::new(level(8), 5)
        .think(&View::new(&boards, Seat::AWhite))
        .say;
    assert_eq!(say, [Tell::Coming]);
    // The same, but it is the opponent who mates with a knight: then none is given away.
    let trade = "4k3/ppp3pp/5n2/8/4N3/8/PPP3PP/4K3[] w - - 0 1";
    let boards = self::boards(trade, "6rk/6pp/8/8/8/8/8/4K3[] w - - 0 1");
    for number in 4..=8 {
        let mut after = *boards.position(BoardId::A);
        after
            .play(told(number, &boards, &[]).parse().unwrap())
            .unwrap();
        let gives = after.legal_plies().iter().any(|&ply| {
            after
                .piece_at(ply.to())
                .is_some_and(|piece| piece.role == Role::Knight)
        });
        assert!(!gives, "level {number}");
    }
}

#[test]
fn what_must_not_be_given_is_kept() {
    // Queens could be exchanged.
    let boards = boards("3qk3/ppp2ppp/8/8/8/8/PPP2PPP/3QK3[] w - - 0 1", START);
    for number in 4..=8 {
        assert_eq!(told(number, &boards, &[Tell::Need(Role::Queen)]), "d1d8");
        assert_ne!(
            told(number, &boards, &[Tell::DontGive(Role::Queen)]),
            "d1d8"
        );
    }
}

#[test]
fn sitting_is_obeyed_while_it_costs_nothing() {
    let boards = Match::new(Rules::default());
    let ask = |heard: &[Tell], clocks: Option<[u64; 4]>, partner_plies| {
        let view = View {
            heard,
            clocks_ms: clocks,
            partner_plies_since_my_turn: partner_plies,
            ..View::new(&boards, Seat::AWhite)
        };
        Bot::new(level(6), 5).think(&view).ply
    };
    // White on board B is the one who must not have more time.
    let (ahead, behind) = (Some([60_000, 0, 40_000, 0]), Some([40_000, 0, 60_000, 0]));
    assert!(ask(&[], ahead, 0).is_some());
    assert!(ask(&[Tell::Sit], ahead, 0).is_none());
    assert!(ask(&[Tell::Sit], ahead, 9).is_none());
    assert!(ask(&[Tell::Sit], behind, 0).is_some());
    assert!(ask(&[Tell::Sit, Tell::Go], ahead, 0).is_some());
    assert!(ask(&[Tell::Sit], Some([3_000, 0, 0, 0]), 0).is_some());
    // Without clocks it lasts three plies of the partner.
    assert!(ask(&[Tell::Sit], None, 2).is_none());
    assert!(ask(&[Tell::Sit], None, 3).is_some());
    // A partner who cannot move is not made to wait for the piece.
    let stuck = self::boards(KNIGHT_OR_BISHOP, "4R1k1/5ppp/8/8/8/8/8/4K3[p] b - - 0 1");
    let view = View {
        heard: &[Tell::Sit],
        clocks_ms: ahead,
        ..View::new(&stuck, Seat::AWhite)
    };
    assert_eq!(uci(&Bot::new(level(6), 5).think(&view)), "e4d5");
}

#[test]
fn the_pace_fits_the_clock() {
    let boards = Match::new(Rules::default());
    for (clock, most) in [
        (600_000, 6_000),
        (180_000, 6_000),
        (30_000, 900),
        (2_000, 60),
        (100, 5),
    ] {
        for seed in 0..50 {
            let view = View {
                clocks_ms: Some([clock; 4]),
                ..View::new(&boards, Seat::AWhite)
            };
            let thought = Bot::new(level(5), seed).think(&view);
            assert!(thought.pace_ms <= most, "{} of {clock} ms", thought.pace_ms);
            assert!(clock < 30_000 || thought.pace_ms >= 100);
            // A slow phone must get there too.
            assert!(thought.nodes / 30 <= 450.max(clock / 12), "{thought:?}");
        }
    }
}

#[test]
fn an_analysis_is_bounded_by_nodes_and_depth() {
    let position = position(START);
    let bot = Bot::new(level(8), 1);
    let limits = |nodes, depth| Limits { nodes, depth };
    assert!(bot.search(&position, limits(Some(5_000), None)).nodes <= 5_000);
    assert_eq!(bot.search(&position, limits(None, Some(3))).depth, 3);
    assert!(bot.search(&position, Limits::default()).ply.is_some());
}

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
    for seed in 0..12 {
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
