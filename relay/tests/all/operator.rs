//! What the operator asks of a running relay.

use std::net::SocketAddr;

use tandem_core::protocol::Close;
use tempfile::TempDir;

use crate::binary::{fails, running_on, says};
use crate::support::*;

#[tokio::test]
async fn a_table_is_closed_for_good() {
    let data = TempDir::new().unwrap();
    let folder = data.path().to_str().unwrap();
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let relay = running_on(any, &["--data", folder]).await;
    let address = relay.address;
    let (table, other) = (
        open_table(address, "/").await,
        open_table(address, "/").await,
    );
    let anna = Player::join(address, table, "Anna").await;
    let mut ben = Player::join(address, other, "Ben").await;
    for player in [&anna, &ben] {
        player
            .until("the state", |page| page.replica.state().is_some())
            .await;
    }
    let code = table.to_string();
    let said = says(&["close", &code, "--data", folder]).await;
    assert!(said.contains(&code), "{said}");
    assert_eq!(anna.closed().await, Close::TableClosed.code());
    assert!(ben.see(|page| page.closed.is_none()));
    relay.kill().await;
    let relay = running_on(address, &["--data", folder]).await;
    let anna = Player::join(address, table, "Anna").await;
    assert_eq!(anna.closed().await, Close::UnknownTable.code());
    // What is not there is not said to be closed.
    let errors = fails(&["close", &code, "--data", folder]).await;
    assert!(errors.contains("no table"), "{errors}");
    ben.reconnect().await;
    ben.until("the table", |page| page.replica.me().is_some())
        .await;
    relay.kill().await;
}

#[tokio::test]
async fn an_address_is_turned_away_and_let_in_again() {
    let data = TempDir::new().unwrap();
    let folder = data.path().to_str().unwrap();
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let relay = running_on(any, &["--data", folder]).await;
    let table = open_table(relay.address, "/").await;
    let mut anna = Player::join(relay.address, table, "Anna").await;
    anna.until("the state", |page| page.replica.state().is_some())
        .await;
    says(&["block", "127.0.0.0/8", "--data", folder]).await;
    // Whoever is there is sent away, and does not come back.
    assert_eq!(anna.closed().await, Close::Blocked.code());
    anna.reconnect().await;
    assert_eq!(anna.closed().await, Close::Blocked.code());
    let opened = http(relay.address, "POST", "/tables", &[]).await;
    assert_eq!(opened.status, 403);
    assert_eq!(says(&["blocks", "--data", folder]).await, "127.0.0.0/8\n");
    says(&["unblock", "127.0.0.0/8", "--data", folder]).await;
    assert_eq!(says(&["blocks", "--data", folder]).await, "\n");
    loop {
        anna.reconnect().await;
        let came = |page: &Page| page.closed.is_some() || !page.received.is_empty();
        anna.until("an answer", came).await;
        if anna.see(|page| page.closed.is_none()) {
            break;
        }
    }
    relay.kill().await;
}

#[tokio::test]
async fn what_cannot_be_asked_is_said_in_one_line() {
    let data = TempDir::new().unwrap();
    let folder = data.path().to_str().unwrap();
    for flags in [
        &["close", "K7QM2D9PXR", "--data", folder][..],
        &["blocks", "--data", folder],
        &["unblock", "192.0.2.1", "--data", "none"],
    ] {
        let errors = fails(flags).await;
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.contains("no relay keeps anything here"), "{errors}");
    }
}
