//! What an unknown address shows.

use leptos::prelude::*;

use crate::platform::page;
use crate::text;
use crate::ui::page::Page;

/// Says that there is nothing here, and where to go instead.
#[component]
pub fn NotFound() -> impl IntoView {
    page::title(|| format!("{} · Tandem", text::app::NOT_FOUND()));
    view! {
        <Page>
            <section class="plain">
                <h1>{text::app::NOT_FOUND}</h1>
                <p class="lead">{text::app::NOT_FOUND_HINT}</p>
                <p>
                    <a class="btn primary" href=page::base_path()>
                        {text::app::TO_HOME}
                    </a>
                </p>
            </section>
        </Page>
    }
}
