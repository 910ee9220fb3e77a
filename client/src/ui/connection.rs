//! The state of the connection: on the body for all to see, as a pill, and as a banner while it is cut.

use leptos::prelude::*;

use crate::platform::page;
use crate::store::{Connection, TableStore};
use crate::text;
use crate::ui::words;

/// Keeps `data-connection` of the body; a page without a table has the browser's word.
pub fn mark_body(connection: impl Fn() -> &'static str + Send + Sync + 'static) {
    Effect::new(move || page::set_body_attribute("data-connection", Some(connection())));
}

/// Says on the body whether there is a network, for pages without a table.
pub fn mark_body_by_network() {
    let network = RwSignal::new(page::has_network());
    let online = window_event_listener_untyped("online", move |_| network.set(true));
    let offline = window_event_listener_untyped("offline", move |_| network.set(false));
    on_cleanup(move || {
        online.remove();
        offline.remove();
    });
    mark_body(move || if network.get() { "online" } else { "offline" });
}

/// A pill with the state of the connection: the lag, or what is being done about it.
#[component]
pub fn ConnectionPill(store: TableStore) -> impl IntoView {
    let connection = store.connection();
    let lag = Memo::new(move |_| {
        let me = store
            .seating()
            .with(|seating| seating.as_ref().and_then(|seating| seating.me))?;
        store.people().with(|people| {
            people
                .iter()
                .find(|here| here.player == me)
                .map(|here| here.lag_ms)
        })
    });
    let known = Memo::new(move |_| store.seating().with(Option::is_some));
    let words = move || match connection.get() {
        Connection::Online => match lag.get() {
            Some(ms) if ms > 0 => text::net::lag(&ms.to_string()),
            _ => text::net::ONLINE().to_owned(),
        },
        Connection::Connecting if !known.get() => text::net::CONNECTING().to_owned(),
        Connection::Waiting if !page::has_network() => text::net::OFFLINE().to_owned(),
        Connection::Connecting | Connection::Waiting => text::net::RECONNECTING().to_owned(),
        Connection::Closed(_) => text::net::OFFLINE().to_owned(),
    };
    let online = Memo::new(move |_| connection.get() == Connection::Online);
    view! {
        <span
            class="pill"
            class:now=move || online.get()
            class:past=move || !online.get()
            title=text::net::TITLE
        >
            <i class="dot"></i>
            <span class="num">{words}</span>
        </span>
    }
}

/// While the connection is cut, or the relay cannot save: says so, and that nothing is lost.
#[component]
pub fn ConnectionBanner(store: TableStore) -> impl IntoView {
    let cut = Memo::new(move |_| {
        let known = store.seating().with(Option::is_some);
        known
            && matches!(
                store.connection().get(),
                Connection::Waiting | Connection::Connecting
            )
    });
    let said = move || match (cut.get(), store.stuck().get()) {
        (true, _) => Some(
            store
                .kept_out()
                .get()
                .and_then(words::waiting)
                .unwrap_or(text::net::BANNER),
        ),
        (false, true) => Some(text::net::STUCK),
        (false, false) => None,
    };
    move || {
        said().map(|words| {
            view! {
                <p class="banner" role="status">
                    <i class="dot"></i>
                    {words}
                </p>
            }
        })
    }
}
