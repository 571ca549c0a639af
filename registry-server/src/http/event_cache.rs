//! What was worked out for a request, kept until the registry changes.
//!
//! Everything in it is good for one event number: the next change, of whatever, drops all of it. Who may read at all
//! was decided before.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

/// What an entry costs besides what it holds.
const OVERHEAD: usize = 512;

/// What can be kept.
pub(crate) trait Keep: Clone {
    /// How many bytes it holds.
    fn held(&self) -> usize;

    /// From when on it is made anew, whatever happened.
    fn until(&self) -> Option<Timestamp> {
        None
    }
}

/// Answers to questions, at most `CAPACITY` bytes.
#[derive(Debug)]
pub(crate) struct EventCache<V, const CAPACITY: usize>(Mutex<Kept<V, CAPACITY>>);

/// In two generations: when the younger is full, it becomes the older, and what was there goes. An answer that is asked
/// for comes back to the young, so that questions that nobody repeats push out each other, and not the answers to
/// those that everybody asks.
#[derive(Debug)]
struct Kept<V, const CAPACITY: usize> {
    event: u64,
    young: Generation<V>,
    old: Generation<V>,
}

#[derive(Debug)]
struct Generation<V> {
    bytes: usize,
    values: HashMap<String, V>,
}

impl<V, const CAPACITY: usize> Default for EventCache<V, CAPACITY> {
    fn default() -> Self {
        Self(Mutex::new(Kept::of(0)))
    }
}

impl<V: Keep, const CAPACITY: usize> EventCache<V, CAPACITY> {
    /// What was kept under `key` at this event, if it is still good `now`.
    pub(crate) fn get(&self, key: &str, event: u64, now: Timestamp) -> Option<V> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.event != event {
            return None;
        }
        if let Some(value) = kept.old.take(key) {
            kept.add(key.to_owned(), value);
        }
        kept.young.values.get(key).filter(|value| value.until().is_none_or(|until| now < until)).cloned()
    }

    /// Keeps what was worked out after the registry was seen to be at `event`: it may be newer than that number
    /// says, never older.
    pub(crate) fn put(&self, key: String, event: u64, value: V) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.event > event {
            return;
        }
        if kept.event < event {
            *kept = Kept::of(event);
        }
        kept.old.take(&key);
        kept.add(key, value);
    }
}

impl<V, const CAPACITY: usize> Kept<V, CAPACITY> {
    fn of(event: u64) -> Self {
        Self { event, young: Generation::default(), old: Generation::default() }
    }
}

impl<V: Keep, const CAPACITY: usize> Kept<V, CAPACITY> {
    fn add(&mut self, key: String, value: V) {
        self.young.take(&key);
        let size = size(&key, &value);
        if self.young.bytes + size > CAPACITY / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.bytes += size;
        self.young.values.insert(key, value);
    }
}

impl<V> Default for Generation<V> {
    fn default() -> Self {
        Self { bytes: 0, values: HashMap::new() }
    }
}

impl<V: Keep> Generation<V> {
    fn take(&mut self, key: &str) -> Option<V> {
        let value = self.values.remove(key)?;
        self.bytes -= size(key, &value);
        Some(value)
    }
}

fn size(key: &str, value: &impl Keep) -> usize {
    OVERHEAD + key.len() + value.held()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPACITY: usize = 8 << 20;
    const LARGE: usize = 256 * 1024;

    #[derive(Debug, Clone, Default)]
    struct Value {
        held: usize,
        until: Option<Timestamp>,
    }

    impl Keep for Value {
        fn held(&self) -> usize {
            self.held
        }

        fn until(&self) -> Option<Timestamp> {
            self.until
        }
    }

    fn value(held: usize) -> Value {
        Value { held, until: None }
    }

    fn cache() -> EventCache<Value, CAPACITY> {
        EventCache::default()
    }

    #[test]
    fn a_value_lives_for_one_event() {
        let cache = cache();
        cache.put("/a".into(), 4, value(1));
        assert!(cache.get("/a", 4, Timestamp::UNIX_EPOCH).is_some());
        assert!(cache.get("/a", 5, Timestamp::UNIX_EPOCH).is_none());
        cache.put("/b".into(), 5, value(1));
        assert!(cache.get("/a", 5, Timestamp::UNIX_EPOCH).is_none());
        cache.put("/a".into(), 4, value(1));
        assert!(
            cache.get("/a", 5, Timestamp::UNIX_EPOCH).is_none(),
            "a value from before the change came late"
        );
    }

    #[test]
    fn a_value_that_counts_ends_by_itself() {
        let cache = cache();
        let at = |second| Timestamp::from_second(second).unwrap();
        cache.put("/a".into(), 4, Value { until: Some(at(30)), ..value(1) });
        assert!(cache.get("/a", 4, at(29)).is_some());
        assert!(cache.get("/a", 4, at(30)).is_none());
    }

    #[test]
    fn a_value_made_anew_takes_the_room_of_the_one_before() {
        let cache = cache();
        for _ in 0..1000 {
            cache.put("/a".into(), 1, value(LARGE));
        }
        let kept = cache.0.into_inner().unwrap();
        assert_eq!((kept.young.bytes, kept.old.bytes), (OVERHEAD + 2 + LARGE, 0));
    }

    #[test]
    fn the_kept_is_bounded() {
        let cache = cache();
        for n in 0..1000 {
            cache.put(format!("/{n}"), 1, value(LARGE));
        }
        let kept = cache.0.into_inner().unwrap();
        for generation in [&kept.young, &kept.old] {
            let bytes: usize = generation.values.iter().map(|(key, value)| size(key, value)).sum();
            assert_eq!(generation.bytes, bytes);
            assert!((1..=CAPACITY / 2).contains(&bytes), "{bytes}");
        }
    }

    /// Questions that nobody repeats, however many, do not make the ones anew that are asked again and again.
    #[test]
    fn what_is_asked_for_again_outlives_a_flood() {
        let cache = cache();
        let now = Timestamp::UNIX_EPOCH;
        cache.put("/popular".into(), 1, value(100));
        cache.put("/forgotten".into(), 1, value(100));
        for n in 0..100_000 {
            cache.put(format!("/skills?page={n}"), 1, value(1_000));
            if n % 1_000 == 0 {
                assert!(cache.get("/popular", 1, now).is_some(), "{n}");
            }
        }
        assert!(cache.get("/forgotten", 1, now).is_none());
    }
}
