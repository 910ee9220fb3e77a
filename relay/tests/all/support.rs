//! A relay on a free port, and players at it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tandem_core::protocol::{ClientMessage, CommandId, Have, Hello, ServerMessage, Token, VERSION};
use tandem_core::protocol::{decode, encode};
use tandem_core::replica::{Notice, Replica};
use tandem_core::table::{Command, PlayerId, Refusal, Seq, Stamped, State};
use tandem_core::{BoardId, Ply, Seat, TableCode};
use tandem_relay::{Config, run};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// After how long a state that has not come will not come.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A relay in this process.
pub struct Relay {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Relay {
    pub async fn start() -> Relay {
        Relay::with(Config::default()).await
    }

    pub async fn with(config: Config) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Relay::on(listener, config)
    }

    pub fn on(listener: TcpListener, config: Config) -> Relay {
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(run(listener, config, || {}, async move {
            let _ = stopped.await;
        }));
        Relay {
            address,
            stop: Some(stop),
            serving,
        }
    }

    pub async fn open_table(&self) -> TableCode {
        open_table(self.address, "/").await
    }

    /// Asks the relay to stop and waits until it has.
    pub async fn stop(mut self) {
        let _ = self.stop.take().unwrap().send(());
        timeout(PATIENCE, self.serving)
            .await
            .expect("the relay does not stop")
            .unwrap()
            .unwrap();
    }
}

/// An answer over HTTP.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Asks over HTTP, with more header lines if there are any.
pub async fn http(address: SocketAddr, method: &str, path: &str, more: &[&str]) -> Answer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let more: String = more.iter().map(|line| format!("{line}\r\n")).collect();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Length: 0\r\n{more}\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut bytes))
        .await
        .expect("no answer")
        .unwrap();
    let end = bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .expect("no head");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    Answer {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head,
        body: bytes[end + 4..].to_vec(),
    }
}

pub async fn open_table(address: SocketAddr, base: &str) -> TableCode {
    let answer = http(address, "POST", &format!("{base}tables"), &[]).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["code"].as_str().unwrap().parse().unwrap()
}

/// A bare socket, without a hello.
pub async fn socket(address: SocketAddr) -> Socket {
    connect_async(format!("ws://{address}/ws")).await.unwrap().0
}

/// The first frame of somebody new.
pub fn hello(table: TableCode) -> Hello {
    Hello {
        version: VERSION,
        table,
        token: new_token(),
        session: 1,
        next_command: 1,
        name: String::new(),
        have: None,
    }
}

pub fn binary(message: &ClientMessage) -> Message {
    Message::Binary(encode(message).into())
}

/// Reads until the socket is closed; gives the close code, 1006 when there was none.
pub async fn close_code<S>(socket: &mut S) -> u16
where
    S: futures_util::Stream<Item = Result<Message, tungstenite::Error>> + Unpin,
{
    let closed = async {
        loop {
            match socket.next().await {
                Some(Ok(Message::Close(frame))) => {
                    return frame.map_or(1005, |frame| frame.code.into());
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return 1006,
            }
        }
    };
    timeout(PATIENCE, closed)
        .await
        .expect("nobody closes the socket")
}

pub fn new_token() -> Token {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let mut token = [7; 16];
    token[..4].copy_from_slice(&NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes());
    Token(token)
}

/// What a player's page knows, and what has come over its present connection.
pub struct Page {
    pub replica: Replica,
    pub received: Vec<ServerMessage>,
    pub notices: Vec<Notice>,
    pub closed: Option<u16>,
    /// Every event that has come over any connection, by its number.
    pub log: BTreeMap<Seq, Stamped>,
    /// Every table that has come whole over any connection, by the number of its last event.
    pub whole: BTreeMap<Seq, State>,
    /// Numbers under which two different events have come, which must not be.
    pub contradictions: Vec<Seq>,
    /// Every command, and what came of it.
    pub asked: BTreeMap<CommandId, Command>,
    pub answers: BTreeMap<CommandId, Result<(), Refusal>>,
}

impl Page {
    /// Whether every command has its answer.
    pub fn is_answered(&self) -> bool {
        self.asked.len() == self.answers.len()
    }

    fn note(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::Events { first, events } => {
                for (seq, event) in (*first..).zip(events) {
                    let before = self.log.insert(seq, event.clone());
                    if before.is_some_and(|before| before != *event) {
                        self.contradictions.push(seq);
                    }
                }
            }
            ServerMessage::Snapshot(state) => {
                self.whole.insert(state.seq(), State::clone(state));
            }
            ServerMessage::Answer { id, result } => {
                self.answers.insert(*id, *result);
            }
            _ => {}
        }
    }

    fn ask(&mut self, message: &ClientMessage) {
        if let ClientMessage::Command { id, command } = message {
            self.asked.insert(*id, command.clone());
        }
    }

    pub fn refusals(&self) -> Vec<Refusal> {
        self.notices
            .iter()
            .filter_map(|notice| match notice {
                Notice::Refused { refusal, .. } => Some(*refusal),
                Notice::TakenBack { refusal, .. } => *refusal,
                _ => None,
            })
            .collect()
    }

    /// How many snapshots, frames of events and events have come.
    pub fn counts(&self) -> (usize, usize, usize) {
        let mut counts = (0, 0, 0);
        for message in &self.received {
            match message {
                ServerMessage::Snapshot(_) => counts.0 += 1,
                ServerMessage::Events { events, .. } => {
                    counts.1 += 1;
                    counts.2 += events.len();
                }
                _ => {}
            }
        }
        counts
    }
}

