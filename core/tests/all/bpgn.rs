//! BPGN: real matches, and texts that are none.

use tandem_core::bpgn::{BpgnReason, Ending, Record, RecordedResult, TagError};
use tandem_core::san::ParsePlyError;
use tandem_core::{BoardId, EndRule, IllegalPly, Options, Position, Seat, Team};

use crate::random::Random;
use crate::rules::position;
use crate::sample::all_rules;
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
    let record = Record::read(include_str!("../data/games/mate.bpgn")).unwrap();
    assert_eq!(record.plies().len(), 90);
    assert_eq!(record.result(), RecordedResult::TeamOne);
    assert_eq!(record.tag("BlackA"), Some("player-two"));
    assert_eq!(record.tag("TimeControl"), Some("60+0"));
    assert_eq!(record.tags().len(), 15);
    assert_eq!(record.comments(), ["C: a club game"]);
    assert_eq!(record.end_comment(), Some("player-two checkmated"));
    assert_eq!(record.ending(), Some(Ending::Rule(EndRule::Checkmate)));
    assert_eq!(record.options().base_ms, 60_000);
    assert_eq!(record.lag_ms().len(), 90);
    assert_eq!(record.lag_ms()[..3], [53, 37, 31]);
    assert_eq!(record.plies()[0].seat, Seat::AWhite);
    assert_eq!(record.plies()[0].clock_ms, Some(58_345));
    assert_eq!(record.plies()[2].clock_ms, Some(59_430));
    assert_eq!(record.plies()[89].clock_ms, Some(1_978));
    assert!(
        record
            .plies()
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
    let record = Record::read(include_str!("../data/games/time.bpgn")).unwrap();
    assert_eq!(record.plies().len(), 107);
    assert_eq!(record.result(), RecordedResult::TeamTwo);
    assert_eq!(record.end_comment(), Some("player-three forfeits on time"));
    assert_eq!(record.ending(), Some(Ending::Rule(EndRule::Time)));
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
    let mut game = *record.start();
    let mut written = text
        .split_ascii_whitespace()
        .skip_while(|&word| word != "1A.")
        .filter_map(|word| word.split_once('{'));
    for recorded in record.plies() {
        let board = recorded.seat.board();
        assert_eq!(game.judge(None), None);
        let (move_text, clock) = written.next().unwrap();
        assert_eq!(game.position(board).san(recorded.ply), move_text);
        let seconds: f64 = clock.trim_end_matches('}').parse().unwrap();
        assert_eq!(recorded.clock_ms, Some((seconds * 1000.0).round() as u32));
        game.play(board, recorded.ply).unwrap();
    }
    assert_eq!(&game, record.last());
    // The whole file, letter for letter, however its lines end.
    assert_eq!(record.to_string(), text);
    assert_eq!(Record::read(&text.replace('\n', "\r\n")).unwrap(), *record);
    // Of a file that breaks off, everything before is kept.
    for length in (0..text.len()).step_by(7) {
        let cut = match Record::read(&text[..length]) {
            Ok(cut) => cut,
            Err(unreadable) => *unreadable.readable,
        };
        let plies = cut.plies().iter().map(|ply| (ply.seat, ply.ply));
        let all = record.plies().iter().map(|ply| (ply.seat, ply.ply));
        assert!(plies.eq(all.take(cut.plies().len())), "{length}");
        assert_eq!(
            Record::read(&cut.to_string()).as_ref(),
            Ok(&cut),
            "{length}"
        );
    }
    let cut = Record::read(&text[..text.len() - 200]);
    let kept = cut.unwrap_or_else(|unreadable| *unreadable.readable);
    assert!(kept.plies().len() > 70);
}

