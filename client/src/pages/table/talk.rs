//! What partners tell each other: a press for each signal, a line of free text, and what was said.

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, EventTarget};
use tandem_core::tell::{TEXT_MAX_CHARS, Tell, Words};
use tandem_core::{Color, Piece, Role, Square};

use super::boards::Boards;
use super::moves::CloseButton;
use super::panel::MenuButton;
use crate::board::pictures::piece_view;
use crate::platform::page;
use crate::store::{Audience, Said, TableStore};
use crate::text::{self, Text};
use crate::ui::icon::{Icon, IconToggle, IconView};
use crate::ui::{tells, words};

/// Where signals that are given often have buttons of their own below the hand.
const ROOM_BELOW: &str = "(max-width: 699.9px) and (orientation: portrait) and (min-height: 760px)";

/// Signals, free text, and what was said; a sheet where there is no room for them.
#[component]
pub fn TalkView(boards: Boards) -> impl IntoView {
    let store = boards.store;
    let audience = boards.audience;
    let partner = Memo::new(move |_| store.partner().map(|seat| boards.name(seat).get()));
    let title = move || match (audience.get(), partner.get()) {
        (Audience::Partner, Some(name)) => text::tell::title(&name),
        (Audience::Everyone, _) => text::tell::TABLE_TALK().to_owned(),
        _ => text::tell::TEAM_TALK().to_owned(),
    };
    let narrow = page::watch_media(ROOM_BELOW);
    let signals = move || {
        (audience.get() == Audience::Partner)
            .then(|| view! { <Signals store=store narrow=narrow /> })
    };
    view! {
        <section class="talk sheet" id="talk" popover="" aria-label=title>
            <div class="sheet-head only-narrow">
                <h2>{title}</h2>
                <CloseButton sheet="talk" />
            </div>
            {signals}
            <Feed boards=boards audience=audience />
        </section>
        <Told boards=boards />
        <Picking store=store />
    }
}

/// The row below the own hand on a phone: the signals, those that are given often, moves and menu.
#[component]
pub fn QuickRow(boards: Boards) -> impl IntoView {
    let store = boards.store;
    let audience = boards.audience;
    let narrow = page::watch_media(ROOM_BELOW);
    let open = move || {
        (audience.get() != Audience::Nobody).then(|| {
            view! {
                <button class="btn talk-open" type="button" popovertarget="talk">
                    {text::tell::OPEN_SHORT}
                </button>
            }
        })
    };
    let often = move || {
        let shown = narrow.get() && audience.get() == Audience::Partner;
        shown.then(|| {
            let buttons = tells::OFTEN.map(|tell| view! { <SignalButton store=store tell=tell /> });
            buttons.into_iter().collect::<Vec<_>>()
        })
    };
    view! {
        <div class="quick">
            {open} {often}
            <button class="btn icon" type="button" popovertarget="moves" aria-label=text::game::MOVES>
                <IconView icon=Icon::List />
            </button>
            <MenuButton />
        </div>
    }
}

/// Opens the signals where they are a sheet.
#[component]
pub fn TalkButton(boards: Boards) -> impl IntoView {
    move || {
        (boards.audience.get() != Audience::Nobody).then(|| {
            view! {
                <button
                    class="btn icon tell-btn"
                    id="tell"
                    type="button"
                    popovertarget="talk"
                    aria-label=text::tell::OPEN
                    title=text::tell::OPEN
                >
                    <IconView icon=Icon::Talk />
                </button>
            }
        })
    }
}

