//! Users, publishers, members, reserved names, the audit.

use skill_registry::accounts::{AddUserError, NewUser, add_user};
use skill_registry::store::grants::{self, GrantKind};
use skill_registry::store::publishers::{self, MemberRole, Publisher, PublisherKind};
use skill_registry::store::users::{self, SiteRole};
use skill_registry::store::{audit, head};

use crate::support::TestRegistry;

async fn add(registry: &TestRegistry, name: &str) -> Result<users::User, AddUserError> {
    let new = NewUser {
        name: name.parse().unwrap(),
        display_name: name.to_owned(),
        role: SiteRole::User,
        actor: "test".to_owned(),
    };
    add_user(registry.app.db(), registry.app.entropy(), new).await
}

on_both_engines! {
    async fn a_user_comes_with_the_personal_publisher(registry) {
        let ada = add(registry, "ada").await.unwrap();
        let mut conn = registry.app.db().read().await.unwrap();
        assert_eq!(users::find(&mut conn, &ada.name).await.unwrap().as_ref(), Some(&ada));
        assert_eq!(users::by_id(&mut conn, &ada.id).await.unwrap().as_ref(), Some(&ada));
        let publisher = publishers::find(&mut conn, &ada.name).await.unwrap().unwrap();
        assert_eq!((publisher.kind, publisher.user_id), (PublisherKind::User, Some(ada.id.clone())));
        let of_ada = publishers::of_user(&mut conn, &ada.id).await.unwrap();
        assert_eq!(of_ada.iter().map(|m| (m.publisher.as_str(), m.role)).collect::<Vec<_>>(),
            [("ada", MemberRole::Owner)]);
        assert_eq!(audit::newest(&mut conn, 1).await.unwrap()[0].action, "user.add");
    }

    async fn a_taken_handle_is_refused_and_nothing_is_left_behind(registry) {
        let ada = add(registry, "ada").await.unwrap();
        let db = registry.app.db();
        let before = head::get(&mut db.read().await.unwrap()).await.unwrap();
        assert!(matches!(add(registry, "ada").await, Err(AddUserError::Taken { .. })));

        let org = Publisher {
            handle: "acme".parse().unwrap(),
            kind: PublisherKind::Org,
            user_id: None,
            display_name: "Acme".to_owned(),
            created_at: registry.app.clock().now(),
        };
        let mut tx = db.quiet().await.unwrap();
        assert!(publishers::insert(tx.conn(), &org).await.unwrap());
        assert!(!publishers::insert(tx.conn(), &org).await.unwrap());
        let now = tx.now();
        publishers::set_member(tx.conn(), &org.handle, &ada.id, MemberRole::Owner, now).await.unwrap();
        tx.commit().await.unwrap();
        assert!(matches!(add(registry, "acme").await, Err(AddUserError::Taken { .. })));

        let mut conn = db.read().await.unwrap();
        assert_eq!(users::find(&mut conn, &org.handle).await.unwrap(), None);
        assert_eq!(head::get(&mut conn).await.unwrap(), before);
    }

    async fn a_reserved_handle_is_refused(registry) {
        for reserved in ["api", "docs", "official", "admin"] {
            assert!(matches!(add(registry, reserved).await, Err(AddUserError::Reserved { .. })), "{reserved}");
        }
    }

    async fn a_member_has_one_role_and_the_personal_publisher_comes_first(registry) {
        let (zoe, ada) = (add(registry, "zoe").await.unwrap(), add(registry, "ada").await.unwrap());
        let now = registry.app.clock().now();
        let acme = "acme".parse().unwrap();
        let mut tx = registry.app.db().quiet().await.unwrap();
        let org = Publisher {
            handle: "acme".parse().unwrap(),
            kind: PublisherKind::Org,
            user_id: None,
            display_name: "Acme".to_owned(),
            created_at: now,
        };
        publishers::insert(tx.conn(), &org).await.unwrap();
        publishers::set_member(tx.conn(), &acme, &zoe.id, MemberRole::Publisher, now).await.unwrap();
        publishers::set_member(tx.conn(), &acme, &zoe.id, MemberRole::Admin, now).await.unwrap();
        publishers::set_member(tx.conn(), &acme, &ada.id, MemberRole::Owner, now).await.unwrap();
        tx.commit().await.unwrap();
        let of_zoe = publishers::of_user(&mut registry.app.db().read().await.unwrap(), &zoe.id).await.unwrap();
        assert_eq!(of_zoe.iter().map(|m| (m.publisher.as_str(), m.role)).collect::<Vec<_>>(),
            [("zoe", MemberRole::Owner), ("acme", MemberRole::Admin)]);
    }

    async fn a_grant_is_for_one_publisher(registry) {
        let (ada, bob) = ("ada".parse().unwrap(), "bob".parse().unwrap());
        let now = registry.app.clock().now();
        let mut tx = registry.app.db().quiet().await.unwrap();
        for _ in 0..2 {
            grants::insert(tx.conn(), GrantKind::Slug, "official-github", &ada, "admin", now).await.unwrap();
        }
        assert!(grants::exists(tx.conn(), GrantKind::Slug, "official-github", &ada).await.unwrap());
        assert!(!grants::exists(tx.conn(), GrantKind::Slug, "official-github", &bob).await.unwrap());
        assert!(!grants::exists(tx.conn(), GrantKind::Owner, "official-github", &ada).await.unwrap());
        tx.commit().await.unwrap();
    }
}
