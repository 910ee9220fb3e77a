//! The command `tandem-relay`: flags, signals, logs.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::builder::FalseyValueParser;
use clap::{ArgAction, Args, Parser, Subcommand};
use tandem_core::TableCode;
use tandem_core::table::HouseRules;
use tandem_relay::{
    BasePath, Block, Config, HeaderName, PublicUrl, Traffic, block, blocks, close, parse_duration,
    run, unblock,
};
use tokio::net::TcpListener;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The relay of Tandem: serves the page and brings four players to one table.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Flags {
    #[command(subcommand)]
    ask: Option<Ask>,

    /// The address and port to listen on
    #[arg(long, env = "TANDEM_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDR",
          value_parser = parse_address)]
    listen: SocketAddr,

    /// How long a player may be away in a match before that counts as leaving it
    // A negative time is a bad time rather than an unknown flag.
    #[arg(long, env = "TANDEM_ABSENCE_GRACE", default_value = "60s", value_name = "TIME",
          value_parser = parse_duration, allow_hyphen_values = true)]
    absence_grace: Duration,

    /// The path below which a proxy makes the relay known
    #[arg(
        long,
        env = "TANDEM_BASE_PATH",
        default_value = "/",
        value_name = "PATH"
    )]
    base_path: BasePath,

    /// The address and port on which `GET /metrics` answers, for Prometheus; nowhere if left out
    #[arg(long, env = "TANDEM_METRICS_LISTEN", value_name = "ADDR", value_parser = parse_address)]
    metrics_listen: Option<SocketAddr>,

    /// The folder in which tables are kept, so that matches outlive a restart; none keeps nothing
    #[arg(
        long,
        env = "TANDEM_DATA",
        default_value = "tandem-data",
        value_name = "DIR"
    )]
    data: PathBuf,

    /// How often what is kept is brought to the disk: a loss of power can cost that much of the
    /// latest play, the end of the relay alone costs nothing
    #[arg(long, env = "TANDEM_SYNC_EVERY", default_value = "1s", value_name = "TIME",
          value_parser = parse_pause, allow_hyphen_values = true)]
    sync_every: Duration,

    /// For how long matches that are over are kept in the data folder
    #[arg(long, env = "TANDEM_KEEP_MATCHES", default_value = "90d", value_name = "TIME",
          value_parser = parse_duration, allow_hyphen_values = true)]
    keep_matches: Duration,

    /// How many matches that are over are kept at most, the newest ones; 0 keeps none
    #[arg(long, env = "TANDEM_MATCHES", default_value_t = Config::default().matches_max,
          value_name = "N")]
    matches: usize,

    /// How many tables there may be at a time
    #[arg(long, env = "TANDEM_TABLES", default_value_t = Config::default().tables_max,
          value_name = "N")]
    tables: usize,

    /// How many sockets may be open at a time
    #[arg(long, env = "TANDEM_CONNECTIONS", default_value_t = Config::default().connections_max,
          value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    connections: u32,

    /// How many sockets may be open at a time from one address; four friends need four
    #[arg(long, env = "TANDEM_CONNECTIONS_PER_ADDRESS", value_name = "N",
          default_value_t = Config::default().connections_per_address)]
    connections_per_address: u32,

    /// How many tables one address may open at once; there is one more every ten seconds
    #[arg(long, env = "TANDEM_TABLES_PER_ADDRESS", value_name = "N",
          default_value_t = Config::default().tables_per_address)]
    tables_per_address: u32,

    /// How many frames a socket may send a second, and three times as many at once; a page sends one
    /// every two seconds and a few with each click
    #[arg(long, env = "TANDEM_FRAMES_PER_SECOND", value_name = "N",
          default_value_t = Config::default().frames_per_second,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    frames_per_second: u32,

    /// How many bytes a socket may send a second, and three times as many at once
    #[arg(long, env = "TANDEM_BYTES_PER_SECOND", value_name = "N",
          default_value_t = Config::default().bytes_per_second,
          value_parser = clap::value_parser!(u32).range(1_024..=1_000_000_000))]
    bytes_per_second: u32,

    /// How many frames all sockets of one address may send a second, and three times as many at once
    #[arg(long, env = "TANDEM_FRAMES_PER_ADDRESS", value_name = "N",
          default_value_t = Config::default().per_address.frames,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    frames_per_address: u32,

    /// How many bytes all sockets of one address may send a second, and three times as many at once
    #[arg(long, env = "TANDEM_BYTES_PER_ADDRESS", value_name = "N",
          default_value_t = Config::default().per_address.bytes,
          value_parser = clap::value_parser!(u32).range(1_024..=1_000_000_000))]
    bytes_per_address: u32,

    /// How many tells and lines of talk all people of one address may send a second, and three times
    /// as many at once
    #[arg(long, env = "TANDEM_TELLS_PER_ADDRESS", value_name = "N",
          default_value_t = Config::default().per_address.tells,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    tells_per_address: u32,

    /// How many frames all sockets may send a second, and three times as many at once
    #[arg(long, env = "TANDEM_FRAMES_IN_ALL", value_name = "N",
          default_value_t = Config::default().in_all.frames,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    frames_in_all: u32,

    /// How many bytes all sockets may send a second, and three times as many at once
    #[arg(long, env = "TANDEM_BYTES_IN_ALL", value_name = "N",
          default_value_t = Config::default().in_all.bytes,
          value_parser = clap::value_parser!(u32).range(1_024..=1_000_000_000))]
    bytes_in_all: u32,

    /// How many tells and lines of talk all people may send a second, and three times as many at once
    #[arg(long, env = "TANDEM_TELLS_IN_ALL", value_name = "N",
          default_value_t = Config::default().in_all.tells,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    tells_in_all: u32,

    /// How many tells and lines of talk one person may send in ten seconds
    #[arg(long, env = "TANDEM_TELLS", default_value_t = Config::default().tells, value_name = "N")]
    tells: usize,

    /// Keeps no list of tables to which anybody may come: every table is found by its link only
    #[arg(long, env = "TANDEM_NO_PUBLIC_LIST",
          value_parser = FalseyValueParser::new(), action = ArgAction::SetTrue)]
    no_public_list: bool,

    /// Takes no free text: partners have their tells, and nothing else can be written
    #[arg(long, env = "TANDEM_NO_CHAT", value_parser = FalseyValueParser::new(),
          action = ArgAction::SetTrue)]
    no_chat: bool,

    /// After how long a table is forgotten at which nobody is any more
    #[arg(long, env = "TANDEM_FORGET_EMPTY", default_value = "10m", value_name = "TIME",
          value_parser = parse_pause, allow_hyphen_values = true)]
    forget_empty: Duration,

    /// After how long a table is forgotten whose people are all away, together with its match
    #[arg(long, env = "TANDEM_FORGET_ABANDONED", default_value = "60m", value_name = "TIME",
          value_parser = parse_pause, allow_hyphen_values = true)]
    forget_abandoned: Duration,

    /// Where people find the relay, such as https://chess.example.org: pages of other sites are then
    /// turned away
    #[arg(long, env = "TANDEM_PUBLIC_URL", value_name = "URL")]
    public_url: Option<PublicUrl>,

    /// The header in which a proxy says from where a request came, such as x-forwarded-for; its last
    /// entry counts. Only for relays that nobody reaches except through that proxy
    #[arg(long, env = "TANDEM_CLIENT_HEADER", value_name = "NAME")]
    client_header: Option<HeaderName>,

    /// How many threads think for bots; each serves 32 bots at a time, 0 means no bots at this relay
    /// [default: one less than there are processors, at least 1, at most 8]
    #[arg(long, env = "TANDEM_BOT_THREADS", value_name = "N",
          value_parser = parse_bot_threads, allow_hyphen_values = true)]
    bot_threads: Option<u16>,

    /// Makes the choices of bots repeatable: the same number, the same choices [default: random]
    #[arg(long, env = "TANDEM_BOT_SEED", value_name = "N")]
    bot_seed: Option<u64>,

    /// How much is logged: off, error, warn, info, debug or trace
    #[arg(long, env = "TANDEM_LOG", default_value = "warn", value_name = "LEVEL",
          value_parser = parse_level)]
    log: LevelFilter,
}

