//! The few requests that are made without the socket.

use leptos::prelude::window;
use leptos::wasm_bindgen::{JsCast, JsValue};
use tandem_core::{Options, Rules, TableCode};
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::{Array, Reflect};
use web_sys::{RequestInit, Response};

use crate::platform::page;

/// The relay gave no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTable {
    /// The relay cannot be reached, or has come to grief.
    Unreachable,
    /// It opens no table now: too many were opened from here, or it has no room.
    Refused,
    /// It opens none for this address or this site.
    Blocked,
}

/// The text of a file of the client. `None` if it cannot be had.
pub async fn text(path: &str) -> Option<String> {
    let request = window().fetch_with_str(&page::below_base(path));
    let response: Response = JsFuture::from(request).await.ok()?.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    JsFuture::from(response.text().ok()?)
        .await
        .ok()?
        .as_string()
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
        return Err(match response.status() {
            403 => NoTable::Blocked,
            // Too many from here; or no room, no disk, a restart.
            429 | 503 => NoTable::Refused,
            _ => NoTable::Unreachable,
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

/// A table to which anybody may come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTable {
    /// Its code.
    pub code: TableCode,
    /// The names of those who sit there and have given one.
    pub names: Vec<String>,
    /// How many seats people have.
    pub people: u32,
    /// How many seats bots have; they give way.
    pub bots: u32,
    /// How many seats nobody has.
    pub free: u32,
    /// What the match will be played with.
    pub options: Options,
}

/// What there is of such tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tables {
    /// These.
    Open(Vec<OpenTable>),
    /// This relay keeps no list of them.
    NotKept,
    /// The relay cannot be reached now.
    Unreachable,
}

/// Asks the relay for the tables to which anybody may come.
pub async fn open_tables() -> Tables {
    match get("tables").await {
        Some(body) => match field(&body, "tables").filter(JsValue::is_object) {
            Some(tables) => {
                let tables = Array::from(&tables);
                Tables::Open(
                    tables
                        .iter()
                        .filter_map(|table| open_table_of(&table))
                        .collect(),
                )
            }
            None => Tables::NotKept,
        },
        None => Tables::Unreachable,
    }
}

fn open_table_of(table: &JsValue) -> Option<OpenTable> {
    let names = Array::from(&field(table, "names")?);
    Some(OpenTable {
        code: field(table, "code")?.as_string()?.parse().ok()?,
        names: names.iter().filter_map(|name| name.as_string()).collect(),
        people: count(table, "people")?,
        bots: count(table, "bots")?,
        free: count(table, "free")?,
        options: Options {
            base_ms: count(table, "base_ms")?,
            increment_ms: count(table, "increment_ms")?,
            rules: Rules {
                drops: field(table, "drops")?.as_string()?.parse().ok()?,
                promotion: field(table, "promotion")?.as_string()?.parse().ok()?,
            },
            talk: field(table, "talk")?.as_bool()?,
        },
    })
}

/// What the relay keeps, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keeps {
    /// Whether it writes anything to its disk.
    pub data: bool,
    /// For how many days it keeps matches that are over.
    pub days: u32,
    /// How many of them it keeps at most.
    pub matches: u32,
    /// After how many minutes it forgets a table whose people are all away.
    pub forget_minutes: u32,
}

/// Asks the relay what it keeps.
pub async fn keeps() -> Option<Keeps> {
    let keeps = field(&get("version").await?, "keeps")?;
    Some(Keeps {
        data: field(&keeps, "data")?.as_bool()?,
        days: count(&keeps, "days")?,
        matches: count(&keeps, "matches")?,
        forget_minutes: count(&keeps, "forget_minutes")?,
    })
}

/// The JSON the relay answers there, if it answers.
async fn get(path: &str) -> Option<JsValue> {
    let request = window().fetch_with_str(&page::below_base(path));
    let response: Response = JsFuture::from(request).await.ok()?.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    JsFuture::from(response.json().ok()?).await.ok()
}

fn field(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &name.into()).ok()
}

fn count(of: &JsValue, name: &str) -> Option<u32> {
    // The relay writes whole numbers; the cast brings others into range.
    field(of, name)?.as_f64().map(|number| number as u32)
}
