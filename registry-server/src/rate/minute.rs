use jiff::Timestamp;

const SECONDS: i64 = 60;

/// A minute of the clock. All counts end with it at once, so that none needs a time of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Minute {
    /// Minutes since 1970.
    pub(super) number: i64,
    /// Seconds that are left of it, 1 to 60.
    left: u32,
}

/// A limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no more than {limit} {of} a minute are answered")]
pub struct RateLimited {
    /// What it limits, in the plural.
    pub of: &'static str,
    /// How many a minute.
    pub limit: u32,
    /// Seconds until the next minute, 1 to 60.
    pub wait: u32,
    /// When that begins, in seconds since 1970.
    pub reset: i64,
}

impl Minute {
    pub(super) fn of(now: Timestamp) -> Self {
        let second = now.as_millisecond().div_euclid(1000);
        let left = SECONDS - second.rem_euclid(SECONDS);
        Self { number: second.div_euclid(SECONDS), left: left as u32 }
    }

    pub(super) const fn limited(self, of: &'static str, limit: u32) -> RateLimited {
        RateLimited { of, limit, wait: self.left, reset: (self.number + 1) * SECONDS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_comes_in_the_next_minute() {
        let shown = |at: &str| {
            let now: Timestamp = at.parse().unwrap();
            let limited = Minute::of(now).limited("reads", 1);
            let later = Minute::of(now + std::time::Duration::from_secs(limited.wait.into()));
            assert_eq!(later.number, Minute::of(now).number + 1, "{at}");
            (limited.wait, limited.reset - now.as_second())
        };
        assert_eq!(shown("2026-11-30T12:00:00Z"), (60, 60));
        assert_eq!(shown("2026-11-30T12:00:00.999Z"), (60, 60));
        assert_eq!(shown("2026-11-30T12:00:17Z"), (43, 43));
        assert_eq!(shown("2026-11-30T12:00:59.999Z"), (1, 1));
        assert_eq!(shown("1969-12-31T23:59:59Z"), (1, 1));
    }
}
