//! `cargo xtask test`: every check there is, each a step with a name, and a summary at the end.

use std::process::{Command, ExitCode};
use std::time::Instant;

use crate::build;
use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::run;
use crate::setup::{self, Tools};

const TARGET: [&str; 2] = ["--target", "wasm32-unknown-unknown"];
/// What is built for the browser only: the page, and the worker in which bots think.
const CLIENT: [&str; 4] = [
    "--package",
    "tandem-client",
    "--package",
    "tandem-bot-worker",
];
/// Everything else.
const NATIVE: [&str; 5] = [
    "--workspace",
    "--exclude",
    "tandem-client",
    "--exclude",
    "tandem-bot-worker",
];

/// A step: its name, what it does, and the function.
type Step = (
    &'static str,
    &'static str,
    fn(&Run<'_>, &mut Count) -> Result<()>,
);

const STEPS: [Step; 6] = [
    ("fmt", "the code's layout", fmt),
    ("clippy", "lints, without a warning", clippy),
    ("doc", "the documentation, without a warning", doc),
    ("rust", "tests of core, relay and xtask", rust),
    ("wasm", "tests of core as WASM", wasm),
    (
        "browser",
        "tests in a browser against the release build",
        browser,
    ),
];

/// What the steps share.
struct Run<'a> {
    project: &'a Project,
    tools: Option<Tools>,
    /// Arguments for the browser's tests.
    arguments: &'a [String],
}

impl Run<'_> {
    /// The tools, found once before the first step that needs them.
    fn tools(&self) -> Result<&Tools> {
        self.tools
            .as_ref()
            .ok_or_else(|| Failure::new("the tools", "they were not set up for this step", ""))
    }
}

