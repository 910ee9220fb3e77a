//! The options of the table: the host chooses, everyone sees them.

use leptos::prelude::*;
use tandem_core::Options;

use crate::store::{Seating, TableStore};
use crate::text;
use crate::ui::fields::{Choice, minutes, seconds};
use crate::ui::option_fields::{RuleFields, TimeFields};
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
    let choose = Callback::new(move |wanted: Options| {
        let valid = wanted.validate().is_ok();
        if valid {
            store.set_options(wanted);
        }
        valid
    });
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
    let public = Memo::new(move |_| {
        store
            .seating()
            .with(|seating| seating.as_ref().is_some_and(|seating| seating.public))
    });
    let list = move || {
        store.list_allowed().then(|| {
            view! {
                <Choice
                    label=text::seat::OPEN_TO
                    choices=&[
                        (false, "link", text::seat::OPEN_TO_LINK),
                        (true, "everyone", text::seat::OPEN_TO_EVERYONE),
                    ]
                    chosen=public
                    enabled=host
                    choose=move |public| {
                        store.set_public(public);
                        true
                    }
                />
            }
        })
    };
    view! {
        <section class="card" aria-labelledby="options">
            <h2 id="options">{text::seat::OPTIONS}</h2>
            <div class="opts">
                <TimeFields options=options enabled=host choose=choose />
                <RuleFields options=options enabled=host choose=choose />
                <Choice
                    label=text::seat::TALK
                    choices=&[
                        (true, "on", text::seat::TALK_ON),
                        (false, "off", text::seat::TALK_OFF),
                    ]
                    chosen=Memo::new(move |_| options.get().talk)
                    enabled=host
                    choose=move |talk| choose.run(Options { talk, ..options.get_untracked() })
                />
                {list}
            </div>
            <p class="host">{who}</p>
        </section>
    }
}

/// The clocks in a few words.
pub fn clock_kind(options: &Options) -> String {
    text::seat::clock_kind(&seconds(options.increment_ms), &minutes(options.base_ms))
}
