//! Connections of which nothing is known yet: how many there may be, and how long they may take to
//! say what they want. Once one has become a socket of the game it counts among those, and is none of
//! these any more.

use std::collections::HashMap;
use std::io::{self, IoSlice};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use crate::config::Config;
use crate::metrics::{Metrics, TurnedAway};
use crate::visitors::network;

/// How many connections may be on their way besides as many as there may be sockets.
const MORE: u32 = 64;

/// How long a connection may be idle, or take nothing, once it has been answered.
const IDLE: Duration = Duration::from_secs(60);

/// How long to wait when the system gives no connection, as when there are no more files.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// Takes connections.
pub(crate) struct Arrivals {
    listener: TcpListener,
    gate: Arc<Gate>,
    metrics: Arc<Metrics>,
    head_within: Duration,
}

/// Who is on the way.
#[derive(Debug)]
struct Gate {
    /// None where all come by a proxy.
    per_address: Option<u32>,
    in_all: u32,
    here: Mutex<Here>,
}

#[derive(Debug, Default)]
struct Here {
    all: u32,
    by_address: HashMap<IpAddr, u32>,
}

/// A place, for as long as it is kept.
#[derive(Debug)]
struct Place {
    gate: Arc<Gate>,
    network: IpAddr,
}

impl Gate {
    fn here(&self) -> MutexGuard<'_, Here> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let network = network(address);
        let mut here = self.here();
        let from_there = here.by_address.get(&network).copied().unwrap_or_default();
        if here.all >= self.in_all || self.per_address.is_some_and(|most| from_there >= most) {
            return None;
        }
        here.all += 1;
        here.by_address.insert(network, from_there + 1);
        let gate = Arc::clone(self);
        Some(Place { gate, network })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut here = self.gate.here();
        here.all -= 1;
        if let Some(count) = here.by_address.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                here.by_address.remove(&self.network);
            }
        }
    }
}

impl Arrivals {
    pub(crate) fn new(listener: TcpListener, config: &Config, metrics: Arc<Metrics>) -> Arrivals {
        let per_address = config.connections_per_address.saturating_add(MORE);
        Arrivals {
            listener,
            gate: Arc::new(Gate {
                per_address: config.client_header.is_none().then_some(per_address),
                in_all: config.connections_max.saturating_add(MORE),
                here: Mutex::default(),
            }),
            metrics,
            head_within: config.head_within,
        }
    }
}

impl Listener for Arrivals {
    type Io = Arrival;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Arrival, SocketAddr) {
        loop {
            let (stream, address) = match self.listener.accept().await {
                Ok(came) => came,
                // It was gone before it was taken.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::ConnectionAborted
                            | io::ErrorKind::ConnectionRefused
                            | io::ErrorKind::ConnectionReset
                    ) =>
                {
                    continue;
                }
                Err(error) => {
                    tracing::error!("no connection can be taken: {error}");
                    sleep(TRY_AGAIN).await;
                    continue;
                }
            };
            let Some(place) = self.gate.enter(address.ip()) else {
                self.metrics.turned_away(TurnedAway::TooManyConnections);
                continue;
            };
            // A ply is a few bytes and must not wait for more of them.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!("a socket cannot be told not to delay: {error}");
            }
            let deadline = Box::pin(sleep_until(Instant::now() + self.head_within));
            let arrival = Arrival {
                stream,
                deadline,
                _place: place,
            };
            return (arrival, address);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// From where a connection comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Connected<IncomingStream<'_, Arrivals>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Arrivals>) -> Peer {
        Peer(stream.remote_addr().ip())
    }
}

/// A connection that has to say in time what it wants.
#[derive(Debug)]
pub(crate) struct Arrival {
    stream: TcpStream,
    deadline: Pin<Box<Sleep>>,
    _place: Place,
}

impl Arrival {
    /// The connection itself, which is no arrival any more.
    pub(crate) fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Nothing is done at once: that is well until the deadline.
    fn wait<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        ready!(self.deadline.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// An answer is on its way.
    fn answered(&mut self, written: io::Result<usize>) -> Poll<io::Result<usize>> {
        if written.is_ok() {
            self.deadline.as_mut().reset(Instant::now() + IDLE);
        }
        Poll::Ready(written)
    }
}

impl AsyncRead for Arrival {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(cx, bytes) {
            Poll::Pending => self.wait(cx),
            read => read,
        }
    }
}

impl AsyncWrite for Arrival {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(cx, bytes) {
            Poll::Pending => self.wait(cx),
            Poll::Ready(written) => self.answered(written),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write_vectored(cx, parts) {
            Poll::Pending => self.wait(cx),
            Poll::Ready(written) => self.answered(written),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_by_network_and_in_all() {
        let gate = Arc::new(Gate {
            per_address: Some(2),
            in_all: 3,
            here: Mutex::default(),
        });
        let enter = |address: &str| gate.enter(address.parse().unwrap());
        let one = enter("203.0.113.7").unwrap();
        let _mapped = enter("::ffff:203.0.113.7").unwrap();
        assert!(enter("203.0.113.7").is_none());
        let _other = enter("2001:db8::1").unwrap();
        assert!(enter("198.51.100.1").is_none(), "that is all");
        drop(one);
        let _again = enter("203.0.113.7").unwrap();
        assert_eq!(gate.here().all, 3);
    }
}
