//! Routes and headers.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, Path, Request, State};
use axum::http::request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::map_response_with_state;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use axum::{Json, Router};
use hyper_util::rt::TokioIo;
use hyper_util::server::conn::auto::upgrade::{Parts, downcast};
use serde::Serialize;
use tandem_core::TableCode;
use tandem_core::protocol::{Close, VERSION};
use tokio::time::Instant;
use tungstenite::handshake::server::create_response_with_body;

use crate::Relay;
use crate::archive::MatchId;
use crate::arrivals::{Arrival, Peer};
use crate::assets::Assets;
use crate::config::BasePath;
use crate::connection;
use crate::line::Socket;
use crate::metrics::TurnedAway;
use crate::open_tables::Notice;
use crate::registry::NoTable;

/// Everything the relay answers.
pub(crate) fn router(relay: Arc<Relay>) -> Router {
    let base = relay.config.base_path.clone();
    let assets = Arc::new(Assets::new(&base));
    let policy = assets.content_security_policy();
    let prefix = base.prefix().to_owned();
    Router::new()
        .route(&format!("{prefix}/ws"), get(socket))
        .route(
            &format!("{prefix}/tables"),
            get(open_tables).post(open_table),
        )
        .route(&format!("{prefix}/matches/{{name}}"), get(a_match))
        .route(&format!("{prefix}/tables/{{code}}/matches"), get(matches))
        .route(&format!("{prefix}/healthz"), get(|| async { "ok" }))
        .route(&format!("{prefix}/version"), get(version))
        .fallback(async move |request| client(&request, &base, &assets))
        .with_state(relay)
        .layer(map_response_with_state(policy, harden))
}

/// From where a request came: from the connection itself, or as a trusted proxy says.
struct Address(IpAddr);

impl FromRequestParts<Arc<Relay>> for Address {
    type Rejection = <ConnectInfo<Peer> as FromRequestParts<Arc<Relay>>>::Rejection;

    async fn from_request_parts(
        parts: &mut request::Parts,
        relay: &Arc<Relay>,
    ) -> Result<Address, Self::Rejection> {
        let ConnectInfo(Peer(peer)) = ConnectInfo::<Peer>::from_request_parts(parts, relay).await?;
        let told = relay.config.client_header.as_ref().and_then(|name| {
            // The last entry is the proxy's own; what stands before it may be anybody's word.
            let last = parts.headers.get_all(name).iter().next_back()?;
            let last = last.to_str().ok()?.rsplit(',').next()?.trim();
            let address = last.parse::<IpAddr>().ok();
            address.or_else(|| Some(last.parse::<SocketAddr>().ok()?.ip()))
        });
        Ok(Address(told.unwrap_or(peer)))
    }
}

/// Whether a page of another site is asking. Only browsers say from where they ask, and only theirs
/// is the danger that somebody is made to ask without knowing.
fn is_foreign(relay: &Relay, headers: &HeaderMap) -> bool {
    let Some(url) = &relay.config.public_url else {
        return false;
    };
    headers
        .get(header::ORIGIN)
        .is_some_and(|origin| origin.as_bytes() != url.origin().as_bytes())
}

async fn socket(
    State(relay): State<Arc<Relay>>,
    Address(address): Address,
    mut request: Request,
) -> Response {
    if is_foreign(&relay, request.headers()) {
        relay.metrics.turned_away(TurnedAway::ForeignSite);
        return (StatusCode::FORBIDDEN, "this site may not connect here").into_response();
    }
    let answer = match create_response_with_body(&request, Body::empty) {
        Ok(answer) => answer,
        Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    };
    let room = Arc::clone(&relay.room).try_acquire_owned().ok();
    let visit = relay.visitors.enter(address);
    let refused = match (&room, &visit) {
        _ if relay.blocks.borrow().has(address) => Some(Close::Blocked),
        (None, _) => Some(Close::RelayFull),
        (_, None) => Some(Close::AddressFull),
        _ => None,
    };
    let upgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        // Whoever goes away at once gets no socket.
        if let Ok(upgraded) = upgrade.await {
            match downcast::<TokioIo<Arrival>>(upgraded) {
                Ok(Parts { io, read_buf, .. }) => {
                    let socket = Socket::new(io.into_inner().into_stream());
                    // A copy, or the few bytes would hold the whole buffer of the request.
                    let came = read_buf.to_vec();
                    drop(read_buf);
                    let admitted = match (&visit, refused) {
                        (Some(visit), None) => Ok(visit),
                        (_, refused) => Err(refused.unwrap_or(Close::AddressFull)),
                    };
                    connection::serve(socket, came, &relay, address, admitted).await;
                }
                Err(_) => tracing::error!("a socket that is not one of TCP cannot be served"),
            }
        }
        // The place is free when the socket is closed, and not before.
        drop((room, visit));
    });
    answer
}

#[derive(Serialize)]
struct Opened {
    code: String,
}

#[derive(Serialize)]
struct Failed {
    error: String,
}

async fn open_table(
    State(relay): State<Arc<Relay>>,
    Address(address): Address,
    headers: HeaderMap,
) -> Response {
    let refuse = |why, status, error: &str| {
        relay.metrics.turned_away(why);
        let error = error.to_owned();
        (status, Json(Failed { error })).into_response()
    };
    if is_foreign(&relay, &headers) {
        return refuse(
            TurnedAway::ForeignSite,
            StatusCode::FORBIDDEN,
            "this site may not open tables here",
        );
    }
    if relay.blocks.borrow().has(address) {
        return refuse(
            TurnedAway::Blocked,
            StatusCode::FORBIDDEN,
            "this address is blocked",
        );
    }
    if !relay.visitors.opens_table(address) {
        return refuse(
            TurnedAway::TooManyTables,
            StatusCode::TOO_MANY_REQUESTS,
            "too many tables were opened from this address; try again in a minute",
        );
    }
    match relay.registry.open() {
        Ok(code) => {
            let code = code.to_string();
            (StatusCode::CREATED, Json(Opened { code })).into_response()
        }
        Err(reason) => {
            if reason == NoTable::NoRandom {
                tracing::error!("{reason}");
            }
            refuse(
                TurnedAway::NoTable,
                StatusCode::SERVICE_UNAVAILABLE,
                &reason.to_string(),
            )
        }
    }
}

