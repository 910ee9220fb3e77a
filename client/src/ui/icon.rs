//! The line icons, drawn on a grid of 24.

use leptos::prelude::*;

use crate::text::Text;

/// An icon of the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Go on.
    Arrow,
    /// Something to read.
    Book,
    /// The computer.
    Bot,
    /// Done.
    Check,
    /// Close.
    Close,
    /// Copy to the clipboard.
    Copy,
    /// There is more below.
    Down,
    /// Turn the boards round.
    Flip,
    /// Somebody waits.
    Hourglass,
    /// A link to share.
    Link,
    /// The list of moves.
    List,
    /// More to choose.
    More,
    /// The dark theme.
    Moon,
    /// No word from the others.
    Mute,
    /// Go on playing.
    Play,
    /// Play again.
    Rematch,
    /// What can be set.
    Settings,
    /// Send to somebody.
    Share,
    /// The light theme.
    Sun,
    /// Exchange what is large and what is small.
    Swap,
    /// Follow the system's theme.
    System,
    /// Say something.
    Talk,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Icon::Book => {
                "M12 6c-2-1.5-5-2-8-1.5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5v-13c-3-.5-6 0-8 1.5ZM12 6v13"
            }
            Icon::Down => "M6 9.5l6 6 6-6",
            Icon::Arrow => "M5 12h14M13 6l6 6-6 6",
            Icon::Bot => "M6 9h12v9H6ZM12 9V5M10 13h.01M14 13h.01M3.5 12v3M20.5 12v3",
            Icon::Check => "M5 12.5l4.5 4.5L19 7.5",
            Icon::Close => "M6 6l12 12M18 6L6 18",
            Icon::Copy => "M9 9h11v11H9ZM5 15H4V4h11v1",
            Icon::Flip => "M7 4v15M3.5 15.5L7 19l3.5-3.5M17 20V5M13.5 8.5L17 5l3.5 3.5",
            Icon::Hourglass => "M7 3h10M7 21h10M8 3c0 5 8 6 8 9s-8 4-8 9M16 3c0 5-8 6-8 9s8 4 8 9",
            Icon::Link => {
                "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17"
            }
            Icon::List => "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
            Icon::More => "M5 12h.01M12 12h.01M19 12h.01",
            Icon::Moon => "M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10Z",
            Icon::Mute => "M9 5h11v11h-3M4 8v8h5l3 3v-5M4 4l16 16",
            Icon::Play => "M8 5l11 7-11 7Z",
            Icon::Rematch => "M5 12a7 7 0 1 0 2.5-5.4M7 3v4h4",
            Icon::Settings => "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
            Icon::Share => "M12 15V4M8 7.5L12 3.5l4 4M6 11H5v9h14v-9h-1",
            Icon::Sun => {
                "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"
            }
            Icon::Swap => "M4 8h13M13 4l4 4-4 4M20 16H7M11 12l-4 4 4 4",
            Icon::Talk => "M4 5h16v11H11l-5 4v-4H4Z",
            Icon::System => "M4 5h16v11H4ZM9 20h6M12 16v4",
        }
    }
}

/// Draws an icon; it says nothing to a screen reader.
#[component]
pub fn IconView(#[prop(into)] icon: Signal<Icon>) -> impl IntoView {
    view! {
        <svg class="ico" viewBox="0 0 24 24" aria-hidden="true">
            <path d=move || icon.get().path()></path>
        </svg>
    }
}

/// A button with an icon that turns something on and off.
#[component]
pub fn IconToggle(
    class: &'static str,
    label: Text,
    icon: Icon,
    on: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <button
            class=class
            type="button"
            aria-label=label
            title=label
            aria-pressed=move || if on.get() { "true" } else { "false" }
            on:click=move |_| on.update(|on| *on = !*on)
        >
            <IconView icon=icon />
        </button>
    }
}
