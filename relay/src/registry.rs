//! Which tables there are.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tandem_core::TableCode;
use thiserror::Error;
use tokio::sync::{mpsc, watch};

use crate::bots::BotPool;
use crate::config::Config;
use crate::limits;
use crate::table_task::{Input, TableBots, TableTask};

/// Why no table was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NoTable {
    #[error("the relay has no room for another table")]
    Full,
    #[error("the system gives no random numbers")]
    NoRandom,
    #[error("the relay is being restarted")]
    Stopping,
}

/// All tables of a relay, by their codes. Each runs in a task of its own and takes itself off the
/// list when it ends, whatever it ends of.
#[derive(Debug)]
pub(crate) struct Registry {
    config: Arc<Config>,
    bots: Arc<BotPool>,
    stopping: watch::Receiver<bool>,
    tables: Mutex<HashMap<TableCode, mpsc::Sender<Input>>>,
}

impl Registry {
    pub(crate) fn new(
        config: Arc<Config>,
        bots: Arc<BotPool>,
        stopping: watch::Receiver<bool>,
    ) -> Arc<Registry> {
        Arc::new(Registry {
            config,
            bots,
            stopping,
            tables: Mutex::default(),
        })
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<TableCode, mpsc::Sender<Input>>> {
        // Nothing that could panic is done while the lock is held, and a map is whole in any case.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The mailbox of that table.
    pub(crate) fn find(&self, code: TableCode) -> Option<mpsc::Sender<Input>> {
        self.tables().get(&code).cloned()
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
        let epoch = getrandom::u32().map_err(|_| NoTable::NoRandom)?;
        let bot_seed = match self.config.bot_seed {
            Some(seed) => seed,
            None => getrandom::u64().map_err(|_| NoTable::NoRandom)?,
        };
        let (mailbox, inputs) = mpsc::channel(limits::MAILBOX);
        let code = loop {
            let code = TableCode::from_random(getrandom::u64().map_err(|_| NoTable::NoRandom)?);
            let mut tables = self.tables();
            if tables.len() >= self.config.tables_max {
                return Err(NoTable::Full);
            }
            if let Entry::Vacant(place) = tables.entry(code) {
                place.insert(mailbox);
                break code;
            }
        };
        let listed = Listed {
            registry: Arc::clone(self),
            code,
        };
        let bots = TableBots::new(&self.bots, bot_seed);
        let table = TableTask::new(&self.config, epoch, bots, inputs, self.stopping.clone());
        // A panic ends this task and drops what it holds: its lines close, and `listed` takes the
        // table off the list. No other table notices.
        tokio::spawn(async move {
            let listed = listed;
            table.run().await;
            drop(listed);
        });
        tracing::info!(tables = self.len(), "a table was opened");
        Ok(code)
    }
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
            tracing::error!("a table ended by a fault");
        } else {
            tracing::info!("a table was closed");
        }
    }
}
