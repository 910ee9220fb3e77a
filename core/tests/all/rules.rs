//! The rules R1 to R8 and the ends E1, E6 and E7.

use serde_json::Value;
use tandem_core::bughouse::MatchFenError;
use tandem_core::{
    BoardId, Color, EndRule, Hand, IllegalPly, Match, Ply, Position, Role, Rules, Seat, Status,
    Team,
};

use crate::random::Random;
use crate::sample::{all_rules, random_match, scattered};
use crate::slow::Slow;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

pub fn position(fen: &str) -> Position {
    with_rules(fen, Rules::default())
}

pub fn with_rules(fen: &str, rules: Rules) -> Position {
    Position::from_fen(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub fn ply(text: &str) -> Ply {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal(fen: &str, text: &str) -> IllegalPly {
    position(fen).check_legal(ply(text)).unwrap_err()
}

fn legal(position: &Position) -> Vec<String> {
    let mut plies: Vec<String> = position.legal_plies().iter().map(Ply::to_string).collect();
    plies.sort();
    plies
}

/// Plays the plies of a JSON array and returns what the last of them sends.
fn play_all(position: &mut Position, plies: &Value) -> String {
    let mut sent = String::new();
    for text in plies.as_array().unwrap() {
        let played = position.play(ply(text.as_str().unwrap())).unwrap();
        sent = played.iter().map(|piece| piece.letter()).collect();
    }
    sent
}

fn words(value: &Value) -> Vec<String> {
    let mut words: Vec<String> = value
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap().to_owned())
        .collect();
    words.sort();
    words
}

/// The word of the data for a status.
fn status(position: &Position) -> &'static str {
    match position.status() {
        Status::Move | Status::Check => "move",
        Status::Waiting => "wait",
        Status::Checkmate => "mate",
    }
}

fn result(game: &Match) -> &'static str {
    match game.judge(None).map(|end| end.rule) {
        None => "play",
        Some(EndRule::Checkmate) => "mate",
        Some(EndRule::Deadlock) => "deadlock",
        Some(rule) => rule.as_str(),
    }
}

#[test]
fn tricky_positions() {
    let data: Value = serde_json::from_str(include_str!("../data/positions.json")).unwrap();
    let cases = data.as_array().unwrap();
    assert_eq!(cases.len(), 35);
    for case in cases {
        check_case(case);
    }
}

fn check_case(case: &Value) {
    let id = case["id"].as_str().unwrap();
    let mut a = position(case["fen"].as_str().unwrap());
    assert_eq!(a.to_fen(), case["fen"].as_str().unwrap(), "{id}");
    let mut sent = String::new();
    if let Some(plies) = case.get("after") {
        sent = play_all(&mut a, plies);
        assert_eq!(a.to_fen(), case["fen_after"].as_str().unwrap(), "{id}");
    }
    let mut game = Match::from_positions(a, Position::start(Rules::default()));
    if let Some(fen) = case.get("fen_b") {
        game = Match::from_positions(a, position(fen.as_str().unwrap()));
        for text in case.get("after_b").map(words).unwrap_or_default() {
            let played = game.play(BoardId::B, ply(&text)).unwrap();
            sent = played.sent.iter().map(|piece| piece.letter()).collect();
        }
        a = *game.position(BoardId::A);
    }
    for (field, value) in case["expect"].as_object().unwrap() {
        let context = format!("{id}: {field}");
        let text = value.as_str();
        match field.as_str() {
            "status" | "status_a" => assert_eq!(Some(status(&a)), text, "{context}"),
            "status_b" => {
                assert_eq!(Some(status(game.position(BoardId::B))), text, "{context}");
            }
            "result" => assert_eq!(Some(result(&game)), text, "{context}"),
            "legal_count" => {
                let count = value.as_u64().unwrap();
                assert_eq!(a.legal_plies().len() as u64, count, "{context}");
                assert_eq!(u64::from(a.count_legal_plies()), count, "{context}");
                assert_eq!(a.has_legal_ply(), count > 0, "{context}");
            }
            "check" => assert_eq!(Some(a.is_check()), value.as_bool(), "{context}"),
            "only" => assert_eq!(legal(&a), words(value), "{context}"),
            "has" => {
                for text in words(value) {
                    assert!(a.is_legal(ply(&text)), "{context} {text}");
                }
            }
            "hasnot" => {
                for text in words(value) {
                    assert!(!a.is_legal(ply(&text)), "{context} {text}");
                }
            }
            "gives" => assert_eq!(Some(sent.as_str()), text, "{context}"),
            "castling" => assert_eq!(Some(a.castling().to_string().as_str()), text, "{context}"),
            "fen_a_after" => assert_eq!(Some(a.to_fen().as_str()), text, "{context}"),
            _ => panic!("{context} is not checked by anything"),
        }
    }
    if case["expect"]["status"] == "mate" {
        assert_eq!(result(&game), "mate", "{id}");
    }
}

