//! Matches at a table: clocks, events, ends.

use proptest::prelude::*;
use tandem_core::bpgn::{Record, RecordedResult};
use tandem_core::table::{
    COUNTDOWN_MS, Command, Event, MatchNo, Millis, Phase, PlayerId, Stamped, State, Table,
};
use tandem_core::{BoardId, Options, Seat};

use super::{cases, picked, rules};

/// One thing that happens at the table.
#[derive(Clone, Debug)]
enum Step {
    /// Somebody plays a legal ply, so long after the step before.
    Play {
        pick: u32,
        after_ms: u32,
    },
    /// Somebody asks something else.
    Ask {
        seat: usize,
        what: u8,
    },
    /// A round trip to somebody was measured.
    Measure {
        seat: usize,
        ms: u32,
    },
    /// A connection is cut, or there again.
    Cut(usize),
    Back(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let play = |most: u32| {
        (any::<u32>(), 0..most).prop_map(|(pick, after_ms)| Step::Play { pick, after_ms })
    };
    let step = prop_oneof![
        30 => play(900),
        6 => play(9_000),
        3 => (0..4usize, 0..1_400u32).prop_map(|(seat, ms)| Step::Measure { seat, ms }),
        2 => (0..4usize, any::<u8>()).prop_map(|(seat, what)| Step::Ask { seat, what }),
        1 => (0..4usize).prop_map(Step::Cut),
        2 => (0..4usize).prop_map(Step::Back),
    ];
    prop::collection::vec(step, 0..160)
}

fn options() -> impl Strategy<Value = Options> {
    (
        30_000..=120_000u32,
        prop_oneof![3 => Just(0u32), 1 => 1..5_000u32],
        rules(),
        any::<bool>(),
    )
        .prop_map(|(base_ms, increment_ms, rules, talk)| Options {
            base_ms,
            increment_ms,
            rules,
            talk,
        })
}

/// A table, everything that happened there, and somebody who was only told of it.
struct Watched {
    table: Table,
    now: Millis,
    players: [PlayerId; 4],
    events: Vec<Stamped>,
    observer: State,
    /// The match as it was when it ended.
    ended: Option<(tandem_core::Match, [u64; 4])>,
}

impl Watched {
    fn started(options: Options) -> Watched {
        let mut table = Table::new();
        let players = ["Ann", "Ben", "Cleo", "Dan"].map(|name| table.join(0, name).unwrap());
        let mut watched = Watched {
            table,
            now: 0,
            players,
            events: Vec::new(),
            observer: State::default(),
            ended: None,
        };
        watched.ask(0, Command::SetOptions(options));
        for (index, seat) in Seat::ALL.into_iter().enumerate() {
            watched.ask(index, Command::Sit(seat));
            watched.ask(index, Command::SetReady(true));
        }
        watched.wait(COUNTDOWN_MS);
        assert_eq!(watched.table.state().phase(), Phase::Playing);
        watched
    }

    fn ask(&mut self, who: usize, command: Command) {
        // A refusal is an answer too; what matters is what has happened.
        let _ = self.table.handle(self.now, self.players[who], command);
        self.look();
    }

    fn wait(&mut self, ms: Millis) {
        self.now += ms;
        self.table.tick(self.now);
        self.look();
    }

    /// Tells the observer what is new, and checks what holds at every instant.
    fn look(&mut self) {
        let known = self.observer.seq();
        let new: Vec<Stamped> = self.table.events_since(known).unwrap().cloned().collect();
        for stamped in new {
            self.observer.apply(&stamped).unwrap();
            self.events.push(stamped);
        }
        assert_eq!(&self.observer, self.table.state());
        let Some(game) = self.table.state().game() else {
            return;
        };
        let at = game.match_time(self.now);
        let left = |seat| game.clocks().left(seat, at);
        if game.options().increment_ms == 0 {
            assert_eq!(
                left(Seat::AWhite) + left(Seat::ABlack),
                left(Seat::BWhite) + left(Seat::BBlack)
            );
        }
        if game.end().is_some() {
            let now = (
                *game.boards(),
                Seat::ALL.map(|seat| game.clock(seat, self.now)),
            );
            assert_eq!(self.ended.get_or_insert(now), &now, "changed after the end");
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Play { pick, after_ms } => {
                self.wait(after_ms.into());
                self.play(pick);
            }
            Step::Ask { seat, what } => {
                let no = MatchNo(1);
                let command = match what % 16 {
                    0 => Command::Resign(no),
                    1..=4 => Command::OfferDraw(no),
                    5..=8 => Command::AcceptDraw(no),
                    9..=11 => Command::DeclineDraw(no),
                    12..=13 => Command::WithdrawDraw(no),
                    14 => Command::Leave,
                    _ => Command::Stand,
                };
                self.ask(seat, command);
            }
            Step::Measure { seat, ms } => self.table.measured(self.players[seat], ms),
            Step::Cut(seat) => {
                self.table.disconnected(self.now, self.players[seat]);
                self.look();
            }
            Step::Back(seat) => {
                self.table.connected(self.now, self.players[seat]);
                self.look();
            }
        }
    }

    fn play(&mut self, pick: u32) {
        let Some(game) = self.table.state().game() else {
            return;
        };
        let Some((board, ply)) = picked(game.boards(), pick) else {
            return;
        };
        let command = Command::Play {
            match_no: game.no(),
            board,
            answers: game.boards().plies(board),
            ply,
        };
        let seat = game.boards().seat_to_move(board);
        self.ask(seat.index(), command);
    }

    /// Everyone comes back, and then nobody does anything until it is over.
    fn run_out(&mut self) {
        for who in 0..4 {
            self.step(&Step::Back(who));
        }
        for _ in 0..3 {
            self.wait(4_000_000);
        }
    }

    fn ends(&self) -> usize {
        let is_end = |stamped: &&Stamped| matches!(stamped.event, Event::Ended(_));
        self.events.iter().filter(is_end).count()
    }
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn a_match_at_a_table_holds_together(options in options(), steps in steps()) {
        let mut watched = Watched::started(options);
        for step in &steps {
            watched.step(step);
            prop_assert!(watched.ends() <= 1);
        }
        watched.run_out();
        prop_assert_eq!(watched.ends(), 1, "exactly one end");

        // Told all at once, and told of the state alone, one knows the same.
        let mut told = State::default();
        for stamped in &watched.events {
            told.apply(stamped).unwrap();
        }
        prop_assert_eq!(&told, watched.table.state());
        let bytes = postcard::to_allocvec(&told).unwrap();
        prop_assert_eq!(postcard::from_bytes::<State>(&bytes), Ok(told));
        for stamped in &watched.events {
            let bytes = postcard::to_allocvec(stamped).unwrap();
            prop_assert_eq!(postcard::from_bytes::<Stamped>(&bytes), Ok(stamped.clone()));
        }

        let game = watched.table.state().game().unwrap();
        let record = Record::of_game(game);
        prop_assert_eq!(record.plies().len(), game.plies().len());
        prop_assert_eq!(record.options(), options);
        let winner = game.end().unwrap().winner;
        prop_assert_eq!(record.result(), RecordedResult::of_winner(winner));
        for board in BoardId::ALL {
            prop_assert_eq!(record.last().position(board), game.boards().position(board));
        }
        prop_assert_eq!(Record::read(&record.to_string()), Ok(record));
    }
}
