//! The options of the table: the host chooses, everyone sees them.

use leptos::prelude::*;
use tandem_core::{Drops, Options, Promotion};

use crate::store::{Seating, TableStore};
use crate::text::{self, Text};
use crate::ui::words;

/// The times on offer, in milliseconds.
const BASES: [u32; 10] = [
    30_000, 60_000, 120_000, 180_000, 300_000, 600_000, 900_000, 1_200_000, 1_800_000, 3_600_000,
];
/// The increments on offer, in milliseconds.
const INCREMENTS: [u32; 10] = [
    0, 1_000, 2_000, 3_000, 5_000, 10_000, 15_000, 20_000, 30_000, 60_000,
];

/// The options, as fields that only the host can change.
#[component]
pub fn OptionsCard(store: TableStore) -> impl IntoView {
    let options = Memo::new(move |_| {
        store.seating().with(|seating| {
            seating
                .as_ref()
                .map_or_else(Options::default, |seating| seating.options)
        })
    });
    let host = Memo::new(move |_| {
        store
            .seating()
            .with(|seating| seating.as_ref().is_some_and(Seating::am_host))
    });
    let change = move |change: &dyn Fn(&mut Options)| {
        let mut wanted = options.get_untracked();
        change(&mut wanted);
        store.set_options(wanted);
    };
    let who = move || {
        if host.get() {
            return text::seat::HOST_YOU().to_owned();
        }
        let name = store.seating().with(|seating| {
            let seating = seating.as_ref()?;
            Some(words::person_name(seating, seating.players.first()?.id))
        });
        text::seat::host_other(&name.unwrap_or_default())
    };
    let base = Memo::new(move |_| options.get().base_ms);
    let increment = Memo::new(move |_| options.get().increment_ms);
    view! {
        <section class="card" aria-labelledby="options">
            <h2 id="options">{text::seat::OPTIONS}</h2>
            <div class="opts">
                <Choice
                    label=text::seat::MINUTES
                    choices=numbers(&BASES, minutes)
                    more=move || other(&BASES, base.get(), minutes)
                    chosen=base
                    enabled=host
                    choose=move |ms| change(&|options| options.base_ms = ms)
                />
                <Choice
                    label=text::seat::INCREMENT
                    choices=numbers(&INCREMENTS, seconds)
                    more=move || other(&INCREMENTS, increment.get(), seconds)
                    chosen=increment
                    enabled=host
                    choose=move |ms| change(&|options| options.increment_ms = ms)
                />
                <Choice
                    label=text::seat::DROPS
                    choices=vec![
                        (Drops::Any, "any".to_owned(), Words::Text(text::seat::DROPS_ANY)),
                        (Drops::NoMate, "no-mate".to_owned(), Words::Text(text::seat::DROPS_NO_MATE)),
                        (Drops::NoCheck, "no-check".to_owned(), Words::Text(text::seat::DROPS_NO_CHECK)),
                    ]
                    chosen=Memo::new(move |_| options.get().rules.drops)
                    enabled=host
                    choose=move |drops| change(&|options| options.rules.drops = drops)
                />
                <Choice
                    label=text::seat::PROMOTION
                    choices=vec![
                        (Promotion::Choose, "choose".to_owned(), Words::Text(text::seat::PROMOTION_CHOOSE)),
                        (Promotion::Trickle, "trickle".to_owned(), Words::Text(text::seat::PROMOTION_TRICKLE)),
                    ]
                    chosen=Memo::new(move |_| options.get().rules.promotion)
                    enabled=host
                    choose=move |promotion| change(&|options| options.rules.promotion = promotion)
                />
                <Choice
                    label=text::seat::TALK
                    choices=vec![
                        (true, "on".to_owned(), Words::Text(text::seat::TALK_ON)),
                        (false, "off".to_owned(), Words::Text(text::seat::TALK_OFF)),
                    ]
                    chosen=Memo::new(move |_| options.get().talk)
                    enabled=host
                    choose=move |talk| change(&|options| options.talk = talk)
                />
            </div>
            <p class="host">{who}</p>
        </section>
    }
}

/// What a choice is called.
#[derive(Clone)]
enum Words {
    /// A message of the catalogue.
    Text(Text),
    /// A number, the same in every language.
    Number(String),
}

/// A choice: what it means, its value in the page, and what it is called.
type Item<T> = (T, String, Words);

/// One choice among few.
#[component]
fn Choice<T: Copy + PartialEq + Send + Sync + 'static>(
    label: Text,
    choices: Vec<Item<T>>,
    /// What holds although it is not on offer.
    #[prop(optional, into)]
    more: Option<Callback<(), Option<Item<T>>>>,
    #[prop(into)] chosen: Signal<T>,
    #[prop(into)] enabled: Signal<bool>,
    #[prop(into)] choose: Callback<T>,
) -> impl IntoView {
    let item = move |(value, name, words): Item<T>| {
        view! {
            <option value=name prop:selected=move || chosen.get() == value>
                {move || match &words {
                    Words::Text(text) => text().to_owned(),
                    Words::Number(number) => number.clone(),
                }}
            </option>
        }
    };
    let values: Vec<_> = choices
        .iter()
        .map(|(value, name, _)| (*value, name.clone()))
        .collect();
    view! {
        <label class="field">
            {label}
            <select
                class="input"
                disabled=move || !enabled.get()
                on:change=move |event| {
                    let name = event_target_value(&event);
                    if let Some((value, _)) = values.iter().find(|(_, known)| *known == name) {
                        choose.run(*value);
                    }
                }
            >
                {choices.into_iter().map(item).collect::<Vec<_>>()}
                {move || more.and_then(|more| more.run(())).map(item)}
            </select>
        </label>
    }
}

fn numbers(values: &[u32], write: fn(u32) -> String) -> Vec<Item<u32>> {
    values
        .iter()
        .map(|ms| (*ms, write(*ms), Words::Number(write(*ms))))
        .collect()
}

fn other(values: &[u32], ms: u32, write: fn(u32) -> String) -> Option<Item<u32>> {
    (!values.contains(&ms)).then(|| (ms, write(ms), Words::Number(write(ms))))
}

/// Milliseconds as minutes, with a fraction if need be.
fn minutes(ms: u32) -> String {
    (f64::from(ms) / 60_000.0).to_string()
}

fn seconds(ms: u32) -> String {
    (ms / 1_000).to_string()
}

/// The clocks in a few words.
pub fn clock_kind(options: &Options) -> String {
    text::seat::clock_kind(&seconds(options.increment_ms), &minutes(options.base_ms))
}
