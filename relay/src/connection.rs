//! One socket: says whether frames are fit to be read, hands them to the table, and sends what the
//! table has to say. It knows no rules and no people.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use tandem_core::protocol::{
    ClientMessage, Close, FRAME_MAX, Hello, VERSION, decode, hello_version,
};
use tandem_core::table::{Command, Refusal};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tungstenite::protocol::{CloseFrame, Message, Role, WebSocketConfig};

use crate::limits::{Allowance, Rate};
use crate::line::{LineEnd, LineId, Outbox, Socket, line};
use crate::table_task::Input;
use crate::visitors::Visit;
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

/// A connection reads a few bytes at a time, and the table writes to it by another way; the usual
/// buffers would be most of its memory.
const BUFFER: usize = 512;

/// Serves a socket until it ends. `came` is what has been read of it already; `admitted` says whether
/// the relay takes it at all.
pub(crate) async fn serve(
    socket: Socket,
    came: Vec<u8>,
    relay: &Relay,
    address: IpAddr,
    admitted: Result<&Visit, Close>,
) {
    let config = WebSocketConfig::default()
        .read_buffer_size(BUFFER)
        .write_buffer_size(0)
        .max_frame_size(Some(FRAME_READ_MAX))
        .max_message_size(Some(FRAME_READ_MAX));
    let config = Some(config);
    let now = Instant::now();
    let mut connection = Connection {
        visit: admitted.ok(),
        socket: WebSocketStream::from_partially_read(socket, came, Role::Server, config).await,
        frames: (
            Allowance::full(now),
            Rate::per_second(relay.config.frames_per_second),
        ),
        bytes: (
            Allowance::full(now),
            Rate::per_second(relay.config.bytes_per_second),
        ),
    };
    let reason = match admitted {
        Ok(_) => connection.attend(relay, address).await,
        Err(reason) => Err(Some(reason)),
    };
    if let Err(Some(reason)) = reason {
        relay.metrics.closed(reason);
        // Few hang up at a time: what that takes is no part of what every connection holds.
        Box::pin(connection.hang_up(reason)).await;
    }
}

/// How a connection ends: closed by the relay for a reason, or by the other side.
type Ended<T> = Result<T, Option<Close>>;

/// A frame fit to be read.
enum Frame {
    Message(Bytes),
    Pong(Bytes),
    /// Only relays under test know this: the table is to come to grief.
    #[cfg(test)]
    Fault,
}

/// The WebSocket, and how much may still come over it, and how fast that is made good.
struct Connection<'a> {
    /// What comes over all connections of the same address, unless this one is turned away.
    visit: Option<&'a Visit>,
    socket: WebSocketStream<Socket>,
    frames: (Allowance, Rate),
    bytes: (Allowance, Rate),
}

