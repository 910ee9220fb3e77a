//! The choice of how well the computer plays.

use leptos::prelude::*;
use tandem_core::bot::Level;

use crate::text;

/// What a level is called; of the first and the last also what it means.
fn name(level: Level) -> String {
    let number = level.to_string();
    match level {
        Level::MIN => text::bot::level_first(&number),
        Level::MAX => text::bot::level_last(&number),
        _ => text::bot::level_between(&number),
    }
}

/// A choice among the levels, called "Level".
#[component]
pub fn LevelChoice(
    /// The classes of the field.
    class: &'static str,
    /// The level shown.
    chosen: Signal<Level>,
    /// Called when the reader chooses another.
    choose: Callback<Level>,
) -> impl IntoView {
    let items = Level::all().map(|level| {
        view! {
            <option value=level.number() prop:selected=move || chosen.get() == level>
                {move || name(level)}
            </option>
        }
    });
    let change = move |event| {
        let number = event_target_value(&event).parse::<u8>().ok();
        if let Some(level) = number.and_then(|number| Level::try_from(number).ok()) {
            choose.run(level);
        }
    };
    view! {
        <select class=class aria-label=text::bot::LEVEL on:change=change>
            {items.collect::<Vec<_>>()}
        </select>
    }
}
