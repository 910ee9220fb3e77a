//! A whole match alone: one seat against bots, at a table in the page, without any network once the
//! bots' program is there.

mod setup;

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use tandem_core::protocol::Close;
use tandem_core::table::Phase;

use super::table::{MatchScreen, SentAway, attend};
use crate::net::kept::{self, Choices, Found};
use crate::net::local::Start;
use crate::platform::page;
use crate::platform::worker::Program;
use crate::store::{Connection, TableStore, remembered_name};
use crate::text;
use crate::ui::connection::mark_body;
use crate::ui::page::Page;
use setup::Setup;

/// The name of the program in which bots think, as it was built.
const PROGRAM: &str = "bot_worker";

/// How far the bots' program has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loading {
    /// It is on its way.
    Begun,
    /// It is here.
    Done,
    /// It could not be had.
    Failed,
}

/// The bots' program, fetched before anything is played.
#[derive(Clone, Copy)]
struct Loader {
    state: RwSignal<Loading>,
    program: StoredValue<Option<Rc<Program>>, LocalStorage>,
}

impl Loader {
    fn new() -> Self {
        let loader = Self {
            state: RwSignal::new(Loading::Begun),
            program: StoredValue::new_local(None),
        };
        loader.load();
        // A network that comes back is a reason to try at once.
        let online = window_event_listener_untyped("online", move |_| loader.try_again());
        on_cleanup(move || online.remove());
        loader
    }

    fn load(self) {
        spawn_local(async move {
            let state = match Program::load(PROGRAM).await {
                Ok(program) => {
                    self.program
                        .try_update_value(|known| *known = Some(Rc::new(program)));
                    Loading::Done
                }
                Err(_) => Loading::Failed,
            };
            self.state.try_set(state);
        });
    }

    fn try_again(self) {
        if self.state.get_untracked() == Loading::Failed {
            self.state.set(Loading::Begun);
            self.load();
        }
    }
}

/// The choices before a match, or the match.
#[component]
pub fn SoloPage() -> impl IntoView {
    let loader = Loader::new();
    let (kept, unreadable) = match kept::find() {
        Found::Match(kept) => (Some(Start::Kept(kept)), false),
        Found::Nothing => (None, false),
        Found::Unreadable => {
            kept::forget();
            (None, true)
        }
    };
    let playing = RwSignal::new(kept.is_some());
    let unreadable = RwSignal::new(unreadable);
    // What the next match begins with; taken when it does.
    let next = StoredValue::new_local(kept);
    let start = move |choices: Choices| {
        choices.remember();
        unreadable.set(false);
        next.set_value(Some(Start::New(choices, remembered_name())));
        playing.set(true);
    };
    let try_again = Callback::new(move |()| loader.try_again());
    // How far the bots are matters to a match; the choices before it stand as they are meanwhile.
    let awaited = Memo::new(move |_| playing.get().then(|| loader.state.get()));
    move || match awaited.get() {
        Some(Loading::Done) => {
            let program = loader.program.with_value(Option::clone);
            let start = next.try_update_value(Option::take).flatten();
            let table = program
                .zip(start)
                .and_then(|(program, start)| TableStore::alone(program, start));
            match table {
                Some(store) => {
                    view! { <Alone store=store done=move || playing.set(false) /> }.into_any()
                }
                None => {
                    // What was kept is no match of this page.
                    kept::forget();
                    view! { <GoOn to=move || playing.set(false) /> }.into_any()
                }
            }
        }
        Some(state) => view! { <Waiting state=state try_again=try_again /> }.into_any(),
        None => view! {
            <Setup
                loading=loader.state
                unreadable=unreadable
                start=start
                try_again=try_again
            />
        }
        .into_any(),
    }
}

/// Does something as soon as the page has been drawn.
#[component]
fn GoOn(to: impl Fn() + 'static) -> impl IntoView {
    Effect::new(to);
}

/// A kept match waits for the bots' program.
#[component]
fn Waiting(state: Loading, try_again: Callback<()>) -> impl IntoView {
    page::title(|| format!("{} · Tandem", text::solo::TITLE()));
    mark_body(move || word(state));
    view! {
        <Page>
            <section class="plain">
                <h1>{text::solo::TITLE}</h1>
                <LoadingLine state=Signal::stored(state) try_again=try_again />
            </section>
        </Page>
    }
}

/// The word of `data-connection` while there is no table: whether one could be had.
fn word(state: Loading) -> &'static str {
    match state {
        Loading::Begun => "connecting",
        Loading::Done => "online",
        Loading::Failed => "offline",
    }
}

/// How far the bots' program has come, in words.
#[component]
fn LoadingLine(state: Signal<Loading>, try_again: Callback<()>) -> impl IntoView {
    move || match state.get() {
        Loading::Begun => {
            view! { <p class="muted" role="status">{text::solo::LOADING}</p> }.into_any()
        }
        Loading::Done => view! { <p role="status">{text::solo::READY}</p> }.into_any(),
        Loading::Failed => view! {
            <p class="banner" role="alert">
                {text::solo::LOAD_FAILED}
                <button class="btn quiet" type="button" on:click=move |_| try_again.run(())>
                    {text::net::TRY_AGAIN}
                </button>
            </p>
        }
        .into_any(),
    }
}

/// What the page of a match shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Screen {
    Closed(Close),
    Match,
}

/// One match after another at the table in this page.
#[component]
fn Alone(
    store: TableStore,
    /// The reader wants to choose anew.
    done: impl Fn() + 'static,
) -> impl IntoView {
    let connection = store.connection();
    mark_body(move || connection.get().word());
    let called = attend(store);
    Effect::new(move || {
        let title = if called.get() {
            text::game::CALLED
        } else {
            text::solo::TITLE
        };
        page::set_title(&format!("{} · Tandem", title()));
    });
    let screen = Memo::new(move |_| match connection.get() {
        Connection::Closed(close) => Screen::Closed(close),
        _ => Screen::Match,
    });
    let lobby = Memo::new(move |_| {
        store.seating().with(|seating| {
            seating
                .as_ref()
                .is_some_and(|seating| seating.phase == Phase::Lobby)
        })
    });
    Effect::new(move || {
        page::set_body_class("match-page", screen.get() == Screen::Match);
        if lobby.get() {
            // Whoever has changed seats between matches is shown the one they had last.
            if let Some(seat) = untrack(|| store.my_seat()) {
                Choices {
                    seat,
                    ..Choices::remembered()
                }
                .remember();
            }
            done();
        }
    });
    on_cleanup(|| page::set_body_class("match-page", false));
    move || match screen.get() {
        Screen::Closed(close) => view! { <SentAway store=store close=close /> }.into_any(),
        Screen::Match => view! { <MatchScreen store=store /> }.into_any(),
    }
}
