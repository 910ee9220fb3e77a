//! One socket: says whether frames are fit to be read, hands them to the table, and sends what the
//! table has to say. It knows no rules and no people.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tandem_core::protocol::{
    ClientMessage, Close, FRAME_MAX, Hello, VERSION, decode, hello_version,
};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use crate::limits::{Allowance, Rate};
use crate::line::{LineEnd, LineId, Outgoing, line};
use crate::table_task::Input;
use crate::{Relay, stopped};

/// What the WebSocket layer takes: frames between this and [`FRAME_MAX`] are read and answered with
/// a proper closing handshake, longer ones are not even read.
pub(crate) const FRAME_READ_MAX: usize = 16 * FRAME_MAX;

/// How long what is in the queue may take when a table has closed the line.
const DRAIN_WITHIN: Duration = Duration::from_secs(1);

/// How long the closing handshake may take.
const HANG_UP_WITHIN: Duration = Duration::from_secs(2);

/// How long the closing frame has to arrive when the other side keeps sending what nobody reads:
/// giving the socket back resets it.
const LINGER: Duration = Duration::from_millis(500);

/// How many pings may be under way.
const PINGS: usize = 4;

type Sink = SplitSink<WebSocket, Message>;

/// Serves a socket until it ends. `admitted` says whether the relay takes it at all.
pub(crate) async fn serve(
    socket: WebSocket,
    relay: Arc<Relay>,
    address: IpAddr,
    admitted: Result<(), Close>,
) {
    let (mut sink, stream) = socket.split();
    let mut reader = Reader {
        stream,
        frames: (
            Allowance::full(Instant::now()),
            Rate::per_second(relay.config.frames_per_second),
        ),
        bytes: (
            Allowance::full(Instant::now()),
            Rate::per_second(relay.config.bytes_per_second),
        ),
    };
    let reason = match admitted {
        Ok(()) => attend(&mut sink, &mut reader, &relay, address).await,
        Err(reason) => Err(Some(reason)),
    };
    if let Err(Some(reason)) = reason {
        relay.metrics.closed(reason);
        hang_up(sink, reader, reason).await;
    }
}

/// How a connection ends: closed by the relay for a reason, or by the other side.
type Ended<T> = Result<T, Option<Close>>;

async fn attend(sink: &mut Sink, reader: &mut Reader, relay: &Relay, address: IpAddr) -> Ended<()> {
    let mut stopping = relay.stopping.clone();
    let hello = tokio::select! {
        hello = timeout(relay.config.hello_within, reader.hello()) => {
            hello.unwrap_or(Err(Some(Close::HelloExpected)))?
        }
        () = stopped(&mut stopping) => return Err(Some(Close::Restart)),
    };
    if relay.visitors.guesses(address) {
        // Not even a code that is right helps then, or guessing would pay.
        return Err(Some(Close::TooManyGuesses));
    }
    let Some(mailbox) = relay.registry.find(hello.table) else {
        relay.visitors.guessed(address);
        return Err(Some(Close::UnknownTable));
    };
    let (line, end) = line();
    let id = line.id();
    if mailbox.send(Input::Hello { hello, line }).await.is_err() {
        // The table ended between being found and being reached.
        let stopping = *relay.stopping.borrow();
        return Err(Some(if stopping {
            Close::Restart
        } else {
            Close::UnknownTable
        }));
    }
    let pings = Pings::default();
    let ended = tokio::select! {
        ended = read(reader, &mailbox, id, &pings) => ended,
        ended = write(sink, end, &pings) => ended,
        () = blocked(relay, address) => Some(Close::Blocked),
    };
    // The table ignores this when it closed the line itself.
    let _ = mailbox.send(Input::Gone { from: id }).await;
    // A table that stops before it has read the hello gives no reason.
    let stops = ended == Some(Close::TableClosed) && *relay.stopping.borrow();
    Err(if stops { Some(Close::Restart) } else { ended })
}

