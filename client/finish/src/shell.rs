//! What the page shows before the program has arrived: the beginnings of some pages, in the languages
//! of the catalogues.
//!
//! In `index.html`, an element with `data-say="area.key"` says that message of the main catalogue, in
//! English as it stands there; one with `data-line="area.key"` says that message of the rules, which
//! the page downloads. The place `/* said */` takes, for each language, where its catalogues are and
//! what is said. The program itself, which Trunk would fetch first of all, waits until that is shown:
//! [`program_last`].

use std::collections::BTreeMap;

use serde_json::json;

use crate::catalogue::{Bundle, Catalogue, LANGUAGES, messages};

/// The place in the page that takes the words.
const PLACE: &str = "{/* said */}";
/// The place that takes the program's address.
const PROGRAM: &str = "/* program */";

/// Fills in what the page says.
///
/// # Errors
/// A sentence about a message that there is not, or whose English differs.
pub fn write(html: &str, main: &Bundle, rules: &Bundle) -> Result<String, String> {
    let said: Vec<(&str, &str)> = marked(html, "data-say")
        .map(|(key, rest)| {
            let text = rest
                .split_once('>')
                .and_then(|(_, text)| text.split_once('<'));
            (key, text.map_or("", |(text, _)| text))
        })
        .collect();
    for (key, english) in &said {
        if text(main.english(), key)? != *english {
            return Err(format!("{key} is not “{english}” in the catalogue"));
        }
    }
    let mut languages = BTreeMap::new();
    let files = main.files().into_iter().zip(rules.files());
    for ((tag, catalogue), ((file, _), (rules_file, _))) in
        LANGUAGES.iter().zip(main.catalogues()).zip(files)
    {
        let texts = said
            .iter()
            .map(|(key, _)| Ok((*key, text(catalogue, key)?)))
            .collect::<Result<BTreeMap<_, _>, String>>()?;
        // English stands in the page.
        let texts = (*tag != LANGUAGES[0]).then_some(texts);
        languages.insert(*tag, json!({ "files": [file, rules_file], "texts": texts }));
    }
    let json = serde_json::to_string(&languages).map_err(|error| error.to_string())?;
    // In a script, nothing may look like its end.
    let mut page = html.replace(PLACE, &json.replace('<', "\\u003c"));
    for (key, _) in marked(html, "data-line") {
        let line = line(rules.english(), key)?;
        page = page.replace(
            &format!("data-line=\"{key}\""),
            &format!("data-line=\"{line}\""),
        );
    }
    Ok(page)
}

/// Has the program fetched after what the page's own script calls shown (`pageShown`), not before:
/// Trunk's loader waits for that, and Trunk's preload becomes an address in the page, at `/* program */`, for
/// where it is to be early nevertheless.
///
/// # Errors
/// A page that Trunk has written in another way than it used to.
pub fn program_last(html: &str) -> Result<String, String> {
    let preload = "<link rel=\"preload\" href=\"";
    let (before, rest) = html.split_once(preload).ok_or("no preload")?;
    let (address, rest) = rest.split_once('"').ok_or("a preload without an end")?;
    let (attributes, after) = rest.split_once('>').ok_or("a preload without an end")?;
    let page = format!("{before}{after}");
    let load = "const wasm = await init(";
    let known = attributes.contains("wasm") && page.matches(load).count() == 1;
    if !known || !page.contains(PROGRAM) {
        return Err("the program's loader is not as Trunk used to write it".to_owned());
    }
    Ok(page
        .replace(load, &format!("await window.pageShown;\n{load}"))
        .replace(PROGRAM, &format!("\"{address}\"")))
}

/// The values of an attribute, each with what follows it.
fn marked<'a>(html: &'a str, attribute: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let start = format!(" {attribute}=\"");
    let starts: Vec<_> = html.match_indices(&start).map(|(at, _)| at).collect();
    let length = start.len();
    starts
        .into_iter()
        .filter_map(move |at| html[at + length..].split_once('"'))
}

