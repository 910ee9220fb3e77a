//! The computer at a table.

use tandem_core::table::{Bots, Job, Report};

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
fn when_no_more_bots_can_be_had_those_who_sit_stay() {
    let (mut table, anna) = with_three_bots();
    table.handle(0, anna, Command::RemoveBot(ABlack)).unwrap();
    table.let_bots_sit(false);
    let mut add = |seat, level| table.handle(0, anna, Command::AddBot(seat, level));
    assert_eq!(add(ABlack, Level::MIN), Err(Refusal::BotsBusy));
    // Another level is no other bot.
    assert_eq!(add(BWhite, Level::MAX), Ok(()));
    assert_eq!(table.state().bot(BWhite), Some(Level::MAX));
    table.let_bots_sit(true);
    table
        .handle(0, anna, Command::AddBot(ABlack, Level::MIN))
        .unwrap();
}

#[test]
fn a_bot_that_is_told_to_sit_puts_the_piece_back() {
    let (mut table, anna) = with_three_bots();
    table.handle(0, anna, Command::SetReady(true)).unwrap();
    let mut bots = Bots::new(3);
    let mut now = COUNTDOWN_MS;
    let think = |now, table: &mut Table, bots: &mut Bots| {
        let mut seats = Vec::new();
        for job in bots.drive(now, table) {
            seats.push(job.seat());
            bots.report(now, table, job.think(0));
        }
        seats
    };
    // White on B is a bot, and so is Black on B, Anna's partner.
    assert_eq!(think(now, &mut table, &mut bots), [BWhite]);
    now = bots.next_deadline(&table).unwrap();
    assert!(think(now, &mut table, &mut bots).contains(&BBlack));
    // What it planned is off the table until it has thought of that; whether it then waits is its own
    // affair.
    let sit = Command::Say(Channel::TeamOne, Words::Tell(Tell::Sit));
    table.handle(now, anna, sit).unwrap();
    assert_eq!(think(now, &mut table, &mut bots), [BBlack], "asked again");
    assert_eq!(think(now, &mut table, &mut bots), [], "and only once");
}

#[test]
fn an_answer_that_is_lost_is_asked_for_again_and_a_late_one_dropped() {
    let (mut table, anna) = with_three_bots();
    table.handle(0, anna, Command::SetReady(true)).unwrap();
    let mut bots = Bots::new(3);
    let first = bots.drive(COUNTDOWN_MS, &mut table);
    assert_eq!(first.len(), 1, "one job a board, and Anna has none");
    assert!(bots.drive(COUNTDOWN_MS + 1, &mut table).is_empty());
    bots.lost(first[0].board());
    let second = bots.drive(COUNTDOWN_MS + 2, &mut table);
    assert_eq!(second.len(), 1);
    // The first answer comes after all, and is of no use any more.
    let now = COUNTDOWN_MS + 3;
    bots.report(now, &mut table, first[0].clone().think(0));
    assert_eq!(bots.next_deadline(&table), None);
    bots.report(now, &mut table, second[0].clone().think(0));
    assert!(bots.next_deadline(&table).is_some());
    // While play is paused nothing is due; afterwards it goes on.
    table.disconnected(now, anna);
    assert_eq!(bots.next_deadline(&table), None);
    assert!(bots.drive(now + 60_000, &mut table).is_empty());
    table.connected(now + 60_000, anna);
    let back = now + 60_000 + COUNTDOWN_MS;
    bots.drive(back, &mut table);
    let due = bots.next_deadline(&table).unwrap();
    assert!(due >= back);
    bots.drive(due, &mut table);
    assert_eq!(table.state().game().unwrap().boards().plies(B), 1);
}

#[test]
fn an_answer_that_comes_in_a_pause_counts_after_it() {
    let (mut table, anna) = with_three_bots();
    table.handle(0, anna, Command::SetReady(true)).unwrap();
    let mut bots = Bots::new(3);
    let jobs = bots.drive(COUNTDOWN_MS, &mut table);
    table.disconnected(COUNTDOWN_MS + 1, anna);
    for job in jobs {
        bots.report(COUNTDOWN_MS + 2, &mut table, job.think(0));
    }
    table.connected(COUNTDOWN_MS + 3, anna);
    bots.drive(2 * COUNTDOWN_MS + 3, &mut table);
    let due = bots.next_deadline(&table).unwrap();
    bots.drive(due, &mut table);
    assert_eq!(table.state().game().unwrap().boards().plies(B), 1);
}

