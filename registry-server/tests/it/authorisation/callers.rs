//! Everybody who may ask.

use skill_registry::accounts;
use skill_registry::auth::Scope;
use skill_registry::store::publishers::MemberRole;

use super::targets::TEAM;
use crate::support::{Caller, TestRegistry};

pub(super) const COLUMNS: [&str; 14] = [
    "nobody",
    "other",
    "invited",
    "publisher",
    "admin",
    "owner",
    "moderator",
    "site",
    "expired",
    "revoked",
    "reads",
    "elsewhere",
    "session",
    "formless",
];

/// One of each column but the last two, in that order. The last four are tokens of the owner, and the columns without
/// one are for sessions of the owner.
pub(super) async fn callers(registry: &TestRegistry) -> [Caller; 12] {
    let other = registry.user("other").await;
    let invited = registry.user("invited").await;
    invite(registry, "invited").await;
    let publisher = member(registry, "pia", MemberRole::Publisher).await;
    let administrator = member(registry, "adam", MemberRole::Admin).await;
    let owner = member(registry, "olga", MemberRole::Owner).await;
    registry.add_user("mona").await;
    run(registry, "UPDATE users SET role = 'moderator' WHERE name = 'mona'").await;
    let moderator = registry.token("mona", [Scope::Read, Scope::Publish, Scope::Moderate]).await;

    let expired = registry.token("olga", [Scope::Read, Scope::Publish]).await;
    let prefix = expired.token().prefix();
    run(registry, &format!("UPDATE tokens SET expires_at = 1 WHERE prefix = '{prefix}'")).await;
    let revoked = registry.token("olga", [Scope::Read, Scope::Publish]).await;
    accounts::revoke_token(registry.app.db(), revoked.token().prefix(), "test").await.unwrap();
    let reads = registry.token("olga", [Scope::Read]).await;
    let elsewhere = registry.token("olga", [Scope::Read, Scope::Publish]).await;
    let prefix = elsewhere.token().prefix();
    run(registry, &format!("UPDATE tokens SET publisher = 'olga' WHERE prefix = '{prefix}'")).await;

    let nobody = registry.anonymous();
    let site = registry.admin();
    [
        nobody,
        other,
        invited,
        publisher,
        administrator,
        owner,
        moderator,
        site,
        expired,
        revoked,
        reads,
        elsewhere,
    ]
}

async fn member(registry: &TestRegistry, name: &str, role: MemberRole) -> Caller {
    let caller = registry.user(name).await;
    registry.join(TEAM, name, role).await;
    caller
}

/// An invitation that is not answered yet gives nothing.
async fn invite(registry: &TestRegistry, name: &str) {
    let sql = format!(
        "INSERT INTO invitations (id, publisher, user_id, role, invited_by, created_at, expires_at)
         SELECT 'invitation', '{TEAM}', id, 'owner', id, 1, 9000000000000 FROM users WHERE name = '{name}'"
    );
    run(registry, &sql).await;
}

async fn run(registry: &TestRegistry, sql: &str) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    let done = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(tx.conn()).await.unwrap();
    assert_eq!(done.rows_affected(), 1, "{sql}");
    tx.commit().await.unwrap();
}
