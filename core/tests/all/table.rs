//! The life of a table, one rule at a time: rules.md, "How a match ends" and "Order of events".

use tandem_core::bot::Level;
use tandem_core::table::{
    ABSENCE_GRACE_MS, AWAY_MS, Arrangement, COUNTDOWN_MS, Command, DRAW_AGAIN_MS, DRAW_OFFER_MS,
    DrawClosed, Event, FLOOD_LINES, MatchNo, Millis, PEOPLE_MAX, PauseReason, Phase, PlayerId,
    RESUME_AT_LATEST_MS, Refusal, Speaker, Table,
};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{BoardId, EndRule, IllegalPly, Options, Ply, Role, Seat, Team};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A table with four people on their seats.
struct Four {
    table: Table,
    now: Millis,
    players: [PlayerId; 4],
}

const NAMES: [&str; 4] = ["Anna", "Ben", "Cleo", "Dan"];

impl Four {
    fn seated() -> Four {
        Four::with_options(Options::default())
    }

    fn with_options(options: Options) -> Four {
        let mut table = Table::new();
        let players = NAMES.map(|name| table.join(0, name).unwrap());
        table
            .handle(0, players[0], Command::SetOptions(options))
            .unwrap();
        for (player, seat) in players.into_iter().zip(Seat::ALL) {
            table.handle(0, player, Command::Sit(seat)).unwrap();
        }
        Four {
            table,
            now: 0,
            players,
        }
    }

    fn playing() -> Four {
        Four::seated().start()
    }

    /// Everyone gets ready and the countdown goes by.
    fn start(mut self) -> Four {
        for seat in Seat::ALL {
            self.ask(seat, Command::SetReady(true)).unwrap();
        }
        self.wait(COUNTDOWN_MS);
        assert_eq!(self.table.state().phase(), Phase::Playing);
        self
    }

    fn id(&self, seat: Seat) -> PlayerId {
        self.players[seat.index()]
    }

    fn no(&self) -> MatchNo {
        MatchNo(self.table.state().matches())
    }

    fn ask(&mut self, seat: Seat, command: Command) -> Result<(), Refusal> {
        self.table.handle(self.now, self.id(seat), command)
    }

    fn wait(&mut self, ms: Millis) {
        self.now += ms;
        self.table.tick(self.now);
    }

    /// Whoever is to move on `board` plays.
    fn play(&mut self, board: BoardId, ply: &str) -> Result<(), Refusal> {
        let boards = self.boards();
        let (seat, answers, ply) = (
            Seat::new(board, boards.position(board).turn()),
            boards.plies(board),
            boards.position(board).parse_ply(ply).unwrap(),
        );
        let match_no = self.no();
        self.ask(
            seat,
            Command::Play {
                match_no,
                board,
                answers,
                ply,
            },
        )
    }

    fn play_all(&mut self, board: BoardId, plies: &str) {
        for ply in plies.split_whitespace() {
            self.play(board, ply).unwrap();
        }
    }

    fn boards(&self) -> tandem_core::Match {
        *self.table.state().game().unwrap().boards()
    }

    fn end(&self) -> (EndRule, Option<Team>) {
        let end = self.table.state().game().unwrap().end().unwrap();
        (end.rule, end.winner)
    }

    fn clock(&self, seat: Seat) -> u64 {
        self.table.state().game().unwrap().clock(seat, self.now)
    }

    fn cut(&mut self, seat: Seat) {
        self.table.disconnected(self.now, self.id(seat));
    }

    fn back(&mut self, seat: Seat) {
        self.table.connected(self.now, self.id(seat));
    }

    fn pause(&self) -> Option<PauseReason> {
        Some(self.table.state().game()?.pause()?.reason)
    }

    fn events(&self) -> Vec<Event> {
        self.table
            .events_since(0)
            .unwrap()
            .map(|stamped| stamped.event.clone())
            .collect()
    }
}

use BoardId::{A, B};
use Seat::{ABlack, AWhite, BBlack, BWhite};

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
fn a_draw_needs_everyone() {
    let mut four = Four::playing();
    let no = four.no();
    four.ask(AWhite, Command::OfferDraw(no)).unwrap();
    four.play(A, "e4").unwrap();
    four.ask(ABlack, Command::AcceptDraw(no)).unwrap();
    // Somebody away has not agreed; offering as well is agreeing.
    four.ask(BWhite, Command::OfferDraw(no)).unwrap();
    four.ask(BWhite, Command::AcceptDraw(no)).unwrap();
    assert_eq!(four.table.state().phase(), Phase::Playing);
    four.ask(BBlack, Command::AcceptDraw(no)).unwrap();
    assert_eq!(four.end(), (EndRule::Agreement, None));
    let ended = four.events().pop();
    assert!(matches!(ended, Some(Event::Ended(_))));
}

#[test]
fn an_offer_is_declined_withdrawn_or_lapses_and_then_there_is_a_wait() {
    let mut four = Four::playing();
    let no = four.no();
    assert_eq!(
        four.ask(ABlack, Command::AcceptDraw(no)),
        Err(Refusal::NoOffer)
    );
    four.ask(AWhite, Command::OfferDraw(no)).unwrap();
    assert_eq!(
        four.ask(AWhite, Command::DeclineDraw(no)),
        Err(Refusal::NoOffer)
    );
    assert_eq!(
        four.ask(ABlack, Command::WithdrawDraw(no)),
        Err(Refusal::NoOffer)
    );
    four.ask(BBlack, Command::DeclineDraw(no)).unwrap();
    assert_eq!(
        four.events().last(),
        Some(&Event::DrawClosed(DrawClosed::Declined(BBlack)))
    );
    assert_eq!(
        four.ask(AWhite, Command::OfferDraw(no)),
        Err(Refusal::OfferTooSoon)
    );
    // Another player need not wait.
    four.ask(BWhite, Command::OfferDraw(no)).unwrap();
    four.ask(BWhite, Command::WithdrawDraw(no)).unwrap();
    four.wait(DRAW_AGAIN_MS);
    four.ask(AWhite, Command::OfferDraw(no)).unwrap();
    four.wait(DRAW_OFFER_MS - 1);
    assert!(four.table.state().game().unwrap().draw().is_some());
    four.wait(1);
    assert!(four.table.state().game().unwrap().draw().is_none());
    assert_eq!(
        four.events().last(),
        Some(&Event::DrawClosed(DrawClosed::Lapsed))
    );
}

/// The shortest stalemate without a capture (C. H. Wheeler, 1887): White is to move and cannot.
const STUCK: &str =
    "d4 d6 Qd2 e5 a4 e4 Qf4 f5 h3 Be7 Qh2 Be6 Ra3 c5 Rg3 Qa5+ Nd2 Bh4 f3 Bb3 d5 e3 c4 f4";

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
fn a_thousand_offers_change_nothing() {
    let mut four = Four::playing();
    let no = four.no();
    four.ask(AWhite, Command::OfferDraw(no)).unwrap();
    four.ask(BBlack, Command::DeclineDraw(no)).unwrap();
    let before = four.table.state().clone();
    for _ in 0..1_000 {
        assert_eq!(
            four.ask(AWhite, Command::OfferDraw(no)),
            Err(Refusal::OfferTooSoon)
        );
        assert_eq!(
            four.ask(AWhite, Command::Resign(MatchNo(7))),
            Err(Refusal::NoMatch)
        );
    }
    assert_eq!(&before, four.table.state());
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
