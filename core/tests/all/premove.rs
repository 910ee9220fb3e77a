//! Premoves: what may be lined up, when the first is played, and when all are void.

use tandem_core::premove::{Due, Origin, PREMOVE_LIMIT, Plan, Premoves};
use tandem_core::protocol::{ClientMessage, ServerMessage};
use tandem_core::replica::{CannotPlay, Notice};
use tandem_core::table::{Command, MatchNo, PauseReason};
use tandem_core::{Color, Drops, Ply, Position, Promotion, Role, Rules, Seat, Square};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::replica::Line;

fn at(name: &str) -> Square {
    name.parse().unwrap()
}

fn ply(text: &str) -> Ply {
    text.parse().unwrap()
}

fn plies(texts: &[&str]) -> Vec<Ply> {
    texts.iter().map(|text| ply(text)).collect()
}

fn position(fen: &str) -> Position {
    with_rules(fen, Rules::default())
}

fn with_rules(fen: &str, rules: Rules) -> Position {
    Position::from_fen(fen, rules).unwrap()
}

fn line(texts: &[&str]) -> Premoves {
    let mut premoves = Premoves::default();
    for text in texts {
        assert!(premoves.push(ply(text)));
    }
    premoves
}

/// The squares that a premove from a square of the start may name.
fn reach(plan: &Plan, from: &str) -> Vec<String> {
    let mut squares: Vec<_> = plan
        .reach(Origin::Square(at(from)))
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    squares.sort();
    squares
}

#[test]
fn pieces_go_through_whatever_stands_in_their_way_today() {
    let start = Position::start(Rules::default());
    let plan = Plan::new(&start, Color::White, &[]);
    assert_eq!(reach(&plan, "e2"), ["d3", "e3", "e4", "f3"]);
    assert_eq!(
        reach(&plan, "e1"),
        ["c1", "d1", "d2", "e2", "f1", "f2", "g1"],
        "castling is among them"
    );
    assert_eq!(
        reach(&plan, "a1").len(),
        14,
        "a rook passes its own pawn and takes back where an own piece stands"
    );
    assert!(reach(&plan, "e5").is_empty());
    assert!(
        reach(&plan, "e7").is_empty(),
        "the opponent's pieces are the opponent's"
    );
    let lost = position("4k3/8/8/8/8/8/8/R3K2R[] w K - 0 1");
    let plan = Plan::new(&lost, Color::White, &[]);
    assert!(reach(&plan, "e1").contains(&"g1".to_owned()));
    assert!(!reach(&plan, "e1").contains(&"c1".to_owned()));
}

#[test]
fn several_premoves_begin_where_the_ones_before_them_end() {
    let start = Position::start(Rules::default());
    let plan = Plan::new(
        &start,
        Color::White,
        &plies(&["e2e4", "N@c4", "g1f3", "f1e2", "e1g1"]),
    );
    assert_eq!(plan.role_at(at("e4")), Some(Role::Pawn));
    assert_eq!(plan.role_at(at("e2")), Some(Role::Bishop));
    assert_eq!(plan.role_at(at("c4")), Some(Role::Knight));
    assert_eq!(plan.role_at(at("g1")), Some(Role::King));
    assert_eq!(plan.role_at(at("f1")), Some(Role::Rook));
    assert_eq!(plan.role_at(at("h1")), None);
    assert_eq!(reach(&plan, "e4"), ["d5", "e5", "f5"]);
    assert!(
        !reach(&plan, "g1").contains(&"c1".to_owned()),
        "it has castled"
    );
    // A piece that is taken back on its own square, and one that was never there.
    let plan = Plan::new(&start, Color::White, &plies(&["d1d2", "a5a6"]));
    assert_eq!(plan.role_at(at("d2")), Some(Role::Queen));
    assert_eq!(plan.occupied().len(), 15);
}

#[test]
fn drops_may_name_every_square_but_pawns_the_back_ranks() {
    let start = Position::start(Rules::default());
    let plan = Plan::new(&start, Color::Black, &[]);
    assert_eq!(plan.reach(Origin::Hand(Role::Queen)).len(), 64);
    assert_eq!(plan.reach(Origin::Hand(Role::Pawn)).len(), 48);
    assert!(plan.reach(Origin::Hand(Role::King)).is_empty());
    assert_eq!(
        plan.plies(Origin::Hand(Role::Knight), at("f3")),
        [ply("N@f3")],
        "though none is in the hand"
    );
}

