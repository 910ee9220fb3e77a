//! The bytes of the protocol. A change here is a change of [`VERSION`]: pages of the version before
//! are told to reload by it.

use tandem_core::bot::Level;
use tandem_core::code::TableCode;
use tandem_core::link::{Arrival, Inbox, Link};
use tandem_core::protocol::{
    ClientMessage, Close, DecodeError, Have, Hello, Here, ServerMessage, Token, VERSION, decode,
    encode, hello_version,
};
use tandem_core::table::{
    Arrangement, Command, DrawClosed, End, Event, HouseRules, Line, Lines, MatchNo, PauseReason,
    PlayerId, Refusal, Speaker, Stamped, State, Table,
};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{BoardId, EndRule, IllegalPly, Options, Ply, Role, Seat, Square, Team};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hello(have: Option<Have>) -> ClientMessage {
    ClientMessage::Hello(Hello {
        version: VERSION,
        table: TableCode::from_random(0x1_2345_6789_ABCD),
        token: Token(*b"sixteen-bytes-ok"),
        session: 0xDEAD_BEEF,
        next_command: 1,
        name: "Anna".into(),
        have,
    })
}

fn commands() -> Vec<Command> {
    let no = MatchNo(3);
    let ply = |text: &str| text.parse::<Ply>().unwrap();
    let play = |text: &str| Command::Play {
        match_no: no,
        board: BoardId::B,
        answers: 300,
        ply: ply(text),
    };
    vec![
        Command::SetName("Žofie".into()),
        Command::Sit(Seat::BBlack),
        Command::Stand,
        Command::Swap(Seat::AWhite, Seat::BWhite),
        Command::Remove(PlayerId(300)),
        Command::AddBot(Seat::BBlack, Level::MAX),
        Command::RemoveBot(Seat::BBlack),
        Command::SetOptions(Options::default()),
        Command::SetPublic(true),
        Command::SetReady(true),
        play("e2e4"),
        play("e7e8q"),
        play("N@f3"),
        Command::Resign(no),
        Command::OfferDraw(no),
        Command::AcceptDraw(no),
        Command::DeclineDraw(no),
        Command::WithdrawDraw(no),
        Command::Leave,
        Command::Rematch(no, Arrangement::SwapPartners),
        Command::ToLobby(no),
        Command::Say(Channel::TeamTwo, Words::Tell(Tell::Need(Role::Knight))),
        Command::Say(Channel::Everyone, Words::Text("hello".into())),
        Command::Say(
            Channel::TeamOne,
            Words::Tell(Tell::Suggest {
                from: None,
                to: Square::new(63).unwrap(),
            }),
        ),
    ]
}

fn events() -> Vec<Event> {
    let player = PlayerId(2);
    vec![
        Event::Joined {
            player,
            name: "Ben".into(),
        },
        Event::Left {
            player,
            removed: true,
        },
        Event::Named {
            player,
            name: "Benno".into(),
        },
        Event::Sat {
            player,
            seat: Seat::ABlack,
        },
        Event::Stood { player },
        Event::Swapped(Seat::AWhite, Seat::ABlack),
        Event::BotSat {
            seat: Seat::BWhite,
            level: Level::MIN,
        },
        Event::BotLeft(Seat::BWhite),
        Event::OptionsSet(Options::default()),
        Event::PublicSet(true),
        Event::ReadySet {
            seat: Seat::BWhite,
            ready: true,
        },
        Event::CountdownBegun { starts_at: 70_000 },
        Event::CountdownCancelled,
        Event::Started,
        Event::Played {
            board: BoardId::A,
            ply: "e2e4".parse().unwrap(),
            credit: 250,
        },
        Event::DrawOffered(Seat::AWhite),
        Event::DrawAgreed(Seat::ABlack),
        Event::DrawClosed(DrawClosed::Withdrawn),
        Event::DrawClosed(DrawClosed::Declined(Seat::BBlack)),
        Event::DrawClosed(DrawClosed::Lapsed),
        Event::Paused(PauseReason::DiskFull),
        Event::ResumeBegun { resumes_at: 90_000 },
        Event::Resumed,
        Event::Ended(End {
            rule: EndRule::Time,
            winner: Some(Team::Two),
            board: Some(BoardId::B),
            seat: Some(Seat::BBlack),
            at: 180_000,
        }),
        Event::RematchWanted {
            seat: Seat::AWhite,
            arrangement: Arrangement::SwapColors,
        },
        Event::RematchAgreed(Arrangement::Same),
        Event::LobbyOpened,
    ]
}

