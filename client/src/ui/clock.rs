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
    /// The player's name.
    #[prop(into)]
    name: Signal<String>,
) -> impl IntoView {
    let digits = Memo::new(move |_| face.get().digits());
    let running = Memo::new(move |_| face.get().running);
    let low = Memo::new(move |_| face.get().is_low());
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
            <span>
                {move || digits.with(|(whole, _)| whole.clone())}
                <small>{move || digits.with(|(_, tenth)| tenth.map(|tenth| format!(".{tenth}")))}</small>
            </span>
        </div>
    }
}