/// A table to which anybody may come, as the list tells of it.
#[derive(Serialize)]
struct OpenTable {
    code: String,
    names: Vec<String>,
    people: usize,
    bots: usize,
    free: usize,
    base_ms: u32,
    increment_ms: u32,
    drops: &'static str,
    promotion: &'static str,
    talk: bool,
    /// For how long it has been on the list, in milliseconds.
    waiting_ms: u64,
}

#[derive(Serialize)]
struct OpenTables {
    /// None where no such list is kept: that is no error, which browsers would complain of.
    tables: Option<Vec<OpenTable>>,
}

/// The tables to which anybody may come, newest first.
async fn open_tables(State(relay): State<Arc<Relay>>) -> Response {
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    let tell = |(code, since, notice): (TableCode, Instant, Notice)| {
        let options = notice.options;
        OpenTable {
            code: code.to_string(),
            names: notice.names,
            people: notice.people,
            bots: notice.bots,
            free: notice.free,
            base_ms: options.base_ms,
            increment_ms: options.increment_ms,
            drops: options.rules.drops.as_str(),
            promotion: options.rules.promotion.as_str(),
            talk: options.talk,
            waiting_ms: u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    };
    let open = relay.registry.open_tables();
    let tables = open.map(|open| open.newest().into_iter().map(tell).collect());
    (no_store, Json(OpenTables { tables })).into_response()
}

/// A match that is over, as a BPGN file: `/matches/K7QM2D9PXR-1.bpgn`.
async fn a_match(
    State(relay): State<Arc<Relay>>,
    Address(address): Address,
    Path(name): Path<String>,
) -> Response {
    // The name of a match holds the code of a table, which nobody shall find by trying.
    if relay.visitors.guesses(address) {
        relay.metrics.turned_away(TurnedAway::TooManyGuesses);
        return (StatusCode::TOO_MANY_REQUESTS, "too many unknown matches").into_response();
    }
    let id = MatchId::of_file(&name);
    let read = tokio::task::spawn_blocking({
        let relay = Arc::clone(&relay);
        move || relay.registry.archive()?.read(id?)
    });
    match read.await {
        Ok(Some(text)) => {
            let kind = [(header::CONTENT_TYPE, "application/x-bpgn; charset=utf-8")];
            (kind, text).into_response()
        }
        Ok(None) => {
            relay.visitors.guessed(address);
            (StatusCode::NOT_FOUND, "no such match").into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[derive(Serialize)]
struct Matches {
    matches: Vec<u16>,
}

/// The numbers of the matches kept of a table, for those who know its code.
async fn matches(
    State(relay): State<Arc<Relay>>,
    Address(address): Address,
    Path(code): Path<String>,
) -> Response {
    if relay.visitors.guesses(address) {
        relay.metrics.turned_away(TurnedAway::TooManyGuesses);
        return (StatusCode::TOO_MANY_REQUESTS, "too many unknown tables").into_response();
    }
    let archive = relay.registry.archive();
    let code = code.parse::<TableCode>().ok();
    let matches = match (code, archive) {
        (Some(code), Some(archive)) => archive.of_table(code),
        _ => Vec::new(),
    };
    // Whoever knows a table that has no match yet has not guessed.
    if matches.is_empty() && code.is_none_or(|code| relay.registry.find(code).is_none()) {
        relay.visitors.guessed(address);
    }
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    (no_store, Json(Matches { matches })).into_response()
}

#[derive(Serialize)]
struct Version {
    version: &'static str,
    commit: &'static str,
    protocol: u16,
    keeps: Keeps,
}

/// What is kept, and for how long: the privacy page tells it.
#[derive(Serialize)]
struct Keeps {
    data: bool,
    days: u64,
    matches: usize,
    forget_minutes: u64,
}

async fn version(State(relay): State<Arc<Relay>>) -> Response {
    let config = &relay.config;
    let version = Json(Version {
        version: env!("CARGO_PKG_VERSION"),
        commit: env!("TANDEM_COMMIT"),
        protocol: VERSION,
        keeps: Keeps {
            data: config.data.is_some(),
            days: config.keep_matches.as_secs().div_ceil(24 * 3_600),
            matches: config.matches_max,
            forget_minutes: config.forget_abandoned.as_secs().div_ceil(60),
        },
    });
    // A page that asks wants to know what runs now.
    ([(header::CACHE_CONTROL, "no-store")], version).into_response()
}

/// Whatever is no route of the relay belongs to the client.
fn client(request: &Request, base: &BasePath, assets: &Assets) -> Response {
    let path = request.uri().path();
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let allow = [(header::ALLOW, "GET, HEAD")];
        return (StatusCode::METHOD_NOT_ALLOWED, allow, "method not allowed").into_response();
    }
    match path.strip_prefix(base.as_str()) {
        Some(rest) => assets.answer(rest, request.headers()),
        None if path == base.prefix() => Redirect::permanent(base.as_str()).into_response(),
        None => (StatusCode::NOT_FOUND, "not found").into_response(),
    }
}

/// Headers that every answer carries.
async fn harden(State(policy): State<HeaderValue>, mut response: Response) -> Response {
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // The address of a table lets people in: it is told to no other site.
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
