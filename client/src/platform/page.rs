//! The document around the views: attributes of its root and body, its title.

use std::cell::Cell;

use leptos::prelude::*;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::{Element, HtmlElement, HtmlTemplateElement};

/// Sets or removes an attribute of the root element.
pub fn set_root_attribute(name: &str, value: Option<&str>) {
    if let Some(root) = document().document_element() {
        set(&root, name, value);
    }
}

/// Sets or removes an attribute of the body.
pub fn set_body_attribute(name: &str, value: Option<&str>) {
    if let Some(body) = document().body() {
        set(&body, name, value);
    }
}

/// Gives the body a class or takes it away.
pub fn set_body_class(class: &str, given: bool) {
    if let Some(body) = document().body() {
        // Fails only for a class with white space in it.
        let _ = body.class_list().toggle_with_force(class, given);
    }
}

/// Removes the element with this id.
pub fn remove(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.remove();
    }
}

/// The element with this id.
pub fn element(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// Takes an attribute from the root element.
pub fn take_root_attribute(name: &str) -> Option<String> {
    let root = document().document_element()?;
    let value = root.get_attribute(name)?;
    set(&root, name, None);
    Some(value)
}

/// Presses the button that the element with this id describes.
pub fn press_described_by(id: &str) {
    let found = document().query_selector(&format!("button[aria-describedby='{id}']"));
    if let Some(button) = found.ok().flatten()
        && let Ok(button) = button.dyn_into::<HtmlElement>()
    {
        button.click();
    }
}

/// What an element within a template of the page holds, as HTML.
pub fn in_template(page: &str, selector: &str) -> Option<String> {
    let template = document()
        .query_selector(&format!("template[data-page={page}]"))
        .ok()??
        .dyn_into::<HtmlTemplateElement>()
        .ok()?;
    let found = template.content().query_selector(selector).ok()??;
    Some(found.inner_html())
}

/// Gives the keyboard's focus to the element with this id.
pub fn focus(id: &str) {
    if let Some(element) = element(id) {
        // An element of the page can always take the focus.
        let _ = element.focus();
    }
}

/// Presses the button with this id if it is on the screen.
pub fn click_if_shown(id: &str) {
    if let Some(button) = element(id).filter(|button| button.offset_width() > 0) {
        button.click();
    }
}

/// Moves the focus among the elements of a kind that are on the screen, by that many.
pub fn focus_neighbour(selector: &str, step: isize) {
    let Ok(found) = document().query_selector_all(selector) else {
        return;
    };
    let shown: Vec<HtmlElement> = (0..found.length())
        .filter_map(|index| found.get(index)?.dyn_into::<HtmlElement>().ok())
        .filter(|element| element.offset_width() > 0)
        .collect();
    let active = document().active_element();
    let at = shown
        .iter()
        .position(|element| active.as_ref() == Some(element.as_ref()));
    if let Some(next) = at.and_then(|at| shown.get(at.checked_add_signed(step)?)) {
        // An element of the page can always take the focus.
        let _ = next.focus();
    }
}

/// Whether a media query holds, as long as the present owner lives.
pub fn watch_media(query: &'static str) -> Signal<bool> {
    let holds = move || matches(query);
    let signal = RwSignal::new(holds());
    let resized = window_event_listener_untyped("resize", move |_| {
        if signal.get_untracked() != holds() {
            signal.set(holds());
        }
    });
    on_cleanup(move || resized.remove());
    signal.into()
}

/// Gives the focus to the element with this id if what had it is gone from the page.
pub fn focus_if_lost(id: &str) {
    let lost = document()
        .active_element()
        .is_none_or(|element| element.tag_name() == "BODY");
    if lost {
        focus(id);
    }
}

/// Whether keys belong to a field, or to something that lies over the page.
pub fn takes_keys() -> bool {
    let field = document().active_element().is_some_and(|element| {
        matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
    });
    // A browser that does not know one of these words has nothing of that kind open.
    let over = document()
        .query_selector("dialog[open], :popover-open")
        .ok()
        .flatten();
    field || over.is_some()
}

/// Opens a sheet, and closes the one from which it is opened.
pub fn open_sheet(id: &str) {
    if let Some(sheet) = document()
        .get_element_by_id(id)
        .and_then(|sheet| sheet.dyn_into::<HtmlElement>().ok())
    {
        // Fails only where it is open already, or where no sheets are known.
        let _ = sheet.show_popover();
    }
}

/// Whether the window is as a media query says.
pub fn matches(query: &str) -> bool {
    let list = window().match_media(query).ok().flatten();
    list.is_some_and(|list| list.matches())
}

/// What a `meta` element of the page says under that name.
pub fn meta(name: &str) -> Option<String> {
    let found = document().query_selector(&format!("meta[name={name}]"));
    found.ok()??.get_attribute("content")
}

/// Sets the title of the window.
pub fn set_title(title: &str) {
    document().set_title(title);
}

/// Gives the window a title, and a new one whenever what it is made of changes.
pub fn title(words: impl Fn() -> String + 'static) {
    Effect::new(move || set_title(&words()));
}

/// Says what the page is about, for those who list pages.
pub fn set_description(words: &str) {
    let description = document()
        .query_selector("meta[name=description]")
        .ok()
        .flatten();
    if let Some(description) = description {
        set(&description, "content", Some(words));
    }
}

/// Takes the question mark and what follows out of the address, without leaving the page.
pub fn forget_search() {
    let path = window().location().pathname().unwrap_or_default();
    if let Ok(history) = window().history() {
        // Fails only for an address elsewhere.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&path));
    }
}

/// The path below which the program lives, with a slash at both ends: the page's `<base>`, or the root.
pub fn base_path() -> String {
    let base = document()
        .query_selector("base[href]")
        .ok()
        .flatten()
        .and_then(|base| base.get_attribute("href"));
    base.filter(|base| base.starts_with('/') && base.ends_with('/'))
        .unwrap_or_else(|| "/".to_owned())
}

/// A path below [`base_path`].
pub fn below_base(path: &str) -> String {
    base_path() + path
}

/// The address of the relay's socket.
pub fn socket_url() -> String {
    let location = window().location();
    let secure = location
        .protocol()
        .is_ok_and(|protocol| protocol == "https:");
    let host = location.host().unwrap_or_default();
    format!(
        "{}://{host}{}",
        if secure { "wss" } else { "ws" },
        below_base("ws")
    )
}

/// The address by which others reach this table.
pub fn table_url(code: &str) -> String {
    let origin = window().location().origin().unwrap_or_default();
    format!("{origin}{}", below_base(&format!("t/{code}")))
}

/// Whether the browser believes that it has a network.
pub fn has_network() -> bool {
    window().navigator().on_line()
}

/// Does something once what has changed so far has been painted: the eye waits for nothing else. A page
/// that is not seen paints nothing, so there it is done next.
pub fn after_paint(act: impl FnOnce() + 'static) {
    // The frame is painted after its callbacks, and the timer comes after that.
    let next = || set_timeout(act, std::time::Duration::ZERO);
    if is_visible() {
        request_animation_frame(next);
    } else {
        next();
    }
}

/// Whether the page can be seen.
pub fn is_visible() -> bool {
    !document().hidden()
}

thread_local! {
    static RELOADING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the page is loading itself anew, which nobody need be asked about.
pub fn is_reloading() -> bool {
    RELOADING.get()
}

/// Loads the page anew.
pub fn reload() {
    RELOADING.set(true);
    // Fails only where a page must not be reloaded; then it stays as it is.
    let _ = window().location().reload();
}

fn set(element: &Element, name: &str, value: Option<&str>) {
    // Both fail only for a name that is no name.
    let _ = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}
