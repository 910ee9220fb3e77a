//! The page of the reader's preferences.

use leptos::prelude::*;

use crate::platform::page;
use crate::text;
use crate::ui::connection::mark_body_by_network;
use crate::ui::page::Page;
use crate::ui::prefs::PrefsForm;

/// All preferences, and where they are kept.
#[component]
pub fn SettingsPage() -> impl IntoView {
    Effect::new(|| page::set_title(&format!("{} · Tandem", text::settings::TITLE())));
    mark_body_by_network();
    view! {
        <Page>
            <section class="settings">
                <h1>{text::settings::TITLE}</h1>
                <PrefsForm />
                <p class="muted">{text::settings::KEPT}</p>
            </section>
        </Page>
    }
}
