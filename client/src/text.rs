//! Everything the page says, from the catalogues of `locales/`.
//!
//! `build.rs` makes a constant of each plain message and a function of each one with places to fill
//! in, so a wrong key does not compile. A constant is a function pointer, [`Text`]: given to a view
//! it is read again whenever the language changes.

/// A plain message; call it for the words in the reader's language.
pub type Text = fn() -> &'static str;

include!(concat!(env!("OUT_DIR"), "/text.rs"));

/// The message at `index` of the reader's catalogue.
fn lookup(index: usize) -> &'static str {
    ENGLISH.get(index).copied().unwrap_or_default()
}

/// Which of the forms `one`, `few`, `other` the reader's language uses for `count`.
fn plural_form(count: u32) -> usize {
    if count == 1 { 0 } else { 2 }
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
