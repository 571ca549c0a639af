//! The schema: which databases are refused, and what the constraints hold.

use skill_registry::Entropy;
use skill_registry::store::{Db, Engine, Location, OpenError, meta};
use sqlx::Executor as _;

use crate::support::engine::{Collation, PostgresDatabase};
use crate::support::{TestRegistry, rows};

fn location(registry: &TestRegistry) -> Location {
    registry.app.config().database.location(&registry.data())
}

on_both_engines! {
    async fn a_newer_database_is_refused(registry) {
        let mut tx = registry.app.db().quiet().await.unwrap();
        tx.conn()
            .execute(
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 SELECT 9999, 'later', success, checksum, 1 FROM _sqlx_migrations WHERE version = 1",
            )
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let opened = Db::open(&location(registry), registry.app.clock().clone(), Entropy::System).await;
        assert!(matches!(opened, Err(OpenError::Newer { found: 9999, known: 16 })), "{opened:?}");
    }

    async fn opening_again_changes_nothing(registry) {
        let again = Db::open(&location(registry), registry.app.clock().clone(), Entropy::System).await.unwrap();
        let id = meta::get(&mut again.read().await.unwrap(), meta::REGISTRY_ID).await.unwrap();
        assert_eq!(id, Some(registry.app.registry_id().to_string()));
        again.close().await;
    }

    async fn unknown_states_and_verdicts_are_refused_by_the_database(registry) {
        let ada = registry.add_user("ada").await;
        rows::publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        for sql in [
            "UPDATE releases SET state = 'open'",
            "UPDATE releases SET verdict = 'fine'",
            "UPDATE head SET one = 2",
            "INSERT INTO head (one, event, leaf) VALUES (1, 0, 0)",
            "UPDATE publishers SET user_id = NULL WHERE kind = 'user'",
            "DELETE FROM users WHERE name = 'ada'",
            "UPDATE leaves SET sha256 = 'nothing'",
        ] {
            let mut tx = registry.app.db().quiet().await.unwrap();
            assert!(tx.conn().execute(sql).await.is_err(), "{sql}");
        }
    }
}

#[tokio::test]
async fn sqlite_syncs_fully_and_checks_foreign_keys() {
    let registry = TestRegistry::on_sqlite().start().await;
    assert_eq!(registry.app.db().engine(), Engine::Sqlite);
    for transaction in ["quiet", "read"] {
        let mut quiet = registry.app.db().quiet().await.unwrap();
        let mut read = registry.app.db().read().await.unwrap();
        let conn = if transaction == "quiet" { quiet.conn() } else { &mut *read };
        for (pragma, expected) in
            [("PRAGMA synchronous", 2), ("PRAGMA foreign_keys", 1), ("PRAGMA busy_timeout", 10_000)]
        {
            let found: i64 = sqlx::query_scalar(pragma).fetch_one(&mut *conn).await.unwrap();
            assert_eq!(found, expected, "{pragma} of a {transaction} connection");
        }
        let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *conn).await.unwrap();
        assert_eq!(mode, "wal");
    }
}

#[tokio::test]
async fn a_postgres_that_orders_by_language_is_refused() {
    let Some(database) = PostgresDatabase::make(Collation::English).await else { return };
    let clock = skill_registry::Clock::System;
    let opened = Db::open(&Location::Server(database.url()), clock, Entropy::System).await;
    assert!(matches!(opened, Err(OpenError::Collation { .. })), "{opened:?}");
    database.drop_now().await;
}

#[tokio::test]
async fn another_engine_and_an_absent_server_are_refused() {
    let clock = skill_registry::Clock::System;
    let mysql =
        Db::open(&Location::Server("mysql://localhost/x".to_owned()), clock.clone(), Entropy::System).await;
    assert!(matches!(mysql, Err(OpenError::Scheme { .. })), "{mysql:?}");
    let url = "postgres://ada:secret@127.0.0.1:1/x".to_owned();
    let absent = Db::open(&Location::Server(url), clock, Entropy::System).await;
    let Err(OpenError::Connect { at, .. }) = absent else { panic!("{absent:?}") };
    assert_eq!(at, "postgres://ada:***@127.0.0.1:1/x");
}
