//! How a match ends, and what does not end it: mate, clocks, lag, leaving, absence, pauses, limits.

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// The shortest stalemate without a capture (C. H. Wheeler, 1887): White is to move and cannot.
const STUCK: &str =
    "d4 d6 Qd2 e5 a4 e4 Qf4 f5 h3 Be7 Qh2 Be6 Ra3 c5 Rg3 Qa5+ Nd2 Bh4 f3 Bb3 d5 e3 c4 f4";

#[test]
fn mate_ends_both_boards_and_a_won_piece_gives_it() {
    let mut four = Four::playing();
    // A-White takes a queen; the partner, B-Black, drops it to give mate.
    four.play_all(A, "e4 d5 exd5 Qxd5 Nc3 Qe5+ Be2 Qxe2+");
    four.play_all(B, "f3 e5 g4 Bc5 a3");
    assert_eq!(
        four.boards()
            .position(B)
            .hand(tandem_core::Color::Black)
            .count(Role::Queen),
        0
    );
    four.play(A, "Qxe2").unwrap();
    assert_eq!(
        four.boards()
            .position(B)
            .hand(tandem_core::Color::Black)
            .count(Role::Queen),
        1
    );
    four.wait(700);
    four.play(B, "Q@f2").unwrap();
    assert_eq!(four.end(), (EndRule::Checkmate, Some(Team::One)));
    let clocks = Seat::ALL.map(|seat| four.clock(seat));
    four.wait(100_000);
    assert_eq!(
        clocks,
        Seat::ALL.map(|seat| four.clock(seat)),
        "clocks are frozen"
    );
    let no = four.no();
    assert_eq!(four.play(A, "a6"), Err(Refusal::MatchEnded));
    assert_eq!(
        four.ask(AWhite, Command::Resign(no)),
        Err(Refusal::MatchEnded)
    );
    let ends = four
        .events()
        .iter()
        .filter(|e| matches!(e, Event::Ended(_)))
        .count();
    assert_eq!(ends, 1);
}

#[test]
fn plies_are_refused_with_their_reason_and_change_nothing() {
    let mut four = Four::playing();
    four.play_all(A, "e4 e5");
    let no = four.no();
    let e2e4: Ply = "e2e4".parse().unwrap();
    let play = |match_no, board, answers, ply| Command::Play {
        match_no,
        board,
        answers,
        ply,
    };
    let cases = [
        (AWhite, play(no, A, 0, e2e4), Refusal::Stale),
        (AWhite, play(no, A, 3, e2e4), Refusal::Stale),
        (AWhite, play(MatchNo(0), A, 2, e2e4), Refusal::NoMatch),
        (AWhite, play(MatchNo(2), A, 2, e2e4), Refusal::NoMatch),
        (AWhite, play(no, B, 0, e2e4), Refusal::NotYourSeat),
        (ABlack, play(no, A, 2, e2e4), Refusal::NotYourTurn),
        (
            AWhite,
            play(no, A, 2, "N@e5".parse().unwrap()),
            Refusal::Illegal(IllegalPly::NotInHand),
        ),
    ];
    let before = four.table.state().clone();
    for (seat, command, refusal) in cases {
        assert_eq!(four.ask(seat, command.clone()), Err(refusal), "{command:?}");
    }
    let eve = four.table.join(four.now, "Eve").unwrap();
    assert_eq!(
        four.table.handle(four.now, eve, play(no, A, 2, e2e4)),
        Err(Refusal::NotSeated)
    );
    assert_eq!(before.game(), four.table.state().game());
}

#[test]
fn time_runs_out_at_its_exact_instant() {
    let mut four = Four::playing();
    four.play(A, "e4").unwrap();
    four.wait(10_000);
    four.play(B, "e4").unwrap();
    // A-Black's clock runs from 0, B-Black's from 10 s.
    assert_eq!(four.table.next_deadline(), Some(COUNTDOWN_MS + 180_000));
    four.wait(170_001);
    assert_eq!(four.end(), (EndRule::Time, Some(Team::One)));
    let end = *four.table.state().game().unwrap().end().unwrap();
    assert_eq!((end.at, end.seat), (180_000, Some(ABlack)));
    assert_eq!(
        Seat::ALL.map(|seat| four.clock(seat)),
        [180_000, 0, 170_000, 10_000]
    );
}