#[test]
fn a_premoved_pawn_promotes_as_the_table_has_it() {
    let fen = "4k3/P7/8/8/8/8/8/4K3[] b - - 0 1";
    let plan = Plan::new(&position(fen), Color::White, &[]);
    let choices = plan.plies(Origin::Square(at("a7")), at("a8"));
    assert_eq!(choices.len(), 4);
    assert!(choices.contains(&ply("a7a8n")) && choices.contains(&ply("a7a8q")));
    let plan = Plan::new(&position(fen), Color::White, &[ply("a7a8n")]);
    assert_eq!(plan.role_at(at("a8")), Some(Role::Knight));
    let trickle = Rules {
        promotion: Promotion::Trickle,
        ..Rules::default()
    };
    let plan = Plan::new(&with_rules(fen, trickle), Color::White, &[]);
    assert_eq!(
        plan.plies(Origin::Square(at("a7")), at("b8")),
        [ply("a7b8")]
    );
    let plan = Plan::new(&with_rules(fen, trickle), Color::White, &[ply("a7a8")]);
    assert_eq!(plan.occupied().len(), 1, "the pawn has left the board");
}

#[test]
fn premoves_are_read_as_players_write_them() {
    let plan = Plan::new(
        &position("4k3/P7/8/8/8/2N3N1/4P3/R3K2R[] b KQ - 0 1"),
        Color::White,
        &[],
    );
    for (text, expected) in [
        ("e2e4", Some("e2e4")),
        ("e4", Some("e2e4")),
        ("exd3", Some("e2d3")),
        ("N@f3", Some("N@f3")),
        ("@f3", Some("P@f3")),
        ("a8=N", Some("a7a8n")),
        ("O-O", Some("e1g1")),
        ("Nb5", Some("c3b5")),
        ("Nce4", Some("c3e4")),
        // Which knight, which promotion, and what no piece can do.
        ("Ne4", None),
        ("a8", None),
        ("a7a8", None),
        ("Bc4", None),
        ("d3", None),
        ("P@f8", None),
        ("K@f3", None),
        ("what", None),
    ] {
        assert_eq!(plan.parse_ply(text).ok(), expected.map(ply), "{text}");
    }
}

#[test]
fn the_first_is_due_when_it_is_legal() {
    let start = Position::start(Rules::default());
    assert_eq!(Premoves::default().due(&start), Due::Nothing);
    assert_eq!(line(&["e2e4", "e2e4"]).due(&start), Due::Play(ply("e2e4")));
    assert_eq!(line(&["e2d3"]).due(&start), Due::Void, "nothing to take");
    assert_eq!(line(&["e1g1"]).due(&start), Due::Void);
    let mut full = Premoves::default();
    while full.push(ply("e2e4")) {}
    assert_eq!(full.plies().len(), PREMOVE_LIMIT);
}

#[test]
fn a_drop_waits_for_its_piece_but_for_nothing_else() {
    let start = Position::start(Rules::default());
    assert_eq!(line(&["N@f3"]).due(&start), Due::Armed);
    assert_eq!(
        line(&["N@e2"]).due(&start),
        Due::Void,
        "the square is taken"
    );
    // White is in check, which a drop on f2 alone can answer.
    let check = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR";
    let waits = position(&format!("{check}[] w KQkq - 0 1"));
    assert_eq!(line(&["P@f2"]).due(&waits), Due::Armed);
    assert_eq!(line(&["P@f4"]).due(&waits), Due::Void);
    let holds = position(&format!("{check}[P] w KQkq - 0 1"));
    assert_eq!(line(&["P@f2"]).due(&holds), Due::Play(ply("P@f2")));
    assert_eq!(line(&["N@f2"]).due(&holds), Due::Armed);
}

#[test]
fn a_drop_obeys_the_options_of_the_table() {
    let fen = "6rk/6pp/8/8/8/8/8/4K3";
    for (drops, hand, due) in [
        (Drops::Any, "N", Due::Play(ply("N@f7"))),
        (Drops::Any, "", Due::Armed),
        (Drops::NoMate, "N", Due::Void),
        (Drops::NoMate, "", Due::Void),
        (Drops::NoCheck, "N", Due::Void),
        (Drops::NoCheck, "", Due::Void),
    ] {
        let rules = Rules {
            drops,
            ..Rules::default()
        };
        let position = with_rules(&format!("{fen}[{hand}] w - - 0 1"), rules);
        assert_eq!(line(&["N@f7"]).due(&position), due, "{drops} with [{hand}]");
    }
}