/// All signals. One stop for the keyboard; the arrow keys go on from there, and T leads here.
#[component]
fn Signals(
    store: TableStore,
    /// Some signals have their buttons elsewhere.
    narrow: Signal<bool>,
) -> impl IntoView {
    let color = Memo::new(move |_| store.my_seat().map_or(Color::White, |seat| seat.color()));
    let rows = tells::ABOUT_PIECES.map(|(label, theirs, of)| {
        let buttons = Role::HAND.map(|role| {
            let piece = Signal::derive(move || {
                let color = if theirs {
                    color.get().other()
                } else {
                    color.get()
                };
                Piece { color, role }
            });
            view! { <PieceButton store=store tell=of(role) piece=piece /> }
        });
        view! {
            <div class="ask">
                <span class="lbl" aria-hidden="true">
                    {label}
                </span>
                <div class="five" role="group" aria-label=label>
                    {buttons.into_iter().collect::<Vec<_>>()}
                </div>
            </div>
        }
    });
    let often = move || {
        let buttons = tells::OFTEN.map(|tell| view! { <SignalButton store=store tell=tell /> });
        (!narrow.get()).then(|| buttons.into_iter().collect::<Vec<_>>())
    };
    let plain = tells::PLAIN.map(|tell| view! { <SignalButton store=store tell=tell /> });
    let picking = Memo::new(move |_| store.talk().picking.get().is_some());
    let suggest = move |_| {
        let now = store.talk().picking.get_untracked();
        store.talk().picking.set(now.is_none().then_some(None));
    };
    let reach = window_event_listener(leptos::ev::keydown, |event| {
        let plain = !(event.ctrl_key() || event.alt_key() || event.meta_key());
        if plain && event.key().eq_ignore_ascii_case("t") && !in_field(event.target()) {
            // Where the signals are a sheet, its button is on the screen.
            page::click_if_shown("tell");
            page::focus("signals-first");
            event.prevent_default();
        }
    });
    on_cleanup(move || reach.remove());
    view! {
        <div class="tells" role="group" aria-label=text::tell::OPEN on:keydown=|event| walk(&event)>
            <div class="asks">{rows.into_iter().collect::<Vec<_>>()}</div>
            <div class="words">
                {often}
                {plain.into_iter().collect::<Vec<_>>()}
                <button
                    class="word"
                    type="button"
                    data-tell="suggest"
                    tabindex="-1"
                    popovertarget="talk"
                    popovertargetaction="hide"
                    aria-pressed=move || if picking.get() { "true" } else { "false" }
                    on:click=suggest
                >
                    {text::tell::SUGGEST}
                </button>
            </div>
        </div>
    }
}

/// A signal about a kind of piece.
#[component]
fn PieceButton(store: TableStore, tell: Tell, piece: Signal<Piece>) -> impl IntoView {
    let first = tell == Tell::Need(Role::Pawn);
    let label = move || tells::words(tell);
    view! {
        <button
            type="button"
            id=first.then_some("signals-first")
            data-tell=tells::code(tell)
            tabindex=if first { "0" } else { "-1" }
            aria-label=label
            title=label
            popovertarget="talk"
            popovertargetaction="hide"
            data-sent=move || just_said(store, tell)
            on:click=move |_| store.tell_partner(tell)
        >
            {move || piece_view(piece.get())}
        </button>
    }
}

/// A plain signal.
#[component]
fn SignalButton(store: TableStore, tell: Tell) -> impl IntoView {
    view! {
        <button
            class="word"
            type="button"
            data-tell=tells::code(tell)
            tabindex="-1"
            popovertarget="talk"
            popovertargetaction="hide"
            data-sent=move || just_said(store, tell)
            on:click=move |_| store.tell_partner(tell)
        >
            {move || tells::words(tell)}
        </button>
    }
}

/// Marks the signal that the reader gave last. Reactive.
fn just_said(store: TableStore, tell: Tell) -> Option<&'static str> {
    let last = store.talk().last_signal().get();
    (last == Some(tell)).then_some("")
}

fn in_field(target: Option<EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<Element>().ok());
    element.is_some_and(|element| {
        matches!(element.tag_name().as_str(), "INPUT" | "SELECT" | "TEXTAREA")
    })
}

/// The arrow keys go from one signal to the next.
fn walk(event: &KeyboardEvent) {
    let step = match event.key().as_str() {
        "ArrowRight" | "ArrowDown" => 1,
        "ArrowLeft" | "ArrowUp" => -1,
        _ => return,
    };
    page::focus_neighbour("[data-tell]", step);
    event.prevent_default();
}

/// What was said, and a line to say more.
#[component]
fn Feed(boards: Boards, audience: Signal<Audience>) -> impl IntoView {
    let store = boards.store;
    let draft = RwSignal::new(String::new());
    let talk = store.talk();
    let silent = Memo::new(move |_| talk.said().is_empty());
    let line = move |said: Said| {
        let mine = said.mine;
        let name = if mine {
            text::tell::YOU().to_owned()
        } else {
            said.name.clone()
        };
        view! {
            <li class="msg" class:mine=mine>
                <b class="by" class:visually-hidden=said.team>{name} ": "</b>
                {words_view(store, &said)}
            </li>
        }
    };
    let send = move |event: SubmitEvent| {
        event.prevent_default();
        let words = draft.get_untracked().trim().to_owned();
        if !words.is_empty() {
            store.say(Words::Text(words));
        }
        draft.set(String::new());
    };
    let placeholder = move || match (audience.get(), store.partner()) {
        (Audience::Partner, Some(seat)) => text::tell::to_partner(&boards.name(seat).get()),
        _ => text::tell::TO_ALL().to_owned(),
    };
    // Who is alone has nobody who reads: bots know signals only.
    let writes = Memo::new(move |_| {
        let heard = matches!(audience.get(), Audience::Partner | Audience::Everyone);
        heard && store.chat_allowed() && !store.is_alone()
    });
    let field = move || {
        writes.get().then(|| {
            view! {
                <form class="say" on:submit=send>
                    <input
                        class="input"
                        aria-label=text::tell::TALK
                        placeholder=placeholder
                        autocomplete="off"
                        enterkeyhint="send"
                        maxlength=TEXT_MAX_CHARS.to_string()
                        prop:value=move || draft.get()
                        on:input=move |event| draft.set(event_target_value(&event))
                    />
                    <IconToggle
                        class="btn icon"
                        label=text::tell::MUTE
                        icon=Icon::Mute
                        on=talk.muted
                    />
                </form>
            }
        })
    };
    let state = move || match audience.get() {
        Audience::Off => Some(text::tell::OFF as Text),
        _ if talk.muted.get() => Some(text::tell::MUTED as Text),
        _ => None,
    };
    view! {
        <section
            class="feed"
            class:silent=move || silent.get() && !writes.get() && state().is_none()
        >
            <div class="scroll" tabindex="0" role="group" aria-label=text::tell::TEAM_TALK>
                <ul class="msgs">
                    <For each=move || talk.said() key=|said| said.id children=line />
                </ul>
            </div>
            {move || state().map(|words| view! { <p class="muted">{words}</p> })}
            {field}
        </section>
    }
}

