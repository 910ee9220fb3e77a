//! The few requests that are made without the socket.

use leptos::prelude::window;
use leptos::wasm_bindgen::JsCast;
use tandem_core::TableCode;
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::Reflect;
use web_sys::{RequestInit, Response};

use crate::platform::page;

/// The relay gave no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTable;

/// Asks the relay for a fresh table.
///
/// # Errors
/// When the relay cannot be reached, or opens none.
pub async fn open_table() -> Result<TableCode, NoTable> {
    let options = RequestInit::new();
    options.set_method("POST");
    let request = window().fetch_with_str_and_init(&page::below_base("tables"), &options);
    let response = JsFuture::from(request).await.map_err(|_| NoTable)?;
    let response: Response = response.dyn_into().map_err(|_| NoTable)?;
    if !response.ok() {
        return Err(NoTable);
    }
    let body = JsFuture::from(response.json().map_err(|_| NoTable)?)
        .await
        .map_err(|_| NoTable)?;
    let code = Reflect::get(&body, &"code".into()).map_err(|_| NoTable)?;
    code.as_string()
        .and_then(|code| code.parse().ok())
        .ok_or(NoTable)
}