/// What a page's connection is to do.
enum Do {
    Send(Message),
    /// Send the first half of a frame, and be gone.
    HalfAFrame,
    /// Read no more, or read again.
    Read(bool),
}

/// Somebody at a table, whose page echoes beats by itself as a browser would.
pub struct Player {
    address: SocketAddr,
    table: TableCode,
    pub token: Token,
    page: watch::Sender<Page>,
    line: mpsc::UnboundedSender<Do>,
    connection: JoinHandle<()>,
    started: Instant,
}

impl Player {
    pub async fn join(address: SocketAddr, table: TableCode, name: &str) -> Player {
        Player::with_token(address, table, name, new_token()).await
    }

    pub async fn with_token(
        address: SocketAddr,
        table: TableCode,
        name: &str,
        token: Token,
    ) -> Player {
        static SESSION: AtomicU32 = AtomicU32::new(1);
        let page = watch::Sender::new(Page {
            replica: Replica::new(SESSION.fetch_add(1, Ordering::Relaxed)),
            received: Vec::new(),
            notices: Vec::new(),
            closed: None,
            log: BTreeMap::new(),
            whole: BTreeMap::new(),
            contradictions: Vec::new(),
            asked: BTreeMap::new(),
            answers: BTreeMap::new(),
        });
        let started = Instant::now();
        let (line, connection) = connect(address, table, token, name, &page, started)
            .await
            .expect("a connection");
        Player {
            address,
            table,
            token,
            page,
            line,
            connection,
            started,
        }
    }

    /// Joins and waits until the state is there.
    pub async fn seated(address: SocketAddr, table: TableCode, seat: Seat) -> Player {
        let player = Player::join(address, table, &seat.to_string()).await;
        player
            .until("state", |page| page.replica.state().is_some())
            .await;
        player.send(Command::Sit(seat));
        player
            .until("a seat", |page| page.replica.seat() == Some(seat))
            .await;
        player
    }

    /// The line is cut without a word.
    pub fn cut(&mut self) {
        self.connection.abort();
        self.page
            .send_modify(|page| page.closed = page.closed.or(Some(1006)));
    }

    /// The line is cut in the midst of a frame.
    pub fn cut_in_a_frame(&self) {
        let _ = self.line.send(Do::HalfAFrame);
    }

    /// Reads no more, or reads again.
    pub fn read(&self, reads: bool) {
        let _ = self.line.send(Do::Read(reads));
    }

    /// A new connection of the same page.
    pub async fn reconnect(&mut self) {
        assert!(self.try_reconnect().await, "the relay cannot be reached");
    }

