use jiff::Timestamp;
use serde_json::json;
use skill_core::digest::RegistryId;
use skill_core::name::Owner;

use super::DataError;
use crate::accounts::insert_with_publisher;
use crate::auth::{Scope, Scopes, TokenText, new_token};
use crate::entropy::Entropy;
use crate::store::audit::{Actor, NewAudit};
use crate::store::events::{EventKind, NewEvent};
use crate::store::grants::{self, GrantKind};
use crate::store::tokens::{self, TokenRow};
use crate::store::users::{self, SiteRole, User};
use crate::store::{Conn, Db, StoreError, meta, roots};

/// The user that a first start makes.
pub const FIRST_USER: &str = "admin";
/// Who acts at a first start.
pub const REGISTRY: &str = "registry";
/// What is kept under [`meta::FIRST_TOKEN`] before a token was made.
const DUE: &str = "due";

/// Says in one transaction that the registry exists: its id, its root, its administrator. Answers with
/// the id that is there now, which is another one if somebody was faster.
pub(super) async fn make(
    db: &Db,
    entropy: &Entropy,
    id: RegistryId,
    root: &str,
) -> Result<RegistryId, DataError> {
    let mut tx = db.write().await?;
    let now = tx.now();
    let kept = meta::set_once(tx.conn(), meta::REGISTRY_ID, &id.to_string()).await?;
    let kept: RegistryId = parse_id(kept)?;
    if kept != id {
        return Ok(kept);
    }
    roots::insert(tx.conn(), 1, root).await?;
    add_administrator(tx.conn(), &entropy.id()?, now).await?;
    let added = NewAudit::new(Actor::unshown(REGISTRY), "user.add", FIRST_USER.to_owned());
    tx.audit(added.with(json!({ "role": SiteRole::Admin.as_str() })));
    meta::set(tx.conn(), meta::FIRST_TOKEN, DUE).await?;
    tx.commit(NewEvent::of_registry(EventKind::RegistryMade)).await?;
    Ok(id)
}

/// The administrator is a publisher too, so that a registry of one person needs no second account. The
/// handle is a reserved one, granted by the registry itself.
async fn add_administrator(conn: &mut Conn, id: &str, now: Timestamp) -> Result<(), StoreError> {
    let unreadable = |text: String| StoreError::Unreadable { column: "name", text };
    let name: Owner = FIRST_USER.parse().map_err(|_| unreadable(FIRST_USER.to_owned()))?;
    let user = User {
        id: id.to_owned(),
        name: name.clone(),
        display_name: FIRST_USER.to_owned(),
        role: SiteRole::Admin,
        created_at: now,
        disabled_at: None,
    };
    insert_with_publisher(conn, &user).await?;
    grants::insert(conn, GrantKind::Owner, FIRST_USER, &name, REGISTRY, now).await
}

/// Makes the administrator's first token, if none was shown yet. One that was made and never shown, by a
/// start that was killed in between, is revoked.
pub(super) async fn token(
    db: &Db,
    entropy: &Entropy,
    now: Timestamp,
) -> Result<Option<TokenText>, DataError> {
    let mut tx = db.quiet().await?;
    let Some(earlier) = meta::get(tx.conn(), meta::FIRST_TOKEN).await? else { return Ok(None) };
    if earlier != DUE {
        tokens::revoke(tx.conn(), &earlier, now).await?;
    }
    let unreadable = || StoreError::Unreadable { column: "name", text: FIRST_USER.to_owned() };
    let name: Owner = FIRST_USER.parse().map_err(|_| unreadable())?;
    let user = users::find(tx.conn(), &name).await?.ok_or_else(unreadable)?;
    let text = new_token(entropy)?;
    let row = TokenRow {
        id: entropy.id()?,
        user_id: user.id,
        prefix: text.prefix().to_owned(),
        sha256: text.digest(),
        label: "first start".to_owned(),
        scopes: Scopes::of([Scope::Read, Scope::Publish, Scope::Moderate, Scope::Admin]),
        publisher: None,
        skill: None,
        created_at: now,
        expires_at: None,
        last_used_at: None,
        revoked_at: None,
        made_from: None,
    };
    tokens::insert(tx.conn(), &row).await?;
    let made = NewAudit::new(Actor::unshown(REGISTRY), "token.create", FIRST_USER.to_owned());
    tx.audit(
        made.with(json!({ "token": row.id, "scopes": row.scopes.to_string(), "expiresAt": row.expires_at })),
    );
    meta::set(tx.conn(), meta::FIRST_TOKEN, &row.id).await?;
    tx.commit().await?;
    Ok(Some(text))
}

/// The first token was shown: it stays as it is, and no start makes another.
pub(crate) async fn token_shown(db: &Db) -> Result<(), StoreError> {
    let mut tx = db.quiet().await?;
    meta::remove(tx.conn(), meta::FIRST_TOKEN).await?;
    tx.commit().await
}

/// The registry id that the database holds.
pub(super) async fn registry_id(conn: &mut Conn) -> Result<Option<RegistryId>, DataError> {
    meta::get(conn, meta::REGISTRY_ID).await?.map(parse_id).transpose()
}

fn parse_id(text: String) -> Result<RegistryId, DataError> {
    text.parse().map_err(|_| StoreError::Unreadable { column: "value", text }.into())
}
