//! Turns the message catalogues of `locales/` into Rust, so that a key that is missing, misspelt or
//! filled in wrongly does not compile. What is generated:
//!
//! - a text without places is a constant of type `Text`, a function pointer: `text::home::JOIN`;
//! - a text with places is a function with one `&str` for each, in alphabetical order of their names:
//!   `text::board::waiting_other(name)`;
//! - a plural is a function that takes `count: u32` first.
//!
//! A language that has not exactly the keys and places of English fails the build; a message that
//! nothing uses is dead code, which the lints report.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use tandem_finish::catalogue::{Bundle, Catalogue, Message};

fn main() {
    println!("cargo::rerun-if-changed=locales");
    println!("cargo::rerun-if-changed=build.rs");
    let read = |folder, prefix| {
        Bundle::read(Path::new(folder), prefix).unwrap_or_else(|why| panic!("{why}"))
    };
    let main = read("locales", "");
    let rules = read("locales/rules", "rules-");
    let mut code = String::new();
    generate(&mut code, main.english(), "lookup");
    code.push_str("/// What the page of rules says, which is downloaded with it.\npub mod guide {\n    use super::*;\n");
    generate(&mut code, rules.english(), "lookup_rules");
    code.push_str("}\n");
    let texts: Vec<_> = main
        .english()
        .values()
        .flat_map(|messages| messages.values())
        .flat_map(|message| &message.forms)
        .collect();
    writeln!(
        code,
        "/// English, which is always there.\nstatic ENGLISH: [&str; {}] = {texts:?};",
        texts.len()
    )
    .unwrap();
    let count: usize = rules
        .english()
        .values()
        .flat_map(|messages| messages.values())
        .map(|message| message.forms.len())
        .sum();
    writeln!(
        code,
        "/// How many texts the rules have.\nconst RULES_COUNT: usize = {count};"
    )
    .unwrap();
    for (name, bundle) in [("FILES", &main), ("RULES_FILES", &rules)] {
        let names: Vec<_> = bundle.files().into_iter().map(|(name, _)| name).collect();
        writeln!(
            code,
            "/// Where each language is to be had.\nstatic {name}: [&str; {}] = {names:?};",
            names.len()
        )
        .unwrap();
    }
    let out = Path::new(&env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR")).join("text.rs");
    fs::write(out, code).expect("OUT_DIR can be written");
}

fn generate(code: &mut String, english: &Catalogue, lookup: &str) {
    let mut index = 0usize;
    for (area, messages) in english {
        writeln!(
            code,
            "/// Messages of the area `{area}`.\npub mod {area} {{\n    use super::*;"
        )
        .unwrap();
        for (key, message) in messages {
            let last = message.forms.last().expect("a message has a form");
            writeln!(code, "    /// {last}").unwrap();
            if message.places.is_empty() {
                let constant = key.to_uppercase();
                writeln!(
                    code,
                    "    pub const {constant}: Text = || {lookup}({index});"
                )
                .unwrap();
            } else {
                function(code, key, message, &format!("{lookup}({index}"));
            }
            index += message.forms.len();
        }
        code.push_str("}\n");
    }
}

fn function(code: &mut String, key: &str, message: &Message, lookup: &str) {
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
    let mut form = "";
    if message.plural {
        arguments.insert(0, "count: u32".to_owned());
        fills.push("(\"count\", &number(f64::from(count)))".to_owned());
        form = " + plural_form(count)";
    }
    writeln!(
        code,
        "    pub fn {key}({}) -> String {{\n        fill({lookup}{form}), &[{}])\n    }}",
        arguments.join(", "),
        fills.join(", ")
    )
    .unwrap();
}
