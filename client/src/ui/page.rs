//! The frame of an ordinary page: brand and theme above, the small print below.

use leptos::prelude::*;

use super::theme::ThemeButton;
use crate::text;

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

/// An ordinary page around its content.
#[component]
pub fn Page(children: Children) -> impl IntoView {
    view! {
        <a class="skip" href="#main">
            {text::app::SKIP}
        </a>
        <div class="page">
            <header class="top">
                <a class="brand" href="/" aria-label=text::app::HOME>
                    <Brand />
                    "Tandem"
                </a>
                <div class="tools">
                    <ThemeButton />
                </div>
            </header>
            <main id="main" tabindex="-1">
                {children()}
            </main>
            <footer class="foot">
                <span>{text::app::FOOTER_PRIVACY}</span>
                <span class="num">{move || text::app::version(env!("CARGO_PKG_VERSION"))}</span>
            </footer>
        </div>
    }
}
