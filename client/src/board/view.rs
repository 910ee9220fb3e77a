//! Draws a board. Each square watches its own few facts, so a ply redraws the squares it changed.

use leptos::prelude::*;
use tandem_core::premove::Plan;
use tandem_core::{Color, Piece, Ply, Role, Square, Status};

use super::control::Control;
use super::input::Place;
use super::model::{BoardModel, Shown};
use super::motion::slide;
use super::promotion::PromotionView;
use super::roving::Roving;
use crate::text;
use crate::ui::icon::{Icon, IconView};

/// The marks of all squares of a board, one bit a square.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Marks {
    last: u64,
    target: u64,
    check: u64,
    selected: u64,
    premove: u64,
    lifted: u64,
}

/// The words of `data-mark`, in the order of the bits of [`Cell::marks`].
const MARKS: [&str; 5] = ["last", "target", "check", "premove", "selected"];

/// What the premoves say of a square.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Planned {
    /// The number of the last premove that ends here; 0 if none does.
    order: u8,
    /// The piece that will stand here, if it does not stand here already.
    ghost: Option<Role>,
}

/// What one square shows.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell {
    piece: Option<Piece>,
    promoted: bool,
    lifted: bool,
    /// One bit for each of [`MARKS`].
    marks: u8,
    planned: Planned,
}

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
    if !still {
        slide(model, grid, control);
    }
    let shown = model.shown;
    let marks = Memo::new(move |_| shown.with(|shown| marks(shown, control)));
    let planned = control.map(|control| Memo::new(move |_| planned(control)));
    let turn = Memo::new(move |_| shown.with(|shown| shown.position.turn()));
    let status = Memo::new(move |_| shown.with(status_word));
    let side = move || {
        let at_bottom = turn.get() == model.bottom.get();
        model
            .running
            .get()
            .then_some(if at_bottom { "bottom" } else { "top" })
    };
    let rows = move || {
        let bottom = model.bottom.get();
        (0..8)
            .map(|row| {
                let squares = (0..8).filter_map(|column| {
                    let square = match bottom {
                        Color::White => Square::from_coords(column, 7 - row),
                        Color::Black => Square::from_coords(7 - column, row),
                    }?;
                    let edges = (column == 0, row == 7);
                    Some(square_view(
                        square,
                        edges,
                        shown,
                        (marks, planned),
                        control,
                        roving,
                    ))
                });
                view! { <div role="row">{squares.collect::<Vec<_>>()}</div> }
            })
            .collect::<Vec<_>>()
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
            >
                {rows}
            </div>
            {waiting}
            {hint}
            {control.map(|control| view! { <PromotionView control=control /> })}
            {control.map(|control| view! { <DraggedView control=control /> })}
        </div>
    }
}

/// One square.
fn square_view(
    square: Square,
    (left, bottom): (bool, bool),
    shown: Signal<Shown>,
    (marks, planned): (Memo<Marks>, Option<Memo<[Planned; 64]>>),
    control: Option<Control>,
    roving: Option<Roving>,
) -> impl IntoView {
    let cell = Memo::new(move |_| cell(square, shown, marks, planned));
    let mine = move || control.and_then(|control| control.model.mine.get());
    let plan = move || {
        let planned = cell.get().planned;
        let ghost = planned
            .ghost
            .zip(mine())
            .map(|(role, color)| ghost_view(Piece { color, role }));
        let order =
            (planned.order > 0).then(|| view! { <i class="order" data-n=planned.order></i> });
        (ghost, order)
    };
    let focusable = move || {
        let here = roving.is_some_and(|roving| roving.square.get() == square);
        if here { "0" } else { "-1" }
    };
    let name = square.to_string();
    let rank = left.then(|| view! { <i class="co rank" data-c=name[1..].to_owned()></i> });
    let file = bottom.then(|| view! { <i class="co file" data-c=name[..1].to_owned()></i> });
    view! {
        <div
            role="gridcell"
            class:on-dark=!square.is_light()
            data-square=name
            data-piece=move || cell.get().piece.map(Piece::code)
            data-promoted=move || cell.get().promoted.then_some("")
            data-lifted=move || cell.get().lifted.then_some("")
            data-planned=move || cell.get().planned.ghost.map(|_| "")
            data-mark=move || mark_words(cell.get().marks)
            aria-label=move || square_name(square, cell.get())
            aria-selected=move || (cell.get().marks & 16 != 0).then_some("true")
            tabindex=focusable
            on:focus=move |_| {
                if let Some(roving) = roving {
                    roving.square.set(square);
                }
            }
            on:click=move |event| {
                // A click without a pointer comes from an assistive tool.
                if let Some(control) = control.filter(|_| event.detail() == 0) {
                    control.activate(Place::Square(square));
                }
            }
        >
            {rank}
            {file}
            {move || cell.get().piece.map(|piece| piece_view(piece.role))}
            {move || cell.get().promoted.then(badge_view)}
            {planned.map(|_| plan)}
        </div>
    }
}

