//! What the host can do about several seats at once: fill them with bots, deal them anew.

use leptos::prelude::*;
use tandem_core::Seat;
use tandem_core::bot::Level;

use crate::store::{Seating, TableStore, remember_level};
use crate::text;
use crate::ui::level::LevelChoice;

/// The level of the next bots, all free seats at once, and who sits with whom; for the host.
#[component]
pub fn BotsCard(
    store: TableStore,
    /// How well the next bot is to play.
    level: RwSignal<Level>,
) -> impl IntoView {
    let host = Memo::new(move |_| {
        store
            .seating()
            .with(|seating| seating.as_ref().is_some_and(Seating::am_host))
    });
    let bots = Memo::new(move |_| store.bots_allowed());
    let free = move || {
        store.seating().with(|seating| {
            let is_free = |seat: &Seat| seating.as_ref().is_some_and(|it| it.is_free(*seat));
            Seat::ALL.into_iter().filter(is_free).collect::<Vec<_>>()
        })
    };
    let full = Memo::new(move |_| free().is_empty());
    let fill = move |_| {
        for seat in untrack(free) {
            store.add_bot(seat, level.get_untracked());
        }
    };
    let choose = Callback::new(move |wanted| {
        remember_level(wanted);
        level.set(wanted);
    });
    move || {
        host.get().then(|| {
            view! {
                <section class="card" aria-labelledby="seats">
                    <h2 id="seats">{text::seat::PLAN}</h2>
                    {bots
                        .get()
                        .then(|| {
                            view! {
                                <div class="opts">
                                    <label class="field wide">
                                        {text::bot::LEVEL}
                                        <LevelChoice
                                            class="input"
                                            chosen=level.into()
                                            choose=choose
                                        />
                                    </label>
                                </div>
                            }
                        })}
                    <div class="pair">
                        {bots
                            .get()
                            .then(|| {
                                view! {
                                    <button
                                        class="btn"
                                        type="button"
                                        disabled=move || full.get()
                                        on:click=fill
                                    >
                                        {text::bot::FILL}
                                    </button>
                                }
                            })}
                        <button class="btn" type="button" on:click=move |_| store.swap_partners()>
                            {text::end::SWAP_PARTNERS}
                        </button>
                    </div>
                    {bots.get().then(|| view! { <p class="host">{text::bot::HINT}</p> })}
                </section>
            }
        })
    }
}