#[test]
fn bpgn_says_where_it_goes_wrong() {
    let read = |text: &str| Record::read(text).map_err(|unreadable| unreadable.error);
    for (text, line, ply, reason) in [
        ("", 1, 0, BpgnReason::MissingResult),
        ("1A. e4 1a. e5", 1, 2, BpgnReason::MissingResult),
        ("[Event 1] *", 1, 0, BpgnReason::Tag),
        ("[Event \"1\" *", 1, 0, BpgnReason::Tag),
        ("[Event \"1", 1, 0, BpgnReason::Tag),
        // Found by fuzzing: such a value was read, and could not be read again once written.
        ("[Event \"1\\\n2\"] *", 1, 0, BpgnReason::Tag),
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
    let record = Record::read(text).unwrap();
    assert_eq!(record.tag("Event"), Some("a \"big\" one"));
    assert_eq!(record.comments(), ["first", "second"]);
    assert_eq!(record.plies()[0].clock_ms, Some(62_500));
    assert_eq!(record.plies()[0].comments, ["good"]);
    assert_eq!(record.plies()[1].clock_ms, Some(12_000));
    assert_eq!(record.plies()[1].comments, ["13"]);
    assert_eq!(record.end_comment(), Some("over"));
    assert_eq!(record.result(), RecordedResult::Draw);
}

#[test]
fn odd_spacing_and_missing_tags_are_read() {
    let plain = Record::read("1A. e4{9} 1a. d5{8} 2A. exd5{7} 1B. Nf3{9} 1b. P@e5{8} *").unwrap();
    assert_eq!(plain.tags(), []);
    for text in [
        "\r\n\r\n  1A.e4{9}1a.d5{ 8 }2A.exd5 {7}\t1B.Nf3 {9.0}\r\n1b.p@e5{0:08} *  \r\n\r\n",
        "1A.. e4 {9}\n\n1a... d5 {8}\n; nothing\n% nothing\n2A e4xd5 {7} 1B. Nf3! $1 {9} 1b. @e5 {8}\n*",
        "1A . e4 {9} 1a ... d5 {8} 2A. e4d5{7} 1B. g1f3{9} 1b. P@e5{8}{} *",
        "1A. e2-e4{9} 1a. d7d5{8} 2A. ed5{7} 1B. Ng1f3{9} 1b. P@e5+{8} *",
    ] {
        assert_eq!(Record::read(text).as_ref(), Ok(&plain), "{text}");
    }
    let tagged = Record::read("[ WhiteA\t\"Ann\" ][Result  \"*\"]1A.e4{9}").unwrap();
    assert_eq!(tagged.tag("WhiteA"), Some("Ann"));
    assert_eq!(tagged.result(), RecordedResult::Unknown);
    // Behind a FEN some count on, some from 1; a FEN may miss what others find superfluous.
    for number in ["7", "1"] {
        let text = format!(
            "[FEN \"4k3/8/8/8/8/8/8/4K3/P w - - 0 7 | 4k3/8/8/8/8/8/8/4K3 b -\"] {number}A.@e4 1b. Kd7 *"
        );
        let record = Record::read(&text).unwrap();
        assert_eq!(record.plies().len(), 2);
        assert_eq!(Record::read(&record.to_string()), Ok(record));
    }
}

#[test]
fn comments_of_every_kind_are_kept() {
    let text = "{C: a club game}\n{R: rated}\n1A. e4{180}{C: quick}{R:Ben laughs} 1a. e5{C: no clock} \
                1B. d4{}{12} 1b. d5{179.5}\n{Game aborted by mutual agreement} *";
    let record = Record::read(text).unwrap();
    assert_eq!(record.comments(), ["C: a club game", "R: rated"]);
    assert_eq!(record.plies()[0].comments, ["C: quick", "R:Ben laughs"]);
    assert_eq!(record.plies()[1].clock_ms, None);
    assert_eq!(record.plies()[1].comments, ["C: no clock"]);
    assert_eq!(record.plies()[2].clock_ms, None);
    assert_eq!(record.plies()[2].comments, ["12"]);
    assert_eq!(record.ending(), Some(Ending::Aborted));
    assert_eq!(record.to_string(), text);
}

#[test]
fn the_end_is_read_in_many_words() {
    for (words, ending) in [
        ("Ann checkmated", Ending::Rule(EndRule::Checkmate)),
        ("both checkmated", Ending::Rule(EndRule::Checkmate)),
        ("Ann forfeits on time", Ending::Rule(EndRule::Time)),
        ("timeout resigns", Ending::Rule(EndRule::Resignation)),
        (
            "Ann forfeits by disconnection",
            Ending::Rule(EndRule::Leaving),
        ),
        (
            "Game drawn by mutual agreement",
            Ending::Rule(EndRule::Agreement),
        ),
        (
            "Game drawn because both players ran out of time",
            Ending::Rule(EndRule::BothAtOnce),
        ),
        ("Game aborted on move 1", Ending::Aborted),
    ] {
        let record = Record::read(&format!("1A. e4 {{{words}}} *")).unwrap();
        assert_eq!(record.ending(), Some(ending), "{words}");
    }
    for rule in EndRule::ALL {
        let record = Record::read(&format!("[Termination \"{rule}\"] 1A. e4 {{x}} *")).unwrap();
        assert_eq!(record.ending(), Some(Ending::Rule(rule)));
    }
    let record = Record::read("[Termination \"Normal\"] 1A. e4 {well} *").unwrap();
    assert_eq!(record.ending(), None);
}

#[test]
fn what_was_readable_is_kept() {
    let unreadable =
        Record::read("[WhiteA \"Ann\"]\n[Result \"0-1\"]\n1A. e4{9}{good}\n1B. e5 0-1")
            .unwrap_err();
    assert_eq!(
        unreadable.to_string(),
        "line 4, ply 2: e5: the piece cannot reach that square"
    );
    let kept = *unreadable.readable;
    assert_eq!(kept.tag("WhiteA"), Some("Ann"));
    assert_eq!(kept.plies().len(), 1);
    assert_eq!(kept.plies()[0].comments, ["good"]);
    assert_eq!(kept.result(), RecordedResult::TeamTwo);
    assert_eq!(Record::read(&kept.to_string()).as_ref(), Ok(&kept));

    // Boards or options nobody understands leave the tags, and a record one can still work with.
    for (tag, reason) in [
        ("[FEN \"x\"]", "tag FEN: "),
        ("[Drops \"some\"]", "tag of an option: "),
        ("[Promotion \"king\"]", "tag of an option: "),
    ] {
        let text = format!("[WhiteA \"Ann\"]\n{tag}\n\n1A. e4 *");
        let unreadable = Record::read(&text).unwrap_err();
        assert_eq!((unreadable.error.line, unreadable.error.ply), (2, 0));
        let said = unreadable.error.reason.to_string();
        assert!(said.starts_with(reason), "{said}");
        let kept = *unreadable.readable;
        assert_eq!(kept.tags(), [("WhiteA".to_owned(), "Ann".to_owned())]);
        assert_eq!(Record::read(&format!("{kept}")), Ok(kept));
    }
}

#[test]
fn options_are_kept_in_tags() {
    for rules in all_rules() {
        let options = Options {
            base_ms: 30_500,
            increment_ms: 2_000,
            rules,
            talk: false,
        };
        let record = Record::of_table(&options);
        assert_eq!(record.options(), options);
        assert_eq!(
            Record::read(&record.to_string()).unwrap().options(),
            options
        );
    }
    assert_eq!(
        Record::of_table(&Options::default()).to_string(),
        "[TimeControl \"180+0\"]\n*"
    );
    // Under these rules the drop would be illegal, and the tag is what says so.
    let fens = "6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
    assert!(Record::read(&format!("[FEN \"{fens}\"] 1A. N@f7# *")).is_ok());
    let error = Record::read(&format!("[FEN \"{fens}\"][Drops \"no-mate\"] 1A. N@f7 *"))
        .unwrap_err()
        .error;
    assert_eq!(
        error.reason,
        BpgnReason::Move {
            text: "N@f7".to_owned(),
            reason: ParsePlyError::Illegal(IllegalPly::DropGivesMate)
        }
    );
}

#[test]
fn only_tags_that_say_something_new_can_be_set() {
    let mut record = Record::of_table(&Options::default());
    for name in ["FEN", "Drops", "Promotion", "Result"] {
        assert_eq!(record.set_tag(name, "x"), Err(TagError::Derived));
    }
    for name in ["", "a b", "é", "a-b"] {
        assert_eq!(record.set_tag(name, "x"), Err(TagError::Name));
    }
    record.set_tag("Site", "\"C:\\here\"\nand there").unwrap();
    record.set_tag("Site", "\"C:\\there\"]\r\n{").unwrap();
    assert_eq!(record.tag("Site"), Some("\"C:\\there\"]  {"));
    assert_eq!(Record::read(&record.to_string()), Ok(record));
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
        let _ = Record::read(&String::from_utf8_lossy(&bytes));
    }
}
