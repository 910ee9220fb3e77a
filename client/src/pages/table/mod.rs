//! The page of a table: seats before the match, the boards during and after it, and a word instead
//! of both when the relay has sent us away.

mod attend;
mod boards;
mod bots;
mod flight;
mod hints;
mod invite;
mod lobby;
mod match_screen;
mod move_field;
mod moves;
mod onlookers;
mod options;
mod panel;
mod player;
mod result;
mod seat;
mod spoken;
mod talk;

use leptos::prelude::*;
use leptos::task::spawn_local;
use tandem_core::TableCode;
use tandem_core::protocol::Close;

use crate::net::http;
use crate::pages::not_found::NotFound;
use crate::platform::page;
use crate::store::{Connection, TableStore};
use crate::text::{self, Text};
use crate::ui::connection::mark_body;
use crate::ui::page::Page;
use crate::ui::words;
use lobby::Lobby;

pub use attend::attend;
pub use match_screen::MatchScreen;
pub use options::clock_kind;

/// The page of the table with this code.
#[component]
pub fn TablePage(code: String) -> impl IntoView {
    match code.parse::<TableCode>() {
        Ok(code) => view! { <Table code=code /> }.into_any(),
        Err(_) => view! { <NotFound /> }.into_any(),
    }
}

/// What the page shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Screen {
    /// Nothing is known yet.
    Blank,
    /// The relay has sent us away.
    Closed(Close),
    /// The seats.
    Seats,
    /// The boards.
    Match,
}

/// One table, as long as it is looked at.
#[component]
fn Table(code: TableCode) -> impl IntoView {
    let store = TableStore::join(code);
    let connection = store.connection();
    mark_body(move || connection.get().word());
    let called = attend(store);
    let screen = Memo::new(move |_| match connection.get() {
        Connection::Closed(close) => Screen::Closed(close),
        _ if store.seating().with(Option::is_none) => Screen::Blank,
        _ if store.game().with(Option::is_some) => Screen::Match,
        _ => Screen::Seats,
    });
    Effect::new(move || {
        page::set_body_class("match-page", screen.get() == Screen::Match);
        let code = grouped(code);
        page::set_title(&match screen.get() {
            Screen::Match if called.get() => format!("● {}", text::game::CALLED()),
            Screen::Match => format!("{} · Tandem", text::game::title(&code)),
            _ => format!("{} {code} · Tandem", text::seat::TITLE()),
        });
    });
    on_cleanup(|| page::set_body_class("match-page", false));
    move || match screen.get() {
        Screen::Blank => view! { <Arriving store=store /> }.into_any(),
        Screen::Closed(close) => view! { <SentAway store=store close=close /> }.into_any(),
        Screen::Seats => view! { <Lobby store=store /> }.into_any(),
        Screen::Match => view! { <MatchScreen store=store /> }.into_any(),
    }
}

/// Nothing has been heard of the table yet. If that lasts, it says why: nobody answers, or something
/// on the way lets pages through but no sockets.
#[component]
fn Arriving(store: TableStore) -> impl IntoView {
    let connection = store.connection();
    let trouble = RwSignal::new(None::<(Text, Text)>);
    Effect::new(move || {
        if connection.get() != Connection::Waiting {
            return;
        }
        spawn_local(async move {
            use text::net as n;
            let answers = http::text("healthz").await.is_some();
            trouble.try_set(Some(if answers {
                (n::BLOCKED, n::BLOCKED_HINT)
            } else {
                (n::UNREACHABLE, n::UNREACHABLE_HINT)
            }));
        });
    });
    view! {
        <Page>
            <section class="plain" role="status">
                {move || match (store.kept_out().get().and_then(words::waiting), trouble.get()) {
                    // What the relay has said comes before any guess.
                    (Some(reason), _) => view! { <p class="muted">{reason}</p> }.into_any(),
                    (None, None) => view! { <p class="muted">{text::net::CONNECTING}</p> }.into_any(),
                    (None, Some((title, hint))) => view! {
                        <h1>{title}</h1>
                        <p class="lead">{hint}</p>
                        <p class="row">
                            <button class="btn primary" type="button" on:click=|_| page::reload()>
                                {text::net::TRY_AGAIN}
                            </button>
                            <a class="btn" href=page::base_path()>
                                {text::app::TO_HOME}
                            </a>
                        </p>
                    }
                    .into_any(),
                }}
            </section>
        </Page>
    }
}

/// Why the page is no longer at the table, and what can be done.
#[component]
pub fn SentAway(store: TableStore, close: Close) -> impl IntoView {
    let (title, hint) = words::closed(close);
    let again = match close {
        Close::OpenedElsewhere => Some(text::net::TAKE_OVER),
        Close::UnknownTable | Close::Removed | Close::Left | Close::TableClosed => None,
        _ => Some(text::net::TRY_AGAIN),
    };
    let again = again.map(|words| {
        view! {
            <button class="btn primary" type="button" on:click=move |_| store.connect_here()>
                {words}
            </button>
        }
    });
    view! {
        <Page>
            <section class="plain" role="alert">
                <h1>{title}</h1>
                <p class="lead">{hint}</p>
                <p class="row">
                    {again}
                    <a class="btn" href=page::base_path()>
                        {text::app::TO_HOME}
                    </a>
                </p>
            </section>
        </Page>
    }
}

/// A table code in two groups, as people read it out.
pub fn grouped(code: TableCode) -> String {
    let mut code = code.to_string();
    code.insert(4, '-');
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_shown_in_groups_and_read_again() {
        let code: TableCode = "K7QM2D9PXR".parse().expect("a code");
        assert_eq!(grouped(code), "K7QM-2D9PXR");
        assert_eq!(grouped(code).parse(), Ok(code));
    }
}
