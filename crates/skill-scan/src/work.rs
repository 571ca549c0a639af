//! How much is looked at, and how much may be.

/// What a bundle of any size may take.
const FREE: u64 = 128 << 20;
/// How often each byte may be held against an expression beyond that.
const TIMES: u64 = 64;

/// Bytes that expressions are held against. They are counted, not timed: the same bundle is read
/// as far on every machine.
#[derive(Debug)]
pub(crate) struct Work {
    done: u64,
    most: u64,
    refused: bool,
}

impl Work {
    pub(crate) const fn for_bytes(bytes: u64) -> Self {
        Self::at_most(FREE.saturating_add(bytes.saturating_mul(TIMES)))
    }

    pub(crate) const fn at_most(most: u64) -> Self {
        Self { done: 0, most, refused: false }
    }

    /// Asks for `bytes` more; `false` if that is too much.
    pub(crate) const fn take(&mut self, bytes: usize) -> bool {
        let done = self.done.saturating_add(bytes as u64);
        if done > self.most {
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
    }
}
