//! One seat before the match.

use leptos::prelude::*;
use tandem_core::bot::Level;
use tandem_core::{Color, Seat, Team};

use super::boards::{Boards, here};
use crate::store::{Seating, remember_level};
use crate::text;
use crate::ui::icon::{Icon, IconView};
use crate::ui::level::LevelChoice;
use crate::ui::words;

/// One seat: who sits there, and what the reader can do about it.
#[component]
pub fn SeatCard(
    boards: Boards,
    seat: Seat,
    /// The line to the partner's seat begins here.
    tied: bool,
    /// How well the next bot is to play.
    level: RwSignal<Level>,
) -> impl IntoView {
    let store = boards.store;
    let seating = store.seating();
    let occupant = Memo::new(move |_| {
        seating.with(|seating| seating.as_ref().and_then(|it| it.occupant(seat)))
    });
    let bot = Memo::new(move |_| {
        seating.with(|seating| seating.as_ref().and_then(|it| it.bots[seat.index()]))
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
            (None, ..) => {
                let Some(level) = bot.get() else {
                    return words::seat(seat);
                };
                let bot = text::person::bot(&level.to_string());
                return if partner.get() {
                    s::partner_bot(&bot)
                } else {
                    bot
                };
            }
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
    let sit = move || {
        occupant.get().is_none().then(|| {
            view! {
                <button class="btn" type="button" on:click=move |_| store.sit(seat)>
                    {text::seat::SIT}
                </button>
            }
        })
    };
    let stand = move || {
        mine.get().then(|| {
            view! {
                <button class="btn quiet" type="button" on:click=move |_| store.stand()>
                    {text::seat::STAND}
                </button>
            }
        })
    };
    let has_bot = Memo::new(move |_| bot.get().is_some());
    let by_host = move || match (occupant.get(), has_bot.get()) {
        _ if !host.get() || mine.get() => None,
        (Some(id), _) => {
            let label = Signal::derive(move || text::seat::remove(&boards.name(seat).get()));
            let remove = Callback::new(move |()| store.remove(id));
            Some(view! { <RemoveButton label=label remove=remove /> }.into_any())
        }
        (None, true) => {
            let label = Signal::derive(|| text::bot::REMOVE().to_owned());
            let remove = Callback::new(move |()| store.remove_bot(seat));
            Some(view! { <RemoveButton label=label remove=remove /> }.into_any())
        }
        (None, false) if !store.bots_allowed() => None,
        (None, false) => {
            let add = move |_| store.add_bot(seat, level.get_untracked());
            Some(
                view! {
                    <button class="btn" type="button" on:click=add>
                        {text::bot::ADD}
                    </button>
                }
                .into_any(),
            )
        }
    };
    let below = move || {
        if host.get() && has_bot.get() {
            let chosen = Signal::derive(move || bot.get().unwrap_or_else(|| level.get()));
            let choose = Callback::new(move |wanted| {
                remember_level(wanted);
                level.set(wanted);
                store.add_bot(seat, wanted);
            });
            view! { <LevelChoice class="input level" chosen=chosen choose=choose /> }.into_any()
        } else {
            view! {
                <small>
                    <span class:ok=move || ready.get()>{facts}</span>
                </small>
            }
            .into_any()
        }
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
            // What the place on the page and the disc show: board, colour and team.
            role="group"
            aria-label=move || format!("{}, {}", words::seat(seat), team())
            data-seat=seat.to_string()
            data-occupant=move || kind.get()
            data-away=move || away.get().then_some("")
        >
            <span class="disc" class:b=seat.color() == Color::Black></span>
            <span class="name">{name}</span>
            {below}
            <span class="do">{sit} {stand} {by_host}</span>
            {tied.then(|| view! { <span class="tie" data-team=team aria-hidden="true"></span> })}
        </div>
    }
}

/// Lets the host send somebody away.
#[component]
pub fn RemoveButton(label: Signal<String>, remove: Callback<()>) -> impl IntoView {
    view! {
        <button
            class="btn quiet icon"
            type="button"
            aria-label=label
            title=label
            on:click=move |_| remove.run(())
        >
            <IconView icon=Icon::Close />
        </button>
    }
}
