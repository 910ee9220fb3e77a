use tandem_core::table::{COUNTDOWN_MS, Command, PauseReason, Phase, Table};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{BoardId, Seat};
use tempfile::TempDir;

use super::*;

const SYNC: Duration = Duration::from_secs(3_600);

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn open(folder: &TempDir) -> (Journal, Vec<Found>) {
    Journal::open(folder.path(), SYNC).unwrap()
}

fn code() -> TableCode {
    TableCode::from_random(0x1234_5678_9ABC)
}

/// A table that writes down what happens at it.
struct Written {
    table: Table,
    people: Vec<Seated>,
    log: TableLog,
    seq: u32,
    heard: [u32; 3],
}

impl Written {
    fn new(journal: &Journal) -> Written {
        let table = Table::new();
        let base = Base {
            saved: table.save(),
            people: Vec::new(),
            barred: Vec::new(),
        };
        Written {
            log: journal.create(code(), &base).unwrap(),
            table,
            people: Vec::new(),
            seq: 0,
            heard: [0; 3],
        }
    }

    fn base(&self) -> Base {
        Base {
            saved: self.table.save(),
            people: self.people.clone(),
            barred: Vec::new(),
        }
    }

    /// What has happened since the last step.
    fn news(&mut self) -> Step {
        let events = self.table.events_since(self.seq).unwrap();
        let step = Step {
            events: events.cloned().collect(),
            lines: self.table.spoken_since(self.heard).collect(),
            ..Step::default()
        };
        self.seq = self.table.state().seq();
        self.heard = self.table.save().heard();
        step
    }

    fn join(&mut self, number: u8) -> PlayerId {
        let token = Token([number; 16]);
        let player = self.table.join(0, "Anna").unwrap();
        let mut inbox = Inbox::default();
        inbox.hello(7, 1);
        self.people.push(Seated {
            player,
            token,
            inbox,
        });
        let step = Step {
            joined: vec![(player, token)],
            session: Some((player, 7, 1)),
            ..self.news()
        };
        self.log.write(&step).unwrap();
        player
    }

    fn ask(&mut self, now: u64, who: usize, command: Command) {
        let player = self.people[who].player;
        self.table.handle(now, player, command).unwrap();
        let inbox = &mut self.people[who].inbox;
        let id = (1..)
            .find(|&id| inbox.arrival(id) == tandem_core::link::Arrival::Next)
            .unwrap();
        inbox.answered(id, Ok(()));
        let step = Step {
            done: Some((player, id)),
            ..self.news()
        };
        self.log.write(&step).unwrap();
    }

    /// Four people, the first of whom has played a ply and said something.
    fn play(&mut self) {
        for (number, seat) in (1..).zip(Seat::ALL) {
            self.join(number);
            self.ask(0, usize::from(number) - 1, Command::Sit(seat));
        }
        for who in 0..4 {
            self.ask(0, who, Command::SetReady(true));
        }
        self.table.tick(COUNTDOWN_MS);
        let step = self.news();
        self.log.write(&step).unwrap();
        self.talk(COUNTDOWN_MS + 10);
        let ply = Command::Play {
            match_no: self.table.state().game().unwrap().no(),
            board: BoardId::A,
            answers: 0,
            ply: "e2e4".parse().unwrap(),
        };
        self.ask(COUNTDOWN_MS + 1_000, 0, ply);
        let no = self.table.state().game().unwrap().no();
        self.ask(COUNTDOWN_MS + 2_000, 1, Command::OfferDraw(no));
    }

    fn talk(&mut self, now: u64) {
        let say = Command::Say(Channel::TeamOne, Words::Tell(Tell::Thanks));
        self.ask(now, 0, say);
    }
}

fn path(folder: &TempDir) -> PathBuf {
    folder.path().join("tables").join(format!("{}.log", code()))
}

#[test]
fn a_table_comes_back_as_its_last_record_left_it() {
    let folder = folder();
    let (journal, found) = open(&folder);
    assert!(found.is_empty());
    let mut written = Written::new(&journal);
    written.play();
    let expected = written.base();
    drop((written, journal));
    let (journal, mut found) = open(&folder);
    let Found {
        code,
        base,
        mut log,
    } = found.pop().unwrap();
    assert_eq!((code, &base), (self::code(), &expected));
    let table = Table::restore(base.saved.clone());
    let game = table.state().game().unwrap();
    assert_eq!(table.state().phase(), Phase::Playing);
    assert_eq!(game.pause().unwrap().reason, PauseReason::RelayRestarted);
    assert!(game.draw().is_some());
    assert_eq!(game.clock(Seat::AWhite, 1 << 40), 179_000);
    assert_eq!(table.spoken_since([0; 3]).count(), 1);
    // Written anew it is the same, and shorter; and it goes on.
    let before = fs::metadata(path(&folder)).unwrap().len();
    log.compact(&base).unwrap();
    assert!(fs::metadata(path(&folder)).unwrap().len() < before);
    drop((log, journal));
    let (journal, mut found) = open(&folder);
    let Found { base, log, .. } = found.pop().unwrap();
    assert_eq!(base, expected);
    log.remove();
    drop(journal);
    assert!(open(&folder).1.is_empty());
}

