//! How much one connection may ask of the relay.

use std::time::Duration;

use tokio::time::Instant;

/// How many frames a connection may send a second in the long run. A player's page sends one every
/// two seconds, and a handful with each click.
pub(crate) const FRAMES_PER_SECOND: u32 = 40;

/// How many frames a connection may send at once after a rest. A page that comes back sends up to
/// 32 commands again.
pub(crate) const FRAMES_AT_ONCE: u32 = 120;

/// How many frames wait for a connection that does not read, before it is closed.
pub(crate) const OUTBOUND: usize = 128;

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

/// The frames of a connection.
pub(crate) const FRAMES: Rate = Rate {
    each: Duration::from_nanos(1_000_000_000 / FRAMES_PER_SECOND as u64),
    at_once: FRAMES_AT_ONCE,
};

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
        let has_some = self.has_some(now, rate);
        if has_some {
            self.full_at = self.full_at.max(now) + rate.each;
        }
        has_some
    }

    /// Whether there is something left.
    pub(crate) fn has_some(&self, now: Instant, rate: Rate) -> bool {
        self.full_at.max(now) + rate.each <= now + rate.each * rate.at_once
    }

    pub(crate) fn is_full(&self, now: Instant) -> bool {
        self.full_at <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_spent_and_comes_back() {
        let start = Instant::now();
        let mut allowance = Allowance::full(start);
        let spent = (0..1_000).filter(|_| allowance.take(start, FRAMES)).count();
        assert_eq!(spent, FRAMES_AT_ONCE as usize);
        let later = start + Duration::from_secs(1);
        let spent = (0..1_000).filter(|_| allowance.take(later, FRAMES)).count();
        assert_eq!(spent, FRAMES_PER_SECOND as usize);
    }
}
