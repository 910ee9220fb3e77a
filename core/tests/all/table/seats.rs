//! Before and after a match: seats, host, names, countdown, rematch.

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn a_match_starts_when_all_four_are_ready_and_the_countdown_is_over() {
    let mut four = Four::seated();
    for seat in [AWhite, ABlack, BWhite] {
        four.ask(seat, Command::SetReady(true)).unwrap();
        assert_eq!(four.table.state().phase(), Phase::Lobby);
    }
    four.ask(BBlack, Command::SetReady(true)).unwrap();
    let starts_at = COUNTDOWN_MS;
    assert_eq!(four.table.state().phase(), Phase::Countdown { starts_at });
    assert_eq!(four.table.next_deadline(), Some(starts_at));
    four.wait(COUNTDOWN_MS - 1);
    assert!(four.table.state().game().is_none());
    // A late timer changes nothing: the match starts at the instant that was announced.
    four.wait(500);
    let game = four.table.state().game().unwrap();
    assert_eq!(game.match_time(four.now), 499);
    assert_eq!(game.names(), &NAMES.map(str::to_owned));
    for (seat, running) in Seat::ALL.into_iter().zip([true, false, true, false]) {
        assert_eq!(game.is_running(seat), running, "{seat}");
        assert_eq!(four.clock(seat), if running { 179_501 } else { 180_000 });
    }
}

#[test]
fn any_change_during_the_countdown_leads_back_with_nobody_ready() {
    let changes: [(Seat, Command); 6] = [
        (BBlack, Command::SetReady(false)),
        (BBlack, Command::Stand),
        (BBlack, Command::Leave),
        (AWhite, Command::Swap(AWhite, BBlack)),
        (AWhite, Command::SetOptions(Options::default())),
        (AWhite, Command::Remove(PlayerId(4))),
    ];
    for (seat, command) in changes {
        let mut four = Four::seated();
        for seat in Seat::ALL {
            four.ask(seat, Command::SetReady(true)).unwrap();
        }
        four.ask(seat, command.clone()).unwrap();
        assert_eq!(four.table.state().phase(), Phase::Lobby, "{command:?}");
        assert!(Seat::ALL.iter().all(|&s| !four.table.state().is_ready(s)));
        four.wait(2 * COUNTDOWN_MS);
        assert_eq!(four.table.state().phase(), Phase::Lobby, "{command:?}");
    }
    // Spectators come and go as they like.
    let mut four = Four::seated();
    let eve = four.table.join(0, "Eve").unwrap();
    for seat in Seat::ALL {
        four.ask(seat, Command::SetReady(true)).unwrap();
    }
    four.table.handle(1, eve, Command::Leave).unwrap();
    four.wait(COUNTDOWN_MS);
    assert_eq!(four.table.state().phase(), Phase::Playing);
}

#[test]
fn nobody_starts_without_somebody_who_is_away() {
    let mut four = Four::seated();
    four.cut(BWhite);
    for seat in Seat::ALL {
        four.ask(seat, Command::SetReady(true)).unwrap();
    }
    four.wait(5_000);
    assert_eq!(four.table.state().phase(), Phase::Lobby);
    four.back(BWhite);
    assert!(matches!(
        four.table.state().phase(),
        Phase::Countdown { .. }
    ));
}

#[test]
fn seats_are_taken_moved_to_swapped_and_given_up() {
    let mut four = Four::seated();
    assert_eq!(
        four.ask(AWhite, Command::Sit(ABlack)),
        Err(Refusal::SeatTaken)
    );
    four.ask(ABlack, Command::SetReady(true)).unwrap();
    four.ask(ABlack, Command::Stand).unwrap();
    assert_eq!(
        four.ask(ABlack, Command::SetReady(true)),
        Err(Refusal::NotSeated)
    );
    assert_eq!(four.ask(ABlack, Command::Stand), Err(Refusal::NotSeated));
    four.ask(AWhite, Command::SetReady(true)).unwrap();
    four.ask(AWhite, Command::Sit(ABlack)).unwrap();
    let state = four.table.state();
    assert_eq!(state.occupant(AWhite), None);
    assert_eq!(state.seat_of(four.id(AWhite)), Some(ABlack));
    assert!(!state.is_ready(ABlack) && !state.is_ready(AWhite));
    assert_eq!(
        four.ask(BWhite, Command::Swap(AWhite, ABlack)),
        Err(Refusal::NotHost)
    );
    four.ask(AWhite, Command::Swap(AWhite, ABlack)).unwrap();
    assert_eq!(four.table.state().seat_of(four.id(AWhite)), Some(AWhite));
}

