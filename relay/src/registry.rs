//! Which tables there are.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tandem_core::TableCode;
use thiserror::Error;
use tokio::sync::{mpsc, watch};

use crate::archive::Archive;
use crate::bots::BotPool;
use crate::config::Config;
use crate::journal::{Base, Found, Journal, JournalError, TableLog};
use crate::limits;
use crate::metrics::Metrics;
use crate::open_tables::{OpenTables, Place};
use crate::table_task::{Input, Origin, Record, TableBots, TableTask};

/// Why no table was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NoTable {
    #[error("the relay has no room for another table")]
    Full,
    #[error("the system gives no random numbers")]
    NoRandom,
    #[error("the relay is being restarted")]
    Stopping,
    #[error("the relay cannot save a table: its disk is full or cannot be written")]
    CannotSave,
}

/// All tables of a relay, by their codes. Each runs in a task of its own and takes itself off the
/// list when it ends, whatever it ends of.
#[derive(Debug)]
pub(crate) struct Registry {
    config: Arc<Config>,
    bots: Arc<BotPool>,
    metrics: Arc<Metrics>,
    journal: Option<Journal>,
    archive: Option<Arc<Archive>>,
    stopping: watch::Receiver<bool>,
    open: Arc<OpenTables>,
    tables: Mutex<HashMap<TableCode, mpsc::Sender<Input>>>,
}

impl Registry {
    pub(crate) fn new(
        config: Arc<Config>,
        bots: Arc<BotPool>,
        metrics: Arc<Metrics>,
        stopping: watch::Receiver<bool>,
    ) -> Result<Arc<Registry>, JournalError> {
        let (journal, archive, found) = match &config.data {
            Some(folder) => {
                let (journal, found) = Journal::open(folder, config.sync_every)?;
                let path = folder.join("matches");
                let archive = Archive::open(&path, config.keep_matches, config.matches_max)
                    .map_err(|error| JournalError::Io { path, error })?;
                (Some(journal), Some(Arc::new(archive)), found)
            }
            None => (None, None, Vec::new()),
        };
        let registry = Arc::new(Registry {
            config,
            bots,
            metrics,
            journal,
            archive,
            stopping,
            open: Arc::default(),
            tables: Mutex::default(),
        });
        for Found { code, base, log } in found {
            // However many there are: they were here before. Each has a file of its own, hence a code.
            if let Ok(inputs) = registry.place(code, usize::MAX) {
                let listed = registry.listed(code);
                let record = registry.record(code, Some(log));
                if let Err(reason) =
                    registry.serve(listed, inputs, move || Origin::restored(base, record))
                {
                    tracing::error!("table {code} is not taken up: {reason}");
                }
            }
        }
        Ok(registry)
    }

    /// Brings everything to the disk.
    pub(crate) fn sync(&self) {
        if let Some(journal) = &self.journal {
            journal.sync();
        }
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<TableCode, mpsc::Sender<Input>>> {
        // Nothing that could panic is done while the lock is held, and a map is whole in any case.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The mailbox of that table.
    pub(crate) fn find(&self, code: TableCode) -> Option<mpsc::Sender<Input>> {
        self.tables().get(&code).cloned()
    }

    /// Closes a table for good, as the operator wants.
    pub(crate) async fn close(&self, code: TableCode) {
        match self.find(code) {
            Some(mailbox) => {
                tracing::warn!("the operator closes a table");
                // One that has just ended needs no word.
                let _ = mailbox.send(Input::Close).await;
            }
            None => tracing::warn!("the operator would close a table that is not there"),
        }
    }

    /// The tables to which anybody may come, unless this relay keeps no such list.
    pub(crate) fn open_tables(&self) -> Option<&OpenTables> {
        self.config.house.public_list.then_some(&*self.open)
    }

    /// How many tables there are.
    pub(crate) fn len(&self) -> usize {
        self.tables().len()
    }

    /// Opens a table with a code that nobody can guess.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(crate) fn open(self: &Arc<Self>) -> Result<TableCode, NoTable> {
        if *self.stopping.borrow() {
            return Err(NoTable::Stopping);
        }
        let (code, inputs) = loop {
            let code = TableCode::from_random(getrandom::u64().map_err(|_| NoTable::NoRandom)?);
            match self.place(code, self.config.tables_max) {
                Ok(inputs) => break (code, inputs),
                Err(NoPlace::Taken) => {}
                Err(NoPlace::Full) => return Err(NoTable::Full),
            }
        };
        let listed = self.listed(code);
        let log = match &self.journal {
            Some(journal) => Some(journal.create(code, &Base::default()).map_err(|error| {
                tracing::error!("a table cannot be saved: {error}");
                NoTable::CannotSave
            })?),
            None => None,
        };
        let record = self.record(code, log);
        self.serve(listed, inputs, move || Origin::new(record))?;
        tracing::info!(tables = self.len(), "a table was opened");
        Ok(code)
    }

    /// Puts a table on the list, if there is a place for it and fewer than `most` are there.
    fn place(&self, code: TableCode, most: usize) -> Result<mpsc::Receiver<Input>, NoPlace> {
        let (mailbox, inputs) = mpsc::channel(limits::MAILBOX);
        let mut tables = self.tables();
        if tables.len() >= most {
            return Err(NoPlace::Full);
        }
        match tables.entry(code) {
            Entry::Vacant(place) => {
                place.insert(mailbox);
                Ok(inputs)
            }
            Entry::Occupied(_) => Err(NoPlace::Taken),
        }
    }

    /// Matches that are over, if they are kept.
    pub(crate) fn archive(&self) -> Option<&Archive> {
        self.archive.as_deref()
    }

    fn record(&self, code: TableCode, log: Option<TableLog>) -> Record {
        let archive = self.archive.as_ref();
        Record::new(log, archive.map(|archive| (Arc::clone(archive), code)))
    }

    fn listed(self: &Arc<Self>, code: TableCode) -> Listed {
        Listed {
            registry: Arc::clone(self),
            code,
        }
    }

    /// Has a table on the list served by a task of its own.
    fn serve(
        &self,
        listed: Listed,
        inputs: mpsc::Receiver<Input>,
        origin: impl FnOnce() -> Origin + Send + 'static,
    ) -> Result<(), NoTable> {
        let epoch = getrandom::u32().map_err(|_| NoTable::NoRandom)?;
        let bot_seed = match self.config.bot_seed {
            Some(seed) => seed,
            None => getrandom::u64().map_err(|_| NoTable::NoRandom)?,
        };
        let bots = TableBots::new(&self.bots, bot_seed);
        let place = Place::new(&self.open, listed.code);
        let (config, stopping) = (Arc::clone(&self.config), self.stopping.clone());
        let metrics = Arc::clone(&self.metrics);
        // A panic ends this task and drops what it holds: its lines close, and `listed` takes the
        // table off the list. No other table notices.
        tokio::spawn(async move {
            let listed = listed;
            let table = TableTask::new(&config, metrics, epoch, bots, origin(), inputs, stopping);
            Box::new(table.at(place)).run().await;
            drop(listed);
        });
        Ok(())
    }
}

/// Why a table is not put on the list.
enum NoPlace {
    Taken,
    Full,
}

/// Takes a table off the list when it is dropped.
struct Listed {
    registry: Arc<Registry>,
    code: TableCode,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.registry.tables().remove(&self.code);
        if std::thread::panicking() {
            tracing::error!("table {} ended by a fault", self.code);
            if let Some(journal) = &self.registry.journal {
                journal.set_aside(self.code);
            }
        } else {
            tracing::info!("a table was closed");
        }
    }
}
