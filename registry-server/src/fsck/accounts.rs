use sqlx::Row as _;

use super::finding::{Family, Report};
use super::numbers::count;
use crate::store::{Conn, StoreError};

/// Rows that should not be: what a row of the query's is, and the query.
const NONE: [(&str, &str); 4] = [
    (
        "a publisher without an owner",
        "SELECT p.handle FROM publishers p WHERE p.deleted_at IS NULL AND NOT EXISTS
         (SELECT 1 FROM members m WHERE m.publisher = p.handle AND m.role = 'owner') ORDER BY p.handle",
    ),
    (
        "a personal publisher that its user does not own",
        "SELECT p.handle FROM publishers p WHERE p.user_id IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM members m WHERE m.publisher = p.handle AND m.user_id = p.user_id AND m.role = 'owner')
         ORDER BY p.handle",
    ),
    (
        "a user without a publisher",
        "SELECT u.name FROM users u WHERE NOT EXISTS
         (SELECT 1 FROM publishers p WHERE p.user_id = u.id) ORDER BY u.name",
    ),
    (
        "a token that outlives the revoked one that made it",
        "SELECT made.id FROM tokens made JOIN tokens maker ON made.made_from = 'token:' || maker.id
         WHERE maker.revoked_at IS NOT NULL AND made.revoked_at IS NULL ORDER BY made.id",
    ),
];

/// Every publisher has an owner, every user a publisher, and no token outlives the one that made it.
pub(super) async fn check(conn: &mut Conn, report: &mut Report) -> Result<(), StoreError> {
    for (what, sql) in NONE {
        for row in sqlx::query(sql).fetch_all(&mut *conn).await? {
            report.wrong(Family::Accounts, format!("{}: {what}", row.try_get::<String, _>(0)?));
        }
    }
    if count(conn, "SELECT COUNT(*) FROM users WHERE role = 'admin'").await? == 0 {
        report.wrong(Family::Accounts, "there is no administrator");
    }
    let publishers = count(conn, "SELECT COUNT(*) FROM publishers").await?;
    report.saw(Family::Accounts, publishers as u64);
    Ok(())
}
