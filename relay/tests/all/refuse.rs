//! Everything that is not let through, each with its own code; nobody else is disturbed by it.

use futures_util::{SinkExt as _, StreamExt as _};
use std::time::Duration;
use tandem_core::protocol::{ClientMessage, Close, FRAME_MAX, Token, VERSION};
use tandem_core::table::{Command, HouseRules, MatchNo, PEOPLE_MAX, Refusal};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{BoardId, Seat, TableCode};
use tandem_relay::Config;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

use crate::support::*;

/// Sends these frames on a new socket; gives the close code.
async fn close_of(relay: &Relay, frames: Vec<Message>) -> u16 {
    let mut socket = socket(relay.address).await;
    for frame in frames {
        // The relay may have closed already.
        if socket.send(frame).await.is_err() {
            break;
        }
    }
    close_code(&mut socket).await
}

#[tokio::test]
async fn first_frames_that_are_no_hello() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let witness = Player::seated(relay.address, table, Seat::AWhite).await;
    let seq = witness.have().seq;

    let bad = Close::BadFrame.code();
    assert_eq!(
        close_of(&relay, vec![Message::Binary(vec![].into())]).await,
        bad
    );
    assert_eq!(
        close_of(&relay, vec![Message::Binary(vec![255; 40].into())]).await,
        bad
    );
    assert_eq!(
        close_of(&relay, vec![Message::Text("hello".into())]).await,
        bad
    );
    let mut trailing = tandem_core::protocol::encode(&ClientMessage::Hello(hello(table)));
    trailing.push(0);
    assert_eq!(
        close_of(&relay, vec![Message::Binary(trailing.into())]).await,
        bad
    );

    let echo = vec![binary(&ClientMessage::Echo)];
    assert_eq!(close_of(&relay, echo).await, Close::HelloExpected.code());

    let mut other = hello(table);
    other.version = VERSION + 1;
    let other = tandem_core::protocol::encode(&ClientMessage::Hello(other));
    // What follows the version may have any form.
    for length in [other.len(), 3] {
        let frame = Message::Binary(other[..length].to_vec().into());
        assert_eq!(
            close_of(&relay, vec![frame]).await,
            Close::OtherVersion.code()
        );
    }

    let unknown = hello(TableCode::from_random(1));
    let unknown = vec![binary(&ClientMessage::Hello(unknown))];
    assert_eq!(close_of(&relay, unknown).await, Close::UnknownTable.code());

    assert_eq!(witness.have().seq, seq);
    witness.send(Command::Stand);
    witness
        .until("standing", |page| page.replica.seat().is_none())
        .await;
}

#[tokio::test]
async fn frames_that_are_too_long() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let hello = || binary(&ClientMessage::Hello(hello(table)));
    for length in [FRAME_MAX + 1, 100 * FRAME_MAX] {
        for text in [false, true] {
            let long = || {
                if text {
                    Message::Text("x".repeat(length).into())
                } else {
                    Message::Binary(vec![0; length].into())
                }
            };
            assert_eq!(close_of(&relay, vec![long()]).await, 1009, "{length}");
            assert_eq!(
                close_of(&relay, vec![hello(), long()]).await,
                1009,
                "{length}"
            );
        }
    }
}

#[tokio::test]
async fn frames_after_the_hello() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let witness = Player::seated(relay.address, table, Seat::AWhite).await;
    let hello = || binary(&ClientMessage::Hello(hello(table)));
    let bad = vec![hello(), Message::Binary(vec![9; 9].into())];
    assert_eq!(close_of(&relay, bad).await, Close::BadFrame.code());
    let text = vec![hello(), Message::Text("{}".into())];
    assert_eq!(close_of(&relay, text).await, Close::BadFrame.code());
    let twice = vec![hello(), hello()];
    assert_eq!(close_of(&relay, twice).await, Close::HelloExpected.code());
    let mut flood = vec![hello()];
    flood.extend((0..1_000).map(|_| binary(&ClientMessage::Echo)));
    assert_eq!(close_of(&relay, flood).await, Close::TooMuch.code());
    let mut flood = vec![hello()];
    flood.extend((0..1_000).map(|_| Message::Ping(vec![].into())));
    assert_eq!(close_of(&relay, flood).await, Close::TooMuch.code());
    assert!(witness.see(|page| page.closed.is_none()));
    witness.send(Command::Stand);
    witness
        .until("standing", |page| page.replica.seat().is_none())
        .await;
}

