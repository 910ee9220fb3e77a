//! The relay: puts what people say at a table in one order, owns the timers, serves the page.
//!
//! There are no rules in here. A table is [`tandem_core::table::Table`]; the relay gives it time,
//! people and commands, and carries what comes of it to everyone. In reading order:
//!
//! - `config`: what can be chosen, `limits`: what cannot.
//! - `http`, `assets`: routes, headers, the client in the binary.
//! - `visitors`: what one address may ask. `connection`: one socket. `line`: the way from a table to it.
//! - `journal`, `archive`, `files`: what outlives the relay.
//! - `registry`: which tables there are. `open_tables`: which of them everybody may come to.
//!   `table_task`: one of them. `seat_token`: who is who there.
//! - `bots`: the threads on which the bots of all tables think.
//! - `metrics`, `operator`: what the operator can measure, and ask.
//!
//! What holds everywhere:
//!
//! - A table is touched by its own task only; everything goes through bounded queues.
//! - A line that does not keep up is closed, never skipped.
//! - A fault in one table ends that table and nothing else.
//! - Tokens are never logged and never sent to anybody.

mod archive;
mod arrivals;
mod assets;
mod bots;
mod config;
mod connection;
mod files;
mod http;
mod journal;
mod limits;
mod line;
mod metrics;
mod open_tables;
mod operator;
mod registry;
mod seat_token;
mod table_task;
mod visitors;

#[cfg(test)]
mod fault_tests;
/// The tests' own players know this crate by its name.
#[cfg(test)]
extern crate self as tandem_relay;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::time::sleep;

pub use axum::http::HeaderName;
pub use config::{
    BadBasePath, BadDuration, BadPublicUrl, BasePath, Config, PublicUrl, Traffic, parse_duration,
};
pub use operator::{BadBlock, Block, block, blocks, close, unblock};

use arrivals::{Arrivals, Peer};
use bots::BotPool;
use bots::Pool;
use metrics::Metrics;
use operator::Blocks;
use registry::Registry;
use visitors::Visitors;

/// How long everything may take to end when the relay is stopped.
const STOP_WITHIN: Duration = Duration::from_secs(4);

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Relay {
    config: Arc<Config>,
    registry: Arc<Registry>,
    /// One permit for each socket that may still be opened.
    room: Arc<Semaphore>,
    visitors: Arc<Visitors>,
    bots: Arc<BotPool>,
    metrics: Arc<Metrics>,
    blocks: watch::Receiver<Blocks>,
    stopping: watch::Receiver<bool>,
}

/// Serves on `listener` until `shutdown` ends, and calls `ready` before that, when nothing can keep it from
/// serving any more; then closes every socket with code 1012 and returns
/// within five seconds.
///
/// # Errors
/// When the listener fails, the journal cannot be opened, or the system gives no threads for bots.
pub async fn run(
    listener: TcpListener,
    config: Config,
    ready: impl FnOnce() + Send,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let config = Arc::new(config);
    let connections_max = config.connections_max;
    let (stop, mut stopping) = watch::channel(false);
    let room = Arc::new(Semaphore::new(connections_max as usize));
    let bots = Pool::start(config.bot_threads, config.bots_per_thread)?;
    let metrics = Arc::new(Metrics::new());
    let measured = match config.metrics_listen {
        Some(address) => Some(TcpListener::bind(address).await.map_err(|error| {
            let what = format!("no metrics at {address} (--metrics-listen): {error}");
            io::Error::new(error.kind(), what)
        })?),
        None => None,
    };
    let registry = Registry::new(
        Arc::clone(&config),
        Arc::clone(&bots),
        Arc::clone(&metrics),
        stopping.clone(),
    )
    .map_err(io::Error::other)?;
    let (blocks_in, blocks) = watch::channel(Blocks::default());
    let relay = Arc::new(Relay {
        registry: Arc::clone(&registry),
        visitors: Visitors::new(&config),
        bots: Arc::clone(&bots),
        metrics,
        blocks,
        config,
        room: Arc::clone(&room),
        stopping: stopping.clone(),
    });
    if let Some(data) = relay.config.data.clone() {
        tokio::spawn(operator::obey(Arc::clone(&relay), data, blocks_in));
    }
    if let Some(listener) = measured {
        let (router, mut stopping) = (metrics::router(Arc::clone(&relay)), stopping.clone());
        tokio::spawn(async move {
            let served = axum::serve(listener, router)
                .with_graceful_shutdown(async move { stopped(&mut stopping).await });
            if let Err(error) = served.await {
                tracing::error!("the metrics are no longer served: {error}");
            }
        });
    }
    let listener = Arrivals::new(listener, &relay.config, Arc::clone(&relay.metrics));
    let service = http::router(relay).into_make_service_with_connect_info::<Peer>();
    let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
        shutdown.await;
        tracing::info!("the relay is stopping");
        stop.send_replace(true);
    });
    ready();
    let served = async {
        let served = serving.await;
        // Every permit is back when every socket is closed.
        let _ = room.acquire_many(connections_max).await;
        bots.stop();
        bots.stopped().await;
        registry.sync();
        served
    };
    let too_long = async {
        stopped(&mut stopping).await;
        sleep(STOP_WITHIN).await;
    };
    tokio::select! {
        served = served => served,
        () = too_long => Ok(()),
    }
}

/// Ends when the relay is to stop.
async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // Should the sender be gone, nobody serves any more either.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
