//! The men on a board: what stands on the squares, in a layer of its own above them.
//!
//! A man that moves stays the same element and only changes its place, so nothing of it is styled,
//! laid out or painted again; the style sheet lets it slide there.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};
use tandem_core::{Color, Piece, Square};

use super::pictures;

/// The mark of a promoted man, which lies on its picture.
const BADGE: &str = "<svg class=\"badge\"><use href=\"#promoted\"></use></svg>";

/// Who stands on a square.
#[derive(Clone, Copy, PartialEq, Eq)]
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
}

/// The men of one board, by squares.
pub struct Men {
    layer: Element,
    bottom: Color,
    on: [Option<(Man, HtmlElement)>; 64],
}

impl Men {
    /// No man yet, in an empty layer.
    pub fn new(layer: Element, bottom: Color) -> Self {
        Self {
            layer,
            bottom,
            on: [const { None }; 64],
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
                    flag(element, "data-lifted", man.lifted, new.lifted);
                    flag(element, "data-planned", man.planned, new.planned);
                    *man = new;
                }
                (_, new) => {
                    gone.extend(place.take());
                    come.extend(new.map(|new| (square, new)));
                }
            }
        }
        for (square, man) in come {
            let same = gone.iter().position(|(old, _)| old.is(&man));
            let element = match same.map(|index| gone.swap_remove(index)) {
                Some((old, element)) => {
                    flag(&element, "data-lifted", old.lifted, man.lifted);
                    flag(&element, "data-planned", old.planned, man.planned);
                    Some(element)
                }
                None => self.create(&man),
            };
            let Some(element) = element else { continue };
            self.place(&element, square, slides(square));
            self.on[square.index()] = Some((man, element));
        }
        for (_, element) in gone {
            element.remove();
        }
    }

    fn create(&self, man: &Man) -> Option<HtmlElement> {
        let element = document().create_element("i").ok()?;
        element.set_class_name(&pictures::class(Some(man.piece)));
        if man.promoted {
            element.set_inner_html(BADGE);
        }
        flag(&element, "data-lifted", false, man.lifted);
        flag(&element, "data-planned", false, man.planned);
        self.layer.append_child(&element).ok()?;
        element.dyn_into().ok()
    }

    fn place(&self, element: &HtmlElement, square: Square, slides: bool) {
        let (column, row) = match self.bottom {
            Color::White => (square.file(), 7 - square.rank()),
            Color::Black => (7 - square.file(), square.rank()),
        };
        let style = element.style();
        // Setting a property of one's own never fails.
        let _ = style.set_property("transition-duration", if slides { "" } else { "0s" });
        let _ = style.set_property("translate", &format!("{column}00% {row}00%"));
    }
}

/// Brings an attribute without a value up to date.
fn flag(element: &Element, name: &str, was: bool, is: bool) {
    if was != is {
        // Fails only for a name that is no name.
        let _ = element.toggle_attribute_with_force(name, is);
    }
}
