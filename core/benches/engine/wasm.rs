//! The same walks as WASM, for Node.

use js_sys::Date;
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

use super::boards::boards;
use super::{WAYS, figure, median};

/// How often each walk is timed.
const ROUNDS: usize = 9;

/// How long one timing takes at least, in milliseconds; the clock knows no parts of one.
const TIMING_MS: f64 = 150.0;

#[wasm_bindgen_test]
fn speed() {
    for (way, ours) in WAYS {
        for board in boards() {
            let mut rates: Vec<f64> = (0..ROUNDS)
                .map(|_| {
                    let start = Date::now();
                    let mut nodes = 0;
                    loop {
                        nodes += ours(&board.position, board.depth);
                        let ms = Date::now() - start;
                        if ms >= TIMING_MS {
                            return nodes as f64 / ms / 1e3;
                        }
                    }
                })
                .collect();
            let name = format!("perft-{way}/{}/wasm-rate", board.name);
            console_log!("{}", figure(&name, median(&mut rates), "Mnodes/s", ""));
        }
    }
}
