//! What one address, and another site, may ask of the relay.

use futures_util::SinkExt as _;
use tandem_core::protocol::{ClientMessage, Close};
use tandem_core::table::{Command, HouseRules, Refusal};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{Seat, TableCode};
use tandem_relay::{Config, HeaderName, Traffic};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self, Error};

use crate::support::*;

#[tokio::test]
async fn an_address_has_so_many_connections_and_no_more() {
    let relay = Relay::with(Config {
        connections_per_address: 2,
        ..Config::default()
    })
    .await;
    let table = relay.open_table().await;
    let mut anna = Player::join(relay.address, table, "Anna").await;
    let _ben = Player::join(relay.address, table, "Ben").await;
    let cleo = Player::join(relay.address, table, "Cleo").await;
    assert_eq!(cleo.closed().await, Close::AddressFull.code());
    // A place that is given up can be had.
    anna.cut();
    loop {
        let cleo = Player::join(relay.address, table, "Cleo").await;
        let came = |page: &Page| page.closed.is_some() || page.replica.state().is_some();
        cleo.until("an answer", came).await;
        if cleo.see(|page| page.closed.is_none()) {
            break;
        }
    }
    relay.stop().await;
}

#[tokio::test]
async fn whoever_tries_codes_learns_nothing_after_a_while() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let mut closes = Vec::new();
    for code in 0..25 {
        let code = TableCode::from_random(code);
        let player = Player::join(relay.address, code, "Eve").await;
        closes.push(player.closed().await);
    }
    assert_eq!(closes[0], Close::UnknownTable.code());
    assert_eq!(closes[24], Close::TooManyGuesses.code());
    // Not even whether the right one is right.
    let player = Player::join(relay.address, table, "Eve").await;
    assert_eq!(player.closed().await, Close::TooManyGuesses.code());
    let path = format!("/matches/{table}-1.bpgn");
    assert_eq!(http(relay.address, "GET", &path, &[]).await.status, 429);
    relay.stop().await;
}

#[tokio::test]
async fn an_address_opens_so_many_tables_and_no_more() {
    let relay = Relay::with(Config {
        tables_per_address: 3,
        ..Config::default()
    })
    .await;
    let mut answers = Vec::new();
    for _ in 0..4 {
        answers.push(http(relay.address, "POST", "/tables", &[]).await);
    }
    assert!(answers[..3].iter().all(|answer| answer.status == 201));
    assert_eq!(answers[3].status, 429);
    let body = std::str::from_utf8(&answers[3].body).unwrap();
    assert!(body.contains("try again"), "{body}");
    relay.stop().await;
}

#[tokio::test]
async fn all_sockets_of_an_address_send_so_much_and_no_more_and_so_do_all() {
    let (few, many) = (
        Traffic {
            frames: 10,
            ..Traffic::UNLIMITED
        },
        Traffic::UNLIMITED,
    );
    for (per_address, in_all, close) in [
        (few, many, Close::AddressTooMuch),
        (many, few, Close::RelayBusy),
    ] {
        let relay = Relay::with(Config {
            per_address,
            in_all,
            ..Config::default()
        })
        .await;
        let table = relay.open_table().await;
        // Either socket may send as much for itself.
        let mut sockets = [socket(relay.address).await, socket(relay.address).await];
        for socket in &mut sockets {
            let hello = binary(&ClientMessage::Hello(hello(table)));
            let echoes = (0..60).map(|_| binary(&ClientMessage::Echo));
            for frame in std::iter::once(hello).chain(echoes) {
                // The relay may have closed already.
                if socket.send(frame).await.is_err() {
                    break;
                }
            }
        }
        for socket in &mut sockets {
            assert_eq!(close_code(socket).await, close.code());
        }
        relay.stop().await;
    }
}

#[tokio::test]
async fn all_people_of_an_address_say_so_much_and_no_more() {
    let relay = Relay::with(Config {
        per_address: Traffic {
            tells: 1,
            ..Traffic::UNLIMITED
        },
        ..Config::default()
    })
    .await;
    let table = relay.open_table().await;
    let anna = Player::seated(relay.address, table, Seat::AWhite).await;
    let ben = Player::seated(relay.address, table, Seat::ABlack).await;
    let tell = || Command::Say(Channel::Everyone, Words::Tell(Tell::Yes));
    for _ in 0..3 {
        anna.send(tell());
    }
    anna.until("the answers", Page::is_answered).await;
    assert_eq!(anna.see(Page::refusals), []);
    for _ in 0..3 {
        ben.send(tell());
    }
    ben.refused(Refusal::TooMuchTalk).await;
    // That costs nobody the seat, or anything else that can be done there.
    ben.send(Command::SetReady(true));
    ben.until("the answers", Page::is_answered).await;
    assert!(ben.see(|page| page.replica.state().unwrap().is_ready(Seat::ABlack)));
    relay.stop().await;
}

