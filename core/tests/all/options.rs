//! What the table may choose: drops without mate or check, pawns that trickle.

use tandem_core::{
    BoardId, Color, Drops, IllegalPly, Match, Position, Promotion, Role, Rules, Status,
};

use crate::rules::{ply, with_rules};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const TRICKLE: Rules = Rules {
    drops: Drops::Any,
    promotion: Promotion::Trickle,
};

fn dropping(drops: Drops) -> Rules {
    Rules {
        drops,
        promotion: Promotion::Choose,
    }
}

fn trickle(fen: &str) -> Position {
    with_rules(fen, TRICKLE)
}

#[test]
fn no_mate_refuses_only_the_mating_drop() {
    let fen = "6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1";
    let board = with_rules(fen, dropping(Drops::NoMate));
    assert_eq!(
        board.check_legal(ply("N@f7")),
        Err(IllegalPly::DropGivesMate)
    );
    assert!(board.is_legal(ply("N@g6")));
    assert!(with_rules(fen, dropping(Drops::Any)).is_legal(ply("N@f7")));

    // This check could be blocked, so it is no mate, though Black has nothing to block with.
    let board = with_rules(
        "6k1/5ppp/8/8/8/8/8/4K3[R] w - - 0 1",
        dropping(Drops::NoMate),
    );
    assert!(board.is_legal(ply("R@e8")));
    assert_eq!(board.check_legal(ply("R@f8")), Ok(()));
    let board = with_rules(
        "6k1/5ppp/8/8/8/B7/8/4K3[R] w - - 0 1",
        dropping(Drops::NoMate),
    );
    assert_eq!(
        board.check_legal(ply("R@f8")),
        Err(IllegalPly::DropGivesMate)
    );
}

#[test]
fn no_check_refuses_checking_drops_even_as_an_answer() {
    let board = with_rules(
        "6k1/8/8/8/8/8/8/4K3[QP] w - - 0 1",
        dropping(Drops::NoCheck),
    );
    for text in ["Q@g1", "Q@a8", "Q@f7", "P@f7", "P@h7"] {
        assert_eq!(
            board.check_legal(ply(text)),
            Err(IllegalPly::DropGivesCheck),
            "{text}"
        );
    }
    assert!(board.is_legal(ply("Q@f6")));
    assert!(board.is_legal(ply("P@g7")));

    // The rook would block on f8, but it would give check: Black waits, and it is no mate.
    let board = with_rules(
        "4R1k1/6pp/5p2/8/8/8/8/5K2[r] b - - 0 1",
        dropping(Drops::NoCheck),
    );
    assert!(board.is_legal(ply("g8f7")));
    let board = with_rules(
        "4R1k1/5Npp/5B2/8/8/8/8/5K2[r] b - - 0 1",
        dropping(Drops::Any),
    );
    assert_eq!(board.status(), Status::Check);
}

#[test]
fn deadlock_is_judged_with_the_option() {
    let rules = dropping(Drops::NoCheck);
    let fens = "4R1k1/5ppp/8/8/8/8/8/5K2[q] b - - 0 1 | 7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1";
    let game = Match::from_fens(fens, rules).unwrap();
    assert_eq!(game.judge(None), None, "the queen blocks without check");

    let fens = fens
        .replace("5ppp", "6pp")
        .replace("8/5K2[q]", "5P2/5K2[q]");
    let blocked = Match::from_fens(&fens, rules).unwrap();
    let waits = blocked.position(BoardId::A);
    assert!(waits.waiting_roles().next().is_some());
}

#[test]
fn a_trickling_pawn_leaves_with_what_it_takes() {
    let mut game = Match::from_fens(
        "3nk3/2P5/8/8/8/8/8/4K3[] w - - 7 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1",
        TRICKLE,
    )
    .unwrap();
    let ply = game.position(BoardId::A).parse_ply("cxd8").unwrap();
    assert_eq!(ply.to_string(), "c7d8");
    assert_eq!(game.position(BoardId::A).san(ply), "cxd8");
    let played = game.play(BoardId::A, ply).unwrap();
    let sent: String = played.sent.iter().map(|piece| piece.letter()).collect();
    assert_eq!(sent, "np");
    assert_eq!(
        game.to_fens(),
        "4k3/8/8/8/8/8/8/4K3[] b - - 0 1 | 4k3/8/8/8/8/8/8/4K3[np] w - - 0 1"
    );
}

