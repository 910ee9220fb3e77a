//! What the browser remembers. Where storage is refused, nothing is remembered and nothing breaks.

use leptos::prelude::window;
use leptos::web_sys::Storage;

fn store() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Whether anything is remembered at all: not in a private window of some browsers, nor where storage
/// is switched off.
pub fn works() -> bool {
    const PROBE: &str = "tandem.probe";
    store().is_some_and(|store| {
        let written = store.set_item(PROBE, "").is_ok();
        written && store.remove_item(PROBE).is_ok()
    })
}

/// The value remembered under `key`.
pub fn get(key: &str) -> Option<String> {
    store()?.get_item(key).ok().flatten()
}

/// Remembers a value.
pub fn set(key: &str, value: &str) {
    if let Some(store) = store() {
        // Fails when the storage is full or closed; then the value lasts as long as the page.
        let _ = store.set_item(key, value);
    }
}

/// Forgets a value.
pub fn remove(key: &str) {
    if let Some(store) = store() {
        let _ = store.remove_item(key);
    }
}

fn tab_store() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

/// The value remembered under `key` for this tab alone.
pub fn get_for_tab(key: &str) -> Option<String> {
    tab_store()?.get_item(key).ok().flatten()
}

/// Remembers a value for this tab alone.
pub fn set_for_tab(key: &str, value: &str) {
    if let Some(store) = tab_store() {
        let _ = store.set_item(key, value);
    }
}

/// Forgets a value of this tab.
pub fn forget_for_tab(key: &str) {
    if let Some(store) = tab_store() {
        let _ = store.remove_item(key);
    }
}
