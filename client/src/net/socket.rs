//! One WebSocket: binary frames, and what becomes of it.
//!
//! A socket is never used again after it was dropped: its handlers are taken away first, so a
//! retired socket cannot reach the program any more, whatever still arrives on it.

use std::rc::Rc;

use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use web_sys::js_sys::{ArrayBuffer, Uint8Array};
use web_sys::{BinaryType, CloseEvent, Event, MessageEvent, WebSocket};

/// What happens at a socket.
#[derive(Debug)]
pub enum SocketEvent {
    /// It is open.
    Opened,
    /// A binary frame has come.
    Frame(Vec<u8>),
    /// It is closed, with this code; 1006 if there was no closing handshake.
    Closed(u16),
}

/// An open or opening socket; closed when dropped.
pub struct Socket {
    socket: WebSocket,
    _on_open: Closure<dyn FnMut(Event)>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_close: Closure<dyn FnMut(CloseEvent)>,
}

impl Socket {
    /// Begins to open a socket. `None` if the browser refuses the address.
    pub fn open(url: &str, handle: impl Fn(SocketEvent) + 'static) -> Option<Self> {
        let socket = WebSocket::new(url).ok()?;
        socket.set_binary_type(BinaryType::Arraybuffer);
        let handle = Rc::new(handle);
        let on_open = {
            let handle = handle.clone();
            Closure::new(move |_: Event| handle(SocketEvent::Opened))
        };
        let on_message = {
            let handle = handle.clone();
            Closure::new(move |event: MessageEvent| {
                // The relay sends binary frames only; anything else is not its.
                if let Ok(buffer) = event.data().dyn_into::<ArrayBuffer>() {
                    handle(SocketEvent::Frame(Uint8Array::new(&buffer).to_vec()));
                }
            })
        };
        let on_close =
            Closure::new(move |event: CloseEvent| handle(SocketEvent::Closed(event.code())));
        socket.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(on_close.as_ref().unchecked_ref()));
        Some(Self {
            socket,
            _on_open: on_open,
            _on_message: on_message,
            _on_close: on_close,
        })
    }

    /// Sends a frame if the socket is open; what is lost otherwise, the link sends again.
    pub fn send(&self, frame: &[u8]) {
        if self.socket.ready_state() == WebSocket::OPEN {
            let _ = self.socket.send_with_u8_array(frame);
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        // Fails only for a code or reason out of range; none is given.
        let _ = self.socket.close();
    }
}
