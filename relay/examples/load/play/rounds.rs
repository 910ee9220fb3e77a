//! All tables playing at once. The sockets of all of them are waited for here, without tasks and
//! wakers: what puts load on a relay must cost less than the relay, on the same machine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::os::fd::OwnedFd;
use std::time::Duration;

use anyhow::Context as _;
use futures_util::FutureExt as _;
use rustix::event::{Timespec, epoll};
use rustix::io::Errno;
use tokio::task::yield_now;
use tokio::time::Instant;

use super::{Mischief, Played, Table};
use crate::client::Client;

/// How many sockets that something has come to are looked at in one go.
const EVENTS: usize = 256;

/// How many tables play before what has come is taken: nothing waits for all of them.
const AT_ONCE: usize = 4;

/// How often what else there is, such as those who look on, has its turn.
const OTHERS_EVERY: Duration = Duration::from_millis(2);

/// A table in play.
struct Playing {
    table: Table,
    /// When the ply was sent that not everybody has seen yet.
    under_way: Option<Instant>,
}

/// All tables in play.
struct Rounds {
    epoll: OwnedFd,
    tables: Vec<Playing>,
    played: Played,
}

/// Has all tables play until `end`, each a ply every `pace`.
pub async fn play(
    tables: Vec<Table>,
    pace: Duration,
    end: Instant,
    mischief: Mischief,
) -> anyhow::Result<(Vec<Table>, Played)> {
    let mut rounds = Rounds {
        epoll: epoll::create(epoll::CreateFlags::CLOEXEC)?,
        tables: Vec::with_capacity(tables.len()),
        played: Played::default(),
    };
    let mut due = BinaryHeap::new();
    let begin = Instant::now();
    for (index, mut table) in tables.into_iter().enumerate() {
        // Tables do not play in step, as people do not.
        let offset = pace.mul_f64(table.random.below(1 << 30) as f64 / f64::from(1 << 30));
        due.push(Reverse((begin + offset, index)));
        watch(&rounds.epoll, index, &mut table)?;
        rounds.tables.push(Playing {
            table,
            under_way: None,
        });
    }
    let trouble_at = begin + (end - begin) / 2;
    let mut trouble = mischief.slow > 0 || mischief.cuts > 0;
    let mut others_at = begin;
    let mut came = Vec::with_capacity(EVENTS);
    loop {
        let now = Instant::now();
        if now >= end {
            break;
        }
        if trouble && now >= trouble_at {
            trouble = false;
            rounds.trouble(mischief).await?;
        }
        if now >= others_at {
            yield_now().await;
            others_at = Instant::now() + OTHERS_EVERY;
        }
        for _ in 0..AT_ONCE {
            let now = Instant::now();
            let Some(mut first) = due.peek_mut().filter(|first| first.0.0 <= now) else {
                break;
            };
            let index = first.0.1;
            // Those that came late together do not stay together.
            first.0.0 = (first.0.0 + pace).max(now);
            drop(first);
            rounds.play(index)?;
        }
        let next = due.peek().map_or(end, |&Reverse((at, _))| at);
        let wait = next.saturating_duration_since(Instant::now());
        let wait = wait.min(OTHERS_EVERY);
        let wait = Timespec {
            tv_sec: 0,
            tv_nsec: i64::from(wait.subsec_nanos()),
        };
        came.clear();
        let room = rustix::buffer::spare_capacity(&mut came);
        match epoll::wait(&rounds.epoll, room, Some(&wait)) {
            // Somebody looks into this process with a tool.
            Err(Errno::INTR) => {}
            waited => _ = waited?,
        }
        for event in &came {
            let data = event.data;
            let number = usize::try_from(data.u64())?;
            rounds.hear(number / 4, number % 4)?;
        }
    }
    let mut tables = Vec::with_capacity(rounds.tables.len());
    for mut playing in rounds.tables {
        for client in &mut playing.table.clients {
            *client = client.take().map(Client::awaited).transpose()?;
        }
        tables.push(playing.table);
    }
    Ok((tables, rounds.played))
}

/// Waits for the sockets of that table from now on.
fn watch(epoll: &OwnedFd, index: usize, table: &mut Table) -> anyhow::Result<()> {
    for (who, place) in table.clients.iter_mut().enumerate() {
        let Some(client) = place.take() else { continue };
        let is_new = client.socket().is_none();
        let client = client.plain()?;
        let socket = client.socket().context("a socket for the runtime")?;
        if is_new {
            let number = u64::try_from(4 * index + who)?;
            let data = epoll::EventData::new_u64(number);
            let new = epoll::EventFlags::IN | epoll::EventFlags::ET;
            epoll::add(epoll, socket, data, new)?;
        } else if !client.reads() {
            epoll::delete(epoll, socket)?;
        }
        *place = Some(client);
    }
    Ok(())
}

impl Rounds {
    /// A ply of that table, unless the one before is still under way.
    fn play(&mut self, index: usize) -> anyhow::Result<()> {
        let playing = &mut self.tables[index];
        if playing.under_way.is_none() && playing.table.all_have_seen() {
            let sent = playing.table.play().now_or_never();
            playing.under_way = sent.context("a ply waits for something")??;
            self.played.plies += u64::from(playing.under_way.is_some());
        }
        Ok(())
    }

    /// Takes what has come to one player.
    fn hear(&mut self, index: usize, who: usize) -> anyhow::Result<()> {
        let Playing { table, under_way } = &mut self.tables[index];
        let mut all = Vec::new();
        if let Some(client) = &mut table.clients[who] {
            client.read(who, &mut all);
        }
        for came in all {
            let at = table.take(came).now_or_never();
            let at = at.context("an answer waits for something")??;
            if let (Some(sent), Some(at)) = (*under_way, at)
                && table.all_have_seen()
            {
                let took = at.saturating_duration_since(sent).as_micros();
                let took = u64::try_from(took).unwrap_or(u64::MAX);
                self.played.latencies_us.push(took);
                *under_way = None;
            }
        }
        Ok(())
    }

    /// Some players stop reading, some are cut off and come back.
    async fn trouble(&mut self, mischief: Mischief) -> anyhow::Result<()> {
        for (index, playing) in self.tables.iter_mut().enumerate() {
            playing.table.trouble(mischief).await?;
            playing.under_way = None;
            watch(&self.epoll, index, &mut playing.table)?;
        }
        Ok(())
    }
}