/// The words of an utterance, with the piece that a signal is about.
fn words_view(store: TableStore, said: &Said) -> impl IntoView + use<> {
    match &said.words {
        Words::Text(words) => view! { <span>{words.clone()}</span> }.into_any(),
        Words::Tell(tell) => {
            let tell = *tell;
            // A piece in the speaker's hand has the speaker's colour.
            let mine = store.my_seat().map_or(Color::White, |seat| seat.color());
            let speaker = if said.mine { mine } else { mine.other() };
            let piece = tells::piece(tell).map(|(role, theirs)| {
                let color = if theirs { speaker.other() } else { speaker };
                view! { <span class="mini" aria-hidden="true">{piece_view(Piece { color, role })}</span> }
            });
            view! {
                <span>{move || tells::words(tell)}</span>
                {piece}
            }
            .into_any()
        }
    }
}

/// What somebody said just now, beside the partner's board; spoken, too.
#[component]
fn Told(boards: Boards) -> impl IntoView {
    let store = boards.store;
    let told = store.talk().told();
    let shown = move || {
        told.get().map(|said| {
            let code = match &said.words {
                Words::Tell(tell) => Some(tells::code(*tell)),
                Words::Text(_) => None,
            };
            view! {
                <span class="bubble" data-told=code>
                    <b>{said.name.clone()}</b>
                    {words_view(store, &said)}
                </span>
            }
        })
    };
    view! {
        <p class="told" role="status">
            {shown}
        </p>
    }
}

/// While a move is being proposed: takes the presses on the partner's board and hand, and says so.
#[component]
fn Picking(store: TableStore) -> impl IntoView {
    let talk = store.talk();
    let picking = Memo::new(move |_| talk.picking.get().is_some());
    let pressed = window_event_listener(leptos::ev::click, move |event| {
        if picking.get_untracked() {
            take(store, event.target());
        }
    });
    let keyed = window_event_listener(leptos::ev::keydown, move |event| {
        if !picking.get_untracked() {
            return;
        }
        match event.key().as_str() {
            "Escape" => talk.picking.set(None),
            "Enter" | " " => take(store, event.target()),
            _ => {}
        }
    });
    on_cleanup(move || {
        pressed.remove();
        keyed.remove();
    });
    Effect::new(move || page::set_body_class("picking", picking.get()));
    on_cleanup(|| page::set_body_class("picking", false));
    move || {
        picking.get().then(|| {
            view! {
                <p class="banner picking-hint" role="status">
                    {text::tell::SUGGEST_PICK}
                </p>
            }
        })
    }
}

/// Takes up what was pressed, if it is on the partner's side.
fn take(store: TableStore, target: Option<EventTarget>) {
    let Some(partner) = untrack(|| store.partner()) else {
        return;
    };
    let Some(element) = target.and_then(|target| target.dyn_into::<Element>().ok()) else {
        return;
    };
    let within = |selector: &str| element.closest(selector).ok().flatten();
    if within(&format!(
        "[data-board=\"{}\"]",
        words::board(partner.board())
    ))
    .is_some()
    {
        let square = within("[data-square]").and_then(|square| square.get_attribute("data-square"));
        if let Some(square) = square.and_then(|square| square.parse::<Square>().ok()) {
            store.pick(Some(square));
        }
    } else if within(&format!("[data-hand=\"{partner}\"]")).is_some() {
        store.pick(None);
    }
}
