//! The choice of a promoted pawn's role, laid over the file on which it arrives.

use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;
use tandem_core::{Piece, Role};

use super::control::Control;
use super::pictures::piece_view;
use super::squares::place_of;
use crate::text::{self, Text};

/// The choices, the usual one first: nearest to the square on which the pawn arrives.
const CHOICES: [(Role, &str, Text); 4] = [
    (Role::Queen, "Q", text::piece::QUEEN),
    (Role::Knight, "N", text::piece::KNIGHT),
    (Role::Rook, "R", text::piece::ROOK),
    (Role::Bishop, "B", text::piece::BISHOP),
];

/// The four choices, while a pawn waits for one.
#[component]
pub fn PromotionView(control: Control) -> impl IntoView {
    let choice = Memo::new(move |_| control.input.with(|input| input.choice()));
    let dialog = NodeRef::<html::Div>::new();
    Effect::new(move || {
        let queen = dialog
            .get()
            .and_then(|dialog| dialog.query_selector("button").ok().flatten());
        if let Some(queen) = queen.and_then(|queen| queen.dyn_into::<HtmlElement>().ok()) {
            // A button of the page can always take the focus.
            let _ = queen.focus();
        }
    });
    move || {
        let choice = choice.get()?;
        let mine = control.model.mine.get()?;
        let bottom = control.model.bottom.get();
        let (column, _) = place_of(choice.to, bottom);
        // The contact that brought the pawn here may end over the queen, and is no choice of it.
        let pressed = StoredValue::new(false);
        let buttons = CHOICES.map(|(role, letter, name)| {
            view! {
                <button
                    type="button"
                    data-promote=letter
                    aria-label=name
                    on:click=move |event| {
                        if event.detail() == 0 || pressed.get_value() {
                            control.choose(role);
                            control.roving.take_focus();
                        }
                    }
                >
                    {piece_view(Piece { color: mine, role })}
                </button>
            }
        });
        Some(view! {
            <div
                node_ref=dialog
                class="promote"
                class:from-top=mine == bottom
                data-column=column.to_string()
                role="dialog"
                aria-label=text::board::CHOOSE_PROMOTION
                on:pointerdown=move |event| {
                    event.stop_propagation();
                    pressed.set_value(true);
                }
                on:keydown=move |event| {
                    if event.key() == "Escape" {
                        event.stop_propagation();
                        control.put_down();
                        control.roving.take_focus();
                    }
                }
            >
                {buttons.into_iter().collect::<Vec<_>>()}
            </div>
        })
    }
}