#[test]
fn the_host_is_whoever_has_been_there_longest() {
    let mut four = Four::seated();
    assert_eq!(four.table.state().host(), Some(four.id(AWhite)));
    let bad = Options {
        base_ms: 1,
        ..Options::default()
    };
    assert_eq!(
        four.ask(AWhite, Command::SetOptions(bad)),
        Err(Refusal::BadOptions)
    );
    four.ask(AWhite, Command::Leave).unwrap();
    assert_eq!(four.table.state().host(), Some(four.id(ABlack)));
    four.ask(ABlack, Command::SetOptions(Options::default()))
        .unwrap();
    assert_eq!(
        four.ask(AWhite, Command::Stand),
        Err(Refusal::UnknownPlayer),
        "whoever left is nobody here"
    );
    // The host's line is cut: after fifteen seconds hosting passes on.
    four.cut(ABlack);
    four.wait(AWAY_MS - 1);
    assert_eq!(four.table.state().host(), Some(four.id(ABlack)));
    four.wait(1);
    assert_eq!(four.table.state().host(), Some(four.id(BWhite)));
    assert_eq!(four.table.state().occupant(ABlack), None);
}

#[test]
fn the_host_removes_people_before_the_start_only() {
    let mut four = Four::seated();
    let ben = four.id(ABlack);
    assert_eq!(
        four.ask(BWhite, Command::Remove(ben)),
        Err(Refusal::NotHost)
    );
    let anna = four.id(AWhite);
    assert_eq!(
        four.ask(AWhite, Command::Remove(anna)),
        Err(Refusal::UnknownPlayer)
    );
    four.ask(AWhite, Command::Remove(ben)).unwrap();
    assert!(four.events().contains(&Event::Left {
        player: ben,
        removed: true
    }));
    assert_eq!(four.table.state().occupant(ABlack), None);
    let mut four = Four::playing();
    assert_eq!(
        four.ask(AWhite, Command::Remove(ben)),
        Err(Refusal::NotInLobby)
    );
    assert_eq!(
        four.ask(AWhite, Command::Swap(AWhite, ABlack)),
        Err(Refusal::NotInLobby)
    );
    assert_eq!(
        four.ask(AWhite, Command::SetOptions(Options::default())),
        Err(Refusal::NotInLobby)
    );
    assert_eq!(four.ask(AWhite, Command::Stand), Err(Refusal::NotInLobby));
    assert_eq!(
        four.ask(AWhite, Command::SetReady(true)),
        Err(Refusal::NotInLobby)
    );
}

#[test]
fn names_are_cleaned_and_unique() {
    let mut table = Table::new();
    let a = table.join(0, "  Anna\u{202E}  ").unwrap();
    let b = table.join(0, "anna").unwrap();
    let c = table.join(0, "").unwrap();
    let d = table.join(0, "").unwrap();
    let name = |table: &Table, id| table.state().player(id).unwrap().name.clone();
    assert_eq!(name(&table, a), "Anna");
    assert_eq!(name(&table, b), "anna 2");
    assert_eq!(
        (name(&table, c), name(&table, d)),
        (String::new(), String::new())
    );
    table.handle(1, c, Command::SetName("ANNA".into())).unwrap();
    assert_eq!(name(&table, c), "ANNA 3");
    let seq = table.state().seq();
    table.handle(1, a, Command::SetName("Anna".into())).unwrap();
    assert_eq!(table.state().seq(), seq, "the same name is no event");
}

