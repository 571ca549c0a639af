//! Upload tickets: bound to their user, filled once, used once.

use std::time::Duration;

use skill_core::digest::Sha256;
use skill_registry::store::tickets::{self, Ticket};

on_both_engines! {
    async fn a_ticket_is_filled_once_and_used_once_by_its_user(registry) {
        let (ada, bob) = (registry.add_user("ada").await, registry.add_user("bob").await);
        let now = registry.app.clock().now();
        let ticket = Ticket {
            id: "ticket".to_owned(),
            user_id: ada.id.clone(),
            path: "SKILL.md".to_owned(),
            size: 5,
            sha256: Sha256::of("hello"),
            content_type: "text/markdown".to_owned(),
            expires_at: now + Duration::from_hours(1),
            uploaded_at: None,
            used_at: None,
        };
        let mut tx = registry.app.db().quiet().await.unwrap();
        tickets::insert(tx.conn(), &ticket, now).await.unwrap();
        assert_eq!(tickets::find(tx.conn(), "ticket", &ada.id).await.unwrap(), Some(ticket));
        assert_eq!(tickets::find(tx.conn(), "ticket", &bob.id).await.unwrap(), None);
        assert!(!tickets::take(tx.conn(), "ticket", now).await.unwrap());
        assert!(tickets::uploaded(tx.conn(), "ticket", now).await.unwrap());
        assert!(!tickets::uploaded(tx.conn(), "ticket", now).await.unwrap());
        assert!(tickets::take(tx.conn(), "ticket", now).await.unwrap());
        assert!(!tickets::take(tx.conn(), "ticket", now).await.unwrap());
        tx.commit().await.unwrap();
    }
}
