//! The computer at a table.

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A table whose owner drives bots: Anna on A-White, bots elsewhere.
fn with_three_bots() -> (Table, PlayerId) {
    let mut table = Table::new().with_bots();
    let anna = table.join(0, "Anna").unwrap();
    table.handle(0, anna, Command::Sit(AWhite)).unwrap();
    for seat in [ABlack, BWhite, BBlack] {
        let add = Command::AddBot(seat, Level::MIN);
        table.handle(0, anna, add).unwrap();
    }
    (table, anna)
}

#[test]
fn a_table_without_somebody_who_drives_bots_has_none() {
    let mut four = Four::seated();
    four.ask(ABlack, Command::Stand).unwrap();
    let add = || Command::AddBot(ABlack, Level::MIN);
    assert_eq!(four.ask(AWhite, add()), Err(Refusal::BotsBusy));
    assert_eq!(
        four.ask(AWhite, Command::RemoveBot(ABlack)),
        Err(Refusal::NoBotThere)
    );
    assert!(four.table.state().is_free(ABlack));
}

#[test]
fn bots_are_seated_by_the_host_and_give_way_to_people() {
    let (mut table, anna) = with_three_bots();
    assert_eq!(
        table.handle(0, anna, Command::AddBot(AWhite, Level::MAX)),
        Err(Refusal::SeatTaken)
    );
    table
        .handle(0, anna, Command::AddBot(ABlack, Level::MAX))
        .unwrap();
    assert_eq!(table.state().bot(ABlack), Some(Level::MAX));
    let ben = table.join(0, "Ben").unwrap();
    assert_eq!(
        table.handle(0, ben, Command::RemoveBot(ABlack)),
        Err(Refusal::NotHost)
    );
    table.handle(0, ben, Command::Sit(ABlack)).unwrap();
    assert_eq!(table.state().bot(ABlack), None);
    assert_eq!(table.state().occupant(ABlack), Some(ben));
    assert!(!table.state().is_ready(ABlack) && table.state().is_ready(BWhite));
    table.handle(0, anna, Command::RemoveBot(BWhite)).unwrap();
    assert!(table.state().is_free(BWhite) && !table.state().is_full());
}

#[test]
fn bots_play_have_no_vote_and_want_what_people_want() {
    let (mut table, anna) = with_three_bots();
    table.handle(0, anna, Command::SetReady(true)).unwrap();
    table.tick(COUNTDOWN_MS);
    let now = COUNTDOWN_MS + 1;
    let no = MatchNo(1);
    let ply = |text: &str| text.parse::<Ply>().unwrap();
    assert_eq!(
        table.play_for_bot(now, AWhite, no, 0, ply("e2e4")),
        Err(Refusal::NoBotThere)
    );
    assert_eq!(
        table.play_for_bot(now, ABlack, no, 0, ply("e7e5")),
        Err(Refusal::NotYourTurn)
    );
    table.play_for_bot(now, BWhite, no, 0, ply("e2e4")).unwrap();
    assert_eq!(
        table.play_for_bot(now, BWhite, no, 0, ply("e2e4")),
        Err(Refusal::Stale)
    );
    // A bot tells its partner something; the partner's words reach the bot.
    table.tell_for_bot(now, BBlack, Tell::Sit).unwrap();
    let need = Words::Tell(Tell::Need(Role::Knight));
    table
        .handle(now, anna, Command::Say(Channel::TeamOne, need))
        .unwrap();
    let lines: Vec<_> = table.lines_since(anna, [0; 3]).collect();
    assert_eq!(lines[0].lines[0].speaker, Speaker::Bot(BBlack));
    let tells: Vec<_> = table.tells_to_bot(BBlack).collect();
    assert_eq!(tells, [Tell::Need(Role::Knight)]);
    assert_eq!(table.tells_to_bot(ABlack).count(), 0);
    // The only person is away: nobody plays on. Back again, and agreed with oneself: a draw.
    table.disconnected(now, anna);
    let paused = table.play_for_bot(now, BBlack, no, 1, ply("e7e5"));
    assert_eq!(paused, Err(Refusal::Paused(PauseReason::NobodyThere)));
    table.connected(now + 10, anna);
    let now = now + 10 + COUNTDOWN_MS;
    table.handle(now, anna, Command::OfferDraw(no)).unwrap();
    let end = *table.state().game().unwrap().end().unwrap();
    assert_eq!((end.rule, end.winner), (EndRule::Agreement, None));
    let again = Command::Rematch(no, Arrangement::SwapColors);
    table.handle(now, anna, again).unwrap();
    assert!(matches!(table.state().phase(), Phase::Countdown { .. }));
    assert_eq!(table.state().occupant(ABlack), Some(anna));
    assert_eq!(table.state().bot(AWhite), Some(Level::MIN));
}

#[test]
fn somebody_who_stays_away_loses_against_bots() {
    let mut table = Table::new().with_bots();
    let [anna, ben] = ["Anna", "Ben"].map(|name| table.join(0, name).unwrap());
    for (player, seat) in [(anna, AWhite), (ben, BBlack)] {
        table.handle(0, player, Command::Sit(seat)).unwrap();
        table.handle(0, player, Command::SetReady(true)).unwrap();
    }
    for seat in [ABlack, BWhite] {
        table
            .handle(0, anna, Command::AddBot(seat, Level::MIN))
            .unwrap();
    }
    table.tick(COUNTDOWN_MS);
    table.disconnected(COUNTDOWN_MS, anna);
    table.tick(COUNTDOWN_MS + ABSENCE_GRACE_MS);
    let end = *table.state().game().unwrap().end().unwrap();
    assert_eq!((end.rule, end.winner), (EndRule::Leaving, Some(Team::Two)));
}

#[test]
fn four_bots_do_not_play_for_nobody() {
    let mut table = Table::new().with_bots();
    let anna = table.join(0, "Anna").unwrap();
    for seat in Seat::ALL {
        table
            .handle(0, anna, Command::AddBot(seat, Level::MIN))
            .unwrap();
    }
    table.tick(10 * COUNTDOWN_MS);
    assert_eq!(table.state().phase(), Phase::Lobby);
}