impl Connection<'_> {
    async fn attend(&mut self, relay: &Relay, address: IpAddr) -> Ended<()> {
        let mut stopping = relay.stopping.clone();
        let hello = tokio::select! {
            hello = timeout(relay.config.hello_within, self.hello()) => {
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
        let (line, mut end) = line(Arc::clone(self.socket.get_ref().outbox()));
        let from = line.id();
        let hello = Box::new(hello);
        if mailbox.send(Input::Hello { hello, line }).await.is_err() {
            // The table ended between being found and being reached.
            let stopping = *relay.stopping.borrow();
            return Err(Some(if stopping {
                Close::Restart
            } else {
                Close::UnknownTable
            }));
        }
        let ended = self.listen(relay, address, &mailbox, from, &mut end).await;
        // The table ignores this when it closed the line itself.
        let _ = mailbox.send(Input::Gone { from }).await;
        // A table that stops before it has read the hello gives no reason.
        let stops = ended == Some(Close::TableClosed) && *relay.stopping.borrow();
        Err(if stops { Some(Close::Restart) } else { ended })
    }

    /// Hands frames to the table until one of them, the table or the other side ends the connection.
    async fn listen(
        &mut self,
        relay: &Relay,
        address: IpAddr,
        mailbox: &mpsc::Sender<Input>,
        from: LineId,
        end: &mut LineEnd,
    ) -> Option<Close> {
        let mut blocks = relay.blocks.clone();
        let mut hears = true;
        let LineEnd { outbox, closing } = end;
        let drain = outbox.drain();
        tokio::pin!(drain);
        loop {
            // The operator may have blocked the address; an echo wakes every line soon enough.
            if blocks.has_changed().unwrap_or(false) && blocks.borrow_and_update().has(address) {
                return Some(Close::Blocked);
            }
            let frame = tokio::select! {
                frame = self.frame(), if hears => frame,
                _ = &mut drain => return None,
                reason = &mut *closing => {
                    // A slow reader has a little time for what was sent before.
                    let _ = timeout(DRAIN_WITHIN, outbox.drained()).await;
                    return Some(reason.unwrap_or(Close::TableClosed));
                }
            };
            match frame.and_then(|frame| self.input(frame, outbox, from)) {
                // A table that has ended hears nothing; why it ended, the line tells.
                Ok(Some(input)) => hears = mailbox.send(input).await.is_ok(),
                Ok(None) => {}
                Err(ended) => return ended,
            }
        }
    }

    async fn hang_up(&mut self, reason: Close) {
        tracing::debug!(
            code = reason.code(),
            "a socket is closed: {}",
            reason.reason()
        );
        let frame = CloseFrame {
            code: reason.code().into(),
            reason: reason.reason().into(),
        };
        let handshake = async {
            if self.socket.send(Message::Close(Some(frame))).await.is_ok() {
                while let Some(Ok(_)) = self.socket.next().await {}
            }
        };
        // Whoever does not take part is left alone.
        let _ = timeout(HANG_UP_WITHIN, handshake).await;
        if matches!(reason, Close::FrameTooLong | Close::TooMuch) {
            sleep(LINGER).await;
        }
    }

    /// The next frame that is for somebody.
    async fn frame(&mut self) -> Ended<Frame> {
        loop {
            let message = match self.socket.next().await {
                None => return Err(None),
                // Such as the beginning of a message with empty frames behind it, without an end.
                Some(Err(_)) if self.socket.get_ref().is_flooded() => {
                    return Err(Some(Close::TooMuch));
                }
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
            self.allows(&message).map_err(Some)?;
            match message {
                Message::Binary(bytes) => return Ok(Frame::Message(bytes)),
                #[cfg(test)]
                Message::Text(text) if text == "fault" => return Ok(Frame::Fault),
                Message::Text(_) => return Err(Some(Close::BadFrame)),
                Message::Pong(payload) => return Ok(Frame::Pong(payload)),
                // The WebSocket layer has answered it.
                Message::Ping(_) | Message::Frame(_) => {}
                Message::Close(_) => return Err(None),
            }
        }
    }

    /// Whether this frame is within what the connection, its address and all may send.
    fn allows(&mut self, message: &Message) -> Result<(), Close> {
        let now = Instant::now();
        let came = self.socket.get_mut().came();
        let length = u32::try_from(came.max(message.len())).unwrap_or(u32::MAX);
        let (frames, rate) = &mut self.frames;
        let (bytes, byte_rate) = &mut self.bytes;
        if !(frames.take(now, *rate) && bytes.take_many(now, *byte_rate, length)) {
            return Err(Close::TooMuch);
        }
        self.visit.map_or(Ok(()), |visit| visit.takes(now, length))
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

    /// What a frame means for the table, if anything.
    fn input(&self, frame: Frame, outbox: &Outbox, from: LineId) -> Ended<Option<Input>> {
        let bytes = match frame {
            Frame::Message(bytes) => bytes,
            #[cfg(test)]
            Frame::Fault => return Ok(Some(Input::Fault)),
            Frame::Pong(payload) => {
                let measured = |round_trip_ms| Input::Measured {
                    from,
                    round_trip_ms,
                };
                return Ok(outbox.came_back(&payload).map(measured));
            }
        };
        match decode(&bytes) {
            Ok(ClientMessage::Command { id, command }) => {
                let is_talk = matches!(command, Command::Say(..));
                let command = if is_talk && !self.visit.is_none_or(Visit::says) {
                    Err(Refusal::TooMuchTalk)
                } else {
                    Ok(command)
                };
                Ok(Some(Input::Command { from, id, command }))
            }
            Ok(ClientMessage::Echo) => Ok(Some(Input::Echo { from })),
            Ok(ClientMessage::Resync(have)) => Ok(Some(Input::Resync { from, have })),
            Ok(ClientMessage::Hello(_)) => Err(Some(Close::HelloExpected)),
            Err(_) => Err(Some(Close::BadFrame)),
        }
    }
}

/// What an error of the WebSocket layer means for the connection.
fn fault(error: &tungstenite::Error) -> Option<Close> {
    use tungstenite::Error;
    use tungstenite::error::ProtocolError;
    match error {
        Error::Capacity(_) => Some(Close::FrameTooLong),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Error::Protocol(_) | Error::Utf8(_) => Some(Close::BadFrame),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size_of_future<F: Future>(_: impl FnOnce() -> F) -> usize {
        size_of::<F>()
    }

    /// What is never asked for: futures are measured here, and none is run.
    fn nothing<T>() -> T {
        unreachable!()
    }

    /// Ten thousand sockets are held at a time, so that every kilobyte here is ten megabytes there.
    #[test]
    fn a_connection_takes_little_memory() {
        let serve = size_of_future(|| {
            let address = IpAddr::V4(0.into());
            serve(nothing(), Vec::new(), nothing(), address, Err(Close::Left))
        });
        let input = size_of::<Input>();
        println!("a connection takes {serve} bytes, an input {input}");
        assert!(serve <= 1_300, "{serve}");
        assert!(input <= 48, "{input}");
    }
}
