//! Stays connected: opens a socket, hears when it falls silent, comes back.
//!
//! Every socket has a generation. Only events of the present generation count, so a socket that was
//! given up cannot touch the state, even if the browser still delivers something from it.

use gloo_timers::callback::{Interval, Timeout};
use leptos::prelude::*;
use tandem_core::protocol::{Close, SILENCE_MS, ServerMessage, Token, decode};

use super::view::Connection;
use super::{Line, TableStore, remembered_name, set, token};
use crate::net::socket::{Socket, SocketEvent};
use crate::platform::{page, random, storage, time};

/// The first pause before another try, in milliseconds; each further one is twice as long.
const FIRST_PAUSE_MS: f64 = 250.0;
/// The longest pause, in milliseconds.
const LONGEST_PAUSE_MS: f64 = 8_000.0;
/// How often the silence of the relay is looked at, in milliseconds.
const WATCH_MS: u32 = 500;
/// Remembers for this tab that it has loaded itself anew for another version.
const RELOADED: &str = "tandem.reloaded";

impl TableStore {
    /// Connects, and keeps doing so.
    pub(super) fn stay_connected(self) {
        let watch = Interval::new(WATCH_MS, move || self.notice_silence());
        self.core.update_value(|core| core._watch = Some(watch));
        // A network that comes back and a page that is looked at again are reasons to try at once.
        let online = window_event_listener_untyped("online", move |_| self.wake());
        let visible = window_event_listener_untyped("visibilitychange", move |_| {
            if page::is_visible() {
                self.wake();
            }
        });
        on_cleanup(move || {
            online.remove();
            visible.remove();
        });
        self.connect();
    }

    /// Takes the table over again from wherever else it was opened.
    pub fn connect_here(self) {
        if self.is_alone() {
            self.go_on_here();
        } else {
            self.connect();
        }
    }

    fn connect(self) {
        let generation = self.core.try_update_value(|core| {
            core.generation += 1;
            core.line = None;
            core.retry = None;
            core.heard_at = time::now();
            core.generation
        });
        let Some(generation) = generation else { return };
        set(self.connection, Connection::Connecting);
        match Socket::open(&page::socket_url(), move |event| {
            self.on_socket(generation, event)
        }) {
            Some(socket) => {
                self.core
                    .try_update_value(|core| core.line = Some(Line::Relay(socket)));
            }
            None => self.try_again(),
        }
    }

    fn on_socket(self, generation: u32, event: SocketEvent) {
        if self.core.try_with_value(|core| core.generation) != Some(generation) {
            return;
        }
        match event {
            SocketEvent::Opened => self.say_hello(),
            SocketEvent::Frame(frame) => self.on_frame(&frame),
            SocketEvent::Closed(code) => self.on_closed(Close::from_code(code)),
        }
    }

    fn say_hello(self) {
        let Some(code) = self.code else { return };
        let token = Token(token::for_table(&code.to_string()));
        let hello = self
            .core
            .try_with_value(|core| core.replica.hello(code, token, &remembered_name()));
        if let Some(hello) = hello {
            self.send(&[hello]);
        }
    }

    fn on_frame(self, frame: &[u8]) {
        let Ok(message) = decode::<ServerMessage>(frame) else {
            // Such a relay is of another version, or broken; a fresh start is all that may help.
            self.try_again();
            return;
        };
        if matches!(message, ServerMessage::Welcome { .. }) {
            self.core.try_update_value(|core| core.failures = 0);
            storage::forget_for_tab(RELOADED);
            set(self.connection, Connection::Online);
            set(self.kept_out, None);
        }
        self.receive(vec![message]);
    }

    fn on_closed(self, close: Option<Close>) {
        match close {
            Some(Close::OtherVersion) if storage::get_for_tab(RELOADED).is_none() => {
                storage::set_for_tab(RELOADED, "");
                page::reload();
            }
            Some(close) if !close.may_reconnect() => {
                self.core.try_update_value(|core| {
                    core.generation += 1;
                    core.line = None;
                });
                set(self.connection, Connection::Closed(close));
            }
            close => {
                set(self.kept_out, close);
                self.try_again();
            }
        }
    }

    /// Gives the present socket up and comes back after a pause.
    fn try_again(self) {
        let failures = self.core.try_update_value(|core| {
            core.generation += 1;
            core.line = None;
            core.failures = core.failures.saturating_add(1);
            core.failures
        });
        let Some(failures) = failures else { return };
        set(self.connection, Connection::Waiting);
        let retry = Timeout::new(pause_ms(failures, random::share()), move || self.connect());
        self.core.try_update_value(|core| core.retry = Some(retry));
    }

    /// The line may be good again: tries at once if there is none, or if it has been silent.
    fn wake(self) {
        match self.connection.try_get_untracked() {
            Some(Connection::Waiting) => self.connect(),
            Some(Connection::Connecting | Connection::Online) if self.is_silent() => self.connect(),
            Some(Connection::Connecting | Connection::Online) => {}
            Some(Connection::Closed(_)) | None => {}
        }
    }

    /// A line that has been silent for too long is cut, even if nobody has said so.
    fn notice_silence(self) {
        if self.is_silent() {
            self.try_again();
        }
    }

    fn is_silent(self) -> bool {
        let open = self
            .core
            .try_with_value(|core| (core.line.is_some(), core.heard_at));
        open.is_some_and(|(open, heard_at)| {
            open && time::now().saturating_sub(heard_at) > SILENCE_MS
        })
    }
}

/// The pause before a try: growing, and spread, so that not all pages come back at once.
fn pause_ms(failures: u32, spread: f64) -> u32 {
    let doubled = FIRST_PAUSE_MS * 2f64.powi(failures.saturating_sub(1).min(16) as i32);
    // At most eight seconds, so the cast keeps it.
    (doubled.min(LONGEST_PAUSE_MS) * (0.5 + 0.5 * spread)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_are_bounded() {
        assert_eq!(pause_ms(1, 1.0), 250);
        assert_eq!(pause_ms(2, 1.0), 500);
        assert_eq!(pause_ms(3, 0.0), 500);
        assert_eq!(pause_ms(1_000, 1.0), 8_000);
    }
}
