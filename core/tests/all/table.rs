//! The life of a table, one rule at a time: rules.md, "How a match ends" and "Order of events".

use tandem_core::bot::Level;
use tandem_core::table::{
    ABSENCE_GRACE_MS, AWAY_MS, Arrangement, COUNTDOWN_MS, Command, DRAW_AGAIN_MS, DRAW_OFFER_MS,
    DrawClosed, Event, FLOOD_LINES, HouseRules, MatchNo, Millis, PEOPLE_MAX, PauseReason, Phase,
    PlayerId, RESUME_AT_LATEST_MS, Refusal, Speaker, Table,
};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{BoardId, EndRule, IllegalPly, Options, Ply, Role, Seat, Team};

mod bots;
mod draws;
mod ends;
mod record;
mod seats;
mod talk;

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