/// Ends when the operator blocks the address.
async fn blocked(relay: &Relay, address: IpAddr) {
    let mut blocks = relay.blocks.clone();
    if blocks.wait_for(|blocks| blocks.has(address)).await.is_err() {
        // Nobody can block anything where nothing is kept.
        std::future::pending().await
    }
}

/// Hands frames to the table until one of them, or the other side, ends the connection.
async fn read(
    reader: &mut Reader,
    mailbox: &mpsc::Sender<Input>,
    from: LineId,
    pings: &Pings,
) -> Option<Close> {
    loop {
        let input = match reader.frame().await {
            Err(ended) => return ended,
            Ok(Frame::Pong(payload)) => match pings.came_back(&payload) {
                Some(round_trip_ms) => Input::Measured {
                    from,
                    round_trip_ms,
                },
                None => continue,
            },
            Ok(Frame::Message(bytes)) => match decode(&bytes) {
                Ok(ClientMessage::Command { id, command }) => Input::Command { from, id, command },
                Ok(ClientMessage::Echo) => Input::Echo { from },
                Ok(ClientMessage::Resync(have)) => Input::Resync { from, have },
                Ok(ClientMessage::Hello(_)) => return Some(Close::HelloExpected),
                Err(_) => return Some(Close::BadFrame),
            },
            #[cfg(test)]
            Ok(Frame::Fault) => Input::Fault,
        };
        if mailbox.send(input).await.is_err() {
            // The table has ended; the other half hears why.
            std::future::pending::<()>().await;
        }
    }
}

/// Sends what the table has to say until it closes the line.
async fn write(sink: &mut Sink, end: LineEnd, pings: &Pings) -> Option<Close> {
    let LineEnd {
        mut frames,
        mut closing,
    } = end;
    let drained = drain(sink, &mut frames, pings);
    tokio::pin!(drained);
    tokio::select! {
        sent = &mut drained => match sent {
            // A table that closes gives the reason before it lets go of the queue.
            Ok(()) => Some(closing.try_recv().unwrap_or(Close::TableClosed)),
            Err(_) => None,
        },
        reason = &mut closing => {
            let _ = timeout(DRAIN_WITHIN, drained).await;
            Some(reason.unwrap_or(Close::TableClosed))
        }
    }
}

async fn drain(
    sink: &mut Sink,
    frames: &mut mpsc::Receiver<Outgoing>,
    pings: &Pings,
) -> Result<(), axum::Error> {
    while let Some(outgoing) = frames.recv().await {
        sink.feed(message(outgoing, pings)).await?;
        // What belongs together goes out together.
        while let Ok(outgoing) = frames.try_recv() {
            sink.feed(message(outgoing, pings)).await?;
        }
        sink.flush().await?;
    }
    Ok(())
}

fn message(outgoing: Outgoing, pings: &Pings) -> Message {
    match outgoing {
        Outgoing::Frame(bytes) => Message::Binary(bytes),
        Outgoing::Ping => Message::Ping(pings.sent()),
    }
}

async fn hang_up(mut sink: Sink, mut reader: Reader, reason: Close) {
    tracing::debug!(
        code = reason.code(),
        "a socket is closed: {}",
        reason.reason()
    );
    let frame = CloseFrame {
        code: reason.code(),
        reason: reason.reason().into(),
    };
    let handshake = async {
        if sink.send(Message::Close(Some(frame))).await.is_ok() {
            while let Some(Ok(_)) = reader.stream.next().await {}
        }
    };
    // Whoever does not take part is left alone.
    let _ = timeout(HANG_UP_WITHIN, handshake).await;
    if reason == Close::FrameTooLong {
        sleep(LINGER).await;
    }
}

/// A frame fit to be read.
enum Frame {
    Message(Bytes),
    Pong(Bytes),
    /// Only relays under test know this: the table is to come to grief.
    #[cfg(test)]
    Fault,
}

struct Reader {
    stream: SplitStream<WebSocket>,
    /// How many more may come, and how fast that is made good.
    frames: (Allowance, Rate),
    bytes: (Allowance, Rate),
}

