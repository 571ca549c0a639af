use sqlx::Row as _;

use super::finding::{Family, Report};
use super::numbers::count;
use crate::store::{Conn, StoreError};

/// Rows that should not be: what a row of the query's is, and the query.
const NONE: [(&str, &str); 4] = [
    (
        "a former name without its signed statement",
        "SELECT a.owner || '/' || a.slug FROM aliases a LEFT JOIN statements s ON s.sha256 = a.statement
         WHERE s.kind IS NULL OR s.kind <> 'name' ORDER BY a.owner, a.slug",
    ),
    (
        "a bare name that is bound and kept for somebody else",
        "SELECT b.slug FROM slug_bindings b JOIN slug_holds h ON h.slug = b.slug
         WHERE h.skill_id <> b.skill_id AND h.until IS NULL ORDER BY b.slug",
    ),
    (
        "a deleted skill that keeps its bare name",
        "SELECT b.slug FROM slug_bindings b JOIN skills s ON s.id = b.skill_id
         WHERE s.deleted_at IS NOT NULL ORDER BY b.slug",
    ),
    (
        "a tag that points to another skill's release",
        "SELECT t.tag FROM tags t JOIN releases r ON r.id = t.release_id WHERE r.skill_id <> t.skill_id ORDER BY t.tag",
    ),
];

/// Former names have statements, bare names one holder, and tags point into their own skill.
pub(super) async fn check(conn: &mut Conn, report: &mut Report) -> Result<(), StoreError> {
    for (what, sql) in NONE {
        for row in sqlx::query(sql).fetch_all(&mut *conn).await? {
            report.wrong(Family::Names, format!("{}: {what}", row.try_get::<String, _>(0)?));
        }
    }
    for table in
        ["SELECT COUNT(*) FROM skills", "SELECT COUNT(*) FROM aliases", "SELECT COUNT(*) FROM slug_holds"]
    {
        let names = count(conn, table).await?;
        report.saw(Family::Names, names as u64);
    }
    Ok(())
}