/// Every answer the crate gives about a position, held against the slow rules.
fn check_against_slow(position: &Position) {
    let slow = Slow::new(position);
    let expected = slow.legal();
    let fen = position.to_fen();
    let mut plies = position.legal_plies().to_vec();
    plies.sort();
    assert_eq!(plies, expected, "{fen} {:?}", position.rules());
    assert_eq!(position.count_legal_plies() as usize, expected.len());
    assert_eq!(position.has_legal_ply(), !expected.is_empty());
    let status = match (slow.is_mate(position.turn()), slow.is_check()) {
        (true, _) => Status::Checkmate,
        _ if expected.is_empty() => Status::Waiting,
        (_, true) => Status::Check,
        (_, false) => Status::Move,
    };
    assert_eq!(position.status(), status, "{fen} {:?}", position.rules());
    assert_eq!(
        position.is_checkmate(),
        status == Status::Checkmate,
        "{fen}"
    );
    for ply in expected {
        assert_eq!(position.check_legal(ply), Ok(()), "{fen} {ply}");
    }
}

#[test]
fn matches_agree_with_the_slow_rules() {
    for (seed, rules) in (0..).zip(all_rules()) {
        let mut seen = 0;
        random_match(seed, rules, |game| {
            seen += 1;
            if seen % 5 == 0 {
                for board in BoardId::ALL {
                    check_against_slow(game.position(board));
                }
            }
        });
    }
}

#[test]
fn scattered_pieces_agree_with_the_slow_rules() {
    let mut random = Random::new(7);
    for rules in all_rules() {
        for _ in 0..400 {
            check_against_slow(&scattered(&mut random, rules));
        }
    }
}

#[test]
fn every_refusal_leaves_the_position_alone() {
    let mut random = Random::new(11);
    for rules in all_rules() {
        for _ in 0..20 {
            let position = scattered(&mut random, rules);
            for bits in 0..=u16::MAX {
                let Ok(ply) = Ply::from_bits(bits) else {
                    continue;
                };
                let mut after = position;
                match after.play(ply) {
                    Ok(_) => assert_ne!(after, position),
                    Err(_) => assert_eq!(after, position),
                }
            }
        }
    }
}

#[test]
fn whatever_follows_can_be_written_and_read() {
    for (seed, rules) in (20..).zip(all_rules()) {
        random_match(seed, rules, |game| {
            let read = Match::from_fens(&game.to_fens(), rules).unwrap();
            for board in BoardId::ALL {
                assert_eq!(read.position(board), game.position(board));
            }
            let bytes = postcard::to_allocvec(game).unwrap();
            assert_eq!(&postcard::from_bytes::<Match>(&bytes).unwrap(), game);
        });
    }
}

#[test]
fn r4_a_capture_arrives_with_the_partner_in_the_same_step() {
    let mut game = Match::new(Rules::default());
    for text in ["e2e4", "d7d5"] {
        assert!(game.play(BoardId::B, ply(text)).unwrap().sent.is_empty());
    }
    let played = game.play(BoardId::B, ply("e4d5")).unwrap();
    assert_eq!(played.seat, Seat::BWhite);
    // White on B has taken a black pawn; the partner plays Black on A.
    let receiver = game.position(BoardId::A);
    assert_eq!(
        receiver.hand(Color::Black),
        [Role::Pawn].into_iter().collect()
    );
    assert_eq!(receiver.hand(Color::White), Hand::EMPTY);
    assert_eq!(game.position(BoardId::B).hand(Color::White), Hand::EMPTY);
    assert_eq!(game.position(BoardId::B).hand(Color::Black), Hand::EMPTY);
    assert_eq!((game.plies(BoardId::A), game.plies(BoardId::B)), (0, 3));
    assert_eq!(game.total_plies(), 3);
}

