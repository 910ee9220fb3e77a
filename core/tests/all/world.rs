//! One authority, four players and a spectator in one process, over lines that delay, repeat,
//! reorder, lose and break, through random lives of a table: people sit, play, offer, talk, leave,
//! come back and do wrong things. A seed names a world; a failing one is shrunk to a short script.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tandem_core::Options;
use tandem_core::protocol::BEAT_MS;
use tandem_core::table::{COUNTDOWN_MS, Command, Phase};
use tandem_core::tell::{Channel, Tell, Words};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use lines::{Record, World};
use script::{Script, Step};

mod checks;
mod lines;
mod people;
mod script;

/// How many worlds a plain test run visits; `TANDEM_WORLDS` asks for more.
const WORLDS: u64 = 400;

/// Four players and a spectator.
const PEERS: usize = 5;

fn live(script: &Script) -> Record {
    let mut world = World::new(script);
    for who in 0..PEERS {
        world.connect(who);
    }
    if script.seed.is_multiple_of(2) {
        // Short of time, so that flags fall.
        world.wait(100);
        let options = Options {
            base_ms: 30_000,
            ..Options::default()
        };
        world.send(0, Command::SetOptions(options));
    }
    for &step in &script.steps {
        world.step(step);
    }
    world.settle();
    world.record
}

/// Whether a script fails, with the message.
fn fails(script: &Script) -> Option<String> {
    catch_unwind(AssertUnwindSafe(|| live(script)))
        .err()
        .map(|panic| {
            panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
                .unwrap_or_default()
        })
}

/// Leaves out steps as long as the script still fails: halves first, single steps last.
fn shrink(mut script: Script) -> Script {
    let mut size = script.steps.len().div_ceil(2).max(1);
    loop {
        let mut from = 0;
        while from < script.steps.len() {
            let mut shorter = script.clone();
            shorter
                .steps
                .drain(from..(from + size).min(script.steps.len()));
            if fails(&shorter).is_some() {
                script = shorter;
            } else {
                from += size;
            }
        }
        if size == 1 {
            return script;
        }
        size = size.div_ceil(2);
    }
}

#[test]
fn every_replica_equals_the_authority_whatever_the_lines_do() {
    let worlds = std::env::var("TANDEM_WORLDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(WORLDS);
    let first = std::env::var("TANDEM_WORLD_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let mut total = Record::default();
    for seed in first..first + worlds {
        let script = Script::new(seed);
        match catch_unwind(AssertUnwindSafe(|| live(&script))) {
            Ok(record) => {
                total.matches += record.matches;
                total.plies += record.plies;
                total.refusals += record.refusals;
                total.taken_back += record.taken_back;
                total.premoved += record.premoved;
                total.premoves_void += record.premoves_void;
                total.snapshots += record.snapshots;
                total.lines += record.lines;
                total.pauses += record.pauses;
                for (sum, count) in total.ends.iter_mut().zip(record.ends) {
                    *sum += count;
                }
            }
            Err(_) => {
                std::panic::set_hook(Box::new(|_| {}));
                let short = shrink(script);
                let message = fails(&short).unwrap_or_default();
                let _ = std::panic::take_hook();
                panic!(
                    "world {seed} fails: {message}\nthe shortest script that still fails: {short:#?}"
                );
            }
        }
    }
    println!("worlds {first} to {}: {total:?}", first + worlds - 1);
    if worlds >= WORLDS {
        assert!(
            u64::from(total.matches) >= worlds,
            "worlds see matches: {total:?}"
        );
        assert!(
            u64::from(total.plies) > 20 * worlds,
            "matches have plies: {total:?}"
        );
        assert!(total.premoved > 0 && total.premoves_void > 0, "{total:?}");
        assert!(total.refusals > 0 && total.taken_back > 0, "{total:?}");
        assert!(
            total.snapshots > 0 && total.lines > 0 && total.pauses > 0,
            "{total:?}"
        );
    }
}

/// Loss in step with the beat must not hit the same frame for ever.
#[test]
fn every_nth_frame_lost_is_made_good_within_a_minute() {
    for (every, phase) in (3..8).flat_map(|every| (0..every).map(move |phase| (every, phase))) {
        let mut world = World::new(&Script::empty());
        (0..4).for_each(|who| world.connect(who));
        world.wait(10);
        let options = Options {
            base_ms: 3_600_000,
            ..Options::default()
        };
        world.send(0, Command::SetOptions(options));
        for step in 0..8 {
            world.wait(10);
            world.step(Step::Act {
                who: step % 4,
                pick: 1,
            });
        }
        world.wait(COUNTDOWN_MS + 10);
        assert_eq!(world.table.state().phase(), Phase::Playing);
        world.weather.lost_every = every;
        world.frames = [[phase; 2]; PEERS];
        for ply in 1..=24u16 {
            // Whoever is to move talks as well, so that more than one command is under way.
            let talk = Command::Say(Channel::TeamOne, Words::Tell(Tell::Thanks));
            for who in 0..4 {
                let before = world.table.state().game().map(|game| game.plies().len());
                for _ in 0..ply % 3 {
                    world.send(who, talk.clone());
                }
                world.step(Step::Act {
                    who,
                    pick: ply.into(),
                });
                let mut beats = 0;
                while !world.is_settled() {
                    world.wait(BEAT_MS);
                    beats += 1;
                    assert!(
                        beats < 30,
                        "frame {every} with phase {phase}: peer {who} has played ply {ply} after {before:?}"
                    );
                }
            }
        }
    }
}
