//! What has served goes after a while, and nothing that is in use.

use std::io::{Seek as _, Write as _};

use insta::assert_snapshot;
use skill_core::digest::Sha256;
use skill_registry::gc::{self, Do};
use skill_registry::store::leftovers::LEFTOVERS;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::support::program::run;
use crate::support::{Skill, TestRegistry};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// One row of each kind that served `days` ago, counted from `now`.
fn rows(now: i64, days: i64) -> Vec<String> {
    let at = now - days * DAY;
    let id = format!("of-{days}-days");
    let user = "(SELECT id FROM users WHERE name = 'ada')";
    vec![
        format!("INSERT INTO sign_in_links VALUES ('{id}', {user}, 'read', 'operator', 0, {at}, NULL)"),
        format!(
            "INSERT INTO device_codes (sha256, user_code, label, scopes, address, created_at, expires_at, every, next_poll)
             VALUES ('{id}', '{id}', '', 'read', '', 0, {at}, 5, 0)"
        ),
        format!(
            "INSERT INTO sessions (sha256, user_id, scopes, made_by, agent, address, created_at, seen_at, expires_at, confirmed_at)
             VALUES ('{id}', {user}, 'read', 'link', '', '', 0, 0, {at}, 0)"
        ),
        format!("INSERT INTO oidc_flows (sha256, nonce, verifier, back, created_at, expires_at) VALUES ('{id}', '', '', '', 0, {at})"),
        format!(
            "INSERT INTO upload_tickets (id, user_id, path, size, sha256, content_type, created_at, expires_at)
             VALUES ('{id}', {user}, '', 0, '', '', 0, {at})"
        ),
        format!("INSERT INTO drafts (id, user_id, file_name, blob, size, created_at, expires_at) VALUES ('{id}', {user}, '', '', 0, 0, {at})"),
        format!("INSERT INTO guesses (key, failures, until, at) VALUES ('{id}', 1, {at}, 0)"),
        format!(
            "INSERT INTO webhooks (id, publisher, url, secret, kinds, created_by, created_at)
             VALUES ('{id}', 'ada', '', '', '', {user}, 0)"
        ),
        format!("INSERT INTO deliveries (id, webhook_id, event, kind, created_at, delivered_at) VALUES ('a{id}', '{id}', 1, '', 0, {at})"),
        format!("INSERT INTO deliveries (id, webhook_id, event, kind, created_at, dead_at) VALUES ('b{id}', '{id}', 2, '', 0, {at})"),
        format!(
            "INSERT INTO jobs (id, kind, payload, run_at, attempts, max_attempts, created_at, dead_at)
             VALUES ('{id}', 'none', '', 0, 1, 1, 0, {at})"
        ),
        format!("INSERT INTO download_keys VALUES ({}, '')", at / DAY),
        format!("INSERT INTO download_clients SELECT id, {}, '{id}' FROM releases", at / DAY),
    ]
}

async fn lived_in(registry: &TestRegistry) {
    let ada = registry.user("ada").await;
    Skill::new("demo").published(&ada).await;
    let now = registry.app.clock().now().as_millisecond();
    let mut tx = registry.app.db().quiet().await.unwrap();
    for row in rows(now, 100).into_iter().chain(rows(now, 0)) {
        tx.conn().execute(AssertSqlSafe(row)).await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn counts(gone: &[gc::Gone]) -> Vec<(&str, u64)> {
    gone.iter().map(|gone| (gone.what[1], gone.count)).collect()
}

on_both_engines! {
    async fn what_has_served_goes_and_nothing_else(registry) {
        lived_in(registry).await;
        let (db, blobs) = (registry.app.db(), registry.app.blobs());
        let now = registry.app.clock().now();
        let counted = gc::run(db, blobs, now, Do::Count).await.unwrap();
        let each_once: Vec<_> = LEFTOVERS.iter().map(|one| (one.what[1], 1)).collect();
        assert_eq!(counts(&counted[..LEFTOVERS.len()]), each_once);
        assert_eq!(counted, gc::run(db, blobs, now, Do::Count).await.unwrap());
        assert_eq!(counted, gc::run(db, blobs, now, Do::Remove).await.unwrap());
        let left = gc::run(db, blobs, now, Do::Remove).await.unwrap();
        assert!(left.iter().all(|gone| gone.count == 0), "{left:?}");
        assert_eq!(registry.anonymous().get("/api/v1/download?slug=demo").await.status, 200);
    }
}

/// As an operator sees it: an archive that a cut-off publish left behind, more than an hour ago.
#[tokio::test(flavor = "multi_thread")]
async fn what_goes_is_told() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").published(&ada).await;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(b"left over").unwrap();
    file.rewind().unwrap();
    let digest = Sha256::of("left over");
    registry.app.blobs().put_file(&digest, file).await.unwrap();
    let folder = registry.copied_folder();
    let hex = digest.to_hex();
    let left = folder.path().join("blobs").join(&hex[..2]).join(&hex[2..]);
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    fs_err::File::options().write(true).open(&left).unwrap().file().set_modified(old).unwrap();
    let gc = |more: &[&str]| run(&[&["gc", "--data", folder.path().to_str().unwrap()][..], more].concat());
    assert_snapshot!(gc(&["--dry-run"]).shown(folder.path()), @r"
    0
    would go  1 archive that no release needs
    ");
    assert!(left.exists());
    assert_snapshot!(gc(&[]).shown(folder.path()), @r"
    0
    removed   1 archive that no release needs
    ");
    assert!(!left.exists());
    assert_snapshot!(gc(&[]).shown(folder.path()), @r"
    0
    nothing is left over
    ");
    assert_snapshot!(gc(&["--json"]).shown(folder.path()), @r#"
    0
    {
      "dryRun": false,
      "removed": {
        "sign-in links": 0,
        "device codes": 0,
        "sessions": 0,
        "sign-ins elsewhere": 0,
        "upload tickets": 0,
        "drafts": 0,
        "counts of guesses": 0,
        "delivered webhooks": 0,
        "webhooks that were given up": 0,
        "jobs that were given up": 0,
        "clients that downloaded": 0,
        "archives that no release needs": 0
      }
    }
    "#);
    assert!(run(&["fsck", "--data", folder.path().to_str().unwrap()]).stdout.starts_with("ok"));
}
