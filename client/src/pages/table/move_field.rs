//! The field in which a move can be typed, for now or as a premove.

use leptos::html;
use leptos::prelude::*;

use crate::store::TableStore;
use crate::text;

/// The field; only players have one, and only while they can play.
#[component]
pub fn MoveField(store: TableStore) -> impl IntoView {
    let may = Memo::new(move |_| store.may_plan().get());
    let field = NodeRef::<html::Input>::new();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if let Some(field) = field.get_untracked()
            && store.play_text(field.value().trim())
        {
            field.set_value("");
        }
    };
    move || {
        may.get().then(|| {
            view! {
                <form class="move-field" on:submit=submit>
                    <input
                        class="input"
                        node_ref=field
                        aria-label=text::game::MOVE_FIELD
                        placeholder=text::game::MOVE_EXAMPLE
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        enterkeyhint="go"
                        on:keydown=move |event| {
                            if event.key() == "Escape" {
                                event.prevent_default();
                                if let Some(field) = field.get_untracked().filter(|it| !it.value().is_empty()) {
                                    field.set_value("");
                                } else {
                                    store.forget_premoves();
                                }
                            }
                        }
                    />
                </form>
            }
        })
    }
}
