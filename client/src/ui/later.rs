//! Parts of a page that come one after another, so that none keeps the reader waiting.

use leptos::prelude::*;

use crate::platform::{page, start};

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

/// Follows a value once what else has changed with it is painted: for what a reader looks at only
/// after the boards.
pub fn behind<T: Copy + PartialEq + Send + Sync + 'static>(
    value: impl Fn() -> T + Copy + Send + Sync + 'static,
) -> Signal<T> {
    let value = Memo::new(move |_| value());
    let follower = RwSignal::new(value.get_untracked());
    Effect::new(move || {
        // Read, not only tracked: a memo that nobody reads is never worked out.
        value.get();
        page::after_paint(move || {
            // Whoever was to see it may have left the page.
            if let Some(now) = value.try_get_untracked()
                && follower.try_get_untracked().is_some_and(|then| then != now)
            {
                follower.try_set(now);
            }
        });
    });
    follower.into()
}
