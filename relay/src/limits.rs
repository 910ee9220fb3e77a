//! How much may be asked of the relay.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tandem_core::protocol::FRAME_MAX;
use tokio::time::Instant;

/// How many bytes wait for a connection that does not read, besides those that the system holds, before
/// it is closed: five hundred plies.
pub(crate) const OUTBOUND: usize = 8 << 10;

/// How many bytes may come without a whole message, which is never so long.
pub(crate) const UNCOUNTED: usize = 17 * FRAME_MAX;

/// How many inputs wait for a table; connections wait when there is no more room.
pub(crate) const MAILBOX: usize = 256;

/// How many questions to bots wait for a thread, of all tables; tables ask again later when there is
/// no more room. Each table has at most one a board out.
pub(crate) const BOT_QUESTIONS: usize = 1024;

/// How many answers of bots wait for their table. More than one a board come only of questions that
/// nobody asks any more.
pub(crate) const BOT_ANSWERS: usize = 8;

/// How many tokens of people sent away are remembered at a table.
pub(crate) const BARRED: usize = 256;

/// How fast an allowance refills, and how much it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// After how long there is one more.
    pub(crate) each: Duration,
    /// How many there are when it is full.
    pub(crate) at_once: u32,
}

impl Rate {
    /// So many a second in the long run, and three times as many at once after a rest: a page that
    /// comes back sends up to 32 commands again.
    pub(crate) fn per_second(count: u32) -> Rate {
        let count = count.max(1);
        Rate {
            each: Duration::from_secs(1) / count,
            at_once: count.saturating_mul(3),
        }
    }
}

/// An allowance that refills with time.
#[derive(Debug)]
pub(crate) struct Allowance {
    /// When the allowance will be, or was, full again.
    full_at: Instant,
}

impl Allowance {
    pub(crate) fn full(now: Instant) -> Allowance {
        Allowance { full_at: now }
    }

    /// Takes one of it; `false` when there is nothing left.
    pub(crate) fn take(&mut self, now: Instant, rate: Rate) -> bool {
        self.take_many(now, rate, 1)
    }

    /// Takes so many of it, all or none; `false` when there are fewer left.
    pub(crate) fn take_many(&mut self, now: Instant, rate: Rate, count: u32) -> bool {
        let full_at = self.full_at.max(now) + rate.each * count;
        let enough = full_at <= now + rate.each * rate.at_once;
        if enough {
            self.full_at = full_at;
        }
        enough
    }

    /// Whether there is something left.
    pub(crate) fn has_some(&self, now: Instant, rate: Rate) -> bool {
        self.full_at.max(now) + rate.each <= now + rate.each * rate.at_once
    }

    pub(crate) fn is_full(&self, now: Instant) -> bool {
        self.full_at <= now
    }
}

/// An allowance on which many draw at the same time. They share no lock: it is asked at every frame.
#[derive(Debug)]
pub(crate) struct SharedAllowance {
    rate: Rate,
    since: Instant,
    /// When it will be, or was, full again, in nanoseconds since then.
    full_at: AtomicU64,
}

impl SharedAllowance {
    pub(crate) fn full(now: Instant, rate: Rate) -> SharedAllowance {
        SharedAllowance {
            rate,
            since: now,
            full_at: AtomicU64::new(0),
        }
    }

    fn nanos(&self, now: Instant) -> u64 {
        nanos(now.saturating_duration_since(self.since))
    }

    /// Takes so many of it, all or none; `false` when there are fewer left.
    pub(crate) fn take(&self, now: Instant, count: u32) -> bool {
        let now = self.nanos(now);
        let each = nanos(self.rate.each);
        let most = now.saturating_add(each.saturating_mul(self.rate.at_once.into()));
        let cost = each.saturating_mul(count.into());
        // Whatever else is in memory does not hang on it.
        self.full_at
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |full_at| {
                let full_at = full_at.max(now).saturating_add(cost);
                (full_at <= most).then_some(full_at)
            })
            .is_ok()
    }

    pub(crate) fn is_full(&self, now: Instant) -> bool {
        self.full_at.load(Ordering::Relaxed) <= self.nanos(now)
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_spent_and_comes_back() {
        let start = Instant::now();
        let mut allowance = Allowance::full(start);
        let rate = Rate::per_second(40);
        let spent = (0..1_000).filter(|_| allowance.take(start, rate)).count();
        assert_eq!(spent, 120);
        let later = start + Duration::from_secs(1);
        let spent = (0..1_000).filter(|_| allowance.take(later, rate)).count();
        assert_eq!(spent, 40);
        // Bytes are taken many at a time, and not in part.
        let (mut bytes, rate) = (Allowance::full(start), Rate::per_second(1_000));
        assert!(bytes.take_many(start, rate, 2_999) && !bytes.take_many(start, rate, 2));
        assert!(bytes.take(start, rate) && !bytes.take(start, rate));
    }

    #[test]
    fn all_who_share_an_allowance_get_no_more_than_there_is() {
        let start = Instant::now();
        let shared = SharedAllowance::full(start, Rate::per_second(1_000));
        let draw = |at: Instant| {
            let drawn = || (0..2_000).filter(|_| shared.take(at, 1)).count();
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(drawn)).collect();
                let drawn = threads.into_iter().map(|thread| thread.join().unwrap());
                drawn.sum::<usize>()
            })
        };
        assert_eq!(draw(start), 3_000);
        assert!(!shared.is_full(start));
        let later = start + Duration::from_secs(1);
        assert!(!shared.take(later, 1_001));
        assert_eq!(draw(later), 1_000);
        assert!(shared.is_full(later + Duration::from_secs(3)));
    }
}
