//! The service worker of a finished build.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use crate::catalogue::LANGUAGES;
use crate::hash;

/// The name of the worker, in the assets and in the build.
pub const NAME: &str = "sw.js";

/// Fills in the worker's template for the files of `dist`: what everybody needs, what each language
/// needs, and a version that changes with any of them.
///
/// # Errors
/// When the folder cannot be read.
pub fn write(template: &str, dist: &Path) -> io::Result<String> {
    let mut files = BTreeMap::new();
    collect(dist, "", &mut files)?;
    files.remove(NAME);
    let sums: Vec<_> = files
        .iter()
        .map(|(name, bytes)| format!("{name} {}", hash(bytes)))
        .collect();
    // The worker's own code counts as well.
    let version = hash((template.to_owned() + &sums.join("\n")).as_bytes());
    let common: Vec<_> = files
        .keys()
        .filter(|name| !name.starts_with("locales/") && *name != "index.html")
        .map(String::as_str)
        .collect();
    let languages: Vec<_> = LANGUAGES
        .iter()
        .map(|tag| {
            let of_tag = |name: &&String| {
                name.strip_prefix("locales/").is_some_and(|name| {
                    let name = name.strip_prefix("rules-").unwrap_or(name);
                    name.starts_with(&format!("{tag}-"))
                })
            };
            let names: Vec<_> = files.keys().filter(of_tag).collect();
            format!("{tag}: {names:?}")
        })
        .collect();
    Ok(template
        .replace("{version}", &version)
        .replace("['{files}']", &format!("{common:?}"))
        .replace("{languages}", &format!("{{ {} }}", languages.join(", "))))
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            // Trunk stages a build in a hidden folder; that is none of the client.
        } else if entry.path().is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else {
            files.insert(format!("{prefix}{name}"), fs::read(entry.path())?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_needs_the_program_and_readers_their_language() {
        let dist = std::env::temp_dir().join(format!("tandem-finish-{}", std::process::id()));
        fs::create_dir_all(dist.join("locales")).unwrap();
        for name in [
            "index.html",
            "app-1.js",
            "sw.js",
            "locales/de-1.txt",
            "locales/rules-de-1.txt",
            "locales/da-1.txt",
        ] {
            fs::write(dist.join(name), name).unwrap();
        }
        let template = "v {version} f ['{files}'] l {languages}";
        let first = write(template, &dist).unwrap();
        assert!(first.contains(r#"f ["app-1.js"] l"#), "{first}");
        assert!(
            first.contains(r#"de: ["locales/de-1.txt", "locales/rules-de-1.txt"]"#),
            "{first}"
        );
        assert_eq!(write(template, &dist).unwrap(), first);
        fs::write(dist.join("index.html"), "another").unwrap();
        assert_ne!(write(template, &dist).unwrap(), first);
        fs::remove_dir_all(&dist).unwrap();
    }
}
