//! Whole matches.

use tandem_core::table::{Arrangement, Command, MatchNo};
use tandem_core::{BoardId, Color, EndRule, Options, Seat, Team};

use crate::support::*;

/// Everyone has the same table, and it is this one.
async fn all_equal(players: &[&Player]) {
    let seq = players[0].see(|page| page.replica.state().unwrap().seq());
    let state = players[0].see(|page| page.replica.state().unwrap().clone());
    for player in players {
        player
            .until("the newest event", |page| {
                page.replica.state().unwrap().seq() >= seq
            })
            .await;
        assert!(player.see(|page| *page.replica.state().unwrap() == state));
    }
}

#[tokio::test]
async fn two_matches_are_won_with_pieces_of_the_other_board() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let players = four(relay.address, table).await;
    let spectator = Player::join(relay.address, table, "Zoe").await;
    start(&players).await;

    script(&players, &WON_ON_A[..WON_ON_A.len() - 1]).await;
    // The capture and its arrival are one: whoever has seen the one has seen the other.
    for player in &players {
        player.see(|page| {
            let boards = page.replica.boards().unwrap();
            let hand = boards.position(BoardId::B).hand(Color::Black);
            assert_eq!(hand.total(), 1);
        });
    }
    script(&players, &WON_ON_A[WON_ON_A.len() - 1..]).await;
    for player in players.iter().chain([&spectator]) {
        player
            .until("the end", |page| {
                page.replica.game().and_then(|game| game.end()).is_some()
            })
            .await;
        player.see(|page| {
            let end = *page.replica.game().unwrap().end().unwrap();
            assert_eq!(end.rule, EndRule::Checkmate);
            assert_eq!(end.winner, Some(Team::One));
            assert_eq!(end.board, Some(BoardId::B));
        });
    }

    for player in &players {
        player.send(Command::Rematch(MatchNo(1), Arrangement::Same));
    }
    for player in &players {
        player
            .until("the second match", |page| {
                page.replica
                    .game()
                    .is_some_and(|game| game.no() == MatchNo(2))
            })
            .await;
    }
    script(&players, WON_ON_B).await;
    players[0]
        .until("the end", |page| {
            page.replica.game().unwrap().end().is_some()
        })
        .await;
    players[0].see(|page| {
        let end = *page.replica.game().unwrap().end().unwrap();
        assert_eq!(end.rule, EndRule::Checkmate);
        assert_eq!(end.winner, Some(Team::Two));
        assert_eq!(end.board, Some(BoardId::A));
    });
    let everyone: Vec<_> = players.iter().chain([&spectator]).collect();
    all_equal(&everyone).await;
    relay.stop().await;
    for player in everyone {
        assert_eq!(player.closed().await, 1012);
    }
}

#[tokio::test]
async fn resigning_ends_a_match_and_leaving_closes_the_line() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let players = four(relay.address, table).await;
    start(&players).await;
    players[Seat::ABlack.index()].send(Command::Resign(MatchNo(1)));
    for player in &players {
        player
            .until("the end", |page| {
                page.replica.game().unwrap().end().is_some()
            })
            .await;
        player.see(|page| {
            let end = page.replica.game().unwrap().end().unwrap();
            assert_eq!(end.rule, EndRule::Resignation);
            assert_eq!(end.winner, Some(Team::One));
        });
    }
    let [leaver, others @ ..] = &players;
    leaver.send(Command::Leave);
    assert_eq!(leaver.closed().await, 4010);
    // It knows that it was done.
    assert!(
        leaver
            .see(|page| page.replica.state().unwrap().occupant(Seat::AWhite))
            .is_none()
    );
    for player in others {
        player
            .until("the empty seat", |page| {
                page.replica
                    .state()
                    .unwrap()
                    .occupant(Seat::AWhite)
                    .is_none()
            })
            .await;
    }
    // The token is forgotten: who comes back is somebody new.
    let again = Player::with_token(relay.address, table, "Anna", leaver.token).await;
    again
        .until("a place", |page| page.replica.state().is_some())
        .await;
    assert_ne!(again.me(), leaver.me());
}

#[tokio::test]
async fn clocks_and_options_reach_everyone() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let players = four(relay.address, table).await;
    let options = Options {
        base_ms: 30_000,
        ..Options::default()
    };
    players[0].send(Command::SetOptions(options));
    for player in &players {
        player
            .until("the options", |page| {
                page.replica.state().unwrap().options().base_ms == 30_000
            })
            .await;
    }
    start(&players).await;
    script(&players, &WON_ON_A[..1]).await;
    for player in &players {
        let local = player.local();
        player.see(|page| {
            let clock = |seat| page.replica.clock(seat, local).unwrap();
            assert!(!clock(Seat::AWhite).1 && clock(Seat::ABlack).1);
            assert!(clock(Seat::BWhite).1 && !clock(Seat::BBlack).1);
            assert!(clock(Seat::AWhite).0 <= 30_000);
            let [a, b] = [
                clock(Seat::AWhite).0 + clock(Seat::ABlack).0,
                clock(Seat::BWhite).0 + clock(Seat::BBlack).0,
            ];
            assert_eq!(a, b);
        });
    }
}
