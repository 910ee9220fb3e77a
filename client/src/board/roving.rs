//! The keyboard's way over a board: one square can have the focus, arrows move it.

use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};
use tandem_core::{Color, Square};

use super::squares::place_of;

/// Which square of a board has, or will get, the keyboard's focus.
#[derive(Clone, Copy)]
pub struct Roving {
    /// The element of the board.
    pub grid: NodeRef<html::Div>,
    /// The square.
    pub square: RwSignal<Square>,
    bottom: Signal<Color>,
}

impl Roving {
    /// Begins at the near left corner.
    pub fn new(bottom: Signal<Color>) -> Self {
        let rank = bottom.get_untracked().home_rank();
        let file = if rank == 0 { 0 } else { 7 };
        let corner = Square::from_coords(file, rank).expect("a corner is on the board");
        Self {
            grid: NodeRef::new(),
            square: RwSignal::new(corner),
            bottom,
        }
    }

    /// Goes where an arrow key points. `None` if the key is none of these.
    pub fn follow(self, key: &str) -> Option<()> {
        let up = if self.bottom.get_untracked() == Color::White {
            1
        } else {
            -1
        };
        let (files, ranks) = match key {
            "ArrowUp" => (0, up),
            "ArrowDown" => (0, -up),
            "ArrowRight" => (up, 0),
            "ArrowLeft" => (-up, 0),
            _ => return None,
        };
        let from = self.square.get_untracked();
        let to = from
            .file()
            .checked_add_signed(files)
            .zip(from.rank().checked_add_signed(ranks))
            .and_then(|(file, rank)| Square::from_coords(file, rank));
        if let Some(to) = to {
            self.square.set(to);
            self.take_focus();
        }
        Some(())
    }

    /// Gives the keyboard's focus to the square that should have it.
    pub fn take_focus(self) {
        let element = element_of(self.grid, self.square.get_untracked());
        if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
            // An element of the page can always take the focus.
            let _ = element.focus();
        }
    }
}

/// The element of a square.
pub fn element_of(grid: NodeRef<html::Div>, square: Square) -> Option<Element> {
    let rows = grid.get_untracked()?.children();
    // By its place: to look through the board for a name costs more than to draw the square.
    let first = rows.item(0)?.first_element_child()?;
    let bottom = match first.get_attribute("data-square")?.as_str() {
        "a8" => Color::White,
        _ => Color::Black,
    };
    let (column, row) = place_of(square, bottom);
    rows.item(row.into())?.children().item(column.into())
}
