//! What can be chosen when a relay is started, and how it is written.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use axum::http::{HeaderName, Uri};
use tandem_core::table::{FLOOD_LINES, HouseRules};
use thiserror::Error;

/// The settings of a relay.
#[derive(Clone, Debug)]
pub struct Config {
    /// How long a player may be away in a match before that counts as leaving it.
    pub absence_grace: Duration,
    /// Below which path the relay answers, for relays behind a proxy.
    pub base_path: BasePath,
    /// How many tables there may be.
    pub tables_max: usize,
    /// How many sockets may be open.
    pub connections_max: u32,
    /// How many sockets may be open from one address.
    pub connections_per_address: u32,
    /// How many tables one address may open at once; there is one more every ten seconds.
    pub tables_per_address: u32,
    /// What people may do at tables.
    pub house: HouseRules,
    /// How many tells and lines of talk one person may send in ten seconds.
    pub tells: usize,
    /// How many frames a connection may send a second in the long run; three times as many at once.
    pub frames_per_second: u32,
    /// How many bytes a connection may send a second in the long run; three times as many at once.
    pub bytes_per_second: u32,
    /// What may come from all connections of one address.
    pub per_address: Traffic,
    /// What may come from all connections.
    pub in_all: Traffic,
    /// Where people find the relay, if only pages from there may use it.
    pub public_url: Option<PublicUrl>,
    /// The header in which a proxy says from where a request came. Without a proxy anybody could
    /// write it.
    pub client_header: Option<HeaderName>,
    /// How many threads think for bots; without any, no bot sits down at this relay.
    pub bot_threads: usize,
    /// How many bots may sit at tables for each of these threads.
    pub bots_per_thread: usize,
    /// What the choices of all bots are drawn from; without it every table's are its own.
    pub bot_seed: Option<u64>,
    /// Where tables are kept, so that they outlive the relay; nowhere if there is no such folder.
    pub data: Option<PathBuf>,
    /// Where metrics are served, if anywhere.
    pub metrics_listen: Option<SocketAddr>,
    /// How often what is kept is brought to the disk.
    pub sync_every: Duration,
    /// For how long matches that are over are kept.
    pub keep_matches: Duration,
    /// How many matches that are over are kept at most.
    pub matches_max: usize,
    /// After how long a table is forgotten at which nobody sits or looks on any more.
    pub forget_empty: Duration,
    /// After how long a table is forgotten whose people are all away.
    pub forget_abandoned: Duration,
    /// How long a new connection may take to say what it wants.
    pub head_within: Duration,
    /// How long a new socket may take to say hello.
    pub hello_within: Duration,
}

/// How much may come over many connections together, a second in the long run; three times as much
/// at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Frames: the connection that sends one more is closed.
    pub frames: u32,
    /// Bytes in frames: the connection that sends more is closed.
    pub bytes: u32,
    /// Tells and lines of talk: one more is refused.
    pub tells: u32,
}

impl Traffic {
    /// From one address, unless chosen otherwise: what ten pages may send that do all they may, or
    /// some two hundred where people play.
    const PER_ADDRESS: Traffic = Traffic {
        frames: 400,
        bytes: 320 * 1_024,
        tells: 20,
    };

    /// From everywhere, unless chosen otherwise: ten times what comes when every place at every table
    /// is taken and everybody plays fast.
    const IN_ALL: Traffic = Traffic {
        frames: 200_000,
        bytes: 32 * 1_024 * 1_024,
        tells: 10_000,
    };

    /// Whatever comes.
    pub const UNLIMITED: Traffic = Traffic {
        frames: 1_000_000_000,
        bytes: 1_000_000_000,
        tells: 1_000_000_000,
    };
}

impl Default for Config {
    fn default() -> Self {
        Config {
            absence_grace: Duration::from_secs(60),
            base_path: BasePath::default(),
            tables_max: 10_000,
            connections_max: 20_000,
            connections_per_address: 200,
            tables_per_address: 60,
            house: HouseRules::default(),
            tells: FLOOD_LINES,
            frames_per_second: 40,
            bytes_per_second: 32 * 1024,
            per_address: Traffic::PER_ADDRESS,
            in_all: Traffic::IN_ALL,
            public_url: None,
            client_header: None,
            bot_threads: default_bot_threads(),
            bots_per_thread: 32,
            bot_seed: None,
            data: None,
            metrics_listen: None,
            sync_every: Duration::from_secs(1),
            keep_matches: Duration::from_secs(90 * 24 * 3_600),
            matches_max: 100_000,
            forget_empty: Duration::from_secs(10 * 60),
            forget_abandoned: Duration::from_secs(60 * 60),
            head_within: Duration::from_secs(10),
            hello_within: Duration::from_secs(5),
        }
    }
}

/// All processors but one, which is left to the people; eight are enough for hundreds of bots.
fn default_bot_threads() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    (processors - 1).clamp(1, 8)
}

