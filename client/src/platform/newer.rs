//! What not every browser has: properties and methods that are looked for by name.

use leptos::wasm_bindgen::{JsCast, JsValue};
use web_sys::js_sys::{Function, Promise, Reflect};

/// A property that older browsers do not have, or that is missing on pages that are not secure.
pub fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    let value = Reflect::get(object, &JsValue::from_str(name)).ok()?;
    (!value.is_undefined() && !value.is_null()).then_some(value)
}

/// Calls a method that older browsers do not have; what it promises.
pub fn call(object: &JsValue, method: &str, argument: &JsValue) -> Option<Promise> {
    let method: Function = get(object, method)?.dyn_into().ok()?;
    method.call1(object, argument).ok()?.dyn_into().ok()
}