#[test]
fn a_mate_that_comes_too_late_loses_on_time() {
    let mut four = Four::playing();
    four.play_all(A, "f3 e5 g4");
    four.wait(180_000);
    assert_eq!(four.play(A, "Qh4"), Err(Refusal::MatchEnded));
    // A-Black and B-White, who never moved, are one team.
    assert_eq!(four.end(), (EndRule::Time, Some(Team::One)));
    let mut four = Four::playing();
    four.play_all(A, "f3 e5 g4");
    four.play(B, "e4").unwrap();
    four.wait(1);
    four.play(B, "e5").unwrap();
    four.wait(179_999);
    assert_eq!(four.play(A, "Qh4"), Err(Refusal::MatchEnded));
    assert_eq!(four.end(), (EndRule::Time, Some(Team::One)));
}

#[test]
fn both_whites_who_never_move_draw() {
    let mut four = Four::playing();
    four.wait(200_000);
    assert_eq!(four.end(), (EndRule::BothAtOnce, None));
    assert_eq!(
        Seat::ALL.map(|seat| four.clock(seat)),
        [0, 180_000, 0, 180_000]
    );
}

#[test]
fn two_flags_of_one_team_at_once_lose() {
    let mut four = Four::playing();
    // B-Black, the partner of A-White, is to move from the same instant on.
    four.wait(0);
    four.play(B, "e4").unwrap();
    four.wait(300_000);
    assert_eq!(four.end(), (EndRule::Time, Some(Team::Two)));
}

#[test]
fn lag_is_credited_and_delays_the_flag() {
    let mut four = Four::seated();
    for round_trip in [900, 300, 250, 400, 800, 600] {
        four.table.measured(four.players[0], round_trip);
    }
    let mut four = four.start();
    assert_eq!(four.table.lag(four.id(AWhite)), 250);
    four.wait(1_000);
    four.play(A, "e4").unwrap();
    // 250 ms to A-White, and as many to B-White, whose clock ran meanwhile.
    assert_eq!(
        Seat::ALL.map(|seat| four.clock(seat)),
        [179_250, 180_000, 179_250, 180_000]
    );
    // Faster than the lag: no more than the time spent.
    four.play(A, "e5").unwrap();
    four.wait(100);
    four.play(A, "Nf3").unwrap();
    assert_eq!(four.clock(AWhite), 179_250);
    // Both Whites never move: equal, although one of them has a grace.
    let mut four = Four::seated();
    four.table.measured(four.players[0], 250);
    let mut four = four.start();
    four.wait(180_000);
    assert_eq!(four.table.state().phase(), Phase::Playing);
    four.wait(249);
    assert_eq!(four.table.state().phase(), Phase::Playing);
    four.wait(1);
    assert_eq!(four.end(), (EndRule::BothAtOnce, None));
}

#[test]
fn a_ply_within_the_grace_saves_the_clock_and_one_after_it_does_not() {
    let start = || {
        let mut four = Four::seated();
        four.table.measured(four.players[0], 200);
        let mut four = four.start();
        four.wait(1_000);
        four.play(B, "e4").unwrap();
        four
    };
    let mut four = start();
    four.wait(179_199);
    four.play(A, "e4").unwrap();
    assert_eq!(four.clock(AWhite), 1, "199 ms over, 200 ms credited");
    assert_eq!(
        four.clock(BBlack) + four.clock(BWhite),
        four.clock(AWhite) + four.clock(ABlack)
    );
    let mut four = start();
    four.wait(179_200);
    assert_eq!(four.play(A, "e4"), Err(Refusal::MatchEnded));
    assert_eq!(four.end(), (EndRule::Time, Some(Team::Two)));
    assert_eq!(
        four.table.state().game().unwrap().end().unwrap().at,
        180_000
    );
}

