//! The table before the match: both boards as a seating plan.

use leptos::prelude::*;
use tandem_core::Seat;
use tandem_core::table::Phase;

use super::attend::others_looking_on;
use super::boards::Boards;
use super::bots::BotsCard;
use super::invite::Invite;
use super::onlookers::OnlookersCard;
use super::options::OptionsCard;
use super::seat::SeatCard;
use super::{grouped, panel::NoteLine};
use crate::board::BoardView;
use crate::platform::router;
use crate::store::{TableStore, remembered_level, remembered_name};
use crate::text;
use crate::ui::connection::{ConnectionBanner, ConnectionPill};
use crate::ui::icon::{Icon, IconView};
use crate::ui::page::Page;

/// The seats of a table, who sits there, and what they wait for.
#[component]
pub fn Lobby(store: TableStore) -> impl IntoView {
    let boards = Boards::new(store);
    // For the next bot.
    let level = RwSignal::new(remembered_level());
    // The seat at the near left: the reader's own, or the first of team 1.
    let near = Memo::new(move |_| store.my_seat().unwrap_or(Seat::AWhite));
    let options = Memo::new(move |_| {
        store
            .seating()
            .with(|seating| seating.as_ref().map(|seating| seating.options))
    });
    let clock_kind = move || {
        options
            .get()
            .map(|options| super::options::clock_kind(&options))
    };
    let spectators = move || {
        let count = store
            .seating()
            .with(|seating| seating.as_ref().map_or(0, others_looking_on));
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        (count > 0).then(|| view! { <span class="pill">{text::seat::spectators(count)}</span> })
    };
    let plan = move || {
        let seat = near.get();
        let row = |seats: [Seat; 2]| {
            seats
                .into_iter()
                .enumerate()
                .map(|(index, seat)| {
                    view! { <SeatCard boards=boards seat=seat tied=index == 0 level=level /> }
                })
                .collect::<Vec<_>>()
        };
        view! {
            {row([seat.opponent(), seat.partner().opponent()])}
            {[seat.board(), seat.board().other()]
                .map(|board| {
                    view! {
                        <div class="picture" aria-hidden="true">
                            <BoardView model=boards.model(board) still=true />
                        </div>
                    }
                })
                .into_iter()
                .collect::<Vec<_>>()}
            <div class="us">{row([seat, seat.partner()])}</div>
        }
    };
    view! {
        <Page>
            <div class="lobby-head">
                <h1>
                    {text::seat::TITLE} " " <span class="code">{store.code.map(grouped)}</span>
                </h1>
                <span class="pill num">{clock_kind}</span>
                {spectators}
                <ConnectionPill store=store />
            </div>
            <ConnectionBanner store=store />
            <div class="lobby">
                <section class="plan" aria-label=text::seat::TITLE>
                    {plan}
                    <Start boards=boards />
                </section>
                <div class="stack">
                    <YourName store=store />
                    {store.code.map(|code| view! { <Invite code=code /> })}
                    <BotsCard store=store level=level />
                    <OptionsCard store=store />
                    <OnlookersCard store=store />
                </div>
            </div>
        </Page>
    }
}

/// Ready, leave, and what the table waits for.
#[component]
fn Start(boards: Boards) -> impl IntoView {
    let store = boards.store;
    let seat = Memo::new(move |_| store.my_seat());
    let ready = Memo::new(move |_| {
        let seat = seat.get()?;
        store
            .seating()
            .with(|seating| seating.as_ref().map(|seating| seating.ready[seat.index()]))
    });
    let countdown = Memo::new(move |_| {
        let phase = store
            .seating()
            .with(|seating| seating.as_ref().map(|seating| seating.phase));
        match phase {
            Some(Phase::Countdown { starts_at }) => Some(
                starts_at
                    .saturating_sub(store.now().get())
                    .div_ceil(1_000)
                    .max(1),
            ),
            _ => None,
        }
    });
    let leave = move |_| {
        store.leave();
        router::go("/");
    };
    let ready_button = move || {
        ready.get().map(|is_ready| {
            view! {
                <button
                    class="btn primary big"
                    type="button"
                    aria-pressed=if is_ready { "true" } else { "false" }
                    on:click=move |_| store.set_ready(!is_ready)
                >
                    {is_ready.then(|| view! { <IconView icon=Icon::Check /> })}
                    {text::seat::READY}
                </button>
            }
        })
    };
    let words = move || match countdown.get() {
        Some(seconds) => text::seat::starting(&seconds.to_string()),
        None => waiting_for(boards, seat.get(), ready.get()),
    };
    view! {
        <div class="start" class:counting=move || countdown.get().is_some()>
            {ready_button}
            <button class="btn quiet" type="button" on:click=leave>
                {text::seat::LEAVE}
            </button>
            <NoteLine store=store />
            <p role="status">{words}</p>
        </div>
    }
}

/// What has to happen before the match starts. Reactive.
fn waiting_for(boards: Boards, seat: Option<Seat>, ready: Option<bool>) -> String {
    let Some(seating) = boards.store.seating().get() else {
        return String::new();
    };
    let seats = || Seat::ALL.into_iter();
    let free = seats().filter(|seat| seating.is_free(*seat)).count();
    let free = u32::try_from(free).unwrap_or(0);
    match (seat, ready) {
        (None, _) if free > 0 => text::seat::TAKE_SEAT().to_owned(),
        _ if free > 0 && seating.am_host() => text::seat::waiting_or_bots(free),
        _ if free > 0 => text::seat::waiting_people(free),
        (Some(_), Some(false)) => text::seat::PRESS_READY().to_owned(),
        _ if seating.people_seated() == 0 => text::seat::ALL_BOTS().to_owned(),
        (None, _) if seating.people_seated() < 4 => text::seat::TAKE_BOT_SEAT().to_owned(),
        _ => {
            let unready = seats().filter(|seat| !seating.ready[seat.index()]);
            let names: Vec<_> = unready.map(|seat| boards.name(seat).get()).collect();
            text::seat::waiting_ready(&text::list(&names))
        }
    }
}

/// The reader's own name, remembered for other tables.
#[component]
fn YourName(store: TableStore) -> impl IntoView {
    let name = move || {
        store.seating().with(|seating| {
            let seating = seating.as_ref()?;
            Some(seating.name(seating.me?).to_owned())
        })
    };
    let shown = Memo::new(move |_| name().unwrap_or_else(remembered_name));
    view! {
        <section class="card">
            <label class="field">
                {text::seat::YOUR_NAME}
                <input
                    class="input"
                    maxlength=tandem_core::table::NAME_MAX_CHARS.to_string()
                    autocomplete="nickname"
                    placeholder=text::seat::NAME_PLACEHOLDER
                    prop:value=move || shown.get()
                    on:change=move |event| store.set_name(event_target_value(&event))
                />
            </label>
        </section>
    }
}
