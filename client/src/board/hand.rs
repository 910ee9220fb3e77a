//! A hand: a strip of five fixed places, so that an arriving piece never moves another.

use leptos::prelude::*;
use tandem_core::{Color, Hand, Piece, Role, Seat, Status};

use super::control::Control;
use super::input::Place;
use super::model::{BoardModel, HAND};
use super::pictures::piece_view;
use crate::text::{self, Text};

/// The hand of one seat of a board.
#[component]
pub fn HandView(
    /// The board that the hand belongs to.
    model: BoardModel,
    /// Whose of the two hands it is.
    color: Color,
    /// The player's name, for the accessible name.
    #[prop(into)]
    name: Signal<String>,
    /// The reader's hands, if this is the reader's own hand.
    #[prop(optional_no_strip)]
    control: Option<Control>,
) -> impl IntoView {
    let hand = Memo::new(move |_| model.shown.with(|shown| shown.position.hand(color)));
    let wanted = Memo::new(move |_| {
        model.shown.with(|shown| {
            let position = &shown.position;
            let waits =
                !shown.ended && position.turn() == color && position.status() == Status::Waiting;
            if waits {
                wanted_bits(position.waiting_roles())
            } else {
                0
            }
        })
    });
    let seat = Seat::new(model.board, color).to_string();
    let label = move || {
        let pieces = hand.with(|hand| hand_words(*hand));
        match control {
            Some(_) => text::board::hand_mine(&pieces),
            None => text::board::hand_of(&name.get(), &pieces),
        }
    };
    let places = HAND.into_iter().enumerate().map(move |(index, role)| {
        let count = Memo::new(move |_| hand.with(|hand| hand.count(role)));
        // Always there: the style sheet hides it below two, and nothing is laid out for that.
        let many = move || view! { <b class="count">{count}</b> };
        let want = move || (wanted.get() >> index & 1 == 1).then_some("");
        let letter = role.letter().to_string();
        match control {
            Some(control) => {
                let place = Place::Hand(role);
                let held = Memo::new(move |_| {
                    control
                        .input
                        .with(|input| input.held().is_some_and(|held| held.place == place))
                });
                let label =
                    move || text::board::hand_place(&count.get().to_string(), role_name(role)());
                view! {
                    <button
                        type="button"
                        data-hand-piece=letter
                        data-count=count
                        data-wanted=want
                        aria-pressed=move || if held.get() { "true" } else { "false" }
                        aria-label=label
                        on:pointerdown=move |event| control.pointer_down(&event, Some(place))
                        on:pointermove=move |event| control.pointer_move(&event)
                        on:pointerup=move |event| control.pointer_up(&event)
                        on:pointercancel=move |event| control.pointer_cancel(&event)
                        on:click=move |event| {
                            // A click without a pointer comes from the keyboard or an assistive tool.
                            if event.detail() == 0 {
                                control.activate(place);
                            }
                        }
                    >
                        {piece_view(Piece { color, role })}
                        {many()}
                        <i class="key" aria-hidden="true">{index + 1}</i>
                    </button>
                }
                .into_any()
            }
            None => view! {
                <span data-hand-piece=letter data-count=count data-wanted=want>
                    {piece_view(Piece { color, role })}
                    {many()}
                </span>
            }
            .into_any(),
        }
    });
    view! {
        <div
            class="hand"
            data-hand=seat
            role=if control.is_some() { "group" } else { "img" }
            aria-label=label
            on:contextmenu=move |event| event.prevent_default()
        >
            {places.collect::<Vec<_>>()}
        </div>
    }
}

/// One bit for each role of [`HAND`].
fn wanted_bits(roles: impl IntoIterator<Item = Role>) -> u8 {
    let index = |role| HAND.iter().position(|it| *it == role);
    roles
        .into_iter()
        .filter_map(index)
        .fold(0, |bits, index| bits | 1 << index)
}

/// The pieces of a hand in words.
fn hand_words(hand: Hand) -> String {
    let counted = HAND
        .into_iter()
        .map(|role| (role, u32::from(hand.count(role))));
    let words: Vec<_> = counted
        .filter(|(_, count)| *count > 0)
        .map(|(role, count)| counted_name(role, count))
        .collect();
    if words.is_empty() {
        text::board::HAND_EMPTY().to_owned()
    } else {
        words.join(", ")
    }
}

fn counted_name(role: Role, count: u32) -> String {
    use text::piece as p;
    match role {
        Role::Pawn => p::count_pawn(count),
        Role::Knight => p::count_knight(count),
        Role::Bishop => p::count_bishop(count),
        Role::Rook => p::count_rook(count),
        Role::Queen => p::count_queen(count),
        // A king is never in a hand.
        Role::King => String::new(),
    }
}

/// The name of a kind of piece.
pub fn role_name(role: Role) -> Text {
    use text::piece as p;
    match role {
        Role::Pawn => p::PAWN,
        Role::Knight => p::KNIGHT,
        Role::Bishop => p::BISHOP,
        Role::Rook => p::ROOK,
        Role::Queen => p::QUEEN,
        Role::King => p::KING,
    }
}
