//! The way from a table to one connection: a bounded queue of frames, and a reason to close.

use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use tandem_core::protocol::Close;
use tokio::sync::{mpsc, oneshot};

use crate::limits;

/// Names one connection, so that a retired one cannot speak for its successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineId(u64);

/// What a table sends to a connection.
#[derive(Clone, Debug)]
pub(crate) enum Outgoing {
    /// An encoded message.
    Frame(Bytes),
    /// A ping, to measure the round trip.
    Ping,
}

/// A frame found no room; the connection is to be closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

/// The table's end. When it is dropped without a word, the table has come to grief.
#[derive(Debug)]
pub(crate) struct Line {
    id: LineId,
    frames: mpsc::Sender<Outgoing>,
    closing: oneshot::Sender<Close>,
}

/// The connection's end.
#[derive(Debug)]
pub(crate) struct LineEnd {
    /// What is to be sent; it ends when the table has closed the line.
    pub(crate) frames: mpsc::Receiver<Outgoing>,
    /// Why the table closed the line. What is in the queue by then is still sent, if the reader
    /// takes it.
    pub(crate) closing: oneshot::Receiver<Close>,
}

/// A new line and its other end.
pub(crate) fn line() -> (Line, LineEnd) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let (frames_in, frames) = mpsc::channel(limits::OUTBOUND);
    let (closing_in, closing) = oneshot::channel();
    let line = Line {
        id: LineId(NEXT.fetch_add(1, Ordering::Relaxed)),
        frames: frames_in,
        closing: closing_in,
    };
    (line, LineEnd { frames, closing })
}

impl Line {
    pub(crate) fn id(&self) -> LineId {
        self.id
    }

    /// Puts a frame in the queue. A connection that has ended by itself takes frames without harm:
    /// it says so in the table's mailbox.
    ///
    /// # Errors
    /// When the queue is full.
    pub(crate) fn send(&self, outgoing: Outgoing) -> Result<(), Full> {
        match self.frames.try_send(outgoing) {
            Err(mpsc::error::TrySendError::Full(_)) => Err(Full),
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => Ok(()),
        }
    }

    /// Closes the connection behind what is in the queue.
    pub(crate) fn close(self, reason: Close) {
        // A connection that has ended by itself needs no reason.
        let _ = self.closing.send(reason);
    }
}
