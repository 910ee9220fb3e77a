//! Tables of four that play.

#[cfg(target_os = "linux")]
mod rounds;
#[cfg(not(target_os = "linux"))]
mod rounds {
    use super::*;

    pub async fn play(
        _: Vec<Table>,
        _: Duration,
        _: Instant,
        _: Mischief,
    ) -> anyhow::Result<(Vec<Table>, Played)> {
        bail!("this needs Linux, whose way to wait for sockets it uses")
    }
}

use std::future::poll_fn;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;

use anyhow::{Context as _, bail};
use futures_util::{SinkExt as _, StreamExt as _};
use tandem_core::link::{Delivery, Link};
use tandem_core::protocol::{ClientMessage, ServerMessage, Token, decode, encode};
use tandem_core::table::{Arrangement, Command, Event, MatchNo, Phase, Stamped, State};
use tandem_core::{BoardId, Match, Options, Ply, Rules, Seat, TableCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Came, Client, Traffic, framed};

/// After how long something that has not come will not come.
const PATIENCE: Duration = Duration::from_secs(60);

/// At how many tables people come in at a time.
const AT_ONCE: usize = 50;

/// What goes wrong meanwhile, in players of a hundred, and floods.
#[derive(Clone, Copy, Debug)]
pub struct Mischief {
    pub slow: usize,
    pub cuts: usize,
    pub floods: usize,
}

/// What was measured while everyone played.
#[derive(Debug, Default)]
pub struct Played {
    /// From sending a ply to its arrival at the last of those who read, in microseconds.
    pub latencies_us: Vec<u64>,
    pub plies: u64,
    pub lost: u64,
    pub closed: u64,
    pub event_frames: u64,
    pub event_bytes: u64,
    pub missed_bytes: u64,
    pub snapshot_bytes: u64,
}

/// A chance that comes from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// What is asked besides plies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Nothing,
    Resign,
    Rematch,
}

/// A table with its four players.
pub struct Table {
    pub code: TableCode,
    number: usize,
    bare: bool,
    address: SocketAddr,
    clients: Vec<Option<Client>>,
    links: Vec<Link>,
    traffic: Arc<Traffic>,
    /// The state as the first player has it.
    state: Option<State>,
    boards: Match,
    match_no: u16,
    /// What is asked of the relay besides plies, until it is done.
    asked: Asked,
    /// How many plies each player has seen in all matches, and the table has had.
    seen: [u64; 4],
    sent: u64,
    random: Random,
}

async fn http(address: SocketAddr, request: &str) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "{request} HTTP/1.1\r\nHost: load\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await?;
    Ok(text)
}

/// Asks a server for something it answers without a table.
pub async fn ask_something(address: SocketAddr) -> anyhow::Result<()> {
    http(address, "GET /healthz").await.map(drop)
}

async fn open_table(address: SocketAddr) -> anyhow::Result<TableCode> {
    let text = http(address, "POST /tables").await?;
    let code = text.split("\"code\":\"").nth(1);
    let code = code.and_then(|rest| rest.split('"').next());
    Ok(code.context("no table was opened")?.parse()?)
}

/// Tables with their players, who answer the relay until they are told to play.
pub struct Tables {
    waiting: Vec<JoinHandle<anyhow::Result<Table>>>,
    play: watch::Sender<bool>,
    traffic: Arc<Traffic>,
    codes: Vec<TableCode>,
    bare: bool,
}