/// What of the messages is a ply.
fn sent(messages: &[ClientMessage]) -> Vec<Ply> {
    messages
        .iter()
        .filter_map(|message| match message {
            ClientMessage::Command {
                command: Command::Play { ply, .. },
                ..
            } => Some(*ply),
            _ => None,
        })
        .collect()
}

impl Line {
    fn premove(&mut self, text: &str) {
        let (notices, messages) = self.replica.premove(ply(text), self.now).unwrap();
        assert!(notices.is_empty() && messages.is_empty());
    }

    /// What has happened since the replica was last told: the notices, and the plies it sends at once.
    fn hear(&mut self) -> (Vec<Notice>, Vec<ClientMessage>) {
        let seq = self.replica.state().unwrap().seq();
        let events = self.table.events_since(seq).unwrap().cloned().collect();
        self.replica.receive(
            ServerMessage::Events {
                first: seq + 1,
                events,
            },
            self.now,
        )
    }

    /// Somebody plays; the replica is not told yet.
    fn they_play(&mut self, seat: Seat, text: &str) {
        let game = self.table.state().game().unwrap();
        let command = Command::Play {
            match_no: game.no(),
            board: seat.board(),
            answers: game.boards().plies(seat.board()),
            ply: ply(text),
        };
        self.other(seat, command);
    }

    /// A-White plays a ply of the own hand, confirmed and heard.
    fn we_play(&mut self, text: &str) {
        let message = self.play(text).unwrap();
        self.deliver(&message);
        self.catch_up();
    }
}

#[test]
fn a_premove_answers_in_the_breath_in_which_the_opponents_ply_comes() {
    let mut line = Line::new();
    line.we_play("e2e4");
    line.premove("d2d4");
    line.premove("b1c3");
    assert_eq!(line.replica.premoves(), plies(&["d2d4", "b1c3"]));
    line.now += 300;
    line.they_play(Seat::ABlack, "e7e5");
    let (notices, messages) = line.hear();
    assert_eq!(sent(&messages), [ply("d2d4")]);
    assert!(notices.contains(&Notice::Premoved(ply("d2d4"))));
    assert_eq!(line.shown(), 3, "it is on the board before it is confirmed");
    assert_eq!(line.replica.premoves(), plies(&["b1c3"]));
    // Its confirmation plays nothing; the next answer does.
    line.deliver(&messages[0]);
    let (_, messages) = line.hear();
    assert!(messages.is_empty());
    line.they_play(Seat::ABlack, "e5d4");
    assert_eq!(sent(&line.hear().1), [ply("b1c3")]);
}

#[test]
fn an_own_ply_still_under_way_holds_the_premoves_back() {
    let mut line = Line::new();
    let message = line.play("e2e4").unwrap();
    line.premove("d2d4");
    assert!(line.hear().1.is_empty());
    line.deliver(&message);
    line.they_play(Seat::ABlack, "e7e5");
    // Both plies come at once.
    assert_eq!(sent(&line.hear().1), [ply("d2d4")]);
}

#[test]
fn what_has_become_illegal_clears_the_line() {
    let mut line = Line::new();
    line.we_play("e2e4");
    line.premove("e4d5");
    line.premove("a2a3");
    line.they_play(Seat::ABlack, "e7e5");
    let (notices, messages) = line.hear();
    assert!(notices.contains(&Notice::PremovesVoid));
    assert!(sent(&messages).is_empty());
    assert!(line.replica.premoves().is_empty());
    assert!(line.replica.is_my_turn());
}

#[test]
fn an_armed_drop_is_played_when_the_piece_comes() {
    let mut line = Line::new();
    line.we_play("e2e4");
    line.premove("P@e5");
    line.premove("a2a3");
    line.they_play(Seat::ABlack, "a7a6");
    let (notices, messages) = line.hear();
    assert!(messages.is_empty() && !notices.contains(&Notice::PremovesVoid));
    assert_eq!(line.replica.premoves(), plies(&["P@e5", "a2a3"]));
    assert!(line.replica.is_my_turn());
    // The partner wins a pawn on the other board.
    line.they_play(Seat::BWhite, "e2e4");
    line.they_play(Seat::BBlack, "d7d5");
    line.they_play(Seat::BWhite, "a2a3");
    assert!(line.hear().1.is_empty());
    line.they_play(Seat::BBlack, "d5e4");
    assert_eq!(sent(&line.hear().1), [ply("P@e5")]);
    assert_eq!(line.replica.premoves(), plies(&["a2a3"]));
}

