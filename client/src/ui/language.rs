//! The choice of language.

use leptos::prelude::*;

use crate::language::{self, LANGUAGES};
use crate::text;

/// A choice among the languages, each called as its speakers call it.
#[component]
pub fn LanguageChoice(
    /// The classes of the field.
    class: &'static str,
) -> impl IntoView {
    let items = LANGUAGES.map(|(tag, name)| {
        view! {
            <option value=tag lang=tag prop:selected=move || text::tag() == tag>
                {name}
            </option>
        }
    });
    view! {
        <select
            class=class
            aria-label=text::app::LANGUAGE
            on:change=move |event| language::choose(&event_target_value(&event))
        >
            {items.into_iter().collect::<Vec<_>>()}
        </select>
    }
}