fn server_messages() -> Vec<ServerMessage> {
    let mut messages = vec![
        ServerMessage::Welcome {
            you: PlayerId(4),
            epoch: 77,
            now: 12_345,
            absence_grace_ms: 60_000,
            house: HouseRules::default(),
        },
        ServerMessage::Snapshot(Box::new(played_table())),
        ServerMessage::Events {
            first: 300,
            events: events()
                .into_iter()
                .map(|event| Stamped { at: 70_123, event })
                .collect(),
        },
        ServerMessage::Lines(Lines {
            channel: Channel::TeamOne,
            after: 0,
            first: 1,
            lines: vec![Line {
                at: 5,
                speaker: Speaker::Person(PlayerId(1)),
                words: Words::Tell(Tell::Sit),
            }],
        }),
        ServerMessage::Answer {
            id: 9,
            result: Ok(()),
        },
        ServerMessage::People(vec![Here {
            player: PlayerId(1),
            away_since: Some(500),
            lag_ms: 41,
        }]),
        ServerMessage::Stuck(true),
        ServerMessage::Beat {
            now: 70_000,
            seq: 300,
            heard: [1, 0, 2],
        },
    ];
    let refusals = [
        Refusal::Illegal(IllegalPly::NotInHand),
        Refusal::Stale,
        Refusal::NotYourTurn,
        Refusal::TimeIsUp,
        Refusal::Paused(PauseReason::RelayRestarted),
        Refusal::NoMatch,
        Refusal::MatchEnded,
        Refusal::NotYourSeat,
        Refusal::NotSeated,
        Refusal::SeatTaken,
        Refusal::NotHost,
        Refusal::NotInLobby,
        Refusal::UnknownPlayer,
        Refusal::BadOptions,
        Refusal::OfferTooSoon,
        Refusal::NoOffer,
        Refusal::SeatsNotFull,
        Refusal::NoBotThere,
        Refusal::BotsBusy,
        Refusal::NoTalk,
        Refusal::NoFreeText,
        Refusal::NoPublicList,
        Refusal::TooMuchTalk,
        Refusal::EmptyText,
    ];
    messages.extend(refusals.map(|refusal| ServerMessage::Answer {
        id: 9,
        result: Err(refusal),
    }));
    messages
}

/// A table in its first match, three plies in, with a draw on offer.
fn played_table() -> State {
    let mut table = Table::new();
    for (seat, name) in Seat::ALL.into_iter().zip(["Anna", "Ben", "Cleo", ""]) {
        let player = table.join(0, name).unwrap();
        table.handle(1, player, Command::Sit(seat)).unwrap();
        table.handle(2, player, Command::SetReady(true)).unwrap();
    }
    for (now, player, board, answers, ply) in [
        (4_000, 1, BoardId::A, 0, "e2e4"),
        (5_000, 3, BoardId::B, 0, "d2d4"),
        (6_000, 2, BoardId::A, 1, "e7e5"),
    ] {
        let play = Command::Play {
            match_no: MatchNo(1),
            board,
            answers,
            ply: ply.parse().unwrap(),
        };
        table.handle(now, PlayerId(player), play).unwrap();
    }
    table
        .handle(7_000, PlayerId(1), Command::OfferDraw(MatchNo(1)))
        .unwrap();
    table.state().clone()
}

#[test]
fn every_message_survives_its_bytes() {
    let mut client = vec![
        hello(None),
        ClientMessage::Echo,
        ClientMessage::Resync(Have {
            epoch: 1,
            seq: 2,
            heard: [3, 4, 5],
        }),
    ];
    client.extend(
        commands()
            .into_iter()
            .map(|command| ClientMessage::Command { id: 7, command }),
    );
    for message in client {
        assert_eq!(decode(&encode(&message)), Ok(message));
    }
    for message in server_messages() {
        assert_eq!(decode(&encode(&message)), Ok(message));
    }
}

/// All messages of one protocol version in one list of lines, to be compared with the file.
fn golden() -> String {
    let mut lines = vec![format!("version {VERSION}")];
    let have = Have {
        epoch: 1,
        seq: 2,
        heard: [3, 4, 5],
    };
    lines.push(format!("hello {}", hex(&encode(&hello(None)))));
    lines.push(format!("hello-again {}", hex(&encode(&hello(Some(have))))));
    lines.push(format!("echo {}", hex(&encode(&ClientMessage::Echo))));
    lines.push(format!(
        "resync {}",
        hex(&encode(&ClientMessage::Resync(have)))
    ));
    for command in commands() {
        let name = format!("{command:?}").replace(' ', "");
        let message = ClientMessage::Command { id: 7, command };
        lines.push(format!("{name} {}", hex(&encode(&message))));
    }
    for event in events() {
        let name = format!("{event:?}").replace(' ', "");
        lines.push(format!("{name} {}", hex(&encode(&event))));
    }
    for message in server_messages() {
        let name = format!("{message:?}").chars().take(24).collect::<String>();
        lines.push(format!(
            "{} {}",
            name.replace(' ', ""),
            hex(&encode(&message))
        ));
    }
    lines.join("\n") + "\n"
}

