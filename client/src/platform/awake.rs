//! Keeps the screen from going dark.

use leptos::prelude::window;
use leptos::wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::newer;

/// A screen that stays awake until this is dropped, or the page is hidden.
pub struct Awake(JsValue);

impl Awake {
    /// Asks for it. `None` where the browser does not do that, or not now.
    pub async fn ask() -> Option<Self> {
        let keeper = newer::get(&window().navigator(), "wakeLock")?;
        let promise = newer::call(&keeper, "request", &JsValue::from_str("screen"))?;
        JsFuture::from(promise).await.ok().map(Self)
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        newer::call(&self.0, "release", &JsValue::UNDEFINED);
    }
}
