use sqlx::Row as _;

use super::finding::{Family, Report};
use crate::store::{Conn, StoreError, head};

/// The head and the counters say how many rows there are, and rows are numbered without gaps.
pub(super) async fn check(conn: &mut Conn, report: &mut Report) -> Result<(), StoreError> {
    let head = head::get(conn).await?;
    let (event, leaf) = (head.event as i64, head.leaf as i64);
    let restrictions = count(conn, "SELECT value FROM counters WHERE name = 'restriction'").await?;
    let expected = [
        ("events", "SELECT COUNT(*) FROM events", event),
        ("the highest event", "SELECT MAX(event) FROM events", event),
        ("leaves", "SELECT COUNT(*) FROM leaves", leaf),
        ("the highest leaf and one", "SELECT MAX(idx) + 1 FROM leaves", leaf),
        ("statements", "SELECT COUNT(*) FROM statements", leaf),
        ("restrictions", "SELECT COUNT(*) FROM restrictions", restrictions),
        ("the highest restriction", "SELECT MAX(sequence) FROM restrictions", restrictions),
    ];
    for (what, sql, expected) in expected {
        let found = count(conn, sql).await?;
        if found != expected {
            report.wrong(Family::Numbers, format!("{what}: {found}, counted {expected}"));
        }
        report.saw(Family::Numbers, 1);
    }
    Ok(())
}

/// The number that a query gives; 0 for none.
pub(super) async fn count(conn: &mut Conn, sql: &'static str) -> Result<i64, StoreError> {
    Ok(sqlx::query(sql).fetch_one(conn).await?.try_get::<Option<i64>, _>(0)?.unwrap_or(0))
}
