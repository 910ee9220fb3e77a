//! Copying to the clipboard.

use leptos::prelude::window;
use leptos::wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::Reflect;

/// Copies a text. False if the browser does not let us; it does so only on secure pages.
pub async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    // On a page that is not secure the property is missing, whatever its type says.
    let there =
        Reflect::get(&navigator, &JsValue::from_str("clipboard")).is_ok_and(|it| it.is_object());
    there
        && JsFuture::from(navigator.clipboard().write_text(text))
            .await
            .is_ok()
}
