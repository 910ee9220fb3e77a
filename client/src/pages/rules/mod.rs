//! How the game differs from chess, with small boards to try. What it says is downloaded with it.

mod lesson;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::language;
use crate::platform::{page, start};
use crate::text::guide::{history, options, page as words, table, talk, trial};
use crate::text::{self, Text};
use crate::ui::connection::mark_body_by_network;
use crate::ui::later::Later;
use crate::ui::page::Page;
use lesson::{LESSONS, LessonView};

/// A row of the comparison: what it is about, in chess, in bughouse.
const ROWS: [[Text; 3]; 8] = [
    [table::PLAYERS, table::PLAYERS_CHESS, table::PLAYERS_BUG],
    [table::TURNS, table::TURNS_CHESS, table::TURNS_BUG],
    [table::CAPTURED, table::CAPTURED_CHESS, table::CAPTURED_BUG],
    [table::DROPS, table::DROPS_CHESS, table::DROPS_BUG],
    [table::WIN, table::WIN_CHESS, table::WIN_BUG],
    [table::STUCK, table::STUCK_CHESS, table::STUCK_BUG],
    [table::CLOCK, table::CLOCK_CHESS, table::CLOCK_BUG],
    [table::DRAWS, table::DRAWS_CHESS, table::DRAWS_BUG],
];

/// What comes below the boards: a heading, and what stands under it.
const SECTIONS: [(Text, [Text; 3]); 3] = [
    (
        options::TITLE,
        [options::DROPS, options::PROMOTION, options::TALK],
    ),
    (talk::TITLE, [talk::NEED, talk::SIT, talk::MANNERS]),
    (
        history::TITLE,
        [history::EARLY, history::NAMES, history::STANDARD],
    ),
];

/// The rules.
#[component]
pub fn RulesPage() -> impl IntoView {
    mark_body_by_network();
    page::title(|| format!("{} · Tandem", text::app::RULES()));
    let failed = RwSignal::new(false);
    let load = move || {
        let tag = text::tag();
        failed.set(false);
        let shown_later = start::hold();
        spawn_local(async move {
            if !language::load_rules(tag).await {
                failed.try_set(true);
            }
            drop(shown_later);
        });
    };
    Effect::new(load);
    // The words are there all at once.
    let loaded = Memo::new(|_| !words::TITLE().is_empty());
    view! {
        <Page>
            {move || match (loaded.get(), failed.get()) {
                (true, _) => view! { <Guide /> }.into_any(),
                (false, true) => view! {
                    <section class="plain">
                        <h1>{text::app::RULES}</h1>
                        <p class="banner" role="alert">
                            {text::app::RULES_FAILED}
                            <button class="btn quiet" type="button" on:click=move |_| load()>
                                {text::net::TRY_AGAIN}
                            </button>
                        </p>
                    </section>
                }
                .into_any(),
                (false, false) => view! {
                    <section class="plain">
                        <h1>{text::app::RULES}</h1>
                    </section>
                }
                .into_any(),
            }}
        </Page>
    }
}

/// Everything the page says.
#[component]
fn Guide() -> impl IntoView {
    let rows = ROWS.map(|[about, chess, bughouse]| {
        view! {
            <tr>
                <th scope="row">{about}</th>
                <td data-chess="">{chess}</td>
                <td>{bughouse}</td>
            </tr>
        }
    });
    let sections = SECTIONS.map(|(title, paragraphs)| {
        view! {
            <h2>{title}</h2>
            {paragraphs.map(|words| view! { <p>{words}</p> }).into_iter().collect::<Vec<_>>()}
        }
    });
    view! {
        <div class="guide">
            <article class="prose">
                <h1>{words::TITLE}</h1>
                <p class="lead">{words::LEAD}</p>
                <h2>{words::WHAT}</h2>
                <p>{words::WHAT_1}</p>
                <p>{words::WHAT_2}</p>
            </article>
            <Later>
            <section class="versus" aria-labelledby="versus">
                <h2 id="versus">{table::TITLE}</h2>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{table::TOPIC}</th>
                            <th scope="col">{table::CHESS}</th>
                            <th scope="col">{table::BUGHOUSE}</th>
                        </tr>
                    </thead>
                    <tbody>{rows.into_iter().collect::<Vec<_>>()}</tbody>
                </table>
            </section>
            </Later>
            <section aria-labelledby="try">
                <h2 id="try">{trial::TITLE}</h2>
                <p class="muted">{trial::LEAD}</p>
                <div class="lessons">
                    {LESSONS
                        .iter()
                        .map(|lesson| view! { <Later><LessonView lesson=lesson /></Later> })
                        .collect::<Vec<_>>()}
                </div>
            </section>
            <article class="prose">{sections.into_iter().collect::<Vec<_>>()}</article>
        </div>
    }
}