    /// A new connection of the same page, if the relay can be reached.
    pub async fn try_reconnect(&mut self) -> bool {
        self.connection.abort();
        // Nothing comes over the old one any more.
        let _ = (&mut self.connection).await;
        self.page.send_modify(|page| {
            page.received.clear();
            page.notices.clear();
            page.closed = None;
        });
        let connected = connect(
            self.address,
            self.table,
            self.token,
            "",
            &self.page,
            self.started,
        )
        .await;
        match connected {
            Ok(connected) => {
                (self.line, self.connection) = connected;
                true
            }
            Err(_) => {
                self.connection = tokio::spawn(async {});
                self.page.send_modify(|page| page.closed = Some(1006));
                false
            }
        }
    }

    /// Follows what becomes of the page.
    pub fn watch(&self) -> watch::Receiver<Page> {
        self.page.subscribe()
    }

    pub fn local(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap()
    }

    /// Looks at the page as it is now.
    pub fn see<T>(&self, look: impl FnOnce(&Page) -> T) -> T {
        look(&self.page.borrow())
    }

    pub fn me(&self) -> PlayerId {
        self.see(|page| page.replica.me().unwrap())
    }

    /// Waits until the page is so.
    pub async fn until(&self, what: &str, is_so: impl FnMut(&Page) -> bool) {
        self.until_within(PATIENCE, what, is_so).await;
    }

    /// Waits longer than usual until the page is so.
    pub async fn until_within(
        &self,
        patience: Duration,
        what: &str,
        is_so: impl FnMut(&Page) -> bool,
    ) {
        let mut page = self.page.subscribe();
        let waited = timeout(patience, page.wait_for(is_so)).await.is_ok();
        assert!(
            waited,
            "{what} does not come; closed: {:?}, refused: {:?}",
            self.see(|page| page.closed),
            self.see(Page::refusals)
        );
    }

    /// Waits until the connection is closed; gives the code.
    pub async fn closed(&self) -> u16 {
        self.until("the close", |page| page.closed.is_some()).await;
        self.see(|page| page.closed.unwrap())
    }

    pub fn send(&self, command: Command) {
        self.page.send_modify(|page| {
            let message = page.replica.send(command).unwrap();
            page.ask(&message);
            let _ = self.line.send(Do::Send(binary(&message)));
        });
    }

    pub fn send_raw(&self, message: Message) {
        let _ = self.line.send(Do::Send(message));
    }

    /// Plays a ply given in UCI; it is on the own screen at once.
    pub fn play(&self, ply: &str) {
        let local = self.local();
        self.page.send_modify(|page| {
            let message = page.replica.play(ply.parse().unwrap(), local).unwrap();
            page.ask(&message);
            let _ = self.line.send(Do::Send(binary(&message)));
        });
    }

    /// Plays what `choose` finds, if that can be played: the page may have gone on meanwhile.
    pub fn play_any(&self, choose: impl FnOnce(&Replica) -> Option<Ply>) {
        let local = self.local();
        self.page.send_modify(|page| {
            if let Some(ply) = choose(&page.replica)
                && let Ok(message) = page.replica.play(ply, local)
            {
                page.ask(&message);
                let _ = self.line.send(Do::Send(binary(&message)));
            }
        });
    }

    /// What the page would say that it has.
    pub fn have(&self) -> Have {
        let hello = self.see(|page| page.replica.hello(self.table, self.token, ""));
        match hello {
            ClientMessage::Hello(hello) => hello.have.unwrap(),
            other => panic!("no hello: {other:?}"),
        }
    }

    /// Waits until the last refusal is this one.
    pub async fn refused(&self, refusal: Refusal) {
        self.until(&format!("refusal {refusal:?}"), |page| {
            page.refusals().last() == Some(&refusal)
        })
        .await;
    }
}

