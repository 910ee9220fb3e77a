//! The message catalogues: areas, and in each area messages.
//!
//! A message is a text, or an object of plural forms (`one`, `few`, `other`). `{name}` in a text is a
//! place to fill in. English is the model: every other language has exactly its keys and places.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

/// The languages there are, the model first.
pub const LANGUAGES: [&str; 6] = ["en", "de", "nl", "da", "cs", "hu"];

/// The forms a plural may have, in the order in which they lie in the table. `many` is left out: of
/// these languages only Czech has it, and there for fractions alone, which nothing here counts.
pub const FORMS: [&str; 3] = ["one", "few", "other"];

/// Areas, each with its messages, all in alphabetical order.
pub type Catalogue = BTreeMap<String, BTreeMap<String, Message>>;

/// One message: its forms (a plain text has one) and the places to fill in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// One text, or one for each of [`FORMS`].
    pub forms: Vec<String>,
    /// Whether it depends on a count.
    pub plural: bool,
    /// The names in braces; a plural always has `count`.
    pub places: BTreeSet<String>,
}

/// The catalogues of one folder, which are downloaded one by one.
#[derive(Debug)]
pub struct Bundle {
    /// What the names of its files begin with; empty for the main one.
    prefix: String,
    /// In the order of [`LANGUAGES`].
    catalogues: Vec<Catalogue>,
}