/// Opens tables, and has four people sit down and begin at each.
pub async fn open(address: SocketAddr, count: usize, bare: bool) -> anyhow::Result<Tables> {
    let traffic = Arc::new(Traffic::default());
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let (play, _) = watch::channel(false);
    let (opened, mut are_open) = mpsc::channel(AT_ONCE);
    let open = |number| {
        let (traffic, turns, opened) = (Arc::clone(&traffic), Arc::clone(&turns), opened.clone());
        let mut plays = play.subscribe();
        tokio::spawn(async move {
            let turn = turns.acquire().await?;
            let mut table = Table::seat(address, number, bare, traffic).await?;
            drop(turn);
            if !bare {
                table.begin().await?;
            }
            opened.send(table.code).await?;
            loop {
                let all = tokio::select! {
                    all = table.next() => all,
                    told = plays.changed() => break told.context("nobody plays")?,
                };
                table.take_all(all).await?;
            }
            anyhow::Ok(table)
        })
    };
    let waiting: Vec<_> = (0..count).map(open).collect();
    drop(opened);
    let mut codes = Vec::with_capacity(count);
    while codes.len() < count {
        // A table that fails closes its end of the channel; why, its task says.
        match timeout(PATIENCE, are_open.recv()).await {
            Ok(Some(code)) => codes.push(code),
            _ => break,
        }
    }
    let tables = Tables {
        waiting,
        play,
        traffic,
        codes,
        bare,
    };
    if tables.codes.len() < count {
        tables.start().await?;
        bail!("some tables were not opened");
    }
    Ok(tables)
}

impl Tables {
    /// All tables, no longer waiting.
    async fn start(self) -> anyhow::Result<Vec<Table>> {
        self.play.send_replace(true);
        let mut tables = Vec::with_capacity(self.waiting.len());
        for table in self.waiting {
            tables.push(table.await??);
        }
        Ok(tables)
    }
}

/// Sockets that look on.
pub async fn look_on(
    address: SocketAddr,
    tables: &Tables,
    count: usize,
) -> anyhow::Result<JoinSet<()>> {
    let mut sockets = JoinSet::new();
    for number in 0..count {
        let code = tables.codes[number % tables.codes.len()];
        let mut client = Client::connect(address, Arc::default()).await?;
        let mut link = Link::new(1);
        let first = if tables.bare {
            u64::from(code).to_le_bytes().to_vec()
        } else {
            encode(&link.hello(code, token(1 << 40 | number), ""))
        };
        client.send(&first).await?;
        sockets.spawn(async move {
            while let Came::Message(message, _) = poll_fn(|cx| client.poll_next(cx)).await {
                for reply in link.receive(*message).1 {
                    if client.send(&encode(&reply)).await.is_err() {
                        return;
                    }
                }
            }
        });
    }
    Ok(sockets)
}

fn token(number: usize) -> Token {
    let mut token = [1; 16];
    token[..8].copy_from_slice(&(number as u64).to_le_bytes());
    Token(token)
}

impl Table {
    /// A table at which four have come in.
    async fn seat(
        address: SocketAddr,
        number: usize,
        bare: bool,
        traffic: Arc<Traffic>,
    ) -> anyhow::Result<Table> {
        let code = if bare {
            TableCode::from_random(number as u64)
        } else {
            open_table(address).await?
        };
        let mut table = Table {
            code,
            number,
            bare,
            address,
            clients: vec![None, None, None, None],
            links: (0..4).map(|who| Link::new(who + 1)).collect(),
            traffic,
            state: None,
            boards: Match::new(Rules::default()),
            match_no: 1,
            asked: Asked::Nothing,
            seen: [0; 4],
            sent: 0,
            random: Random(0x9E37_79B9 + number as u64),
        };
        for who in 0..4 {
            table.join(who).await?;
        }
        Ok(table)
    }

    async fn join(&mut self, who: usize) -> anyhow::Result<()> {
        let mut client = Client::connect(self.address, Arc::clone(&self.traffic)).await?;
        let first = if self.bare {
            u64::from(self.code).to_le_bytes().to_vec()
        } else {
            encode(&self.links[who].hello(self.code, token(4 * self.number + who), ""))
        };
        client.send(&first).await?;
        self.clients[who] = Some(client);
        Ok(())
    }

    async fn begin(&mut self) -> anyhow::Result<()> {
        let options = Options {
            base_ms: *Options::BASE_MS.end(),
            ..Options::default()
        };
        self.until(|table| table.state.is_some()).await?;
        self.ask(0, Command::SetOptions(options)).await?;
        for (who, seat) in Seat::ALL.into_iter().enumerate() {
            self.ask(who, Command::Sit(seat)).await?;
            self.until(|table| {
                table
                    .state
                    .as_ref()
                    .is_some_and(|state| state.occupant(seat).is_some())
            })
            .await?;
            self.ask(who, Command::SetReady(true)).await?;
        }
        self.until(|table| table.phase() == Some(Phase::Playing))
            .await
    }

