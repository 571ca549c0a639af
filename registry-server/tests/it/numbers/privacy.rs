use skill_core::digest::Sha256;
use skill_registry::downloads;
use sqlx::Row as _;

use super::{PERSON, counted, download, once_counted};
use crate::support::{Skill, TestRegistry};

const DAY: u64 = 24 * 60 * 60;

async fn column(registry: &TestRegistry, sql: &'static str) -> Vec<String> {
    let mut conn = registry.app.db().read().await.unwrap();
    let rows = sqlx::query(sql).fetch_all(&mut *conn).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

async fn clients(registry: &TestRegistry) -> Vec<String> {
    column(registry, "SELECT client FROM download_clients ORDER BY day, client").await
}

on_both_engines! {
    /// An IPv4 address is one of four thousand million: from its digest alone anybody finds it.
    async fn nobody_finds_an_address_by_trying_all(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let client = registry.anonymous().at("192.0.2.7");
        download(&client, "demo", PERSON).await;
        once_counted(registry, "demo", 1).await;
        registry.later(DAY);
        download(&client, "demo", PERSON).await;
        once_counted(registry, "demo", 2).await;
        let kept = clients(registry).await;
        assert_eq!(kept.len(), 2);
        assert_ne!(kept[0], kept[1], "a client is followed from day to day");
        for text in ["192.0.2.7", "address 192.0.2.7"] {
            assert!(!kept.contains(&Sha256::of(text).to_hex()));
        }
    }

    async fn the_days_before_yesterday_are_forgotten(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let client = registry.anonymous().at("192.0.2.7");
        for day in 1..=3 {
            download(&client, "demo", PERSON).await;
            once_counted(registry, "demo", day).await;
            registry.later(DAY);
        }
        let now = registry.app.clock().now();
        assert_eq!(downloads::forget(registry.app.db(), now).await.unwrap(), 2);
        assert_eq!(clients(registry).await.len(), 1);
        assert_eq!(column(registry, "SELECT key FROM download_keys").await.len(), 1);
        assert_eq!(downloads::forget(registry.app.db(), now).await.unwrap(), 0);
        registry.later(DAY);
        assert_eq!(downloads::forget(registry.app.db(), registry.app.clock().now()).await.unwrap(), 1);
        assert!(column(registry, "SELECT key FROM download_keys").await.is_empty());
        assert_eq!(counted(registry, "demo").await.len(), 3, "what was counted stays");
    }
}

/// Several processes count the same client once: they have the key of the first.
#[tokio::test]
async fn all_processes_have_the_key_of_a_day() {
    use skill_registry::store::downloads::key;
    let registry = TestRegistry::on_sqlite().start().await;
    let mut tx = registry.app.db().quiet().await.unwrap();
    let (one, other) = (Sha256::of("one"), Sha256::of("other"));
    assert_eq!(key(tx.conn(), 7, one).await.unwrap(), one);
    assert_eq!(key(tx.conn(), 7, other).await.unwrap(), one);
    assert_eq!(key(tx.conn(), 8, other).await.unwrap(), other);
    tx.commit().await.unwrap();
}
