//! The options that every match has, as fields: for the host of a table and for whoever plays alone.

use leptos::prelude::*;
use tandem_core::{Drops, Options, Promotion};

use super::fields::{Choice, MINUTES, Number, SECONDS, minutes, seconds, to_ms};
use crate::text;

/// Minutes and increment. `choose` is given the options as wanted, and says whether they are taken.
#[component]
pub fn TimeFields(
    options: Memo<Options>,
    #[prop(into)] enabled: Signal<bool>,
    choose: Callback<Options, bool>,
) -> impl IntoView {
    view! {
        <Number
            label=text::seat::MINUTES
            offers=&MINUTES
            range=("0.5", "60", "0.5")
            shown=Memo::new(move |_| minutes(options.get().base_ms))
            enabled=enabled
            choose=move |minutes: f64| {
                let base_ms = to_ms(minutes * 60.0);
                // Without clocks is a choice of its own, not a number of minutes.
                base_ms > 0 && choose.run(Options { base_ms, ..options.get_untracked() })
            }
        />
        <Number
            label=text::seat::INCREMENT
            offers=&SECONDS
            range=("0", "60", "1")
            shown=Memo::new(move |_| seconds(options.get().increment_ms))
            enabled=enabled
            choose=move |seconds: f64| {
                choose.run(Options { increment_ms: to_ms(seconds), ..options.get_untracked() })
            }
        />
    }
}

/// What drops may do, and what pawns become; `choose` as in [`TimeFields`].
#[component]
pub fn RuleFields(
    options: Memo<Options>,
    #[prop(into)] enabled: Signal<bool>,
    choose: Callback<Options, bool>,
) -> impl IntoView {
    view! {
        <Choice
            label=text::seat::DROPS
            choices=&[
                (Drops::Any, "any", text::seat::DROPS_ANY),
                (Drops::NoMate, "no-mate", text::seat::DROPS_NO_MATE),
                (Drops::NoCheck, "no-check", text::seat::DROPS_NO_CHECK),
            ]
            chosen=Memo::new(move |_| options.get().rules.drops)
            enabled=enabled
            choose=move |drops| {
                let mut wanted = options.get_untracked();
                wanted.rules.drops = drops;
                choose.run(wanted)
            }
        />
        <Choice
            label=text::seat::PROMOTION
            choices=&[
                (Promotion::Choose, "choose", text::seat::PROMOTION_CHOOSE),
                (Promotion::Trickle, "trickle", text::seat::PROMOTION_TRICKLE),
            ]
            chosen=Memo::new(move |_| options.get().rules.promotion)
            enabled=enabled
            choose=move |promotion| {
                let mut wanted = options.get_untracked();
                wanted.rules.promotion = promotion;
                choose.run(wanted)
            }
        />
    }
}
