//! What the relay answers over HTTP.

use tandem_core::table::{Command, Refusal};
use tandem_core::{Seat, TableCode};
use tandem_relay::Config;

use crate::support::*;

#[tokio::test]
async fn health_version_and_tables() {
    let relay = Relay::start().await;
    let health = http(relay.address, "GET", "/healthz", &[]).await;
    assert_eq!((health.status, health.text()), (200, "ok"));
    let version = http(relay.address, "GET", "/version", &[]).await;
    assert_eq!(version.status, 200);
    assert_eq!(version.header("content-type"), Some("application/json"));
    let version = version.json();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["protocol"], tandem_core::protocol::VERSION);
    // What the privacy page tells of this relay, which keeps nothing on a disk.
    assert_eq!(version["keeps"]["data"], false);
    assert_eq!(version["keeps"]["days"], 90);
    assert_eq!(version["keeps"]["forget_minutes"], 60);
    assert!(
        version["commit"]
            .as_str()
            .is_some_and(|commit| !commit.is_empty())
    );

    let answer = http(relay.address, "POST", "/tables", &[]).await;
    assert_eq!(answer.status, 201);
    let code = answer.json()["code"].as_str().unwrap().to_owned();
    assert_eq!(code.len(), 10);
    assert_eq!(code.parse::<TableCode>().unwrap().to_string(), code);
    assert_ne!(relay.open_table().await.to_string(), code);
    assert_eq!(http(relay.address, "GET", "/ws", &[]).await.status, 400);
    assert_eq!(http(relay.address, "POST", "/", &[]).await.status, 405);
    relay.stop().await;
}

#[tokio::test]
async fn every_answer_is_hardened() {
    let relay = Relay::start().await;
    for path in ["/", "/healthz", "/missing.js", "/t/K7QM2D9PXR"] {
        let answer = http(relay.address, "GET", path, &[]).await;
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(policy.contains("'wasm-unsafe-eval'"), "{policy}");
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
    assert_eq!(
        http(relay.address, "GET", "/missing.js", &[]).await.status,
        404
    );
    // Whoever asks for the head alone gets the same one.
    for path in ["/", "/healthz", "/version", "/privacy"] {
        let whole = http(relay.address, "GET", path, &[]).await;
        let head = http(relay.address, "HEAD", path, &[]).await;
        assert_eq!((head.status, head.body.len()), (whole.status, 0), "{path}");
        for name in ["content-length", "content-type", "etag", "cache-control"] {
            assert_eq!(head.header(name), whole.header(name), "{path}: {name}");
        }
    }
}

#[tokio::test]
async fn everything_moves_below_the_base_path() {
    let relay = Relay::with(Config {
        base_path: "/games/tandem".parse().unwrap(),
        ..Config::default()
    })
    .await;
    let health = http(relay.address, "GET", "/games/tandem/healthz", &[]).await;
    assert_eq!((health.status, health.text()), (200, "ok"));
    assert_eq!(
        http(relay.address, "GET", "/healthz", &[]).await.status,
        404
    );
    let bare = http(relay.address, "GET", "/games/tandem", &[]).await;
    assert_eq!(bare.status, 308);
    assert_eq!(bare.header("location"), Some("/games/tandem/"));
    let code = open_table(relay.address, "/games/tandem/").await;
    let page = http(
        relay.address,
        "GET",
        &format!("/games/tandem/t/{code}"),
        &[],
    )
    .await;
    // The page when the client was built, a line about how to build it otherwise.
    assert!(matches!(page.status, 200 | 503));
    if page.status == 200 {
        assert!(page.text().contains("<base href=\"/games/tandem/\">"));
    }
    for path in ["tables", "version", "privacy", "healthz"] {
        let below = http(relay.address, "GET", &format!("/games/tandem/{path}"), &[]).await;
        assert!(matches!(below.status, 200 | 503), "{path}: {below:?}");
        let above = http(relay.address, "GET", &format!("/{path}"), &[]).await;
        assert_eq!(above.status, 404, "{path}");
    }
    let url = format!("ws://{}/games/tandem/ws", relay.address);
    tokio_tungstenite::connect_async(url).await.unwrap();
}

#[tokio::test]
async fn stopping_waits_for_nobody_for_long() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let player = Player::seated(relay.address, table, Seat::AWhite).await;
    // One that never says anything, one that is in the middle of a request.
    let mut silent = socket(relay.address).await;
    let half = tokio::net::TcpStream::connect(relay.address).await.unwrap();
    half.writable().await.unwrap();
    half.try_write(b"GET / HTTP/1.1\r\n").unwrap();
    relay.stop().await;
    assert_eq!(player.closed().await, 1012);
    assert_eq!(close_code(&mut silent).await, 1012);
}

#[tokio::test]
async fn the_operator_can_measure_on_a_port_of_its_own() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let metrics = free.local_addr().unwrap();
    drop(free);
    let relay = Relay::with(Config {
        metrics_listen: Some(metrics),
        tables_per_address: 1,
        ..Config::default()
    })
    .await;
    let table = relay.open_table().await;
    let refused = http(relay.address, "POST", "/tables", &[]).await;
    assert_eq!(refused.status, 429);
    let anna = Player::seated(relay.address, table, Seat::AWhite).await;
    let ben = Player::join(relay.address, table, "Ben").await;
    ben.until("the state", |page| page.replica.state().is_some())
        .await;
    ben.send(Command::Sit(Seat::AWhite));
    ben.refused(Refusal::SeatTaken).await;
    let answer = http(metrics, "GET", "/metrics", &[]).await;
    assert_eq!(answer.status, 200);
    let text = String::from_utf8(answer.body).unwrap();
    for line in [
        "tandem_tables 1",
        "tandem_connections 2",
        "tandem_refusals_total{reason=\"SeatTaken\"} 1",
        "tandem_http_turned_away_total{reason=\"TooManyTables\"} 1",
        "tandem_bot_questions_waiting 0",
        "# TYPE tandem_input_duration_seconds histogram",
        "# TYPE tandem_journal_duration_seconds histogram",
        "# TYPE tandem_bot_thinking_seconds counter",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}:\n{text}");
    }
    let events = anna.have().seq;
    assert!(
        text.contains(&format!("tandem_events_total {events}\n")),
        "{text}"
    );
    // Neither is it to be had where the page is.
    let page = http(relay.address, "GET", "/metrics", &[]).await;
    assert!(!String::from_utf8_lossy(&page.body).contains("tandem_tables"));
    relay.stop().await;
}
