//! The computer as a player: what it must see, and what it must not do.

use tandem_core::bot::{Bot, Level, Limits, Thought, View};
use tandem_core::tell::Tell;
use tandem_core::{BoardId, Match, Ply, Position, Role, Rules, Seat, Status};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::rules::position;

mod matches;

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
    assert!(Bot::new(level(6), 5).think(&view).ply.is_some());
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
