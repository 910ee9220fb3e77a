//! What lies on the squares of a board.
//!
//! A board has 64 squares with a dozen facts each, and a ply changes two of them. So the facts are
//! plain values: one effect works all of them out, compares them with what is drawn, and touches the
//! squares that differ. Nothing else watches a square.

use std::fmt::Write as _;

use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event};
use tandem_core::premove::Plan;
use tandem_core::{Color, Piece, Ply, Role, Square};

use super::control::Control;
use super::input::Place;
use super::men::{Man, Men};
use super::model::{BoardModel, Shown};
use super::pictures;
use super::roving::{Roving, element_of};
use super::view::piece_name;
use crate::text;

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
    /// The keyboard's way leads here.
    focusable: bool,
}

/// The bit of "selected" in [`Cell::marks`].
const SELECTED: u8 = 16;

/// A square on which nothing lies.
const EMPTY: Cell = Cell {
    piece: None,
    promoted: false,
    lifted: false,
    marks: 0,
    planned: Planned {
        order: 0,
        ghost: None,
    },
    focusable: false,
};

/// What a board looked like when it was last drawn.
struct Drawn {
    bottom: Color,
    /// A word of the reader's language, which the names of all squares depend on.
    word: &'static str,
    plies: u16,
    cells: [Cell; 64],
}

/// Draws the squares and the men into the board's element, and whatever changes of them.
pub fn draw(
    model: BoardModel,
    grid: NodeRef<html::Div>,
    control: Option<Control>,
    roving: Option<Roving>,
) {
    Effect::new(move |before: Option<Option<(Drawn, Men)>>| {
        let board = grid.get()?;
        let (cells, plies, last) = model.shown.with(|shown| {
            let last = shown.last.map(|ply| ply.to());
            (cells(shown, control, roving), shown.plies, last)
        });
        let now = Drawn {
            bottom: model.bottom.get(),
            word: text::piece::KING(),
            plies,
            cells,
        };
        let color = model.mine.get().unwrap_or(Color::White);
        let before = before
            .flatten()
            .filter(|(before, _)| before.bottom == now.bottom && board.has_child_nodes());
        let Some((before, mut men)) = before else {
            let focused = document()
                .active_element()
                .is_some_and(|active| board.contains(Some(&active)));
            board.set_inner_html(&whole(&now, color));
            if let Some(roving) = roving.filter(|_| focused) {
                roving.take_focus();
            }
            let mut men = Men::new(board.last_element_child()?, now.bottom);
            men.update(|square| now.man(square), |_| false);
            for square in Square::all() {
                men.number(square, now.cells[square.index()].planned.order);
            }
            return Some((now, men));
        };
        let renamed = before.word != now.word;
        for square in Square::all() {
            let (old, new) = (&before.cells[square.index()], &now.cells[square.index()]);
            if (old != new || renamed)
                && let Some(element) = element_of(grid, square)
            {
                patch(&element, square, old, new, color, renamed);
                if old.planned.order != new.planned.order {
                    men.number(square, new.planned.order);
                }
            }
        }
        // One ply more: anything else is another match, or a page that has come back. What the finger
        // has brought is there already; the rook of a king so brought comes by itself.
        let next = now.plies == before.plies + 1;
        let brought = now.plies != before.plies && control.is_some_and(Control::take_dragged);
        men.update(
            |square| now.man(square),
            |square| next && !(brought && last == Some(square)),
        );
        Some((now, men))
    });
}

impl Drawn {
    /// Who stands on a square.
    fn man(&self, square: Square) -> Option<Man> {
        let cell = &self.cells[square.index()];
        Some(Man {
            piece: cell.piece?,
            promoted: cell.promoted,
            lifted: cell.lifted,
            planned: cell.planned.ghost.is_some(),
        })
    }
}

/// The column and the row in which the reader sees a square, from the upper left corner.
pub fn place_of(square: Square, bottom: Color) -> (u8, u8) {
    match bottom {
        Color::White => (square.file(), 7 - square.rank()),
        Color::Black => (7 - square.file(), square.rank()),
    }
}

/// The square in a column and a row as the reader sees them, from the upper left corner.
pub fn square_in(column: u8, row: u8, bottom: Color) -> Option<Square> {
    match bottom {
        Color::White => Square::from_coords(column, 7 - row),
        Color::Black => Square::from_coords(7 - column, row),
    }
}

/// The square that something happened on.
pub fn square_of(event: &Event) -> Option<Square> {
    let element = event.target()?.dyn_into::<Element>().ok()?;
    let square = element.closest("[data-square]").ok()??;
    square.get_attribute("data-square")?.parse().ok()
}

