//! One socket, and what has come over it.
//!
//! What puts load on a relay must cost less than the relay: once the handshake is made, frames are
//! read and written here with nothing between them and the socket, and while all play, not even the
//! runtime.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use anyhow::Context as _;
use tandem_core::protocol::{ServerMessage, decode};
use tokio::io::{AsyncRead as _, AsyncWriteExt as _, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// What came to all clients.
#[derive(Debug, Default)]
pub struct Traffic {
    /// Frames of events, and their bytes with the WebSocket header.
    pub event_frames: AtomicU64,
    pub event_bytes: AtomicU64,
}

/// What reaches the player of a table.
pub enum Came {
    Message(Box<ServerMessage>, Instant),
    Closed,
}

/// The kinds of frames, as RFC 6455 numbers them.
const BINARY: u8 = 2;
const PING: u8 = 9;
const PONG: u8 = 10;

/// A socket for which the runtime waits, or whoever asks it.
enum Stream {
    Awaited(TcpStream),
    Plain(std::net::TcpStream),
}

/// The socket of one player.
pub struct Client {
    stream: Stream,
    /// What has come and is not taken yet, from `taken` on.
    buffer: Vec<u8>,
    taken: usize,
    /// When it came.
    read_at: Instant,
    stalled: bool,
    traffic: Arc<Traffic>,
}

impl Client {
    /// Connects to the socket of a relay.
    pub async fn connect(address: SocketAddr, traffic: Arc<Traffic>) -> anyhow::Result<Client> {
        let stream = TcpStream::connect(address)
            .await
            .context("cannot connect")?;
        stream.set_nodelay(true)?;
        let url = format!("ws://{address}/ws");
        let (socket, _) = tokio_tungstenite::client_async(url, stream)
            .await
            .context("cannot connect")?;
        // Nothing comes before the hello, so nothing is lost with the socket's buffers.
        Ok(Client {
            stream: Stream::Awaited(socket.into_inner()),
            buffer: Vec::new(),
            taken: 0,
            read_at: Instant::now(),
            stalled: false,
            traffic,
        })
    }

    /// The same, no longer awaited by the runtime.
    pub fn plain(self) -> anyhow::Result<Client> {
        let stream = match self.stream {
            Stream::Awaited(stream) => Stream::Plain(stream.into_std()?),
            plain => plain,
        };
        Ok(Client { stream, ..self })
    }

    /// The same, awaited by the runtime.
    pub fn awaited(self) -> anyhow::Result<Client> {
        let stream = match self.stream {
            Stream::Plain(stream) => Stream::Awaited(TcpStream::from_std(stream)?),
            awaited => awaited,
        };
        Ok(Client { stream, ..self })
    }

    /// The socket, if the runtime does not wait for it.
    pub fn socket(&self) -> Option<&std::net::TcpStream> {
        match &self.stream {
            Stream::Plain(stream) => Some(stream),
            Stream::Awaited(_) => None,
        }
    }

    /// Whether what comes is read.
    pub fn reads(&self) -> bool {
        !self.stalled
    }

    /// Reads nothing any more.
    pub fn stall(&mut self) {
        self.stalled = true;
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &[u8]) -> anyhow::Result<()> {
        let frame = masked(BINARY, message).context("the message is too long")?;
        match &mut self.stream {
            Stream::Awaited(stream) => stream.write_all(&frame).await?,
            // A few bytes, for which there is room unless the relay reads nothing.
            Stream::Plain(stream) => stream.write_all(&frame)?,
        }
        Ok(())
    }

    /// Adds all that has come to `all`, for sockets for which the runtime does not wait.
    pub fn read(&mut self, who: usize, all: &mut Vec<(usize, Came)>) {
        let Stream::Plain(stream) = &mut self.stream else {
            return;
        };
        let mut bytes = [0; 4_096];
        loop {
            let count = match stream.read(&mut bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Ok(0) | Err(_) => return all.push((who, Came::Closed)),
                Ok(count) => count,
            };
            self.read_at = Instant::now();
            self.buffer.extend_from_slice(&bytes[..count]);
            // There is no more: whatever comes from now on is told anew.
            if count < bytes.len() {
                break;
            }
        }
        loop {
            match self.take() {
                Ok(Some(came)) => all.push((who, came)),
                Ok(None) => return,
                Err(_) => return all.push((who, Came::Closed)),
            }
        }
    }

    /// The next message.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Came> {
        if self.stalled {
            return Poll::Pending;
        }
        loop {
            match self.take() {
                Ok(Some(came)) => return Poll::Ready(came),
                Ok(None) => {}
                Err(_) => return Poll::Ready(Came::Closed),
            }
            let Stream::Awaited(stream) = &mut self.stream else {
                return Poll::Pending;
            };
            let mut bytes = [0; 4_096];
            let mut read = ReadBuf::new(&mut bytes);
            let done = ready!(std::pin::Pin::new(stream).poll_read(cx, &mut read));
            if done.is_err() || read.filled().is_empty() {
                return Poll::Ready(Came::Closed);
            }
            self.read_at = Instant::now();
            self.buffer.extend_from_slice(read.filled());
        }
    }

    /// The next message of those that have come in whole.
    fn take(&mut self) -> anyhow::Result<Option<Came>> {
        while let Some((kind, from, to)) = frame(&self.buffer[self.taken..])? {
            let payload = self.taken + from..self.taken + to;
            let came = match kind {
                BINARY => {
                    let message = decode::<ServerMessage>(&self.buffer[payload])?;
                    if matches!(message, ServerMessage::Events { .. }) {
                        let bytes = u64::try_from(to)?;
                        self.traffic.event_frames.fetch_add(1, Ordering::Relaxed);
                        self.traffic.event_bytes.fetch_add(bytes, Ordering::Relaxed);
                    }
                    Some(Came::Message(Box::new(message), self.read_at))
                }
                PING => {
                    // The socket has room for it, or is so full that the relay learns of it anyway.
                    if let Some(pong) = masked(PONG, &self.buffer[payload]) {
                        let _ = match &mut self.stream {
                            Stream::Awaited(stream) => stream.try_write(&pong),
                            Stream::Plain(stream) => stream.write(&pong),
                        };
                    }
                    None
                }
                PONG => None,
                _ => Some(Came::Closed),
            };
            self.taken += to;
            if came.is_some() {
                return Ok(came);
            }
        }
        self.buffer.drain(..self.taken);
        self.taken = 0;
        // A snapshot's room is not kept for plies.
        if self.buffer.is_empty() {
            self.buffer.shrink_to(512);
        }
        Ok(None)
    }
}

