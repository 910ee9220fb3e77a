//! The way from a table to one connection: straight to the socket as long as that takes what comes,
//! else by way of a bounded queue; and a reason to close.
//!
//! A table writes to the sockets itself. At a ply, waking four tasks to have each write a few bytes
//! would cost as much as all the rest that the relay does.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use tandem_core::protocol::{Close, ServerMessage, encode};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::limits;

/// Names one connection, so that a retired one cannot speak for its successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineId(u64);

/// There was no room; the connection is to be closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

/// The table's end. When it is dropped without a word, the table has come to grief.
#[derive(Debug)]
pub(crate) struct Line {
    id: LineId,
    outbox: Arc<Outbox>,
    closing: oneshot::Sender<Close>,
}

/// The connection's end.
#[derive(Debug)]
pub(crate) struct LineEnd {
    /// What the table sends.
    pub(crate) outbox: Arc<Outbox>,
    /// Why the table closed the line. What was sent before is still to be delivered, if the reader
    /// takes it.
    pub(crate) closing: oneshot::Receiver<Close>,
}

/// A new line and its other end.
pub(crate) fn line(outbox: Arc<Outbox>) -> (Line, LineEnd) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let (closing_in, closing) = oneshot::channel();
    let line = Line {
        id: LineId(NEXT.fetch_add(1, Ordering::Relaxed)),
        outbox: Arc::clone(&outbox),
        closing: closing_in,
    };
    (line, LineEnd { outbox, closing })
}

/// A message as it goes over the wire; the same bytes serve every line.
pub(crate) fn frame(message: &ServerMessage) -> Bytes {
    on_the_wire(Frame::message(
        encode(message),
        OpCode::Data(Data::Binary),
        true,
    ))
}

fn on_the_wire(frame: Frame) -> Bytes {
    let mut bytes = Vec::with_capacity(frame.len());
    // A vector takes whatever is written to it.
    let _ = frame.format(&mut bytes);
    bytes.into()
}

impl Line {
    pub(crate) fn id(&self) -> LineId {
        self.id
    }

    /// Sends whole frames, in one piece. A connection that has ended by itself takes them without
    /// harm: it says so in the table's mailbox.
    ///
    /// # Errors
    /// When too much waits already.
    pub(crate) fn send(&self, frames: &[u8]) -> Result<(), Full> {
        self.outbox.send(frames, limits::OUTBOUND)
    }

    /// A ping that counts from now.
    pub(crate) fn ping(&self) -> Bytes {
        self.outbox.queue().pings.sent()
    }

    /// Closes the connection behind what has been sent.
    pub(crate) fn close(self, reason: Close) {
        // A connection that has ended by itself needs no reason.
        let _ = self.closing.send(reason);
    }
}

/// The writing half of a socket, with what it has not taken yet.
#[derive(Debug)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    /// Tells the connection that something waits.
    waiting: Notify,
}

#[derive(Debug)]
struct Queue {
    /// None where a test takes what would be written.
    socket: Option<OwnedWriteHalf>,
    /// What the socket has not taken, from `taken` on.
    bytes: Vec<u8>,
    taken: usize,
    pings: Pings,
}

impl Queue {
    fn is_empty(&self) -> bool {
        self.taken == self.bytes.len()
    }

    /// Gives the socket what it takes of this.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match &self.socket {
            None => Ok(0),
            Some(socket) => match socket.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
                written => written,
            },
        }
    }
}

