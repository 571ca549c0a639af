use serde_json::json;
use skill_core::name::{Owner, owner_is_reserved};

use crate::entropy::Entropy;
use crate::store::audit::{Actor, NewAudit};
use crate::store::events::{EventKind, NewEvent};
use crate::store::publishers::{self, MemberRole, Publisher, PublisherKind};
use crate::store::users::{self, SiteRole, User};
use crate::store::{Conn, Db, StoreError};

/// A user about to be added.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Name, and handle of the personal publisher.
    pub name: Owner,
    /// As people read it.
    pub display_name: String,
    /// What the user may do on the whole site.
    pub role: SiteRole,
    /// Who adds the user.
    pub actor: String,
}

/// Why a user was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddUserError {
    /// A route or a reserved handle.
    #[error("the handle {handle} is reserved")]
    Reserved {
        /// The handle.
        handle: Owner,
    },
    /// A user or a publisher has it, or had it.
    #[error("the handle {handle} is taken")]
    Taken {
        /// The handle.
        handle: Owner,
    },
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds a user and the personal publisher of the same name.
pub async fn add_user(db: &Db, entropy: &Entropy, new: NewUser) -> Result<User, AddUserError> {
    if owner_is_reserved(new.name.as_str()) {
        return Err(AddUserError::Reserved { handle: new.name });
    }
    let mut tx = db.write().await?;
    let now = tx.now();
    let user = User {
        id: entropy.id().map_err(StoreError::from)?,
        name: new.name,
        display_name: new.display_name,
        role: new.role,
        created_at: now,
        disabled_at: None,
    };
    if !insert_with_publisher(tx.conn(), &user).await? {
        return Err(AddUserError::Taken { handle: user.name });
    }
    let change = NewAudit::new(Actor::unshown(new.actor), "user.add", user.name.to_string());
    tx.audit(change.with(json!({ "role": user.role.as_str() })));
    tx.commit(NewEvent::of_publisher(EventKind::UserAdded, user.name.clone())).await?;
    Ok(user)
}

/// Writes a user, the personal publisher and the ownership of it; `false` if a name is taken.
pub(crate) async fn insert_with_publisher(conn: &mut Conn, user: &User) -> Result<bool, StoreError> {
    let publisher = Publisher {
        handle: user.name.clone(),
        kind: PublisherKind::User,
        user_id: Some(user.id.clone()),
        display_name: user.display_name.clone(),
        created_at: user.created_at,
    };
    if !users::insert(conn, user).await? || !publishers::insert(conn, &publisher).await? {
        return Ok(false);
    }
    publishers::set_member(conn, &user.name, &user.id, MemberRole::Owner, user.created_at).await?;
    Ok(true)
}
