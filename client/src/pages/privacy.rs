//! What is stored, where, and for how long.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::net::http::{self, Keeps};
use crate::platform::page;
use crate::text::{self, Text};
use crate::ui::connection::mark_body_by_network;
use crate::ui::page::Page;

/// The page about it. What depends on the relay it asks the relay.
#[component]
pub fn Privacy() -> impl IntoView {
    use text::privacy as p;
    Effect::new(|| page::set_title(&format!("{} · Tandem", p::TITLE())));
    mark_body_by_network();
    let keeps = RwSignal::new(None::<Keeps>);
    spawn_local(async move {
        if let Some(found) = http::keeps().await {
            keeps.try_set(Some(found));
        }
    });
    let tables = move || match keeps.get() {
        Some(keeps) if keeps.data => p::tables_kept(keeps.forget_minutes),
        Some(_) => p::TABLES_IN_MEMORY().to_owned(),
        None => p::TABLES().to_owned(),
    };
    let matches = move || match keeps.get() {
        Some(keeps) if keeps.data && keeps.matches > 0 => p::matches_kept(keeps.days),
        Some(_) => p::MATCHES_NOT_KEPT().to_owned(),
        None => p::MATCHES().to_owned(),
    };
    view! {
        <Page>
            <article class="prose privacy">
                <h1>{p::TITLE}</h1>
                <p class="lead">{p::LEAD}</p>
                <h2>{p::DEVICE}</h2>
                {list(&[p::DEVICE_NAME, p::DEVICE_CHOICES, p::DEVICE_TOKENS, p::DEVICE_SOLO])}
                <p>{p::DEVICE_HOW}</p>
                <h2>{p::RELAY}</h2>
                <ul>
                    <li>{tables}</li>
                    <li>{matches}</li>
                    <li>{p::ADDRESSES}</li>
                    <li>{p::LOGS}</li>
                </ul>
                <h2>{p::OTHERS}</h2>
                {list(&[p::OTHERS_TABLE, p::OTHERS_TALK, p::OTHERS_LIST])}
                <h2>{p::LICENCE}</h2>
                <p>{p::LICENCE_TEXT}</p>
            </article>
        </Page>
    }
}

fn list(lines: &'static [Text]) -> impl IntoView {
    view! { <ul>{lines.iter().map(|line| view! { <li>{*line}</li> }).collect::<Vec<_>>()}</ul> }
}