#[tokio::test]
async fn a_hello_that_does_not_come() {
    let relay = Relay::with(Config {
        hello_within: Duration::from_millis(50),
        ..Config::default()
    })
    .await;
    assert_eq!(close_of(&relay, vec![]).await, Close::HelloExpected.code());
    let ping = vec![Message::Ping(vec![].into())];
    assert_eq!(close_of(&relay, ping).await, Close::HelloExpected.code());
}

#[tokio::test]
async fn more_sockets_than_the_relay_has_room_for() {
    let relay = Relay::with(Config {
        connections_max: 1,
        ..Config::default()
    })
    .await;
    let table = relay.open_table().await;
    let mut player = Player::seated(relay.address, table, Seat::AWhite).await;
    assert_eq!(close_of(&relay, vec![]).await, Close::RelayFull.code());
    // The place is free again when the socket is closed.
    player.send(Command::Leave);
    assert_eq!(player.closed().await, Close::Left.code());
    let mut tries = 0;
    loop {
        player.reconnect().await;
        player
            .until("an answer", |page| {
                page.closed.is_some() || page.replica.seat().is_none()
            })
            .await;
        if player.see(|page| page.closed.is_none()) {
            break;
        }
        tries += 1;
        assert!(tries < 1_000);
    }
}

#[tokio::test]
async fn more_tables_and_people_than_there_is_room_for() {
    let relay = Relay::with(Config {
        tables_max: 1,
        ..Config::default()
    })
    .await;
    let table = relay.open_table().await;
    let answer = http(relay.address, "POST", "/tables", &[]).await;
    assert_eq!(answer.status, 503);
    let mut people = Vec::new();
    for _ in 0..PEOPLE_MAX {
        let mut socket = socket(relay.address).await;
        socket
            .send(binary(&ClientMessage::Hello(hello(table))))
            .await
            .unwrap();
        people.push(socket);
    }
    let last = Player::join(relay.address, table, "").await;
    // All of them have said hello before, but the table may not have heard the last of them yet.
    last.until("a place or none", |page| {
        page.closed.is_some() || page.replica.me().is_some()
    })
    .await;
    let mut one_more = hello(table);
    one_more.token = Token([9; 16]);
    let one_more = vec![binary(&ClientMessage::Hello(one_more))];
    assert_eq!(close_of(&relay, one_more).await, Close::TableFull.code());
}

#[tokio::test]
async fn the_newer_of_two_tabs_is_in_charge() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let witness = Player::seated(relay.address, table, Seat::ABlack).await;
    let older = Player::seated(relay.address, table, Seat::AWhite).await;
    let newer = Player::with_token(relay.address, table, "Eve", older.token).await;
    assert_eq!(older.closed().await, Close::OpenedElsewhere.code());
    newer
        .until("the seat", |page| page.replica.seat() == Some(Seat::AWhite))
        .await;
    assert_eq!(newer.me(), older.me());
    // The end of the older connection cuts nobody off, and the name stays.
    newer.send(Command::SetName("Anna".to_owned()));
    witness
        .until("the name", |page| {
            page.replica
                .state()
                .unwrap()
                .players()
                .iter()
                .any(|player| player.name == "Anna")
        })
        .await;
    witness.see(|page| {
        assert!(
            page.replica
                .people()
                .iter()
                .all(|here| here.away_since.is_none())
        );
        assert_eq!(page.replica.state().unwrap().players().len(), 2);
    });
}

#[tokio::test]
async fn of_two_connections_of_one_page_the_older_is_told_to_come_back() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let hello = hello(table);
    let mut lines = Vec::new();
    for _ in 0..2 {
        let mut line = socket(relay.address).await;
        line.send(binary(&ClientMessage::Hello(hello.clone())))
            .await
            .unwrap();
        // Each is at the table before the next one comes.
        line.next().await.unwrap().unwrap();
        lines.push(line);
    }
    // Nobody can tell which of them the page still has.
    let close = close_code(&mut lines[0]).await;
    assert_eq!(Close::from_code(close), Some(Close::Replaced));
    assert!(Close::Replaced.may_reconnect());
    relay.stop().await;
}