async fn connect(
    address: SocketAddr,
    table: TableCode,
    token: Token,
    name: &str,
    page: &watch::Sender<Page>,
    started: Instant,
) -> Result<(mpsc::UnboundedSender<Do>, JoinHandle<()>), tungstenite::Error> {
    let (mut socket, _) = connect_async(format!("ws://{address}/ws")).await?;
    let hello = page.borrow().replica.hello(table, token, name);
    socket.send(binary(&hello)).await?;
    let (line, mut outgoing) = mpsc::unbounded_channel();
    let page = page.clone();
    let connection = tokio::spawn(async move {
        let mut reads = true;
        loop {
            let message = tokio::select! {
                Some(wanted) = outgoing.recv() => {
                    match wanted {
                        Do::Send(message) => {
                            if socket.send(message).await.is_err() {
                                break;
                            }
                        }
                        Do::HalfAFrame => {
                            // A masked frame of a hundred bytes, of which ten come.
                            let half = [&[0x82, 0x80 | 100, 1, 2, 3, 4][..], &[7; 10]].concat();
                            let _ = socket.get_mut().write_all(&half).await;
                            break;
                        }
                        Do::Read(wanted) => reads = wanted,
                    }
                    continue;
                }
                message = socket.next(), if reads => message,
            };
            match message {
                Some(Ok(Message::Binary(bytes))) => {
                    let message: ServerMessage = decode(&bytes).expect("a frame that can be read");
                    let local = u64::try_from(started.elapsed().as_millis()).unwrap();
                    let mut replies = Vec::new();
                    page.send_modify(|page| {
                        page.note(&message);
                        page.received.push(message.clone());
                        let (notices, wanted) = page.replica.receive(message, local);
                        page.notices.extend(notices);
                        replies = wanted;
                    });
                    for reply in replies {
                        let _ = socket.send(binary(&reply)).await;
                    }
                }
                Some(Ok(Message::Close(frame))) => {
                    let code = frame.map_or(1005, |frame| frame.code.into());
                    page.send_modify(|page| page.closed = Some(code));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => break,
            }
        }
        page.send_modify(|page| page.closed = page.closed.or(Some(1006)));
    });
    Ok((line, connection))
}

/// Four players on their seats, in the order of [`Seat::ALL`].
pub async fn four(address: SocketAddr, table: TableCode) -> [Player; 4] {
    let [a, b, c, d] = Seat::ALL;
    [
        Player::seated(address, table, a).await,
        Player::seated(address, table, b).await,
        Player::seated(address, table, c).await,
        Player::seated(address, table, d).await,
    ]
}

/// Everyone gets ready, and the match begins.
pub async fn start(players: &[Player; 4]) {
    for player in players {
        player.send(Command::SetReady(true));
    }
    for player in players {
        player
            .until("the start", |page| page.replica.game().is_some())
            .await;
    }
}

/// Plays one ply after the other; each is seen by everyone before the next.
pub async fn script(players: &[Player; 4], plies: &[(BoardId, &str)]) {
    for (number, &(board, ply)) in plies.iter().enumerate() {
        let seat =
            players[0].see(|page| page.replica.boards().expect("a match").seat_to_move(board));
        let before = players[0].see(|page| page.replica.game().unwrap().plies().len());
        players[seat.index()].play(ply);
        for player in players {
            player
                .until(&format!("ply {number}, {ply}"), |page| {
                    page.replica.game().unwrap().plies().len() > before
                })
                .await;
        }
    }
}

/// A mate on board B by a pawn that was won on board A: seven plies, then the drop.
pub const WON_ON_A: &[(BoardId, &str)] = &[
    (BoardId::A, "e2e4"),
    (BoardId::B, "a2a3"),
    (BoardId::A, "d7d5"),
    (BoardId::B, "e7e5"),
    (BoardId::B, "b2b3"),
    (BoardId::B, "f8c5"),
    (BoardId::B, "f2f3"),
    (BoardId::A, "e4d5"),
    (BoardId::B, "P@f2"),
];

/// The same the other way round.
pub const WON_ON_B: &[(BoardId, &str)] = &[
    (BoardId::B, "e2e4"),
    (BoardId::A, "a2a3"),
    (BoardId::B, "d7d5"),
    (BoardId::A, "e7e5"),
    (BoardId::A, "b2b3"),
    (BoardId::A, "f8c5"),
    (BoardId::A, "f2f3"),
    (BoardId::B, "e4d5"),
    (BoardId::A, "P@f2"),
];