/// What is asked of a relay that runs, by way of its data folder.
#[derive(Debug, Subcommand)]
enum Ask {
    /// Closes a table for good: whoever is there is told, and its record is removed
    Close {
        /// The code of the table, as it stands in its link
        code: TableCode,
        #[command(flatten)]
        at: At,
    },
    /// Turns an address away from now on, such as 203.0.113.7 or 2001:db8::/32
    Block {
        /// Which one
        address: Block,
        #[command(flatten)]
        at: At,
    },
    /// Takes a block back
    Unblock {
        /// Which one
        address: Block,
        #[command(flatten)]
        at: At,
    },
    /// Lists the addresses that are turned away
    Blocks {
        #[command(flatten)]
        at: At,
    },
}

#[derive(Debug, Args)]
struct At {
    /// The data folder of the relay
    #[arg(
        long,
        env = "TANDEM_DATA",
        default_value = "tandem-data",
        value_name = "DIR"
    )]
    data: PathBuf,
}

impl Ask {
    fn run(self) -> anyhow::Result<String> {
        Ok(match self {
            Ask::Close { code, at } => {
                let was = close(at.there()?, code)?;
                anyhow::ensure!(was, "there is no table {code}");
                format!("table {code} is closed within a second, if the relay runs")
            }
            Ask::Block { address, at } => {
                block(at.there()?, address)?;
                format!("{address} is turned away")
            }
            Ask::Unblock { address, at } => {
                let was = unblock(at.there()?, address)?;
                anyhow::ensure!(was, "{address} is not blocked");
                format!("{address} may come again")
            }
            Ask::Blocks { at } => {
                let list = blocks(at.there()?)?;
                let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
                lines.join("\n")
            }
        })
    }
}

