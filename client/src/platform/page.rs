//! The document around the views: attributes of its root and body, its title.

use leptos::prelude::document;
use leptos::web_sys::Element;

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

/// Removes the element with this id.
pub fn remove(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.remove();
    }
}

/// Sets the title of the window.
pub fn set_title(title: &str) {
    document().set_title(title);
}

fn set(element: &Element, name: &str, value: Option<&str>) {
    // Both fail only for a name that is no name.
    let _ = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}
