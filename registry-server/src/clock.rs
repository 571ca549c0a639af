//! The time, as an argument.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// Where a program reads the time from.
#[derive(Debug, Clone)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that stands still until it is moved, in milliseconds since 1970.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `at`.
    pub fn fixed(at: Timestamp) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(at.as_millisecond())))
    }

    /// The time now, in whole milliseconds: what is stored is what was signed.
    pub fn now(&self) -> Timestamp {
        let millis = match self {
            Self::System => system_millis(),
            Self::Fixed(at) => at.load(Ordering::SeqCst),
        };
        Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Moves a fixed clock on; the machine's clock cannot be moved.
    pub fn advance(&self, by: std::time::Duration) {
        if let Self::Fixed(at) = self {
            at.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place of the server that reads the machine's clock")]
fn system_millis() -> i64 {
    Timestamp::now().as_millisecond()
}
