//! How fast the rules are: `cargo xtask bench` runs this, once on this machine and once as WASM.
//!
//! Each line that begins with `figure` is one figure: name, value, unit and, for a ratio, what it
//! is a ratio to. Where two things are compared they are timed in turns on the same positions, and
//! the figure is the median of the ratios, so that a busy machine slows both alike.

mod boards;
#[cfg(not(target_family = "wasm"))]
#[path = "../../tests/all/crazyhouse.rs"]
mod crazyhouse;
#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(target_family = "wasm")]
mod wasm;

use tandem_core::movegen::perft;
use tandem_core::{PlyList, Position};

/// Walks the tree as an engine without a counting generator has to: every position above the
/// leaves makes the list of its plies. `lists` holds one for each depth.
fn listed_perft(position: &Position, lists: &mut [PlyList]) -> u64 {
    let Some((list, lists)) = lists.split_first_mut() else {
        return 1;
    };
    position.list_plies(list);
    if lists.is_empty() {
        return list.len() as u64;
    }
    let mut nodes = 0;
    for &ply in &*list {
        let mut after = *position;
        after.play_unchecked(ply);
        nodes += listed_perft(&after, lists);
    }
    nodes
}

/// The same with a new list for each position, as shakmaty does it.
fn newly_listed_perft(position: &Position, depth: u32) -> u64 {
    let list = position.legal_plies();
    if depth == 1 {
        return list.len() as u64;
    }
    let mut nodes = 0;
    for &ply in &*list {
        let mut after = *position;
        after.play_unchecked(ply);
        nodes += newly_listed_perft(&after, depth - 1);
    }
    nodes
}

/// Counts the leaves below a position, so many plies deep.
type Walk = fn(&Position, u32) -> u64;

/// The ways to count that are measured.
const WAYS: [(&str, Walk); 3] = [
    ("listed", |position, depth| {
        listed_perft(position, &mut vec![PlyList::new(); depth as usize])
    }),
    ("newly-listed", newly_listed_perft),
    ("counted", perft),
];

fn figure(name: &str, value: f64, unit: &str, reference: &str) -> String {
    format!("figure {name} {value:.4} {unit} {reference}")
        .trim_end()
        .to_owned()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(not(target_family = "wasm"))]
fn main() {
    native::main();
}

#[cfg(target_family = "wasm")]
fn main() {}
