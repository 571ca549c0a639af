//! Reading columns as the types they stand for.

use std::str::FromStr;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::StoreError;

/// Typed access to the columns of a row; a value that this program never writes is
/// [`StoreError::Unreadable`].
pub(super) trait Columns {
    fn text(&self, column: &'static str) -> Result<String, StoreError>;
    fn maybe_text(&self, column: &'static str) -> Result<Option<String>, StoreError>;
    fn int(&self, column: &'static str) -> Result<i64, StoreError>;
    fn maybe_int(&self, column: &'static str) -> Result<Option<i64>, StoreError>;

    /// A count or size, which is never negative.
    fn count(&self, column: &'static str) -> Result<u64, StoreError> {
        let value = self.int(column)?;
        u64::try_from(value).map_err(|_| StoreError::Unreadable { column, text: value.to_string() })
    }

    fn flag(&self, column: &'static str) -> Result<bool, StoreError> {
        Ok(self.int(column)? != 0)
    }

    fn time(&self, column: &'static str) -> Result<Timestamp, StoreError> {
        to_time(column, self.int(column)?)
    }

    fn maybe_time(&self, column: &'static str) -> Result<Option<Timestamp>, StoreError> {
        self.maybe_int(column)?.map(|millis| to_time(column, millis)).transpose()
    }

    fn parsed<T: FromStr>(&self, column: &'static str) -> Result<T, StoreError> {
        parse(column, self.text(column)?)
    }

    fn maybe_parsed<T: FromStr>(&self, column: &'static str) -> Result<Option<T>, StoreError> {
        self.maybe_text(column)?.map(|text| parse(column, text)).transpose()
    }

    fn json<T: DeserializeOwned>(&self, column: &'static str) -> Result<T, StoreError> {
        let text = self.text(column)?;
        serde_json::from_str(&text).map_err(|_| StoreError::Unreadable { column, text })
    }
}

impl Columns for AnyRow {
    fn text(&self, column: &'static str) -> Result<String, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn maybe_text(&self, column: &'static str) -> Result<Option<String>, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn int(&self, column: &'static str) -> Result<i64, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn maybe_int(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
        Ok(self.try_get(column)?)
    }
}

fn parse<T: FromStr>(column: &'static str, text: String) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Unreadable { column, text })
}

fn to_time(column: &'static str, millis: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis)
        .map_err(|_| StoreError::Unreadable { column, text: millis.to_string() })
}

/// A count or size as the database keeps it. Limits keep all of them far below the border.
pub(super) fn to_int(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A value that this program made, as JSON text.
pub(super) fn to_json<T: serde::Serialize>(column: &'static str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|e| StoreError::Unreadable { column, text: e.to_string() })
}