#[test]
fn an_end_on_time_waits_for_a_flag_that_fell_earlier() {
    // A-White reaches zero first but has a grace; B-White, 100 ms later, has none.
    let mut four = Four::seated();
    four.table.measured(four.players[0], 500);
    let mut four = four.start();
    four.wait(100);
    four.play_all(B, "e4");
    four.wait(100);
    four.play_all(B, "e5");
    four.wait(179_800 + 150);
    // A-White is 150 ms over, B-White (179,900 ms left from 200 ms on) 50 ms.
    assert_eq!(four.table.state().phase(), Phase::Playing);
    assert_eq!(four.play(B, "d4"), Err(Refusal::TimeIsUp));
    four.play(A, "e4").unwrap();
    assert_eq!(four.clock(AWhite), 350);
    assert_eq!(
        four.clock(BWhite),
        450,
        "the credit on the other board lifts it above zero too"
    );
    four.play(B, "d4").unwrap();
    assert_eq!(four.table.state().phase(), Phase::Playing);
}

#[test]
fn resigning_loses_for_the_team() {
    for (seat, winner) in [
        (AWhite, Team::Two),
        (BBlack, Team::Two),
        (ABlack, Team::One),
    ] {
        let mut four = Four::playing();
        let no = four.no();
        four.ask(seat, Command::Resign(no)).unwrap();
        assert_eq!(four.end(), (EndRule::Resignation, Some(winner)));
    }
}

#[test]
fn leaving_loses_and_frees_the_seat() {
    let mut four = Four::playing();
    four.ask(BWhite, Command::Leave).unwrap();
    assert_eq!(four.end(), (EndRule::Leaving, Some(Team::One)));
    assert_eq!(four.table.state().occupant(BWhite), None);
    let no = four.no();
    assert_eq!(
        four.ask(AWhite, Command::Rematch(no, Arrangement::Same)),
        Err(Refusal::SeatsNotFull)
    );
    four.ask(AWhite, Command::ToLobby(no)).unwrap();
    assert_eq!(four.table.state().phase(), Phase::Lobby);
    assert!(four.table.state().game().is_none());
}

#[test]
fn absence_has_a_grace() {
    let mut four = Four::playing();
    four.wait(1_000);
    four.cut(AWhite);
    assert_eq!(four.table.away_since(four.id(AWhite)), Some(four.now));
    four.wait(ABSENCE_GRACE_MS - 1);
    four.back(AWhite);
    four.wait(10);
    assert_eq!(four.table.state().phase(), Phase::Playing);
    assert_eq!(four.clock(AWhite), 180_000 - 1_000 - ABSENCE_GRACE_MS - 9);
    four.cut(AWhite);
    four.wait(ABSENCE_GRACE_MS);
    assert_eq!(four.end(), (EndRule::Leaving, Some(Team::Two)));
    // It is over; whoever is still away is gone from the table.
    assert_eq!(four.table.state().occupant(AWhite), None);
}

#[test]
fn nobody_wins_against_an_empty_team() {
    let mut four = Four::playing();
    four.play(A, "e4").unwrap();
    four.play(B, "e4").unwrap();
    four.cut(AWhite);
    four.cut(ABlack);
    four.cut(BWhite);
    // Only B-Black, of team 1, is there: A-White cannot have left, but team 2 can.
    four.wait(ABSENCE_GRACE_MS);
    assert_eq!(four.end(), (EndRule::Leaving, Some(Team::One)));
    let mut four = Four::playing();
    four.cut(AWhite);
    four.wait(30_000);
    for seat in [ABlack, BWhite, BBlack] {
        four.cut(seat);
    }
    assert_eq!(four.pause(), Some(PauseReason::NobodyThere));
    let clocks = Seat::ALL.map(|seat| four.clock(seat));
    four.wait(3_600_000);
    assert_eq!(
        four.table.state().phase(),
        Phase::Playing,
        "the grace stands still too"
    );
    assert_eq!(
        four.play(A, "e4"),
        Err(Refusal::Paused(PauseReason::NobodyThere))
    );
    four.back(BBlack);
    four.wait(COUNTDOWN_MS - 1);
    assert_eq!(clocks, Seat::ALL.map(|seat| four.clock(seat)));
    four.wait(11);
    assert_eq!(four.pause(), None);
    assert_eq!(four.clock(AWhite), clocks[0] - 10);
    // A-White was away for 30 s before the pause, the other three only since.
    four.wait(29_991);
    assert_eq!(
        four.table.state().phase(),
        Phase::Playing,
        "nobody of team 2 is there to win"
    );
    four.back(ABlack);
    assert_eq!(four.end(), (EndRule::Leaving, Some(Team::Two)));
    assert_eq!(four.table.state().at(), four.now);
}