    fn phase(&self) -> Option<Phase> {
        self.state.as_ref().map(State::phase)
    }

    async fn ask(&mut self, who: usize, command: Command) -> anyhow::Result<()> {
        let (_, message) = self.links[who].send(command)?;
        self.say(who, &message).await
    }

    async fn say(&mut self, who: usize, message: &ClientMessage) -> anyhow::Result<()> {
        if let Some(client) = &mut self.clients[who] {
            // What is lost with a line the link sends again.
            let _ = client.send(&encode(message)).await;
        }
        Ok(())
    }

    async fn until(&mut self, is_so: impl Fn(&Table) -> bool) -> anyhow::Result<()> {
        let waiting = async {
            while !is_so(self) {
                let all = self.next().await;
                self.take_all(all).await?;
            }
            anyhow::Ok(())
        };
        timeout(PATIENCE, waiting)
            .await
            .context("what was to come has not come")?
    }

    /// What has come, and to whom; waits until there is something. All sockets are looked at in one go:
    /// what puts load on a relay must cost less than the relay.
    async fn next(&mut self) -> Vec<(usize, Came)> {
        poll_fn(|cx| {
            let mut all = Vec::new();
            for (who, client) in self.clients.iter_mut().enumerate() {
                let Some(client) = client else { continue };
                while let Poll::Ready(came) = client.poll_next(cx) {
                    let closed = matches!(came, Came::Closed);
                    all.push((who, came));
                    if closed {
                        break;
                    }
                }
            }
            if all.is_empty() {
                Poll::Pending
            } else {
                Poll::Ready(all)
            }
        })
        .await
    }

    /// Takes all that has come.
    async fn take_all(&mut self, all: Vec<(usize, Came)>) -> anyhow::Result<()> {
        for came in all {
            self.take(came).await?;
        }
        Ok(())
    }

    /// Takes what has come; gives when it came if it was a ply.
    async fn take(&mut self, (who, came): (usize, Came)) -> anyhow::Result<Option<Instant>> {
        let Came::Message(message, at) = came else {
            self.clients[who] = None;
            return Ok(None);
        };
        if self.bare {
            self.seen[who] += 1;
            return Ok(Some(at));
        }
        let (delivered, replies) = self.links[who].receive(*message);
        let mut ply = None;
        for delivery in delivered {
            match delivery {
                Delivery::State(state) => {
                    let plies = state.game().map_or(0, |game| game.plies().len());
                    // Whoever comes back with everything anew has seen everything.
                    if plies > 0 {
                        self.seen[who] = self.sent;
                    }
                    if who == 0 {
                        self.state = Some(*state);
                    }
                }
                Delivery::Event(stamped) => {
                    if let Event::Played { .. } = stamped.event {
                        self.seen[who] += 1;
                        ply = Some(at);
                    }
                    if who == 0 {
                        self.happened(&stamped)?;
                    }
                }
                _ => {}
            }
        }
        for reply in replies {
            self.say(who, &reply).await?;
        }
        Ok(ply)
    }

    fn happened(&mut self, stamped: &Stamped) -> anyhow::Result<()> {
        if let Event::Started = stamped.event {
            self.boards = Match::new(Rules::default());
        }
        let state = self.state.as_mut().context("an event without a state")?;
        state.apply(stamped)?;
        self.match_no = state.matches();
        Ok(())
    }

    /// The next ply, which mates nobody.
    fn choose(&mut self) -> Option<(BoardId, Ply)> {
        let first = BoardId::ALL[self.random.below(2)];
        for board in [first, first.other()] {
            let plies = self.boards.position(board).legal_plies();
            for _ in 0..plies.len().min(8) {
                let ply = plies[self.random.below(plies.len())];
                let mut after = self.boards;
                if after.play(board, ply).is_ok() && after.judge(Some(board)).is_none() {
                    return Some((board, ply));
                }
            }
        }
        None
    }

