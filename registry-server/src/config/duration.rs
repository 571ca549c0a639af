use std::time::Duration;

/// Reads a whole number and `d`, `h` or `m`.
pub(crate) fn duration(text: &str) -> Result<Duration, &'static str> {
    const WANTED: &str = "a whole number above 0 and d, h or m, as in 90d";
    let unit = text.chars().last().ok_or(WANTED)?;
    let seconds = match unit {
        'd' => 24 * 60 * 60,
        'h' => 60 * 60,
        'm' => 60,
        _ => return Err(WANTED),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| WANTED)?;
    let all = number.checked_mul(seconds).filter(|all| (1..=LONGEST).contains(all)).ok_or(WANTED)?;
    Ok(Duration::from_secs(all))
}

/// A hundred years: no time that a program reckons with ends behind what it can write.
const LONGEST: u64 = 100 * 365 * 24 * 60 * 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("90d"), Ok(Duration::from_hours(90 * 24)));
        assert_eq!(duration("30m"), Ok(Duration::from_mins(30)));
        for other in
            ["", "d", "90", "0d", "-1d", "1.5h", "1w", "9d ", "36501d", "99999999999999999999d", "1ä"]
        {
            assert!(duration(other).is_err(), "{other}");
        }
    }
}
