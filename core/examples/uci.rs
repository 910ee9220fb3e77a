//! The bot as a UCI engine on one board. Captured pieces enter no hand: they go to the partner.
//!
//! Besides the usual commands it knows `go perft N`, `d` (the board) and `eval`. Lines it does not
//! understand get an `info string` and change nothing.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};

use tandem_core::bot::{self, Bot, Level, Limits, Thought};
use tandem_core::movegen::perft;
use tandem_core::{Color, Position, Rules, Square};

mod cli;

use cli::{Arguments, Failure, Tool};

const TOOL: Tool = Tool {
    name: "uci",
    usage: "uci [--drops …] [--promotion …]",
    positional: &[],
    switches: &[],
    options: &[],
};

/// From `go` without anything else.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// How much the first search looks at when there is a time to keep.
const FIRST_NODES: u32 = 1_000;

/// Deeper counts take longer than anybody waits, and this keeps the recursion shallow.
const PERFT_LIMIT: u32 = 100;

fn main() -> ExitCode {
    TOOL.run(work)
}

fn work(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let mut engine = Engine {
        rules: arguments.rules,
        level: Level::MAX,
        position: Position::start(arguments.rules),
    };
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let mut words = text.split_whitespace();
        let Some(command) = words.next() else {
            continue;
        };
        let words: Vec<&str> = words.collect();
        if command == "quit" {
            return Ok(());
        }
        if let Err(problem) = engine.obey(command, &words, out)? {
            writeln!(out, "info string {problem}")?;
        }
        // Whoever feeds this line by line waits for the answer.
        out.flush()?;
    }
}

/// Why a line was not obeyed.
struct Problem(String);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn problem(text: impl Into<String>) -> Problem {
    Problem(text.into())
}

struct Engine {
    rules: Rules,
    level: Level,
    position: Position,
}

impl Engine {
    fn obey(
        &mut self,
        command: &str,
        words: &[&str],
        out: &mut dyn Write,
    ) -> io::Result<Result<(), Problem>> {
        match command {
            "uci" => {
                writeln!(out, "id name Tandem {}", env!("CARGO_PKG_VERSION"))?;
                writeln!(out, "id author the Tandem project")?;
                let (least, most) = (Level::MIN, Level::MAX);
                writeln!(
                    out,
                    "option name Level type spin default {most} min {least} max {most}"
                )?;
                writeln!(
                    out,
                    "option name UCI_Variant type combo default bughouse var bughouse"
                )?;
                writeln!(
                    out,
                    "option name Drops type combo default any var any var no-mate var no-check"
                )?;
                writeln!(
                    out,
                    "option name Promotion type combo default choose var choose var trickle"
                )?;
                writeln!(out, "uciok")?;
            }
            "isready" => writeln!(out, "readyok")?,
            "ucinewgame" => self.position = Position::start(self.rules),
            // A search ends before the next line is read.
            "stop" | "ponderhit" | "debug" => {}
            "setoption" => return Ok(self.set_option(words)),
            "position" => return Ok(self.set_position(words)),
            "go" => match self.go(words) {
                Ok(Go::Perft(depth)) => self.divide(depth, out)?,
                Ok(Go::Think(limits, time)) => self.think(limits, time, out)?,
                Err(problem) => return Ok(Err(problem)),
            },
            "d" => self.show(out)?,
            "eval" => writeln!(out, "eval {} cp", bot::evaluate(&self.position))?,
            _ => return Ok(Err(problem(format!("unknown command {command}")))),
        }
        Ok(Ok(()))
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), Problem> {
        let (["name", name], value) = words.split_at(words.len().min(2)) else {
            return Err(problem("setoption needs: name <option> value <value>"));
        };
        let value = match value {
            ["value", value] => *value,
            _ => return Err(problem("setoption needs: name <option> value <value>")),
        };
        let wrong = |reason: &dyn fmt::Display| problem(format!("bad value {value}: {reason}"));
        match name.to_ascii_lowercase().as_str() {
            "level" => {
                let level = value.parse::<u8>().ok();
                self.level = level
                    .and_then(|number| Level::try_from(number).ok())
                    .ok_or_else(|| wrong(&bot::BadLevel))?;
            }
            "uci_variant" if value == "bughouse" => {}
            "uci_variant" => return Err(wrong(&"the only variant is bughouse")),
            "drops" => self.rules.drops = value.parse().map_err(|error| wrong(&error))?,
            "promotion" => self.rules.promotion = value.parse().map_err(|error| wrong(&error))?,
            _ => return Err(problem(format!("unknown option {name}"))),
        }
        self.position = Position::from_fen(&self.position.to_fen(), self.rules)
            .map_err(|error| problem(format!("the position does not fit the option: {error}")))?;
        Ok(())
    }

