//! What is done with random bytes. Each function panics when something is wrong.
//!
//! `cargo fuzz run bpgn fuzz/corpus/bpgn fuzz/seeds/bpgn` in `core` runs one; `tests/all/fuzz.rs`
//! runs all of them on their seeds.

use tandem_core::bpgn::Record;
use tandem_core::protocol::{ClientMessage, ServerMessage, decode, encode, hello_version};
use tandem_core::table::{
    COUNTDOWN_MS, Command, Event, Millis, PauseReason, PlayerId, Stamped, State, Table,
};
use tandem_core::{Drops, Position, Promotion, Rules, Seat};

/// The rules that a byte chooses.
fn rules(byte: u8) -> Rules {
    Rules {
        drops: Drops::ALL[usize::from(byte) % 3],
        promotion: Promotion::ALL[usize::from(byte / 3) % 2],
    }
}

/// The first byte, and the rest as text.
fn byte_and_text(bytes: &[u8]) -> Option<(u8, &str)> {
    let (&byte, rest) = bytes.split_first()?;
    Some((byte, std::str::from_utf8(rest).ok()?))
}

/// Text as a position: read strictly and leniently, written, and played on.
pub fn fen(bytes: &[u8]) {
    let Some((byte, text)) = byte_and_text(bytes) else {
        return;
    };
    let rules = rules(byte);
    let strict = Position::from_fen(text, rules);
    let lenient = Position::from_fen_lenient(text, rules);
    if let Err(error) = strict {
        let _ = (error.field(), error.to_string());
    } else {
        assert_eq!(strict, lenient);
    }
    let Ok(position) = lenient else {
        return;
    };
    assert_eq!(Position::from_fen(&position.to_fen(), rules), Ok(position));
    let plies = position.legal_plies();
    assert_eq!(plies.len() as u32, position.count_legal_plies());
    let _ = (position.status(), position.waiting_roles().count());
    for &ply in &*plies {
        let mut after = position;
        assert!(after.play(ply).is_ok());
        let again = Position::from_fen(&after.to_fen(), rules);
        assert_eq!(again, Ok(after), "{}", position.to_fen());
    }
}

/// Positions to read moves on: the start, one with everything, one where it is Black's turn.
const BOARDS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    "r3k2r/1P4p1/N7/3pP3/8/n1Q1N2Q/8/R3K2R[QRBNPqrbnp] w KQkq d6 0 9",
    "r3k2r/8/8/8/3pP3/8/1p4P1/R3K2R[QRBNPqrbnp] b KQkq e3 0 9",
    "4R1k1/5ppp/8/8/8/8/8/4K3[np] b - - 0 1",
];

/// Text as a move.
pub fn san(bytes: &[u8]) {
    let Some((byte, text)) = byte_and_text(bytes) else {
        return;
    };
    let board = BOARDS[usize::from(byte / 6) % BOARDS.len()];
    let position = Position::from_fen(board, rules(byte)).expect("a legal position");
    if let Ok(ply) = position.parse_ply(text) {
        assert!(position.is_legal(ply));
        assert_eq!(position.parse_ply(&position.san(ply)), Ok(ply));
        assert_eq!(position.parse_ply(&ply.to_string()), Ok(ply));
    }
}

/// Text as a whole match: what is read, or read before the error, is written and read again.
pub fn bpgn(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let record = Record::read(text).unwrap_or_else(|unreadable| {
        assert!(unreadable.error.line <= 1 + text.matches('\n').count());
        let _ = unreadable.to_string();
        *unreadable.readable
    });
    let _ = (record.ending(), record.options(), record.lag_ms());
    let written = record.to_string();
    let again = Record::read(&written);
    assert_eq!(again.as_ref(), Ok(&record), "{written}");
    assert_eq!(again.map(|record| record.to_string()), Ok(written));
}

