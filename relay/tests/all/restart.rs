//! A relay that ends, in whatever way, and is started again: nothing that anybody was told is lost.

use std::net::SocketAddr;

use tandem_core::bpgn::Record;
use tandem_core::protocol::ServerMessage;
use tandem_core::replica::Notice;
use tandem_core::table::{Command, PauseReason, Phase};
use tandem_core::tell::{Channel, Words};
use tandem_core::{BoardId, EndRule, Options, Seat, Team};
use tempfile::TempDir;

use crate::binary::{Running, running_on};
use crate::support::*;

/// A folder for a relay's data, and the flags that name it.
struct Data(TempDir);

impl Data {
    fn new() -> Data {
        Data(tempfile::tempdir().unwrap())
    }

    async fn relay(&self, address: SocketAddr) -> Running {
        running_on(address, &["--data", self.0.path().to_str().unwrap()]).await
    }

    async fn first(&self) -> Running {
        self.relay(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }
}

async fn back(players: &mut [Player; 4]) {
    for player in players.iter_mut() {
        player.reconnect().await;
    }
    for player in players.iter() {
        player
            .until("the state", |page| {
                page.received
                    .iter()
                    .any(|message| matches!(message, ServerMessage::Snapshot(_)))
            })
            .await;
    }
}

#[tokio::test]
async fn a_killed_relay_takes_the_match_up_where_the_last_event_left_it() {
    let data = Data::new();
    let relay = data.first().await;
    let address = relay.address;
    let table = open_table(address, "/").await;
    let mut players = four(address, table).await;
    start(&players).await;
    let (before, last) = WON_ON_A.split_at(WON_ON_A.len() - 1);
    script(&players, before).await;
    let no = players[0].see(|page| page.replica.game().unwrap().no());
    players[1].send(Command::Say(
        Channel::TeamTwo,
        Words::Text("nobody else".into()),
    ));
    players[2].send(Command::OfferDraw(no));
    for player in &players {
        player
            .until("the offer", |page| {
                page.replica.game().unwrap().draw().is_some()
            })
            .await;
    }
    let game = players[0].see(|page| page.replica.game().unwrap().clone());
    relay.kill().await;

    let relay = data.relay(address).await;
    back(&mut players).await;
    for (player, seat) in players.iter().zip(Seat::ALL) {
        player.see(|page| {
            let now = page.replica.game().unwrap();
            assert_eq!(page.replica.seat(), Some(seat));
            assert_eq!(now.boards(), game.boards());
            assert_eq!(now.plies(), game.plies());
            assert_eq!(now.draw(), game.draw());
            let pause = now.pause().unwrap();
            assert_eq!(pause.reason, PauseReason::RelayRestarted);
            // The time without a relay is charged to nobody.
            let at = game.table_time(game.plies().last().unwrap().at);
            for seat in Seat::ALL {
                assert!(now.clock(seat, u64::MAX) <= game.clock(seat, at));
                assert!(now.clock(seat, u64::MAX) == now.clock(seat, pause.since));
            }
        });
    }
    // Talk has stayed with its team.
    let heard = |player: &Player| {
        player.see(|page| {
            page.notices.iter().any(|notice| {
                matches!(notice, Notice::Lines(lines) if lines.channel == Channel::TeamTwo)
            })
        })
    };
    // On team two are the Black of board A and the White of board B.
    assert_eq!(
        players.each_ref().map(heard),
        Seat::ALL.map(|seat| seat.team() == Team::Two)
    );
    for player in &players {
        player
            .until("play to go on", |page| {
                page.replica.game().unwrap().pause().is_none()
            })
            .await;
    }
    script_end(&players, last).await;
    // The match is kept, for those who know the table.
    let list = http(address, "GET", &format!("/tables/{table}/matches"), &[]).await;
    assert_eq!(list.body, br#"{"matches":[1]}"#);
    let kept = http(address, "GET", &format!("/matches/{table}-1.bpgn"), &[]).await;
    let kept = Record::read(std::str::from_utf8(&kept.body).unwrap()).unwrap();
    assert_eq!(kept.plies().len(), WON_ON_A.len());
    assert_eq!(kept.tag("Termination"), Some("checkmate"));
    assert_eq!(
        http(address, "GET", "/matches/0000000000-1.bpgn", &[])
            .await
            .status,
        404
    );
    let (code, errors) = relay.signal("-TERM").await;
    assert_eq!((code, errors.as_str()), (Some(0), ""));
}

/// The last ply, after which nobody sees another one.
async fn script_end(players: &[Player; 4], last: &[(BoardId, &str)]) {
    script(players, last).await;
    for player in players {
        player
            .until("the mate", |page| {
                let game = page.replica.game().unwrap();
                game.end().is_some_and(|end| end.rule == EndRule::Checkmate)
            })
            .await;
    }
}

#[tokio::test]
async fn a_relay_that_is_stopped_leaves_exact_clocks_and_seats_of_the_lobby() {
    let data = Data::new();
    let relay = data.first().await;
    let address = relay.address;
    let (playing, waiting) = (
        open_table(address, "/").await,
        open_table(address, "/").await,
    );
    let mut players = four(address, playing).await;
    start(&players).await;
    script(&players, &WON_ON_A[..3]).await;
    let mut anna = Player::seated(address, waiting, Seat::BBlack).await;
    anna.send(Command::SetReady(true));
    let options = Options {
        base_ms: 60_000,
        ..Options::default()
    };
    anna.send(Command::SetOptions(options));
    anna.until("the options", |page| {
        page.replica.state().unwrap().options() == &options
    })
    .await;
    let (code, _) = relay.signal("-TERM").await;
    assert_eq!(code, Some(0));
    let pause = |player: &Player| {
        player.see(|page| {
            let game = page.replica.game().unwrap();
            let clocks = Seat::ALL.map(|seat| game.clock(seat, u64::MAX));
            (game.pause().map(|pause| pause.reason), clocks)
        })
    };
    for player in &players {
        assert_eq!(player.closed().await, 1012);
        assert_eq!(pause(player).0, Some(PauseReason::RelayRestarted));
    }
    let clocks = pause(&players[0]).1;
    let relay = data.relay(address).await;
    back(&mut players).await;
    assert_eq!(pause(&players[3]).1, clocks);
    anna.reconnect().await;
    anna.until("the table", |page| {
        page.replica.seat() == Some(Seat::BBlack)
            && page.replica.state().unwrap().phase() == Phase::Lobby
            && page.replica.state().unwrap().options() == &options
    })
    .await;
    relay.kill().await;
}

#[tokio::test]
async fn however_often_it_is_killed_no_ply_that_anybody_saw_is_lost() {
    let data = Data::new();
    let mut relay = data.first().await;
    let address = relay.address;
    let table = open_table(address, "/").await;
    let mut players = four(address, table).await;
    start(&players).await;
    for round in 1..=5 {
        // Everyone plays as fast as the line allows, until the relay is gone in the midst of it.
        let goal = players[0].see(|page| page.replica.game().unwrap().plies().len()) + 40;
        let watch = async {
            players[0]
                .until("forty plies", |page| {
                    let game = page.replica.game().unwrap();
                    game.plies().len() >= goal || game.end().is_some()
                })
                .await;
        };
        let play = async {
            loop {
                for player in &players {
                    player.play_any(|replica| {
                        let seat = replica.seat()?;
                        let boards = replica.boards()?;
                        let plies = boards.position(seat.board()).legal_plies();
                        plies
                            .get((goal + 7 * plies.len()) % plies.len().max(1))
                            .copied()
                    });
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            () = watch => {}
            () = play => {}
        }
        relay.kill().await;
        for player in &players {
            player.closed().await;
        }
        let seen = players
            .each_ref()
            .map(|player| player.see(|page| page.replica.game().unwrap().plies().to_vec()));
        relay = data.relay(address).await;
        back(&mut players).await;
        let kept = players[0].see(|page| page.replica.game().unwrap().plies().to_vec());
        for plies in seen {
            assert_eq!(plies[..], kept[..plies.len()], "round {round}");
        }
        for player in &players {
            player
                .until("play to go on", |page| {
                    let game = page.replica.game().unwrap();
                    game.pause().is_none() || game.end().is_some()
                })
                .await;
        }
        if players[0].see(|page| page.replica.game().unwrap().end().is_some()) {
            break;
        }
    }
    relay.kill().await;
}

#[tokio::test]
async fn two_relays_with_one_folder_are_refused_in_words() {
    let data = Data::new();
    let relay = data.first().await;
    let folder = data.0.path().to_str().unwrap();
    let errors = crate::binary::fails(&["--listen", "127.0.0.1:0", "--data", folder]).await;
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.contains("another relay is using"), "{errors}");
    relay.kill().await;
}