#[tokio::test]
async fn somebody_sent_away_stays_away() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let host = Player::seated(relay.address, table, Seat::AWhite).await;
    let guest = Player::seated(relay.address, table, Seat::ABlack).await;
    guest.send(Command::Remove(host.me()));
    guest.refused(Refusal::NotHost).await;
    host.send(Command::Remove(guest.me()));
    assert_eq!(guest.closed().await, Close::Removed.code());
    let again = Player::with_token(relay.address, table, "", guest.token).await;
    assert_eq!(again.closed().await, Close::Removed.code());
    host.until("the empty seat", |page| {
        page.replica
            .state()
            .unwrap()
            .occupant(Seat::ABlack)
            .is_none()
    })
    .await;
}

#[tokio::test]
async fn commands_that_are_not_ones_own() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let players = four(relay.address, table).await;
    let spectator = Player::join(relay.address, table, "Zoe").await;
    spectator
        .until("state", |page| page.replica.state().is_some())
        .await;
    spectator.send(Command::Sit(Seat::AWhite));
    spectator.refused(Refusal::SeatTaken).await;
    start(&players).await;
    spectator
        .until("the start", |page| page.replica.game().is_some())
        .await;
    let seq = spectator.have().seq;
    let play = |board, ply: &str, answers| Command::Play {
        match_no: MatchNo(1),
        board,
        answers,
        ply: ply.parse().unwrap(),
    };
    spectator.send(play(BoardId::A, "e2e4", 0));
    spectator.refused(Refusal::NotSeated).await;
    players[0].send(play(BoardId::B, "e2e4", 0));
    players[0].refused(Refusal::NotYourSeat).await;
    players[1].send(play(BoardId::A, "e7e5", 0));
    players[1].refused(Refusal::NotYourTurn).await;
    players[0].send(play(BoardId::A, "e2e4", 1));
    players[0].refused(Refusal::Stale).await;
    players[0].send(play(BoardId::A, "e2e5", 0));
    players[0]
        .until("the refusal", |page| {
            matches!(page.refusals().last(), Some(Refusal::Illegal(_)))
        })
        .await;
    players[2].send(Command::Resign(MatchNo(2)));
    players[2].refused(Refusal::NoMatch).await;
    // Nothing of it has happened to anybody.
    players[0].send(play(BoardId::A, "e2e4", 0));
    spectator
        .until("e4", |page| page.replica.game().unwrap().plies().len() == 1)
        .await;
    assert_eq!(spectator.have().seq, seq + 1);
}

#[tokio::test]
async fn a_reader_that_is_too_slow() {
    // Small buffers, or the system would read for it.
    let listening = TcpSocket::new_v4().unwrap();
    listening.set_send_buffer_size(4 * 1024).unwrap();
    listening.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let relay = Relay::on(listening.listen(64).unwrap(), Config::default());
    let table = relay.open_table().await;
    let witness = Player::seated(relay.address, table, Seat::AWhite).await;

    let reading = TcpSocket::new_v4().unwrap();
    reading.set_recv_buffer_size(4 * 1024).unwrap();
    let stream = reading.connect(relay.address).await.unwrap();
    let address = format!("ws://{}/ws", relay.address);
    let (mut slow, _) = client_async(address, stream).await.unwrap();
    let frame = binary(&ClientMessage::Hello(hello(table)));
    slow.send(frame).await.unwrap();
    witness
        .until("company", |page| {
            page.replica.state().unwrap().players().len() == 2
        })
        .await;
    // Others have much to tell, each as fast as is allowed.
    let mut talkers = Vec::new();
    for name in ["x", "y"].repeat(15) {
        let talker = Player::join(relay.address, table, name).await;
        talker
            .until("state", |page| page.replica.state().is_some())
            .await;
        for number in 0..25 {
            talker.send(Command::SetName(format!("{name} {number} of a long name")));
        }
        talkers.push(talker);
        let is_away = witness.see(|page| {
            page.replica
                .people()
                .iter()
                .any(|here| here.away_since.is_some())
        });
        if is_away {
            break;
        }
    }
    witness
        .until("the cut", |page| {
            page.replica
                .people()
                .iter()
                .any(|here| here.away_since.is_some())
        })
        .await;
    assert_eq!(close_code(&mut slow).await, Close::TooSlow.code());
    for player in talkers.iter().chain([&witness]) {
        assert!(player.see(|page| page.closed.is_none()));
    }
}

