//! The tests of tandem-core, in one binary. They run twice: on this machine and, but for those that
//! need other programs or large crates, as WASM.

mod random;

mod sample;

mod slow;

mod perft;

mod rules;

mod options;

mod notation;

mod bpgn;

mod fuzz;

#[cfg(not(target_family = "wasm"))]
mod crazyhouse;

#[cfg(not(target_family = "wasm"))]
mod comparison;

#[cfg(not(target_family = "wasm"))]
mod properties;

#[cfg(not(target_family = "wasm"))]
mod tools;

mod protocol;

mod table;

mod replica;

mod premove;

mod world;

mod bot;
