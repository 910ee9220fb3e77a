//! Who hears what.

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn talk_reaches_the_team_and_spectators_after_the_end() {
    let mut four = Four::playing();
    let eve = four.table.join(four.now, "Eve").unwrap();
    let tell = |tell| Words::Tell(tell);
    let heard = |four: &Four, id| four.table.lines_since(id, [0; 3]).count();
    four.ask(AWhite, Command::Say(Channel::TeamOne, tell(Tell::Sit)))
        .unwrap();
    let text = Words::Text("  knight\u{200B}  please ".into());
    four.ask(BBlack, Command::Say(Channel::TeamOne, text))
        .unwrap();
    for (seat, channel) in [
        (AWhite, Channel::TeamTwo),
        (ABlack, Channel::TeamOne),
        (AWhite, Channel::Everyone),
    ] {
        let said = four.ask(seat, Command::Say(channel, tell(Tell::Go)));
        assert_eq!(said, Err(Refusal::NoTalk), "{seat} on {channel:?}");
    }
    assert_eq!(
        four.ask(
            AWhite,
            Command::Say(Channel::TeamOne, Words::Text(" \u{200B}".into()))
        ),
        Err(Refusal::EmptyText)
    );
    for seat in [AWhite, BBlack] {
        let lines: Vec<_> = four.table.lines_since(four.id(seat), [0; 3]).collect();
        assert_eq!(
            (lines.len(), lines[0].first, lines[0].lines.len()),
            (1, 1, 2)
        );
        assert_eq!(lines[0].lines[1].words, Words::Text("knight please".into()));
        let newer: Vec<_> = four.table.lines_since(four.id(seat), [1, 0, 0]).collect();
        assert_eq!((newer[0].first, newer[0].lines.len()), (2, 1));
    }
    for id in [four.id(ABlack), four.id(BWhite), eve] {
        assert_eq!(heard(&four, id), 0);
        assert_eq!(four.table.heard_by(id), [0; 3]);
    }
    let no = four.no();
    four.ask(ABlack, Command::Resign(no)).unwrap();
    assert_eq!(heard(&four, eve), 1);
    assert_eq!(heard(&four, four.id(ABlack)), 0);
    // The next match begins in silence, whoever is whose partner then.
    for seat in Seat::ALL {
        four.ask(seat, Command::Rematch(no, Arrangement::SwapPartners))
            .unwrap();
    }
    for id in [four.id(AWhite), four.id(ABlack), eve] {
        assert_eq!(heard(&four, id), 0);
    }
}

#[test]
fn talk_can_be_off_and_has_a_bound() {
    let mut four = Four::with_options(Options {
        talk: false,
        ..Options::default()
    });
    let hello = || Command::Say(Channel::Everyone, Words::Tell(Tell::Yes));
    for _ in 0..FLOOD_LINES {
        four.ask(AWhite, hello()).unwrap();
    }
    assert_eq!(four.ask(AWhite, hello()), Err(Refusal::TooMuchTalk));
    four.ask(ABlack, hello()).unwrap();
    let mut four = four.start();
    let said = four.ask(
        AWhite,
        Command::Say(Channel::TeamOne, Words::Tell(Tell::Go)),
    );
    assert_eq!(said, Err(Refusal::NoTalk));
}

#[test]
fn a_house_without_free_text_takes_signals() {
    let mut four = Four::seated();
    four.table = four
        .table
        .with_house_rules(HouseRules {
            free_text: false,
            ..HouseRules::default()
        })
        .with_flood_lines(2);
    let mut four = four.start();
    let say = |words| Command::Say(Channel::TeamOne, words);
    let text = four.ask(AWhite, say(Words::Text("knight please".into())));
    assert_eq!(text, Err(Refusal::NoFreeText));
    for _ in 0..2 {
        four.ask(AWhite, say(Words::Tell(Tell::Need(Role::Knight))))
            .unwrap();
    }
    let third = four.ask(AWhite, say(Words::Tell(Tell::Sit)));
    assert_eq!(third, Err(Refusal::TooMuchTalk));
    // A table taken up again is under the rules of the house that takes it up.
    let restored = Table::restore(four.table.save());
    assert!(restored.house().free_text);
}
