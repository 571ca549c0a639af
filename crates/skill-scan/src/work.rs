//! How much is looked at, how much may be, and whether anybody still wants it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a bundle of any size may take: three times what the hungriest of some hundred real skills takes.
const FREE: u64 = 32 << 20;
/// How often each byte may be held against an expression beyond that.
const TIMES: u64 = 4;
/// What no bundle may take more of, however large it is: some seconds of a slow machine.
const MOST: u64 = 128 << 20;

/// Bytes that expressions are held against. They are counted, not timed: the same bundle is read
/// as far on every machine.
#[derive(Debug)]
pub(crate) struct Work {
    done: u64,
    most: u64,
    refused: bool,
    stop: Arc<AtomicBool>,
}

impl Work {
    pub(crate) fn for_bytes(bytes: u64) -> Self {
        Self::at_most(MOST.min(FREE.saturating_add(bytes.saturating_mul(TIMES))))
    }

    pub(crate) fn at_most(most: u64) -> Self {
        Self { done: 0, most, refused: false, stop: Arc::default() }
    }

    /// The same, to be given up once `stop` is set.
    pub(crate) fn until(self, stop: &Arc<AtomicBool>) -> Self {
        Self { stop: Arc::clone(stop), ..self }
    }

    /// Asks for `bytes` more; `false` if that is too much, or if nobody wants it any more.
    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        let done = self.done.saturating_add(bytes as u64);
        if done > self.most || self.is_stopped() {
            self.refused = true;
            return false;
        }
        self.done = done;
        true
    }

    /// How much was looked at.
    pub(crate) const fn done(&self) -> u64 {
        self.done
    }

    /// Whether something was left unread since this was last asked.
    pub(crate) const fn was_refused(&mut self) -> bool {
        std::mem::replace(&mut self.refused, false)
    }

    /// Whether nobody wants the rest.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_said_once() {
        let mut work = Work::for_bytes(1);
        assert!(work.take(FREE as usize));
        assert!(work.take(TIMES as usize));
        assert!(!work.was_refused());
        assert!(!work.take(1));
        assert_eq!((work.was_refused(), work.was_refused()), (true, false));
        assert_eq!(work.done(), FREE + TIMES);
        let mut work = Work::for_bytes(u64::MAX);
        assert!(work.take(MOST as usize) && !work.take(1));
    }

    #[test]
    fn what_nobody_wants_is_not_done() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut work = Work::for_bytes(1).until(&stop);
        assert!(work.take(1));
        stop.store(true, Ordering::Relaxed);
        assert!(!work.take(1));
        assert_eq!((work.done(), work.is_stopped()), (1, true));
    }
}
