//! Sizes, counts, durations, times.

use std::time::Duration;

use jiff::Timestamp;

/// A size: `412 B`, `3.1 KiB`, `1.2 MiB`.
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    for unit in ["KiB", "MiB", "GiB"] {
        // 1023.96 would be written as 1024.0.
        if value < 1023.95 {
            return format!("{value:.1} {unit}");
        }
        value /= 1024.0;
    }
    format!("{value:.1} TiB")
}

/// Digits, with commas from 10,000 up.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    if number < 10_000 {
        return digits;
    }
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `no files`, `1 file`, `2 files`: both forms are given.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        _ => format!("{} {many}", count(number as u64)),
    }
}

/// How long something took or takes: `0.4 s`, `12 s`, `3 min 20 s`, `9 days`.
pub fn duration(length: Duration) -> String {
    let seconds = length.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", length.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3600..172_800 => counted((seconds / 3600) as usize, "hour", "hours"),
        _ => counted((seconds / 86_400) as usize, "day", "days"),
    }
}

/// A date: `2026-11-30`, in UTC.
pub fn date(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d").to_string()
}

/// A date with the hour: `2026-11-30 15:54 UTC`.
pub fn moment(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// `abcdef012345…` to its first 12 digits, `sha256:` kept; whole where `whole` is set.
pub fn digest(text: &str, whole: bool) -> String {
    let (prefix, digits) = text.split_at(text.find(':').map_or(0, |at| at + 1));
    if whole { text.to_owned() } else { format!("{prefix}{}", digits.get(..12).unwrap_or(digits)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (bytes, text) in [
            (0, "0 B"),
            (412, "412 B"),
            (1024, "1.0 KiB"),
            (3175, "3.1 KiB"),
            (1_048_575, "1.0 MiB"),
            (1_258_291, "1.2 MiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn counts() {
        assert_eq!(count(9999), "9999");
        assert_eq!(count(10_000), "10,000");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(0, "file", "files"), "no files");
        assert_eq!(counted(1, "file", "files"), "1 file");
    }

    #[test]
    fn durations() {
        for (millis, text) in
            [(400, "0.4 s"), (12_300, "12 s"), (200_000, "3 min 20 s"), (777_600_000, "9 days")]
        {
            assert_eq!(duration(Duration::from_millis(millis)), text);
        }
    }

    #[test]
    fn times() {
        let time: Timestamp = "2026-11-30T15:54:03Z".parse().unwrap();
        assert_eq!(date(time), "2026-11-30");
        assert_eq!(moment(time), "2026-11-30 15:54 UTC");
        assert_eq!(digest("sha256:9f2c4e7a1b3d55", false), "sha256:9f2c4e7a1b3d");
    }
}
