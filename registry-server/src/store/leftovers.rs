//! Rows that have served: what is over, delivered or dead, and is kept only for a while.

use std::time::Duration;

use jiff::Timestamp;
use sqlx::AssertSqlSafe;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// Rows of one kind that have served.
#[derive(Debug, Clone, Copy)]
pub struct Leftover {
    /// What they are, one and several.
    pub what: [&'static str; 2],
    table: &'static str,
    /// When it served: rows with a time before this one's border go.
    since: &'static str,
    /// How long they are kept after that.
    kept: Duration,
}

const DAY: Duration = Duration::from_hours(24);

const fn over(what: [&'static str; 2], table: &'static str) -> Leftover {
    Leftover { what, table, since: "expires_at", kept: DAY }
}

const fn served(what: [&'static str; 2], table: &'static str, since: &'static str, days: u32) -> Leftover {
    Leftover { what, table, since, kept: DAY.saturating_mul(days) }
}

/// Every kind.
pub const LEFTOVERS: &[Leftover] = &[
    over(["sign-in link", "sign-in links"], "sign_in_links"),
    over(["device code", "device codes"], "device_codes"),
    over(["session", "sessions"], "sessions"),
    over(["sign-in elsewhere", "sign-ins elsewhere"], "oidc_flows"),
    over(["upload ticket", "upload tickets"], "upload_tickets"),
    over(["draft", "drafts"], "drafts"),
    served(["count of guesses", "counts of guesses"], "guesses", "until", 1),
    served(["delivered webhook", "delivered webhooks"], "deliveries", "delivered_at", 30),
    served(["webhook that was given up", "webhooks that were given up"], "deliveries", "dead_at", 90),
    served(["job that was given up", "jobs that were given up"], "jobs", "dead_at", 90),
];

impl Leftover {
    /// How many there are.
    pub async fn count(&self, conn: &mut Conn, now: Timestamp) -> Result<u64, StoreError> {
        let sql = format!("SELECT COUNT(*) AS rows_there FROM {} WHERE {} < $1", self.table, self.since);
        sqlx::query(AssertSqlSafe(sql)).bind(self.border(now)).fetch_one(conn).await?.count("rows_there")
    }

    /// Removes them; how many there were.
    pub async fn remove(&self, conn: &mut Conn, now: Timestamp) -> Result<u64, StoreError> {
        let sql = format!("DELETE FROM {} WHERE {} < $1", self.table, self.since);
        let done = sqlx::query(AssertSqlSafe(sql)).bind(self.border(now)).execute(conn).await?;
        Ok(done.rows_affected())
    }

    fn border(&self, now: Timestamp) -> i64 {
        now.as_millisecond() - i64::try_from(self.kept.as_millis()).unwrap_or(i64::MAX)
    }
}
