//! Bots at the relay's tables: they sit, play and give way, and there are only so many.

use std::time::Duration;

use futures_util::future::join_all;
use tandem_core::bot::Level;
use tandem_core::replica::Replica;
use tandem_core::table::{Command, End, MatchNo, Refusal};
use tandem_core::{BoardId, EndRule, Options, Ply, Seat, TableCode};
use tandem_relay::Config;
use tokio::net::TcpListener;

use crate::support::*;

/// Two clocks of 30 seconds, the countdown, and a slow machine.
const MATCH: Duration = Duration::from_secs(110);

fn level(number: u8) -> Level {
    number.try_into().unwrap()
}

/// A relay with one thread and so many places, whose bots always choose alike.
fn small(places: usize) -> Config {
    Config {
        bot_threads: 1,
        bots_per_thread: places,
        bot_seed: Some(7),
        ..Config::default()
    }
}

/// The host puts a bot on a seat.
async fn add(host: &Player, seat: Seat, number: u8) {
    host.send(Command::AddBot(seat, level(number)));
    sits(host, seat, Some(number)).await;
}

async fn sits(player: &Player, seat: Seat, number: Option<u8>) {
    player
        .until(&format!("bot {number:?} on {seat}"), |page| {
            page.replica.state().unwrap().bot(seat).map(Level::number) == number
        })
        .await;
}

/// One person on A-White, bots on the other seats.
async fn with_three(relay: &Relay, number: u8) -> (TableCode, Player) {
    let table = relay.open_table().await;
    let host = Player::seated(relay.address, table, Seat::AWhite).await;
    for seat in [Seat::ABlack, Seat::BWhite, Seat::BBlack] {
        add(&host, seat, number).await;
    }
    (table, host)
}

fn plies(page: &Page, board: BoardId) -> u16 {
    let boards = page.replica.boards();
    boards.map_or(0, |boards| boards.plies(board))
}

fn end(page: &Page) -> Option<End> {
    page.replica.game()?.end().copied()
}

/// A ply the player could make now; `n` chooses among them.
fn some_ply(replica: &Replica, n: usize) -> Option<Ply> {
    let board = replica.seat()?.board();
    let plies = replica.boards()?.position(board).legal_plies();
    (replica.is_my_turn() && !plies.is_empty()).then(|| plies[n % plies.len()])
}

/// Plays as fast as can be, without a thought, until the match is over.
async fn play_to_the_end(player: &Player) -> End {
    for n in (0..).map(|n: usize| n.wrapping_mul(7_919)) {
        player
            .until_within(MATCH, "the own turn or the end", |page| {
                end(page).is_some() || some_ply(&page.replica, n).is_some()
            })
            .await;
        if let Some(end) = player.see(end) {
            return end;
        }
        player.play_any(|replica| some_ply(replica, n));
    }
    unreachable!("a match has an end")
}

/// Chooses clocks as short as they can be.
async fn short_clocks(host: &Player) {
    let base_ms = *Options::BASE_MS.start();
    host.send(Command::SetOptions(Options {
        base_ms,
        ..Options::default()
    }));
    host.until("the options", |page| {
        page.replica.state().unwrap().options().base_ms == base_ms
    })
    .await;
}

/// The match of one person begins, with short clocks.
async fn start_short(host: &Player) {
    short_clocks(host).await;
    host.send(Command::SetReady(true));
    host.until("the start", |page| page.replica.game().is_some())
        .await;
}

#[tokio::test]
async fn bots_sit_down_change_their_level_and_give_way_to_people() {
    let relay = Relay::with(small(32)).await;
    let (table, anna) = with_three(&relay, 1).await;
    add(&anna, Seat::BWhite, 8).await;
    let ben = Player::join(relay.address, table, "Ben").await;
    ben.until("the state", |page| page.replica.state().is_some())
        .await;
    ben.send(Command::AddBot(Seat::BWhite, level(1)));
    ben.refused(Refusal::NotHost).await;
    ben.send(Command::Sit(Seat::ABlack));
    sits(&anna, Seat::ABlack, None).await;
    anna.send(Command::RemoveBot(Seat::BWhite));
    sits(&ben, Seat::BWhite, None).await;
    assert!(ben.see(|page| page.replica.state().unwrap().is_free(Seat::BWhite)));
    add(&anna, Seat::BWhite, 2).await;

    short_clocks(&anna).await;
    for player in [&anna, &ben] {
        player.send(Command::SetReady(true));
    }
    // On board B nobody plays but bots.
    for player in [&anna, &ben] {
        player
            .until("the plies of the bots", |page| plies(page, BoardId::B) >= 4)
            .await;
        assert_eq!(player.see(|page| plies(page, BoardId::A)), 0);
    }
    // In a match no bot sits down or gets up any more.
    anna.send(Command::RemoveBot(Seat::BWhite));
    anna.refused(Refusal::NotInLobby).await;
    anna.play("e2e4");
    ben.until("the ply", |page| plies(page, BoardId::A) == 1)
        .await;
    ben.play("e7e5");
    anna.until("the answer", |page| plies(page, BoardId::A) == 2)
        .await;
    // The relay ends within its time even while bots think.
    relay.stop().await;
}