/// `cargo xtask test`. Ends with a line `N passed, M failed`.
///
/// # Errors
///
/// When a step's name is unknown. A failing step is reported here and makes the exit code.
pub fn test(project: &Project, arguments: &[String]) -> Result<ExitCode> {
    let split = arguments
        .iter()
        .position(|argument| argument == "--")
        .unwrap_or(arguments.len());
    let (names, rest) = arguments.split_at(split);
    if let Some(unknown) = names
        .iter()
        .find(|name| STEPS.iter().all(|(step, ..)| step != name))
    {
        let known = STEPS.map(|(name, ..)| name).join(" ");
        return Err(Failure::new(
            format!("`test {unknown}`"),
            "there is no such step",
            format!("these are the steps: {known}"),
        ));
    }
    let mut run = Run {
        project,
        tools: None,
        arguments: rest.get(1..).unwrap_or_default(),
    };
    let mut count = Count::default();
    let mut summary = Vec::new();
    let mut result = Ok(());
    for (name, about, step) in STEPS {
        if !names.is_empty() && names.iter().all(|wanted| wanted != name) {
            continue;
        }
        if name != "fmt" && name != "rust" && run.tools.is_none() {
            let start = Instant::now();
            result = setup::client_tools(project).map(|tools| run.tools = Some(tools));
            summary.push(("setup", "the tools", result.is_ok(), start.elapsed()));
            if result.is_err() {
                break;
            }
        }
        println!("\n── {name}: {about}");
        let start = Instant::now();
        result = step(&run, &mut count);
        summary.push((name, about, result.is_ok(), start.elapsed()));
        if result.is_err() {
            break;
        }
    }
    println!();
    for (name, about, passed, time) in summary {
        println!(
            "{name:8} {:6} {:>11}   {about}",
            if passed { "ok" } else { "FAILED" },
            run::time(time)
        );
    }
    if let Err(failure) = &result {
        // A step that stops before its tests is a failure too, and has to show in the count.
        count.failed = count.failed.max(1);
        eprintln!("xtask: {failure}");
    }
    println!("{count}");
    Ok(if result.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn fmt(run: &Run<'_>, _: &mut Count) -> Result<()> {
    component(run.project, "fmt", "rustfmt")?;
    run::shown("fmt", run.project.cargo().args(["fmt", "--all", "--check"]))
        .map_err(|failure| failure.remedy("`cargo fmt --all` puts it right"))
}

fn clippy(run: &Run<'_>, _: &mut Count) -> Result<()> {
    component(run.project, "clippy", "clippy")?;
    let strict = ["--all-targets", "--", "--deny", "warnings"];
    run::shown(
        "clippy",
        run.project.cargo().arg("clippy").args(NATIVE).args(strict),
    )?;
    // Called by its full name, because Cargo may look for `cargo clippy` in another toolchain first.
    let mut clippy = run.tools()?.command("cargo-clippy");
    run::shown(
        "clippy of the client",
        clippy.arg("clippy").args(CLIENT).args(TARGET).args(strict),
    )
}

fn doc(run: &Run<'_>, _: &mut Count) -> Result<()> {
    let strict = |mut cargo: Command, of: &[&str]| {
        cargo
            .args(["doc", "--no-deps", "--document-private-items"])
            .args(of)
            .env("RUSTDOCFLAGS", "--deny warnings");
        run::shown("doc", &mut cargo)
    };
    strict(run.project.cargo(), &NATIVE)?;
    strict(
        run.tools()?.command("cargo"),
        &[&CLIENT[..], &TARGET].concat(),
    )
}

fn rust(run: &Run<'_>, count: &mut Count) -> Result<()> {
    let mut cargo = run.project.cargo();
    run::watched("tests of Rust", cargo.arg("test").args(NATIVE), |line| {
        count.read(line)
    })
}

fn wasm(run: &Run<'_>, count: &mut Count) -> Result<()> {
    let mut cargo = run.tools()?.command("cargo");
    cargo.env(
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
        "wasm-bindgen-test-runner",
    );
    cargo
        .args(["test", "--package", "tandem-core", "--test", "all"])
        .args(TARGET);
    run::watched("tests of WASM", &mut cargo, |line| count.read(line))
}

fn browser(run: &Run<'_>, count: &mut Count) -> Result<()> {
    let project = run.project;
    setup::npm_ci(project)?;
    let chromium = setup::browser(project)?;
    let npx = || {
        let mut npx = run::command("npx");
        npx.arg("--no-install").current_dir(project.e2e());
        npx
    };
    run::shown(
        "types of the browser's tests",
        npx().args(["tsc", "--noEmit"]),
    )?;
    build::build_all(project, run.tools()?)?;
    let mut playwright = npx();
    playwright.args(["playwright", "test"]).args(run.arguments);
    playwright
        .env("TANDEM_CHROMIUM", chromium)
        .env("TANDEM_RELAY", project.relay())
        .env("FORCE_COLOR", "0");
    run::watched("tests in the browser", &mut playwright, |line| {
        count.read(line)
    })
}

/// Makes sure that a part of Rust is there which some installations leave out.
fn component(project: &Project, command: &str, component: &str) -> Result<()> {
    match run::output(project.cargo().args([command, "--version"])) {
        Some(_) => Ok(()),
        None => Err(Failure::new(
            format!("cargo {command}"),
            "this Rust has no such part",
            format!(
                "`rustup component add {component}`, or the distribution's package of that name"
            ),
        )),
    }
}

/// How many tests ran, from what their runners say.
#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Count {
    /// Reads a line of a runner's output. `cargo test` and wasm-bindgen's runner say
    /// `test result: ok. 3 passed; 0 failed; 1 ignored; …`, Playwright `  3 passed (4.1s)`.
    fn read(&mut self, line: &str) {
        let line = line.trim();
        let of_rust = line
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "));
        let parts: Vec<&str> = match of_rust {
            Some((_, numbers)) => numbers.split("; ").collect(),
            None => vec![line],
        };
        for part in parts {
            let mut words = part.split_whitespace();
            let (Some(Ok(number)), Some(kind)) =
                (words.next().map(str::parse::<usize>), words.next())
            else {
                continue;
            };
            // Only the closing lines of Playwright have nothing but a time behind the word.
            if of_rust.is_none() && !words.all(|word| word.starts_with('(') || word.ends_with(')'))
            {
                continue;
            }
            match kind {
                "passed" => self.passed += number,
                "failed" | "flaky" => self.failed += number,
                "ignored" | "skipped" => self.skipped += number,
                _ => {}
            }
        }
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(lines: &[&str]) -> String {
        let mut count = Count::default();
        lines.iter().for_each(|line| count.read(line));
        count.to_string()
    }

    #[test]
    fn closing_lines_are_counted() {
        assert_eq!(
            count(&[
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s"
            ]),
            "12 passed, 0 failed, 1 skipped"
        );
        assert_eq!(
            count(&[
                "  1 failed",
                "    [desktop] › smoke.spec.ts:4:1 › 3 passed pawns ",
                "  7 passed (12.3s)",
                "  1 flaky"
            ]),
            "7 passed, 2 failed"
        );
        assert_eq!(
            count(&[
                "  2 passed (1.2m)",
                "test result: FAILED. 1 passed; 2 failed; 0 ignored"
            ]),
            "3 passed, 2 failed"
        );
    }

    #[test]
    fn other_lines_are_not() {
        assert_eq!(
            count(&[
                "running 3 tests",
                "3 passed pawns make a queen",
                "test a ... ok",
                ""
            ]),
            "0 passed, 0 failed"
        );
    }
}
