//! What the command-line tools share: arguments, and how they fail.
//!
//! A wrong argument gives one line on standard error and exit code 2. Whoever reads the output
//! may stop reading at any time: that is no failure.

// Each tool compiles this file on its own and leaves out what it has no use for.
#![allow(dead_code)]

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use tandem_core::{Position, Rules};

/// Why a tool stops early.
pub enum Failure {
    /// The arguments are wrong.
    Usage(String),
    /// Reading or writing failed.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

/// A tool: its name and what it accepts besides `--drops`, `--promotion` and `--help`.
pub struct Tool {
    /// The name in front of messages.
    pub name: &'static str,
    /// The line `--help` prints first.
    pub usage: &'static str,
    /// How many arguments without a flag it takes.
    pub positional: &'static [&'static str],
    /// Flags without a value.
    pub switches: &'static [&'static str],
    /// Flags with a value.
    pub options: &'static [&'static str],
}

/// The arguments of one call.
#[derive(Default)]
pub struct Arguments {
    /// Those without a flag, as many as the tool takes.
    pub positional: Vec<String>,
    /// The table's options.
    pub rules: Rules,
    given: Vec<(String, String)>,
}

impl Arguments {
    /// The value of a flag, empty for one without a value, or `None` if it was not given.
    pub fn flag(&self, name: &str) -> Option<&str> {
        self.given
            .iter()
            .find(|(given, _)| given == name)
            .map(|(_, value)| value.as_str())
    }

    /// Reads the FEN that is the argument at this place.
    pub fn position(&self, place: usize) -> Result<Position, Failure> {
        Position::from_fen(&self.positional[place], self.rules)
            .map_err(|error| Failure::Usage(format!("bad FEN: {error}")))
    }
}

impl Tool {
    /// Reads the arguments of the process and works on them.
    pub fn run(&self, work: fn(&Arguments, &mut dyn Write) -> Result<(), Failure>) -> ExitCode {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let result = match self.read(std::env::args_os().skip(1)) {
            Ok(Some(arguments)) => work(&arguments, &mut out),
            Ok(None) => self.help(&mut out).map_err(Failure::Io),
            Err(failure) => Err(failure),
        };
        let result = result.and_then(|()| Ok(out.flush()?));
        // Dropping the buffer would try to write what is left of it once more.
        let _ = out.into_parts();
        let (message, code) = match result {
            Ok(()) => return ExitCode::SUCCESS,
            Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Err(Failure::Io(error)) => (error.to_string(), 1),
            Err(Failure::Usage(message)) => (message, 2),
        };
        // If even this cannot be written, the exit code has to say it.
        let _ = writeln!(io::stderr(), "{}: {message}", self.name);
        ExitCode::from(code)
    }

    fn help(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "usage: {}", self.usage)?;
        writeln!(out, "  --drops any|no-mate|no-check  what a drop may give")?;
        writeln!(
            out,
            "  --promotion choose|trickle    what a pawn on the last rank does"
        )
    }

    /// The arguments, or `None` when help is asked for.
    fn read(&self, all: impl Iterator<Item = OsString>) -> Result<Option<Arguments>, Failure> {
        let usage = |message: String| Failure::Usage(message);
        let mut arguments = Arguments::default();
        let mut all = all.map(|argument| {
            argument
                .into_string()
                .map_err(|raw| usage(format!("argument is not Unicode: {}", raw.display())))
        });
        while let Some(argument) = all.next() {
            let argument = argument?;
            if !is_flag(&argument) {
                arguments.positional.push(argument);
                continue;
            }
            let (flag, inline) = match argument.split_once('=') {
                Some((flag, value)) => (flag, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            if inline.is_none() && (flag == "--help" || flag == "-h") {
                return Ok(None);
            }
            let value = if self.switches.contains(&flag) && inline.is_none() {
                String::new()
            } else if self.options.contains(&flag) || ["--drops", "--promotion"].contains(&flag) {
                match inline {
                    Some(value) => value,
                    None => all
                        .next()
                        .ok_or_else(|| usage(format!("{flag} needs a value")))??,
                }
            } else {
                return Err(usage(format!("unknown flag {argument}")));
            };
            match flag {
                "--drops" => {
                    arguments.rules.drops =
                        value.parse().map_err(|error| usage(format!("{error}")))?;
                }
                "--promotion" => {
                    arguments.rules.promotion =
                        value.parse().map_err(|error| usage(format!("{error}")))?;
                }
                _ => arguments.given.push((flag.to_owned(), value)),
            }
        }
        if let Some(missing) = self.positional.get(arguments.positional.len()) {
            return Err(usage(format!("missing {missing}; usage: {}", self.usage)));
        }
        if let Some(extra) = arguments.positional.get(self.positional.len()) {
            return Err(usage(format!(
                "unexpected argument {extra:?}; usage: {}",
                self.usage
            )));
        }
        Ok(Some(arguments))
    }
}

/// A negative number is no flag, but an argument to complain about with its own reason.
fn is_flag(argument: &str) -> bool {
    argument
        .strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|c: char| c == '-' || c.is_ascii_alphabetic()))
}
