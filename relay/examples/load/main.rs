//! Puts load on a relay and measures it: so many tables of four people who play legal random plies
//! over real sockets, on this machine only.
//!
//! The relay runs in a process of its own, with its journal on; `--bare` measures, in the same way,
//! a server that does nothing but send the same frames to the same sockets. What it prints: plies
//! per second, the time from sending a ply to its arrival at the last of the four, bytes of a ply and
//! of a reconnection, and what a table costs in processor time and memory.

#![cfg_attr(not(target_os = "linux"), allow(dead_code))]

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Parser;

mod bare;
mod client;
mod figures;
mod play;

use figures::{Figures, Usage};

/// Puts load on a relay on this machine.
#[derive(Debug, Clone, Parser)]
struct Flags {
    /// How many tables of four
    #[arg(long, default_value_t = 100)]
    tables: usize,
    /// How many plies a second at each table
    #[arg(long, default_value_t = 1.0)]
    rate: f64,
    /// For how many seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// How many sockets more, which look on and say nothing
    #[arg(long, default_value_t = 0)]
    idle: usize,
    /// How many players in a hundred stop reading in the midst of it; the relay closes them
    #[arg(long, default_value_t = 0)]
    slow: usize,
    /// How many players in a hundred are cut off in the midst of it and come back
    #[arg(long, default_value_t = 0)]
    cuts: usize,
    /// How many floods of senseless frames come meanwhile
    #[arg(long, default_value_t = 0)]
    floods: usize,
    /// Measures a server that only hands frames on, instead of the relay
    #[arg(long)]
    bare: bool,
    /// Where the figures go, as JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// Without a journal
    #[arg(long)]
    no_journal: bool,
    /// Serves in this process; the program starts itself so
    #[arg(long, hide = true)]
    serve: Option<PathBuf>,
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    let mut runtime = match flags.serve {
        Some(_) => tokio::runtime::Builder::new_multi_thread(),
        // The load leaves the other processors to the relay.
        None => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime.enable_all().build();
    let done = runtime
        .context("cannot start")
        .and_then(|runtime| match flags.serve.clone() {
            Some(data) => runtime.block_on(serve(flags, data)),
            None => runtime.block_on(measure(flags)),
        });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The other process: a relay without limits for one address, or the bare server.
async fn serve(flags: Flags, data: PathBuf) -> anyhow::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    if flags.bare {
        return bare::serve(listener).await;
    }
    let config = tandem_relay::Config {
        data: (!flags.no_journal).then_some(data),
        tables_max: 1_000_000,
        connections_max: 1_000_000,
        connections_per_address: 1_000_000,
        tables_per_address: 1_000_000,
        frames_per_second: 1_000_000,
        bytes_per_second: 1_000_000_000,
        per_address: tandem_relay::Traffic::UNLIMITED,
        in_all: tandem_relay::Traffic::UNLIMITED,
        bot_threads: 0,
        ..tandem_relay::Config::default()
    };
    // Ends with the process that started it.
    tandem_relay::run(listener, config, || {}, std::future::pending()).await?;
    Ok(())
}

/// The other process, as this one sees it.
struct Served {
    child: Child,
    address: SocketAddr,
    _data: tempfile::TempDir,
}

impl Served {
    fn start(flags: &Flags) -> anyhow::Result<Served> {
        let data = tempfile::tempdir()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("--serve").arg(data.path());
        if flags.bare {
            command.arg("--bare");
        }
        if flags.no_journal {
            command.arg("--no-journal");
        }
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        let out = child.stdout.take().context("no output")?;
        BufReader::new(out).read_line(&mut line)?;
        Ok(Served {
            address: line.trim().parse().context("the server did not start")?,
            child,
            _data: data,
        })
    }

    fn usage(&self) -> anyhow::Result<Usage> {
        Usage::of(self.child.id())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn measure(flags: Flags) -> anyhow::Result<()> {
    if flags.tables == 0 || flags.rate <= 0.0 || flags.seconds == 0 {
        bail!("--tables, --rate and --seconds must be above zero");
    }
    let sockets = 4 * flags.tables + flags.idle;
    figures::allow_files(sockets + 200)?;
    let served = Served::start(&flags)?;
    // What it needs once, however many tables there are, is no part of what a table costs.
    play::ask_something(served.address).await?;
    let empty = served.usage()?;
    eprintln!("{} tables sit down …", flags.tables);
    let tables = play::open(served.address, flags.tables, flags.bare).await?;
    let idle = play::look_on(served.address, &tables, flags.idle).await?;
    let seated = served.usage()?;
    eprintln!("{} sockets are open; playing …", sockets);
    let pace = Duration::from_secs_f64(1.0 / flags.rate);
    let length = Duration::from_secs(flags.seconds);
    let mischief = play::Mischief {
        slow: flags.slow,
        cuts: flags.cuts,
        floods: flags.floods,
    };
    let played = play::run(served.address, tables, pace, length, mischief).await?;
    let after = served.usage()?;
    drop(idle);
    let figures = Figures::new(&flags, &empty, &seated, &after, played);
    print!("{figures}");
    if let Some(path) = &flags.json {
        let mut text = String::new();
        writeln!(text, "{}", figures.json())?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
