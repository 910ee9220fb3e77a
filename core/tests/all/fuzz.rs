//! The fuzz targets on their seeds and on a few thousand bent ones, so that they always hold and
//! compile; the long search with coverage is cargo-fuzz's.

use crate::random::Random;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[path = "../../fuzz/src/lib.rs"]
mod targets;

/// Runs a target on each seed as it is, and on many with a few bytes changed, cut or doubled.
fn hold(target: fn(&[u8]), seeds: &[&[u8]], times: u32) {
    let mut random = Random::new(7);
    for seed in seeds {
        target(seed);
        for _ in 0..times {
            let mut bytes = seed.to_vec();
            for _ in 0..1 + random.below(4) {
                let place = random.below(bytes.len() as u32) as usize;
                match random.below(5) {
                    0 if bytes.len() > 1 => drop(bytes.remove(place)),
                    1 => bytes.insert(place, random.next() as u8),
                    2 => bytes.extend_from_within(place..),
                    3 => bytes.truncate(place + 1),
                    _ => bytes[place] = random.next() as u8,
                }
                bytes.truncate(4_096);
            }
            target(&bytes);
        }
    }
}

#[test]
fn positions_hold() {
    let seeds: [&[u8]; 2] = [
        include_bytes!("../../fuzz/seeds/fen/1"),
        include_bytes!("../../fuzz/seeds/fen/2"),
    ];
    hold(targets::fen, &seeds, 3_000);
}

#[test]
fn moves_hold() {
    let seeds: [&[u8]; 6] = [
        include_bytes!("../../fuzz/seeds/san/1"),
        include_bytes!("../../fuzz/seeds/san/2"),
        include_bytes!("../../fuzz/seeds/san/3"),
        include_bytes!("../../fuzz/seeds/san/4"),
        include_bytes!("../../fuzz/seeds/san/5"),
        include_bytes!("../../fuzz/seeds/san/6"),
    ];
    hold(targets::san, &seeds, 2_000);
}

#[test]
fn whole_matches_hold() {
    let seeds: [&[u8]; 3] = [
        include_bytes!("../../fuzz/seeds/bpgn/short"),
        include_bytes!("../data/games/mate.bpgn"),
        include_bytes!("../data/games/time.bpgn"),
    ];
    hold(targets::bpgn, &seeds, 400);
}

#[test]
fn frames_hold() {
    let golden = include_str!("../data/protocol.golden");
    let frames: Vec<Vec<u8>> = golden
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(_, hex)| {
            hex.as_bytes()
                .chunks(2)
                .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
                .collect()
        })
        .filter(|frame: &Vec<u8>| !frame.is_empty())
        .collect();
    assert!(frames.len() > 50);
    let seeds: Vec<&[u8]> = frames.iter().map(Vec::as_slice).collect();
    hold(targets::frame, &seeds, 300);
}

#[test]
fn tables_hold() {
    let seeds: [&[u8]; 2] = [
        include_bytes!("../../fuzz/seeds/table/match"),
        include_bytes!("../../fuzz/seeds/table/lobby"),
    ];
    hold(targets::table, &seeds, 1_500);
}