/// A path below which everything is served; it begins and ends with a slash.
///
/// ```
/// use tandem_relay::BasePath;
///
/// let path: BasePath = "/games/tandem".parse().unwrap();
/// assert_eq!(path.as_str(), "/games/tandem/");
/// assert_eq!(BasePath::default().as_str(), "/");
/// assert!("games".parse::<BasePath>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasePath(String);

impl BasePath {
    /// The path with its slashes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path without its last slash; empty for the root.
    pub(crate) fn prefix(&self) -> &str {
        &self.0[..self.0.len() - 1]
    }
}

impl Default for BasePath {
    fn default() -> Self {
        BasePath("/".to_owned())
    }
}

impl fmt::Display for BasePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Not a path to serve below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a base path begins with / and has only letters, digits and -._~ between its slashes")]
pub struct BadBasePath;

impl FromStr for BasePath {
    type Err = BadBasePath;

    fn from_str(text: &str) -> Result<BasePath, BadBasePath> {
        let inner = text.strip_prefix('/').ok_or(BadBasePath)?;
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        if inner.is_empty() {
            return Ok(BasePath::default());
        }
        let fits = |part: &str| {
            !matches!(part, "" | "." | "..")
                && part
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c))
        };
        if inner.split('/').all(fits) {
            Ok(BasePath(format!("/{inner}/")))
        } else {
            Err(BadBasePath)
        }
    }
}

/// The address at which people find the relay: `https://chess.example.org`, with its path if it has one.
///
/// ```
/// use tandem_relay::PublicUrl;
///
/// let url: PublicUrl = "https://chess.example.org:8443/tandem/".parse().unwrap();
/// assert_eq!(url.origin(), "https://chess.example.org:8443");
/// assert!("chess.example.org".parse::<PublicUrl>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
}

impl PublicUrl {
    /// What browsers send as `Origin` from there.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

/// Not an address at which people could find a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write an address such as https://chess.example.org")]
pub struct BadPublicUrl;

impl FromStr for PublicUrl {
    type Err = BadPublicUrl;

    fn from_str(text: &str) -> Result<PublicUrl, BadPublicUrl> {
        let uri: Uri = text.parse().map_err(|_| BadPublicUrl)?;
        let default_port = match uri.scheme_str() {
            Some("http") => 80,
            Some("https") => 443,
            _ => return Err(BadPublicUrl),
        };
        let host = uri.host().filter(|host| !host.is_empty());
        let host = host.ok_or(BadPublicUrl)?.to_ascii_lowercase();
        let scheme = uri.scheme_str().unwrap_or_default();
        let port = uri.port_u16().filter(|&port| port != default_port);
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        Ok(PublicUrl {
            origin: format!("{scheme}://{host}{port}"),
        })
    }
}

/// Not a length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write a whole number and its unit: 500ms, 60s, 2m, 1h or 90d")]
pub struct BadDuration;

/// Reads a length of time such as `500ms`, `60s`, `2m`, `1h` or `90d`.
///
/// # Errors
/// When it is none, or has no unit.
///
/// ```
/// use std::time::Duration;
///
/// assert_eq!(tandem_relay::parse_duration("2m"), Ok(Duration::from_secs(120)));
/// assert!(tandem_relay::parse_duration("60").is_err());
/// ```
pub fn parse_duration(text: &str) -> Result<Duration, BadDuration> {
    let text = text.trim();
    let unit = text
        .find(|c: char| !c.is_ascii_digit())
        .ok_or(BadDuration)?;
    let (count, unit) = text.split_at(unit);
    let count: u64 = count.parse().map_err(|_| BadDuration)?;
    let unit_ms = match unit.trim_start() {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 24 * 3_600_000,
        _ => return Err(BadDuration),
    };
    // A year is more than anybody means, and far from where sums of times could overflow.
    count
        .checked_mul(unit_ms)
        .filter(|&ms| ms <= 366 * 24 * 3_600_000)
        .map(Duration::from_millis)
        .ok_or(BadDuration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_need_a_number_and_a_unit() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("60 s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("0s"), Ok(Duration::ZERO));
        for bad in [
            "",
            "s",
            "60",
            "-1s",
            "1.5s",
            "1w",
            "99999999999999999999s",
            "9999999h",
        ] {
            assert_eq!(parse_duration(bad), Err(BadDuration), "{bad}");
        }
    }

    #[test]
    fn base_paths_are_plain() {
        assert_eq!("/".parse(), Ok(BasePath::default()));
        assert_eq!("/a/b/".parse::<BasePath>().unwrap().as_str(), "/a/b/");
        for bad in ["", "a", "/a//b", "/..", "/a b", "/<a>", "/{a}", "/a?b"] {
            assert_eq!(bad.parse::<BasePath>(), Err(BadBasePath), "{bad}");
        }
    }
}
