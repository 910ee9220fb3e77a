//! The list of tables to which anybody may come. Each table puts itself on it, and takes itself off.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tandem_core::table::{Phase, State};
use tandem_core::{Options, Seat, TableCode};
use tokio::time::Instant;

/// How many tables are told of; whoever looks for company needs no more.
const MOST: usize = 50;

/// What is told of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    /// The names of those who sit there, as far as they have given any.
    pub(crate) names: Vec<String>,
    /// How many seats people have, bots have, and nobody has.
    pub(crate) people: usize,
    pub(crate) bots: usize,
    pub(crate) free: usize,
    pub(crate) options: Options,
}

impl Notice {
    /// What there is to tell, if somebody could come: before the match, to a seat that no person has.
    fn of(state: &State) -> Option<Notice> {
        let open = matches!(state.phase(), Phase::Lobby | Phase::Countdown { .. });
        if !open || !state.is_public() {
            return None;
        }
        let seated = || {
            Seat::ALL
                .into_iter()
                .filter_map(|seat| state.occupant(seat))
        };
        let people = seated().count();
        let bots = Seat::ALL
            .into_iter()
            .filter(|&seat| state.bot(seat).is_some())
            .count();
        let names = seated()
            .filter_map(|id| state.player(id))
            .map(|player| player.name.clone())
            .filter(|name| !name.is_empty())
            .collect();
        (people < 4).then_some(Notice {
            names,
            people,
            bots,
            free: 4 - people - bots,
            options: *state.options(),
        })
    }
}

/// All notices, and since when each table has had one.
#[derive(Debug, Default)]
pub(crate) struct OpenTables(Mutex<HashMap<TableCode, (Instant, Notice)>>);

impl OpenTables {
    fn list(&self) -> MutexGuard<'_, HashMap<TableCode, (Instant, Notice)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables that have waited least, newest first.
    pub(crate) fn newest(&self) -> Vec<(TableCode, Instant, Notice)> {
        let mut tables: Vec<_> = self
            .list()
            .iter()
            .map(|(&code, (since, notice))| (code, *since, notice.clone()))
            .collect();
        tables
            .sort_unstable_by_key(|&(code, since, _)| (std::cmp::Reverse(since), u64::from(code)));
        tables.truncate(MOST);
        tables
    }
}

/// The place of one table on the list; it is given up when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    tables: Arc<OpenTables>,
    code: TableCode,
    shown: Option<Notice>,
}

impl Place {
    pub(crate) fn new(tables: &Arc<OpenTables>, code: TableCode) -> Place {
        Place {
            tables: Arc::clone(tables),
            code,
            shown: None,
        }
    }

    /// Tells what there is to tell now; of a table where nobody is there is nothing.
    pub(crate) fn tell(&mut self, state: &State, deserted: bool) {
        let notice = Some(state).filter(|_| !deserted).and_then(Notice::of);
        if notice == self.shown {
            return;
        }
        let mut list = self.tables.list();
        match &notice {
            Some(notice) => {
                let now = Instant::now();
                let since = list.get(&self.code).map_or(now, |(since, _)| *since);
                list.insert(self.code, (since, notice.clone()));
            }
            None => drop(list.remove(&self.code)),
        }
        self.shown = notice;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.shown.is_some() {
            self.tables.list().remove(&self.code);
        }
    }
}
