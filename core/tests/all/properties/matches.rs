//! Two boards: what is conserved, how matches end, and matches as text.

use proptest::prelude::*;
use tandem_core::bpgn::{Record, RecordedResult};
use tandem_core::{BoardId, Color, EndRule, Match, PLY_LIMIT, Piece, Promotion, Role};

use super::{cases, plans, play, positions, waiting};
use crate::slow::Slow;

/// How many pieces of each kind a match holds, on boards and in hands, a promoted one as a pawn;
/// for each colour, or together where pawns change theirs.
fn stock(game: &Match) -> [[u32; 6]; 2] {
    let mut stock = [[0; 6]; 2];
    for board in BoardId::ALL {
        let position = game.position(board);
        for color in Color::ALL {
            for role in Role::ALL {
                let standing = position.by_piece(color, role);
                let promoted = (standing & position.promoted()).len();
                stock[color.index()][role.index()] += standing.len() - promoted;
                stock[color.index()][Role::Pawn.index()] += promoted;
            }
            for (role, count) in position.hand(color).iter() {
                stock[color.index()][role.index()] += u32::from(count);
            }
        }
    }
    if game.rules().promotion == Promotion::Trickle {
        let [white, black] = stock;
        let mut both = white;
        for (sum, count) in both.iter_mut().zip(black) {
            *sum += count;
        }
        return [both, [0; 6]];
    }
    stock
}

/// Whatever can be written down about a ply.
#[derive(Clone, Debug)]
struct Remarks {
    clocks: Vec<Option<u32>>,
    texts: Vec<String>,
    result: RecordedResult,
    end: Option<String>,
    tags: Vec<(String, String)>,
}

