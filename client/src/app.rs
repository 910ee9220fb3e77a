//! The routes, and the start of the program.

use leptos::prelude::*;

use crate::board::pictures;
use crate::language;
use crate::pages::home::Home;
use crate::pages::not_found::NotFound;
use crate::pages::privacy::Privacy;
use crate::pages::rules::RulesPage;
use crate::pages::settings::SettingsPage;
use crate::pages::solo::SoloPage;
use crate::pages::table::TablePage;
use crate::platform::{audio, page, router, start};
use crate::ui::prefs::Prefs;

/// Takes the page over from the shell that `index.html` shows first.
pub fn begin() {
    audio::allow_with_first_press();
    pictures::draw();
    language::begin(|| {
        start::step(|| start::mount(App));
    });
}

/// A page of the program.
#[derive(Clone, PartialEq, Eq)]
enum Route {
    Home,
    Solo,
    Privacy,
    Rules,
    Settings,
    Table(String),
    Unknown,
}

impl Route {
    /// The page of a path below the base.
    fn of(path: &str) -> Self {
        let mut parts = path.trim_matches('/').split('/');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(""), None, _) => Route::Home,
            (Some("solo"), None, _) => Route::Solo,
            (Some("privacy"), None, _) => Route::Privacy,
            (Some("rules"), None, _) => Route::Rules,
            (Some("settings"), None, _) => Route::Settings,
            (Some("t"), Some(code), None) => Route::Table(code.to_owned()),
            _ => Route::Unknown,
        }
    }
}

/// The whole program.
#[component]
fn App() -> impl IntoView {
    Prefs::provide();
    let path = router::follow();
    let route = Memo::new(move |_| path.with(|path| Route::of(path)));
    // The link that was followed is gone with its page, and the keyboard's focus with it.
    Effect::new(move |before: Option<()>| {
        route.track();
        if before.is_some() {
            request_animation_frame(|| page::focus_if_lost("main"));
        }
    });
    move || match route.get() {
        Route::Home => view! { <Home /> }.into_any(),
        Route::Solo => view! { <SoloPage /> }.into_any(),
        Route::Privacy => view! { <Privacy /> }.into_any(),
        Route::Rules => view! { <RulesPage /> }.into_any(),
        Route::Settings => view! { <SettingsPage /> }.into_any(),
        Route::Table(code) => view! { <TablePage code=code /> }.into_any(),
        Route::Unknown => view! { <NotFound /> }.into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_pages() {
        for path in ["/", ""] {
            assert!(Route::of(path) == Route::Home);
        }
        for path in ["/solo", "/solo/"] {
            assert!(Route::of(path) == Route::Solo);
        }
        assert!(Route::of("/settings") == Route::Settings);
        assert!(Route::of("/t/K7QM2D9PXR") == Route::Table("K7QM2D9PXR".to_owned()));
        for path in ["/t", "/t/a/b", "/solo/x", "/nothing"] {
            assert!(Route::of(path) == Route::Unknown);
        }
    }
}
