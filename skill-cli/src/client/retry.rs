//! When and how long to wait before a call is tried again.

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// Attempts of a call that changes nothing.
pub(super) const TRIES: u32 = 3;

/// A registry that asks for more than this is told to the person instead of being waited for.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// Whether an answer of this status may be another one in a moment.
pub(super) const fn is_transient(status: u16) -> bool {
    matches!(status, 429 | 500 | 502 | 503 | 504)
}

/// How long to wait after attempt number `attempt` (from 1): what the registry asks for, else
/// 300 ms doubled each time and never more than 5 s; `jitter` (0 to 255) adds up to a quarter second.
pub(super) fn delay(attempt: u32, asked: Option<Duration>, jitter: u8) -> Duration {
    let own = Duration::from_millis(300 << attempt.saturating_sub(1).min(4)).min(Duration::from_secs(5));
    asked.unwrap_or(own) + Duration::from_millis(u64::from(jitter))
}

/// `Retry-After` in seconds, or as a date, which is read against the answer's own `Date`, so that
/// this machine's clock does not matter.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(Duration::from_secs(u64::from(seconds)));
    }
    let date = |text: &str| jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp());
    let until = date(text)?;
    let now = date(headers.get(DATE)?.to_str().ok()?)?;
    Some(Duration::try_from(now.duration_until(until)).unwrap_or(Duration::ZERO))
}

/// One byte of chance, so that many clients do not come back at the same moment.
pub(super) fn jitter() -> u8 {
    let mut byte = [0];
    // Without entropy the wait is merely less spread.
    let _ = getrandom::fill(&mut byte);
    byte[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(reqwest::header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn waits_grow_and_end() {
        let waits: Vec<u128> = (1..8).map(|attempt| delay(attempt, None, 0).as_millis()).collect();
        assert_eq!(waits, [300, 600, 1200, 2400, 4800, 4800, 4800]);
        assert_eq!(delay(1, Some(Duration::from_secs(2)), 255), Duration::from_millis(2255));
    }

    #[test]
    fn seconds_and_dates_are_read() {
        assert_eq!(retry_after(&headers(&[(RETRY_AFTER, "42")])), Some(Duration::from_secs(42)));
        let dated = headers(&[
            (RETRY_AFTER, "Sun, 06 Nov 1994 08:49:39 GMT"),
            (DATE, "Sun, 06 Nov 1994 08:49:37 GMT"),
        ]);
        assert_eq!(retry_after(&dated), Some(Duration::from_secs(2)));
        assert_eq!(retry_after(&headers(&[(RETRY_AFTER, "soon")])), None);
        assert_eq!(retry_after(&headers(&[])), None);
    }

    #[test]
    fn a_date_that_has_passed_is_no_wait() {
        let dated = headers(&[
            (RETRY_AFTER, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (DATE, "Sun, 06 Nov 1994 08:49:39 GMT"),
        ]);
        assert_eq!(retry_after(&dated), Some(Duration::ZERO));
    }

    #[test]
    fn what_is_tried_again() {
        for status in [429, 500, 502, 503, 504] {
            assert!(is_transient(status), "{status}");
        }
        for status in [200, 301, 400, 401, 403, 404, 409, 410, 423, 501, 507] {
            assert!(!is_transient(status), "{status}");
        }
    }
}
