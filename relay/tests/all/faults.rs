//! The relay itself, with everything going wrong at once: it is killed and started again, lines are
//! cut, some of them in the midst of a frame, some players stop reading, and others send what no page
//! would send. What anybody was told stays true, for everybody and on the disk.
//!
//! `TANDEM_CASES=20` makes it last twenty times as long, `TANDEM_FAULT_TABLES=100` has so many tables
//! play, and `TANDEM_SEED` repeats the choices of a run, though not its every instant.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;

use futures_util::SinkExt as _;
use serde::Deserialize;
use tandem_core::protocol::{ClientMessage, Close, FRAME_MAX, VERSION, encode};
use tandem_core::table::{
    Arrangement, Command, Event, MatchNo, Phase, PlyRecord, Refusal, Saved, Seq, Stamped, State,
};
use tandem_core::{BoardId, Options, Ply, Seat, TableCode};
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::binary::running_on;
use crate::support::*;

/// How often the relay is killed in a plain run.
const KILLS: usize = 4;
/// How many tables play.
const TABLES: usize = 12;
/// How many malformed frames come meanwhile, and how many of them on one socket.
const FRAMES: usize = 100_000;
const FRAMES_A_SOCKET: usize = 100;

/// A chance that comes from a seed.
#[derive(Clone)]
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap()
    }

    /// Another one, for somebody else.
    fn branch(&mut self) -> Chance {
        self.below(2);
        Chance(self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
}

/// Ends when the value is so.
async fn so<T>(value: &mut watch::Receiver<T>, is_so: impl FnMut(&T) -> bool) {
    value.wait_for(is_so).await.expect("nobody has gone");
}

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |text| {
        text.parse()
            .unwrap_or_else(|error| panic!("{name}={text}: {error}"))
    })
}

/// What everybody in the test knows.
#[derive(Clone)]
struct World {
    address: SocketAddr,
    /// Whether the relay runs.
    up: watch::Sender<bool>,
    /// Whether new plies are to be played.
    playing: watch::Sender<bool>,
    /// How often something has come to anybody: the measure of time here.
    heard: watch::Sender<u64>,
}

/// What happens to a player.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    Cut,
    CutInAFrame,
    /// Reads nothing until the relay has given up on the line.
    Stall,
    /// Asks for something of which nothing comes, so that its answer is the last one.
    Probe,
}

/// A player who plays any legal ply, comes back when cut off, and wants another match after each.
struct Actor {
    player: Player,
    seat: Seat,
    chance: Chance,
    troubles: mpsc::UnboundedReceiver<Trouble>,
    /// The page of the first player, which sees whether the relay has given up on this one. The
    /// first player itself never stalls.
    witness: watch::Receiver<Page>,
    world: World,
    closes: BTreeSet<u16>,
}

impl Actor {
    async fn live(mut self, mut done: watch::Receiver<bool>) -> Player {
        let mut page = self.player.watch();
        let mut up = self.world.up.subscribe();
        let mut playing = self.world.playing.subscribe();
        loop {
            if let Some(code) = self.player.see(|page| page.closed) {
                self.closes.insert(code);
                let allowed = [Close::Silent, Close::TooSlow, Close::Replaced].map(Close::code);
                assert!(
                    code == 1006 || allowed.contains(&code),
                    "a player was closed with {code}"
                );
                tokio::select! {
                    () = so(&mut up, |&up| up) => {}
                    () = so(&mut done, |&done| done) => return self.player,
                }
                self.player.try_reconnect().await;
                continue;
            }
            if *playing.borrow_and_update() {
                self.act();
            }
            tokio::select! {
                changed = page.changed() => {
                    changed.unwrap();
                    self.world.heard.send_modify(|heard| *heard += 1);
                }
                Some(trouble) = self.troubles.recv() => self.suffer(trouble).await,
                _ = playing.changed() => {}
                () = so(&mut done, |&done| done) => return self.player,
            }
        }
    }

