//! A fault in one table, over real sockets. Only a relay that is built for tests can be told to have
//! one, so this cannot be tried on the program itself.

#[path = "../tests/all/support.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the other tests use the rest of it"
)]
mod support;

use std::collections::HashSet;
use std::time::Duration;

use tandem_core::Seat;
use tandem_core::protocol::Close;
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;

use crate::Config;
use crate::journal::{Journal, JournalError};
use support::*;

#[tokio::test]
async fn a_fault_ends_its_own_table_and_nothing_else_for_good() {
    let data = TempDir::new().unwrap();
    let relay = Relay::with(Config {
        data: Some(data.path().to_owned()),
        ..Config::default()
    })
    .await;
    let (table, other) = (relay.open_table().await, relay.open_table().await);
    let players = four(relay.address, table).await;
    let others = four(relay.address, other).await;
    start(&players).await;
    start(&others).await;
    let (before, after) = WON_ON_A.split_at(4);
    script(&players, before).await;
    script(&others, before).await;

    players[Seat::BWhite.index()].send_raw(Message::Text("fault".into()));
    for player in &players {
        assert_eq!(player.closed().await, Close::TableClosed.code());
    }
    let again = Player::with_token(relay.address, table, "", players[0].token).await;
    assert_eq!(again.closed().await, Close::UnknownTable.code());
    script(&others, after).await;
    for player in &others {
        player
            .until("the mate", |page| {
                page.replica.game().unwrap().end().is_some()
            })
            .await;
        assert!(player.see(|page| page.closed.is_none()));
    }
    let third = relay.open_table().await;
    Player::seated(relay.address, third, Seat::AWhite).await;
    relay.stop().await;

    // The next relay takes up the tables that are well.
    let folder = data.path().join("tables");
    assert!(folder.join(format!("{table}.fault")).exists());
    let found = loop {
        match Journal::open(data.path(), Duration::from_secs(1)) {
            Ok((_, found)) => break found,
            Err(JournalError::InUse(_)) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    };
    let codes: HashSet<_> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, HashSet::from([other, third]));
}