impl Bundle {
    /// Reads `<folder>/<language>.json` for all languages and compares them with English.
    ///
    /// # Errors
    /// A sentence that names the file and what is wrong with it.
    pub fn read(folder: &Path, prefix: &str) -> Result<Self, String> {
        let catalogues = LANGUAGES
            .iter()
            .map(|language| {
                let path = folder.join(format!("{language}.json"));
                let name = path.display();
                let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
                parse(&text).map_err(|why| format!("{name}: {why}"))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let english = catalogues.first().ok_or("there are no languages")?;
        for (language, other) in LANGUAGES.iter().zip(&catalogues).skip(1) {
            compare(english, other)
                .map_err(|why| format!("{}: {why}", folder.join(language).display()))?;
        }
        Ok(Self {
            prefix: prefix.to_owned(),
            catalogues,
        })
    }

    /// The model.
    #[must_use]
    pub fn english(&self) -> &Catalogue {
        &self.catalogues[0]
    }

    /// All of them, in the order of [`LANGUAGES`].
    #[must_use]
    pub fn catalogues(&self) -> &[Catalogue] {
        &self.catalogues
    }

    /// The files to download, in the order of [`LANGUAGES`]: path and content.
    #[must_use]
    pub fn files(&self) -> Vec<(String, String)> {
        LANGUAGES
            .iter()
            .zip(&self.catalogues)
            .map(|(language, catalogue)| {
                let text = packed(catalogue);
                let hash = crate::hash(text.as_bytes());
                (
                    format!("locales/{}{language}-{hash}.txt", self.prefix),
                    text,
                )
            })
            .collect()
    }
}

/// The messages of a catalogue in the order of its file, each with its area and its name.
pub(crate) fn messages(catalogue: &Catalogue) -> impl Iterator<Item = (&str, &str, &Message)> {
    catalogue.iter().flat_map(|(area, messages)| {
        let named = messages.iter();
        named.map(move |(name, message)| (area.as_str(), name.as_str(), message))
    })
}

/// All texts of a catalogue in the order of the table, one a line.
fn packed(catalogue: &Catalogue) -> String {
    let texts = messages(catalogue).flat_map(|(_, _, message)| &message.forms);
    texts.map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Reads a catalogue.
///
/// # Errors
/// When it is no catalogue: which message is wrong, and why.
pub fn parse(text: &str) -> Result<Catalogue, String> {
    let areas: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    areas
        .into_iter()
        .map(|(area, messages)| {
            let Value::Object(messages) = messages else {
                return Err(format!("{area} must hold messages"));
            };
            let messages: Result<_, String> = messages
                .into_iter()
                .map(|(key, value)| match message(&value) {
                    Ok(message) => Ok((key, message)),
                    Err(why) => Err(format!("{area}.{key}: {why}")),
                })
                .collect();
            Ok((area, messages?))
        })
        .collect()
}

fn message(value: &Value) -> Result<Message, String> {
    let (forms, plural) = match value {
        Value::String(text) => (vec![text.clone()], false),
        Value::Object(given) => {
            if let Some(unknown) = given.keys().find(|form| !FORMS.contains(&form.as_str())) {
                return Err(format!("there is no plural form “{unknown}”"));
            }
            let other = given
                .get("other")
                .and_then(Value::as_str)
                .ok_or("a plural needs the form “other”")?;
            let form = |name| {
                given
                    .get(name)
                    .map_or(Ok(other), |text| text.as_str().ok_or("a form is a text"))
            };
            let forms: Result<_, _> = FORMS
                .iter()
                .map(|name| form(*name).map(str::to_owned))
                .collect();
            (forms?, true)
        }
        _ => return Err("a message is a text or an object of plural forms".to_owned()),
    };
    let mut found = BTreeSet::new();
    for form in &forms {
        if form.trim().is_empty() || form.contains('\n') {
            return Err("a text is one line, and not empty".to_owned());
        }
        found.extend(places(form)?);
    }
    if plural {
        found.insert("count".to_owned());
    }
    Ok(Message {
        forms,
        plural,
        places: found,
    })
}

fn places(text: &str) -> Result<BTreeSet<String>, String> {
    text.split('{')
        .skip(1)
        .map(|rest| match rest.split_once('}') {
            Some((name, _))
                if !name.is_empty()
                    && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') =>
            {
                Ok(name.to_owned())
            }
            _ => Err(format!("unfinished place in “{text}”")),
        })
        .collect()
}

/// Whether `other` says all that English says, and nothing else.
///
/// # Errors
/// The keys that are missing or too many, or a message with other places.
fn compare(english: &Catalogue, other: &Catalogue) -> Result<(), String> {
    let (wanted, given) = (keys(english), keys(other));
    let missing: Vec<_> = wanted.difference(&given).collect();
    let extra: Vec<_> = given.difference(&wanted).collect();
    if !missing.is_empty() || !extra.is_empty() {
        return Err(format!("missing {missing:?}, not in English {extra:?}"));
    }
    for (area, messages) in english {
        for (key, message) in messages {
            let there = &other[area][key];
            if message.places != there.places || message.plural != there.plural {
                return Err(format!(
                    "{area}.{key} must have the places {:?}, as in English",
                    message.places
                ));
            }
        }
    }
    Ok(())
}

fn keys(catalogue: &Catalogue) -> BTreeSet<String> {
    let of_area = |(area, messages): (&String, &BTreeMap<String, Message>)| {
        messages
            .keys()
            .map(|key| format!("{area}.{key}"))
            .collect::<Vec<_>>()
    };
    catalogue.iter().flat_map(of_area).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = r#"{"game": {"moves": {"one": "{count} move", "other": "{count} moves"}, "by": "by {name}"}}"#;

    fn against_english(other: &str) -> Result<(), String> {
        compare(&parse(ENGLISH).unwrap(), &parse(other)?)
    }

    #[test]
    fn all_languages_say_the_same() {
        let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../locales");
        for (folder, prefix) in [(locales.clone(), ""), (locales.join("rules"), "rules-")] {
            let bundle = Bundle::read(&folder, prefix).unwrap();
            let files = bundle.files();
            let lines = files[0].1.lines().count();
            for (name, text) in files {
                assert_eq!(text.lines().count(), lines, "{name}");
            }
        }
    }

    #[test]
    fn a_language_that_says_less_or_more_is_refused() {
        let complete = r#"{"game": {"moves": {"one": "1 tah", "few": "{count} tahy", "other": "{count} tahů"}, "by": "{name}"}}"#;
        assert_eq!(against_english(complete), Ok(()));
        for wrong in [
            r#"{"game": {"by": "von {name}"}}"#,
            r#"{"game": {"moves": {"other": "{count}"}, "by": "{name}", "more": "x"}}"#,
            r#"{"game": {"moves": {"other": "{count}"}, "by": "von {who}"}}"#,
            r#"{"game": {"moves": "{count} Züge", "by": "von {name}"}}"#,
            r#"{"game": {"moves": {"one": "1"}, "by": "von {name}"}}"#,
            r#"{"game": {"moves": {"other": "{count}", "two": "x"}, "by": "von {name}"}}"#,
            r#"{"game": {"moves": {"other": "{count}"}, "by": "von {name"}}"#,
            r#"{"game": {"moves": {"other": "{count}"}, "by": " "}}"#,
        ] {
            assert!(against_english(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn forms_lie_one_a_line_in_alphabetical_order() {
        assert_eq!(
            packed(&parse(ENGLISH).unwrap()),
            "by {name}\n{count} move\n{count} moves\n{count} moves"
        );
    }
}
