//! Coming back: what was missed is sent, and nothing else.

use tandem_core::Seat;
use tandem_core::protocol::{ClientMessage, ServerMessage};
use tandem_core::table::Command;

use crate::support::*;

#[tokio::test]
async fn only_what_was_missed_is_sent_again() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let mut players = four(relay.address, table).await;
    start(&players).await;
    script(&players, &WON_ON_A[..2]).await;

    let seq = players[3].have().seq;
    players[3].cut();
    let gone = players[3].me();
    players[0]
        .until("the absence", |page| {
            page.replica
                .people()
                .iter()
                .any(|here| here.player == gone && here.away_since.is_some())
        })
        .await;
    // Two plies on board A are missed.
    players[1].play("d7d5");
    players[0]
        .until("d5", |page| page.replica.game().unwrap().plies().len() == 3)
        .await;
    players[0].play("e4d5");
    players[1]
        .until("exd5", |page| {
            page.replica.game().unwrap().plies().len() == 4
        })
        .await;

    players[3].reconnect().await;
    players[3]
        .until("the missed plies", |page| {
            page.replica.game().unwrap().plies().len() == 4
        })
        .await;
    assert_eq!(players[3].see(Page::counts), (0, 1, 2));
    assert_eq!(players[3].have().seq, seq + 2);
    assert_eq!(
        players[3].see(|page| page.replica.seat()),
        Some(Seat::BBlack)
    );
    players[0]
        .until("the return", |page| {
            page.replica
                .people()
                .iter()
                .all(|here| here.away_since.is_none())
        })
        .await;

    // With nothing missed, nothing of the state is sent at all.
    players[3].reconnect().await;
    players[3]
        .until("people", |page| {
            page.received
                .iter()
                .any(|message| matches!(message, ServerMessage::People(_)))
        })
        .await;
    assert_eq!(players[3].see(Page::counts), (0, 0, 0));
    players[3].play("e7e5");
    players[0]
        .until("e5", |page| page.replica.game().unwrap().plies().len() == 5)
        .await;
}

#[tokio::test]
async fn another_run_of_numbers_or_a_page_that_knows_nothing_gets_everything() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let player = Player::seated(relay.address, table, Seat::AWhite).await;
    let mut have = player.have();
    let right = have.epoch;
    have.epoch = right.wrapping_add(1);
    let before = player.see(Page::counts).0;
    player.send_raw(binary(&ClientMessage::Resync(have)));
    player
        .until("a snapshot", |page| page.counts().0 == before + 1)
        .await;
    have.epoch = right;
    have.seq = 0;
    player.send_raw(binary(&ClientMessage::Resync(have)));
    player
        .until("a snapshot", |page| page.counts().0 == before + 2)
        .await;
    // More than has ever happened.
    have.seq = 1_000;
    player.send_raw(binary(&ClientMessage::Resync(have)));
    player
        .until("a snapshot", |page| page.counts().0 == before + 3)
        .await;
    // Everything was made good each time, and the page goes on.
    player.send(Command::Stand);
    player
        .until("standing", |page| page.replica.seat().is_none())
        .await;
}

#[tokio::test]
async fn a_command_sent_twice_counts_once() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let mut players = four(relay.address, table).await;
    start(&players).await;
    // The ply is made while the line is cut: kept, and sent when it is back.
    players[0].cut();
    players[0].play("e2e4");
    assert!(players[0].see(|page| page.replica.pending().is_some()));
    players[0].reconnect().await;
    players[1]
        .until("e4", |page| page.replica.game().unwrap().plies().len() == 1)
        .await;
    players[0]
        .until("its answer", |page| page.replica.pending().is_none())
        .await;
    let seq = players[1].have().seq;
    // A repeated command gets the answer it had, and nothing happens.
    let repeat = |id| {
        binary(&ClientMessage::Command {
            id,
            command: Command::Leave,
        })
    };
    let answers = |page: &Page| {
        page.received
            .iter()
            .filter(|message| {
                matches!(
                    message,
                    ServerMessage::Answer {
                        id: 1,
                        result: Ok(())
                    }
                )
            })
            .count()
    };
    let before = players[0].see(answers);
    players[0].send_raw(repeat(1));
    players[0]
        .until("the same answer", |page| answers(page) == before + 1)
        .await;
    // One that is not yet due is ignored.
    players[0].send_raw(repeat(1_000));
    players[0].send(Command::SetName("Anna".to_owned()));
    players[1]
        .until("the name", |page| {
            page.replica
                .state()
                .unwrap()
                .players()
                .iter()
                .any(|player| player.name == "Anna")
        })
        .await;
    assert_eq!(players[1].have().seq, seq + 1);
}
