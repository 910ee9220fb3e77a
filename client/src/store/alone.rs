//! A table in the page: the reader among bots, no relay.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::web_sys::StorageEvent;
use tandem_core::TableCode;
use tandem_core::protocol::{Close, Token};

use super::view::Connection;
use super::{Line, TableStore, set};
use crate::net::kept::{self, Found};
use crate::net::local::{LocalEvent, LocalTable, Start};
use crate::platform::page;
use crate::platform::worker::Program;

impl TableStore {
    /// Sits down at a table in the page, as long as the present owner lives. Nothing if it cannot
    /// begin so.
    pub fn alone(program: Rc<Program>, start: Start) -> Option<Self> {
        let store = Self::new(None);
        store.core.update_value(|core| core.program = Some(program));
        store.begin(start).then_some(())?;
        let see = move || {
            // What waits for a frame is not to wait for one that may never come.
            store.send(&[]);
            if let Some(table) = store.local() {
                table.set_visible(page::is_visible());
            }
        };
        let visible = window_event_listener_untyped("visibilitychange", move |_| see());
        let shown = window_event_listener_untyped("pageshow", move |_| see());
        // The last that a page hears before it goes, wherever it is not hidden first.
        let hidden = window_event_listener_untyped("pagehide", move |_| {
            store.send(&[]);
            if let Some(table) = store.local() {
                table.set_visible(false);
            }
        });
        let others = window_event_listener(leptos::ev::storage, move |event: StorageEvent| {
            if kept::is_mark(event.key().as_deref())
                && let Some(table) = store.local()
            {
                table.look_for_others();
            }
        });
        on_cleanup(move || {
            visible.remove();
            shown.remove();
            hidden.remove();
            others.remove();
            if let Some(table) = store.local() {
                table.put_away();
            }
        });
        Some(store)
    }

    /// Starts the bots' workers again that have failed.
    pub fn retry(self) {
        if let Some(table) = self.local() {
            table.retry();
        }
    }

    /// Takes the kept match over from the page that is in charge of it.
    pub(super) fn go_on_here(self) {
        let begun = match kept::find() {
            Found::Match(kept) => self.begin(Start::Kept(kept)),
            Found::Nothing | Found::Unreadable => false,
        };
        if !begun {
            // It has been given up there; a fresh page knows what to do.
            page::reload();
        }
    }

    fn begin(self, start: Start) -> bool {
        let program = self.core.with_value(|core| core.program.clone());
        let table = program.and_then(|program| {
            LocalTable::open(program, start, page::is_visible(), move |event| {
                self.on_local(event);
            })
        });
        let Some(table) = table else { return false };
        let hello = self.core.try_update_value(|core| {
            core.line = Some(Line::Page(table));
            // A table in the page knows its only person without code and secret.
            core.replica
                .hello(TableCode::from_random(0), Token([0; 16]), "")
        });
        if let Some(hello) = hello {
            self.send(&[hello]);
        }
        set(self.trouble, false);
        set(self.connection, Connection::Online);
        true
    }

    fn local(self) -> Option<LocalTable> {
        let table = self.core.try_with_value(|core| match &core.line {
            Some(Line::Page(table)) => Some(table.clone()),
            _ => None,
        });
        table.flatten()
    }

    fn on_local(self, event: LocalEvent) {
        match event {
            LocalEvent::Messages(messages) => self.receive(messages),
            LocalEvent::Trouble(trouble) => set(self.trouble, trouble),
            LocalEvent::Elsewhere => {
                self.core.try_update_value(|core| core.line = None);
                set(self.connection, Connection::Closed(Close::OpenedElsewhere));
            }
        }
    }
}