#[test]
fn the_bytes_of_this_version_are_golden() {
    let now = golden();
    if std::env::var_os("TANDEM_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/protocol.golden");
        return std::fs::write(path, &now).unwrap();
    }
    // Taken in by the compiler, since these tests run as WASM too, where there are no files.
    let golden = include_str!("../data/protocol.golden");
    for (line, (old, new)) in golden.lines().zip(now.lines()).enumerate() {
        assert_eq!(
            old,
            new,
            "line {}: bytes have changed. Raise protocol::VERSION, then run with TANDEM_BLESS=1",
            line + 1
        );
    }
    assert_eq!(golden.lines().count(), now.lines().count());
}

#[test]
fn the_version_is_read_from_any_hello() {
    assert_eq!(hello_version(&encode(&hello(None))), Some(VERSION));
    assert_eq!(hello_version(&[0, 0x85, 0x02, 0xFF, 0xFF]), Some(261));
    for bytes in [&[][..], &[0], &[1, 1], &[0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]] {
        assert_eq!(hello_version(bytes), None, "{bytes:?}");
    }
}

#[test]
fn nonsense_is_no_message() {
    for bytes in [&[][..], &[99], &[1], &[1, 1, 200], &[0; 3]] {
        assert_eq!(
            decode::<ClientMessage>(bytes),
            Err(DecodeError::Unreadable),
            "{bytes:?}"
        );
    }
    let mut bytes = encode(&ClientMessage::Echo);
    bytes.push(0);
    assert_eq!(decode::<ClientMessage>(&bytes), Err(DecodeError::Trailing));
    // Cut or changed anywhere, a message is an error or another message, never a panic.
    for message in server_messages() {
        let bytes = encode(&message);
        for cut in 0..bytes.len() {
            assert!(decode::<ServerMessage>(&bytes[..cut]).is_err());
        }
        for place in 0..bytes.len() {
            for flip in [1, 0x40, 0xFF] {
                let mut changed = bytes.clone();
                changed[place] ^= flip;
                let _ = decode::<ServerMessage>(&changed);
            }
        }
    }
}

#[test]
fn a_snapshot_is_small_and_plays_its_match_again() {
    let state = played_table();
    let bytes = encode(&state);
    assert!(bytes.len() < 200, "{} bytes", bytes.len());
    let again: State = decode(&bytes).unwrap();
    assert_eq!(again, state);
    assert_eq!(
        again.game().unwrap().boards(),
        state.game().unwrap().boards()
    );
    assert_eq!(
        again.game().unwrap().clocks(),
        state.game().unwrap().clocks()
    );
}

#[test]
fn close_codes_are_distinct() {
    for close in Close::ALL {
        assert_eq!(Close::from_code(close.code()), Some(close));
        assert!(close.reason().len() < 100);
    }
    assert_eq!(Close::from_code(1006), None);
}

#[test]
fn a_link_drops_what_it_has_and_asks_for_what_is_missing() {
    let state = played_table();
    let seq = state.seq();
    let mut link = Link::new(5);
    link.receive(ServerMessage::Welcome {
        you: PlayerId(1),
        epoch: 9,
        now: 0,
        absence_grace_ms: 60_000,
        house: HouseRules::default(),
    });
    let stamped = Stamped {
        at: 8_000,
        event: Event::DrawAgreed(Seat::ABlack),
    };
    let events = |first, count: usize| ServerMessage::Events {
        first,
        events: vec![stamped.clone(); count],
    };
    // Events before any state cannot be used.
    let (delivered, replies) = link.receive(events(seq + 1, 1));
    assert!(delivered.is_empty());
    assert_eq!(replies.len(), 1);
    link.receive(ServerMessage::Snapshot(Box::new(state)));
    assert_eq!(link.receive(events(seq - 1, 2)).0.len(), 0, "both are old");
    assert_eq!(
        link.receive(events(seq, 3)).0.len(),
        2,
        "one of three is old"
    );
    let (delivered, replies) = link.receive(events(seq + 4, 1));
    assert!(delivered.is_empty(), "one is missing");
    let have = Have {
        epoch: 9,
        seq: seq + 2,
        heard: [0; 3],
    };
    assert_eq!(replies, vec![ClientMessage::Resync(have)]);
    assert!(link.receive(events(seq + 4, 1)).1.is_empty(), "asked once");
}

#[test]
fn an_inbox_takes_each_command_once_and_in_order() {
    let mut inbox = Inbox::default();
    inbox.hello(1, 1);
    assert_eq!(inbox.arrival(2), Arrival::OutOfOrder);
    assert_eq!(inbox.arrival(1), Arrival::Next);
    inbox.answered(1, Err(Refusal::Stale));
    assert_eq!(inbox.arrival(1), Arrival::Repeated(Err(Refusal::Stale)));
    assert_eq!(inbox.arrival(2), Arrival::Next);
    inbox.hello(1, 1);
    assert_eq!(inbox.arrival(1), Arrival::Repeated(Err(Refusal::Stale)));
    // A relay that has forgotten the session goes on where the page is.
    inbox.hello(2, 40);
    assert_eq!(inbox.arrival(40), Arrival::Next);
    assert_eq!(inbox.arrival(u32::MAX), Arrival::OutOfOrder);
}
