//! What people say about skills, what waits for moderators, and the log of what everybody did.

mod appeals;
mod audit;
mod operator;
mod queue;
mod reports;
mod two_persons;

use skill_registry::auth::Scope;

use crate::support::{Caller, TestRegistry};

/// A new user who moderates.
pub(crate) async fn moderator(registry: &TestRegistry, name: &str) -> Caller {
    registry.add_user(name).await;
    promoted(registry, name).await
}

/// A user who moderates from now on.
async fn promoted(registry: &TestRegistry, name: &str) -> Caller {
    let mut tx = registry.app.db().quiet().await.unwrap();
    sqlx::query("UPDATE users SET role = 'moderator' WHERE name = $1")
        .bind(name)
        .execute(tx.conn())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    registry.token(name, [Scope::Read, Scope::Moderate]).await
}
