use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

/// Where the next page of a list by time begins: after the row of that time with that id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The row's time, which a cursor holds in milliseconds since 1970.
    pub at: Timestamp,
    /// Its id, which decides between rows of one time.
    pub id: String,
}

/// It is no cursor of such a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is no cursor of this list")]
pub(crate) struct CursorError;

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.at.as_millisecond(), self.id)
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Self, CursorError> {
        let (at, id) = text.split_once('.').ok_or(CursorError)?;
        let at = at.parse().ok().and_then(|at| Timestamp::from_millisecond(at).ok()).ok_or(CursorError)?;
        Ok(Self { at, id: id.to_owned() })
    }
}
