//! What the operator can measure, in the form Prometheus reads, on a port of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use tandem_core::protocol::Close;
use tandem_core::table::Refusal;

use crate::Relay;

/// What a relay counts.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    tables: Gauge,
    connections: Gauge,
    events: Counter,
    refusals: Family<Reason, Counter>,
    closes: Family<Reason, Counter>,
    turned_away: Family<Reason, Counter>,
    mailbox: Histogram,
    input_seconds: Histogram,
    journal_seconds: Histogram,
    bot_seconds: Counter<f64, AtomicU64>,
    bots_waiting: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: String,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        // From ten microseconds to half a second.
        let seconds = || Histogram::new(exponential_buckets(1e-5, 3.0, 11));
        let mut metrics = Metrics {
            registry: Registry::with_prefix("tandem"),
            tables: Gauge::default(),
            connections: Gauge::default(),
            events: Counter::default(),
            refusals: Family::default(),
            closes: Family::default(),
            turned_away: Family::default(),
            mailbox: Histogram::new(exponential_buckets(1.0, 2.0, 9)),
            input_seconds: seconds(),
            journal_seconds: seconds(),
            bot_seconds: Counter::default(),
            bots_waiting: Gauge::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("tables", "Tables that are open", metrics.tables.clone());
        registry.register(
            "connections",
            "Sockets that are open",
            metrics.connections.clone(),
        );
        registry.register("events", "Events at all tables", metrics.events.clone());
        registry.register("refusals", "Commands refused", metrics.refusals.clone());
        registry.register(
            "closes",
            "Sockets closed by the relay",
            metrics.closes.clone(),
        );
        registry.register(
            "http_turned_away",
            "Requests that were turned away",
            metrics.turned_away.clone(),
        );
        registry.register(
            "mailbox_depth",
            "Inputs that wait for a table when it takes the next one",
            metrics.mailbox.clone(),
        );
        registry.register_with_unit(
            "input_duration",
            "From taking an input to having its events in the queue of every line",
            Unit::Seconds,
            metrics.input_seconds.clone(),
        );
        registry.register_with_unit(
            "journal_duration",
            "Putting what has happened on record",
            Unit::Seconds,
            metrics.journal_seconds.clone(),
        );
        registry.register_with_unit(
            "bot_thinking",
            "Time spent thinking for bots",
            Unit::Seconds,
            metrics.bot_seconds.clone(),
        );
        registry.register(
            "bot_questions_waiting",
            "Bots that wait for a thread",
            metrics.bots_waiting.clone(),
        );
        metrics
    }

    pub(crate) fn input(&self, waiting: usize, took: Duration) {
        self.mailbox.observe(waiting as f64);
        self.input_seconds.observe(took.as_secs_f64());
    }

    pub(crate) fn events(&self, count: usize) {
        self.events.inc_by(count as u64);
    }

    pub(crate) fn journal(&self, took: Duration) {
        self.journal_seconds.observe(took.as_secs_f64());
    }

    pub(crate) fn refused(&self, refusal: Refusal) {
        // The name of the reason without what it holds.
        let reason = format!("{refusal:?}");
        let reason = reason.split(['(', ' ']).next().unwrap_or_default();
        self.refusals
            .get_or_create(&Reason {
                reason: reason.to_owned(),
            })
            .inc();
    }

    pub(crate) fn closed(&self, close: Close) {
        let reason = format!("{close:?}");
        self.closes.get_or_create(&Reason { reason }).inc();
    }

    pub(crate) fn turned_away(&self, why: TurnedAway) {
        let reason = format!("{why:?}");
        self.turned_away.get_or_create(&Reason { reason }).inc();
    }
}

/// Why a request is not done; sockets are closed with a reason of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TurnedAway {
    /// It comes from a page of another site.
    ForeignSite,
    /// The operator has blocked the address.
    Blocked,
    /// Many connections are on their way, from the address or in all.
    TooManyConnections,
    /// The address has opened many tables.
    TooManyTables,
    /// There is no room for another table.
    NoTable,
    /// The address has asked for many tables or matches that do not exist.
    TooManyGuesses,
}

/// Answers `GET /metrics`.
pub(crate) fn router(relay: Arc<Relay>) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .with_state(relay)
}

async fn metrics(State(relay): State<Arc<Relay>>) -> Response {
    let metrics = &relay.metrics;
    let whole = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    metrics.tables.set(whole(relay.registry.len()));
    let free = relay.room.available_permits();
    let open = (relay.config.connections_max as usize).saturating_sub(free);
    metrics.connections.set(whole(open));
    metrics.bots_waiting.set(whole(relay.bots.waiting()));
    let thought = relay.bots.thought().as_secs_f64();
    metrics
        .bot_seconds
        .inc_by(thought - metrics.bot_seconds.get());
    let mut text = String::new();
    match encode(&mut text, &metrics.registry) {
        Ok(()) => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        Err(error) => {
            tracing::error!("the metrics cannot be written: {error}");
            axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
