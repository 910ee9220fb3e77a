//! What someone who never played needs to know, said once, at the moment it helps.

use leptos::prelude::*;
use tandem_core::{Ply, Seat, Status};

use crate::board::model::HAND;
use crate::platform::{page, storage};
use crate::store::TableStore;
use crate::text::{self, Text};
use crate::ui::icon::{Icon, IconView};

/// The key under which the hints that were given are remembered, a letter each.
const KEY: &str = "tandem.hints";

/// A hint: its letter in what is remembered, and its words.
type Hint = (char, Text);

const WAITING: Hint = ('w', text::hint::WAITING);
const IN_HAND: Hint = ('h', text::hint::IN_HAND);
const FLOWN: Hint = ('f', text::hint::FLOWN);

/// The hint of the moment, until it is dismissed or play has gone on.
#[component]
pub fn HintLine(store: TableStore) -> impl IntoView {
    let given = StoredValue::new(storage::get(KEY).unwrap_or_default());
    // The hint, and how many plies had been played on the reader's board when it was given.
    let shown = RwSignal::new(None::<(Hint, u16)>);
    Effect::new(move || {
        let Some(seat) = store.my_seat() else { return };
        let board = store.shown(seat.board());
        let (plies, ended) = board.with(|board| (board.plies, board.ended));
        if ended {
            shown.set(None);
            return;
        }
        if let Some((_, from)) = shown.get_untracked() {
            // Two plies of each side are time enough to read it.
            if plies >= from + 4 {
                shown.set(None);
            }
            return;
        }
        let waits = || {
            board.with(|board| {
                board.position.turn() == seat.color() && board.position.status() == Status::Waiting
            })
        };
        let due: [(Hint, &dyn Fn() -> bool); 3] = [
            (WAITING, &waits),
            (IN_HAND, &|| can_drop(store, seat)),
            (FLOWN, &|| in_hand(store, seat.partner())),
        ];
        let fresh = |hint: Hint| !given.with_value(|given| given.contains(hint.0));
        let next = due.into_iter().find(|(hint, due)| fresh(*hint) && due());
        if let Some((hint, _)) = next {
            given.update_value(|given| given.push(hint.0));
            given.with_value(|given| storage::set(KEY, given));
            // The ply itself comes first.
            page::after_paint(move || {
                // Nothing any more if the match screen has gone meanwhile.
                if board.try_with_untracked(|board| board.ended) == Some(false) {
                    shown.try_set(Some((hint, plies)));
                }
            });
        }
    });
    move || {
        let (hint, _) = shown.get()?;
        // What has gone wrong comes first.
        store.note().with(Option::is_none).then(|| {
            view! {
                <p class="banner note once" role="status">
                    <span>{hint.1}</span>
                    <button
                        class="btn icon quiet"
                        type="button"
                        aria-label=text::note::DISMISS
                        on:click=move |_| {
                            shown.set(None);
                            request_animation_frame(|| page::focus_if_lost("own"));
                        }
                    >
                        <IconView icon=Icon::Close />
                    </button>
                </p>
            }
        })
    }
}

/// Whether somebody has a piece to drop. Reactive.
fn in_hand(store: TableStore, seat: Seat) -> bool {
    store.shown(seat.board()).with(|shown| {
        let hand = shown.position.hand(seat.color());
        !shown.ended && HAND.iter().any(|role| hand.count(*role) > 0)
    })
}

/// Whether somebody has a piece to drop that could be dropped now, or has to wait for the turn. Reactive.
fn can_drop(store: TableStore, seat: Seat) -> bool {
    in_hand(store, seat)
        && store.shown(seat.board()).with(|shown| {
            let is_drop = |ply: &Ply| matches!(ply, Ply::Drop { .. });
            shown.position.turn() != seat.color()
                || shown.position.legal_plies().iter().any(is_drop)
        })
}
