//! The project's own commands, called as `cargo xtask <command>`. `cargo xtask help` lists them.
//!
//! In reading order: `failure` and `run` say how a step runs and how it fails, `project` knows where
//! things are, `setup` finds or installs the tools, and `build`, `test` and `bench` use them.
//! Only the standard library is used: whoever builds Tandem for the first time waits for this crate first.

mod failure;
mod run;

mod project;
mod setup;

mod build;
mod test;

mod bench;

use std::env;
use std::process::ExitCode;

use failure::{Failure, Result};
use project::Project;

const HELP: &str = "\
Tandem's own commands, each of which first sets up what it needs and finds missing:

  cargo xtask serve [RELAY FLAGS]    build everything and start the relay: http://127.0.0.1:8080
  cargo xtask test [STEP…] [-- ARGS] run every test: Rust, WASM, browser; or only the steps named:
                                     fmt clippy doc rust wasm browser (ARGS go to the browser's tests)
  cargo xtask setup [--no-browser]   only the set-up, for `serve` and for `test`
  cargo xtask build                  one release binary target/release/tandem-relay with the client inside
  cargo xtask client [--dev]         only the client, into dist/; --dev is quick to build and slow to run
  cargo xtask bench [--json FILE]    the benchmarks
  cargo xtask help                   this text

Environment:
  TANDEM_TOOLS=DIR           where missing tools go (target/tools)
  TANDEM_WASM_STD=distro     take the WASM standard library from Debian or Ubuntu at once, without asking rustup
  TANDEM_CHROMIUM=FILE       the browser for the tests
  CARGO_TARGET_DIR=DIR       where Cargo builds (target)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<ExitCode> {
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    if matches!(command, "help" | "--help" | "-h") {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    let project = Project::find()?;
    match command {
        "serve" => build::serve(&project, rest)?,
        "test" => return test::test(&project, rest),
        "setup" => setup::setup(&project, flag(command, rest, "--no-browser")?)?,
        "build" => {
            no_arguments(command, rest)?;
            build::build(&project)?;
        }
        "client" => {
            let profile = if flag(command, rest, "--dev")? {
                build::Profile::Dev
            } else {
                build::Profile::Release
            };
            build::client(&project, profile)?;
        }
        "bench" => bench::bench(&project, rest)?,
        unknown => {
            return Err(Failure::new(
                format!("`{unknown}`"),
                "there is no such command",
                "`cargo xtask help` lists them",
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the only flag a command knows was given; anything else is an error.
fn flag(command: &str, arguments: &[String], known: &str) -> Result<bool> {
    match arguments {
        [] => Ok(false),
        [one] if one == known => Ok(true),
        [other, ..] => Err(unknown_argument(command, other)),
    }
}

fn no_arguments(command: &str, arguments: &[String]) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(first) => Err(unknown_argument(command, first)),
    }
}

fn unknown_argument(command: &str, argument: &str) -> Failure {
    Failure::new(
        format!("`{command} {argument}`"),
        "this command does not know that argument",
        "`cargo xtask help` shows what each command takes",
    )
}
