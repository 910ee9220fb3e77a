//! The player's side: what is shown before it is confirmed, and how it is settled.

use tandem_core::link::Arrival;
use tandem_core::protocol::{ClientMessage, ServerMessage};
use tandem_core::replica::{CannotPlay, Notice, Replica, UNCERTAIN_MS};
use tandem_core::table::{
    COUNTDOWN_MS, Command, HouseRules, MatchNo, Millis, PlayerId, Refusal, Table,
};
use tandem_core::{BoardId, IllegalPly, Ply, Seat};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A table in play, and the replica of A-White at the end of a line that loses nothing.
pub(super) struct Line {
    pub(super) table: Table,
    pub(super) replica: Replica,
    players: [PlayerId; 4],
    pub(super) now: Millis,
    inbox: tandem_core::link::Inbox,
}

impl Line {
    pub(super) fn new() -> Line {
        let mut table = Table::new();
        let players = ["Anna", "Ben", "Cleo", "Dan"].map(|name| table.join(0, name).unwrap());
        for (player, seat) in players.into_iter().zip(Seat::ALL) {
            table.handle(0, player, Command::Sit(seat)).unwrap();
            table.handle(0, player, Command::SetReady(true)).unwrap();
        }
        table.tick(COUNTDOWN_MS);
        let mut line = Line {
            table,
            replica: Replica::new(1),
            players,
            now: COUNTDOWN_MS,
            inbox: tandem_core::link::Inbox::default(),
        };
        line.inbox.hello(1, 1);
        line.arrive(ServerMessage::Welcome {
            you: players[0],
            epoch: 1,
            now: line.now,
            absence_grace_ms: 60_000,
            house: HouseRules::default(),
        });
        line.arrive(ServerMessage::Snapshot(Box::new(
            line.table.state().clone(),
        )));
        line
    }

    pub(super) fn arrive(&mut self, message: ServerMessage) -> Vec<Notice> {
        self.replica.receive(message, self.now).0
    }

    /// Everything that happened since the replica was last told.
    pub(super) fn catch_up(&mut self) -> Vec<Notice> {
        let seq = self.replica.state().unwrap().seq();
        let events = self.table.events_since(seq).unwrap().cloned().collect();
        self.arrive(ServerMessage::Events {
            first: seq + 1,
            events,
        })
    }

    /// The relay takes a command of the page and answers it.
    pub(super) fn deliver(&mut self, message: &ClientMessage) -> Vec<Notice> {
        let ClientMessage::Command { id, command } = message.clone() else {
            panic!("a command: {message:?}");
        };
        assert_eq!(self.inbox.arrival(id), Arrival::Next);
        let result = self.table.handle(self.now, self.players[0], command);
        self.inbox.answered(id, result);
        self.arrive(ServerMessage::Answer { id, result })
    }

    pub(super) fn other(&mut self, seat: Seat, command: Command) {
        self.table
            .handle(self.now, self.players[seat.index()], command)
            .unwrap();
    }

    pub(super) fn play(&mut self, ply: &str) -> Result<ClientMessage, CannotPlay> {
        self.replica.play(ply.parse::<Ply>().unwrap(), self.now)
    }

    pub(super) fn shown(&self) -> u16 {
        self.replica.boards().unwrap().plies(BoardId::A)
    }
}

#[test]
fn the_own_ply_is_shown_at_once_and_settled_by_its_event() {
    let mut line = Line::new();
    assert!(line.replica.is_my_turn());
    line.now += 500;
    let message = line.play("e2e4").unwrap();
    assert_eq!(line.shown(), 1);
    assert!(!line.replica.is_my_turn());
    assert_eq!(line.play("d2d4"), Err(CannotPlay::NotYourTurn));
    // The own clock stands from the click on, the opponent's runs.
    line.now += 200;
    let clock = |line: &Line, seat| line.replica.clock(seat, line.now).unwrap();
    assert_eq!(clock(&line, Seat::AWhite), (179_500, false));
    assert_eq!(clock(&line, Seat::ABlack), (179_800, true));
    line.deliver(&message);
    let notices = line.catch_up();
    assert_eq!(notices.len(), 1);
    assert_eq!(
        notices[0].played(),
        Some((BoardId::A, "e2e4".parse().unwrap()))
    );
    assert_eq!(line.replica.pending(), None);
    assert_eq!(line.shown(), 1);
}

#[test]
fn a_ply_without_word_of_it_becomes_uncertain() {
    let mut line = Line::new();
    line.play("e2e4").unwrap();
    line.now += UNCERTAIN_MS - 1;
    assert!(!line.replica.is_uncertain(line.now));
    line.now += 1;
    assert!(line.replica.is_uncertain(line.now));
    let (_, running) = line.replica.clock(Seat::AWhite, line.now).unwrap();
    assert!(running, "the own clock may be running at the relay");
    assert_eq!(line.shown(), 1, "the ply stays on the board");
}

#[test]
fn an_illegal_ply_is_not_even_sent() {
    let mut line = Line::new();
    let refused = line.play("e2e5");
    assert!(
        matches!(refused, Err(CannotPlay::Illegal(_))),
        "{refused:?}"
    );
    assert_eq!(
        line.play("N@e4"),
        Err(CannotPlay::Illegal(IllegalPly::NotInHand))
    );
    assert_eq!(line.shown(), 0);
}

#[test]
fn a_ply_that_no_longer_counts_is_taken_back_and_told_once() {
    let mut line = Line::new();
    let message = line.play("e2e4").unwrap();
    line.other(Seat::ABlack, Command::Resign(MatchNo(1)));
    let notices = line.catch_up();
    let told = |notices: &[Notice]| {
        notices
            .iter()
            .filter(|notice| !matches!(notice, Notice::Event(_)))
            .count()
    };
    assert!(notices.contains(&Notice::TakenBack {
        ply: "e2e4".parse().unwrap(),
        refusal: None
    }));
    assert_eq!((told(&notices), line.shown()), (1, 0));
    // The refusal that follows is no news.
    assert_eq!(told(&line.deliver(&message)), 0);
}

#[test]
fn a_refused_ply_is_taken_back_with_its_reason() {
    let mut line = Line::new();
    let message = line.play("e2e4").unwrap();
    line.other(Seat::ABlack, Command::Resign(MatchNo(1)));
    let notices = line.deliver(&message);
    assert_eq!(
        notices,
        vec![Notice::TakenBack {
            ply: "e2e4".parse().unwrap(),
            refusal: Some(Refusal::MatchEnded)
        }]
    );
    assert_eq!(line.shown(), 0);
}

#[test]
fn the_other_board_does_not_disturb_a_pending_ply() {
    let mut line = Line::new();
    line.play("e2e4").unwrap();
    line.other(
        Seat::BWhite,
        Command::Play {
            match_no: MatchNo(1),
            board: BoardId::B,
            answers: 0,
            ply: "d2d4".parse().unwrap(),
        },
    );
    line.catch_up();
    assert_eq!(line.shown(), 1);
    assert_eq!(line.replica.boards().unwrap().plies(BoardId::B), 1);
    assert!(line.replica.pending().is_some());
}
