//! Counts the sequences of legal plies on one board.
//!
//! Captured pieces leave the board and enter no hand: they go to the partner. The count stands
//! alone on the last line; `--divide` writes a line for each first ply above it.

use std::io::Write;
use std::process::ExitCode;

use tandem_core::movegen::perft;

mod cli;

use cli::{Arguments, Failure, Tool};

const TOOL: Tool = Tool {
    name: "perft",
    usage: "perft \"<FEN>\" <depth> [--divide] [--drops …] [--promotion …]",
    positional: &["FEN", "depth"],
    switches: &["--divide"],
    options: &[],
};

/// Nobody can wait for more, and the recursion stays shallow.
const DEPTH_LIMIT: u32 = 100;

fn main() -> ExitCode {
    TOOL.run(work)
}

fn work(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let position = arguments.position(0)?;
    let depth = arguments.positional[1]
        .parse()
        .ok()
        .filter(|&depth| depth <= DEPTH_LIMIT)
        .ok_or_else(|| {
            Failure::Usage(format!(
                "bad depth: must be a whole number from 0 to {DEPTH_LIMIT}"
            ))
        })?;
    if arguments.flag("--divide").is_none() || depth == 0 {
        writeln!(out, "{}", perft(&position, depth))?;
        return Ok(());
    }
    let mut plies = position.legal_plies().to_vec();
    plies.sort_by_key(ToString::to_string);
    let mut total = 0;
    for ply in plies {
        let mut after = position;
        after.play_unchecked(ply);
        let leaves = perft(&after, depth - 1);
        total += leaves;
        writeln!(out, "{ply}: {leaves}")?;
    }
    writeln!(out, "{total}")?;
    Ok(())
}