fn remarks() -> impl Strategy<Value = Remarks> {
    // Among them what looks like something else: clocks, results, moves, tags.
    let text = prop_oneof![
        Just(String::new()),
        "[0-9]{1,3}(\\.[0-9]{1,4})?",
        "1A\\. e4|1-0|\\*|\\[Result \"1-0\"\\]|;x|%|\\$1|C: .{0,9}|R:.{0,9}",
        "\\PC{0,12}",
        ".{0,12}",
    ];
    let tag = ("[A-Za-z0-9_]{1,9}", text.clone());
    (
        prop::collection::vec(prop::option::of(0..100_000_000u32), 8),
        prop::collection::vec(text.clone(), 8),
        prop::sample::select(RecordedResult::ALL.as_slice()),
        prop::option::of(text),
        prop::collection::vec(tag, 0..4),
    )
        .prop_map(|(clocks, texts, result, end, tags)| Remarks {
            clocks,
            texts,
            result,
            end,
            tags,
        })
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn pieces_are_conserved_and_kings_stay(plan in plans(400)) {
        let all = stock(&Match::new(plan.rules));
        play(&plan, |_, _, _, game| {
            assert_eq!(stock(game), all);
            for board in BoardId::ALL {
                let king = |color| game.position(board).by_piece(color, Role::King).len();
                assert_eq!(Color::ALL.map(king), [1, 1]);
            }
        });
    }

    #[test]
    fn a_capture_arrives_with_the_ply_and_nowhere_else(plan in plans(200)) {
        play(&plan, |before, board, ply, after| {
            let (other, there) = (board.other(), before.position(board.other()));
            let mut expected = *there;
            let mut alone = *before.position(board);
            let sent = alone.play(ply).unwrap();
            sent.iter().for_each(|piece: Piece| expected.receive(piece));
            assert_eq!(after.position(board), &alone);
            assert_eq!(after.position(other), &expected);
            assert_eq!(after.total_plies(), before.total_plies() + 1);
        });
    }

    #[test]
    fn a_match_survives_its_texts_and_bytes(plan in plans(200)) {
        play(&plan, |_, _, _, game| {
            let bytes = postcard::to_allocvec(game).unwrap();
            assert_eq!(postcard::from_bytes::<Match>(&bytes).as_ref(), Ok(game));
            let read = Match::from_fens(&game.to_fens(), game.rules()).unwrap();
            for board in BoardId::ALL {
                assert_eq!(read.position(board), game.position(board));
            }
        });
    }

    #[test]
    fn a_record_survives_its_text(plan in plans(300), remarks in remarks(), from in 0..60usize) {
        // It begins anywhere in the match, so that it may need a FEN and odd numbers.
        let mut record = None;
        let mut index = 0;
        play(&plan, |before, board, ply, _| {
            index += 1;
            if index < from {
                return;
            }
            let record = record.get_or_insert_with(|| Record::new(*before));
            record.push(board, ply, remarks.clocks[index % 8]).unwrap();
            if index % 3 == 0 {
                record.comment(&remarks.texts[index % 8]);
                record.comment(&remarks.texts[(index + 1) % 8]);
            }
        });
        let mut record = record.unwrap_or_else(|| Record::new(Match::new(plan.rules)));
        for (name, value) in &remarks.tags {
            // A name that follows from the match is refused, which is fine here.
            let _ = record.set_tag(name, value);
        }
        for finished in [false, true] {
            if finished {
                record.finish(remarks.result, remarks.end.as_deref());
            }
            let text = record.to_string();
            let read = Record::read(&text);
            prop_assert_eq!(read.as_ref(), Ok(&record), "{}", text);
            prop_assert_eq!(read.unwrap().to_string(), text);
        }
    }

    #[test]
    fn any_text_is_a_record_or_an_error_that_keeps_one(plan in plans(60), cut in any::<u32>(), odd in "\\PC{0,6}") {
        let mut record = Record::new(Match::new(plan.rules));
        play(&plan, |_, board, ply, _| record.push(board, ply, Some(9_000)).unwrap());
        record.finish(RecordedResult::TeamOne, Some("x"));
        let mut text = record.to_string();
        let place = (0..text.len())
            .filter(|&place| text.is_char_boundary(place))
            .nth(cut as usize % text.len())
            .unwrap();
        text.insert_str(place, &odd);
        let kept = Record::read(&text).unwrap_or_else(|unreadable| *unreadable.readable);
        prop_assert_eq!(Record::read(&kept.to_string()), Ok(kept), "{}", text);
    }
}

fn board() -> impl Strategy<Value = tandem_core::Position> {
    prop_oneof![1 => positions(6), 2 => waiting()]
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn ends_are_judged_by_the_letter(a in board(), b in board()) {
        let game = Match::from_positions(a, b);
        let mated = [a, b].map(|board| Slow::new(&board).is_mate(board.turn()));
        let stuck = [a, b].map(|board| Slow::new(&board).legal().is_empty());
        for last in [None, Some(BoardId::A), Some(BoardId::B)] {
            let end = game.judge(last);
            let rule = end.map(|end| end.rule);
            if mated == [false, false] {
                prop_assert_eq!(rule == Some(EndRule::Deadlock), stuck == [true, true]);
                prop_assert!(rule.is_none() || rule == Some(EndRule::Deadlock));
            } else {
                let end = end.unwrap();
                prop_assert_eq!(end.rule, EndRule::Checkmate);
                let board = end.board.unwrap();
                prop_assert!(mated[board.index()]);
                prop_assert_eq!(end.winner, Some(game.seat_to_move(board).team().other()));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn no_match_goes_on_for_ever(plan in plans(900).prop_map(|mut plan| {
        // Filled up, so that there is always a next pick.
        plan.picks.resize(900, 7);
        plan
    })) {
        let game = play(&plan, |before, board, _, _| {
            // Nothing was played after an end.
            assert_eq!(before.judge(Some(board)), None);
        });
        prop_assert!(game.total_plies() <= PLY_LIMIT);
        let ends = BoardId::ALL.map(|board| game.judge(Some(board)).is_some());
        prop_assert_eq!(ends, [true, true]);
    }
}