/// The drawing of a piece; what it lies on says its colour.
pub fn piece_view(role: Role) -> impl IntoView {
    let href = match role {
        Role::Pawn => "#P",
        Role::Knight => "#N",
        Role::Bishop => "#B",
        Role::Rook => "#R",
        Role::Queen => "#Q",
        Role::King => "#K",
    };
    view! {
        <svg class="pc" aria-hidden="true">
            <use href=href></use>
        </svg>
    }
}

/// A piece that will stand there once the premoves are played.
fn ghost_view(piece: Piece) -> impl IntoView {
    let color = if piece.color == Color::White {
        "ghost w"
    } else {
        "ghost b"
    };
    view! { <span class=color>{piece_view(piece.role)}</span> }
}

/// The mark of a promoted piece.
fn badge_view() -> impl IntoView {
    view! {
        <svg class="pc badge" aria-hidden="true">
            <use href="#promoted"></use>
        </svg>
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
            hidden=move || piece.get().is_none()
        >
            {move || piece.get().map(|piece| piece_view(piece.role))}
        </div>
    }
}

/// The marks of a board. Reactive on what the reader holds.
fn marks(shown: &Shown, control: Option<Control>) -> Marks {
    let mut marks = Marks::default();
    match shown.last {
        Some(Ply::Move { from, to, .. }) => marks.last = bit(from) | bit(to),
        Some(Ply::Drop { to, .. }) => marks.last = bit(to),
        None => {}
    }
    let turn = shown.position.turn();
    if shown.position.is_check() {
        marks.check = shown.position.king(turn).map_or(0, bit);
    }
    if let Some(control) = control {
        let input = control.input.get();
        if let Some(held) = input.held() {
            marks.target = control.model.targets(held).0;
            if let Place::Square(square) = held.place {
                marks.selected = bit(square);
            }
        }
        if let Some(choice) = input.choice() {
            marks.selected = bit(choice.from) | bit(choice.to);
            marks.target = 0;
        }
        if let Some(Place::Square(square)) = input.dragged().map(|held| held.place) {
            marks.lifted = bit(square);
        }
        marks.premove = control.model.premoves.with(|premoves| {
            let squares = premoves
                .iter()
                .map(|ply| bit(ply.to()) | ply.from().map_or(0, bit));
            squares.fold(0, |all, one| all | one)
        });
    }
    marks
}

/// What the premoves say of each square. Reactive.
fn planned(control: Control) -> [Planned; 64] {
    let mut planned = [Planned::default(); 64];
    let model = control.model;
    let premoves = model.premoves.get();
    let Some(mine) = model.mine.get().filter(|_| !premoves.is_empty()) else {
        return planned;
    };
    model.shown.with(|shown| {
        let plan = Plan::new(&shown.position, mine, &premoves);
        for (number, ply) in (1..).zip(&premoves) {
            planned[ply.to().index()].order = number;
        }
        for square in premoves.iter().map(|ply| ply.to()) {
            let stands = shown.position.piece_at(square);
            planned[square.index()].ghost = plan.role_at(square).filter(|role| {
                stands
                    != Some(Piece {
                        color: mine,
                        role: *role,
                    })
            });
        }
    });
    planned
}

/// What one square shows. Reactive.
fn cell(
    square: Square,
    shown: Signal<Shown>,
    marks: Memo<Marks>,
    planned: Option<Memo<[Planned; 64]>>,
) -> Cell {
    let (piece, promoted) = shown.with(|shown| {
        (
            shown.position.piece_at(square),
            shown.position.is_promoted(square),
        )
    });
    let bit = bit(square);
    let planned = planned.map_or_else(Planned::default, |planned| {
        planned.with(|planned| planned[square.index()])
    });
    marks.with(|marks| {
        let has = |board: u64, value: u8| if board & bit != 0 { value } else { 0 };
        Cell {
            piece,
            promoted,
            lifted: marks.lifted & bit != 0,
            marks: has(marks.last, 1)
                | has(marks.target, 2)
                | has(marks.check, 4)
                | has(marks.premove, 8)
                | has(marks.selected, 16),
            planned,
        }
    })
}

/// The value of `data-mark`.
fn mark_words(marks: u8) -> Option<String> {
    if marks == 0 {
        return None;
    }
    let given = MARKS.into_iter().enumerate();
    let given = given.filter(|(index, _)| marks >> index & 1 == 1);
    let words: Vec<_> = given.map(|(_, word)| word).collect();
    Some(words.join(" "))
}

fn bit(square: Square) -> u64 {
    1 << square.index()
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

/// The spoken name of a square.
fn square_name(square: Square, cell: Cell) -> String {
    let square = square.to_string();
    let name = match cell.piece {
        None => square,
        Some(piece) if cell.promoted => text::board::square_promoted(piece_name(piece), &square),
        Some(piece) => text::board::square_piece(piece_name(piece), &square),
    };
    match cell.planned.order {
        0 => name,
        order => text::board::square_premove(&order.to_string(), &name),
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
