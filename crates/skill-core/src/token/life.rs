use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long a token is good for. Text form: a whole number above 0 with `d`, `h` or `m`, or `never` for one that does not
/// end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Life {
    /// This long.
    For(Duration),
    /// Until it is revoked.
    Never,
}

/// A text that says no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", Life::WANTED)]
pub struct LifeError;

/// Letter and seconds of each unit, longest first.
const UNITS: [(char, u64); 3] = [('d', 24 * 60 * 60), ('h', 60 * 60), ('m', 60)];

impl Life {
    /// What a text has to be.
    pub const WANTED: &str = "a whole number above 0 and d, h or m, as in 90d, or never";
}

impl FromStr for Life {
    type Err = LifeError;

    fn from_str(text: &str) -> Result<Self, LifeError> {
        if text == "never" {
            return Ok(Self::Never);
        }
        let number = text.trim_end_matches(|last: char| last.is_ascii_alphabetic());
        let (_, seconds) = UNITS
            .into_iter()
            .find(|(letter, _)| text[number.len()..].chars().eq([*letter]))
            .ok_or(LifeError)?;
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(LifeError);
        }
        let number: u64 = number.parse().map_err(|_| LifeError)?;
        let all = number.checked_mul(seconds).filter(|all| *all > 0).ok_or(LifeError)?;
        Ok(Self::For(Duration::from_secs(all)))
    }
}

impl fmt::Display for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::For(length) = self else { return f.write_str("never") };
        let length = length.as_secs();
        let (letter, seconds) =
            UNITS.into_iter().find(|(_, seconds)| length.is_multiple_of(*seconds)).unwrap_or(('m', 60));
        write!(f, "{}{letter}", length / seconds)
    }
}

impl TryFrom<String> for Life {
    type Error = LifeError;

    fn try_from(text: String) -> Result<Self, LifeError> {
        text.parse()
    }
}

impl From<Life> for String {
    fn from(life: Life) -> Self {
        life.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lives() {
        for (text, hours) in [("90d", 90 * 24), ("48h", 48), ("120m", 2)] {
            assert_eq!(text.parse(), Ok(Life::For(Duration::from_hours(hours))), "{text}");
        }
        assert_eq!("never".parse(), Ok(Life::Never));
        for other in
            ["", "d", "90", "0d", "-1d", "+1d", "1.5h", "1w", "9d ", "9dd", "99999999999999999999d", "1ä"]
        {
            assert_eq!(other.parse::<Life>(), Err(LifeError), "{other}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for text in ["90d", "5h", "30m", "never"] {
            assert_eq!(text.parse::<Life>().unwrap().to_string(), text);
        }
        assert_eq!("48h".parse::<Life>().unwrap().to_string(), "2d");
    }
}
