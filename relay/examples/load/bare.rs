//! A server that hands every frame on to all sockets of its table, and does nothing else: what the
//! relay is compared with. The first frame names the table, in eight bytes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

type Tables = Arc<Mutex<HashMap<u64, Vec<mpsc::Sender<Bytes>>>>>;

pub async fn serve(listener: TcpListener) -> anyhow::Result<()> {
    let router = Router::new()
        .route("/ws", get(socket))
        .with_state(Tables::default());
    let listener = listener.tap_io(|socket| {
        let _ = socket.set_nodelay(true);
    });
    axum::serve(listener, router).await?;
    Ok(())
}

async fn socket(State(tables): State<Tables>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .read_buffer_size(4 * 1024)
        .write_buffer_size(4 * 1024)
        .on_upgrade(|socket| fan_out(socket, tables))
}

async fn fan_out(socket: WebSocket, tables: Tables) {
    let (mut sink, mut stream) = socket.split();
    let Some(Ok(Message::Binary(first))) = stream.next().await else {
        return;
    };
    let Some(name) = first.first_chunk::<8>() else {
        return;
    };
    let table = u64::from_le_bytes(*name);
    let (line, mut frames) = mpsc::channel::<Bytes>(128);
    let lock = || tables.lock().unwrap_or_else(PoisonError::into_inner);
    lock().entry(table).or_default().push(line);
    let write = async {
        while let Some(bytes) = frames.recv().await {
            if sink.send(Message::Binary(bytes)).await.is_err() {
                return;
            }
        }
    };
    let read = async {
        while let Some(Ok(message)) = stream.next().await {
            if let Message::Binary(bytes) = message {
                for line in lock().get(&table).into_iter().flatten() {
                    let _ = line.try_send(bytes.clone());
                }
            }
        }
    };
    tokio::select! {
        () = write => {}
        () = read => {}
    }
}
