//! Parts of a page that are built one after another while the program starts.

use leptos::prelude::*;

use crate::platform::start;

/// Builds its content in a task of its own while the program starts, and at once afterwards.
#[component]
pub fn Later(children: Children) -> impl IntoView {
    let children = StoredValue::new_local(Some(children));
    let there = RwSignal::new(false);
    let build = move || {
        // Whoever was to see it may have left the page.
        there.try_set(true);
    };
    if !start::step(build) {
        there.set(true);
    }
    move || {
        let children = there.get().then(|| children.try_update_value(Option::take));
        children.flatten().flatten().map(|children| children())
    }
}