#[tokio::test]
async fn there_are_only_so_many_bots_and_their_places_come_back() {
    let relay = Relay::with(small(3)).await;
    let (_, anna) = with_three(&relay, 1).await;
    let other = relay.open_table().await;
    let ben = Player::seated(relay.address, other, Seat::AWhite).await;
    let wanted = || Command::AddBot(Seat::BWhite, level(4));
    ben.send(wanted());
    ben.refused(Refusal::BotsBusy).await;
    // Another level is no further bot.
    add(&anna, Seat::BBlack, 5).await;

    // A bot is sent away: its place is free, and only one.
    anna.send(Command::RemoveBot(Seat::BBlack));
    sits(&anna, Seat::BBlack, None).await;
    add(&ben, Seat::BWhite, 4).await;
    anna.send(Command::AddBot(Seat::BBlack, level(1)));
    anna.refused(Refusal::BotsBusy).await;

    // A bot gives way.
    let cleo = Player::join(relay.address, other, "Cleo").await;
    cleo.until("the state", |page| page.replica.state().is_some())
        .await;
    cleo.send(Command::Sit(Seat::BWhite));
    sits(&cleo, Seat::BWhite, None).await;
    add(&anna, Seat::BBlack, 1).await;

    // The people are gone.
    anna.send(Command::Leave);
    assert_eq!(anna.closed().await, 4010);
    for seat in [Seat::ABlack, Seat::BBlack] {
        ask_until_it_sits(&ben, seat).await;
    }
}

/// Asks for a bot until there is a place for it.
async fn ask_until_it_sits(host: &Player, seat: Seat) {
    loop {
        let asked = host.see(|page| page.refusals().len());
        host.send(Command::AddBot(seat, level(1)));
        let sits = |page: &Page| page.replica.state().unwrap().bot(seat).is_some();
        host.until("an answer", |page| {
            sits(page) || page.refusals().len() > asked
        })
        .await;
        if host.see(sits) {
            return;
        }
    }
}

#[tokio::test]
async fn a_deserted_match_lends_its_places_and_goes_on_when_somebody_is_back() {
    let relay = Relay::with(small(3)).await;
    let (table, mut anna) = with_three(&relay, 1).await;
    start_short(&anna).await;
    anna.until("two plies", |page| plies(page, BoardId::B) >= 2)
        .await;
    anna.cut();
    let other = relay.open_table().await;
    let ben = Player::seated(relay.address, other, Seat::AWhite).await;
    ask_until_it_sits(&ben, Seat::ABlack).await;

    // What was begun is played on; whoever wants a further bot has to wait.
    anna.reconnect().await;
    anna.until("the match", |page| page.replica.game().is_some())
        .await;
    let before = anna.see(|page| plies(page, BoardId::B));
    anna.until("two more plies", |page| {
        plies(page, BoardId::B) >= before + 2
    })
    .await;
    ben.send(Command::AddBot(Seat::BWhite, level(1)));
    ben.refused(Refusal::BotsBusy).await;
    assert_eq!(
        anna.see(|page| page.replica.game().unwrap().no()),
        MatchNo(1)
    );
    let eve = Player::join(relay.address, table, "Eve").await;
    eve.until("the same match", |page| plies(page, BoardId::B) >= before)
        .await;
}

#[tokio::test]
async fn bots_play_on_when_the_relay_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        data: Some(folder.path().to_owned()),
        ..small(3)
    };
    let relay = Relay::with(config.clone()).await;
    let address = relay.address;
    let (_, mut anna) = with_three(&relay, 1).await;
    start_short(&anna).await;
    anna.until("two plies", |page| plies(page, BoardId::B) >= 2)
        .await;
    relay.stop().await;
    assert_eq!(anna.closed().await, 1012);
    let before = anna.see(|page| plies(page, BoardId::B));

    let relay = Relay::on(TcpListener::bind(address).await.unwrap(), config);
    anna.reconnect().await;
    anna.until("two more plies", |page| {
        plies(page, BoardId::B) >= before + 2
    })
    .await;
    assert_eq!(
        anna.see(|page| page.replica.game().unwrap().no()),
        MatchNo(1)
    );
    // Their places are taken again.
    let other = relay.open_table().await;
    let ben = Player::seated(relay.address, other, Seat::AWhite).await;
    ben.send(Command::AddBot(Seat::BWhite, level(1)));
    ben.refused(Refusal::BotsBusy).await;
    relay.stop().await;
}

#[tokio::test]
async fn without_threads_there_are_no_bots() {
    let relay = Relay::with(Config {
        bot_threads: 0,
        ..Config::default()
    })
    .await;
    let table = relay.open_table().await;
    let anna = Player::seated(relay.address, table, Seat::AWhite).await;
    anna.send(Command::AddBot(Seat::BWhite, Level::MIN));
    anna.refused(Refusal::BotsBusy).await;
    relay.stop().await;
}

#[tokio::test]
async fn one_person_and_three_bots_play_to_the_end_at_many_tables_with_one_thread() {
    let relay = Relay::with(small(32)).await;
    let mut tables = Vec::new();
    for number in 1..=8 {
        tables.push(with_three(&relay, number).await.1);
    }
    let ends = tables.iter().map(|anna| async {
        start_short(anna).await;
        play_to_the_end(anna).await
    });
    for (number, (end, anna)) in join_all(ends).await.into_iter().zip(&tables).enumerate() {
        let level = number + 1;
        let [a, b] = BoardId::ALL.map(|board| anna.see(|page| plies(page, board)));
        println!("level {level}: {end:?} after {a} and {b} plies");
        assert_ne!(end.rule, EndRule::Time, "level {level}: {end:?}");
        assert_ne!(end.rule, EndRule::BothAtOnce, "level {level}: {end:?}");
        assert!(a > 2 && b > 2, "level {level}: {a} and {b} plies");
    }
    relay.stop().await;
}
