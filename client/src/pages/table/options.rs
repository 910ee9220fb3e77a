//! The options of the table: the host chooses, everyone sees them.

use leptos::prelude::*;
use tandem_core::{Drops, Options, Promotion};

use crate::store::{Seating, TableStore};
use crate::text;
use crate::ui::fields::{Choice, MINUTES, Number, SECONDS, minutes, seconds, to_ms};
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

/// The clocks in a few words.
pub fn clock_kind(options: &Options) -> String {
    text::seat::clock_kind(&seconds(options.increment_ms), &minutes(options.base_ms))
}
