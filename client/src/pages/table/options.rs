//! The options of the table: the host chooses, everyone sees them.

use leptos::prelude::*;
use leptos::web_sys::HtmlInputElement;
use tandem_core::{Drops, Options, Promotion};

use crate::store::{Seating, TableStore};
use crate::text::{self, Text};
use crate::ui::words;

/// Times that are often chosen, in minutes.
const MINUTES: [&str; 8] = ["0.5", "1", "2", "3", "5", "10", "20", "60"];
/// Increments that are often chosen, in seconds.
const SECONDS: [&str; 6] = ["0", "1", "2", "3", "5", "10"];

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
        let valid = wanted.validate().is_ok();
        if valid {
            store.set_options(wanted);
        }
        valid
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
                <Number
                    label=text::seat::MINUTES
                    offers=&MINUTES
                    range=("0.5", "60", "0.5")
                    shown=Memo::new(move |_| minutes(options.get().base_ms))
                    enabled=host
                    choose=move |minutes: f64| {
                        change(&|options| options.base_ms = to_ms(minutes * 60.0))
                    }
                />
                <Number
                    label=text::seat::INCREMENT
                    offers=&SECONDS
                    range=("0", "60", "1")
                    shown=Memo::new(move |_| seconds(options.get().increment_ms))
                    enabled=host
                    choose=move |seconds: f64| {
                        change(&|options| options.increment_ms = to_ms(seconds))
                    }
                />
                <Choice
                    label=text::seat::DROPS
                    choices=&[
                        (Drops::Any, "any", text::seat::DROPS_ANY),
                        (Drops::NoMate, "no-mate", text::seat::DROPS_NO_MATE),
                        (Drops::NoCheck, "no-check", text::seat::DROPS_NO_CHECK),
                    ]
                    chosen=Memo::new(move |_| options.get().rules.drops)
                    enabled=host
                    choose=move |drops| change(&|options| options.rules.drops = drops)
                />
                <Choice
                    label=text::seat::PROMOTION
                    choices=&[
                        (Promotion::Choose, "choose", text::seat::PROMOTION_CHOOSE),
                        (Promotion::Trickle, "trickle", text::seat::PROMOTION_TRICKLE),
                    ]
                    chosen=Memo::new(move |_| options.get().rules.promotion)
                    enabled=host
                    choose=move |promotion| change(&|options| options.rules.promotion = promotion)
                />
                <Choice
                    label=text::seat::TALK
                    choices=&[
                        (true, "on", text::seat::TALK_ON),
                        (false, "off", text::seat::TALK_OFF),
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

/// A number within a range, with some values on offer.
#[component]
fn Number(
    label: Text,
    offers: &'static [&'static str],
    /// The least, the greatest, and the step between.
    range: (&'static str, &'static str, &'static str),
    #[prop(into)] shown: Signal<String>,
    #[prop(into)] enabled: Signal<bool>,
    #[prop(into)] choose: Callback<f64, bool>,
) -> impl IntoView {
    let (min, max, step) = range;
    // Names the list of offers; the greatest step tells the two fields apart.
    let list = format!("offers-{step}");
    let offers = offers
        .iter()
        .map(|value| view! { <option value=*value></option> });
    view! {
        <label class="field">
            {label}
            <input
                class="input"
                type="number"
                inputmode="decimal"
                min=min
                max=max
                step=step
                list=list.clone()
                prop:value=move || shown.get()
                disabled=move || !enabled.get()
                on:change=move |event| {
                    let wanted = event_target_value(&event).parse::<f64>().ok();
                    if !wanted.is_some_and(|wanted| choose.run(wanted)) {
                        // What is out of range is not sent; the field shows again what holds.
                        let input: HtmlInputElement = event_target(&event);
                        input.set_value(&shown.get_untracked());
                    }
                }
            />
            <datalist id=list>{offers.collect::<Vec<_>>()}</datalist>
        </label>
    }
}

/// One choice among few: what it means, its value in the page, and what it is called.
type Item<T> = (T, &'static str, Text);

/// A choice among few.
#[component]
fn Choice<T: Copy + PartialEq + Send + Sync + 'static>(
    label: Text,
    choices: &'static [Item<T>],
    #[prop(into)] chosen: Signal<T>,
    #[prop(into)] enabled: Signal<bool>,
    #[prop(into)] choose: Callback<T, bool>,
) -> impl IntoView {
    let items = choices.iter().map(|&(value, name, words)| {
        view! {
            <option value=name prop:selected=move || chosen.get() == value>
                {words}
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
                    let name = event_target_value(&event);
                    if let Some((value, ..)) = choices.iter().find(|(_, known, _)| *known == name) {
                        choose.run(*value);
                    }
                }
            >
                {items.collect::<Vec<_>>()}
            </select>
        </label>
    }
}

/// Seconds as whole milliseconds; what is no sensible number becomes one that is out of range.
fn to_ms(seconds: f64) -> u32 {
    (seconds * 1_000.0).round().clamp(0.0, f64::from(u32::MAX)) as u32
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
