//! A question before something that cannot be taken back.

use leptos::html;
use leptos::prelude::*;

use crate::text::{self, Text};

/// A modal question with two answers: to do it, or to play on.
#[component]
pub fn Confirm(
    /// Set to ask; taken back with the answer.
    open: RwSignal<bool>,
    /// The question.
    title: Text,
    /// What follows from a yes.
    why: Text,
    /// The name of the deed, on its button.
    yes: Text,
    /// Does it.
    #[prop(into)]
    act: Callback<()>,
) -> impl IntoView {
    view! {
        <Dialog open=open label=title class="confirm">
            <h2>{title}</h2>
            <p>{why}</p>
            <div class="row">
                <button class="btn" type="button" on:click=move |_| open.set(false)>
                    {text::game::PLAY_ON}
                </button>
                <button
                    class="btn danger"
                    type="button"
                    on:click=move |_| {
                        open.set(false);
                        act.run(());
                    }
                >
                    {yes}
                </button>
            </div>
        </Dialog>
    }
}

/// A modal dialog, open while the signal is true.
#[component]
pub fn Dialog(
    /// Set to open; taken back when it is closed.
    open: RwSignal<bool>,
    /// What it is called.
    label: Text,
    /// Its classes.
    class: &'static str,
    children: Children,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        if open.get() && !dialog.open() {
            // Fails only if the dialog is open already.
            let _ = dialog.show_modal();
        } else if !open.get() && dialog.open() {
            dialog.close();
        }
    });
    view! {
        <dialog class=class node_ref=dialog aria-label=label on:close=move |_| open.set(false)>
            {children()}
        </dialog>
    }
}