#[test]
fn a_trickling_pawn_is_written_without_promotion() {
    let board = trickle("8/P3k3/8/8/8/8/8/4K3[] w - - 0 1");
    assert!(board.is_legal(ply("a7a8")));
    assert_eq!(
        board.check_legal(ply("a7a8q")),
        Err(IllegalPly::ImpossiblePromotion)
    );
    assert_eq!(board.parse_ply("a8"), Ok(ply("a7a8")));
    assert_eq!(board.san(ply("a7a8")), "a8");
    let mut after = board;
    let sent: Vec<_> = after.play(ply("a7a8")).unwrap().into_iter().collect();
    assert_eq!(sent, [tandem_core::Piece::new(Color::Black, Role::Pawn)]);
}

#[test]
fn a_trickling_pawn_shields_nobody() {
    // It cannot block on the last rank …
    let board = trickle("K6r/3P4/8/8/8/8/8/4k3[] w - - 0 1");
    assert_eq!(
        board.check_legal(ply("d7d8")),
        Err(IllegalPly::LeavesKingInCheck)
    );
    // … nor can it take one rook of two behind each other …
    let board = trickle("K3r2r/3P4/8/8/8/8/8/4k3[] w - - 0 1");
    assert_eq!(
        board.check_legal(ply("d7e8")),
        Err(IllegalPly::LeavesKingInCheck)
    );
    // … nor a piece that stood in a rook's way …
    let board = trickle("K3n2r/3P4/8/8/8/8/8/4k3[] w - - 0 1");
    assert_eq!(
        board.check_legal(ply("d7e8")),
        Err(IllegalPly::LeavesKingInCheck)
    );
    // … but it can take the only checker, and the bishop that pins it.
    assert!(trickle("K3r3/3P4/8/8/8/8/8/4k3[] w - - 0 1").is_legal(ply("d7e8")));
    assert!(trickle("4b3/3P4/2K5/8/8/8/8/4k3[] w - - 0 1").is_legal(ply("d7e8")));
    // Where it may choose, all of these are good moves.
    let choose = |fen| with_rules(fen, Rules::default());
    assert!(choose("K6r/3P4/8/8/8/8/8/4k3[] w - - 0 1").is_legal(ply("d7d8q")));
    assert!(choose("K3r2r/3P4/8/8/8/8/8/4k3[] w - - 0 1").is_legal(ply("d7e8q")));
    assert!(choose("K3n2r/3P4/8/8/8/8/8/4k3[] w - - 0 1").is_legal(ply("d7e8q")));
}

#[test]
fn a_trickling_pawn_checks_only_by_uncovering() {
    let board = trickle("k7/3P4/8/8/8/8/8/4K3[] w - - 0 1");
    assert_eq!(board.san(ply("d7d8")), "d8");
    let board = trickle("8/k2P2R1/8/8/8/8/8/4K3[] w - - 0 1");
    assert_eq!(board.san(ply("d7d8")), "d8+");
}

#[test]
fn trickling_onto_a_rook_ends_castling_there() {
    let mut board = trickle("r3k2r/1P4P1/8/8/8/8/8/4K3[RR] w kq - 0 1");
    board.play(ply("b7a8")).unwrap();
    assert_eq!(board.castling().to_string(), "k");
    // The pawn on g7 attacks f8, where the king would pass.
    assert_eq!(
        board.check_legal(ply("e8g8")),
        Err(IllegalPly::CastlingThroughCheck)
    );
    board.play(ply("e8d7")).unwrap();
    board.play(ply("g7h8")).unwrap();
    assert_eq!(board.castling().to_string(), "-");
    assert_eq!(board.to_fen(), "8/3k4/8/8/8/8/8/4K3[RR] b - - 0 2");
}

#[test]
fn a_rook_dropped_where_one_trickled_away_does_not_castle() {
    let mut board = trickle("4k2r/6P1/8/8/8/8/8/4K3[r] w k - 0 1");
    board.play(ply("g7h8")).unwrap();
    board.play(ply("R@h8")).unwrap();
    board.play(ply("e1d1")).unwrap();
    assert_eq!(
        board.check_legal(ply("e8g8")),
        Err(IllegalPly::CastlingLost)
    );
}