    /// Sends the next ply; says when, or `None` if there is none now. It waits for nothing that the
    /// relay does.
    async fn play(&mut self) -> anyhow::Result<Option<Instant>> {
        if !self.bare && self.phase() == Some(Phase::Ended) {
            let no = MatchNo(self.match_no);
            if self.asked != Asked::Rematch {
                self.asked = Asked::Rematch;
                for who in 0..4 {
                    self.ask(who, Command::Rematch(no, Arrangement::Same))
                        .await?;
                }
            }
            return Ok(None);
        }
        if !self.bare && (self.phase() != Some(Phase::Playing) || self.asked == Asked::Resign) {
            return Ok(None);
        }
        self.asked = Asked::Nothing;
        let Some((board, ply)) = self.choose() else {
            // Nobody can go on without a mate: the match is given up, and another one begins.
            if self.bare {
                self.boards = Match::new(Rules::default());
            } else {
                self.asked = Asked::Resign;
                let no = MatchNo(self.match_no);
                self.ask(0, Command::Resign(no)).await?;
            }
            return Ok(None);
        };
        let seat = self.boards.seat_to_move(board).index();
        if self.clients[seat].is_none() {
            return Ok(None);
        }
        let answers = self.boards.plies(board);
        self.boards.play(board, ply)?;
        self.sent += 1;
        let at = Instant::now();
        if self.bare {
            let event = Event::Played {
                board,
                ply,
                credit: 0,
            };
            let frame = ServerMessage::Events {
                first: u32::try_from(self.sent)?,
                events: vec![Stamped {
                    at: 100_000 + self.sent,
                    event,
                }],
            };
            if let Some(client) = &mut self.clients[seat] {
                client.send(&encode(&frame)).await?;
            }
        } else {
            let command = Command::Play {
                match_no: MatchNo(self.match_no),
                board,
                answers,
                ply,
            };
            self.ask(seat, command).await?;
        }
        Ok(Some(at))
    }

    /// Whether everyone who reads has seen every ply.
    fn all_have_seen(&self) -> bool {
        self.clients
            .iter()
            .zip(self.seen)
            .all(|(client, seen)| !client.as_ref().is_some_and(Client::reads) || seen >= self.sent)
    }

    /// Whoever was cut off or slow comes back, and has everything.
    async fn finish(mut self) -> anyhow::Result<(Table, Played)> {
        let mut played = Played::default();
        for who in 0..4 {
            if !self.clients[who].as_ref().is_some_and(Client::reads) {
                played.closed += 1;
                self.join(who).await?;
            }
        }
        let all = timeout(PATIENCE, self.until(Table::all_have_seen)).await;
        if !matches!(all, Ok(Ok(()))) {
            let least = self.seen.iter().min().copied().unwrap_or(0);
            played.lost += self.sent - least;
        }
        Ok((self, played))
    }

    /// Some players stop reading, some are cut off.
    async fn trouble(&mut self, mischief: Mischief) -> anyhow::Result<()> {
        for who in 1..4 {
            if self.random.below(100) < mischief.slow
                && let Some(client) = &mut self.clients[who]
            {
                client.stall();
            }
            if self.random.below(100) < mischief.cuts {
                self.clients[who] = None;
                self.join(who).await?;
            }
        }
        Ok(())
    }
}

