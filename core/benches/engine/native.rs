//! What is measured on the machine itself, against shakmaty where that knows the rules.

use std::hint::black_box;
use std::time::Instant;

use tandem_core::{Match, Position};

use super::boards::{Board, boards, plies};
use super::crazyhouse::crazyhouse;
use super::{WAYS, figure, median};

const REFERENCE: &str = "shakmaty 0.30.1";

/// How often the two are timed in turns.
const ROUNDS: usize = 15;

/// How long one timing takes at least, in seconds: far above what a clock cannot see, and short
/// enough that both sides of a ratio meet the same load.
const TIMING: f64 = 0.02;

pub fn main() {
    // `cargo test --benches` wants to know that it runs, not how fast.
    let quick = std::env::args().any(|argument| argument == "--test");
    let rounds = if quick { 1 } else { ROUNDS };
    perft_ratios(rounds);
    judging(rounds);
    for (name, size) in [
        ("size/position", size_of::<Position>()),
        ("size/match", size_of::<Match>()),
    ] {
        println!("{}", figure(name, size as f64, "bytes", ""));
    }
}

/// Leaves per second of a walk, repeated until it takes long enough.
fn rate(walk: impl Fn() -> u64) -> f64 {
    let start = Instant::now();
    let mut nodes = 0;
    loop {
        nodes += black_box(walk());
        let seconds = start.elapsed().as_secs_f64();
        if seconds >= TIMING {
            return nodes as f64 / seconds;
        }
    }
}

/// Their trees differ beyond depth 2, see [`crazyhouse`]: rates are compared, not counts.
fn perft_ratios(rounds: usize) {
    for (way, ours) in WAYS {
        let mut full = Vec::new();
        let mut least = f64::INFINITY;
        for Board {
            name,
            position,
            depth,
        } in boards()
        {
            let other = crazyhouse(&position).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(
                ours(&position, 2),
                shakmaty::perft(&other, 2),
                "{name}: another number of plies at depth 2"
            );
            let (mut ratios, mut rates) = (Vec::new(), Vec::new());
            for _ in 0..rounds {
                let mine = rate(|| ours(black_box(&position), depth));
                let theirs = rate(|| shakmaty::perft(black_box(&other), depth));
                ratios.push(mine / theirs);
                rates.push(mine);
            }
            let ratio = median(&mut ratios);
            let name = format!("perft-{way}/{name}");
            println!("{}", figure(&name, ratio, "ratio", REFERENCE));
            let rate = median(&mut rates) / 1e6;
            println!("{}", figure(&format!("{name}/rate"), rate, "Mnodes/s", ""));
            least = least.min(ratio);
            if name.contains("/full-") {
                full.push(ratio);
            }
        }
        let full = full.iter().product::<f64>().powf(1.0 / full.len() as f64);
        let line = |name: &str, value| {
            println!(
                "{}",
                figure(&format!("perft-{way}/{name}"), value, "ratio", REFERENCE)
            );
        };
        line("full-hands-mean", full);
        line("least", least);
    }
}

/// What a ply costs in a match: checked, played, its capture handed over, mate and deadlock judged.
fn judging(rounds: usize) {
    const REPEATS: u32 = 2_000;
    let mut costs: Vec<f64> = plies()
        .iter()
        .map(|(game, board, ply)| {
            let mut timings: Vec<f64> = (0..rounds)
                .map(|_| {
                    let start = Instant::now();
                    for _ in 0..REPEATS {
                        let mut game = black_box(*game);
                        let played = game.play(*board, black_box(*ply));
                        assert!(played.is_ok());
                        black_box(game.judge(Some(*board)));
                    }
                    start.elapsed().as_secs_f64() * 1e9 / f64::from(REPEATS)
                })
                .collect();
            median(&mut timings)
        })
        .collect();
    println!(
        "{}",
        figure("ply-judged/median", median(&mut costs), "ns", "")
    );
    let worst = costs.iter().copied().fold(0.0, f64::max);
    println!("{}", figure("ply-judged/worst", worst, "ns", ""));
}
