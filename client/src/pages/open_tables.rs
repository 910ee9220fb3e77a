//! The tables to which anybody may come, as the relay lists them.

use gloo_timers::callback::Interval;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tandem_core::{Drops, Options, Promotion};

use super::table::{clock_kind, grouped};
use crate::net::http::{self, OpenTable, Tables};
use crate::platform::page;
use crate::text;

/// How often the list is asked for while the page is looked at, in milliseconds.
const ASK_MS: u32 = 5_000;

/// Open tables with free seats; nothing where the relay keeps no list of them.
#[component]
pub fn OpenTables() -> impl IntoView {
    let tables = RwSignal::new(None::<Tables>);
    let ask = move || {
        if page::is_visible() {
            spawn_local(async move {
                let found = http::open_tables().await;
                if tables.try_with_untracked(|shown| shown.as_ref() != Some(&found)) == Some(true) {
                    tables.set(Some(found));
                }
            });
        }
    };
    ask();
    let again = StoredValue::new_local(Interval::new(ASK_MS, ask));
    let visible = window_event_listener_untyped("visibilitychange", move |_| ask());
    let online = window_event_listener_untyped("online", move |_| ask());
    on_cleanup(move || {
        visible.remove();
        online.remove();
        again.dispose();
    });
    let list = move || match tables.get()? {
        Tables::NotKept => None,
        Tables::Unreachable => Some(said(text::tables::UNREACHABLE)),
        Tables::Open(open) if open.is_empty() => Some(said(text::tables::EMPTY)),
        Tables::Open(open) => Some(
            view! { <ul class="tables">{open.into_iter().map(row).collect::<Vec<_>>()}</ul> }
                .into_any(),
        ),
    };
    move || {
        list().map(|list| {
            view! {
                <section class="open-tables" aria-labelledby="open-tables">
                    <h2 id="open-tables">{text::tables::TITLE}</h2>
                    {list}
                </section>
            }
        })
    }
}

fn said(words: text::Text) -> AnyView {
    view! {
        <p class="muted" role="status">
            {words}
        </p>
    }
    .into_any()
}

/// The options that differ from the usual ones, in words.
fn unusual(options: &Options) -> Vec<String> {
    use text::seat as s;
    let drops = match options.rules.drops {
        Drops::Any => None,
        Drops::NoMate => Some(s::DROPS_NO_MATE),
        Drops::NoCheck => Some(s::DROPS_NO_CHECK),
    };
    let promotion = match options.rules.promotion {
        Promotion::Choose => None,
        Promotion::Trickle => Some(s::PROMOTION_TRICKLE),
    };
    let talk = (!options.talk).then_some(s::TALK_OFF);
    let choices: [(text::Text, Option<text::Text>); 3] = [
        (s::DROPS, drops),
        (s::PROMOTION, promotion),
        (s::TALK, talk),
    ];
    choices
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{}: {}", name(), value?())))
        .collect()
}

fn row(table: OpenTable) -> impl IntoView {
    let code = grouped(table.code);
    let seats: Vec<_> = (0..4)
        .map(|seat| {
            let taken = seat < table.people;
            let bot = !taken && seat < table.people + table.bots;
            view! { <i class:taken=taken class:bot=bot></i> }
        })
        .collect();
    let mut facts = vec![text::tables::players(table.people)];
    if table.bots > 0 {
        facts.push(text::tables::bots(table.bots));
    }
    facts.extend(unusual(&table.options));
    let title = if table.names.is_empty() {
        text::tables::table(&code)
    } else {
        table.names.join(", ")
    };
    let clock = clock_kind(&table.options);
    view! {
        <li>
            <span class="seats4" role="img" aria-label=text::tables::free(table.free)>
                {seats}
            </span>
            <span>
                <b>{title}</b>
                <small>
                    <span class="short">{clock.clone()} " · "</span>
                    {facts.join(" · ")}
                </small>
            </span>
            <span class="clock-kind">{clock}</span>
            <a
                class="btn"
                href=page::below_base(&format!("t/{}", table.code))
                aria-label=text::tables::join(&code)
            >
                {text::home::JOIN}
            </a>
        </li>
    }
}