#[test]
fn r6_a_dropped_pawn_may_advance_two_squares_and_be_taken_in_passing() {
    let mut board = position("4k3/8/8/8/3p4/8/8/4K3[P] w - - 4 1");
    board.play(ply("P@e2")).unwrap();
    assert_eq!(board.halfmove_clock(), 0);
    board.play(ply("e8d8")).unwrap();
    board.play(ply("e2e4")).unwrap();
    assert_eq!(board.en_passant(), Some("e3".parse().unwrap()));
    assert!(board.is_legal(ply("d4e3")));

    let mut dropped = position("4k3/8/8/8/3pP3/8/8/4K3[n] b - e3 0 1");
    dropped.play(ply("N@a1")).unwrap();
    assert_eq!(dropped.en_passant(), None);
}

#[test]
fn r7_a_dropped_or_promoted_rook_never_castles() {
    let mut board = position("4k3/6P1/8/8/8/8/5n2/4K2R[R] b K - 0 1");
    board.play(ply("f2h1")).unwrap();
    assert_eq!(board.castling().to_string(), "-");
    board.play(ply("g7g8r")).unwrap();
    board.play(ply("e8d7")).unwrap();
    board.play(ply("g8g1")).unwrap();
    board.play(ply("d7d6")).unwrap();
    board.play(ply("g1h1")).unwrap();
    board.play(ply("d6d7")).unwrap();
    assert_eq!(
        board.check_legal(ply("e1g1")),
        Err(IllegalPly::CastlingLost)
    );

    let dropped = position("4k3/8/8/8/8/8/8/4K2R[] w - - 0 1");
    assert_eq!(
        dropped.check_legal(ply("e1g1")),
        Err(IllegalPly::CastlingLost)
    );
}

#[test]
fn refusals_name_the_reason() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Pn] w KQkq - 0 1";
    for (text, reason) in [
        ("e4e5", IllegalPly::EmptySquare),
        ("e7e5", IllegalPly::NotYourPiece),
        ("a1a2", IllegalPly::OwnPieceThere),
        ("a1a3", IllegalPly::PieceCannotReach),
        ("e2e5", IllegalPly::PieceCannotReach),
        ("e2d3", IllegalPly::PieceCannotReach),
        ("e2e4q", IllegalPly::ImpossiblePromotion),
        ("g1f3n", IllegalPly::ImpossiblePromotion),
        ("e1g1", IllegalPly::CastlingBlocked),
        ("N@e4", IllegalPly::NotInHand),
        ("P@e2", IllegalPly::SquareOccupied),
    ] {
        assert_eq!(refusal(start, text), reason, "{text}");
    }
    let open = "4k3/P3r3/8/8/8/8/4B3/R3K2R[P] w Q - 0 1";
    assert_eq!(refusal(open, "e2d3"), IllegalPly::LeavesKingInCheck);
    assert_eq!(refusal(open, "P@b8"), IllegalPly::PawnOnBackRank);
    assert_eq!(refusal(open, "a7a8"), IllegalPly::MissingPromotion);
    assert_eq!(refusal(open, "e1g1"), IllegalPly::CastlingLost);
    let checked = "4k3/4r3/8/8/8/8/8/R3K3[P] w Q - 0 1";
    assert_eq!(refusal(checked, "e1c1"), IllegalPly::CastlingThroughCheck);
    assert_eq!(refusal(checked, "P@d4"), IllegalPly::LeavesKingInCheck);
}

#[test]
fn no_construction_of_a_ply_slips_through() {
    let square = |text: &str| text.parse().unwrap();
    let board = position("4k3/P7/8/8/8/8/8/4K3[] w - - 0 1");
    for role in [Role::Pawn, Role::King] {
        let promotion = Ply::Move {
            from: square("a7"),
            to: square("a8"),
            promotion: Some(role),
        };
        assert_eq!(
            board.check_legal(promotion),
            Err(IllegalPly::ImpossiblePromotion)
        );
    }
    let king = Ply::Drop {
        role: Role::King,
        to: square("a1"),
    };
    assert_eq!(board.check_legal(king), Err(IllegalPly::NotInHand));
    let stay = Ply::quiet(square("e1"), square("e1"));
    assert_eq!(board.check_legal(stay), Err(IllegalPly::OwnPieceThere));
}

