//! Numbers and times as pages say them.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

/// A point in time: for machines, and as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Time {
    /// `2026-11-28T09:12:00Z`.
    pub exact: String,
    /// `28 November 2026`.
    pub day: String,
    /// `28 November 2026, 09:12 UTC`.
    pub full: String,
}

impl Time {
    pub(super) fn of(at: Timestamp) -> Self {
        let zoned = at.to_zoned_datetime(TimeZone::UTC);
        Self {
            exact: zoned.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            day: zoned.strftime("%-d %B %Y").to_string(),
            full: zoned.strftime("%-d %B %Y, %H:%M UTC").to_string(),
        }
    }
}

/// Bytes as `812 bytes`, `4.6 KB`, `1.2 MB`.
pub(super) fn bytes(count: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", count / unit, count % unit * 10 / unit);
    match count {
        1 => "1 byte".to_owned(),
        0..1_000 => format!("{count} bytes"),
        1_000..1_000_000 => format!("{} KB", tenths(1_000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

/// A count with its thing: `1 file`, `2,000 files`.
pub(super) fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(count))
}

/// A number with commas between its thousands.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many tokens a model reads for a text, about: a token stands for four bytes of English.
pub(super) fn tokens(bytes: usize) -> String {
    format!("≈ {}", grouped(bytes.div_ceil(4) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(
            [bytes(1), bytes(999), bytes(4_650), bytes(1_250_000)],
            ["1 byte", "999 bytes", "4.6 KB", "1.2 MB"]
        );
        assert_eq!([counted(1, "file"), counted(2_000, "file")], ["1 file", "2,000 files"]);
        assert_eq!([grouped(0), grouped(999), grouped(1_234_567)], ["0", "999", "1,234,567"]);
    }

    #[test]
    fn times_for_people() {
        let time = Time::of("2026-11-08T09:02:00Z".parse().unwrap());
        assert_eq!([time.day.as_str(), &time.full], ["8 November 2026", "8 November 2026, 09:02 UTC"]);
    }
}
