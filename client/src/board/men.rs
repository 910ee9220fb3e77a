//! The men on a board, and the numbers of premoves: what stands on the squares, in a layer of its own
//! above them.
//!
//! A man that moves stays the same element and only changes its place, so nothing of it is styled,
//! laid out or painted again; the style sheet lets it slide there.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};
use tandem_core::{Color, Piece, Role, Square};

use super::pictures;
use super::squares::place_of;

/// The mark of a promoted man, which lies on its picture.
const BADGE: &str = "<svg class=\"badge\"><use href=\"#promoted\"></use></svg>";

/// Who stands on a square.
#[derive(Clone, Copy)]
pub struct Man {
    pub piece: Piece,
    pub promoted: bool,
    /// Hangs on the finger, so that only a trace is left here.
    pub lifted: bool,
    /// Will have given its place when the premoves are played.
    pub planned: bool,
}

impl Man {
    /// Whether this is the same element in another place.
    fn is(&self, other: &Man) -> bool {
        (self.piece, self.promoted) == (other.piece, other.promoted)
    }

    /// Whether this is the pawn that has become the other man.
    fn becomes(&self, other: &Man) -> bool {
        let pawn = Piece {
            role: Role::Pawn,
            color: other.piece.color,
        };
        other.promoted && !self.promoted && self.piece == pawn
    }

    /// Makes an element show this man, where it has shown another, or none.
    fn show(&self, element: &Element, old: Option<&Man>) {
        if !old.is_some_and(|old| old.is(self)) {
            element.set_class_name(&pictures::class(Some(self.piece)));
            element.set_inner_html(if self.promoted { BADGE } else { "" });
        }
        let flags = |man: &Man| [man.lifted, man.planned];
        let was = old.map(flags).unwrap_or_default();
        for ((name, was), is) in ["data-lifted", "data-planned"]
            .into_iter()
            .zip(was)
            .zip(flags(self))
        {
            if was != is {
                // Fails only for a name that is no name.
                let _ = element.toggle_attribute_with_force(name, is);
            }
        }
    }
}

/// The men of one board, by squares.
pub struct Men {
    layer: Element,
    bottom: Color,
    on: [Option<(Man, HtmlElement)>; 64],
    numbers: [Option<HtmlElement>; 64],
    /// Who moved last lies above the others, so as to pass over them.
    top: Option<HtmlElement>,
}

impl Men {
    /// No man yet, in an empty layer.
    pub fn new(layer: Element, bottom: Color) -> Self {
        Self {
            layer,
            bottom,
            on: [const { None }; 64],
            numbers: [const { None }; 64],
            top: None,
        }
    }

    /// Brings the layer up to date. A man that comes to a square for which `slides` holds slides there.
    pub fn update(&mut self, now: impl Fn(Square) -> Option<Man>, slides: impl Fn(Square) -> bool) {
        let mut gone = Vec::new();
        let mut come = Vec::new();
        for square in Square::all() {
            let place = &mut self.on[square.index()];
            match (place.as_mut(), now(square)) {
                (None, None) => {}
                (Some((man, element)), Some(new)) if man.is(&new) => {
                    new.show(element, Some(man));
                    *man = new;
                }
                (_, new) => {
                    gone.extend(place.take());
                    come.extend(new.map(|new| (square, new)));
                }
            }
        }
        for (square, man) in come {
            let slides = slides(square);
            let same = gone.iter().position(|(old, _)| old.is(&man));
            let same = same.or_else(|| {
                let pawn = |(old, _): &(Man, _)| slides && old.becomes(&man);
                gone.iter().position(pawn)
            });
            let (old, element) = match same.map(|index| gone.swap_remove(index)) {
                Some((old, element)) => (Some(old), Some(element)),
                None => (None, self.create()),
            };
            let Some(element) = element else { continue };
            man.show(&element, old.as_ref());
            self.place(&element, square, slides);
            self.on[square.index()] = Some((man, element));
        }
        for (_, element) in gone {
            element.remove();
        }
    }

    /// A new element of the layer.
    fn create(&self) -> Option<HtmlElement> {
        let element = document().create_element("i").ok()?;
        self.layer.append_child(&element).ok()?;
        element.dyn_into().ok()
    }

    fn place(&mut self, element: &HtmlElement, square: Square, slides: bool) {
        // Setting a property of one's own never fails.
        let _ = HtmlElement::style(element)
            .set_property("transition-duration", if slides { "" } else { "0s" });
        self.put(element, square);
        if slides {
            let _ = HtmlElement::style(element).set_property("z-index", "1");
            let before = self.top.replace(element.clone());
            if let Some(before) = before.filter(|before| before != element) {
                let _ = HtmlElement::style(&before).set_property("z-index", "");
            }
        }
    }

    /// Shows the number of a premove on a square; none if it is 0.
    pub fn number(&mut self, square: Square, order: u8) {
        if let Some(old) = self.numbers[square.index()].take() {
            old.remove();
        }
        if order > 0
            && let Some(element) = self.create()
        {
            element.set_class_name("order");
            // Fails only for a name that is no name.
            let _ = element.set_attribute("data-n", &order.to_string());
            self.put(&element, square);
            self.numbers[square.index()] = Some(element);
        }
    }

    /// Puts an element on a square.
    fn put(&self, element: &HtmlElement, square: Square) {
        let (column, row) = place_of(square, self.bottom);
        let _ =
            HtmlElement::style(element).set_property("translate", &format!("{column}00% {row}00%"));
    }
}
