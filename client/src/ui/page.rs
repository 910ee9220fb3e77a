//! The frame of an ordinary page: brand and theme above, the small print below.

use leptos::prelude::*;

use super::icon::{Icon, IconView};
use super::language::LanguageChoice;
use super::later::Later;
use super::theme::ThemeButton;
use crate::platform::{page, storage};
use crate::text::{self, Text};

/// The sign of the program.
#[component]
pub fn Brand() -> impl IntoView {
    view! {
        <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect class="brand-a" x="3" y="14" width="12" height="12" rx="3"></rect>
            <rect class="brand-b" x="18" y="15" width="10" height="10" rx="2.5"></rect>
            <path class="brand-c" d="M9 9.5C11 4.8 20 4.3 22.8 8.8"></path>
            <circle class="brand-d" cx="23" cy="9.5" r="3"></circle>
        </svg>
    }
}

/// Leads the keyboard past what is the same on every page. A link with a fragment would lead away
/// from a page with a base, so this one moves the focus itself.
#[component]
pub fn SkipLink(to: &'static str, words: Text) -> impl IntoView {
    view! {
        <button class="skip" type="button" on:click=move |_| page::focus(to)>
            {words}
        </button>
    }
}

/// An ordinary page around its content.
#[component]
pub fn Page(children: Children) -> impl IntoView {
    let commit = page::meta("tandem-commit").unwrap_or_default();
    view! {
        <SkipLink to="main" words=text::app::SKIP />
        <div class="page">
            <header class="head">
                <a class="brand" href=page::base_path() aria-label=text::app::HOME>
                    <Brand />
                    "Tandem"
                </a>
                <nav class="tools" aria-label="Tandem">
                    <a class="btn quiet" href=page::below_base("rules") aria-label=text::app::RULES>
                        <IconView icon=Icon::Book />
                        <span class="t">{text::app::RULES}</span>
                    </a>
                    <span class="lang">
                        <LanguageChoice class="language" />
                        <IconView icon=Icon::Down />
                    </span>
                    <a
                        class="btn icon quiet"
                        href=page::below_base("settings")
                        aria-label=text::settings::TITLE
                        title=text::settings::TITLE
                    >
                        <IconView icon=Icon::Settings />
                    </a>
                    <ThemeButton />
                </nav>
            </header>
            {(!storage::works())
                .then(|| view! { <p class="banner" role="note">{text::app::NO_STORAGE}</p> })}
            <main id="main" tabindex="-1">
                <Later>{children()}</Later>
            </main>
            <footer class="foot">
                <span>{text::app::FOOTER_PRIVACY}</span>
                <a href=page::below_base("privacy")>{text::privacy::TITLE}</a>
                <span>{text::app::LICENCE}</span>
                <span class="num">{move || version(&commit)}</span>
            </footer>
        </div>
    }
}

/// The release, and the commit it was built from if the relay has told.
fn version(commit: &str) -> String {
    let release = text::app::version(env!("CARGO_PKG_VERSION"));
    match commit.get(..7) {
        Some(short) => format!("{release} · {short}"),
        None => release,
    }
}
