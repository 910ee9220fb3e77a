//! The plies of both boards in the order they were played, the reader's board on the left.

use leptos::prelude::*;

use super::move_field::MoveField;
use crate::store::{Face, MoveLine, TableStore};
use crate::text;
use crate::ui::icon::{Icon, IconView};
use crate::ui::words;

/// The list; a sheet of its own where there is no room beside the boards.
#[component]
pub fn MovesView(store: TableStore) -> impl IntoView {
    let home = Memo::new(move |_| store.home_board());
    let seated = Memo::new(move |_| store.my_seat().is_some());
    let moves = store.moves();
    let timed = Memo::new(move |_| store.has_clocks());
    let heads = move || match (seated.get(), home.get()) {
        (true, _) => [text::game::YOUR_BOARD(), text::game::PARTNER_SHORT()],
        (false, _) => [text::game::BOARD_A(), text::game::BOARD_B()],
    };
    let line = move |line: MoveLine| {
        let board = line.seat.board();
        let left = Face::new(line.left_ms, false).digits();
        let left = left
            .1
            .map_or(left.0.clone(), |tenth| format!("{}.{tenth}", left.0));
        view! {
            <li class="ply" class:on-b=move || board != home.get()>
                <span>
                    <span class="visually-hidden">{words::board(board)}</span>
                    <b class="no">{line.number}</b>
                    {move || text::letters().localize(&line.san)}
                </span>
                {timed.get_untracked().then(|| view! { <time>{left}</time> })}
            </li>
        }
    };
    view! {
        <section class="log sheet" id="moves" popover="" aria-label=text::game::MOVES_TITLE>
            <div class="sheet-head only-narrow">
                <h2>{text::game::MOVES}</h2>
                <CloseButton sheet="moves" />
            </div>
            <div class="log-head">
                <span>{move || heads()[0]}</span>
                <span>{move || heads()[1]}</span>
            </div>
            <div class="plies-box">
                <div class="plies" tabindex="0" role="group" aria-label=text::game::MOVES_LIST>
                    <ol>
                        <For each=move || moves.get() key=|line| (line.index, line.san.clone()) children=line />
                    </ol>
                </div>
            </div>
            <MoveField store=store />
        </section>
    }
}

/// Closes a sheet.
#[component]
pub fn CloseButton(sheet: &'static str) -> impl IntoView {
    view! {
        <button
            class="btn icon quiet"
            type="button"
            popovertarget=sheet
            popovertargetaction="hide"
            aria-label=text::game::CLOSE
        >
            <IconView icon=Icon::Close />
        </button>
    }
}
