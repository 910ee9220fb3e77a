//! One socket, and what has come over it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context as _;
use bytes::Bytes;
use futures_util::stream::SplitSink;
use futures_util::{SinkExt as _, StreamExt as _};
use tandem_core::protocol::{ServerMessage, decode};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

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

/// The socket of one player. Reading goes on in a task of its own.
pub struct Client {
    sink: SplitSink<WebSocketStream<MaybeTlsStream<TcpStream>>, Message>,
    /// Whether what comes is read.
    pub reads: watch::Sender<bool>,
    reader: JoinHandle<()>,
}

impl Client {
    /// Connects; what comes goes to `inbox` with the number of the client.
    pub async fn connect(
        address: SocketAddr,
        number: usize,
        inbox: mpsc::UnboundedSender<(usize, Came)>,
        traffic: Arc<Traffic>,
    ) -> anyhow::Result<Client> {
        let (socket, _) = connect_async(format!("ws://{address}/ws"))
            .await
            .context("cannot connect")?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_nodelay(true)?;
        }
        let (sink, mut stream) = socket.split();
        let (reads, mut reading) = watch::channel(true);
        let reader = tokio::spawn(async move {
            loop {
                if reading.wait_for(|&reads| reads).await.is_err() {
                    return;
                }
                let message = tokio::select! {
                    message = stream.next() => message,
                    changed = reading.changed() => match changed {
                        Ok(()) => continue,
                        Err(_) => return,
                    },
                };
                let at = Instant::now();
                let bytes = match message {
                    Some(Ok(Message::Binary(bytes))) => bytes,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => {
                        let _ = inbox.send((number, Came::Closed));
                        return;
                    }
                    Some(Ok(_)) => continue,
                };
                let Ok(message) = decode::<ServerMessage>(&bytes) else {
                    let _ = inbox.send((number, Came::Closed));
                    return;
                };
                if matches!(message, ServerMessage::Events { .. }) {
                    traffic.event_frames.fetch_add(1, Ordering::Relaxed);
                    traffic
                        .event_bytes
                        .fetch_add(framed(&bytes), Ordering::Relaxed);
                }
                if inbox
                    .send((number, Came::Message(Box::new(message), at)))
                    .is_err()
                {
                    return;
                }
            }
        });
        Ok(Client {
            sink,
            reads,
            reader,
        })
    }

    pub async fn send(&mut self, bytes: Vec<u8>) -> anyhow::Result<()> {
        self.sink.send(Message::Binary(bytes.into())).await?;
        Ok(())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// The bytes of a frame on the wire: a header of two bytes, or four above 125.
pub fn framed(bytes: &Bytes) -> u64 {
    let header = if bytes.len() < 126 { 2 } else { 4 };
    u64::try_from(bytes.len()).unwrap_or(u64::MAX) + header
}
