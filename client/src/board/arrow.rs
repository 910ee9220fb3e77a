//! A move that one partner proposes to the other, drawn over the squares.

use leptos::prelude::*;
use tandem_core::{BoardId, Color, Square};

use super::squares::place_of;
use crate::store::Talk;

/// A square's width in the drawing's units. Whole numbers: to write fractions takes kilobytes of program.
const SQUARE: i32 = 100;
/// How far the tip stays from the middle of its square.
const SHORT: f64 = 22.0;
/// How long and twice as half-wide the head is.
const HEAD: f64 = 42.0;

/// Draws the move that is proposed on a board; nothing where nobody talks.
pub fn arrow_view(board: BoardId, bottom: Signal<Color>) -> impl IntoView {
    let talk = use_context::<Talk>();
    let paths = move || {
        let (from, to) = talk?.arrow(board)?;
        let bottom = bottom.get();
        Some(path(
            from.map(|from| middle(from, bottom)),
            middle(to, bottom),
        ))
    };
    move || {
        paths().map(|(line, head)| {
            view! {
                <svg class="arrow" viewBox="0 0 800 800" aria-hidden="true">
                    <path d=line></path>
                    <path class="head" d=head></path>
                </svg>
            }
        })
    }
}

/// The middle of a square, from the upper left corner.
fn middle(square: Square, bottom: Color) -> (i32, i32) {
    let (column, row) = place_of(square, bottom);
    let middle = |index: u8| i32::from(index) * SQUARE + SQUARE / 2;
    (middle(column), middle(row))
}

/// The shaft and the head of an arrow; a ring for a drop.
fn path(from: Option<(i32, i32)>, (x, y): (i32, i32)) -> (String, String) {
    let Some((from_x, from_y)) = from else {
        let ring = format!("M{} {y}a40 40 0 1 0 80 0a40 40 0 1 0 -80 0", x - 40);
        return (ring, String::new());
    };
    let (dx, dy) = (f64::from(x - from_x), f64::from(y - from_y));
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // What lies on the board is far below the range of a number.
    let at = |back: f64, aside: f64| {
        let along =
            |end: i32, u: f64, v: f64| (f64::from(end) - u * back + v * aside).round() as i32;
        (along(x, ux, -uy), along(y, uy, ux))
    };
    let (tip, neck) = (at(SHORT, 0.0), at(SHORT + HEAD, 0.0));
    let (left, right) = (at(SHORT + HEAD, HEAD / 2.0), at(SHORT + HEAD, -HEAD / 2.0));
    let line = format!("M{from_x} {from_y}L{} {}", neck.0, neck.1);
    let head = format!(
        "M{} {}L{} {}L{} {}Z",
        tip.0, tip.1, left.0, left.1, right.0, right.1
    );
    (line, head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_lie_where_the_board_shows_them() {
        let square: Square = "a1".parse().expect("a square");
        assert_eq!(middle(square, Color::White), (50, 750));
        assert_eq!(middle(square, Color::Black), (750, 50));
    }

    #[test]
    fn an_arrow_ends_in_its_square_and_a_drop_is_a_ring() {
        let (line, head) = path(Some((50, 750)), (50, 350));
        assert_eq!(line, "M50 750L50 414");
        assert!(head.starts_with("M50 372L"), "{head}");
        assert!(path(None, (450, 450)).1.is_empty());
    }
}
