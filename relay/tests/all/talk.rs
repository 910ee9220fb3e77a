//! Team talk reaches the team; spectators see it after the end.

use tandem_core::Seat;
use tandem_core::protocol::ServerMessage;
use tandem_core::table::{Command, Lines, MatchNo, Refusal};
use tandem_core::tell::{Channel, Tell, Words};

use crate::support::*;

fn heard(page: &Page) -> Vec<Lines> {
    page.received
        .iter()
        .filter_map(|message| match message {
            ServerMessage::Lines(lines) => Some(lines.clone()),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn team_talk_stays_in_the_team_until_the_end() {
    let relay = Relay::start().await;
    let table = relay.open_table().await;
    let players = four(relay.address, table).await;
    let mut spectator = Player::join(relay.address, table, "Zoe").await;
    start(&players).await;
    let [speaker, opponent, other_opponent, partner] = &players;
    speaker.send(Command::Say(Channel::TeamOne, Words::Tell(Tell::Sit)));
    partner
        .until("the tell", |page| !heard(page).is_empty())
        .await;
    opponent.send(Command::Say(Channel::TeamOne, Words::Tell(Tell::Go)));
    opponent.refused(Refusal::NoTalk).await;

    // Nor after coming back: nothing of it is in anything that was sent.
    spectator.reconnect().await;
    spectator
        .until("people", |page| !page.replica.people().is_empty())
        .await;
    for outsider in [opponent, other_opponent, &spectator] {
        assert!(outsider.see(heard).is_empty());
        assert_eq!(outsider.have().heard, [0; 3]);
    }

    speaker.send(Command::Resign(MatchNo(1)));
    spectator
        .until("the talk", |page| !heard(page).is_empty())
        .await;
    let lines = spectator.see(heard);
    assert_eq!(lines[0].channel, Channel::TeamOne);
    assert_eq!(lines[0].lines[0].words, Words::Tell(Tell::Sit));
    // The other team still does not know.
    opponent
        .until("the end", |page| {
            page.replica.game().unwrap().end().is_some()
        })
        .await;
    opponent.send(Command::Say(
        Channel::Everyone,
        Words::Text("good match".to_owned()),
    ));
    for player in &players {
        player
            .until("the good word", |page| {
                heard(page)
                    .iter()
                    .any(|lines| lines.channel == Channel::Everyone)
            })
            .await;
    }
    assert!(
        opponent
            .see(heard)
            .iter()
            .all(|lines| lines.channel == Channel::Everyone)
    );
    assert_eq!(speaker.see(|page| page.replica.seat()), Some(Seat::AWhite));
}