/// The whole board, row by row as the reader sees it.
fn whole(drawn: &Drawn, color: Color) -> String {
    let mut html = String::with_capacity(16_384);
    for row in 0..8 {
        html.push_str("<div role=\"row\">");
        for column in 0..8 {
            let Some(square) = square_in(column, row, drawn.bottom) else {
                continue;
            };
            let cell = &drawn.cells[square.index()];
            html.push_str("<div role=\"gridcell\"");
            if !square.is_light() {
                html.push_str(" class=\"on-dark\"");
            }
            // Writing to a string cannot fail.
            let _ = write!(html, " data-square=\"{square}\"");
            for (name, value) in attributes(square, cell) {
                if let Some(value) = value {
                    let _ = write!(html, " {name}=\"{}\"", value.replace('"', "&quot;"));
                }
            }
            html.push('>');
            let name = square.to_string();
            if column == 0 {
                let _ = write!(html, "<i class=\"co rank\" data-c=\"{}\"></i>", &name[1..]);
            }
            if row == 7 {
                let _ = write!(html, "<i class=\"co file\" data-c=\"{}\"></i>", &name[..1]);
            }
            ghost(&mut html, cell, color);
            html.push_str("</div>");
        }
        html.push_str("</div>");
    }
    html.push_str("<div class=\"men\" aria-hidden=\"true\"></div>");
    html
}

/// Brings one square up to date; `renamed` if the names of pieces have changed.
fn patch(element: &Element, square: Square, old: &Cell, new: &Cell, color: Color, renamed: bool) {
    let was = attributes(square, old);
    let changed = attributes(square, new)
        .into_iter()
        .zip(was)
        .filter(|(new, old)| renamed || new != old);
    for ((name, value), _) in changed {
        // Both fail only for a name that is no name.
        let _ = match value {
            Some(value) => element.set_attribute(name, &value),
            None => element.remove_attribute(name),
        };
    }
    if old.planned.ghost != new.planned.ghost {
        if let Some(old) = element.get_elements_by_class_name("ghost").item(0) {
            old.remove();
        }
        let mut html = String::new();
        ghost(&mut html, new, color);
        // Fails only for a place that is no place.
        let _ = element.insert_adjacent_html("beforeend", &html);
    }
}

/// The attributes of a square that change.
fn attributes(square: Square, cell: &Cell) -> [(&'static str, Option<String>); 6] {
    [
        (
            "data-piece",
            cell.piece.map(|piece| piece.code().to_string()),
        ),
        ("data-promoted", cell.promoted.then(String::new)),
        ("data-mark", mark_words(cell.marks)),
        ("aria-label", Some(square_name(square, *cell))),
        (
            "aria-selected",
            (cell.marks & SELECTED != 0).then(|| "true".to_owned()),
        ),
        (
            "tabindex",
            Some(if cell.focusable { "0" } else { "-1" }.to_owned()),
        ),
    ]
}

/// The ghost of a premove.
fn ghost(html: &mut String, cell: &Cell, color: Color) {
    if let Some(role) = cell.planned.ghost {
        let class = pictures::class(Some(Piece { color, role }));
        // Writing to a string cannot fail.
        let _ = write!(
            html,
            "<span class=\"ghost\"><i class=\"{class}\"></i></span>"
        );
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
fn planned(control: Option<Control>) -> [Planned; 64] {
    let mut planned = [Planned::default(); 64];
    let Some(model) = control.map(|control| control.model) else {
        return planned;
    };
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

/// What all squares show. Reactive.
fn cells(shown: &Shown, control: Option<Control>, roving: Option<Roving>) -> [Cell; 64] {
    let marks = marks(shown, control);
    let planned = planned(control);
    let here = roving.map(|roving| roving.square.get());
    let mut cells = [EMPTY; 64];
    for square in Square::all() {
        let bit = bit(square);
        let has = |board: u64, value: u8| if board & bit != 0 { value } else { 0 };
        cells[square.index()] = Cell {
            piece: shown.position.piece_at(square),
            promoted: shown.position.is_promoted(square),
            lifted: marks.lifted & bit != 0,
            marks: has(marks.last, 1)
                | has(marks.target, 2)
                | has(marks.check, 4)
                | has(marks.premove, 8)
                | has(marks.selected, SELECTED),
            planned: planned[square.index()],
            focusable: here == Some(square),
        };
    }
    cells
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
