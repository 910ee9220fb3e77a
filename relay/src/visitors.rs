//! What one address may ask of the relay, and all of them: so many connections and tables, so many
//! frames, bytes and tells, and so many codes of tables that do not exist. An IPv6 network of 64 bits counts as one address, since one household has that.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tandem_core::protocol::Close;
use tokio::time::Instant;

use crate::config::{self, Config};
use crate::limits::{Allowance, Rate, SharedAllowance};

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
    per_address: config::Traffic,
    in_all: Traffic,
    known: Mutex<Known>,
}

/// What may still come over many connections together.
#[derive(Debug)]
struct Traffic {
    frames: SharedAllowance,
    bytes: SharedAllowance,
    tells: SharedAllowance,
}

impl Traffic {
    fn full(now: Instant, limits: config::Traffic) -> Traffic {
        let full = |count| SharedAllowance::full(now, Rate::per_second(count));
        Traffic {
            frames: full(limits.frames),
            bytes: full(limits.bytes),
            tells: full(limits.tells),
        }
    }

    fn takes(&self, now: Instant, length: u32) -> bool {
        self.frames.take(now, 1) && self.bytes.take(now, length)
    }

    fn is_full(&self, now: Instant) -> bool {
        let parts = [&self.frames, &self.bytes, &self.tells];
        parts.into_iter().all(|part| part.is_full(now))
    }
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
    traffic: Arc<Traffic>,
    tables: Allowance,
    unknown_codes: Allowance,
}

/// One connection of an address; it counts until this is dropped.
#[derive(Debug)]
pub(crate) struct Visit {
    visitors: Arc<Visitors>,
    address: IpAddr,
    traffic: Arc<Traffic>,
}

impl Visit {
    /// A frame of so many bytes has come.
    ///
    /// # Errors
    /// When that is too much, for the address or for the relay.
    pub(crate) fn takes(&self, now: Instant, length: u32) -> Result<(), Close> {
        if !self.traffic.takes(now, length) {
            Err(Close::AddressTooMuch)
        } else if !self.visitors.in_all.takes(now, length) {
            Err(Close::RelayBusy)
        } else {
            Ok(())
        }
    }

    /// Somebody says something; `false` if too much is said there or everywhere.
    pub(crate) fn says(&self) -> bool {
        let now = Instant::now();
        self.traffic.tells.take(now, 1) && self.visitors.in_all.tells.take(now, 1)
    }
}

impl Visitors {
    pub(crate) fn new(config: &Config) -> Arc<Visitors> {
        Arc::new(Visitors {
            connections: config.connections_per_address,
            tables: Rate {
                each: Duration::from_secs(10),
                at_once: config.tables_per_address,
            },
            per_address: config.per_address,
            in_all: Traffic::full(Instant::now(), config.in_all),
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
            .or_insert_with(|| Visitor::new(now, self.per_address));
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
                traffic: Arc::clone(&visitor.traffic),
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
    fn new(now: Instant, limits: config::Traffic) -> Visitor {
        Visitor {
            connections: 0,
            traffic: Arc::new(Traffic::full(now, limits)),
            tables: Allowance::full(now),
            unknown_codes: Allowance::full(now),
        }
    }

    fn is_nobody(&self, now: Instant) -> bool {
        self.connections == 0
            && self.traffic.is_full(now)
            && self.tables.is_full(now)
            && self.unknown_codes.is_full(now)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.visitors
            .with(self.address, |visitor, _| visitor.connections -= 1);
    }
}

/// What counts as one address.
pub(crate) fn network(address: IpAddr) -> IpAddr {
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
            per_address: config::Traffic {
                frames: 10,
                bytes: 1_000,
                tells: 1,
            },
            in_all: config::Traffic {
                frames: 20,
                bytes: 2_000,
                tells: 2,
            },
            ..Config::default()
        })
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_is_counted_for_each_address_and_for_all() {
        let visitors = visitors();
        let visits = ["192.0.2.7", "192.0.2.7", "192.0.2.8", "192.0.2.9"];
        let visits = visits.map(|address| visitors.enter(at(address)).unwrap());
        let [one, same, other, third] = &visits;
        let now = Instant::now();
        let take = |visit: &Visit, length| {
            let mut taken = 0;
            loop {
                match visit.takes(now, length) {
                    Ok(()) => taken += 1,
                    Err(close) => return (taken, close),
                }
            }
        };
        assert_eq!(take(one, 1), (30, Close::AddressTooMuch));
        assert_eq!(take(same, 1), (0, Close::AddressTooMuch));
        assert_eq!(take(other, 200), (15, Close::AddressTooMuch));
        assert_eq!(take(third, 1), (15, Close::RelayBusy));
        let says = |visit: &Visit| (0..10).filter(|_| visit.says()).count();
        assert_eq!([one, same, other, third].map(says), [3, 0, 3, 0]);
        // Going away and coming back makes nothing good.
        drop(visits);
        let again = visitors.enter(at("192.0.2.7")).unwrap();
        assert_eq!(take(&again, 1), (0, Close::AddressTooMuch));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(again.says() && again.takes(Instant::now(), 1).is_ok());
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
