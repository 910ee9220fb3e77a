//! Turns the message catalogues of `locales/` into Rust, so that a key that is missing, misspelt or
//! filled in wrongly does not compile.
//!
//! `en.json` is the model: areas, and in each area messages. A message is a text, or an object of
//! plural forms (`one`, `few`, `other`). `{name}` in a text is a place to fill in. What is generated:
//!
//! - a text without places is a constant of type `Text`, a function pointer: `text::home::JOIN`;
//! - a text with places is a function with one `&str` for each: `text::match_::waiting_from(name)`;
//! - a plural is a function that takes `count: u32` first.
//!
//! Every other catalogue must have exactly the keys and places of `en.json`, or the build fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde_json::{Map, Value};

/// The forms a plural may have, in the order in which they lie in the table.
const FORMS: [&str; 3] = ["one", "few", "other"];

fn main() {
    println!("cargo::rerun-if-changed=locales");
    println!("cargo::rerun-if-changed=build.rs");
    let folder = Path::new("locales");
    let english = read(&folder.join("en.json"));
    let mut others: Vec<_> = fs::read_dir(folder)
        .expect("client/locales can be listed")
        .map(|entry| entry.expect("client/locales can be listed").path())
        .filter(|path| {
            path.extension().is_some_and(|ext| ext == "json") && !path.ends_with("en.json")
        })
        .collect();
    others.sort();
    for path in others {
        compare(&path, &english, &read(&path));
    }
    let out = Path::new(&env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR")).join("text.rs");
    fs::write(out, generate(&english)).expect("OUT_DIR can be written");
}

/// Areas, each with its messages, all in alphabetical order.
type Catalogue = BTreeMap<String, BTreeMap<String, Message>>;

/// One message: its forms (a plain text has one) and the places to fill in.
struct Message {
    forms: Vec<String>,
    plural: bool,
    places: BTreeSet<String>,
}

fn read(path: &Path) -> Catalogue {
    let name = path.display();
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let areas: Map<String, Value> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    areas
        .into_iter()
        .map(|(area, messages)| {
            let Value::Object(messages) = messages else {
                panic!("{name}: {area} must hold messages")
            };
            let messages = messages
                .into_iter()
                .map(|(key, value)| {
                    let message =
                        message(&value).unwrap_or_else(|why| panic!("{name}: {area}.{key}: {why}"));
                    (key, message)
                })
                .collect();
            (area, messages)
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

fn compare(path: &Path, english: &Catalogue, other: &Catalogue) {
    let name = path.display();
    let keys = |catalogue: &Catalogue| -> BTreeSet<String> {
        let of_area = |(area, messages): (&String, &BTreeMap<String, Message>)| {
            messages
                .keys()
                .map(|key| format!("{area}.{key}"))
                .collect::<Vec<_>>()
        };
        catalogue.iter().flat_map(of_area).collect()
    };
    let (wanted, given) = (keys(english), keys(other));
    let missing: Vec<_> = wanted.difference(&given).collect();
    let extra: Vec<_> = given.difference(&wanted).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "{name}: missing {missing:?}, not in en.json {extra:?}"
    );
    for (area, messages) in english {
        for (key, message) in messages {
            let there = &other[area][key];
            assert!(
                message.places == there.places && message.plural == there.plural,
                "{name}: {area}.{key} must have the places {:?}, as in en.json",
                message.places
            );
        }
    }
}

fn generate(english: &Catalogue) -> String {
    let mut code = String::new();
    let mut table = String::new();
    let mut index = 0usize;
    for (area, messages) in english {
        writeln!(
            code,
            "/// Messages of the area `{area}`.\npub mod {area} {{\n    use super::*;"
        )
        .unwrap();
        for (key, message) in messages {
            let first = message
                .forms
                .last()
                .expect("a message has a form")
                .replace('\n', " ");
            writeln!(code, "    /// {first}").unwrap();
            if message.places.is_empty() {
                let constant = key.to_uppercase();
                writeln!(code, "    pub const {constant}: Text = || lookup({index});").unwrap();
            } else {
                function(&mut code, key, message, index);
            }
            for form in &message.forms {
                writeln!(table, "    {form:?},").unwrap();
            }
            index += message.forms.len();
        }
        code.push_str("}\n");
    }
    writeln!(
        code,
        "/// English, which is always there.\nstatic ENGLISH: [&str; {index}] = [\n{table}];"
    )
    .unwrap();
    code
}

fn function(code: &mut String, key: &str, message: &Message, index: usize) {
    let named: Vec<_> = message
        .places
        .iter()
        .filter(|place| !message.plural || *place != "count")
        .collect();
    let mut arguments: Vec<_> = named.iter().map(|place| format!("{place}: &str")).collect();
    let mut fills: Vec<_> = named
        .iter()
        .map(|place| format!("({place:?}, {place})"))
        .collect();
    let mut position = index.to_string();
    if message.plural {
        arguments.insert(0, "count: u32".to_owned());
        fills.push("(\"count\", &count.to_string())".to_owned());
        position = format!("{index} + plural_form(count)");
    }
    writeln!(
        code,
        "    pub fn {key}({}) -> String {{",
        arguments.join(", ")
    )
    .unwrap();
    writeln!(
        code,
        "        fill(lookup({position}), &[{}])\n    }}",
        fills.join(", ")
    )
    .unwrap();
}
