//! The reader's language: which one it is, where its words come from, and how it is changed.

use std::cell::{Cell, RefCell};

use leptos::prelude::window;
use wasm_bindgen_futures::spawn_local;

use crate::net::http;
use crate::platform::{page, storage};
use crate::text::{self, Words};

/// The key under which a choice is remembered.
const KEY: &str = "tandem.language";

/// A language: its tag, and what its speakers call it.
pub type Language = (&'static str, &'static str);

/// Those there are, in the order of the catalogues.
pub const LANGUAGES: [Language; 6] = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("nl", "Nederlands"),
    ("da", "Dansk"),
    ("cs", "Čeština"),
    ("hu", "Magyar"),
];

thread_local! {
    /// What has been downloaded.
    static LOADED: RefCell<[Option<Words>; 6]> = const { RefCell::new([None; 6]) };
    /// The last one asked for; one that arrives later does not push it aside.
    static WANTED: Cell<usize> = const { Cell::new(0) };
}

/// The place in [`LANGUAGES`] of a tag such as `de` or `de-AT`.
fn known(tag: &str) -> Option<usize> {
    let main = tag.split('-').next()?;
    LANGUAGES
        .iter()
        .position(|(known, _)| known.eq_ignore_ascii_case(main))
}

/// What the address asks for with `?lang=`.
fn forced() -> Option<usize> {
    let search = window().location().search().ok()?;
    search
        .trim_start_matches('?')
        .split('&')
        .find_map(|pair| known(pair.strip_prefix("lang=")?))
}

/// The language to begin with: as the address says, as chosen before, or as the browser prefers.
fn first() -> usize {
    let preferred = || {
        window()
            .navigator()
            .languages()
            .iter()
            .find_map(|tag| known(&tag.as_string()?))
    };
    forced()
        .or_else(|| known(&storage::get(KEY)?))
        .or_else(preferred)
        .unwrap_or_default()
}

/// Speaks the language to begin with, then goes on. Without its catalogue it is English.
pub fn begin(then: impl FnOnce() + 'static) {
    let index = first();
    WANTED.set(index);
    if index == 0 {
        speak(0, text::english());
        return then();
    }
    spawn_local(async move {
        if !load(index).await {
            speak(0, text::english());
        }
        then();
    });
}

/// Speaks another language and remembers it.
pub fn choose(tag: &str) {
    let Some(index) = known(tag) else { return };
    WANTED.set(index);
    storage::set(KEY, LANGUAGES[index].0);
    if forced().is_some() {
        page::forget_search();
    }
    spawn_local(async move {
        load(index).await;
    });
}

/// Gets what the page of rules says in the language that is spoken. False if it cannot be had.
pub async fn load_rules(tag: &'static str) -> bool {
    let index = known(tag).unwrap_or_default();
    let words = match http::text(text::rules_files()[index]).await {
        Some(text) => text::unpack(text, text::rules_count()),
        None => None,
    };
    match words {
        Some(words) => {
            if text::tag() == tag {
                text::set_rules(words);
            }
            true
        }
        None => false,
    }
}

/// Gets a language and speaks it, unless another one was asked for meanwhile. False if it cannot be had.
async fn load(index: usize) -> bool {
    let loaded = if index == 0 {
        Some(text::english())
    } else {
        LOADED.with_borrow(|loaded| loaded[index])
    };
    let words = match loaded {
        Some(words) => Some(words),
        None => http::text(text::files()[index])
            .await
            .and_then(|text| text::unpack(text, text::english().len())),
    };
    let Some(words) = words else { return false };
    LOADED.with_borrow_mut(|loaded| loaded[index] = Some(words));
    if WANTED.get() == index {
        speak(index, words);
    }
    true
}

fn speak(index: usize, words: Words) {
    let (tag, _) = LANGUAGES[index];
    text::speak(tag, words);
    page::set_root_attribute("lang", Some(tag));
    page::set_description(text::app::DESCRIPTION());
}
