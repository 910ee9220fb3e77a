//! Matches that are over, kept as BPGN files for those who know the table: its code and the number
//! of the match name the file.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tandem_core::TableCode;
use tandem_core::bpgn::Record;
use tandem_core::table::Game;
use time::OffsetDateTime;

use crate::files;

/// The folder of finished matches.
#[derive(Debug)]
pub(crate) struct Archive {
    folder: PathBuf,
    keep_for: Duration,
    keep_most: usize,
    /// What is there, oldest first.
    kept: Mutex<VecDeque<(SystemTime, MatchId)>>,
}

/// Names a finished match: `K7QM2D9PXR-3` is the third of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatchId {
    pub(crate) table: TableCode,
    pub(crate) number: u16,
}

impl MatchId {
    fn parse(text: &str) -> Option<MatchId> {
        let (table, number) = text.rsplit_once('-')?;
        Some(MatchId {
            table: table.parse().ok()?,
            number: number.parse().ok()?,
        })
    }

    /// The match that is kept in a file of that name.
    pub(crate) fn of_file(name: &str) -> Option<MatchId> {
        MatchId::parse(name.strip_suffix(".bpgn")?)
    }

    fn file(self) -> String {
        format!("{}-{}.bpgn", self.table, self.number)
    }
}

impl Archive {
    /// Opens the folder, which is made if need be, and drops what is too old or too much.
    pub(crate) fn open(folder: &Path, keep_for: Duration, keep_most: usize) -> io::Result<Archive> {
        files::make_folder(folder)?;
        let mut kept = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            if let Some(id) = name.and_then(MatchId::of_file) {
                kept.push((path.metadata()?.modified()?, id));
            }
        }
        // A disk may count time coarsely; within a table the numbers tell.
        kept.sort_unstable_by_key(|&(at, id)| (at, id.number));
        let archive = Archive {
            folder: folder.to_owned(),
            keep_for,
            keep_most,
            kept: Mutex::new(kept.into()),
        };
        archive.tidy();
        Ok(archive)
    }

    /// Keeps a match that is over.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep(&self, table: TableCode, game: &Game) -> io::Result<()> {
        if self.keep_most == 0 {
            return Ok(());
        }
        let now = SystemTime::now();
        let date = OffsetDateTime::from(now).date();
        let date = format!(
            "{}.{:02}.{:02}",
            date.year(),
            u8::from(date.month()),
            date.day()
        );
        let mut record = Record::of_game(game);
        for (name, value) in [("Event", "Tandem"), ("Date", &date)] {
            // Both are names of tags that can be set.
            let _ = record.set_tag(name, value);
        }
        let id = MatchId {
            table,
            number: game.no().0,
        };
        let path = self.folder.join(id.file());
        files::write(&path, format!("{record}\n").as_bytes())?;
        self.list().push_back((now, id));
        self.tidy();
        Ok(())
    }

    /// A match that was kept.
    pub(crate) fn read(&self, id: MatchId) -> Option<String> {
        fs::read_to_string(self.folder.join(id.file())).ok()
    }

    /// The numbers of the matches that are kept of a table.
    pub(crate) fn of_table(&self, table: TableCode) -> Vec<u16> {
        let mut numbers: Vec<u16> = self
            .list()
            .iter()
            .filter(|(_, id)| id.table == table)
            .map(|(_, id)| id.number)
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn list(&self) -> MutexGuard<'_, VecDeque<(SystemTime, MatchId)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops what is too old or too much.
    fn tidy(&self) {
        let now = SystemTime::now();
        let mut kept = self.list();
        while let Some((at, _)) = kept.front()
            && (kept.len() > self.keep_most
                || now.duration_since(*at).is_ok_and(|age| age > self.keep_for))
        {
            if let Some((_, id)) = kept.pop_front()
                && let Err(error) = fs::remove_file(self.folder.join(id.file()))
            {
                tracing::warn!("{} cannot be removed: {error}", id.file());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tandem_core::Seat;
    use tandem_core::bpgn::RecordedResult;
    use tandem_core::table::{COUNTDOWN_MS, Command, MatchNo, Table};

    use super::*;

    const LONG: Duration = Duration::from_secs(3_600);

    /// A table at which so many matches have been resigned.
    fn resigned(matches: u16) -> Table {
        let mut table = Table::new();
        let mut now = 0;
        let players = Seat::ALL.map(|seat| {
            let player = table.join(0, "Ann/../é").unwrap();
            table.handle(0, player, Command::Sit(seat)).unwrap();
            player
        });
        for number in 1..=matches {
            for player in players {
                let ready = Command::SetReady(true);
                table.handle(now, player, ready).unwrap();
            }
            now += COUNTDOWN_MS + 1_000;
            let no = MatchNo(number);
            table.handle(now, players[0], Command::Resign(no)).unwrap();
            if number < matches {
                table.handle(now, players[0], Command::ToLobby(no)).unwrap();
            }
        }
        table
    }

    #[test]
    fn a_match_is_kept_and_read_and_the_oldest_gives_way() {
        let folder = tempfile::tempdir().unwrap();
        let code = TableCode::from_random(77);
        let archive = Archive::open(folder.path(), LONG, 2).unwrap();
        for matches in 1..=3 {
            let table = resigned(matches);
            archive.keep(code, table.state().game().unwrap()).unwrap();
        }
        assert_eq!(archive.of_table(code), [2, 3]);
        assert_eq!(archive.of_table(TableCode::from_random(78)), [0; 0]);
        let id = |text: String| MatchId::parse(&text).unwrap();
        assert_eq!(archive.read(id(format!("{code}-1"))), None);
        let text = archive.read(id(format!("{code}-3"))).unwrap();
        let record = Record::read(&text).unwrap();
        assert_eq!(record.result(), RecordedResult::TeamTwo);
        assert_eq!(record.tag("Termination"), Some("resignation"));
        assert_eq!(record.tag("Date").map(str::len), Some(10));
        // It is still there for the next relay, unless that keeps less.
        drop(archive);
        let archive = Archive::open(folder.path(), LONG, 1).unwrap();
        assert_eq!(archive.of_table(code), [3]);
        drop(archive);
        let archive = Archive::open(folder.path(), Duration::ZERO, 5).unwrap();
        assert_eq!(archive.of_table(code), [0; 0]);
    }

    #[test]
    fn only_a_code_and_a_number_name_a_match() {
        for text in [
            "",
            "-1",
            "0000000000",
            "0000000000-",
            "../x-1",
            "0000000000-x",
            "0000000000-1/..",
        ] {
            assert_eq!(MatchId::parse(text), None, "{text}");
        }
        let id = MatchId::parse("000000000o-12").unwrap();
        assert_eq!(id.file(), "0000000000-12.bpgn");
    }
}
