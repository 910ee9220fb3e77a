//! Light, dark, or as the system has it.

use leptos::prelude::*;

use super::icon::{Icon, IconView};
use crate::platform::{page, storage};
use crate::text;

/// The key under which the choice is remembered; `index.html` reads it before the first paint.
const KEY: &str = "tandem.theme";

/// A theme of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    fn remembered() -> Self {
        match storage::get(KEY).as_deref() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        }
    }

    fn word(self) -> Option<&'static str> {
        match self {
            Theme::System => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        }
    }

    fn next(self) -> Self {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

/// Goes round the three themes and remembers the choice.
#[component]
pub fn ThemeButton() -> impl IntoView {
    let theme = RwSignal::new(Theme::remembered());
    Effect::new(move || page::set_root_attribute("data-theme", theme.get().word()));
    let label = move || match theme.get() {
        Theme::System => text::app::THEME_SYSTEM(),
        Theme::Light => text::app::THEME_LIGHT(),
        Theme::Dark => text::app::THEME_DARK(),
    };
    let icon = Signal::derive(move || match theme.get() {
        Theme::System => Icon::System,
        Theme::Light => Icon::Sun,
        Theme::Dark => Icon::Moon,
    });
    let change = move |_| {
        let chosen = theme.get_untracked().next();
        match chosen.word() {
            Some(word) => storage::set(KEY, word),
            None => storage::remove(KEY),
        }
        theme.set(chosen);
    };
    view! {
        <button
            class="btn icon quiet theme"
            type="button"
            aria-label=label
            title=label
            on:click=change
        >
            <IconView icon=icon />
        </button>
    }
}
