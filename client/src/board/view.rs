//! Draws a board in its frame; what lies on the squares is drawn by [`super::squares`].

use leptos::prelude::*;
use tandem_core::{Color, Piece, Role, Square, Status};

use super::arrow::arrow_view;
use super::control::Control;
use super::input::Place;
use super::model::{BoardModel, Shown};
use super::pictures;
use super::promotion::PromotionView;
use super::roving::Roving;
use super::squares::{draw, square_of};
use crate::text;
use crate::ui::icon::{Icon, IconView};

/// A board in its frame: squares, coordinates, marks, and the label of a player who waits.
#[component]
pub fn BoardView(
    /// What the board shows.
    model: BoardModel,
    /// The reader's hands, where the reader plays.
    #[prop(optional_no_strip)]
    control: Option<Control>,
    /// A picture only: the keyboard passes it by.
    #[prop(optional)]
    still: bool,
) -> impl IntoView {
    let roving = control.map_or_else(|| Roving::new(model.bottom), |control| control.roving);
    let grid = roving.grid;
    let roving = (!still).then_some(roving);
    draw(model, grid, control, roving);
    let on_square = move |event: &web_sys::Event, act: &dyn Fn(Square)| {
        if let Some(square) = square_of(event) {
            act(square);
        }
    };
    let shown = model.shown;
    let turn = Memo::new(move |_| shown.with(|shown| shown.position.turn()));
    let status = Memo::new(move |_| shown.with(status_word));
    let side = move || {
        let at_bottom = turn.get() == model.bottom.get();
        model
            .running
            .get()
            .then_some(if at_bottom { "bottom" } else { "top" })
    };
    let hint = move || {
        let words = model.hint.get()?;
        Some(view! { <p class="seam hint" aria-hidden="true">{words}</p> })
    };
    let drops = move || {
        let input = control?.input.get();
        matches!(input.held()?.place, Place::Hand(_)).then_some("")
    };
    let waiting = move || {
        model
            .waiting
            .get()
            .filter(|_| model.hint.with(Option::is_none))
            .map(|words| {
                view! {
                    <p class="seam" role="status">
                        <IconView icon=Icon::Hourglass />
                        <span class="long">{words}</span>
                        <span class="short">{text::board::WAITING_SHORT}</span>
                    </p>
                }
            })
    };
    view! {
        <div
            class="frame"
            data-turn=side
            data-waiting=move || model.waiting.with(Option::is_some).then_some("")
            data-input=control.map(|_| "")
            data-drop=drops
        >
            <div
                class="board"
                role="grid"
                node_ref=grid
                data-board=model.board.letter().to_string()
                data-status=status
                data-ply=move || shown.with(|shown| shown.plies)
                aria-label=model.name
                on:pointerdown=move |event| {
                    if let Some(control) = control {
                        let place = control.square_at(f64::from(event.client_x()), f64::from(event.client_y()));
                        control.pointer_down(&event, place.map(Place::Square));
                    }
                }
                on:pointermove=move |event| {
                    if let Some(control) = control {
                        control.pointer_move(&event);
                    }
                }
                on:pointerup=move |event| {
                    if let Some(control) = control {
                        control.pointer_up(&event);
                    }
                }
                on:pointercancel=move |event| {
                    if let Some(control) = control {
                        control.pointer_cancel(&event);
                    }
                }
                on:contextmenu=move |event| event.prevent_default()
                on:keydown=move |event| {
                    let taken = match (control, roving) {
                        (Some(control), _) => control.key_down(&event),
                        (None, Some(roving)) => roving.follow(&event.key()).is_some(),
                        (None, None) => false,
                    };
                    if taken {
                        event.prevent_default();
                    }
                }
                on:focusin=move |event| on_square(&event, &|square| {
                    if let Some(roving) = roving {
                        roving.square.set(square);
                    }
                })
                on:click=move |event| {
                    // A click without a pointer comes from an assistive tool.
                    if let Some(control) = control.filter(|_| event.detail() == 0) {
                        on_square(&event, &|square| control.activate(Place::Square(square)));
                    }
                }
            ></div>
            <div class="over">
                {waiting}
                {hint}
                {arrow_view(model.board, model.bottom)}
                {control.map(|control| view! { <PromotionView control=control /> })}
            </div>
            {control.map(|control| view! { <DraggedView control=control /> })}
        </div>
    }
}

/// The piece that hangs on the finger. [`Control`] moves it.
#[component]
fn DraggedView(control: Control) -> impl IntoView {
    let piece = Memo::new(move |_| {
        let held = control.input.with(|input| input.dragged())?;
        let color = control.model.mine.get()?;
        let role = held.lift.role;
        Some(Piece { color, role })
    });
    view! {
        <div
            class="dragged"
            aria-hidden="true"
            node_ref=control.dragged
            data-piece=move || piece.get().map(Piece::code)
        >
            <i class=move || pictures::class(piece.get())></i>
        </div>
    }
}

/// The word of `data-status` for the side to move.
fn status_word(shown: &Shown) -> &'static str {
    if shown.ended {
        return "ended";
    }
    match shown.position.status() {
        Status::Move => "move",
        Status::Check => "check",
        Status::Waiting => "waiting",
        // The relay's word that the match has ended follows at once.
        Status::Checkmate => "ended",
    }
}

/// The name of a piece with its colour.
pub fn piece_name(piece: Piece) -> &'static str {
    use text::piece as p;
    match (piece.color, piece.role) {
        (Color::White, Role::Pawn) => p::WHITE_PAWN(),
        (Color::White, Role::Knight) => p::WHITE_KNIGHT(),
        (Color::White, Role::Bishop) => p::WHITE_BISHOP(),
        (Color::White, Role::Rook) => p::WHITE_ROOK(),
        (Color::White, Role::Queen) => p::WHITE_QUEEN(),
        (Color::White, Role::King) => p::WHITE_KING(),
        (Color::Black, Role::Pawn) => p::BLACK_PAWN(),
        (Color::Black, Role::Knight) => p::BLACK_KNIGHT(),
        (Color::Black, Role::Bishop) => p::BLACK_BISHOP(),
        (Color::Black, Role::Rook) => p::BLACK_ROOK(),
        (Color::Black, Role::Queen) => p::BLACK_QUEEN(),
        (Color::Black, Role::King) => p::BLACK_KING(),
    }
}