/// What is read may never end, and what is opened may never begin.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_left_alone() {
    let folder = folder();
    let (journal, _) = open(&folder);
    drop((Written::new(&journal), journal));
    let beside = |name: &str| path(&folder).with_file_name(name);
    std::os::unix::fs::symlink("/dev/zero", beside("2222222222.log")).unwrap();
    fs::create_dir(beside("3333333333.log")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(beside("4444444444.log"))
        .status();
    assert!(made.unwrap().success());
    assert_eq!(open(&folder).1.len(), 1);
}

#[test]
fn wherever_the_file_ends_the_table_comes_back_as_of_the_last_whole_record() {
    let folder = folder();
    let (journal, _) = open(&folder);
    let mut written = Written::new(&journal);
    written.play();
    drop((written, journal));
    let whole = fs::read(path(&folder)).unwrap();
    let (_, base_length, length) = read(&whole).unwrap();
    assert_eq!(length, whole.len() as u64);
    let mut seqs = Vec::new();
    for end in base_length as usize..whole.len() {
        fs::write(path(&folder), &whole[..end]).unwrap();
        let (journal, mut found) = open(&folder);
        let Found { base, mut log, .. } = found.pop().unwrap();
        seqs.push(base.saved.state().seq());
        // A loss of power may leave zeros where the rest had not been brought to the disk.
        let blank = vec![0; whole.len() + 4_096 - end];
        let (_, _, length) = read(&[&whole[..end], &blank].concat()).unwrap();
        // A record whose own rest is zeros is whole with them.
        assert!((read(&whole[..end]).unwrap().2..=end as u64 + 8).contains(&length));
        // What is written now follows the last whole record.
        log.write(&Step {
            barred: vec![Token([9; 16])],
            ..Step::default()
        })
        .unwrap();
        drop((log, journal));
        let again = open(&folder).1.pop().unwrap().base;
        assert_eq!(again.saved, base.saved);
        assert_eq!(again.barred, [Token([9; 16])]);
    }
    assert!(seqs.is_sorted() && seqs[0] == 0 && seqs[seqs.len() - 1] > 10);
}

#[test]
fn damage_costs_its_own_table_and_no_other() {
    let folder = folder();
    let (journal, _) = open(&folder);
    let mut written = Written::new(&journal);
    written.play();
    let other = TableCode::from_random(5);
    journal.create(other, &written.base()).unwrap();
    drop((written, journal));
    let whole = fs::read(path(&folder)).unwrap();
    let (_, base_length, _) = read(&whole).unwrap();
    let after_base = base_length as usize + 40;
    for (place, by) in [(0, 0xff), (4, 1), (12, 1), (after_base, 0x20)] {
        let mut damaged = whole.clone();
        damaged[place] ^= by;
        fs::write(path(&folder), &damaged).unwrap();
        let found = open(&folder).1;
        assert_eq!(found.len(), 1, "byte {place}");
        assert_eq!(found[0].code, other);
        // It is left as it is, for somebody to look at.
        assert_eq!(fs::read(path(&folder)).unwrap(), damaged);
    }
    let Err(Damage::Record { .. }) = read(&[]) else {
        panic!("nothing is no table");
    };
    let mut later = whole;
    later[8] = VERSION + 1;
    let length = u32::from_le_bytes(*later.first_chunk().unwrap()) as usize;
    let crc = crc32fast::hash(&later[8..8 + length]);
    later[4..8].copy_from_slice(&crc.to_le_bytes());
    assert!(matches!(read(&later), Err(Damage::OtherRelease(version)) if version == VERSION + 1));
}

#[test]
fn two_relays_do_not_share_a_folder() {
    let folder = folder();
    let (journal, _) = open(&folder);
    let error = Journal::open(folder.path(), SYNC).unwrap_err();
    assert!(error.to_string().contains("another relay"), "{error}");
    drop(journal);
    open(&folder);
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_leaves_the_file_as_it_was() {
    let folder = folder();
    let (journal, _) = open(&folder);
    let mut written = Written::new(&journal);
    written.play();
    let good = written.log.synced.take();
    let full = private().append(true).open("/dev/full").unwrap();
    written.log.synced = Some(Synced::new(full));
    let step = Step {
        barred: vec![Token([9; 16])],
        ..Step::default()
    };
    assert!(written.log.write(&step).is_err());
    assert!(written.log.write(&step).is_err());
    // There is room again.
    written.log.synced = good;
    written.log.write(&step).unwrap();
    let expected = Base {
        barred: vec![Token([9; 16])],
        ..written.base()
    };
    drop((written, journal));
    assert_eq!(open(&folder).1.pop().unwrap().base, expected);
}

#[test]
#[cfg(unix)]
fn files_are_for_the_relay_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let (journal, _) = open(&folder);
    let _written = Written::new(&journal);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path(&folder)), 0o600);
    assert_eq!(mode(&folder.path().join("tables")), 0o700);
    journal.sync();
}