#[tokio::test]
async fn a_connection_sends_so_many_frames_and_bytes_and_no_more() {
    let relay = Relay::with(Config {
        frames_per_second: 10,
        bytes_per_second: 2_000,
        ..Config::default()
    })
    .await;
    let table = relay.open_table().await;
    let witness = Player::seated(relay.address, table, Seat::AWhite).await;
    let hello = || binary(&ClientMessage::Hello(hello(table)));
    let echoes = |count| (0..count).map(|_| binary(&ClientMessage::Echo));
    let frames: Vec<_> = std::iter::once(hello()).chain(echoes(60)).collect();
    assert_eq!(close_of(&relay, frames).await, Close::TooMuch.code());
    // Few frames, but long ones; what is in them does not matter.
    let rename = |id| {
        binary(&ClientMessage::Command {
            id,
            command: Command::SetName("x".repeat(3_000)),
        })
    };
    let bytes: Vec<_> = std::iter::once(hello()).chain((1..4).map(rename)).collect();
    assert_eq!(close_of(&relay, bytes).await, Close::TooMuch.code());
    assert!(witness.see(|page| page.closed.is_none()));
    relay.stop().await;
}

#[tokio::test]
async fn a_relay_without_chat_takes_tells_and_says_so() {
    let relay = Relay::with(Config {
        house: HouseRules {
            free_text: false,
            public_list: false,
            ..HouseRules::default()
        },
        tells: 2,
        ..Config::default()
    })
    .await;
    let table = relay.open_table().await;
    let anna = Player::seated(relay.address, table, Seat::AWhite).await;
    anna.see(|page| {
        let house = page.replica.house();
        assert!(!house.free_text && !house.public_list);
    });
    let say = |words| Command::Say(Channel::Everyone, words);
    anna.send(say(Words::Text("hello".into())));
    anna.refused(Refusal::NoFreeText).await;
    for _ in 0..3 {
        anna.send(say(Words::Tell(Tell::Yes)));
    }
    anna.refused(Refusal::TooMuchTalk).await;
    anna.send(Command::SetPublic(true));
    anna.refused(Refusal::NoPublicList).await;
    relay.stop().await;
}

#[tokio::test]
async fn a_message_without_an_end_is_too_much() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    for greets in [false, true] {
        let mut socket = socket(relay.address).await;
        if greets {
            let hello = binary(&ClientMessage::Hello(hello(table)));
            socket.send(hello).await.unwrap();
        }
        // A beginning, and empty frames behind it that go on for ever: none of them is a message.
        let stream = socket.get_mut();
        let begun = [0x02, 0x80, 0, 0, 0, 0];
        let empty = [[0x00, 0x80, 0, 0, 0, 0]; 40_000].concat();
        stream.write_all(&begun).await.unwrap();
        // The relay may have closed before it has all of them.
        let _ = stream.write_all(&empty).await;
        assert_eq!(close_code(&mut socket).await, Close::TooMuch.code());
    }
    relay.stop().await;
}

#[tokio::test]
async fn half_requests_neither_stay_nor_keep_others_out() {
    let relay = Relay::with(Config {
        head_within: Duration::from_millis(200),
        connections_per_address: 1,
        ..Config::default()
    })
    .await;
    let mut half = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(relay.address).await.unwrap();
        // Those for which there is no room are closed at once.
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await;
        half.push(stream);
    }
    for stream in &mut half {
        let mut answer = Vec::new();
        let read = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
        // Closed, or closed with what it had sent unread.
        let _ = read.expect("a half request ends");
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"));
    }
    let health = http(relay.address, "GET", "/healthz", &[]).await;
    assert_eq!(health.text(), "ok");
    relay.stop().await;
}

#[tokio::test]
async fn to_ask_for_the_matches_of_a_table_that_is_there_is_no_guess() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let path = format!("/tables/{table}/matches");
    for _ in 0..30 {
        let answer = http(relay.address, "GET", &path, &[]).await;
        assert_eq!(answer.status, 200);
    }
    let anna = Player::join(relay.address, table, "Anna").await;
    anna.until("the state", |page| page.replica.state().is_some())
        .await;
    // Codes that are none are, and then nothing is looked up any more.
    for _ in 0..20 {
        http(relay.address, "GET", "/tables/0000000000/matches", &[]).await;
    }
    assert_eq!(http(relay.address, "GET", &path, &[]).await.status, 429);
    relay.stop().await;
}