    /// Does what is to be done next, if everything before has its answer.
    fn act(&mut self) {
        let chance = &mut self.chance;
        let (ply, command) = self.player.see(|page| {
            let nothing = (None, None);
            let Some(state) = page.replica.state() else {
                return nothing;
            };
            if !page.is_answered() {
                return nothing;
            }
            match (state.phase(), state.game()) {
                (Phase::Playing, _) => (choose(page, chance), None),
                (Phase::Ended, Some(game)) => {
                    let wish = state.rematch();
                    let wanted = wish.is_some_and(|wish| wish.wanted[self.seat.index()]);
                    let rematch = Command::Rematch(game.no(), Arrangement::Same);
                    (None, (!wanted).then_some(rematch))
                }
                (Phase::Lobby, _) if !state.is_ready(self.seat) => {
                    (None, Some(Command::SetReady(true)))
                }
                _ => nothing,
            }
        });
        if let Some(ply) = ply {
            self.player.play_any(|_| Some(ply));
        }
        if let Some(command) = command {
            self.player.send(command);
        }
    }

    async fn suffer(&mut self, trouble: Trouble) {
        match trouble {
            Trouble::Cut => self.player.cut(),
            Trouble::CutInAFrame => {
                self.player.cut_in_a_frame();
                self.player.closed().await;
            }
            Trouble::Stall => {
                self.player.read(false);
                let me = self.player.see(|page| page.replica.me());
                let mut up = self.world.up.subscribe();
                let away = |page: &Page| {
                    page.replica
                        .people()
                        .iter()
                        .any(|here| Some(here.player) == me && here.away_since.is_some())
                };
                tokio::select! {
                    () = so(&mut self.witness, away) => {}
                    () = so(&mut up, |&up| !up) => {}
                }
                self.player.read(true);
            }
            Trouble::Probe => self.player.send(Command::SetName(self.seat.to_string())),
        }
    }
}

/// Any ply that can be played now.
fn choose(page: &Page, chance: &mut Chance) -> Option<Ply> {
    let replica = &page.replica;
    let boards = replica
        .boards()
        .filter(|boards| boards.judge(None).is_none())?;
    let board = replica.seat().filter(|_| replica.is_my_turn())?.board();
    let plies = boards.position(board).legal_plies();
    (!plies.is_empty()).then(|| plies[chance.below(plies.len())])
}

/// What is known of a table from outside: every event anybody has heard of, or that was on the disk
/// when the relay was killed.
#[derive(Default)]
struct Known {
    events: BTreeMap<Seq, Stamped>,
    /// Whole tables that were on the disk, or that a player was told. A file that is written anew holds
    /// one instead of events, and whoever comes back after too many of them is told one: an event of which
    /// the relay told nobody, such as the pause after a restart, is only there.
    whole: BTreeMap<Seq, State>,
}

impl Known {
    fn add(&mut self, seq: Seq, stamped: &Stamped, whose: &str) {
        let before = self.events.entry(seq).or_insert_with(|| stamped.clone());
        assert_eq!(before, stamped, "event {seq} is another one to {whose}");
    }
}

/// The records of the journal from their beginning, as far as this test needs them, written down once more on purpose: a
/// change of their form is to be noticed.
#[derive(Deserialize)]
#[expect(clippy::large_enum_variant, reason = "one exists at a time")]
enum Record {
    Base(Saved),
    Step(Vec<Stamped>),
}

/// The table in a file of the journal, with the events since it was written anew.
fn on_disk(path: &Path, known: &mut Known) -> State {
    let bytes = std::fs::read(path).unwrap();
    let mut rest = &bytes[..];
    let mut state = None;
    while let Some((head, body)) = rest.split_first_chunk::<8>() {
        let length = u32::from_le_bytes(*head.first_chunk().unwrap()) as usize;
        let Some((record, behind)) = body.split_at_checked(length) else {
            break;
        };
        assert_eq!(record[0], 2, "the version of a record");
        let (record, _) = postcard::take_from_bytes::<Record>(&record[1..]).unwrap();
        match record {
            Record::Base(saved) => {
                let whole = saved.state();
                known.whole.insert(whole.seq(), whole.clone());
                state = Some(whole.clone());
            }
            Record::Step(events) => {
                let state: &mut State = state.as_mut().unwrap();
                for stamped in &events {
                    state.apply(stamped).unwrap();
                    known.add(state.seq(), stamped, "the disk");
                }
            }
        }
        rest = behind;
    }
    state.unwrap()
}

