//! The table before the match: both boards as a seating plan.

use leptos::prelude::*;
use leptos_router::hooks::use_navigate;
use tandem_core::table::{Phase, PlayerId};
use tandem_core::{Color, Seat, Team};

use super::boards::{Boards, here};
use super::invite::Invite;
use super::options::OptionsCard;
use super::{grouped, panel::NoteLine};
use crate::board::BoardView;
use crate::platform::page;
use crate::store::{Seating, TableStore, remembered_name};
use crate::text;
use crate::ui::connection::{ConnectionBanner, ConnectionPill};
use crate::ui::icon::{Icon, IconView};
use crate::ui::page::Page;
use crate::ui::words;

/// The seats of a table, who sits there, and what they wait for.
#[component]
pub fn Lobby(store: TableStore) -> impl IntoView {
    let boards = Boards::new(store);
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
            .with(|seating| seating.as_ref().map_or(0, Seating::spectators));
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        (count > 0).then(|| view! { <span class="pill">{text::seat::spectators(count)}</span> })
    };
    let plan = move || {
        let seat = near.get();
        let row = |seats: [Seat; 2]| {
            seats
                .into_iter()
                .enumerate()
                .map(|(index, seat)| view! { <SeatCard boards=boards seat=seat tied=index == 0 /> })
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
                    {text::seat::TITLE} " " <span class="code">{grouped(store.code)}</span>
                </h1>
                <span class="pill num">{clock_kind}</span>
                {spectators}
                <ConnectionPill store=store />
            </div>
            <ConnectionBanner store=store />
            <div class="lobby">
                <section class="plan" aria-label=text::seat::PLAN>
                    {plan}
                    <Start boards=boards />
                </section>
                <div class="stack">
                    <YourName store=store />
                    <Invite code=store.code />
                    <OptionsCard store=store />
                </div>
            </div>
        </Page>
    }
}

/// One seat: who sits there, and what the reader can do about it.
#[component]
fn SeatCard(
    boards: Boards,
    seat: Seat,
    /// The line to the partner's seat begins here.
    tied: bool,
) -> impl IntoView {
    let store = boards.store;
    let seating = store.seating();
    let occupant = Memo::new(move |_| {
        seating.with(|seating| seating.as_ref().and_then(|it| it.occupant(seat)))
    });
    let me = Memo::new(move |_| seating.with(|seating| seating.as_ref().and_then(|it| it.me)));
    let kind = Memo::new(move |_| {
        seating.with(|seating| {
            seating
                .as_ref()
                .map_or("free", |seating| seating.occupant_word(seat))
        })
    });
    let mine = Memo::new(move |_| occupant.get().is_some() && occupant.get() == me.get());
    let ready = Memo::new(move |_| {
        seating.with(|seating| seating.as_ref().is_some_and(|it| it.ready[seat.index()]))
    });
    let away = Memo::new(move |_| here(store, seat).is_some_and(|here| here.away_since.is_some()));
    let partner = Memo::new(move |_| store.my_seat().is_some_and(|mine| mine.partner() == seat));
    let host =
        Memo::new(move |_| seating.with(|seating| seating.as_ref().is_some_and(Seating::am_host)));
    let name = move || match kind.get() {
        "free" => text::seat::FREE().to_owned(),
        _ => boards.name(seat).get(),
    };
    let facts = move || {
        use text::seat as s;
        let words = match (occupant.get(), mine.get(), partner.get(), ready.get()) {
            (None, ..) => return words::seat(seat),
            (_, true, _, true) => s::YOU_READY,
            (_, true, _, false) => s::YOU_NOT_READY,
            _ if away.get() => s::AWAY,
            (_, _, true, true) => s::PARTNER_READY,
            (_, _, true, false) => s::PARTNER_NOT_READY,
            (_, _, _, true) => s::OTHER_READY,
            (_, _, _, false) => s::OTHER_NOT_READY,
        };
        words().to_owned()
    };
    let actions = move || match occupant.get() {
        None => Some(
            view! {
                <button class="btn" type="button" on:click=move |_| store.sit(seat)>
                    {text::seat::SIT}
                </button>
            }
            .into_any(),
        ),
        Some(_) if mine.get() => Some(
            view! {
                <button class="btn quiet" type="button" on:click=move |_| store.stand()>
                    {text::seat::STAND}
                </button>
            }
            .into_any(),
        ),
        Some(id) if host.get() => {
            Some(view! { <RemoveButton store=store id=id name=boards.name(seat) /> }.into_any())
        }
        Some(_) => None,
    };
    let team = move || match (store.my_seat().map(Seat::team), seat.team()) {
        (Some(mine), team) if mine == team => text::team::OURS(),
        (_, Team::One) => text::team::ONE(),
        (_, Team::Two) => text::team::TWO(),
    };
    view! {
        <div
            class="seat"
            class:you=move || mine.get()
            data-seat=seat.to_string()
            data-occupant=move || kind.get()
            data-away=move || away.get().then_some("")
        >
            <span class="disc" class:b=seat.color() == Color::Black></span>
            <span class="name">{name}</span>
            <small>
                <span class:ok=move || ready.get()>{facts}</span>
            </small>
            <span class="do">{actions}</span>
            {tied.then(|| view! { <span class="tie" data-team=team aria-hidden="true"></span> })}
        </div>
    }
}

/// Lets the host send a person away.
#[component]
fn RemoveButton(store: TableStore, id: PlayerId, name: Signal<String>) -> impl IntoView {
    let label = move || text::seat::remove(&name.get());
    view! {
        <button
            class="btn quiet icon"
            type="button"
            aria-label=label
            title=label
            on:click=move |_| store.remove(id)
        >
            <IconView icon=Icon::Close />
        </button>
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
    let navigate = use_navigate();
    let leave = move |_| {
        store.leave();
        navigate(&page::base_path(), Default::default());
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
    let (free, unready) = boards.store.seating().with(|seating| {
        let Some(seating) = seating else {
            return (0, Vec::new());
        };
        let free = Seat::ALL
            .into_iter()
            .filter(|seat| seating.is_free(*seat))
            .count();
        let unready =
            |seat: &Seat| seating.occupant(*seat).is_some() && !seating.ready[seat.index()];
        (
            free,
            Seat::ALL.into_iter().filter(unready).collect::<Vec<_>>(),
        )
    });
    match (seat, ready) {
        (None, _) if free > 0 => text::seat::TAKE_SEAT().to_owned(),
        _ if free > 0 => text::seat::waiting_people(u32::try_from(free).unwrap_or(0)),
        (Some(_), Some(false)) => text::seat::PRESS_READY().to_owned(),
        _ => {
            let names: Vec<_> = unready
                .into_iter()
                .map(|seat| boards.name(seat).get())
                .collect();
            text::seat::waiting_ready(&names.join(", "))
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
