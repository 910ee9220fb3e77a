//! The start of the program in steps, each a task of its own: between two of them the browser may
//! answer the reader. Until the last step is done, what `index.html` shows stays on the screen, and
//! what the steps build beside it is hidden.

use std::cell::Cell;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Event, HtmlElement};

use super::page;

thread_local! {
    /// How many steps are still to be done; `None` once the page is shown.
    static STEPS: Cell<Option<usize>> = const { Cell::new(Some(0)) };
}

/// Keeps the page from being shown as long as it lives.
pub struct Hold(());

/// Something is still to come before the page is shown; `None` once it is.
pub fn hold() -> Option<Hold> {
    let steps = STEPS.get()?;
    STEPS.set(Some(steps + 1));
    Some(Hold(()))
}

impl Drop for Hold {
    fn drop(&mut self) {
        // What was done is drawn before the next task.
        next_task(|| {
            let left = STEPS.get().unwrap_or_default().saturating_sub(1);
            STEPS.set(Some(left));
            if left == 0 {
                show();
            }
        });
    }
}

/// Does something in a task of its own, before the page is shown. `false` if that is too late; then
/// nothing is done.
pub fn step(act: impl FnOnce() + 'static) -> bool {
    let Some(hold) = hold() else {
        return false;
    };
    next_task(move || {
        act();
        drop(hold);
    });
    true
}

fn next_task(act: impl FnOnce() + 'static) {
    Timeout::new(0, act).forget();
}

/// Builds the program's views beside the shell.
pub fn mount<V: IntoView>(view: impl FnOnce() -> V + 'static) {
    let Some((root, body)) = document()
        .create_element("div")
        .ok()
        .and_then(|root| root.dyn_into::<HtmlElement>().ok())
        .zip(document().body())
    else {
        return;
    };
    root.set_id("app");
    root.set_hidden(true);
    // A body takes any element.
    let _ = body.append_child(&root);
    mount_to(root, view).forget();
}

/// Shows the program instead of the shell.
fn show() {
    STEPS.set(None);
    if let Some(root) = page::element("app") {
        root.set_hidden(false);
    }
    page::remove("shell");
    // For `index.html`, which has left its own work for afterwards.
    if let Ok(shown) = Event::new("tandem-shown") {
        let _ = window().dispatch_event(&shown);
    }
    // What was pressed while nothing could answer it.
    if let Some(pressed) = page::take_root_attribute("data-press") {
        page::press_described_by(&pressed);
    }
}
