//! BPGN: real matches, and texts that are none.

use tandem_core::bpgn::{BpgnReason, Record, RecordedResult};
use tandem_core::san::ParsePlyError;
use tandem_core::{BoardId, EndRule, IllegalPly, Position, Rules, Seat, Team};

use crate::random::Random;
use crate::rules::position;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// What a reader sees of a board: the first two fields of its FEN, which servers write alike up
/// to the order of the hand.
fn board_and_turn(position: &Position) -> (String, String, String) {
    let fen = position.to_fen();
    let (placement, rest) = fen.split_once('[').unwrap();
    let (hand, rest) = rest.split_once(']').unwrap();
    let mut hand: Vec<char> = hand.chars().collect();
    hand.sort_unstable();
    (
        placement.to_owned(),
        hand.into_iter().collect(),
        rest[1..2].to_owned(),
    )
}

#[test]
fn a_real_match_with_a_mate_is_replayed() {
    let record = Record::read(include_str!("../data/games/mate.bpgn"), Rules::default()).unwrap();
    assert_eq!(record.plies.len(), 90);
    assert_eq!(record.result, RecordedResult::TeamOne);
    assert_eq!(record.tag("BlackA"), Some("player-two"));
    assert_eq!(record.tag("TimeControl"), Some("60+0"));
    assert_eq!(record.tags.len(), 15);
    assert_eq!(record.comments, ["C: a club game"]);
    assert_eq!(record.end_comment.as_deref(), Some("player-two checkmated"));
    assert_eq!(record.plies[0].seat, Seat::AWhite);
    assert_eq!(record.plies[0].clock_ms, Some(58_345));
    assert_eq!(record.plies[2].clock_ms, Some(59_430));
    assert_eq!(record.plies[89].clock_ms, Some(1_978));
    assert!(
        record
            .plies
            .iter()
            .all(|ply| ply.clock_ms.is_some() && ply.comments.is_empty())
    );

    let last = record.last();
    let expected = [
        "r1b1N3/ppp4p/4pqpk/n2b2Nn/3P2NQ/2PB4/P1P2PPP/R3R1K1[Pqn] b - - 0 1",
        "r3k1nr/ppN2ppp/2pp4/4p3/4P1b1/B1P1P1P1/P1P1pPp1/R3R1K1[QBBPrb] b - - 0 1",
    ];
    for (board, fen) in BoardId::ALL.into_iter().zip(expected) {
        assert_eq!(
            board_and_turn(last.position(board)),
            board_and_turn(&position(fen))
        );
    }
    let end = last.judge(Some(BoardId::A)).unwrap();
    assert_eq!(
        (end.rule, end.winner),
        (EndRule::Checkmate, Some(Team::One))
    );
    check_written_moves(&record, include_str!("../data/games/mate.bpgn"));
}

#[test]
fn a_real_match_lost_on_time_is_replayed() {
    let record = Record::read(include_str!("../data/games/time.bpgn"), Rules::default()).unwrap();
    assert_eq!(record.plies.len(), 107);
    assert_eq!(record.result, RecordedResult::TeamTwo);
    assert_eq!(
        record.end_comment.as_deref(),
        Some("player-three forfeits on time")
    );
    let last = record.last();
    let expected = [
        "k7/R4RNp/5p2/8/2B5/4nPKP/2P5/8[BNPPPPp] b - - 0 1",
        "rnbk3r/1pq3bp/1p1ppNp1/1N4P1/3P4/2b1P3/PP2PPPP/R2QKB1R[QBqrrbnnppppppp] w - - 0 1",
    ];
    for (board, fen) in BoardId::ALL.into_iter().zip(expected) {
        assert_eq!(
            board_and_turn(last.position(board)),
            board_and_turn(&position(fen))
        );
    }
    assert_eq!(last.judge(None), None);
    check_written_moves(&record, include_str!("../data/games/time.bpgn"));
}

/// The moves as the server wrote them, word for word, and no end before the last of them.
fn check_written_moves(record: &Record, text: &str) {
    let mut game = record.start;
    let mut written = text
        .split_ascii_whitespace()
        .skip_while(|&word| word != "1A.")
        .filter_map(|word| word.split_once('{'));
    for recorded in &record.plies {
        let board = recorded.seat.board();
        assert_eq!(game.judge(None), None);
        let (move_text, clock) = written.next().unwrap();
        assert_eq!(game.position(board).san(recorded.ply), move_text);
        let seconds: f64 = clock.trim_end_matches('}').parse().unwrap();
        assert_eq!(recorded.clock_ms, Some((seconds * 1000.0).round() as u32));
        game.play(board, recorded.ply).unwrap();
    }
    assert_eq!(game, record.last());
}