#[test]
fn who_waits_learns_what_would_help() {
    let roles = |fen| position(fen).waiting_roles().collect::<Vec<_>>();
    // Only f8 blocks, where no pawn may stand.
    assert_eq!(
        roles("4R1k1/5ppp/8/8/8/8/8/4K3[] b - - 0 1"),
        [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
    );
    assert_eq!(roles("7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1"), Role::HAND);
    assert_eq!(roles("6rk/5Npp/8/8/8/8/8/4K3[] b - - 0 1"), []);
}

#[test]
fn e1_the_mating_team_wins() {
    let bare = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
    let mate = "6rk/5Npp/8/8/8/8/8/4K3[qrbnp] b - - 0 1";
    let mirrored = "4k3/8/8/8/8/8/5nPP/6RK[QRBNP] w - - 0 1";
    for (a, b, board, winner) in [
        (mate, bare, BoardId::A, Team::One),
        (mirrored, bare, BoardId::A, Team::Two),
        (bare, mate, BoardId::B, Team::Two),
        (bare, mirrored, BoardId::B, Team::One),
    ] {
        let game = Match::from_positions(position(a), position(b));
        let end = game.judge(None).unwrap();
        assert_eq!(end.rule, EndRule::Checkmate);
        assert_eq!((end.board, end.winner), (Some(board), Some(winner)));
    }
}

#[test]
fn e6_counts_legal_drops_and_not_pieces_in_hand() {
    // Black's pawn in hand has only f8 to block, where it may not go.
    let stuck = position("4R1k1/5ppp/8/8/8/8/8/4K3[p] b - - 0 1");
    let quiet = position("7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1");
    let end = Match::from_positions(stuck, quiet)
        .judge(Some(BoardId::B))
        .unwrap();
    assert_eq!(
        (end.rule, end.winner, end.board),
        (EndRule::Deadlock, None, None)
    );

    let free = position("7k/5Q2/6K1/8/8/8/8/8[p] b - - 0 1");
    assert_eq!(Match::from_positions(stuck, free).judge(None), None);
}

#[test]
fn e7_comes_after_800_plies_and_after_mate() {
    let bare = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
    let shuffle = ["e1d1", "e8d8", "d1e1", "d8e8"];
    let mut game = Match::from_fens(
        &format!("6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1 | {bare}"),
        Rules::default(),
    )
    .unwrap();
    for turn in 0..799 {
        assert_eq!(game.judge(None), None);
        game.play(BoardId::B, ply(shuffle[turn % 4])).unwrap();
    }
    let mut mated = game;
    mated.play(BoardId::A, ply("N@f7")).unwrap();
    assert_eq!(mated.total_plies(), 800);
    assert_eq!(
        mated.judge(Some(BoardId::A)).unwrap().rule,
        EndRule::Checkmate
    );

    game.play(BoardId::A, ply("N@a1")).unwrap();
    let end = game.judge(Some(BoardId::A)).unwrap();
    assert_eq!((end.rule, end.winner), (EndRule::PlyLimit, None));
}

#[test]
fn counters_stop_instead_of_overflowing() {
    let mut board = position("4k3/8/8/8/8/8/8/4K3[] b - - 65535 65535");
    board.play(ply("e8d8")).unwrap();
    assert_eq!(
        (board.halfmove_clock(), board.fullmove_number()),
        (65535, 65535)
    );
    for _ in 0..300 {
        board.receive(tandem_core::Piece::new(Color::White, Role::Pawn));
    }
    assert_eq!(board.hand(Color::White).count(Role::Pawn), 255);
}

#[test]
fn crowded_boards_lose_no_ply() {
    let fen = "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q5QQ/k1K3QQ[QRBNP] w - - 0 1";
    let error = Position::from_fen(fen, Rules::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("placement: black is in check")
    );

    // No position of chess has more moves than this one; every drop comes on top.
    let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1[QRBNP] w - - 0 1";
    let board = position(fen);
    let count = board.legal_plies().len();
    assert_eq!(count, 218 + 4 * 45 + 37);
    assert_eq!(count as u32, board.count_legal_plies());
    assert_eq!(board.legal_plies().into_iter().count(), count);
    check_against_slow(&board);
}

#[test]
fn a_pair_of_boards_is_written_with_one_bar() {
    let fen = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
    let pair = |text: &str| Match::from_fens(text, Rules::default());
    assert_eq!(pair(fen), Err(MatchFenError::NotAPair));
    assert_eq!(
        pair(&format!("{fen}|{fen}|{fen}")),
        Err(MatchFenError::NotAPair)
    );
    let error = pair(&format!("{fen} | nonsense")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("board B: a FEN has six fields"),
        "{error}"
    );
    assert!(pair(&format!("{fen}|{fen}")).is_ok());
}
