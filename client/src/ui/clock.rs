//! A clock. It redraws itself ten times a second at most, and nothing else with it.

use leptos::prelude::*;
use tandem_core::Seat;

use crate::store::Face;
use crate::text;

/// The clock of one seat.
#[component]
pub fn ClockView(
    /// Whose clock it is.
    seat: Seat,
    /// What it shows.
    face: Signal<Face>,
    /// What it has gained last: how often it has gained, and how much, in milliseconds.
    gain: Signal<(u32, u64)>,
    /// The player's name.
    #[prop(into)]
    name: Signal<String>,
) -> impl IntoView {
    let digits = Memo::new(move |_| face.get().digits());
    let running = Memo::new(move |_| face.get().running);
    let low = Memo::new(move |_| face.get().is_low());
    // Two values in turn, so that the style sheet shows each gain anew.
    let turn = move || match gain.get().0 {
        0 => None,
        times if times % 2 == 1 => Some("a"),
        _ => Some("b"),
    };
    let gained = move || {
        let (times, ms) = gain.get();
        (times > 0).then(|| match ms / 100 % 10 {
            0 => format!("+{}", ms / 1_000),
            tenths => format!("+{}.{tenths}", ms / 1_000),
        })
    };
    view! {
        <div
            class="clock"
            data-clock=seat.to_string()
            data-ms=move || face.get().ms
            data-running=move || running.get().then_some("")
            data-low=move || low.get().then_some("")
            role="timer"
            aria-label=move || text::game::clock_of(&name.get())
        >
            <i class="gain" aria-hidden="true" data-gain=turn>{gained}</i>
            <span class="digits">
                {move || digits.with(|(whole, _)| whole.clone())}
                <small>{move || digits.with(|(_, tenth)| tenth.map(|tenth| format!("{}{tenth}", text::game::DECIMAL_POINT())))}</small>
            </span>
        </div>
    }
}
