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
pub enum NoTable {
    /// The relay cannot be reached, or has come to grief.
    Unreachable,
    /// It opens no table now: too many were opened from here, or it has no room.
    Refused,
}

/// Asks the relay for a fresh table.
///
/// # Errors
/// When the relay cannot be reached, or opens none.
pub async fn open_table() -> Result<TableCode, NoTable> {
    let options = RequestInit::new();
    options.set_method("POST");
    let request = window().fetch_with_str_and_init(&page::below_base("tables"), &options);
    let response = JsFuture::from(request)
        .await
        .map_err(|_| NoTable::Unreachable)?;
    let response: Response = response.dyn_into().map_err(|_| NoTable::Unreachable)?;
    if !response.ok() {
        // Too many from here; or no room, no disk, a restart.
        let refused = matches!(response.status(), 403 | 429 | 503);
        return Err(if refused {
            NoTable::Refused
        } else {
            NoTable::Unreachable
        });
    }
    let body = JsFuture::from(response.json().map_err(|_| NoTable::Unreachable)?)
        .await
        .map_err(|_| NoTable::Unreachable)?;
    let code = Reflect::get(&body, &"code".into()).map_err(|_| NoTable::Unreachable)?;
    code.as_string()
        .and_then(|code| code.parse().ok())
        .ok_or(NoTable::Unreachable)
}
