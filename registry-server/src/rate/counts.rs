use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use skill_core::digest::Sha256;

use super::{Asker, Kind, Minute};
use crate::network::of_one_customer;

/// Parts that are locked by themselves.
const SHARDS: usize = 64;
/// Counts in one part: what a table of 32,768 places takes before it grows. In all 1,835,008, in 50 MiB.
const MOST: usize = 28_672;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// Requests of a kind.
    Asked(Kind),
    /// Tokens that were not good.
    Refused,
}

/// For whom it is counted: 16 bytes, or fewer, and no text, so that no count allocates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Whom {
    User([u8; 16]),
    V4([u8; 4]),
    /// The beginning that one customer of a network is given (a /64); all addresses in it are theirs.
    V6([u8; 8]),
    Connection([u8; 8]),
}

/// The name of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    what: What,
    whom: Whom,
}

impl Key {
    pub(super) fn new(what: What, asker: Asker<'_>) -> Self {
        let whom = match asker {
            Asker::User { id, .. } => Whom::User(beginning(Sha256::of(id).as_bytes())),
            Asker::Remote(remote) => match remote.address {
                // Whoever asks from this machine may be anybody: a proxy that nobody told us of.
                Some(address) if address.to_canonical().is_loopback() => {
                    Whom::Connection(remote.connection.to_bytes())
                }
                Some(address) => match of_one_customer(address) {
                    IpAddr::V4(address) => Whom::V4(address.octets()),
                    IpAddr::V6(address) => Whom::V6(beginning(&address.octets())),
                },
                None => Whom::Connection(remote.connection.to_bytes()),
            },
        };
        Self { what, whom }
    }
}

fn beginning<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut first = [0; N];
    first.copy_from_slice(&bytes[..N]);
    first
}

/// How much was used in this minute.
#[derive(Debug)]
pub(super) struct Counts {
    shards: [Mutex<Shard>; SHARDS],
    /// Which part a count is in; chosen anew by every process, so that nobody can aim at one part.
    places: RandomState,
}

#[derive(Debug, Default)]
struct Shard {
    minute: i64,
    used: HashMap<Key, u32>,
}

impl Default for Counts {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()), places: RandomState::new() }
    }
}

impl Counts {
    /// Counts one more, unless `limit` is used.
    pub(super) fn take(&self, key: &Key, limit: u32, minute: Minute) -> bool {
        self.within(key, minute, |shard| {
            if let Some(used) = shard.used.get_mut(key) {
                let is_left = *used < limit;
                *used += u32::from(is_left);
                return is_left;
            }
            shard.make_room();
            shard.used.insert(*key, 1);
            true
        })
    }

    /// How often it was counted.
    pub(super) fn used(&self, key: &Key, minute: Minute) -> u32 {
        self.within(key, minute, |shard| shard.used.get(key).copied().unwrap_or(0))
    }

    fn within<T>(&self, key: &Key, minute: Minute, look: impl FnOnce(&mut Shard) -> T) -> T {
        let at = self.places.hash_one(key) as usize % SHARDS;
        let mut shard = self.shards[at].lock().unwrap_or_else(PoisonError::into_inner);
        shard.begin(minute);
        look(&mut shard)
    }
}

impl Shard {
    /// Drops what was counted in another minute, and room that it left unused. Whoever read the clock right before the
    /// minute turned, and comes late, counts for the new one; a clock that was put back begins anew.
    fn begin(&mut self, minute: Minute) {
        if minute.number == self.minute || minute.number == self.minute - 1 {
            return;
        }
        self.minute = minute.number;
        let last = self.used.len();
        self.used.clear();
        self.used.shrink_to(last);
    }

