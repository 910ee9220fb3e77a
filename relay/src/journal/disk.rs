//! Bringing to the disk what the kernel has taken.
//!
//! A few files are synced one after another. Many are not: each sync waits for the disk, and on most
//! file systems each writes the same log of the file system again, while whoever appends to a file
//! waits for that. On Linux the whole file system is then synced at once, which also says whether it
//! failed (since version 5.8). Elsewhere, and where that fails, each file is synced by itself.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Up to so many files are synced by themselves: whatever else is on the file system can wait.
const FEW: usize = 8;

/// A file that is synced with the others.
#[derive(Debug)]
pub(super) struct Synced {
    pub(super) file: File,
    /// Whether it is on the list of those to be synced.
    listed: AtomicBool,
}

impl Synced {
    pub(super) fn new(file: File) -> Arc<Synced> {
        Arc::new(Synced {
            file,
            listed: AtomicBool::new(false),
        })
    }
}

/// What is to be brought to the disk.
#[derive(Debug)]
pub(super) struct Disk {
    /// Files written to since they were last synced.
    dirty: Mutex<Vec<Weak<Synced>>>,
    /// Held while files are synced: the last sync before the relay ends waits for one under way.
    turn: Mutex<()>,
    /// The folder of all files. It stays open, since what failed is told once to each opening.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only Linux has syncfs")
    )]
    folder: Option<File>,
}

impl Disk {
    /// For files in this folder.
    pub(super) fn of(folder: &Path) -> io::Result<Disk> {
        let folder = if cfg!(target_os = "linux") {
            Some(File::open(folder)?)
        } else {
            None
        };
        Ok(Disk {
            dirty: Mutex::default(),
            turn: Mutex::default(),
            folder,
        })
    }

    fn dirty(&self) -> MutexGuard<'_, Vec<Weak<Synced>>> {
        self.dirty.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something was written to that file.
    pub(super) fn list(&self, synced: &Arc<Synced>) {
        if !synced.listed.swap(true, Ordering::AcqRel) {
            self.dirty().push(Arc::downgrade(synced));
        }
    }

    /// Brings to the disk what was written before.
    ///
    /// # Errors
    /// When the system says of anything that it is not there. Each failure is logged.
    pub(super) fn sync(&self) -> io::Result<()> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let list = std::mem::take(&mut *self.dirty());
        let list: Vec<_> = list.iter().filter_map(Weak::upgrade).collect();
        for synced in &list {
            // Before the sync: what is written during it belongs to the next one.
            synced.listed.store(false, Ordering::Release);
        }
        let mut done = Ok(());
        if list.len() > FEW {
            match self.sync_file_system() {
                Some(Ok(())) => return Ok(()),
                Some(Err(error)) => {
                    tracing::error!("not everything can be brought to the disk: {error}");
                    done = Err(error);
                }
                None => {}
            }
        }
        for synced in &list {
            if let Err(error) = synced.file.sync_data() {
                tracing::error!("the journal cannot be brought to the disk: {error}");
                done = Err(error);
            }
        }
        done
    }

    /// Syncs everything on the file system; `None` where that cannot be done.
    #[cfg(target_os = "linux")]
    fn sync_file_system(&self) -> Option<io::Result<()>> {
        let folder = self.folder.as_ref()?;
        Some(rustix::fs::syncfs(folder).map_err(io::Error::from))
    }

    #[cfg(not(target_os = "linux"))]
    fn sync_file_system(&self) -> Option<io::Result<()>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::private;

    fn files(folder: &Path, count: usize) -> Vec<Arc<Synced>> {
        let make = |number: usize| {
            let path = folder.join(number.to_string());
            private().create(true).append(true).open(path)
        };
        let files = (0..count).map(|number| Synced::new(make(number).unwrap()));
        files.collect()
    }

    #[test]
    fn few_and_many_are_synced_and_are_off_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::of(folder.path()).unwrap();
        for count in [1, FEW, FEW + 1, 100] {
            let files = files(folder.path(), count);
            for synced in files.iter().chain(&files) {
                disk.list(synced);
            }
            // However often it is written to, a file is on the list once.
            assert_eq!(disk.dirty().len(), count);
            disk.sync().unwrap();
            assert!(disk.dirty().is_empty());
            // What is written afterwards is for the next time.
            disk.list(&files[0]);
            assert_eq!(disk.dirty().len(), 1);
            // A file that is gone by then is none to be synced.
            drop(files);
            disk.sync().unwrap();
            assert!(disk.dirty().is_empty());
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_not_on_the_disk_is_reported() {
        use std::os::unix::fs::OpenOptionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let mut disk = Disk::of(folder.path()).unwrap();
        // Nobody can sync a device that has no disk.
        let device = Synced::new(private().append(true).open("/dev/full").unwrap());
        disk.list(&device);
        disk.sync().unwrap_err();
        disk.sync().unwrap();
        // A file system that cannot be synced at once: opened so, a folder is good for nothing.
        let only_path = private().read(true).custom_flags(0o10_000_000).open("/");
        disk.folder = Some(only_path.unwrap());
        let files = files(folder.path(), FEW + 1);
        for synced in &files {
            disk.list(synced);
        }
        disk.sync().unwrap_err();
        assert!(disk.dirty().is_empty());
    }
}
