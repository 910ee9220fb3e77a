//! The end of a match: who won, by which rule, and what now.

use leptos::prelude::*;
use tandem_core::table::{Arrangement, End, RematchWish};
use tandem_core::{Seat, Team};

use super::boards::Boards;
use super::panel::MenuButton;
use crate::platform::router;
use crate::store::{Seating, TableStore};
use crate::text;
use crate::ui::icon::{Icon, IconView};
use crate::ui::words;

/// The end panel, once there is an end.
#[component]
pub fn ResultView(boards: Boards) -> impl IntoView {
    let store = boards.store;
    let end = Memo::new(move |_| {
        store
            .game()
            .with(|game| game.as_ref().and_then(|game| game.end))
    });
    move || {
        end.get()
            .filter(|_| boards.ended.get())
            .map(|end| view! { <EndPanel boards=boards end=end /> })
    }
}

#[component]
fn EndPanel(boards: Boards, end: End) -> impl IntoView {
    let store = boards.store;
    let team = Memo::new(move |_| store.my_seat().map(|seat| seat.team()));
    let outcome = move || match (end.winner, team.get()) {
        (None, _) => "draw",
        (Some(winner), Some(mine)) if winner != mine => "loss",
        _ => "win",
    };
    let title = move || match (end.winner, team.get()) {
        (None, _) => text::end::DRAW().to_owned(),
        (Some(winner), Some(mine)) if winner == mine => text::end::OUR_WIN().to_owned(),
        (Some(_), Some(_)) => text::end::OUR_LOSS().to_owned(),
        (Some(winner), None) => {
            let [one, two] = winner.seats().map(|seat| boards.name(seat).get());
            text::end::names_won(&one, &two)
        }
    };
    let why = move || words::end(&end, |seat| boards.name(seat).get());
    let full = is_full(store);
    let wish = wish(store);
    let wanted = move || {
        let Some(wish) = wish.get() else {
            return if full.get() {
                String::new()
            } else {
                text::end::SEAT_FREE().to_owned()
            };
        };
        let count = wish
            .wanted
            .into_iter()
            .filter(|wanted| *wanted)
            .count()
            .to_string();
        let all = store
            .seating()
            .with(|seating| seating.as_ref().map_or(0, Seating::people_seated))
            .to_string();
        match wish.arrangement {
            Arrangement::Same => text::end::wanted(&all, &count),
            Arrangement::SwapPartners => text::end::wanted_swap(&all, &count),
            Arrangement::SwapColors => text::end::wanted_colors(&all, &count),
        }
    };
    let seated = Memo::new(move |_| store.my_seat().is_some());
    let host = Memo::new(move |_| {
        store
            .seating()
            .with(|seating| seating.as_ref().is_some_and(Seating::am_host))
    });
    let again = move || {
        seated.get().then(|| {
            view! {
                <RematchButton store=store arrangement=Arrangement::Same class="btn primary">
                    <IconView icon=Icon::Rematch />
                    {text::end::REMATCH}
                </RematchButton>
                <RematchButton store=store arrangement=Arrangement::SwapPartners class="btn more">
                    {text::end::SWAP_PARTNERS}
                </RematchButton>
                <RematchButton store=store arrangement=Arrangement::SwapColors class="btn more">
                    {text::end::SWAP_COLORS}
                </RematchButton>
            }
        })
    };
    let to_seats = move || {
        (seated.get() || host.get()).then(|| {
            view! {
                <button
                    class="btn"
                    type="button"
                    title=move || (!store.is_alone()).then(text::end::TO_SEATS_HINT)
                    on:click=move |_| store.to_lobby()
                >
                    {if store.is_alone() { text::solo::CHOOSE } else { text::end::TO_SEATS }}
                </button>
            }
        })
    };
    let leave = move |_| {
        store.leave();
        router::go("/");
    };
    view! {
        <section
            class="result"
            id="result"
            role="alert"
            data-result=end.rule.as_str()
            data-winner=end.winner.map_or("none", |team| if team == Team::One { "1" } else { "2" })
            data-outcome=outcome
        >
            <div>
                <h2>{title}</h2>
                <p>
                    {why} " " <span class="wanted" aria-live="polite">
                        {wanted}
                    </span>
                </p>
            </div>
            <div class="row">
                {again} {to_seats}
                <button class="btn only-narrow" type="button" popovertarget="moves">
                    {text::game::MOVES}
                </button>
                <button class="btn only-narrow talk-open" type="button" popovertarget="talk">
                    {text::tell::TALK}
                </button>
                <button class="btn only-narrow leave" type="button" on:click=leave>
                    {text::game::LEAVE}
                </button>
                <MenuButton />
            </div>
        </section>
    }
}

/// Whether somebody is on every seat, as another match needs it.
fn is_full(store: TableStore) -> Memo<bool> {
    Memo::new(move |_| {
        store.seating().with(|seating| {
            seating
                .as_ref()
                .is_some_and(|seating| Seat::ALL.into_iter().all(|seat| !seating.is_free(seat)))
        })
    })
}

/// What those who want another match want.
fn wish(store: TableStore) -> Memo<Option<RematchWish>> {
    Memo::new(move |_| {
        store
            .seating()
            .with(|seating| seating.as_ref().and_then(|seating| seating.rematch))
    })
}

/// Asks for another match.
#[component]
pub fn RematchButton(
    store: TableStore,
    arrangement: Arrangement,
    class: &'static str,
    /// Whether it closes the menu, in which it is.
    #[prop(optional)]
    in_menu: bool,
    children: Children,
) -> impl IntoView {
    let (full, wish) = (is_full(store), wish(store));
    let wish = move || wish.get().filter(|wish| wish.arrangement == arrangement);
    let mine = move || {
        wish()
            .zip(store.my_seat())
            .is_some_and(|(wish, seat)| wish.wanted[seat.index()])
    };
    view! {
        <button
            class=class
            // What somebody else wants has its button even where there is little room.
            class:asked=move || wish().is_some()
            type="button"
            disabled=move || !full.get()
            aria-pressed=move || if mine() { "true" } else { "false" }
            popovertarget=in_menu.then_some("acts")
            popovertargetaction=in_menu.then_some("hide")
            on:click=move |_| store.rematch(arrangement)
        >
            {children()}
        </button>
    }
}