/// Who plays at a table, as the test sees them.
struct Seats {
    code: TableCode,
    pages: Vec<watch::Receiver<Page>>,
    troubles: Vec<mpsc::UnboundedSender<Trouble>>,
    known: Known,
}

impl Seats {
    /// Waits until every page is so.
    async fn until(&mut self, what: &str, is_so: impl Fn(&Page) -> bool) {
        for page in &mut self.pages {
            let waited = timeout(PATIENCE, so(page, &is_so)).await;
            if waited.is_err() {
                let page = page.borrow();
                panic!(
                    "{what} does not come at {}: closed {:?}, asked {:?}, {:?}",
                    self.code,
                    page.closed,
                    page.asked.keys().next_back(),
                    page.replica.state()
                );
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_goes_wrong_what_anybody_was_told_stays_true() {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let seed = number("TANDEM_SEED", now.subsec_nanos() as usize);
    println!("TANDEM_SEED={seed}");
    let mut chance = Chance(seed as u64 | 1 << 40);
    let cases = number("TANDEM_CASES", 1);
    let count = number("TANDEM_FAULT_TABLES", TABLES);

    let data = TempDir::new().unwrap();
    let flags = [
        "--data",
        data.path().to_str().unwrap(),
        // Whoever floods does so from elsewhere, and players here are faster than people.
        "--client-header",
        "x-forwarded-for",
        "--connections-per-address",
        "100000",
        "--tables-per-address",
        "100000",
        "--frames-per-address",
        "1000000",
        "--bytes-per-address",
        "1000000000",
        "--frames-per-second",
        "1000",
        "--bot-threads",
        "0",
        "--log",
        "off",
    ];
    let mut relay = running_on(SocketAddr::from(([127, 0, 0, 1], 0)), &flags).await;
    let world = World {
        address: relay.address,
        up: watch::Sender::new(true),
        playing: watch::Sender::new(true),
        heard: watch::Sender::new(0),
    };
    let done = watch::Sender::new(false);
    let mut actors = JoinSet::new();
    let mut tables = Vec::new();
    for _ in 0..count {
        tables.push(sit_down(&world, &mut chance, &mut actors, &done).await);
    }
    let mut flooding = tokio::spawn(floods(
        world.clone(),
        chance.branch(),
        tables.iter().map(|table| table.code).collect(),
        FRAMES * cases,
    ));
    let troubles = tables.iter().map(|table| table.troubles.clone()).collect();
    let mut troubling = tokio::spawn(trouble(world.clone(), chance.branch(), troubles));

    let mut heard = world.heard.subscribe();
    let folder = data.path().join("tables");
    let (mut states, mut flooded) = (Vec::new(), None);
    for kill in 1..=KILLS * cases {
        // Now and then so soon that not everybody is back.
        let most = [2, 100, 1_000, 3_000][chance.below(4)] * count;
        let wait = chance.below(most) as u64;
        let goal = *heard.borrow() + wait;
        so(&mut heard, |&heard| heard >= goal).await;
        if kill == KILLS * cases {
            flooded = Some((&mut flooding).await.unwrap());
            // However slow the machine is, there is something to compare in the end.
            so(&mut heard, |&heard| heard >= 200 * count as u64).await;
            world.playing.send_replace(false);
            (&mut troubling).await.unwrap();
            rest(&mut tables).await;
            states = agreed(&tables);
        }
        world.up.send_replace(false);
        relay.kill().await;
        for (index, table) in tables.iter_mut().enumerate() {
            let path = folder.join(format!("{}.log", table.code));
            let state = on_disk(&path, &mut table.known);
            if let Some(agreed) = states.get(index) {
                assert_eq!(&state, agreed, "table {} on the disk", table.code);
            }
        }
        relay = running_on(world.address, &flags).await;
        world.up.send_replace(true);
    }
    let (sent, closes) = flooded.expect("the last kill waits for them");
    assert!(sent >= FRAMES * cases, "{sent} malformed frames");
    check_closes(&closes);

    let mut plies = 0;
    for (table, state) in tables.iter_mut().zip(&states) {
        plies += check(table, state);
    }
    println!(
        "{plies} plies, {} heard, {sent} malformed frames, closed with {closes:?}",
        *heard.borrow()
    );
    assert!(plies > 10 * count, "only {plies} plies");

    // The relay serves as if nothing had been.
    let health = http(world.address, "GET", "/healthz", &[]).await;
    assert_eq!(health.text(), "ok");
    for (table, state) in tables.iter().zip(&states) {
        let fresh = Player::join(world.address, table.code, "Zoe").await;
        fresh
            .until("the match", |page| page.replica.state().is_some())
            .await;
        fresh.see(|page| {
            let plies = |state: &State| state.game().map(|game| game.plies().to_vec());
            assert_eq!(plies(page.replica.state().unwrap()), plies(state));
        });
    }
    done.send_replace(true);
    while let Some(player) = actors.join_next().await {
        player.unwrap();
    }
    relay.kill().await;
}

/// Opens a table; four sit down there and begin.
async fn sit_down(
    world: &World,
    chance: &mut Chance,
    actors: &mut JoinSet<Player>,
    done: &watch::Sender<bool>,
) -> Seats {
    let code = open_table(world.address, "/").await;
    let players = four(world.address, code).await;
    players[0].send(Command::SetOptions(Options {
        base_ms: *Options::BASE_MS.end(),
        ..Options::default()
    }));
    players[0].until("the options", Page::is_answered).await;
    let pages: Vec<_> = players.iter().map(Player::watch).collect();
    let mut troubles = Vec::new();
    for (player, seat) in players.into_iter().zip(Seat::ALL) {
        let (sender, receiver) = mpsc::unbounded_channel();
        troubles.push(sender);
        let actor = Actor {
            player,
            seat,
            chance: chance.branch(),
            troubles: receiver,
            witness: pages[0].clone(),
            world: world.clone(),
            closes: BTreeSet::new(),
        };
        actors.spawn(actor.live(done.subscribe()));
    }
    Seats {
        code,
        pages,
        troubles,
        known: Known::default(),
    }
}

/// Has things happen to players until nobody plays any more.
async fn trouble(
    world: World,
    mut chance: Chance,
    tables: Vec<Vec<mpsc::UnboundedSender<Trouble>>>,
) {
    let mut heard = world.heard.subscribe();
    let mut playing = world.playing.subscribe();
    loop {
        let goal = *heard.borrow() + chance.below(60) as u64;
        tokio::select! {
            () = so(&mut heard, |&heard| heard >= goal) => {}
            () = so(&mut playing, |&playing| !playing) => return,
        }
        let table = &tables[chance.below(tables.len())];
        let who = chance.below(4);
        let trouble = match chance.below(20) {
            0 if who > 0 => Trouble::Stall,
            1..10 => Trouble::CutInAFrame,
            _ => Trouble::Cut,
        };
        table[who].send(trouble).unwrap();
    }
}

/// Has everybody come to rest: nothing is under way, and everybody knows everything.
async fn rest(tables: &mut [Seats]) {
    for probe in [false, true] {
        for table in tables.iter_mut() {
            for (page, player) in table.pages.iter_mut().zip(&table.troubles) {
                if probe {
                    let asked = page.borrow().asked.len();
                    player.send(Trouble::Probe).unwrap();
                    let more = |page: &Page| page.asked.len() > asked;
                    timeout(PATIENCE, so(page, more)).await.unwrap();
                }
            }
            table
                .until("rest", |page| {
                    let Some(state) = page.replica.state() else {
                        return false;
                    };
                    let pause = state.game().and_then(|game| game.pause());
                    let rests = match state.phase() {
                        Phase::Playing => pause.is_none(),
                        Phase::Lobby | Phase::Ended => true,
                        Phase::Countdown { .. } => false,
                    };
                    rests && page.closed.is_none() && page.is_answered()
                })
                .await;
        }
    }
}

/// The state of each table, which is the same to all four.
fn agreed(tables: &[Seats]) -> Vec<State> {
    tables
        .iter()
        .map(|table| {
            let states: Vec<_> = table
                .pages
                .iter()
                .map(|page| page.borrow().replica.state().unwrap().clone())
                .collect();
            for state in &states[1..] {
                assert_eq!(state, &states[0], "table {}", table.code);
            }
            states[0].clone()
        })
        .collect()
}

/// Holds everything that was told at a table against each other; gives the number of plies.
fn check(table: &mut Seats, last: &State) -> usize {
    let mut acknowledged = BTreeSet::new();
    for page in &table.pages {
        let page = page.borrow();
        assert_eq!(page.contradictions, [0; 0], "table {}", table.code);
        for (seq, stamped) in &page.log {
            table.known.add(*seq, stamped, "a player");
        }
        for (seq, whole) in &page.whole {
            table.known.whole.insert(*seq, whole.clone());
        }
        for (id, command) in &page.asked {
            let result = page.answers.get(id).copied();
            if let Some(Err(refusal)) = result {
                let known = matches!(
                    refusal,
                    Refusal::Paused(_)
                        | Refusal::MatchEnded
                        | Refusal::NoMatch
                        | Refusal::NotInLobby
                );
                assert!(known, "{command:?} was refused: {refusal}");
            }
            if let (
                Command::Play {
                    match_no,
                    board,
                    answers,
                    ply,
                },
                Some(Ok(())),
            ) = (command, result)
            {
                let new = acknowledged.insert((*match_no, *board, *answers, *ply));
                assert!(new, "{command:?} counted twice");
            }
        }
    }
    // Nothing is missing in between, and whoever was told all of it knows what everybody knows.
    let mut state = State::default();
    let mut played = BTreeSet::new();
    for (seq, stamped) in &table.known.events {
        if state.seq() == last.seq() {
            break;
        }
        if *seq > state.seq() + 1 {
            let whole = table.known.whole.range(seq - 1..).next();
            let missing = format!("event {} of table {}", state.seq() + 1, table.code);
            state = whole.expect(&missing).1.clone();
            played.extend(plies_of(&state));
        }
        if *seq <= state.seq() {
            continue;
        }
        assert_eq!(*seq, state.seq() + 1, "table {}", table.code);
        if let (Event::Played { board, ply, .. }, Some(game)) = (&stamped.event, state.game()) {
            played.insert((game.no(), *board, game.boards().plies(*board), *ply));
        }
        state.apply(stamped).unwrap();
        if let Some(whole) = table.known.whole.get(seq) {
            assert_eq!(&state, whole, "event {seq} of table {}", table.code);
        }
    }
    assert_eq!(&state, last, "table {}", table.code);
    // Each ply was acknowledged to whoever played it, and each that was acknowledged was played.
    assert_eq!(played, acknowledged, "table {}", table.code);
    played.len()
}

/// All plies of the match, each with how many were played on its board before.
fn plies_of(state: &State) -> Vec<(MatchNo, BoardId, u16, Ply)> {
    let Some(game) = state.game() else {
        return Vec::new();
    };
    let mut counts = [0; 2];
    let number = |record: &PlyRecord| {
        let count = &mut counts[record.board.index()];
        *count += 1;
        (game.no(), record.board, *count - 1, record.ply)
    };
    game.plies().iter().map(number).collect()
}

/// Sends so many frames that no page would send; gives how many, and how their sockets were closed.
async fn floods(
    world: World,
    mut chance: Chance,
    tables: Vec<TableCode>,
    frames: usize,
) -> (usize, BTreeSet<u16>) {
    let mut flooding = JoinSet::new();
    for _ in 0..4 {
        let (world, mut chance, tables) = (world.clone(), chance.branch(), tables.clone());
        flooding.spawn(async move {
            let (mut sent, mut closes) = (0, BTreeSet::new());
            let mut up = world.up.subscribe();
            while sent < frames.div_ceil(4) {
                so(&mut up, |&up| up).await;
                if let Some((more, code)) = flood(&world, &mut chance, &tables).await {
                    sent += more;
                    closes.insert(code);
                }
            }
            (sent, closes)
        });
    }
    let mut all = (0, BTreeSet::new());
    while let Some(done) = flooding.join_next().await {
        let (sent, closes) = done.unwrap();
        all.0 += sent;
        all.1.extend(closes);
    }
    all
}

/// One socket full of nonsense, from somewhere.
async fn flood(world: &World, chance: &mut Chance, tables: &[TableCode]) -> Option<(usize, u16)> {
    let mut request = format!("ws://{}/ws", world.address)
        .into_client_request()
        .unwrap();
    let from = format!("2001:db8:0:{:x}::1", chance.below(500));
    request
        .headers_mut()
        .insert("x-forwarded-for", from.parse().unwrap());
    let (mut socket, _) = connect_async(request).await.ok()?;
    let mut sent = 0;
    let knows_a_table = chance.below(50) == 0;
    if knows_a_table {
        let hello = hello(tables[chance.below(tables.len())]);
        socket
            .send(binary(&ClientMessage::Hello(hello)))
            .await
            .ok()?;
    }
    for _ in 0..FRAMES_A_SOCKET {
        if socket.feed(nonsense(chance)).await.is_err() {
            break;
        }
        sent += 1;
    }
    let _ = socket.flush().await;
    Some((sent, close_code(&mut socket).await))
}

/// A frame that is no message: random bytes, part of a real one, another version, text, far too long.
fn nonsense(chance: &mut Chance) -> Message {
    let mut random =
        |length: usize| -> Vec<u8> { (0..length).map(|_| chance.below(256) as u8).collect() };
    let bytes = match random(1)[0] % 16 {
        0..6 => {
            let length = usize::from(random(1)[0]) % 120;
            random(length)
        }
        6..12 => {
            let mut real = hello(TableCode::from_random(u64::from(random(1)[0])));
            real.name = "Eve".repeat(5);
            let mut bytes = encode(&ClientMessage::Hello(real));
            let cut = usize::from(random(1)[0]) % bytes.len();
            bytes.truncate(cut);
            bytes
        }
        12 | 13 => {
            let mut other = hello(TableCode::from_random(1));
            other.version = VERSION.wrapping_add(1 + u16::from(random(1)[0]));
            encode(&ClientMessage::Hello(other))
        }
        14 => return Message::Text("{\"type\":\"move\"}".into()),
        _ if random(1)[0] < 20 => random(FRAME_MAX + 1),
        _ => random(300),
    };
    Message::Binary(bytes.into())
}

/// Whoever sends nonsense is told why nobody listens, unless the relay is killed meanwhile.
fn check_closes(closes: &BTreeSet<u16>) {
    for &code in closes {
        let told = Close::from_code(code);
        let fits = matches!(
            told,
            Some(
                Close::BadFrame
                    | Close::HelloExpected
                    | Close::OtherVersion
                    | Close::UnknownTable
                    | Close::FrameTooLong
                    | Close::TooMuch
                    | Close::TooManyGuesses
                    | Close::TableFull
            )
        );
        assert!(fits || code == 1006, "closed with {code}");
    }
    for reason in [Close::BadFrame, Close::OtherVersion] {
        assert!(closes.contains(&reason.code()), "{closes:?}");
    }
}