impl Reader {
    /// The next frame that is for somebody.
    async fn frame(&mut self) -> Ended<Frame> {
        loop {
            let message = match self.stream.next().await {
                None => return Err(None),
                Some(Err(error)) => return Err(fault(&error)),
                Some(Ok(message)) => message,
            };
            match &message {
                Message::Binary(bytes) if bytes.len() > FRAME_MAX => {
                    return Err(Some(Close::FrameTooLong));
                }
                Message::Text(text) if text.len() > FRAME_MAX => {
                    return Err(Some(Close::FrameTooLong));
                }
                _ => {}
            }
            if !self.allows(&message) {
                return Err(Some(Close::TooMuch));
            }
            match message {
                Message::Binary(bytes) => return Ok(Frame::Message(bytes)),
                #[cfg(test)]
                Message::Text(text) if text == "fault" => return Ok(Frame::Fault),
                Message::Text(_) => return Err(Some(Close::BadFrame)),
                Message::Pong(payload) => return Ok(Frame::Pong(payload)),
                // The WebSocket layer has answered it.
                Message::Ping(_) => {}
                Message::Close(_) => return Err(None),
            }
        }
    }

    /// Whether this frame is within what the connection may send.
    fn allows(&mut self, message: &Message) -> bool {
        let now = Instant::now();
        let length = match message {
            Message::Binary(bytes) | Message::Ping(bytes) | Message::Pong(bytes) => bytes.len(),
            Message::Text(text) => text.len(),
            Message::Close(_) => 0,
        };
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let (frames, rate) = &mut self.frames;
        let (bytes, byte_rate) = &mut self.bytes;
        frames.take(now, *rate) && bytes.take_many(now, *byte_rate, length)
    }

    /// The first frame.
    async fn hello(&mut self) -> Ended<Hello> {
        let bytes = loop {
            if let Frame::Message(bytes) = self.frame().await? {
                break bytes;
            }
        };
        if hello_version(&bytes).is_some_and(|version| version != VERSION) {
            return Err(Some(Close::OtherVersion));
        }
        match decode(&bytes) {
            Ok(ClientMessage::Hello(hello)) => Ok(hello),
            Ok(_) => Err(Some(Close::HelloExpected)),
            Err(_) => Err(Some(Close::BadFrame)),
        }
    }
}

/// What an error of the WebSocket layer means for the connection.
fn fault(error: &axum::Error) -> Option<Close> {
    use std::error::Error as _;
    use tungstenite::Error;
    use tungstenite::error::ProtocolError;
    match error.source().and_then(|source| source.downcast_ref())? {
        Error::Capacity(_) => Some(Close::FrameTooLong),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Error::Protocol(_) | Error::Utf8(_) => Some(Close::BadFrame),
        _ => None,
    }
}

/// The pings of one connection that are under way.
#[derive(Debug, Default)]
struct Pings(Mutex<UnderWay>);

#[derive(Debug, Default)]
struct UnderWay {
    next: u32,
    sent: VecDeque<(u32, Instant)>,
}

impl Pings {
    fn with<T>(&self, work: impl FnOnce(&mut UnderWay) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A ping goes out now; gives what is in it.
    fn sent(&self) -> Bytes {
        self.with(|pings| {
            let nonce = pings.next;
            pings.next = nonce.wrapping_add(1);
            if pings.sent.len() == PINGS {
                pings.sent.pop_front();
            }
            pings.sent.push_back((nonce, Instant::now()));
            Bytes::copy_from_slice(&nonce.to_be_bytes())
        })
    }

    /// A pong came in now; gives the round trip in milliseconds, if it answers a ping.
    fn came_back(&self, payload: &[u8]) -> Option<u32> {
        let nonce = u32::from_be_bytes(payload.try_into().ok()?);
        self.with(|pings| {
            let place = pings.sent.iter().position(|&(sent, _)| sent == nonce)?;
            let (_, at) = pings.sent.remove(place)?;
            u32::try_from(at.elapsed().as_millis()).ok()
        })
    }
}
