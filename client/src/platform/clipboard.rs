//! Handing a link on: by the clipboard, or by whatever the device shares things with.

use leptos::prelude::window;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::{Object, Reflect};

use super::newer;

/// Copies a text. False if the browser does not let us; it does so only on secure pages.
pub async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    // On a page that is not secure the property is missing, whatever its type says.
    newer::get(&navigator, "clipboard").is_some()
        && JsFuture::from(navigator.clipboard().write_text(text))
            .await
            .is_ok()
}

/// Whether the device has a way of its own to share things.
pub fn can_share() -> bool {
    newer::get(&window().navigator(), "share").is_some()
}

/// Offers an address to be shared. Whether it was is for the reader to know.
pub fn share(url: &str) {
    let what = Object::new();
    // A new object takes any property.
    let _ = Reflect::set(&what, &JsValue::from_str("url"), &JsValue::from_str(url));
    if let Some(shared) = newer::call(&window().navigator(), "share", &what) {
        spawn_local(async move {
            // Who changes their mind rejects the promise; that is no fault.
            let _ = JsFuture::from(shared).await;
        });
    }
}
