//! A captured piece on its way from one board to the hand on the other.

use leptos::html;
use leptos::prelude::*;
use leptos::web_sys::{DomRect, HtmlElement};
use tandem_core::{BoardId, Color, Hand, Piece, Role, Seat, Square};

use crate::board::pictures;
use crate::platform::page;
use crate::store::TableStore;

/// Pieces taken on `board` fly; at most one at a time, which is the newest.
#[component]
pub fn Flight(store: TableStore, board: BoardId) -> impl IntoView {
    let piece = RwSignal::new(None::<Piece>);
    let element = NodeRef::<html::Div>::new();
    let taken = Memo::new(move |_| {
        store
            .shown(board)
            .with(|shown| (shown.plies, shown.last.map(|ply| ply.to())))
    });
    let hands = Memo::new(move |_| {
        store
            .shown(board.other())
            .with(|shown| [Color::White, Color::Black].map(|color| shown.position.hand(color)))
    });
    Effect::new(move |before: Option<(u16, [Hand; 2])>| {
        let (plies, to) = taken.get();
        let now = hands.get();
        if let (Some((before, hands)), Some(to)) = (before, to)
            && plies == before + 1
            && let Some(arrived) = arrived(hands, now)
        {
            // Where it goes from and to can be asked for nothing once the page is laid out.
            page::after_paint(move || {
                // The value comes back if the match screen has gone meanwhile.
                if piece.try_set(Some(arrived)).is_none() {
                    fly(element, board, to, arrived);
                }
            });
        }
        (plies, now)
    });
    view! {
        <div
            class="flight"
            aria-hidden="true"
            node_ref=element
            data-piece=move || piece.get().map(Piece::code)
            on:animationend=move |_| piece.set(None)
        >
            <i class=move || pictures::class(piece.get())></i>
        </div>
    }
}

/// What has come into one of two hands.
fn arrived(before: [Hand; 2], now: [Hand; 2]) -> Option<Piece> {
    let mut hands = [Color::White, Color::Black]
        .into_iter()
        .zip(before.into_iter().zip(now));
    hands.find_map(|(color, (before, now))| {
        let role = Role::HAND
            .into_iter()
            .find(|role| now.count(*role) > before.count(*role))?;
        Some(Piece { color, role })
    })
}

/// Sends the element from the square to the place in the hand.
fn fly(element: NodeRef<html::Div>, board: BoardId, from: Square, piece: Piece) {
    let seat = Seat::new(board.other(), piece.color);
    let (Some(element), Some(start), Some(end)) = (
        element.get_untracked(),
        rect(&format!(
            "[data-board=\"{board}\"] [data-square=\"{from}\"]"
        )),
        rect(&format!(
            "[data-hand=\"{seat}\"] [data-hand-piece=\"{}\"]",
            piece.role.letter()
        )),
    ) else {
        return;
    };
    let centre = |rect: &DomRect| {
        (
            rect.left() + rect.width() / 2.0,
            rect.top() + rect.height() / 2.0,
        )
    };
    let ((x0, y0), (x1, y1)) = (centre(&start), centre(&end));
    // Whole pixels: to write fractions takes kilobytes of program.
    let px = |value: f64| format!("{}px", value as i32);
    let way = [
        ("--size", px(end.height())),
        ("--x0", px(x0)),
        ("--y0", px(y0)),
        // A slight arc: half way, it is higher than the straight line.
        ("--xm", px((x0 + x1) / 2.0)),
        ("--ym", px((y0 + y1) / 2.0 - (x1 - x0).abs() * 0.12)),
        ("--x1", px(x1)),
        ("--y1", px(y1)),
        (
            "--scale",
            format!("{}%", (100.0 * start.height() / end.height()) as i32),
        ),
    ];
    animate(&element, &way);
}

/// Starts the animation of the style sheet, again if it has run before: `data-fly` changes between two
/// values that name the same movement.
fn animate(element: &HtmlElement, properties: &[(&str, String)]) {
    let style = HtmlElement::style(element);
    for (name, value) in properties {
        // Setting a property of one's own never fails.
        let _ = style.set_property(name, value);
    }
    let again = element.get_attribute("data-fly").as_deref() == Some("a");
    let _ = element.set_attribute("data-fly", if again { "b" } else { "a" });
}

/// Where an element is, if it can be seen.
fn rect(selector: &str) -> Option<DomRect> {
    let element = document().query_selector(selector).ok().flatten()?;
    let rect = element.get_bounding_client_rect();
    (rect.height() > 0.0).then_some(rect)
}
