//! Who looks on before the match.

use leptos::prelude::*;
use tandem_core::table::PlayerId;

use super::seat::RemoveButton;
use crate::store::{Seating, TableStore};
use crate::text;
use crate::ui::words;

/// Everyone who looks on, by name; the host can send each of them away.
#[component]
pub fn OnlookersCard(store: TableStore) -> impl IntoView {
    let seating = store.seating();
    let people = Memo::new(move |_| seating.with(|it| it.as_ref().map_or(Vec::new(), onlookers)));
    let host =
        Memo::new(move |_| seating.with(|seating| seating.as_ref().is_some_and(Seating::am_host)));
    let row = move |(id, name): (PlayerId, String)| {
        let shown = name.clone();
        let remove = move || {
            let name = name.clone();
            host.get().then(|| {
                let label = Signal::derive(move || text::seat::remove(&name));
                let remove = Callback::new(move |()| store.remove(id));
                view! { <RemoveButton label=label remove=remove /> }
            })
        };
        view! {
            <li>
                <span class="name">{shown}</span>
                {remove}
            </li>
        }
    };
    let any = Memo::new(move |_| people.with(|people| !people.is_empty()));
    move || {
        any.get().then(|| {
            let title = move || {
                let count = u32::try_from(people.with(Vec::len)).unwrap_or(u32::MAX);
                text::seat::spectators(count)
            };
            view! {
                <section class="card" aria-labelledby="onlookers">
                    <h2 id="onlookers">{title}</h2>
                    <ul class="onlookers">
                        <For each=move || people.get() key=Clone::clone children=row />
                    </ul>
                </section>
            }
        })
    }
}

/// Everyone who looks on but the reader, by the names the page shows.
fn onlookers(seating: &Seating) -> Vec<(PlayerId, String)> {
    seating
        .onlookers()
        .filter(|player| seating.me != Some(player.id))
        .map(|player| {
            let name = words::name_or_guest(&player.name, Some(player.id));
            (player.id, name)
        })
        .collect()
}
