//! What moves by itself: a piece that slides to its square. One transform on one element, which the
//! style sheet animates; nothing is drawn again for it.

use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};
use tandem_core::{Color, Ply};

use super::control::Control;
use super::model::BoardModel;
use super::roving::element_of;

/// Starts an animation of the style sheet on an element, again if it has run before: `attribute`
/// changes between two values that name the same movement.
pub fn animate(element: &Element, attribute: &str, properties: &[(&str, String)]) {
    let Some(element) = element.dyn_ref::<HtmlElement>() else {
        return;
    };
    let style = HtmlElement::style(element);
    for (name, value) in properties {
        // Setting a property of one's own never fails.
        let _ = style.set_property(name, value);
    }
    let again = element.get_attribute(attribute).as_deref() == Some("a");
    let _ = element.set_attribute(attribute, if again { "b" } else { "a" });
}

/// Lets each piece slide to the square it moves to, unless the reader has dragged it there.
pub fn slide(model: BoardModel, grid: NodeRef<html::Div>, control: Option<Control>) {
    let before = StoredValue::new(None::<u16>);
    Effect::new(move || {
        let (plies, last) = model.shown.with(|shown| (shown.plies, shown.last));
        let was = before.get_value();
        if was == Some(plies) {
            return;
        }
        before.set_value(Some(plies));
        let dragged = control.is_some_and(Control::take_dragged);
        // One ply more: anything else is another match, or a page that has come back.
        let next = was.is_some_and(|was| plies == was + 1);
        let Some(Ply::Move { from, to, .. }) = last.filter(|_| next && !dragged) else {
            return;
        };
        let sign = match model.bottom.get_untracked() {
            Color::White => 1,
            Color::Black => -1,
        };
        let across = (i32::from(from.file()) - i32::from(to.file())) * sign;
        let down = (i32::from(to.rank()) - i32::from(from.rank())) * sign;
        if let Some(square) = element_of(grid, to) {
            let way = [
                ("--dx", format!("{}%", across * 100)),
                ("--dy", format!("{}%", down * 100)),
            ];
            animate(&square, "data-slide", &way);
        }
    });
}
