//! The link to a table, to be handed on.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tandem_core::TableCode;

use crate::platform::{clipboard, page};
use crate::text;
use crate::ui::icon::{Icon, IconView};
use crate::ui::qr::QrView;

/// How long the button says what became of it, in milliseconds.
const SAID_MS: u32 = 2_500;

/// Shows the link and copies it.
#[component]
pub fn Invite(code: TableCode) -> impl IntoView {
    let url = page::table_url(&code.to_string());
    let said = RwSignal::new(None::<bool>);
    let copy = {
        let url = url.clone();
        move |_| {
            let url = url.clone();
            spawn_local(async move {
                said.try_set(Some(clipboard::copy(&url).await));
                Timeout::new(SAID_MS, move || {
                    said.try_set(None);
                })
                .forget();
            });
        }
    };
    let icon = Signal::derive(move || {
        if said.get() == Some(true) {
            Icon::Check
        } else {
            Icon::Copy
        }
    });
    let outcome = move || match said.get() {
        None => "",
        Some(true) => text::seat::COPIED(),
        Some(false) => text::seat::COPY_FAILED(),
    };
    let shown = url
        .split_once("://")
        .map_or(url.clone(), |(_, rest)| rest.to_owned());
    let share = clipboard::can_share().then(|| {
        let url = url.clone();
        view! {
            <button class="btn" type="button" on:click=move |_| clipboard::share(&url)>
                <IconView icon=Icon::Share />
                {text::seat::SHARE}
            </button>
        }
    });
    view! {
        <section class="card" aria-labelledby="invite">
            <h2 id="invite">{text::seat::INVITE}</h2>
            <div class="invite">
                <div class="stack tight">
                    <span class="url">{shown}</span>
                    <button class="btn" type="button" on:click=copy>
                        <IconView icon=icon />
                        {text::seat::COPY}
                    </button>
                    {share}
                </div>
                <QrView content=url label=text::seat::QR />
            </div>
            <p class="said" role="status">
                {outcome}
            </p>
        </section>
    }
}