fn text<'a>(catalogue: &'a Catalogue, key: &str) -> Result<&'a str, String> {
    let message = key
        .split_once('.')
        .and_then(|(area, key)| catalogue.get(area)?.get(key));
    match message.map(|message| message.forms.as_slice()) {
        Some([text]) => Ok(text),
        _ => Err(format!("there is no text {key}")),
    }
}

/// The line of a message in the file of its catalogue, from 0.
fn line(catalogue: &Catalogue, key: &str) -> Result<usize, String> {
    text(catalogue, key)?;
    Ok(messages(catalogue)
        .take_while(|(area, name, _)| format!("{area}.{name}") != key)
        .map(|(_, _, message)| message.forms.len())
        .sum())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn bundles() -> [Bundle; 2] {
        let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../locales");
        [(locales.clone(), ""), (locales.join("rules"), "rules-")]
            .map(|(folder, prefix)| Bundle::read(&folder, prefix).unwrap())
    }

    #[test]
    fn the_page_says_the_same_in_every_language() {
        let [main, rules] = bundles();
        let page = "<h1 class=\"a\" data-say=\"home.title\">Chess for four, on two boards at once</h1>\
            <p data-line=\"page.what\"></p><script>const said = {/* said */}</script>";
        let written = write(page, &main, &rules).unwrap();
        let (_, json) = written.split_once("said = ").unwrap();
        let json = json.split_once("</script>").unwrap().0;
        let said: serde_json::Value = serde_json::from_str(json).unwrap();
        for (index, tag) in LANGUAGES.iter().enumerate() {
            let said = &said[tag];
            assert_eq!(said["files"][0], main.files()[index].0.as_str());
            let (file, lines) = &rules.files()[index];
            assert_eq!(said["files"][1], file.as_str());
            let german = &said["texts"]["home.title"];
            assert_eq!(german.is_string(), index > 0, "{german}");
            // The line leads to the message.
            let (_, line) = written.split_once("data-line=\"").unwrap();
            let line: usize = line.split_once('"').unwrap().0.parse().unwrap();
            let wanted = text(&rules.catalogues()[index], "page.what").unwrap();
            assert_eq!(lines.lines().nth(line), Some(wanted));
        }
        assert_eq!(
            said["de"]["texts"]["home.title"],
            "Schach zu viert, auf zwei Brettern zugleich"
        );
    }

    #[test]
    fn words_that_are_not_in_the_catalogue_are_refused() {
        let [main, rules] = bundles();
        for page in [
            "<h1 data-say=\"home.title\">Chess for three</h1>",
            "<h1 data-say=\"home.nothing\">Chess</h1>",
            "<p data-line=\"page.nothing\"></p>",
        ] {
            assert!(write(page, &main, &rules).is_err(), "{page}");
        }
    }

    #[test]
    fn the_program_waits_for_the_page() {
        let trunk = "<script>const early = [/* program */]</script><script type=\"module\">\n\
            import init, * as bindings from '/a.js';\nconst wasm = await init({ module_or_path: '/a_bg.wasm' });</script>\
            <link rel=\"modulepreload\" href=\"/a.js\"><link rel=\"preload\" href=\"/a_bg.wasm\" as=\"fetch\" type=\"application/wasm\"></head>";
        let page = program_last(trunk).unwrap();
        assert_eq!(
            page,
            "<script>const early = [\"/a_bg.wasm\"]</script><script type=\"module\">\n\
            import init, * as bindings from '/a.js';\nawait window.pageShown;\nconst wasm = await init({ module_or_path: '/a_bg.wasm' });</script>\
            <link rel=\"modulepreload\" href=\"/a.js\"></head>"
        );
        for missing in [PROGRAM, "preload\" href=\"/a_bg", "await init("] {
            assert!(
                program_last(&trunk.replace(missing, "")).is_err(),
                "{missing}"
            );
        }
    }

    #[test]
    fn the_page_itself_can_be_written() {
        let [main, rules] = bundles();
        let page = include_str!("../../../index.html");
        let written = write(page, &main, &rules).unwrap();
        assert!(!written.contains(PLACE));
    }
}
