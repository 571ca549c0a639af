//! Tokens in the database: only their digest, never their text.

use skill_registry::accounts::{self, CreateTokenError, NewToken, RevokeTokenError};
use skill_registry::auth::{Scope, Scopes};
use skill_registry::store::{audit, head, tokens};
use sqlx::Row as _;

use crate::support::TestRegistry;

fn new(user: &str, scopes: Scopes) -> NewToken {
    NewToken {
        user: user.parse().unwrap(),
        label: "ci".to_owned(),
        scopes,
        publisher: None,
        skill: None,
        lives: None,
        actor: "test".to_owned(),
    }
}

async fn revoke(registry: &TestRegistry, text: &str) -> Result<bool, RevokeTokenError> {
    accounts::revoke_token(registry.app.db(), text, "test").await.map(|(_, revoked)| revoked > 0)
}

on_both_engines! {
    async fn a_token_is_found_by_its_digest_and_its_text_is_nowhere(registry) {
        registry.add_user("ada").await;
        let (db, entropy) = (registry.app.db(), registry.app.entropy());
        let (text, row) = accounts::create_token(db, entropy, new("ada", Scopes::default())).await.unwrap();
        let mut conn = db.read().await.unwrap();
        assert_eq!(tokens::by_digest(&mut conn, text.digest()).await.unwrap(), Some(row.clone()));
        let stored = sqlx::query("SELECT * FROM tokens WHERE id = $1").bind(row.id).fetch_one(&mut *conn).await.unwrap();
        let secret = &text.reveal()[12..];
        for column in 0..stored.len() {
            let value = stored.try_get::<Option<String>, _>(column).ok().flatten().unwrap_or_default();
            assert!(!value.contains(secret), "column {column}");
        }
        let audit = format!("{:?}", audit::newest(&mut conn, 10).await.unwrap());
        assert!(audit.contains("token.create") && !audit.contains(secret));
    }

    async fn making_and_using_tokens_is_no_event(registry) {
        registry.add_user("ada").await;
        let (db, entropy) = (registry.app.db(), registry.app.entropy());
        let before = head::get(&mut db.read().await.unwrap()).await.unwrap();
        let (_, row) = accounts::create_token(db, entropy, new("ada", Scopes::default())).await.unwrap();
        let mut tx = db.quiet().await.unwrap();
        tokens::used(tx.conn(), &row.id, registry.app.clock().now()).await.unwrap();
        tx.commit().await.unwrap();
        assert!(revoke(registry, &row.id).await.unwrap());
        assert_eq!(head::get(&mut db.read().await.unwrap()).await.unwrap(), before);
    }

    async fn a_token_is_revoked_once_by_id_or_prefix(registry) {
        registry.add_user("ada").await;
        let (db, entropy) = (registry.app.db(), registry.app.entropy());
        let (_, first) = accounts::create_token(db, entropy, new("ada", Scopes::default())).await.unwrap();
        let (_, second) = accounts::create_token(db, entropy, new("ada", Scopes::default())).await.unwrap();
        assert!(revoke(registry, &first.id).await.unwrap());
        assert!(!revoke(registry, &first.id).await.unwrap());
        assert!(revoke(registry, &second.prefix).await.unwrap());
        assert!(matches!(revoke(registry, "skr_00000000").await, Err(RevokeTokenError::Unknown { .. })));
        let mut conn = db.read().await.unwrap();
        let all = tokens::all(&mut conn).await.unwrap();
        assert_eq!(all.iter().filter(|(token, _)| token.revoked_at.is_some()).count(), 2);
    }

    async fn a_prefix_of_two_tokens_revokes_neither(registry) {
        registry.add_user("ada").await;
        let (db, entropy) = (registry.app.db(), registry.app.entropy());
        let (_, first) = accounts::create_token(db, entropy, new("ada", Scopes::default())).await.unwrap();
        let mut tx = db.quiet().await.unwrap();
        let twin = tokens::TokenRow {
            id: "twin".to_owned(),
            sha256: skill_core::digest::Sha256::of("another"),
            ..first.clone()
        };
        tokens::insert(tx.conn(), &twin).await.unwrap();
        tx.commit().await.unwrap();
        let Err(RevokeTokenError::Ambiguous { ids, .. }) = revoke(registry, &first.prefix).await else {
            panic!("one of two was chosen")
        };
        assert_eq!(ids.len(), 2);
    }

    async fn scopes_above_the_users_role_are_refused(registry) {
        registry.add_user("ada").await;
        let (db, entropy) = (registry.app.db(), registry.app.entropy());
        for scope in [Scope::Moderate, Scope::Admin] {
            let made = accounts::create_token(db, entropy, new("ada", Scopes::of([scope]))).await;
            assert!(matches!(made, Err(CreateTokenError::ScopeAboveRole { .. })), "{scope}");
        }
        let made = accounts::create_token(db, entropy, new("nobody", Scopes::default())).await;
        assert!(matches!(made, Err(CreateTokenError::UserUnknown { .. })));
        accounts::create_token(db, entropy, new("admin", Scopes::of([Scope::Admin]))).await.unwrap();
    }
}
