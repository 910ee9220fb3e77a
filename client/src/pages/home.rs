//! The start page.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tandem_core::TableCode;

use super::open_tables::OpenTables;
use crate::net::http::NoTable;
use crate::net::{http, kept};
use crate::platform::{page, router};
use crate::text;
use crate::ui::connection::mark_body_by_network;
use crate::ui::icon::{Icon, IconView};
use crate::ui::later::Later;
use crate::ui::page::Page;

/// Offers to open a table, or to join one by its code.
#[component]
pub fn Home() -> impl IntoView {
    page::title(|| format!("Tandem · {}", text::home::TITLE()));
    mark_body_by_network();
    view! {
        <Page>
            <Continue />
            <section class="hero" aria-labelledby="title">
                <div class="hero-words">
                    <h1 id="title">{text::home::TITLE}</h1>
                    <p class="lead">{text::home::LEAD}</p>
                    <div class="choices">
                        <PlayComputer />
                        <OpenTable />
                        <Later>
                            <JoinByCode />
                        </Later>
                    </div>
                </div>
                <svg
                    class="scene"
                    viewBox="0 0 500 396"
                    role="img"
                    aria-label=text::home::SCENE
                    inner_html=page::in_template("home", ".scene").unwrap_or_default()
                ></svg>
            </section>
            <Later>
                <OpenTables />
            </Later>
        </Page>
    }
}

/// Leads back to a match against the computer that has not ended.
#[component]
fn Continue() -> impl IntoView {
    kept::in_progress().then(|| {
        view! {
            <p class="resume">
                <IconView icon=Icon::Play />
                <span>{text::home::CONTINUE_HINT}</span>
                <a class="btn primary" href=page::below_base("solo")>
                    {text::home::CONTINUE}
                </a>
            </p>
        }
    })
}

/// Leads to a match against the computer.
#[component]
fn PlayComputer() -> impl IntoView {
    let play = move |event: SubmitEvent| {
        event.prevent_default();
        router::go("/solo");
    };
    view! {
        <form class="choice primary" on:submit=play>
            <span class="pic">
                <IconView icon=Icon::Bot />
            </span>
            <button type="submit" aria-describedby="solo-hint">
                {text::home::SOLO}
            </button>
            <small id="solo-hint">
                {if kept::in_progress() { text::home::SOLO_HINT_KEPT } else { text::home::SOLO_HINT }}
            </small>
            <span class="go">
                <IconView icon=Icon::Arrow />
            </span>
        </form>
    }
}

/// Opens a fresh table.
#[component]
fn OpenTable() -> impl IntoView {
    let busy = RwSignal::new(false);
    let failed = RwSignal::new(None);
    let open = move |event: SubmitEvent| {
        event.prevent_default();
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        failed.set(None);
        spawn_local(async move {
            let opened = http::open_table().await;
            busy.try_set(false);
            match opened {
                Ok(code) => router::go(&format!("/t/{code}")),
                Err(reason) => drop(failed.try_set(Some(reason))),
            }
        });
    };
    view! {
        <form class="choice" on:submit=open>
            <span class="pic">
                <IconView icon=Icon::Link />
            </span>
            <button type="submit" aria-describedby="open-hint">
                {text::home::OPEN}
            </button>
            <small id="open-hint">{text::home::OPEN_HINT}</small>
            <span class="go">
                <IconView icon=Icon::Arrow />
            </span>
        </form>
        <p class="wrong" role="alert">
            {move || {
                failed
                    .get()
                    .map(|reason| match reason {
                        NoTable::Unreachable => text::home::OPEN_FAILED,
                        NoTable::Refused => text::home::OPEN_REFUSED,
                        NoTable::Blocked => text::net::CLOSED_BLOCKED,
                    })
            }}
        </p>
    }
}

/// The code that somebody has typed, or pasted as the link of a table.
fn code_of(text: &str) -> Option<TableCode> {
    let code = text.rsplit_once("/t/").map_or(text, |(_, rest)| {
        rest.split(['/', '?', '#']).next().unwrap_or(rest)
    });
    code.trim().parse().ok()
}

/// Goes to the table whose code is typed in.
#[component]
fn JoinByCode() -> impl IntoView {
    let code = RwSignal::new(String::new());
    let wrong = RwSignal::new(false);
    let join = move |event: SubmitEvent| {
        event.prevent_default();
        match code.with_untracked(|text| code_of(text)) {
            Some(code) => router::go(&format!("/t/{code}")),
            None => wrong.set(true),
        }
    };
    view! {
        <section class="join card" aria-labelledby="join">
            <h2 id="join">{text::home::JOIN_TITLE}</h2>
            <form class="code-form" on:submit=join>
                <input
                    class="input"
                    aria-label=text::home::CODE
                    aria-invalid=move || wrong.get().then_some("true")
                    aria-describedby="code-wrong"
                    placeholder="K7QM-2D9PXR"
                    maxlength="300"
                    autocomplete="off"
                    autocapitalize="characters"
                    spellcheck="false"
                    on:input=move |event| {
                        code.set(event_target_value(&event));
                        wrong.set(false);
                    }
                />
                <button class="btn" type="submit">
                    {text::home::JOIN}
                </button>
            </form>
            <p class="wrong" id="code-wrong" role="alert">
                {move || wrong.get().then(text::home::CODE_WRONG)}
            </p>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_typed_or_out_of_a_link() {
        let code = "K7QM2D9PXR".parse().ok();
        for text in [
            "K7QM2D9PXR",
            " k7qm-2d9pxr ",
            "https://chess.example.org/t/K7QM2D9PXR",
            "http://127.0.0.1:8080/games/t/K7QM2D9PXR?lang=de#top",
        ] {
            assert_eq!(code_of(text), code, "{text}");
        }
        for text in [
            "",
            "K7QM2D9PX",
            "https://chess.example.org/",
            "https://chess.example.org/t/",
        ] {
            assert_eq!(code_of(text), None, "{text}");
        }
    }
}
