//! A match of a table as BPGN.

use super::*;
use tandem_core::bpgn::{Ending, Record, RecordedResult};
use tandem_core::{Drops, Promotion, Rules};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn record(four: &Four) -> Record {
    let record = Record::of_game(four.table.state().game().unwrap());
    let text = record.to_string();
    assert_eq!(Record::read(&text).as_ref(), Ok(&record), "{text}");
    assert_eq!(record.last().to_fens(), four.boards().to_fens());
    record
}

#[test]
fn a_match_of_a_table_is_written_down_with_options_clocks_and_end() {
    let options = Options {
        base_ms: 90_000,
        increment_ms: 2_500,
        rules: Rules {
            drops: Drops::NoMate,
            promotion: Promotion::Trickle,
        },
        talk: false,
    };
    let mut four = Four::with_options(options).start();
    four.wait(1_250);
    four.play(B, "e4").unwrap();
    four.wait(3_000);
    four.play(A, "d4").unwrap();
    four.play(B, "d5").unwrap();
    let unfinished = record(&four);
    assert_eq!(unfinished.options(), options);
    assert_eq!(unfinished.result(), RecordedResult::Unknown);
    assert_eq!(unfinished.ending(), None);
    assert_eq!(unfinished.tag("Lag"), Some("0 0 0"));

    let no = four.no();
    four.ask(BWhite, Command::Resign(no)).unwrap();
    let finished = record(&four);
    assert_eq!(
        finished.to_string(),
        "[TimeControl \"90+2.5\"]\n[Drops \"no-mate\"]\n[Promotion \"trickle\"]\n[Talk \"off\"]\n\
         [WhiteA \"Anna\"]\n[BlackA \"Ben\"]\n[WhiteB \"Cleo\"]\n[BlackB \"Dan\"]\n\
         [Lag \"0 0 0\"]\n[Termination \"resignation\"]\n[Result \"1-0\"]\n\
         1B. e4{91.25} 1A. d4{88.25} 1b. d5{89.5}\n{Cleo resigns} 1-0"
    );
    assert_eq!(finished.ending(), Some(Ending::Rule(EndRule::Resignation)));
    assert_eq!(finished.lag_ms(), [0, 0, 0]);
}

#[test]
fn a_match_lost_on_time_says_so() {
    let mut four = Four::playing();
    four.play_all(A, "e4");
    four.wait(180_000);
    let record = record(&four);
    assert_eq!(record.result(), RecordedResult::TeamOne);
    assert_eq!(record.ending(), Some(Ending::Rule(EndRule::Time)));
    // Black on A and White on B, who are partners, ran out at the same instant.
    let end = record.end_comment().unwrap();
    assert!(end.ends_with(" forfeits on time"), "{end}");
}