impl Outbox {
    pub(crate) fn new(socket: Option<OwnedWriteHalf>) -> Arc<Outbox> {
        Arc::new(Outbox {
            queue: Mutex::new(Queue {
                socket,
                bytes: Vec::new(),
                taken: 0,
                pings: Pings::default(),
            }),
            waiting: Notify::new(),
        })
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends `frames` if no more than `most` bytes wait then, or nothing waits yet.
    fn send(&self, mut frames: &[u8], most: usize) -> Result<(), Full> {
        let mut queue = self.queue();
        if queue.is_empty() {
            match queue.try_write(frames) {
                Ok(written) => frames = &frames[written..],
                // The connection learns of it by reading.
                Err(_) => return Ok(()),
            }
            if frames.is_empty() {
                return Ok(());
            }
        } else if queue.bytes.len() - queue.taken + frames.len() > most {
            return Err(Full);
        }
        queue.bytes.extend_from_slice(frames);
        drop(queue);
        self.waiting.notify_one();
        Ok(())
    }

    /// Writes what waits until nothing does.
    fn poll_drained(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut queue = self.queue();
        loop {
            if queue.is_empty() {
                queue.bytes = Vec::new();
                queue.taken = 0;
                return Poll::Ready(Ok(()));
            }
            if let Some(socket) = &queue.socket {
                ready!(socket.as_ref().poll_write_ready(cx))?;
            }
            match queue.try_write(&queue.bytes[queue.taken..])? {
                0 if queue.socket.is_none() => return Poll::Pending,
                written => queue.taken += written,
            }
        }
    }

    /// Writes what waits, until nothing does.
    ///
    /// # Errors
    /// When the socket takes nothing any more.
    pub(crate) async fn drained(&self) -> io::Result<()> {
        poll_fn(|cx| self.poll_drained(cx)).await
    }

    /// Writes whatever comes to wait, for ever.
    ///
    /// # Errors
    /// When the socket takes nothing any more.
    pub(crate) async fn drain(&self) -> io::Result<()> {
        loop {
            self.waiting.notified().await;
            self.drained().await?;
        }
    }

    /// A ping came back; gives the round trip in milliseconds, if it was one of ours.
    pub(crate) fn came_back(&self, payload: &[u8]) -> Option<u32> {
        self.queue().pings.came_back(payload)
    }

    /// What waits, for tests without a socket.
    #[cfg(test)]
    pub(crate) async fn next(&self) -> Vec<u8> {
        loop {
            let bytes = std::mem::take(&mut self.queue().bytes);
            if !bytes.is_empty() {
                return bytes;
            }
            self.waiting.notified().await;
        }
    }
}

/// A socket for the WebSocket layer: what that writes goes the way of all frames, so that two never
/// mix.
#[derive(Debug)]
pub(crate) struct Socket {
    reading: OwnedReadHalf,
    outbox: Arc<Outbox>,
    /// How many bytes have come since they were last counted.
    came: usize,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream) -> Socket {
        let (reading, writing) = stream.into_split();
        let outbox = Outbox::new(Some(writing));
        Socket {
            reading,
            outbox,
            came: 0,
        }
    }

    /// How many bytes have come since the last time, what is around messages included.
    pub(crate) fn came(&mut self) -> usize {
        std::mem::take(&mut self.came)
    }

    /// Whether more has come than any message may be long, and still no message.
    pub(crate) fn is_flooded(&self) -> bool {
        self.came > limits::UNCOUNTED
    }

    pub(crate) fn outbox(&self) -> &Arc<Outbox> {
        &self.outbox
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = bytes.filled().len();
        ready!(Pin::new(&mut self.reading).poll_read(cx, bytes))?;
        self.came += bytes.filled().len() - before;
        Poll::Ready(if self.is_flooded() {
            Err(io::ErrorKind::QuotaExceeded.into())
        } else {
            Ok(())
        })
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        // It writes little, and whole frames at once: pongs, and the frame that closes.
        let sent = self.outbox.send(bytes, 2 * limits::OUTBOUND);
        let written = sent.map(|()| bytes.len());
        Poll::Ready(written.map_err(|Full| io::ErrorKind::StorageFull.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.outbox.poll_drained(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The socket itself is shut when both halves are dropped.
        self.outbox.poll_drained(cx)
    }
}

/// How many pings may be under way.
const PINGS: usize = 4;

/// The pings of one connection that are under way.
#[derive(Debug, Default)]
struct Pings {
    next: u32,
    sent: VecDeque<(u32, Instant)>,
}

impl Pings {
    /// A ping goes out now.
    fn sent(&mut self) -> Bytes {
        let nonce = self.next;
        self.next = nonce.wrapping_add(1);
        if self.sent.len() == PINGS {
            self.sent.pop_front();
        }
        self.sent.push_back((nonce, Instant::now()));
        on_the_wire(Frame::ping(Bytes::copy_from_slice(&nonce.to_be_bytes())))
    }

    fn came_back(&mut self, payload: &[u8]) -> Option<u32> {
        let nonce = u32::from_be_bytes(payload.try_into().ok()?);
        let place = self.sent.iter().position(|&(sent, _)| sent == nonce)?;
        let (_, at) = self.sent.remove(place)?;
        u32::try_from(at.elapsed().as_millis()).ok()
    }
}
