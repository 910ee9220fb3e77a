//! Where in the program the reader is: the address below the page's base, and ways to change it
//! without loading the page anew.

use std::sync::OnceLock;

use leptos::prelude::*;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::{Element, HtmlAnchorElement, MouseEvent};

use super::page;

/// The path below the base, with a slash at its front.
static PATH: OnceLock<ArcRwSignal<String>> = OnceLock::new();

fn path() -> &'static ArcRwSignal<String> {
    PATH.get_or_init(|| ArcRwSignal::new(present()))
}

/// The path below the page's base; it changes with every step of the reader. Begins to listen to links
/// and to the browser's own buttons, so it is to be called once.
pub fn follow() -> ArcRwSignal<String> {
    let _ = window_event_listener_untyped("popstate", |_| path().set(present()));
    let _ = window_event_listener(leptos::ev::click, |event| {
        if let Some(inside) = inside_link(&event) {
            event.prevent_default();
            go(&inside);
        }
    });
    path().clone()
}

/// Goes to a path below the base, such as `/solo`.
pub fn go(to: &str) {
    let address = page::base_path() + to.trim_start_matches('/');
    let location = window().location();
    let now = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
    if address != now {
        // Refused only by a browser that is asked hundreds of times a minute; the page still follows.
        let pushed = window()
            .history()
            .and_then(|history| history.push_state_with_url(&JsValue::NULL, "", Some(&address)));
        if pushed.is_err() {
            return;
        }
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }
    path().set(present());
}

fn present() -> String {
    let whole = window().location().pathname().unwrap_or_default();
    let base = page::base_path();
    match whole.strip_prefix(base.trim_end_matches('/')) {
        Some(below) if below.starts_with('/') => below.to_owned(),
        _ => "/".to_owned(),
    }
}

/// Where a plain click on a link leads, if that is within the program.
fn inside_link(event: &MouseEvent) -> Option<String> {
    let plain = event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key());
    if !plain || event.default_prevented() {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let link = target.closest("a[href]").ok()??;
    let link = link.dyn_into::<HtmlAnchorElement>().ok()?;
    let here = window().location();
    let elsewhere = link.has_attribute("download")
        || !matches!(link.target().as_str(), "" | "_self")
        || link.origin() != here.origin().ok()?
        || !link.hash().is_empty();
    if elsewhere {
        return None;
    }
    let base = page::base_path();
    let below = link.pathname().strip_prefix(&base)?.to_owned();
    Some(format!("/{below}{}", link.search()))
}
