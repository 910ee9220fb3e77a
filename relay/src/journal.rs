//! What outlives the relay: one file for each table, to which everything that happens there is
//! appended before anybody is told.
//!
//! A record reaches the kernel with one write, so that it survives the end of the process at any
//! instant; against a loss of power all files are synced together every so often (`disk`). A file holds a
//! whole table ([`Base`]) and what has happened since ([`Step`]); when it has grown it is written
//! anew, beside the old one, and takes its place in one step.
//!
//! Each file is for itself on purpose: a damaged one costs its own table and no other.
//!
//! A record is its length and the CRC-32 of its content, both four bytes little-endian, and the
//! content: a byte for the version of the record, then postcard. A record that is cut off at the end
//! of a file was being written when the relay ended, and nobody was told of it: it is dropped.

mod disk;

use std::borrow::Cow;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tandem_core::TableCode;
use tandem_core::link::Inbox;
use tandem_core::protocol::{CommandId, Token};
use tandem_core::table::{Lines, PlayerId, Saved, Stamped};
use thiserror::Error;

use self::disk::{Disk, Synced};
use crate::files::{self, make_folder, private};

/// The version of the records written. Every released version stays readable.
const VERSION: u8 = 2;

/// How long a record may be at most, in bytes: a whole table with all its talk is far below.
const RECORD_MAX: u32 = 16 << 20;

/// A file shorter than this is not written anew, in bytes.
const COMPACT_ABOVE: u64 = 64 << 10;

/// How much longer than its base a file grows before it is written anew.
const COMPACT_TIMES: u64 = 4;

/// A person at a table, as the relay knows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seated {
    pub(crate) player: PlayerId,
    pub(crate) token: Token,
    pub(crate) inbox: Inbox,
}

/// A whole table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Base {
    pub(crate) saved: Saved,
    pub(crate) people: Vec<Seated>,
    pub(crate) barred: Vec<Token>,
}

/// What happened at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) events: Vec<Stamped>,
    pub(crate) lines: Vec<Lines>,
    /// Who came, with the secret that brings them back.
    pub(crate) joined: Vec<(PlayerId, Token)>,
    /// Who began to count commands anew, and from which number.
    pub(crate) session: Option<(PlayerId, u32, CommandId)>,
    /// Whose command was done.
    pub(crate) done: Option<(PlayerId, CommandId)>,
    /// Who was sent away for good.
    pub(crate) barred: Vec<Token>,
}

impl Step {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Step::default()
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[expect(
    clippy::large_enum_variant,
    reason = "one exists at a time, for as long as it is written or read"
)]
enum Record<'a> {
    Base(Cow<'a, Base>),
    Step(Cow<'a, Step>),
}

/// Why a table cannot be taken up again.
#[derive(Debug, Error)]
pub(crate) enum Damage {
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("is damaged at byte {at}: {what}")]
    Record { at: u64, what: &'static str },
    #[error("was written by another release (record version {0})")]
    OtherRelease(u8),
    #[error("is damaged in a way that nobody has thought of")]
    Fault,
}

/// Why there is no journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// Another relay has it.
    #[error("{0}: another relay is using this folder")]
    InUse(PathBuf),
    /// It cannot be made or read.
    #[error("{path} (--data): {error}")]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl Base {
    /// Takes in what happened next.
    fn apply(&mut self, step: Step) -> Result<(), &'static str> {
        for stamped in &step.events {
            self.saved
                .apply(stamped)
                .map_err(|_| "an event does not follow")?;
        }
        for lines in step.lines {
            self.saved.hear(lines);
        }
        for (player, token) in step.joined {
            self.people.push(Seated {
                player,
                token,
                inbox: Inbox::default(),
            });
        }
        let state = self.saved.state();
        self.people
            .retain(|person| state.player(person.player).is_some());
        if let Some((player, session, next)) = step.session
            && let Some(person) = self.person(player)
        {
            person.inbox.hello(session, next);
        }
        if let Some((player, id)) = step.done
            && let Some(person) = self.person(player)
        {
            person.inbox.answered(id, Ok(()));
        }
        self.barred.extend(step.barred);
        Ok(())
    }

    fn person(&mut self, player: PlayerId) -> Option<&mut Seated> {
        self.people
            .iter_mut()
            .find(|person| person.player == player)
    }
}

/// The folder with all files.
#[derive(Debug)]
pub(crate) struct Journal {
    tables: PathBuf,
    disk: Arc<Disk>,
    /// Held while the relay runs, so that no other one writes here.
    _lock: File,
}

/// What was found for one table.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) code: TableCode,
    pub(crate) base: Base,
    pub(crate) log: TableLog,
}