#[test]
fn bpgn_says_where_it_goes_wrong() {
    let read = |text: &str| Record::read(text, Rules::default());
    for (text, line, ply, reason) in [
        ("", 1, 0, BpgnReason::MissingResult),
        ("1A. e4 1a. e5", 1, 2, BpgnReason::MissingResult),
        ("[Event 1] *", 1, 0, BpgnReason::Tag),
        ("[Event \"1\" *", 1, 0, BpgnReason::Tag),
        ("[Event \"1", 1, 0, BpgnReason::Tag),
        ("\n\n[", 3, 0, BpgnReason::Tag),
        ("1A. e4\n[Event \"x\"] *", 2, 1, BpgnReason::LateTag),
        ("1A. e4\n{58.1", 2, 1, BpgnReason::OpenComment),
        (
            "1A. e4\n\ne5 *",
            3,
            2,
            BpgnReason::MoveNumber("e5".to_owned()),
        ),
        ("1C. e4 *", 1, 1, BpgnReason::MoveNumber("1C.".to_owned())),
        ("é. e4 *", 1, 1, BpgnReason::MoveNumber("é.".to_owned())),
        (
            "99999A. e4 *",
            1,
            1,
            BpgnReason::MoveNumber("99999A.".to_owned()),
        ),
        ("1a. e5 *", 1, 1, BpgnReason::NotOnTurn(Seat::ABlack)),
        (
            "1A. e4 1a. e5 3A. d4 *",
            1,
            3,
            BpgnReason::WrongNumber {
                seat: Seat::AWhite,
                found: 3,
                expected: 2,
            },
        ),
        ("1A.\n*", 2, 1, BpgnReason::MissingMove),
        ("1A. {58}", 1, 1, BpgnReason::MissingMove),
        (
            "1A. e4\n1B. e5 *",
            2,
            2,
            BpgnReason::Move {
                text: "e5".to_owned(),
                reason: ParsePlyError::Illegal(IllegalPly::PieceCannotReach),
            },
        ),
        (
            "[Result \"1-0\"] 1A. e4 0-1",
            1,
            1,
            BpgnReason::ResultMismatch,
        ),
        ("1A. e4 *\n1a. e5", 2, 1, BpgnReason::AfterResult),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!((error.line, error.ply), (line, ply), "{text:?} {error}");
        assert_eq!(error.reason, reason, "{text:?}");
    }
    let error = read("1A. e4\n1B. Qh5 *").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, ply 2: Qh5: the piece cannot reach that square"
    );
    let error = read("[FEN \"x\"] *").unwrap_err();
    assert!(error.to_string().contains("tag FEN"), "{error}");
}

#[test]
fn bpgn_reads_what_others_write() {
    let text = "\u{feff}; a remark\r\n[Event \"a \\\"big\\\" one\"]\r\n\
        [FEN \"4k3/8/8/8/8/8/8/4K3[P] w - - 0 7 | 4k3/8/8/8/8/8/8/4K3[] b - - 0 3\"]\r\n\
        {first}{second}\r\n7A.P@e4{1:02.5}{good} $1 3b. Kd7 {12}{13}{over} 1/2-1/2\r\n";
    let record = Record::read(text, Rules::default()).unwrap();
    assert_eq!(record.tag("Event"), Some("a \"big\" one"));
    assert_eq!(record.comments, ["first", "second"]);
    assert_eq!(record.plies[0].clock_ms, Some(62_500));
    assert_eq!(record.plies[0].comments, ["good"]);
    assert_eq!(record.plies[1].clock_ms, Some(12_000));
    assert_eq!(record.plies[1].comments, ["13"]);
    assert_eq!(record.end_comment.as_deref(), Some("over"));
    assert_eq!(record.result, RecordedResult::Draw);
}

#[test]
fn mangled_bpgn_never_panics() {
    let text = include_str!("../data/games/mate.bpgn");
    let mut random = Random::new(9);
    for _ in 0..2_000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            let place = random.below(bytes.len() as u32) as usize;
            match random.below(3) {
                0 => bytes[place] = b"{}[]\"\\.;A1 \n\xc3"[random.below(13) as usize],
                1 => drop(bytes.remove(place)),
                _ => bytes.truncate(place + 1),
            }
        }
        let _ = Record::read(&String::from_utf8_lossy(&bytes), Rules::default());
    }
}