    /// A full part begins anew. Whoever asks from two million addresses so gains what others have left of a minute; the
    /// choices beside it are to refuse newcomers, to count none of them, or to grow.
    fn make_room(&mut self) {
        if self.used.len() >= MOST {
            tracing::warn!(counts = MOST, "too many clients within a minute to count them all");
            self.used.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::net::Ipv6Addr;
    use std::time::Duration;

    use jiff::Timestamp;
    use proptest::prelude::*;

    use super::*;
    use crate::remote::{ConnectionId, Remote};

    fn from(address: IpAddr) -> Asker<'static> {
        Asker::Remote(Remote { address: Some(address), connection: ConnectionId::next() })
    }

    fn key(text: &str) -> Key {
        Key::new(What::Asked(Kind::Read), from(text.parse().unwrap()))
    }

    /// Counts that are kept, and the bytes of their tables.
    fn held(counts: &Counts) -> (usize, usize) {
        counts.shards.iter().map(|shard| shard.lock().unwrap()).fold((0, 0), |(held, bytes), shard| {
            // A table of the standard library has a power of two of places, an eighth of them free, each with a byte beside.
            let places = (shard.used.capacity() * 8 / 7).next_power_of_two();
            (held + shard.used.len(), bytes + places * (size_of::<(Key, u32)>() + 1))
        })
    }

    #[test]
    fn what_counts_as_one() {
        assert_eq!(key("192.0.2.7"), key("192.0.2.7"));
        assert_eq!(key("192.0.2.7"), key("::ffff:192.0.2.7"));
        assert_ne!(key("192.0.2.7"), key("192.0.2.8"));
        assert_eq!(key("2001:db8:0:1::1"), key("2001:db8:0:1:ffff::2"));
        assert_ne!(key("2001:db8:0:1::1"), key("2001:db8:0:2::1"));
        let user = |id| Key::new(What::Refused, Asker::User { id, is_admin: false });
        assert_eq!(user("a"), Key::new(What::Refused, Asker::User { id: "a", is_admin: true }));
        assert_ne!(user("a"), user("b"));
    }

    /// Bug report 111: whoever cannot be told apart by an address is told apart by the connection.
    #[test]
    fn an_unknown_address_is_not_one_bucket_for_all() {
        let unknown = |connection| {
            let remote = Remote { address: None, connection };
            Key::new(What::Asked(Kind::Read), Asker::Remote(remote))
        };
        let (one, other) = (ConnectionId::next(), ConnectionId::next());
        assert_eq!(unknown(one), unknown(one));
        assert_ne!(unknown(one), unknown(other));
        for here in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert_ne!(key(here), key(here), "each has a connection of its own");
        }
    }

    #[test]
    fn a_minute_that_was_over_takes_nothing_back() {
        let counts = Counts::default();
        let key = key("192.0.2.7");
        let at = |text: &str| Minute::of(text.parse().unwrap());
        assert!(counts.take(&key, 1, at("2026-11-30T12:01:00Z")));
        assert!(!counts.take(&key, 1, at("2026-11-30T12:00:59.999Z")));
        assert!(!counts.take(&key, 1, at("2026-11-30T12:01:00Z")));
        assert!(counts.take(&key, 1, at("2026-11-30T11:01:00Z")), "the clock was put back");
    }

    /// A million addresses within a minute, as whoever has a large network can send them.
    #[test]
    fn a_million_addresses_take_bounded_memory() {
        let counts = Counts::default();
        let now: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
        let minute = Minute::of(now);
        let numbered = |n: u128| Ipv6Addr::from_bits((0x2001_0db8_u128 << 96) | n << 64);
        let ask = |n| counts.take(&Key::new(What::Asked(Kind::Read), from(numbered(n).into())), 1, minute);
        assert!((0..1_000_000).all(ask));
        let (first, bytes) = held(&counts);
        assert_eq!(first, 1_000_000);
        assert!(bytes < 64 << 20, "{bytes}");
        // And another million, that it does not hold beside the first.
        assert!((1_000_000..2_000_000).all(ask));
        assert!(held(&counts).0 <= SHARDS * MOST && held(&counts).1 == bytes, "{:?}", held(&counts));
        // Who comes now is counted as ever.
        assert!(counts.take(&key("192.0.2.7"), 1, minute));
        assert!(!counts.take(&key("192.0.2.7"), 1, minute));
        // Two quiet minutes later the room is given back.
        for later in 1..=2 {
            let minute = Minute::of(now + Duration::from_mins(later));
            for n in 0..10_000_u32 {
                counts.take(
                    &Key::new(What::Asked(Kind::Read), from(IpAddr::from(n.to_be_bytes()))),
                    1,
                    minute,
                );
            }
        }
        assert!(held(&counts).1 < 1 << 20, "{:?}", held(&counts));
    }

    proptest! {
        /// In every minute as many are let through for a key as its limit says, and the rest is not.
        #[test]
        fn a_minute_holds_its_limit(
            limit in 1..5_u32,
            asked in proptest::collection::vec((0..4_u8, 0..40_000_u64), 1..200),
        ) {
            let counts = Counts::default();
            let mut now: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
            let mut model: BTreeMap<(u8, i64), u32> = BTreeMap::new();
            for (who, pause) in asked {
                now += Duration::from_millis(pause / 10);
                let used = model.entry((who, now.as_second().div_euclid(60))).or_default();
                let key = key(&format!("192.0.2.{who}"));
                prop_assert_eq!(counts.used(&key, Minute::of(now)), *used);
                let is_let = counts.take(&key, limit, Minute::of(now));
                prop_assert_eq!(is_let, *used < limit);
                *used += u32::from(is_let);
            }
        }
    }
}
