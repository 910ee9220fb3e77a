//! Workers beside the page, and the program that they run.
//!
//! The program is fetched once and kept: another worker can be started from it when the network is
//! gone. A script that a browser fetches for a worker by itself cannot be kept, so the worker's script
//! is made of what was fetched here.

use leptos::prelude::window;
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::{Array, Promise, Uint8Array, WebAssembly};
use web_sys::{Blob, BlobPropertyBag, Event, MessageEvent, Response, Url};

use super::page;

/// Behind the script that wasm-bindgen made: the first message brings the compiled program.
const BEGIN: &str = "\nonmessage = ({ data }) => wasm_bindgen({ module_or_path: data });\n";

/// The program of a worker, compiled.
pub struct Program {
    /// The address of the script, which lives as long as this.
    script: String,
    module: JsValue,
}

/// The program could not be fetched or compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLoaded;

impl Program {
    /// Fetches and compiles the program of that name.
    ///
    /// # Errors
    /// When it cannot be had.
    pub async fn load(name: &str) -> Result<Self, NotLoaded> {
        Self::try_load(name).await.map_err(|_| NotLoaded)
    }

    async fn try_load(name: &str) -> Result<Self, JsValue> {
        let address = |end: &str| page::below_base(&format!("{name}{end}"));
        let both = Array::of2(
            &window().fetch_with_str(&address(".js")),
            &window().fetch_with_str(&address("_bg.wasm")),
        );
        let both: Array = JsFuture::from(Promise::all(&both)).await?.dyn_into()?;
        let script: Response = both.get(0).dyn_into()?;
        if !script.ok() {
            return Err(JsValue::NULL);
        }
        let script = JsFuture::from(script.text()?).await?;
        let code = Promise::resolve(&both.get(1));
        let module = JsFuture::from(WebAssembly::compile_streaming(&code)).await?;
        let parts = Array::of2(&script, &BEGIN.into());
        let kind = BlobPropertyBag::new();
        kind.set_type("text/javascript");
        let blob = Blob::new_with_str_sequence_and_options(&parts, &kind)?;
        Ok(Self {
            script: Url::create_object_url_with_blob(&blob)?,
            module,
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Fails only for what is no address.
        let _ = Url::revoke_object_url(&self.script);
    }
}

/// What a worker says.
#[derive(Debug)]
pub enum WorkerEvent {
    /// It can be asked.
    Ready,
    /// An answer.
    Answer(Vec<u8>),
    /// It has failed, and is of no more use.
    Failed,
}

/// A worker; ended when dropped.
pub struct Worker {
    worker: web_sys::Worker,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(Event)>,
}

impl Worker {
    /// Starts a worker with that program. `None` if the browser refuses to.
    pub fn start(
        program: &Program,
        handle: impl Fn(WorkerEvent) + Clone + 'static,
    ) -> Option<Self> {
        let worker = web_sys::Worker::new(&program.script).ok()?;
        let on_error = {
            let handle = handle.clone();
            Closure::new(move |_: Event| handle(WorkerEvent::Failed))
        };
        let on_message = Closure::new(move |event: MessageEvent| {
            handle(match event.data().dyn_into::<Uint8Array>() {
                Ok(bytes) => WorkerEvent::Answer(bytes.to_vec()),
                Err(_) => WorkerEvent::Ready,
            });
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        let started = Self {
            worker,
            _on_message: on_message,
            _on_error: on_error,
        };
        started.worker.post_message(&program.module).ok()?;
        Some(started)
    }

    /// Asks it something. What it cannot be asked, it never answers.
    pub fn ask(&self, question: &[u8]) {
        // Bytes can always be copied to a worker.
        let _ = self.worker.post_message(&Uint8Array::from(question));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
