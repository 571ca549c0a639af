//! A full disk: writing is refused, reading goes on, and writing is taken again when there is room.

use skill_registry::problem::ApiError;
use skill_registry::store::StoreError;
use sqlx::Executor as _;

use crate::support::{TestRegistry, rows};

/// SQLite is told that the disk ends here. It forgets with the connection, which is not used again after
/// it met the end.
async fn end_the_disk(registry: &TestRegistry) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    tx.conn().execute("PRAGMA max_page_count = 1").await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_write_is_refused_reads_go_on_and_room_is_used_again() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.add_user("ada").await;
    let before = rows::publish(&registry.app, "ada/first", &ada.id, "1.0.0").await.unwrap().unwrap().2;
    end_the_disk(&registry).await;

    let mut refused = None;
    for number in 0..1000 {
        if let Err(error) =
            rows::publish(&registry.app, "ada/second", &ada.id, &format!("1.0.{number}")).await
        {
            refused = Some(error);
            break;
        }
    }
    let refused = refused.expect("the disk ends at some time");
    assert!(matches!(refused, StoreError::Full), "{refused:?}");
    let answered = registry.app.disk().noted::<()>(Err(refused.into()));
    assert!(matches!(answered, Err(ApiError::ReadOnly)));

    let ready = registry.anonymous().get("/readyz").await;
    assert_eq!(ready.status, 503);
    assert_eq!(ready.json()["writable"], false);
    assert_eq!(ready.json()["database"], true);
    assert_eq!(registry.anonymous().get("/healthz").await.status, 200);

    // Whoever waits for the registry to be ready sends it no writes: it finds out by itself, once in a while.
    assert_eq!(registry.anonymous().get("/readyz").await.status, 503);
    registry.later(5);
    while registry.anonymous().get("/readyz").await.status != 200 {
        tokio::task::yield_now().await;
    }

    let after = rows::publish(&registry.app, "ada/third", &ada.id, "1.0.0").await.unwrap().unwrap().2;
    assert!(after.event > before.event);
}

/// The registry looks whether there is room, and does not only let time pass.
#[tokio::test]
async fn a_disk_that_stays_full_stays_not_ready() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.app.disk().noted::<()>(Err(ApiError::ReadOnly)).unwrap_err();
    assert_eq!(registry.anonymous().get("/readyz").await.json()["writable"], false);
    // Nothing can be written to a folder that is not there.
    let incoming = registry.data().join("incoming");
    fs_err::remove_dir(&incoming).unwrap();
    for _ in 0..3 {
        registry.later(5);
        assert_eq!(registry.anonymous().get("/readyz").await.json()["writable"], false);
    }
    fs_err::create_dir(&incoming).unwrap();
    registry.later(5);
    assert_eq!(registry.anonymous().get("/readyz").await.json()["writable"], true);
}
