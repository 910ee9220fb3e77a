//! Lists the legal plies of one board in UCI, sorted, then what they amount to: `ok`, `check`,
//! `waiting` (no legal ply, but no mate) or `checkmate`.

use std::io::Write;
use std::process::ExitCode;

use tandem_core::Status;

mod cli;

use cli::{Arguments, Failure, Tool};

const TOOL: Tool = Tool {
    name: "legal",
    usage: "legal \"<FEN>\" [--drops …] [--promotion …]",
    positional: &["FEN"],
    switches: &[],
    options: &[],
};

fn main() -> ExitCode {
    TOOL.run(work)
}

fn work(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let position = arguments.position(0)?;
    let mut plies: Vec<String> = position
        .legal_plies()
        .iter()
        .map(ToString::to_string)
        .collect();
    plies.sort();
    for ply in plies {
        writeln!(out, "{ply}")?;
    }
    let status = match position.status() {
        Status::Move => "ok",
        other => other.as_str(),
    };
    writeln!(out, "{status}")?;
    Ok(())
}
