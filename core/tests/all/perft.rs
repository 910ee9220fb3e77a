//! Node counts that two independent engines agree on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tandem_core::movegen::perft;
use tandem_core::{Position, Rules};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const COUNTS: &str = include_str!("../data/perft.tsv");

struct Line {
    position: Position,
    depth: u32,
    nodes: u64,
}

fn read(line: &str) -> Line {
    let mut fields = line.split('\t');
    let fen = fields.next().unwrap();
    Line {
        position: Position::from_fen(fen, Rules::default()).expect(fen),
        depth: fields.next().unwrap().parse().unwrap(),
        nodes: fields.next().unwrap().parse().unwrap(),
    }
}

#[test]
fn counts_agree_with_two_other_engines() {
    let mut lines: Vec<Line> = COUNTS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(read)
        .collect();
    assert_eq!(lines.len(), 27);
    // The long ones first, so that no thread is left alone with one at the end.
    lines.sort_by_key(|line| std::cmp::Reverse(line.nodes));
    let next = AtomicUsize::new(0);
    let count = || {
        while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = perft(&line.position, line.depth);
            let fen = line.position.to_fen();
            assert_eq!(nodes, line.nodes, "{fen} at depth {}", line.depth);
        }
    };
    if cfg!(target_family = "wasm") {
        // There are no threads.
        count();
    } else {
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(count);
            }
        });
    }
}

/// The same count by listing and playing, which is how everybody else walks the tree.
fn listed(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    for ply in position.legal_plies() {
        let mut after = *position;
        after.play(ply).unwrap();
        nodes += listed(&after, depth - 1);
    }
    nodes
}

#[test]
fn listing_and_counting_agree() {
    for line in COUNTS.lines().filter(|line| !line.starts_with('#')) {
        let line = read(line);
        if line.nodes < 100_000 {
            assert_eq!(listed(&line.position, line.depth), line.nodes);
        }
    }
}