#[test]
fn a_pause_within_the_countdown_of_a_resumption_goes_on() {
    let mut four = Four::playing();
    four.wait(1_000);
    for seat in Seat::ALL {
        four.cut(seat);
    }
    four.wait(50);
    four.back(AWhite);
    four.wait(1_000);
    four.cut(AWhite);
    four.wait(60_000);
    assert_eq!(four.clock(AWhite), 179_000);
    assert_eq!(four.pause(), Some(PauseReason::NobodyThere));
    four.back(BWhite);
    four.wait(COUNTDOWN_MS + 5);
    assert_eq!(four.clock(AWhite), 178_995);
}

#[test]
fn a_pause_from_outside_waits_for_everyone_but_not_for_long() {
    let mut four = Four::playing();
    four.table.pause(four.now, PauseReason::RelayRestarted);
    four.cut(AWhite);
    four.cut(BWhite);
    four.wait(100);
    four.back(AWhite);
    assert!(
        four.table
            .state()
            .game()
            .unwrap()
            .pause()
            .unwrap()
            .resumes_at
            .is_none()
    );
    four.back(BWhite);
    assert_eq!(
        four.table
            .state()
            .game()
            .unwrap()
            .pause()
            .unwrap()
            .resumes_at,
        Some(four.now + COUNTDOWN_MS)
    );
    four.wait(COUNTDOWN_MS);
    assert_eq!(four.clock(AWhite), 180_000);
    // Somebody stays away: fifteen seconds.
    four.table.pause(four.now, PauseReason::RelayRestarted);
    four.cut(AWhite);
    four.wait(RESUME_AT_LATEST_MS - 1);
    assert!(
        four.table
            .state()
            .game()
            .unwrap()
            .pause()
            .unwrap()
            .resumes_at
            .is_none()
    );
    four.wait(1 + COUNTDOWN_MS);
    assert_eq!(four.pause(), None);
    // A full disk keeps everyone waiting until it is mended.
    four.table.pause(four.now, PauseReason::DiskFull);
    four.wait(100_000);
    assert_eq!(
        four.play(A, "e4"),
        Err(Refusal::Paused(PauseReason::DiskFull))
    );
    four.back(AWhite);
    four.table.unblock(four.now);
    four.wait(COUNTDOWN_MS);
    four.play(A, "e4").unwrap();
}

#[test]
fn one_stuck_board_waits_and_two_are_a_draw() {
    let mut four = Four::playing();
    four.play_all(A, STUCK);
    assert_eq!(
        four.boards().position(A).status(),
        tandem_core::Status::Waiting
    );
    assert_eq!(four.table.state().phase(), Phase::Playing);
    four.play_all(B, STUCK);
    assert_eq!(four.end(), (EndRule::Deadlock, None));
}

#[test]
fn eight_hundred_plies_are_a_draw() {
    let mut four = Four::playing();
    for _ in 0..100 {
        for board in [A, B] {
            four.play_all(board, "Nf3 Nf6 Ng1 Ng8");
        }
    }
    assert_eq!(four.end(), (EndRule::PlyLimit, None));
    assert_eq!(four.boards().total_plies(), 800);
}

#[test]
fn a_match_with_increment_adds_it_after_each_ply() {
    let options = Options {
        base_ms: 60_000,
        increment_ms: 2_000,
        ..Options::default()
    };
    let mut four = Four::with_options(options).start();
    four.wait(5_000);
    four.play(A, "e4").unwrap();
    assert_eq!(four.clock(AWhite), 57_000);
}