#[tokio::test]
async fn a_trusted_proxy_says_who_asks_and_nobody_else_does() {
    let config = Config {
        tables_per_address: 1,
        ..Config::default()
    };
    let ask = async |relay: &Relay, from: &str| {
        let header = format!("X-Forwarded-For: {from}");
        http(relay.address, "POST", "/tables", &[&header])
            .await
            .status
    };
    let relay = Relay::with(Config {
        client_header: Some(HeaderName::from_static("x-forwarded-for")),
        ..config.clone()
    })
    .await;
    assert_eq!(ask(&relay, "192.0.2.1").await, 201);
    assert_eq!(ask(&relay, "192.0.2.2").await, 201);
    // What stands before the proxy's own entry is anybody's word.
    assert_eq!(ask(&relay, "198.51.100.9, 192.0.2.2").await, 429);
    relay.stop().await;
    let relay = Relay::with(config).await;
    assert_eq!(ask(&relay, "192.0.2.1").await, 201);
    assert_eq!(ask(&relay, "192.0.2.2").await, 429);
    relay.stop().await;
}

#[tokio::test]
async fn pages_of_other_sites_are_turned_away_where_the_own_address_is_known() {
    let relay = Relay::with(Config {
        public_url: Some("https://chess.example.org/tandem".parse().unwrap()),
        ..Config::default()
    })
    .await;
    let open = async |origin: &str| {
        let header = format!("Origin: {origin}");
        http(relay.address, "POST", "/tables", &[&header])
            .await
            .status
    };
    assert_eq!(open("https://chess.example.org").await, 201);
    for other in [
        "https://evil.example.org",
        "http://chess.example.org",
        "https://chess.example.org:444",
        "null",
    ] {
        assert_eq!(open(other).await, 403, "{other}");
    }
    assert_eq!(
        http(relay.address, "POST", "/tables", &[]).await.status,
        201
    );
    let mut request = format!("ws://{}/ws", relay.address)
        .into_client_request()
        .unwrap();
    let other = tungstenite::http::HeaderValue::from_static("https://evil.example.org");
    request.headers_mut().insert("origin", other);
    match connect_async(request).await {
        Err(Error::Http(answer)) => assert_eq!(answer.status(), 403),
        other => panic!("{other:?}"),
    }
    relay.stop().await;
}

#[tokio::test]
async fn tables_for_everybody_are_on_the_list_while_somebody_can_come() {
    let relay = Relay::start().await;
    let list = async || {
        let answer = http(relay.address, "GET", "/tables", &[]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        answer.json()["tables"].as_array().unwrap().clone()
    };
    let (table, secret) = (relay.open_table().await, relay.open_table().await);
    let mut anna = Player::join(relay.address, table, "Anna").await;
    let _other = Player::seated(relay.address, secret, Seat::AWhite).await;
    anna.until("the state", |page| page.replica.state().is_some())
        .await;
    assert_eq!(list().await.len(), 0);
    anna.send(Command::Sit(Seat::AWhite));
    anna.send(Command::SetPublic(true));
    anna.until("the list", Page::is_answered).await;
    let tables = list().await;
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0]["code"], table.to_string());
    assert_eq!(tables[0]["names"], serde_json::json!(["Anna"]));
    assert_eq!(
        (&tables[0]["people"], &tables[0]["free"]),
        (&1.into(), &3.into())
    );
    assert_eq!(tables[0]["base_ms"], 180_000);
    // Nobody is asked to a table where nobody is.
    anna.cut();
    while !list().await.is_empty() {
        tokio::task::yield_now().await;
    }
    anna.reconnect().await;
    anna.until("the state", |page| page.replica.me().is_some())
        .await;
    while list().await.len() != 1 {
        tokio::task::yield_now().await;
    }
    let mut rest = Vec::new();
    for seat in [Seat::ABlack, Seat::BWhite, Seat::BBlack] {
        assert_eq!(list().await.len(), 1);
        rest.push(Player::seated(relay.address, table, seat).await);
    }
    assert_eq!(list().await.len(), 0, "all seats are taken");
    rest[0].send(Command::Stand);
    rest[0].until("standing", Page::is_answered).await;
    assert_eq!(list().await[0]["free"], 1);
    anna.send(Command::SetPublic(false));
    anna.until("no list", Page::is_answered).await;
    assert_eq!(list().await.len(), 0);
    relay.stop().await;

    let relay = Relay::with(Config {
        house: HouseRules {
            public_list: false,
            ..HouseRules::default()
        },
        ..Config::default()
    })
    .await;
    let answer = http(relay.address, "GET", "/tables", &[]).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.text(), "{\"tables\":null}");
    relay.open_table().await;
    relay.stop().await;
}
