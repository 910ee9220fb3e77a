//! Everything the page says, from the catalogues of `locales/`.
//!
//! `build.rs` makes a constant of each plain message and a function of each one with places to fill
//! in, so a wrong key does not compile. A constant is a function pointer, [`Text`]: given to a view
//! it is read again whenever the language changes. English is part of the program; the catalogue of
//! another language is downloaded when it is chosen, see [`crate::language`].

use std::cell::{Cell, RefCell};

use leptos::prelude::*;
use leptos::reactive::graph::Observer;
use leptos::wasm_bindgen::JsValue;
use tandem_core::letters::Letters;
use web_sys::js_sys::{self, Array, Function, Intl, Number, Object, Reflect};

/// A plain message; call it for the words in the reader's language.
pub type Text = fn() -> &'static str;

include!(concat!(env!("OUT_DIR"), "/text.rs"));

/// The texts of a catalogue in the order of the generated table.
pub type Words = &'static [&'static str];

thread_local! {
    /// The tag of the reader's language, such as `de`. All that depends on it hangs on this.
    static TAG: ArcRwSignal<&'static str> = ArcRwSignal::new("en");
    static WORDS: Cell<Words> = const { Cell::new(&ENGLISH) };
    /// Asked of the browser when first needed, since the answer takes it long.
    static PLURALS: RefCell<Option<Intl::PluralRules>> = const { RefCell::new(None) };
    static RULES: ArcRwSignal<Words> = ArcRwSignal::new(&[]);
}

/// English.
pub fn english() -> Words {
    &ENGLISH
}

/// The files of the catalogues, in the order of [`crate::language::LANGUAGES`].
pub fn files() -> &'static [&'static str] {
    &FILES
}

/// The files of what the page of rules says, in the same order.
pub fn rules_files() -> &'static [&'static str] {
    &RULES_FILES
}

/// How many texts the page of rules has.
pub fn rules_count() -> usize {
    RULES_COUNT
}

/// Sets what the page of rules says, and says it again where it is shown.
pub fn set_rules(words: Words) {
    RULES.with(|rules| rules.set(words));
}

/// The text at `index` of the page of rules; nothing before it has been downloaded.
fn lookup_rules(index: usize) -> &'static str {
    RULES.with(|rules| {
        if Observer::get().is_some() {
            rules.track();
        }
        rules
            .get_untracked()
            .get(index)
            .copied()
            .unwrap_or_default()
    })
}

/// Splits a downloaded catalogue. `None` if it is not one of this build.
pub fn unpack(text: String, count: usize) -> Option<Words> {
    // It stays for as long as the page does: views hold parts of it.
    let words: Vec<&'static str> = String::leak(text).split('\n').collect();
    (words.len() == count).then(|| &*Vec::leak(words))
}

/// Makes this the language of everything that is said from now on, and says again what is shown.
pub fn speak(tag: &'static str, words: Words) {
    WORDS.set(words);
    PLURALS.set(None);
    TAG.with(|known| known.set(tag));
}

/// The tag of the language that is spoken. Reactive.
pub fn tag() -> &'static str {
    TAG.with(|tag| {
        // Much is said in answer to an event, where nothing would be redrawn; that is no mistake.
        if Observer::get().is_some() {
            tag.track();
        }
        tag.get_untracked()
    })
}

/// The message at `index` of the reader's catalogue.
fn lookup(index: usize) -> &'static str {
    tag();
    WORDS.get().get(index).copied().unwrap_or_default()
}

/// Which of the forms `one`, `few`, `other` the reader's language uses for `count`.
fn plural_form(count: u32) -> usize {
    let category = PLURALS.with_borrow_mut(|rules| {
        let rules = rules.get_or_insert_with(|| {
            Intl::PluralRules::new(&Array::of1(&tag().into()), &Object::new())
        });
        String::from(rules.select(f64::from(count)))
    });
    match category.as_str() {
        "one" => 0,
        "few" => 1,
        _ => 2,
    }
}

/// A number as the reader's language writes it.
pub fn number(value: f64) -> String {
    let whole = value as i32;
    // Small ones look the same in all of them, and the browser's first answer takes long enough to be
    // felt in a match.
    if f64::from(whole) == value && whole.unsigned_abs() < 1_000 {
        return whole.to_string();
    }
    Number::from(value).to_locale_string(tag()).into()
}

/// Several things as the reader's language lists them: `Ada, Ben and Cem`.
pub fn list(items: &[String]) -> String {
    joined(items).unwrap_or_else(|_| items.join(", "))
}

/// `Intl.ListFormat`, which older browsers lack.
fn joined(items: &[String]) -> Result<String, JsValue> {
    let intl = Reflect::get(&js_sys::global(), &"Intl".into())?;
    let class: Function = Reflect::get(&intl, &"ListFormat".into())?.into();
    let format = Reflect::construct(&class, &Array::of1(&tag().into()))?;
    let method: Function = Reflect::get(&format, &"format".into())?.into();
    let items: Array = items.iter().map(|item| JsValue::from_str(item)).collect();
    method
        .call1(&format, &items)?
        .as_string()
        .ok_or(JsValue::NULL)
}

/// The letters of the pieces in moves that are shown or typed.
pub fn letters() -> Letters<'static> {
    use letter as l;
    Letters([l::PAWN, l::KNIGHT, l::BISHOP, l::ROOK, l::QUEEN, l::KING].map(|letter| letter()))
}

/// Puts the values into the places of a message.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            break;
        };
        let value = values.iter().find(|(place, _)| *place == name);
        filled.push_str(value.map_or("", |(_, value)| value));
        rest = tail;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_in_by_name() {
        assert_eq!(
            fill("{b} and {a}, {b}", &[("a", "one"), ("b", "two")]),
            "two and one, two"
        );
        assert_eq!(fill("no place", &[]), "no place");
    }
}