#[test]
fn a_job_and_its_report_travel_as_bytes() {
    let (mut table, anna) = with_three_bots();
    table.handle(0, anna, Command::SetReady(true)).unwrap();
    let job = Bots::new(3).drive(COUNTDOWN_MS, &mut table).remove(0);
    let bytes = postcard::to_allocvec(&job).unwrap();
    let read: Job = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(read, job);
    // Whoever has waited for longer than there is patience looks at less.
    let (now, late) = (job.clone().think(0), job.think(100_000));
    assert!(late.thought().ply.is_some() && late.thought().nodes <= now.thought().nodes);
    let bytes = postcard::to_allocvec(&now).unwrap();
    assert_eq!(postcard::from_bytes::<Report>(&bytes).unwrap(), now);
}

#[test]
fn a_match_alone_may_go_without_clocks_and_one_between_people_may_not() {
    let without = Options {
        base_ms: 0,
        ..Options::default()
    };
    let (mut table, anna) = with_three_bots();
    let set = || Command::SetOptions(without);
    assert_eq!(table.handle(0, anna, set()), Err(Refusal::BadOptions));
    let mut table = Table::new().alone();
    let anna = table.join(0, "Anna").unwrap();
    table.handle(0, anna, set()).unwrap();
    let wrong = Options {
        increment_ms: 61_000,
        ..without
    };
    let set = Command::SetOptions(wrong);
    assert_eq!(table.handle(0, anna, set), Err(Refusal::BadOptions));
    table.handle(0, anna, Command::Sit(AWhite)).unwrap();
    for seat in [ABlack, BWhite, BBlack] {
        table
            .handle(0, anna, Command::AddBot(seat, Level::MIN))
            .unwrap();
    }
    table.handle(0, anna, Command::SetReady(true)).unwrap();
    table.tick(COUNTDOWN_MS);
    let game = table.state().game().unwrap();
    assert!(!game.has_clocks() && !game.is_running(AWhite));
    assert_eq!(table.next_deadline(), None);
    let later = 100 * 3_600_000;
    let play = Command::Play {
        match_no: MatchNo(1),
        board: A,
        answers: 0,
        ply: "e2e4".parse().unwrap(),
    };
    table.handle(later, anna, play).unwrap();
    assert_eq!(table.state().phase(), Phase::Playing);
}

#[test]
fn a_table_put_away_comes_back_as_it_was_and_paused() {
    let (mut table, anna) = with_three_bots();
    table.handle(0, anna, Command::SetReady(true)).unwrap();
    let mut bots = Bots::new(3);
    let mut now = COUNTDOWN_MS;
    for _ in 0..6 {
        for job in bots.drive(now, &mut table) {
            bots.report(now, &mut table, job.think(0));
        }
        now = bots.next_deadline(&table).unwrap_or(now + 1);
    }
    let need = Words::Tell(Tell::Need(Role::Knight));
    table
        .handle(now, anna, Command::Say(Channel::TeamOne, need))
        .unwrap();
    let bytes = postcard::to_allocvec(&table.save()).unwrap();
    let mut again = Table::restore(postcard::from_bytes(&bytes).unwrap());
    let game = |table: &Table| table.state().game().unwrap().clone();
    let at = table.state().at();
    assert_eq!(again.state().at(), at);
    assert_eq!(game(&again).boards(), game(&table).boards());
    for seat in Seat::ALL {
        assert_eq!(
            game(&again).clock(seat, at + 999_999),
            game(&table).clock(seat, at)
        );
    }
    assert_eq!(again.tells_to_bot(BBlack, 0), table.tells_to_bot(BBlack, 0));
    assert!(!again.is_connected(anna) && again.away_since(anna) == Some(at));
    // Nothing happens until she is back; then there is a countdown, and the bots go on.
    again.tick(at + 3_600_000);
    assert!(game(&again).pause().is_some());
    let back = at + 3_600_000;
    again.connected(back, anna);
    again.tick(back + COUNTDOWN_MS);
    assert!(game(&again).pause().is_none());
    let mut bots = Bots::new(3);
    assert!(!bots.drive(back + COUNTDOWN_MS, &mut again).is_empty());
    assert!(again.save() != table.save());
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
    let (tells, newest) = table.tells_to_bot(BBlack, 0);
    assert_eq!(tells, [Tell::Need(Role::Knight)]);
    assert_eq!(table.tells_to_bot(BBlack, newest), (Vec::new(), newest));
    assert!(table.tells_to_bot(ABlack, 0).0.is_empty());
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