/// Bytes as a frame, from either side.
pub fn frame(bytes: &[u8]) {
    let _ = hello_version(bytes);
    if let Ok(message) = decode::<ClientMessage>(bytes) {
        assert_eq!(decode(&encode(&message)), Ok(message));
    }
    if let Ok(message) = decode::<ServerMessage>(bytes) {
        assert_eq!(decode(&encode(&message)), Ok(message));
    }
}

/// What a byte and what follows it make happen at a table.
fn happen(
    table: &mut Table,
    now: &mut Millis,
    players: &[PlayerId; 4],
    bytes: &mut &[u8],
) -> Option<()> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    let player = players[usize::from(first & 3)];
    match first >> 2 {
        // Mostly commands; the numbers of matches and plies are small, so that many fit.
        0..=39 => {
            let (command, rest) = postcard::take_from_bytes::<Command>(bytes).ok()?;
            *bytes = rest;
            let before = table.state().clone();
            let refused = table.handle(*now, player, command).is_err();
            // Clocks may have run out before the command was judged.
            assert!(!refused || table.state() == &before || table.state().seq() > before.seq());
        }
        40..=49 => {
            let (&ms, rest) = bytes.split_first()?;
            *bytes = rest;
            *now += Millis::from(ms) * Millis::from(ms);
            table.tick(*now);
        }
        50..=52 => table.measured(player, u32::from(first) * 7),
        53..=55 => table.disconnected(*now, player),
        56..=58 => table.connected(*now, player),
        59 => table.pause(*now, PauseReason::RelayRestarted),
        60 => table.pause(*now, PauseReason::DiskFull),
        61 => table.unblock(*now),
        62 => drop(table.join(*now, "Eve")),
        _ => {
            if let Some(due) = table.next_deadline() {
                *now = due.max(*now);
                table.tick(*now);
            }
        }
    }
    Some(())
}

/// Bytes as the life of a table, seen by somebody who is told each event: both always agree, no
/// match ends twice, and a snapshot says all.
pub fn table(bytes: &[u8]) {
    let mut table = Table::new().with_bots();
    let players = ["Ann", "Ben", "Cleo", "Dan"].map(|name| table.join(0, name).expect("room"));
    for (player, seat) in players.into_iter().zip(Seat::ALL) {
        table
            .handle(0, player, Command::Sit(seat))
            .expect("a free seat");
    }
    let mut now = 0;
    let mut left = bytes;
    // The first byte says whether a match is on already.
    if left.first().is_some_and(|byte| byte & 1 == 1) {
        for player in players {
            table
                .handle(0, player, Command::SetReady(true))
                .expect("a lobby");
        }
        now = COUNTDOWN_MS;
        table.tick(now);
    }
    left = left.get(1..).unwrap_or_default();
    let mut observer = State::default();
    let mut ends = 0;
    loop {
        let new: Vec<Stamped> = match table.events_since(observer.seq()) {
            Some(events) => events.cloned().collect(),
            None => {
                // More happened at once than is kept: one starts over from a snapshot.
                observer = table.state().clone();
                Vec::new()
            }
        };
        for stamped in new {
            ends += usize::from(matches!(stamped.event, Event::Ended(_)));
            assert_eq!(observer.apply(&stamped), Ok(()));
        }
        assert_eq!(&observer, table.state());
        assert!(ends <= usize::from(table.state().matches()));
        if let Some(game) = table.state().game()
            && game.has_clocks()
            && game.options().increment_ms == 0
        {
            let at = game.match_time(now);
            let [a, b, c, d] = Seat::ALL.map(|seat| game.clocks().left(seat, at));
            assert_eq!(a + b, c + d);
        }
        if happen(&mut table, &mut now, &players, &mut left).is_none() {
            break;
        }
    }
    let snapshot = encode(table.state());
    assert_eq!(decode::<State>(&snapshot).as_ref(), Ok(table.state()));
    if let Some(game) = table.state().game() {
        let record = Record::of_game(game);
        assert_eq!(Record::read(&record.to_string()), Ok(record));
    }
}
