//! The boards of a table as the widget wants them: from the side of the reader's team.

use leptos::prelude::*;
use tandem_core::protocol::Here;
use tandem_core::table::Phase;
use tandem_core::{BoardId, Color, Seat, Status};

use crate::board::BoardModel;
use crate::store::{Audience, Seating, TableStore};
use crate::text;
use crate::ui::later::behind;
use crate::ui::words;

/// The two boards of a table, and who plays them.
#[derive(Clone, Copy)]
pub struct Boards {
    /// The state of the table.
    pub store: TableStore,
    /// The boards are turned round.
    pub flipped: RwSignal<bool>,
    /// The partner's board is the large one.
    pub swapped: RwSignal<bool>,
    /// The match has ended, and its end is on the boards.
    pub ended: Signal<bool>,
    /// To whom the reader can talk.
    pub audience: Signal<Audience>,
    names: [Signal<String>; 4],
}

impl Boards {
    /// The boards of a table.
    pub fn new(store: TableStore) -> Self {
        let names = Seat::ALL.map(|seat| Memo::new(move |_| name(store, seat)).into());
        Self {
            store,
            flipped: RwSignal::new(false),
            swapped: RwSignal::new(false),
            ended: behind(move || {
                let game = store.game();
                game.with(|game| game.as_ref().is_some_and(|game| game.end.is_some()))
            }),
            audience: behind(move || store.audience()),
            names,
        }
    }

    /// What the player of a seat is called.
    pub fn name(self, seat: Seat) -> Signal<String> {
        self.names[seat.index()]
    }

    /// The board that is seen large. Reactive.
    pub fn large(self) -> BoardId {
        let home = self.store.home_board();
        if self.swapped.get() {
            home.other()
        } else {
            home
        }
    }

    /// The colour at the bottom of a board. Reactive.
    pub fn bottom(self, board: BoardId) -> Color {
        let ours = self.store.our_color(board);
        if self.flipped.get() {
            ours.other()
        } else {
            ours
        }
    }

    /// A board, as far as the widget must know it.
    pub fn model(self, board: BoardId) -> BoardModel {
        let store = self.store;
        let mine = Memo::new(move |_| {
            store
                .my_seat()
                .filter(|seat| seat.board() == board)
                .map(Seat::color)
        });
        let running = Memo::new(move |_| {
            let playing = store
                .seating()
                .with(|seating| seating.as_ref().is_some_and(is_playing));
            playing
                && store
                    .game()
                    .with(|game| game.as_ref().is_some_and(|game| game.pause.is_none()))
        });
        BoardModel {
            board,
            shown: store.shown(board),
            bottom: Memo::new(move |_| self.bottom(board)).into(),
            mine: mine.into(),
            may_play: Memo::new(move |_| mine.get().is_some() && store.my_turn().get()).into(),
            running: running.into(),
            name: Memo::new(move |_| self.board_name(board)).into(),
            waiting: Memo::new(move |_| self.waiting(board)).into(),
            may_plan: Memo::new(move |_| mine.get().is_some() && store.may_plan().get()).into(),
            premoves: store.premoves(),
            hint: Memo::new(move |_| {
                store
                    .hint()
                    .get()
                    .filter(|_| mine.get().is_some())
                    .map(words::hint)
            })
            .into(),
            play: Callback::new(move |(ply, ahead)| {
                if ahead {
                    store.premove(ply);
                } else {
                    store.play(ply);
                }
            }),
            forget: Callback::new(move |()| store.forget_premoves()),
            astray: Callback::new(move |ply| store.explain(ply)),
        }
    }

    fn board_name(self, board: BoardId) -> String {
        let letter = words::board(board);
        match self.store.my_seat() {
            Some(seat) if seat.board() == board => {
                text::board::name_mine(letter, words::color(seat.color())())
            }
            Some(seat) => {
                let partner = seat.partner();
                let color = words::color(partner.color())();
                text::board::name_partner(letter, color, &self.name(partner).get())
            }
            None => {
                let [white, black] = [Color::White, Color::Black]
                    .map(|color| self.name(Seat::new(board, color)).get());
                text::board::name_watch(&black, letter, &white)
            }
        }
    }

    /// What to say on a board whose player waits for a piece.
    fn waiting(self, board: BoardId) -> Option<String> {
        let playing = self
            .store
            .seating()
            .with(|seating| seating.as_ref().is_some_and(is_playing));
        let waits = self.store.shown(board).with(|shown| {
            (!shown.ended && shown.position.status() == Status::Waiting)
                .then(|| shown.position.turn())
        });
        let seat = Seat::new(board, waits.filter(|_| playing)?);
        Some(match self.store.my_seat() {
            Some(mine) if mine == seat => text::board::WAITING_MINE().to_owned(),
            Some(mine) if mine.partner() == seat => text::board::WAITING_PARTNER().to_owned(),
            _ => text::board::waiting_other(&self.name(seat.partner()).get()),
        })
    }
}

fn is_playing(seating: &Seating) -> bool {
    seating.phase == Phase::Playing
}

/// What the player of a seat is called: in a match as at its start, else as now. Reactive.
fn name(store: TableStore, seat: Seat) -> String {
    let then = store.game().with(|game| {
        game.as_ref()
            .map(|game| (game.names[seat.index()].clone(), game.bots[seat.index()]))
    });
    store.seating().with(|seating| {
        let id = seating.as_ref().and_then(|seating| seating.occupant(seat));
        let (name, bot) = then.unwrap_or_else(|| {
            let Some(seating) = seating else {
                return Default::default();
            };
            let name = id.map_or("", |id| seating.name(id));
            (name.to_owned(), seating.bots[seat.index()])
        });
        match bot {
            Some(_) => store.bot_name(seat).to_owned(),
            None if store.is_alone() && name.is_empty() => text::solo::YOU().to_owned(),
            None => words::name_or_guest(&name, id),
        }
    })
}

/// Presence and lag of the person on a seat. Reactive.
pub fn here(store: TableStore, seat: Seat) -> Option<Here> {
    let id = store
        .seating()
        .with(|seating| seating.as_ref().and_then(|seating| seating.occupant(seat)))?;
    store
        .people()
        .with(|people| people.iter().find(|here| here.player == id).copied())
}
