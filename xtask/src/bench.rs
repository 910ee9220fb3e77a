//! `cargo xtask bench`: runs the benchmarks and gathers their figures.
//!
//! A benchmark prints each figure in a line of its own, `figure <name> <value> <unit> [<reference>]`.
//! What is compared is measured in one run on the same things, in turns.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::run;
use crate::setup;

/// What a benchmark found out.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    name: String,
    value: f64,
    unit: String,
    /// What a ratio is to; empty for other figures.
    reference: String,
}

impl Figure {
    /// Reads a line of a benchmark. Programs that run it may put something in front.
    fn read(line: &str) -> Option<Figure> {
        let (_, rest) = line.split_once("figure ")?;
        let mut words = rest.split_whitespace();
        Some(Figure {
            name: words.next()?.to_owned(),
            value: words
                .next()?
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())?,
            unit: words.next()?.to_owned(),
            reference: words.collect::<Vec<_>>().join(" "),
        })
    }
}

/// Runs the benchmarks of the workspace, and those of the rules once more as WASM under Node.
///
/// # Errors
///
/// When a benchmark fails, a tool is missing, or the file cannot be written.
pub fn bench(project: &Project, arguments: &[String]) -> Result<()> {
    let file = match arguments {
        [] => None,
        [json, file] if json == "--json" => Some(PathBuf::from(file)),
        [first, ..] => {
            return Err(Failure::new(
                format!("`bench {first}`"),
                "this command does not know that argument",
                "it takes `--json FILE`",
            ));
        }
    };
    let tools = setup::client_tools(project)?;
    let mut figures = Vec::new();
    let packages = ["core", "relay"].into_iter().filter(|package| {
        fs::read_dir(project.root.join(package).join("benches"))
            .is_ok_and(|mut entries| entries.next().is_some())
    });
    for package in packages {
        let package = format!("tandem-{package}");
        let mut cargo = project.cargo();
        // Named, since `--benches` would build the unit tests as well.
        cargo.args(["bench", "--bench", "*", "--package", &package]);
        gather(
            &format!("benchmarks of {package}"),
            &mut cargo,
            &mut figures,
        )?;
    }
    let mut cargo = tools.command("cargo");
    cargo.env(
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
        "wasm-bindgen-test-runner",
    );
    cargo
        // Built as what thinks in the page is.
        .args(["test", "--profile", "worker", "--package", "tandem-core"])
        .args(["--bench", "engine", "--target", "wasm32-unknown-unknown"])
        .args(["--", "--nocapture"]);
    gather("benchmarks of WASM", &mut cargo, &mut figures)?;
    let fractions = wasm_fractions(&figures);
    println!();
    for Figure { name, value, .. } in &fractions {
        println!("{name}: {value:.2} of native");
    }
    figures.extend(fractions);
    match file {
        Some(file) => write(&file, &figures),
        None => Ok(()),
    }
}

/// Runs one benchmark in sight, and keeps its figures.
fn gather(what: &str, command: &mut Command, figures: &mut Vec<Figure>) -> Result<()> {
    run::watched(what, command, |line| figures.extend(Figure::read(line)))
}

/// How fast each walk is as WASM, as a fraction of what it is on the machine itself, and the mean
/// of each way to walk.
fn wasm_fractions(figures: &[Figure]) -> Vec<Figure> {
    let mut fractions: Vec<Figure> = Vec::new();
    for wasm in figures {
        let Some(name) = wasm.name.strip_suffix("/wasm-rate") else {
            continue;
        };
        let native = format!("{name}/rate");
        if let Some(native) = figures.iter().find(|figure| figure.name == native) {
            fractions.push(of_native(format!("{name}/wasm"), wasm.value / native.value));
        }
    }
    let mut ways: Vec<&str> = fractions
        .iter()
        .filter_map(|figure| figure.name.split('/').next())
        .collect();
    ways.dedup();
    let means: Vec<Figure> = ways
        .into_iter()
        .map(|way| {
            let of_way = |figure: &&Figure| figure.name.split('/').next() == Some(way);
            let logarithms: Vec<f64> = fractions
                .iter()
                .filter(of_way)
                .map(|figure| figure.value.ln())
                .collect();
            let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
            of_native(format!("{way}/wasm-mean"), mean.exp())
        })
        .collect();
    fractions.extend(means);
    fractions
}

fn of_native(name: String, value: f64) -> Figure {
    Figure {
        name,
        value,
        unit: "ratio".to_owned(),
        reference: "native".to_owned(),
    }
}

/// Writes `{"name": {"value": 1.7, "unit": "ratio", "reference": "…"}, …}`.
fn write(file: &Path, figures: &[Figure]) -> Result<()> {
    fs::write(file, json(figures)).map_err(|error| Failure::io(file.display().to_string(), &error))
}

fn json(figures: &[Figure]) -> String {
    let entries: Vec<String> = figures
        .iter()
        .map(|figure| {
            let mut entry = format!(
                "  {}: {{\"value\": {}, \"unit\": {}",
                quoted(&figure.name),
                figure.value,
                quoted(&figure.unit)
            );
            if !figure.reference.is_empty() {
                entry.push_str(&format!(", \"reference\": {}", quoted(&figure.reference)));
            }
            entry + "}"
        })
        .collect();
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}

/// A text in JSON's quotation marks. What benchmarks print are words, so little needs an escape.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => quoted.push(' '),
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_and_written() {
        let lines = [
            "figure perft/start 1.75 ratio shakmaty 0.30.1",
            "    figure perft/start/rate 200 Mnodes/s",
            "figure perft/start/wasm-rate 130 Mnodes/s",
            "figure broken x ratio",
            "figure broken NaN ratio",
            "running 1 test",
        ];
        let mut figures: Vec<Figure> = lines.iter().filter_map(|line| Figure::read(line)).collect();
        assert_eq!(figures.len(), 3);
        figures.extend(wasm_fractions(&figures));
        assert_eq!(
            json(&figures),
            "{\n  \"perft/start\": {\"value\": 1.75, \"unit\": \"ratio\", \"reference\": \"shakmaty 0.30.1\"},\n  \
             \"perft/start/rate\": {\"value\": 200, \"unit\": \"Mnodes/s\"},\n  \
             \"perft/start/wasm-rate\": {\"value\": 130, \"unit\": \"Mnodes/s\"},\n  \
             \"perft/start/wasm\": {\"value\": 0.65, \"unit\": \"ratio\", \"reference\": \"native\"},\n  \
             \"perft/wasm-mean\": {\"value\": 0.65, \"unit\": \"ratio\", \"reference\": \"native\"}\n}\n"
        );
    }

    #[test]
    fn a_text_stays_inside_its_quotation_marks() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c d\"");
    }
}