/// Has all tables play for so long.
pub async fn run(
    address: SocketAddr,
    tables: Tables,
    pace: Duration,
    length: Duration,
    mischief: Mischief,
) -> anyhow::Result<Played> {
    let (bare, traffic) = (tables.bare, Arc::clone(&tables.traffic));
    let tables = tables.start().await?;
    let end = Instant::now() + length;
    let before = load(&traffic);
    let mut floods = JoinSet::new();
    for _ in 0..mischief.floods {
        floods.spawn(flood(address, end));
    }
    let (tables, mut all) = rounds::play(tables, pace, end, mischief).await?;
    let mut finishing = JoinSet::new();
    for table in tables {
        finishing.spawn(table.finish());
    }
    let mut kept = None;
    while let Some(done) = finishing.join_next().await {
        let (table, played) = done??;
        all.lost += played.lost;
        all.closed += played.closed;
        kept = Some(table);
    }
    let (frames, bytes) = load(&traffic);
    (all.event_frames, all.event_bytes) = (frames - before.0, bytes - before.1);
    if let Some(table) = kept.filter(|_| !bare) {
        (all.missed_bytes, all.snapshot_bytes) = reconnects(address, table).await?;
    }
    Ok(all)
}

fn load(traffic: &Traffic) -> (u64, u64) {
    (
        traffic.event_frames.load(Ordering::Relaxed),
        traffic.event_bytes.load(Ordering::Relaxed),
    )
}

/// Senseless frames on one socket after the other; the relay closes each.
async fn flood(address: SocketAddr, end: Instant) {
    while Instant::now() < end {
        let Ok((mut socket, _)) =
            tokio_tungstenite::connect_async(format!("ws://{address}/ws")).await
        else {
            return;
        };
        for length in 0..500_usize {
            let junk = Message::Binary(vec![0xA5; length % 200].into());
            if socket.send(junk).await.is_err() {
                break;
            }
        }
    }
}

/// The bytes that come to somebody who comes back at about ply 60 after ten missed plies, and to
/// somebody who knows nothing.
async fn reconnects(address: SocketAddr, old: Table) -> anyhow::Result<(u64, u64)> {
    let traffic = Arc::clone(&old.traffic);
    drop(old);
    let mut table = Table::seat(address, usize::MAX / 8, false, traffic).await?;
    table.begin().await?;
    while table.sent < 50 {
        if table.play().await?.is_none() {
            bail!("no fifty plies");
        }
        table.until(Table::all_have_seen).await?;
    }
    table.clients[3] = None;
    while table.sent < 60 {
        // Whoever is away cannot move: the plies are made on the other board.
        let away = table.boards.seat_to_move(BoardId::B).index() == 3;
        let board = if away { BoardId::A } else { BoardId::B };
        let before = table.sent;
        for _ in 0..50 {
            if table.sent > before {
                break;
            }
            let mut probe = table.boards;
            let plies = probe.position(board).legal_plies();
            let ply = plies[table.random.below(plies.len())];
            if probe.play(board, ply).is_ok() && probe.judge(Some(board)).is_none() {
                let seat = table.boards.seat_to_move(board).index();
                let command = Command::Play {
                    match_no: MatchNo(table.match_no),
                    board,
                    answers: table.boards.plies(board),
                    ply,
                };
                table.boards = probe;
                table.sent += 1;
                table.ask(seat, command).await?;
            }
        }
        table.until(Table::all_have_seen).await?;
    }
    let hello = table.links[3].hello(table.code, token(4 * table.number + 3), "");
    let missed = bytes_of(address, &hello, |message| {
        matches!(message, ServerMessage::People(_))
    })
    .await?;
    let anew = Link::new(9).hello(table.code, token(4 * table.number + 3), "");
    let snapshot = bytes_of(address, &anew, |message| {
        matches!(message, ServerMessage::People(_))
    })
    .await?;
    Ok((missed, snapshot))
}

/// The bytes of all frames from the hello up to one that is so.
async fn bytes_of(
    address: SocketAddr,
    hello: &ClientMessage,
    is_last: impl Fn(&ServerMessage) -> bool,
) -> anyhow::Result<u64> {
    let (mut socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/ws")).await?;
    socket.send(Message::Binary(encode(hello).into())).await?;
    let mut bytes = 0;
    while let Some(message) = socket.next().await {
        if let Message::Binary(frame) = message? {
            bytes += framed(&frame);
            if is_last(&decode::<ServerMessage>(&frame)?) {
                return Ok(bytes);
            }
        }
    }
    bail!("the relay closed the socket")
}
