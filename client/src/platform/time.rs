//! The page's own clock.

use leptos::prelude::window;
use tandem_core::table::Millis;

/// Whole milliseconds on a clock that never goes back, whatever becomes of the time of day.
pub fn now() -> Millis {
    // The value is positive and far below 2^53, so the cast keeps it; without a clock, time stands.
    window()
        .performance()
        .map_or(0.0, |performance| performance.now()) as Millis
}