/// A frame as clients send it. The mask is zero: there is nobody between to be protected.
fn masked(kind: u8, payload: &[u8]) -> Option<Vec<u8>> {
    let mut frame = Vec::with_capacity(payload.len() + 8);
    frame.push(0x80 | kind);
    if payload.len() < 126 {
        frame.push(0x80 | u8::try_from(payload.len()).ok()?);
    } else {
        frame.push(0x80 | 126);
        frame.extend_from_slice(&u16::try_from(payload.len()).ok()?.to_be_bytes());
    }
    frame.extend_from_slice(&[0; 4]);
    frame.extend_from_slice(payload);
    Some(frame)
}

/// The kind of the first frame from a relay, and where its payload begins and ends; `None` while it
/// has not come in whole.
fn frame(bytes: &[u8]) -> anyhow::Result<Option<(u8, usize, usize)>> {
    let &[first, second, ref rest @ ..] = bytes else {
        return Ok(None);
    };
    anyhow::ensure!(first & 0x80 != 0, "a relay sends no parts of messages");
    let (from, length) = match (second, rest) {
        (length @ 0..126, _) => (2, usize::from(length)),
        (126, &[high, low, ..]) => (4, usize::from(u16::from_be_bytes([high, low]))),
        (126, _) => return Ok(None),
        _ => anyhow::bail!("no message of a relay is so long"),
    };
    let to = from + length;
    Ok((bytes.len() >= to).then_some((first & 0x0F, from, to)))
}

/// The bytes of a message on the wire: a header of two bytes, or four above 125.
pub fn framed(message: &[u8]) -> u64 {
    let header = if message.len() < 126 { 2 } else { 4 };
    u64::try_from(message.len()).unwrap_or(u64::MAX) + header
}
