//! The boards during a match and after it.

use leptos::prelude::*;
use tandem_core::{BoardId, Seat};

use super::boards::Boards;
use super::flight::Flight;
use super::grouped;
use super::panel::{Desk, Panel};
use super::player::{Edge, PlayerView};
use super::result::ResultView;
use super::spoken::Spoken;
use super::talk::{QuickRow, TalkView};
use crate::board::{BoardView, Control};
use crate::platform::page;
use crate::store::TableStore;
use crate::text;
use crate::ui::page::SkipLink;
use crate::ui::words;

/// Both boards with their players, and the panel beside them.
#[component]
pub fn MatchScreen(store: TableStore) -> impl IntoView {
    let boards = Boards::new(store);
    provide_context(store.talk());
    let ended = boards.ended;
    let seat = Memo::new(move |_| store.my_seat());
    let large = Memo::new(move |_| boards.large());
    // What comes and goes may take the button along that had the keyboard's focus, as the seats did.
    let passing = Memo::new(move |_| {
        let draw = store.game().with(|game| Some(game.as_ref()?.draw?.agreed));
        (ended.get(), draw, store.note().with(Option::is_some))
    });
    Effect::new(move || {
        // Read, not only tracked: a memo that nobody reads is never worked out.
        passing.get();
        request_animation_frame(|| page::focus_if_lost("own"));
    });
    // The partner's board is the large one there while a move is proposed on it.
    let picking = Memo::new(move |_| store.talk().picking.get().is_some());
    let lent = StoredValue::new(false);
    Effect::new(move || {
        if picking.get() {
            if is_upright_phone() && !boards.swapped.get_untracked() {
                lent.set_value(true);
                boards.swapped.set(true);
            }
        } else if lent.get_value() {
            lent.set_value(false);
            boards.swapped.set(false);
        }
    });
    let title = move || match (seat.get(), store.code.map(grouped)) {
        (Some(seat), Some(code)) => text::game::title_seat(
            words::board(seat.board()),
            &code,
            words::color(seat.color())(),
        ),
        (Some(seat), None) => {
            text::solo::title_seat(words::board(seat.board()), words::color(seat.color())())
        }
        (None, code) => text::game::title_watch(&code.unwrap_or_default()),
    };
    let sides = move || {
        let large = large.get();
        view! {
            <Side boards=boards board=large large=true />
            <Side boards=boards board=large.other() large=false />
        }
    };
    view! {
        <SkipLink to="own" words=text::game::SKIP />
        <main class="match" data-state=move || if ended.get() { "ended" } else { "playing" }>
            <h1 class="visually-hidden">{title}</h1>
            {sides}
            <Desk boards=boards />
            <TalkView boards=boards />
            <ResultView boards=boards />
            <Panel boards=boards />
            <QuickRow boards=boards />
            <Spoken boards=boards />
            <Flight store=store board=BoardId::A />
            <Flight store=store board=BoardId::B />
        </main>
    }
}

/// Whether the small board is too small to play or point on.
fn is_upright_phone() -> bool {
    page::matches("(max-width: 699.9px) and (orientation: portrait)")
}

/// One board between its two players.
#[component]
fn Side(boards: Boards, board: BoardId, large: bool) -> impl IntoView {
    let store = boards.store;
    let model = boards.model(board);
    let mine = Memo::new(move |_| model.mine.get());
    let name = move || match (store.my_seat(), board) {
        (Some(seat), board) if seat.board() == board => text::game::YOUR_BOARD(),
        (Some(_), _) => text::game::PARTNER_BOARD(),
        (None, BoardId::A) => text::game::BOARD_A(),
        (None, BoardId::B) => text::game::BOARD_B(),
    };
    // A tap makes it the large one there.
    let enlarge = move |_| {
        if !large && is_upright_phone() {
            boards.swapped.update(|swapped| *swapped = !*swapped);
        }
    };
    let decided = Memo::new(move |_| {
        store.game().with(|game| {
            game.as_ref()
                .and_then(|game| game.end)
                .is_some_and(|end| end.board == Some(board))
        })
    });
    let parts = move || {
        let control = mine.get().map(|_| Control::new(model));
        let player = move |edge: Edge| {
            move || {
                let bottom = model.bottom.get();
                let color = if edge == Edge::Bottom {
                    bottom
                } else {
                    bottom.other()
                };
                let control = control.filter(|_| mine.get() == Some(color));
                view! {
                    <PlayerView boards=boards model=model seat=Seat::new(board, color) edge=edge control=control />
                }
            }
        };
        view! {
            {player(Edge::Top)}
            <BoardView model=model control=control />
            {player(Edge::Bottom)}
        }
    };
    let uncertain = move || (mine.get().is_some() && store.uncertain().get()).then_some("");
    view! {
        <section
            class="side"
            data-uncertain=uncertain
            class:own=large
            class:mate=!large
            class:partners=move || store.partner().is_some_and(|partner| partner.board() == board)
            class:decided=move || decided.get()
            id=if large { "own" } else { "mate" }
            tabindex="-1"
            aria-label=name
            on:click=enlarge
        >
            {parts}
        </section>
    }
}
