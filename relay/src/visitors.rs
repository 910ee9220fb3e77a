//! What one address may ask of the relay: so many connections and tables, and so many codes of tables
//! that do not exist. An IPv6 network of 64 bits counts as one address, since one household has that.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::config::Config;
use crate::limits::{Allowance, Rate};

/// How often somebody may ask for a table that does not exist: mistyped codes are few, and with 50
/// random bits nobody finds a table this way.
const UNKNOWN_CODES: Rate = Rate {
    each: Duration::from_secs(6),
    at_once: 20,
};

/// How many addresses are remembered, at the least, before those are forgotten of which there is
/// nothing to know.
const TIDY_ABOVE: usize = 10_000;

/// All who have come.
#[derive(Debug)]
pub(crate) struct Visitors {
    connections: u32,
    tables: Rate,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    visitors: HashMap<IpAddr, Visitor>,
    /// When there are more than so many, it is time to tidy up. It grows with those who stay, or
    /// every visit to a busy relay would look through all of them.
    tidy_above: usize,
}

#[derive(Debug)]
struct Visitor {
    connections: u32,
    tables: Allowance,
    unknown_codes: Allowance,
}

/// One connection of an address; it counts until this is dropped.
#[derive(Debug)]
pub(crate) struct Visit {
    visitors: Arc<Visitors>,
    address: IpAddr,
}

impl Visitors {
    pub(crate) fn new(config: &Config) -> Arc<Visitors> {
        Arc::new(Visitors {
            connections: config.connections_per_address,
            tables: Rate {
                each: Duration::from_secs(10),
                at_once: config.tables_per_address,
            },
            known: Mutex::new(Known {
                visitors: HashMap::new(),
                tidy_above: TIDY_ABOVE,
            }),
        })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, address: IpAddr, work: impl FnOnce(&mut Visitor, Instant) -> T) -> T {
        let now = Instant::now();
        let mut known = self.known();
        if known.visitors.len() > known.tidy_above {
            known.visitors.retain(|_, visitor| !visitor.is_nobody(now));
            known.tidy_above = TIDY_ABOVE.max(2 * known.visitors.len());
        }
        let visitor = known
            .visitors
            .entry(network(address))
            .or_insert_with(|| Visitor::new(now));
        work(visitor, now)
    }

    /// Another connection from there, unless there are too many.
    pub(crate) fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Visit> {
        self.with(address, |visitor, _| {
            let enters = visitor.connections < self.connections;
            visitor.connections += u32::from(enters);
            enters.then(|| Visit {
                visitors: Arc::clone(self),
                address,
            })
        })
    }

    /// Another table from there; `false` if that is too many.
    pub(crate) fn opens_table(&self, address: IpAddr) -> bool {
        self.with(address, |visitor, now| {
            visitor.tables.take(now, self.tables)
        })
    }

    /// Whether so many unknown codes have come from there that no code is looked up any more.
    pub(crate) fn guesses(&self, address: IpAddr) -> bool {
        self.with(address, |visitor, now| {
            !visitor.unknown_codes.has_some(now, UNKNOWN_CODES)
        })
    }

    /// A code from there was unknown.
    pub(crate) fn guessed(&self, address: IpAddr) {
        self.with(address, |visitor, now| {
            visitor.unknown_codes.take(now, UNKNOWN_CODES)
        });
    }
}

impl Visitor {
    fn new(now: Instant) -> Visitor {
        Visitor {
            connections: 0,
            tables: Allowance::full(now),
            unknown_codes: Allowance::full(now),
        }
    }

    fn is_nobody(&self, now: Instant) -> bool {
        self.connections == 0 && self.tables.is_full(now) && self.unknown_codes.is_full(now)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.visitors
            .with(self.address, |visitor, _| visitor.connections -= 1);
    }
}

/// What counts as one address.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitors() -> Arc<Visitors> {
        Visitors::new(&Config {
            connections_per_address: 2,
            tables_per_address: 3,
            ..Config::default()
        })
    }

    fn at(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn connections_are_counted_for_each_address() {
        let visitors = visitors();
        let first = visitors.enter(at("2001:db8::1"));
        let second = visitors.enter(at("2001:db8::ffff:2"));
        assert!(first.is_some() && second.is_some());
        assert!(visitors.enter(at("2001:db8::3")).is_none());
        assert!(visitors.enter(at("2001:db8:0:1::3")).is_some());
        drop(first);
        assert!(visitors.enter(at("2001:db8::3")).is_some());
        assert_eq!(network(at("::ffff:192.0.2.7")), at("192.0.2.7"));
    }

    #[tokio::test(start_paused = true)]
    async fn tables_and_guesses_come_back_with_time() {
        let (visitors, address) = (visitors(), at("192.0.2.7"));
        let opened = (0..10).filter(|_| visitors.opens_table(address)).count();
        assert_eq!(opened, 3);
        assert!(visitors.opens_table(at("192.0.2.8")));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert!(visitors.opens_table(address) && !visitors.opens_table(address));
        for _ in 0..UNKNOWN_CODES.at_once {
            assert!(!visitors.guesses(address));
            visitors.guessed(address);
        }
        assert!(visitors.guesses(address));
        tokio::time::advance(UNKNOWN_CODES.each).await;
        assert!(!visitors.guesses(address));
        // In the end there is nothing to remember.
        tokio::time::advance(Duration::from_secs(3_600)).await;
        let now = Instant::now();
        assert!(
            visitors
                .known()
                .visitors
                .values()
                .all(|visitor| visitor.is_nobody(now))
        );
    }
}
