//! What the load cost.

use std::fmt;

use anyhow::Context as _;

use crate::Flags;
use crate::play::Played;

/// What a process has used.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Seconds of processor time.
    cpu: f64,
    /// Bytes that are resident.
    memory: u64,
}

/// How many ticks the kernel counts in a second of processor time; Linux shows 100 on every machine.
const TICKS: f64 = 100.0;

impl Usage {
    /// As Linux says it.
    pub fn of(process: u32) -> anyhow::Result<Usage> {
        let read = |name: &str| {
            std::fs::read_to_string(format!("/proc/{process}/{name}"))
                .context("this needs Linux, which says what a process uses")
        };
        let stat = read("stat")?;
        // The name of the program, in parentheses, may hold anything.
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let ticks = |field: usize| -> anyhow::Result<f64> { Ok(fields[field].parse::<f64>()?) };
        let status = read("status")?;
        let memory = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok())
            .context("no VmRSS")?;
        Ok(Usage {
            cpu: (ticks(11)? + ticks(12)?) / TICKS,
            memory: memory * 1_024,
        })
    }
}

/// Sees that so many files may be open.
pub fn allow_files(count: usize) -> anyhow::Result<()> {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let most = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok());
    match most {
        Some(most) if most < count => {
            anyhow::bail!("{count} files must be open, {most} may: run `ulimit -n {count}` first")
        }
        _ => Ok(()),
    }
}

pub struct Figures {
    list: Vec<(&'static str, f64, &'static str)>,
}

impl Figures {
    pub fn new(
        flags: &Flags,
        empty: &Usage,
        seated: &Usage,
        after: &Usage,
        mut played: Played,
    ) -> Figures {
        played.latencies_us.sort_unstable();
        let quantile = |share: f64| {
            let last = played.latencies_us.len().saturating_sub(1);
            let at = (share * last as f64).round() as usize;
            played
                .latencies_us
                .get(at)
                .map_or(f64::NAN, |&us| us as f64 / 1_000.0)
        };
        let tables = flags.tables as f64;
        let per_table =
            |usage: &Usage| usage.memory.saturating_sub(empty.memory) as f64 / 1_024.0 / tables;
        let mut list = vec![
            ("plies", played.plies as f64, "plies"),
            (
                "plies per second",
                played.plies as f64 / flags.seconds as f64,
                "plies/s",
            ),
            ("lost plies", played.lost as f64, "plies"),
            ("closed or cut", played.closed as f64, "sockets"),
            ("send to last observer, p50", quantile(0.5), "ms"),
            ("send to last observer, p99", quantile(0.99), "ms"),
            ("send to last observer, p99.9", quantile(0.999), "ms"),
            (
                "bytes a ply and observer",
                played.event_bytes as f64 / played.event_frames.max(1) as f64,
                "bytes",
            ),
            ("processor time of the server", after.cpu - seated.cpu, "s"),
            (
                "processor time a ply",
                (after.cpu - seated.cpu) * 1e6 / played.plies.max(1) as f64,
                "µs",
            ),
            ("memory a table, seated", per_table(seated), "KiB"),
            ("memory a table, played", per_table(after), "KiB"),
        ];
        if !flags.bare {
            list.push((
                "reconnect after ten missed plies",
                played.missed_bytes as f64,
                "bytes",
            ));
            list.push((
                "reconnect with a snapshot at ply 60",
                played.snapshot_bytes as f64,
                "bytes",
            ));
        }
        Figures { list }
    }

    pub fn json(&self) -> String {
        let lines: Vec<String> = self
            .list
            .iter()
            .map(|(name, value, unit)| {
                let value = if value.is_finite() {
                    value.to_string()
                } else {
                    "null".into()
                };
                format!("  \"{name}\": {{\"value\": {value}, \"unit\": \"{unit}\"}}")
            })
            .collect();
        format!("{{\n{}\n}}", lines.join(",\n"))
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value, unit) in &self.list {
            writeln!(f, "{name:36} {value:12.3} {unit}")?;
        }
        Ok(())
    }
}