#[test]
fn a_table_has_a_bound() {
    let mut table = Table::new();
    for _ in 0..PEOPLE_MAX {
        table.join(0, "").unwrap();
    }
    assert!(table.join(0, "").is_err());
}

#[test]
fn a_rematch_needs_everyone_and_deals_the_seats() {
    let arrangements = [
        (Arrangement::Same, [0, 1, 2, 3]),
        (Arrangement::SwapColors, [1, 0, 3, 2]),
        (Arrangement::SwapPartners, [0, 3, 1, 2]),
    ];
    for (arrangement, order) in arrangements {
        let mut four = Four::playing();
        let no = four.no();
        four.ask(BWhite, Command::Resign(no)).unwrap();
        four.ask(AWhite, Command::Rematch(no, Arrangement::Same))
            .unwrap();
        // Another wish replaces the first one.
        for seat in Seat::ALL {
            assert_eq!(four.table.state().phase(), Phase::Ended);
            four.ask(seat, Command::Rematch(no, arrangement)).unwrap();
        }
        assert!(matches!(
            four.table.state().phase(),
            Phase::Countdown { .. }
        ));
        four.wait(COUNTDOWN_MS);
        assert_eq!(four.no(), MatchNo(2));
        let seats = Seat::ALL.map(|seat| four.table.state().occupant(seat).unwrap());
        assert_eq!(
            seats,
            order.map(|index| four.players[index]),
            "{arrangement:?}"
        );
        // What was meant for the first match does not touch the second.
        assert_eq!(
            four.ask(AWhite, Command::Resign(no)),
            Err(Refusal::MatchEnded)
        );
        assert_eq!(
            four.ask(AWhite, Command::Rematch(no, arrangement)),
            Err(Refusal::NotInLobby)
        );
    }
}

#[test]
fn three_rematches_with_swapped_partners_give_everyone_each_partner() {
    let mut partners = std::collections::BTreeSet::new();
    let mut seats = [0, 1, 2, 3];
    for _ in 0..3 {
        partners.insert((seats[0], seats[BBlack.index()]));
        seats = Seat::ALL.map(|seat| seats[Arrangement::SwapPartners.source(seat).index()]);
    }
    assert_eq!(partners.len(), 3);
    assert_eq!(seats, [0, 1, 2, 3]);
}

#[test]
fn where_there_are_no_bots_none_sits_down() {
    let mut four = Four::seated();
    four.table = four.table.with_house_rules(HouseRules {
        bots: false,
        ..HouseRules::default()
    });
    four.ask(BBlack, Command::Stand).unwrap();
    let add = Command::AddBot(BBlack, Level::MIN);
    assert_eq!(four.ask(AWhite, add), Err(Refusal::BotsBusy));
    assert_eq!(four.table.state().bot(BBlack), None);
}

#[test]
fn the_host_says_before_the_start_whether_the_table_is_on_the_list() {
    let mut four = Four::seated();
    assert!(!four.table.state().is_public());
    let set = Command::SetPublic;
    assert_eq!(four.ask(ABlack, set(true)), Err(Refusal::NotHost));
    four.ask(AWhite, Command::SetReady(true)).unwrap();
    four.ask(AWhite, set(true)).unwrap();
    // Nobody need look at anything again because of that.
    assert!(four.table.state().is_public() && four.table.state().is_ready(AWhite));
    let seq = four.table.state().seq();
    four.ask(AWhite, set(true)).unwrap();
    assert_eq!(four.table.state().seq(), seq);
    assert!(Table::restore(four.table.save()).state().is_public());
    four.ask(AWhite, set(false)).unwrap();
    four.table = four.table.with_house_rules(HouseRules {
        public_list: false,
        ..HouseRules::default()
    });
    assert_eq!(four.ask(AWhite, set(true)), Err(Refusal::NoPublicList));
    four.ask(AWhite, set(false)).unwrap();
    let mut four = four.start();
    assert_eq!(four.ask(AWhite, set(false)), Err(Refusal::NotInLobby));
    // A table in somebody's own page is on nobody's list.
    assert!(!Table::new().alone().house().public_list);
}