    fn set_position(&mut self, words: &[&str]) -> Result<(), Problem> {
        let (setup, moves) = match words.iter().position(|&word| word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[][..]),
        };
        let mut position = match setup {
            ["startpos"] => Position::start(self.rules),
            ["fen", fen @ ..] => Position::from_fen(&fen.join(" "), self.rules)
                .map_err(|error| problem(format!("bad FEN: {error}")))?,
            _ => return Err(problem("position needs: startpos or fen <FEN>")),
        };
        for text in moves {
            let ply = text
                .parse()
                .map_err(|error| problem(format!("{text}: {error}")))?;
            position
                .play(ply)
                .map_err(|error| problem(format!("{text}: {error}")))?;
        }
        self.position = position;
        Ok(())
    }

    fn go(&self, words: &[&str]) -> Result<Go, Problem> {
        let mut limits = Limits::default();
        let mut time = None;
        let own_time = match self.position.turn() {
            Color::White => "wtime",
            Color::Black => "btime",
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "perft" => {
                    let depth = number(word, words.next())?;
                    if depth > PERFT_LIMIT {
                        return Err(problem(format!("perft goes to {PERFT_LIMIT}")));
                    }
                    return Ok(Go::Perft(depth));
                }
                "nodes" => limits.nodes = Some(number(word, words.next())?),
                "depth" => limits.depth = Some(number(word, words.next())?),
                "movetime" => {
                    time = Some(Duration::from_millis(number(word, words.next())?));
                }
                _ if word == own_time => {
                    let left: u64 = number(word, words.next())?;
                    time = time.or(Some(Duration::from_millis(left / 40)));
                }
                "wtime" | "btime" | "winc" | "binc" | "movestogo" => {
                    let _: u64 = number(word, words.next())?;
                }
                "infinite" => {}
                _ => return Err(problem(format!("unknown limit {word}"))),
            }
        }
        if limits == Limits::default() && time.is_none() {
            time = Some(USUAL_TIME);
        }
        Ok(Go::Think(limits, time))
    }

    /// Searches and writes what was found. A bot knows no time, so a time becomes a number of
    /// nodes, twice as many again and again for as long as the next search should fit.
    fn think(&self, limits: Limits, time: Option<Duration>, out: &mut dyn Write) -> io::Result<()> {
        let bot = Bot::new(self.level, 0);
        let started = Instant::now();
        let Some(time) = time else {
            let thought = bot.search(&self.position, limits);
            report(&thought, started.elapsed(), out)?;
            return conclude(&thought, out);
        };
        let most = limits.nodes.unwrap_or(u32::MAX);
        let mut nodes = FIRST_NODES.min(most);
        loop {
            let before = started.elapsed();
            let limits = Limits {
                nodes: Some(nodes),
                ..limits
            };
            let thought = bot.search(&self.position, limits);
            let took = started.elapsed();
            report(&thought, took, out)?;
            let next = took + 2 * (took - before);
            let done = nodes >= most || thought.nodes < u64::from(nodes) || next > time;
            if done {
                return conclude(&thought, out);
            }
            out.flush()?;
            nodes = nodes.saturating_mul(2).min(most);
        }
    }

    fn divide(&self, depth: u32, out: &mut dyn Write) -> io::Result<()> {
        let mut total = 1;
        if depth > 0 {
            let mut plies = self.position.legal_plies().to_vec();
            plies.sort_by_key(ToString::to_string);
            total = 0;
            for ply in plies {
                let mut after = self.position;
                after.play_unchecked(ply);
                let leaves = perft(&after, depth - 1);
                total += leaves;
                writeln!(out, "{ply}: {leaves}")?;
            }
        }
        writeln!(out, "\nNodes searched: {total}")
    }

    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let piece = Square::from_coords(file, rank)
                    .and_then(|square| self.position.piece_at(square));
                write!(out, " {}", piece.map_or('.', |piece| piece.letter()))?;
            }
            writeln!(out, "  {}", rank + 1)?;
        }
        writeln!(out, " a b c d e f g h\n")?;
        writeln!(out, "Fen: {}", self.position.to_fen())?;
        writeln!(out, "Status: {}", self.position.status())
    }
}

enum Go {
    Perft(u32),
    Think(Limits, Option<Duration>),
}

fn number<T: FromStr>(what: &str, word: Option<&&str>) -> Result<T, Problem> {
    word.and_then(|word| word.parse().ok())
        .ok_or_else(|| problem(format!("{what} needs a whole number")))
}

fn report(thought: &Thought, took: Duration, out: &mut dyn Write) -> io::Result<()> {
    let score = match thought.mate_in() {
        // UCI counts moves of the winner, and mates against the mover below zero.
        Some(plies) if plies > 0 => format!("mate {}", (plies + 1) / 2),
        Some(plies) => format!("mate {}", plies / 2),
        None => format!("cp {}", thought.score),
    };
    let seconds = took.as_secs_f64().max(1e-6);
    write!(
        out,
        "info depth {} score {score} nodes {} nps {:.0} time {}",
        thought.depth,
        thought.nodes,
        thought.nodes as f64 / seconds,
        took.as_millis()
    )?;
    match thought.ply {
        Some(ply) => writeln!(out, " pv {ply}"),
        None => writeln!(out),
    }
}

fn conclude(thought: &Thought, out: &mut dyn Write) -> io::Result<()> {
    match thought.ply {
        Some(ply) => writeln!(out, "bestmove {ply}"),
        None => writeln!(out, "bestmove (none)"),
    }
}
