//! Where bots think when the table is in the page: a worker beside the page, one for each board.
//!
//! It keeps nothing between two questions. A question is how long the job has waited, in milliseconds,
//! and the [`Job`]; an answer is a [`Report`](tandem_core::table::Report), both in the bytes of
//! [`tandem_core::protocol`]. An empty
//! message says once that the worker is ready. What cannot be read, and whatever else goes wrong, is
//! an error event at the page, which starts another worker.
//!
//! This is a package of its own so that it can be built for speed, with nothing of the page in it.

use tandem_core::protocol::{decode, encode};
use tandem_core::table::Job;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue, throw_str};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

fn main() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let answers = scope.clone();
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let asked = js_sys::Uint8Array::new(&event.data()).to_vec();
        let Ok((waited_ms, job)) = decode::<(u64, Job)>(&asked) else {
            throw_str("the question cannot be read");
        };
        let report = encode(&job.think(waited_ms));
        if answers
            .post_message(&js_sys::Uint8Array::from(report.as_slice()))
            .is_err()
        {
            throw_str("the answer cannot be sent");
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    if scope.post_message(&JsValue::NULL).is_err() {
        throw_str("the page cannot be told");
    }
}