impl At {
    /// The folder, if a relay keeps something there.
    fn there(&self) -> anyhow::Result<&Path> {
        let folder = self.data.as_path();
        anyhow::ensure!(
            folder.join("tables").is_dir(),
            "{}: no relay keeps anything here; name its folder with --data",
            folder.display()
        );
        Ok(folder)
    }
}

fn parse_address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse()
        .map_err(|_| "write an address and a port, such as 127.0.0.1:8080 or [::1]:8080")
}

/// A time that has a length.
fn parse_pause(text: &str) -> Result<Duration, String> {
    let pause = parse_duration(text).map_err(|error| error.to_string())?;
    if pause.is_zero() {
        return Err("write a time that is longer than nothing".into());
    }
    Ok(pause)
}

fn parse_bot_threads(text: &str) -> Result<u16, &'static str> {
    text.parse()
        .ok()
        .filter(|threads| *threads <= 256)
        .ok_or("write a number from 0 to 256")
}

fn parse_level(text: &str) -> Result<LevelFilter, &'static str> {
    text.parse()
        .map_err(|_| "write off, error, warn, info, debug or trace")
}

fn main() -> ExitCode {
    let flags = match Flags::try_parse() {
        Ok(flags) => flags,
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            let text = error.to_string();
            eprintln!("{}", text.lines().next().unwrap_or("error: bad flags"));
            return ExitCode::from(2);
        }
    };
    let done = match flags.ask {
        Some(ask) => ask.run().map(|said| {
            // Nobody need read it.
            let _ = writeln!(std::io::stdout(), "{said}");
        }),
        None => start(flags),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start(flags: Flags) -> anyhow::Result<()> {
    // Only the relay's own lines: libraries might log what is in a frame, and tokens are in some.
    let own = Targets::new().with_target("tandem_relay", flags.log);
    tracing_subscriber::registry()
        .with(tracing_subscriber::fmt::layer().with_writer(std::io::stderr))
        .with(own)
        .init();
    open_more_files();
    let defaults = Config::default();
    let config = Config {
        absence_grace: flags.absence_grace,
        base_path: flags.base_path,
        tables_max: flags.tables,
        connections_max: flags.connections,
        data: (flags.data.as_os_str() != "none").then_some(flags.data),
        sync_every: flags.sync_every,
        metrics_listen: flags.metrics_listen,
        connections_per_address: flags.connections_per_address,
        tables_per_address: flags.tables_per_address,
        house: HouseRules {
            free_text: !flags.no_chat,
            public_list: !flags.no_public_list,
            bots: flags.bot_threads != Some(0),
        },
        tells: flags.tells,
        frames_per_second: flags.frames_per_second,
        bytes_per_second: flags.bytes_per_second,
        per_address: Traffic {
            frames: flags.frames_per_address,
            bytes: flags.bytes_per_address,
            tells: flags.tells_per_address,
        },
        in_all: Traffic {
            frames: flags.frames_in_all,
            bytes: flags.bytes_in_all,
            tells: flags.tells_in_all,
        },
        forget_empty: flags.forget_empty,
        forget_abandoned: flags.forget_abandoned,
        public_url: flags.public_url,
        client_header: flags.client_header,
        keep_matches: flags.keep_matches,
        matches_max: flags.matches,
        bot_threads: flags.bot_threads.map_or(defaults.bot_threads, usize::from),
        bot_seed: flags.bot_seed,
        ..defaults
    };
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start")?
        .block_on(async {
            // Before anything is announced: whoever reads the address may stop the relay at once.
            let stop = stop_signal().context("cannot listen for signals")?;
            let listener = TcpListener::bind(flags.listen)
                .await
                .with_context(|| format!("cannot listen on {}", flags.listen))?;
            let address = listener.local_addr().context("cannot listen")?;
            let path = config.base_path.clone();
            let announce = move || {
                // Nobody need read it: a closed standard output is no reason to stop.
                let _ = writeln!(std::io::stdout(), "Tandem is at http://{address}{path}");
            };
            run(listener, config, announce, stop)
                .await
                .context("cannot serve")
        })
}

/// Each socket is a file, and what a process may open at first is often less than what it may ask for.
fn open_more_files() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::warn!("no more files than at first can be open: {error}");
        }
    }
}

/// Ends when the process is asked to stop.
#[cfg(unix)]
fn stop_signal() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Ends when the process is asked to stop.
#[cfg(not(unix))]
fn stop_signal() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
