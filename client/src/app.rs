//! The routes, and the start of the program.

use leptos::prelude::*;
use leptos_router::components::{Route, Router, Routes};
use leptos_router::path;

use crate::pages::home::Home;
use crate::pages::not_found::NotFound;
use crate::pages::privacy::Privacy;
use crate::pages::solo::SoloPage;
use crate::pages::table::TablePage;
use crate::platform::page;

/// Takes the page over from the shell that `index.html` shows first.
pub fn start() {
    page::remove("shell");
    mount_to_body(App);
}

/// The whole program.
#[component]
fn App() -> impl IntoView {
    // The routes, and the places the program goes to, are below the page's base.
    let base = page::base_path().trim_end_matches('/').to_owned();
    view! {
        <Router base=base>
            <Routes fallback=NotFound>
                <Route path=path!("/") view=Home />
                <Route path=path!("/solo") view=SoloPage />
                <Route path=path!("/t/:code") view=TablePage />
                <Route path=path!("/privacy") view=Privacy />
            </Routes>
        </Router>
    }
}