#[test]
fn an_armed_drop_outlives_a_ply_by_hand_and_dies_with_its_square() {
    let mut line = Line::new();
    line.we_play("e2e4");
    line.premove("N@e5");
    line.they_play(Seat::ABlack, "a7a6");
    line.hear();
    line.we_play("d2d4");
    assert_eq!(line.replica.premoves(), plies(&["N@e5"]));
    line.they_play(Seat::ABlack, "e7e5");
    let (notices, _) = line.hear();
    assert!(notices.contains(&Notice::PremovesVoid));
    assert!(line.replica.premoves().is_empty());
}

#[test]
fn a_gesture_that_ends_after_the_opponents_ply_is_judged_at_once() {
    let mut line = Line::new();
    line.we_play("e2e4");
    line.they_play(Seat::ABlack, "d7d5");
    line.hear();
    let (notices, messages) = line.replica.premove(ply("e4d5"), line.now).unwrap();
    assert_eq!(sent(&messages), [ply("e4d5")]);
    assert_eq!(notices, [Notice::Premoved(ply("e4d5"))]);
    line.deliver(&messages[0]);
    line.they_play(Seat::ABlack, "d8d5");
    line.hear();
    let (notices, messages) = line.replica.premove(ply("e4e5"), line.now).unwrap();
    assert_eq!((notices, messages), (vec![Notice::PremovesVoid], vec![]));
    assert!(line.replica.premoves().is_empty());
}

#[test]
fn premoves_end_with_the_match_and_with_a_ply_that_is_taken_back() {
    let mut line = Line::new();
    assert_eq!(
        line.play("e2e5"),
        Err(CannotPlay::Illegal(
            tandem_core::IllegalPly::PieceCannotReach
        ))
    );
    let message = line.play("e2e4").unwrap();
    line.premove("d2d4");
    // The relay pauses before the ply comes, so it is refused.
    line.table.pause(line.now, PauseReason::DiskFull);
    let notices = line.deliver(&message);
    assert!(
        notices
            .iter()
            .any(|notice| matches!(notice, Notice::TakenBack { .. }))
    );
    assert!(line.replica.premoves().is_empty());
    let mut line = Line::new();
    line.we_play("e2e4");
    line.premove("d2d4");
    line.other(Seat::BBlack, Command::Resign(MatchNo(1)));
    assert!(line.hear().1.is_empty());
    assert!(line.replica.premoves().is_empty());
    assert_eq!(
        line.replica.premove(ply("d2d4"), line.now),
        Err(CannotPlay::NoMatch)
    );
}

#[test]
fn a_pause_keeps_premoves_until_play_goes_on() {
    let mut line = Line::new();
    line.we_play("e2e4");
    line.premove("d2d4");
    line.they_play(Seat::ABlack, "e7e5");
    line.table.pause(line.now, PauseReason::DiskFull);
    let (_, messages) = line.hear();
    assert!(messages.is_empty());
    assert_eq!(line.replica.premoves(), plies(&["d2d4"]));
    line.table.unblock(line.now);
    line.now += 10_000;
    line.table.tick(line.now);
    assert_eq!(sent(&line.hear().1), [ply("d2d4")]);
}

#[test]
fn a_mate_leaves_nothing_to_premove() {
    let mut line = Line::new();
    for (ours, theirs) in [("e2e4", "e7e5"), ("f1c4", "b8c6"), ("d1h5", "g8f6")] {
        line.we_play(ours);
        line.they_play(Seat::ABlack, theirs);
        line.hear();
    }
    let message = line.play("h5f7").unwrap();
    // It is shown at once, and only the relay's word is missing.
    assert!(line.replica.is_decided());
    assert_eq!(
        line.replica.premove(ply("a2a3"), line.now),
        Err(CannotPlay::Decided)
    );
    line.deliver(&message);
    line.hear();
    assert!(line.replica.game().unwrap().end().is_some());
}
