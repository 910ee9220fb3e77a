//! The options of the table: the host chooses, everyone sees them.

use leptos::ev::Event;
use leptos::prelude::*;
use leptos::web_sys::HtmlInputElement;
use tandem_core::{Drops, Options, Promotion};

use crate::store::{Seating, TableStore};
use crate::text::{self, Text};
use crate::ui::words;

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
    // What is out of range is not sent; the field goes back to what holds.
    let change = move |event: &Event, change: &dyn Fn(&mut Options)| {
        let mut wanted = options.get_untracked();
        change(&mut wanted);
        if wanted.validate().is_ok() {
            store.set_options(wanted);
        } else {
            let now = options.get_untracked();
            let input: HtmlInputElement = event_target(event);
            input.set_value(&if input.name() == "minutes" {
                minutes(&now)
            } else {
                seconds(&now)
            });
        }
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
    view! {
        <section class="card" aria-labelledby="options">
            <h2 id="options">{text::seat::OPTIONS}</h2>
            <div class="opts">
                <label class="field">
                    {text::seat::MINUTES}
                    <input
                        class="input"
                        type="number"
                        name="minutes"
                        min="0.5"
                        max="60"
                        step="0.5"
                        prop:value=move || minutes(&options.get())
                        disabled=move || !host.get()
                        on:change=move |event| {
                            let minutes: f64 = event_target_value(&event).parse().unwrap_or(0.0);
                            // Half minutes; a value out of range stays so, and is not sent.
                            let halves = (minutes * 2.0).round().clamp(0.0, 1_000.0) as u32;
                            change(&event, &|options| options.base_ms = halves * 30_000);
                        }
                    />
                </label>
                <label class="field">
                    {text::seat::INCREMENT}
                    <input
                        class="input"
                        type="number"
                        name="increment"
                        min="0"
                        max="60"
                        step="1"
                        prop:value=move || seconds(&options.get())
                        disabled=move || !host.get()
                        on:change=move |event| {
                            let seconds: u32 = event_target_value(&event).parse().unwrap_or(1_000);
                            change(&event, &|options| options.increment_ms = seconds.saturating_mul(1_000));
                        }
                    />
                </label>
                <Choice
                    label=text::seat::DROPS
                    choices=&[
                        (Drops::Any, text::seat::DROPS_ANY),
                        (Drops::NoMate, text::seat::DROPS_NO_MATE),
                        (Drops::NoCheck, text::seat::DROPS_NO_CHECK),
                    ]
                    chosen=Signal::derive(move || options.get().rules.drops)
                    enabled=host
                    choose=move |drops| {
                        let mut wanted = options.get_untracked();
                        wanted.rules.drops = drops;
                        store.set_options(wanted);
                    }
                />
                <Choice
                    label=text::seat::PROMOTION
                    choices=&[
                        (Promotion::Choose, text::seat::PROMOTION_CHOOSE),
                        (Promotion::Trickle, text::seat::PROMOTION_TRICKLE),
                    ]
                    chosen=Signal::derive(move || options.get().rules.promotion)
                    enabled=host
                    choose=move |promotion| {
                        let mut wanted = options.get_untracked();
                        wanted.rules.promotion = promotion;
                        store.set_options(wanted);
                    }
                />
                <Choice
                    label=text::seat::TALK
                    choices=&[(true, text::seat::TALK_ON), (false, text::seat::TALK_OFF)]
                    chosen=Signal::derive(move || options.get().talk)
                    enabled=host
                    choose=move |talk| {
                        let mut wanted = options.get_untracked();
                        wanted.talk = talk;
                        store.set_options(wanted);
                    }
                />
            </div>
            <p class="host">{who}</p>
        </section>
    }
}

/// One choice among few.
#[component]
fn Choice<T: Copy + PartialEq + Send + Sync + 'static>(
    label: Text,
    choices: &'static [(T, Text)],
    chosen: Signal<T>,
    #[prop(into)] enabled: Signal<bool>,
    #[prop(into)] choose: Callback<T>,
) -> impl IntoView {
    let items = choices.iter().enumerate().map(|(index, (value, words))| {
        let value = *value;
        view! {
            <option value=index.to_string() selected=move || chosen.get() == value>
                {*words}
            </option>
        }
    });
    view! {
        <label class="field">
            {label}
            <select
                class="input"
                disabled=move || !enabled.get()
                on:change=move |event| {
                    let index = event_target_value(&event).parse::<usize>().ok();
                    if let Some((value, _)) = index.and_then(|index| choices.get(index)) {
                        choose.run(*value);
                    }
                }
            >
                {items.collect::<Vec<_>>()}
            </select>
        </label>
    }
}

/// The time of an option in minutes, with a half if need be.
fn minutes(options: &Options) -> String {
    (f64::from(options.base_ms) / 60_000.0).to_string()
}

fn seconds(options: &Options) -> String {
    (options.increment_ms / 1_000).to_string()
}

/// The clocks in a few words.
pub fn clock_kind(options: &Options) -> String {
    text::seat::clock_kind(&seconds(options), &minutes(options))
}
