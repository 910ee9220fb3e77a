//! Fields for options: numbers in a range, and choices among few.

use leptos::prelude::*;
use leptos::web_sys::HtmlInputElement;

use crate::text::{self, Text};

/// Times that are often chosen, in minutes.
pub const MINUTES: [&str; 8] = ["0.5", "1", "2", "3", "5", "10", "20", "60"];
/// Increments that are often chosen, in seconds.
pub const SECONDS: [&str; 6] = ["0", "1", "2", "3", "5", "10"];

/// A number within a range, with some values on offer.
#[component]
pub fn Number(
    label: Text,
    offers: &'static [&'static str],
    /// The least, the greatest, and the step between.
    range: (&'static str, &'static str, &'static str),
    #[prop(into)] shown: Signal<String>,
    #[prop(into)] enabled: Signal<bool>,
    #[prop(into)] choose: Callback<f64, bool>,
) -> impl IntoView {
    let (min, max, step) = range;
    let wrong = RwSignal::new(false);
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
                aria-invalid=move || wrong.get().then_some("true")
                prop:value=move || shown.get()
                disabled=move || !enabled.get()
                on:change=move |event| {
                    // The browser reads the number: a reader of our own takes kilobytes of program.
                    let wanted = Some(event_target::<HtmlInputElement>(&event).value_as_number())
                        .filter(|wanted| !wanted.is_nan());
                    let taken = wanted.is_some_and(|wanted| choose.run(wanted));
                    wrong.set(!taken);
                    if !taken {
                        // What is out of range is not sent; the field shows again what holds.
                        let input: HtmlInputElement = event_target(&event);
                        input.set_value(&shown.get_untracked());
                    }
                }
            />
            <datalist id=list>{offers.collect::<Vec<_>>()}</datalist>
        </label>
        <p class="wrong-field" role="alert">
            {move || wrong.get().then(|| text::seat::out_of_range(max, min))}
        </p>
    }
}

/// One choice among few: what it means, its value in the page, and what it is called.
pub type Item<T> = (T, &'static str, Text);

/// A choice among few.
#[component]
pub fn Choice<T: Copy + PartialEq + Send + Sync + 'static>(
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
pub fn to_ms(seconds: f64) -> u32 {
    (seconds * 1_000.0).round().clamp(0.0, f64::from(u32::MAX)) as u32
}

/// Milliseconds as minutes, with a fraction if need be.
pub fn minutes(ms: u32) -> String {
    let thousandths = ms / 60;
    let fraction = format!(".{:03}", thousandths % 1_000);
    let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
    format!("{}{fraction}", thousandths / 1_000)
}

pub fn seconds(ms: u32) -> String {
    (ms / 1_000).to_string()
}
