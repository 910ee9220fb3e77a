//! What moves by itself: a piece that slides to its square. One transform on one element, which the
//! style sheet animates; nothing is drawn again for it.

use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};
use tandem_core::{Color, Ply, Position, Role, Square};

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
        let Some(Ply::Move { from, to, .. }) = last.filter(|_| next) else {
            return;
        };
        let bottom = model.bottom.get_untracked();
        if !dragged {
            glide(grid, bottom, from, to);
        }
        // The king may have come by the finger; the rook comes by itself.
        let rook = model
            .shown
            .with_untracked(|shown| rook_way(&shown.position, from, to));
        if let Some((from, to)) = rook {
            glide(grid, bottom, from, to);
        }
    });
}

/// Lets the piece on `to` come from another square.
fn glide(grid: NodeRef<html::Div>, bottom: Color, from: Square, to: Square) {
    let sign = match bottom {
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
}

/// The way of the rook, if a king has just castled from one square to the other.
fn rook_way(position: &Position, from: Square, to: Square) -> Option<(Square, Square)> {
    let king = position.piece_at(to)?.role == Role::King;
    let (home, new) = match i32::from(to.file()) - i32::from(from.file()) {
        2 if king => (7, 5),
        -2 if king => (0, 3),
        _ => return None,
    };
    Some((
        Square::from_coords(home, to.rank())?,
        Square::from_coords(new, to.rank())?,
    ))
}

#[cfg(test)]
mod tests {
    use tandem_core::Rules;

    use super::*;

    fn squares(words: [&str; 2]) -> (Square, Square) {
        let [from, to] = words.map(|word| word.parse().expect("a square"));
        (from, to)
    }

    #[test]
    fn a_rook_goes_with_a_king_that_castles_and_with_no_other() {
        let mut position = Position::start(Rules::default());
        for ply in ["g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7", "e1g1"] {
            position
                .play(ply.parse().expect("a ply"))
                .expect("that is legal");
        }
        let way = |words| {
            let (from, to) = squares(words);
            rook_way(&position, from, to)
        };
        assert_eq!(way(["e1", "g1"]), Some(squares(["h1", "f1"])));
        assert_eq!(way(["h6", "f6"]), None);
        assert_eq!(way(["e8", "e8"]), None);
    }
}
