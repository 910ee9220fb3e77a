//! The choice of a promoted pawn's role, laid over the file on which it arrives.

use leptos::html;
use leptos::prelude::*;
use tandem_core::piece::{Color, Role};

use super::control::Control;
use super::view::piece_view;
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
    let first = NodeRef::<html::Button>::new();
    Effect::new(move || {
        if let (Some(_), Some(button)) = (choice.get(), first.get()) {
            // A button of the page can always take the focus.
            let _ = button.focus();
        }
    });
    move || {
        let choice = choice.get()?;
        let mine = control.model.mine.get()?;
        let bottom = control.model.bottom.get();
        let column = if bottom == Color::White {
            choice.to.file()
        } else {
            7 - choice.to.file()
        };
        let color = if mine == Color::White { "w" } else { "b" };
        let buttons = CHOICES
            .into_iter()
            .enumerate()
            .map(|(index, (role, letter, name))| {
                let button = view! {
                    <button
                        type="button"
                        data-promote=letter
                        aria-label=name
                        on:click=move |_| control.choose(role)
                    >
                        {piece_view(role)}
                    </button>
                };
                if index == 0 {
                    button.node_ref(first).into_any()
                } else {
                    button.into_any()
                }
            });
        Some(view! {
            <div
                class=format!("promote {color}")
                class:from-top=mine == bottom
                data-column=column.to_string()
                role="dialog"
                aria-label=text::board::CHOOSE_PROMOTION
                on:pointerdown=|event| event.stop_propagation()
                on:keydown=move |event| {
                    if event.key() == "Escape" {
                        event.stop_propagation();
                        control.put_down();
                    }
                }
            >
                {buttons.collect::<Vec<_>>()}
            </div>
        })
    }
}
