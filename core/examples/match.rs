//! Plays a match from standard input: lines such as `A e2e4` or `B N@f3`, in UCI or SAN.
//!
//! Both boards are written at the start and after each line, and the end when the match is over.
//! A line that cannot be played gives only `illegal:` and the reason. Empty lines are skipped.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use tandem_core::{BoardEnd, BoardId, Match};

mod cli;

use cli::{Arguments, Failure, Tool};

const TOOL: Tool = Tool {
    name: "match",
    usage: "match [--start \"<A-FEN> | <B-FEN>\"] [--drops …] [--promotion …]",
    positional: &[],
    switches: &[],
    options: &["--start"],
};

fn main() -> ExitCode {
    TOOL.run(work)
}

fn work(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let mut game = match arguments.flag("--start") {
        Some(fens) => Match::from_fens(fens, arguments.rules)
            .map_err(|error| Failure::Usage(format!("bad start: {error}")))?,
        None => Match::new(arguments.rules),
    };
    let mut end = game.judge(None);
    show(&game, end, out)?;

    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        // Bytes that are no text make a line that cannot be read as a ply, no failure.
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        match play(&mut game, &mut end, &text) {
            Ok(()) => show(&game, end, out)?,
            Err(reason) => writeln!(out, "illegal: {reason}")?,
        }
        // Whoever feeds this line by line waits for the answer.
        out.flush()?;
    }
}

fn play(game: &mut Match, end: &mut Option<BoardEnd>, line: &str) -> Result<(), String> {
    if end.is_some() {
        return Err("the match is over".to_owned());
    }
    let mut words = line.split_whitespace();
    let (Some(board), Some(ply), None) = (words.next(), words.next(), words.next()) else {
        return Err("a line is a board and a move, such as A e2e4".to_owned());
    };
    let board: BoardId = board.parse().map_err(|error| format!("{error}"))?;
    let ply = game
        .position(board)
        .parse_ply(ply)
        .map_err(|error| error.to_string())?;
    game.play(board, ply).map_err(|error| error.to_string())?;
    *end = game.judge(Some(board));
    Ok(())
}

fn show(game: &Match, end: Option<BoardEnd>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", game.to_fens())?;
    if let Some(end) = end {
        match end.winner {
            Some(team) => writeln!(out, "end {} {}", end.rule, team.number())?,
            None => writeln!(out, "end {} none", end.rule)?,
        }
    }
    out.flush()
}