/// Where the tables of a data folder are.
fn tables(data: &Path) -> PathBuf {
    data.join("tables")
}

fn file(tables: &Path, code: TableCode) -> PathBuf {
    tables.join(format!("{code}.log"))
}

/// Where a data folder has a table, if it has it.
pub(crate) fn path(data: &Path, code: TableCode) -> PathBuf {
    file(&tables(data), code)
}

impl Journal {
    /// Opens the folder, which is made if need be, with all tables in it. Damaged files are reported
    /// and left as they are.
    pub(crate) fn open(
        folder: &Path,
        sync_every: Duration,
    ) -> Result<(Journal, Vec<Found>), JournalError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| JournalError::Io { path, error }
        };
        let tables = tables(folder);
        make_folder(&tables).map_err(io(&tables))?;
        let lock_path = folder.join("lock");
        let lock = private()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_path)
            .map_err(io(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => return Err(io(&lock_path)(error)),
        }
        let disk = Arc::new(Disk::of(&tables).map_err(io(&tables))?);
        let of_journal = Arc::downgrade(&disk);
        std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || {
                while let Some(disk) = of_journal.upgrade() {
                    // What fails is logged, and tried again with what is written next.
                    let _ = disk.sync();
                    drop(disk);
                    std::thread::sleep(sync_every);
                }
            })
            .map_err(io(folder))?;
        let journal = Journal {
            tables,
            disk,
            _lock: lock,
        };
        let mut found = Vec::new();
        let entries = fs::read_dir(&journal.tables).map_err(io(&journal.tables))?;
        for entry in entries {
            let entry = entry.map_err(io(&journal.tables))?;
            let path = entry.path();
            // Anything else might never end, or never begin.
            if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
                continue;
            }
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("log") => {}
                Some("new") => {
                    // The relay ended while it wrote this; the old file is still in its place.
                    let _ = fs::remove_file(&path);
                    continue;
                }
                _ => continue,
            }
            let code = path
                .file_stem()
                .and_then(|stem| stem.to_str()?.parse().ok());
            let Some(code) = code else { continue };
            // What a file holds may be anything; no single one keeps the relay from starting.
            let taken_up = catch_unwind(AssertUnwindSafe(|| journal.take_up(&path)));
            match taken_up.unwrap_or(Err(Damage::Fault)) {
                Ok((base, log)) => found.push(Found { code, base, log }),
                Err(damage) => {
                    tracing::error!(
                        "table {code} cannot be taken up: {} {damage}",
                        path.display()
                    );
                }
            }
        }
        Ok((journal, found))
    }

    fn path(&self, code: TableCode) -> PathBuf {
        file(&self.tables, code)
    }

    /// Puts the file of a table that ended by a fault out of the way: the table is not taken up again
    /// to end by the same fault, and the file is there for whoever looks into it.
    pub(crate) fn set_aside(&self, code: TableCode) {
        let path = self.path(code);
        let aside = path.with_extension("fault");
        match fs::rename(&path, &aside) {
            Ok(()) => tracing::error!("its record is kept as {}", aside.display()),
            Err(error) => tracing::error!("{} cannot be set aside: {error}", path.display()),
        }
    }

    /// A file for a new table.
    pub(crate) fn create(&self, code: TableCode, base: &Base) -> io::Result<TableLog> {
        let mut log = TableLog {
            path: self.path(code),
            synced: None,
            length: 0,
            base_length: 0,
            torn: false,
            disk: Arc::clone(&self.disk),
            #[cfg(test)]
            full: Arc::default(),
        };
        log.compact(base)?;
        Ok(log)
    }

    fn take_up(&self, path: &Path) -> Result<(Base, TableLog), Damage> {
        let mut file = private().read(true).append(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (base, base_length, length) = read(&bytes)?;
        if length < bytes.len() as u64 {
            tracing::warn!(
                "{}: {} bytes that were being written when the relay ended are dropped",
                path.display(),
                bytes.len() as u64 - length
            );
            file.set_len(length)?;
        }
        let log = TableLog {
            path: path.to_owned(),
            synced: Some(Synced::new(file)),
            length,
            base_length,
            torn: false,
            disk: Arc::clone(&self.disk),
            #[cfg(test)]
            full: Arc::default(),
        };
        Ok((base, log))
    }

    /// Brings everything to the disk.
    pub(crate) fn sync(&self) {
        // What fails is logged.
        let _ = self.disk.sync();
    }
}

