//! Light, dark, or as the system has it, in one press.

use leptos::prelude::*;

use super::icon::{Icon, IconView};
use super::prefs::{Pref, Prefs};
use crate::text;

/// Goes round the three themes and remembers the choice.
#[component]
pub fn ThemeButton() -> impl IntoView {
    let prefs = Prefs::get();
    let theme = move || prefs.index(Pref::Theme);
    let label = move || match theme() {
        1 => text::app::THEME_LIGHT(),
        2 => text::app::THEME_DARK(),
        _ => text::app::THEME_SYSTEM(),
    };
    let icon = Signal::derive(move || match theme() {
        1 => Icon::Sun,
        2 => Icon::Moon,
        _ => Icon::System,
    });
    view! {
        <button
            class="btn icon quiet theme"
            type="button"
            aria-label=label
            title=label
            on:click=move |_| prefs.choose(Pref::Theme, (untrack(theme) + 1) % 3)
        >
            <IconView icon=icon />
        </button>
    }
}