/// Whether there is nothing but zeros.
fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// The table in a file, the length of its base, and that of all its whole records, in bytes.
fn read(bytes: &[u8]) -> Result<(Base, u64, u64), Damage> {
    let mut base: Option<(Base, u64)> = None;
    let mut at = 0;
    loop {
        let rest = &bytes[at..];
        let damaged = |what| Damage::Record {
            at: at as u64,
            what,
        };
        let Some((head, rest)) = rest.split_first_chunk::<8>() else {
            break;
        };
        let [l0, l1, l2, l3, c0, c1, c2, c3] = *head;
        let length = u32::from_le_bytes([l0, l1, l2, l3]);
        if is_blank(&bytes[at..]) {
            // What a loss of power leaves of a file that had just grown.
            break;
        }
        if length == 0 || length > RECORD_MAX {
            return Err(damaged("a length that cannot be"));
        }
        let Some(content) = rest.get(..length as usize) else {
            break;
        };
        let end = at + 8 + content.len();
        if crc32fast::hash(content) != u32::from_le_bytes([c0, c1, c2, c3]) {
            if is_blank(&bytes[end..]) {
                break;
            }
            return Err(damaged("the checksum is wrong"));
        }
        let (version, content) = content.split_first().ok_or(damaged("an empty record"))?;
        // No release has written version 1.
        if *version != VERSION {
            return Err(Damage::OtherRelease(*version));
        }
        let record = postcard::from_bytes(content).map_err(|_| damaged("an unknown record"))?;
        match (record, &mut base) {
            (Record::Base(whole), _) => base = Some((whole.into_owned(), end as u64)),
            (Record::Step(step), Some((base, _))) => {
                base.apply(step.into_owned()).map_err(damaged)?;
            }
            (Record::Step(_), None) => return Err(damaged("there is no table to apply it to")),
        }
        at = end;
    }
    let (base, base_length) = base.ok_or(Damage::Record {
        at: 0,
        what: "there is no table in it",
    })?;
    Ok((base, base_length, at as u64))
}

fn frame(record: &Record<'_>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 8];
    bytes.push(VERSION);
    let mut bytes = postcard::to_extend(record, bytes).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len() - 8).map_err(io::Error::other)?;
    let crc = crc32fast::hash(&bytes[8..]);
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    bytes[4..8].copy_from_slice(&crc.to_le_bytes());
    Ok(bytes)
}

/// The file of one table.
#[derive(Debug)]
pub(crate) struct TableLog {
    path: PathBuf,
    synced: Option<Arc<Synced>>,
    length: u64,
    base_length: u64,
    /// Whether something half-written may follow the last whole record.
    torn: bool,
    disk: Arc<Disk>,
    /// For tests: whether to behave as on a full disk.
    #[cfg(test)]
    pub(crate) full: Arc<AtomicBool>,
}

impl TableLog {
    /// Appends what has happened; it has reached the kernel when this returns.
    ///
    /// # Errors
    /// When it cannot be written; then the file is as it was before.
    pub(crate) fn write(&mut self, step: &Step) -> io::Result<()> {
        #[cfg(test)]
        if self.full.load(Ordering::Acquire) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let bytes = frame(&Record::Step(Cow::Borrowed(step)))?;
        let synced = self.synced.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let mut file = &synced.file;
        if self.torn {
            file.set_len(self.length)?;
            self.torn = false;
        }
        if let Err(error) = file.write_all(&bytes) {
            self.torn = file.set_len(self.length).is_err();
            return Err(error);
        }
        self.length += bytes.len() as u64;
        self.list();
        Ok(())
    }

    /// Whether so much has happened that the file is better written anew.
    pub(crate) fn has_grown(&self) -> bool {
        self.length > COMPACT_ABOVE.max(COMPACT_TIMES * self.base_length)
    }

    /// Writes the file anew, with nothing but the table as it is.
    ///
    /// # Errors
    /// When that fails; the old file stays.
    pub(crate) fn compact(&mut self, base: &Base) -> io::Result<()> {
        let bytes = frame(&Record::Base(Cow::Borrowed(base)))?;
        let beside = self.path.with_extension("new");
        files::write(&beside, &bytes)?;
        if self.synced.is_some() {
            // The old file must not give way to one that is not on the disk yet.
            private().write(true).open(&beside)?.sync_data()?;
        }
        fs::rename(&beside, &self.path)?;
        let file = private().append(true).open(&self.path)?;
        self.synced = Some(Synced::new(file));
        self.length = bytes.len() as u64;
        self.base_length = self.length;
        self.torn = false;
        self.list();
        Ok(())
    }

    /// The table is no more.
    pub(crate) fn remove(self) {
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!("{} cannot be removed: {error}", self.path.display());
        }
    }

    /// Puts the file on the list of those to be synced.
    fn list(&self) {
        if let Some(synced) = &self.synced {
            self.disk.list(synced);
        }
    }
}

#[cfg(test)]
mod tests;
