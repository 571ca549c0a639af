//! The sweep of what a crash between blob and transaction left behind.

use std::io::{Seek as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use futures_util::future::join_all;
use skill_core::digest::Sha256;
use skill_registry::blob::sweep;

use crate::support::{Skill, TestRegistry};

/// Where the blob with this digest lies.
pub(crate) fn path(registry: &TestRegistry, digest: Sha256) -> PathBuf {
    let hex = digest.to_hex();
    registry.data().join("blobs").join(&hex[..2]).join(&hex[2..])
}

#[tokio::test]
async fn only_old_blobs_that_nothing_refers_to_are_removed() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let kept = Skill::new("demo").published(&ada).await["archiveSha256"].as_str().unwrap().parse().unwrap();
    let (old, young) = (Sha256::of("old"), Sha256::of("young"));
    for (digest, content) in [(old, "old"), (young, "young")] {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content.as_bytes()).unwrap();
        file.rewind().unwrap();
        registry.app.blobs().put_file(&digest, file).await.unwrap();
    }
    let now = registry.app.clock().now();
    let at = |digest: Sha256, age: u64| {
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(now.as_millisecond() as u64)
            - Duration::from_secs(age);
        let blob = fs_err::File::options().write(true).open(path(&registry, digest)).unwrap();
        blob.file().set_modified(time).unwrap();
    };
    at(kept, 7200);
    at(old, 7200);
    at(young, 60);
    let swept = sweep(registry.app.blobs(), registry.app.db(), now).await.unwrap();
    assert_eq!((swept.removed, swept.kept), (vec![old], 2));
    assert_eq!(registry.anonymous().get("/api/v1/download?slug=demo").await.status, 200);
}

on_both_engines! {
    /// The worst sweep there can be, to which every blob is old, beside publishes: that every release has its
    /// archive in the end is checked when the registry is dropped.
    async fn no_sweep_takes_what_a_publish_is_about_to_refer_to(registry) {
        let ada = registry.user("ada").await;
        let far = registry.app.clock().now() + Duration::from_hours(24 * 365 * 100);
        let skills: Vec<Skill> = (0..16)
            .map(|n| Skill::new(&format!("demo-{n}")).file("n.txt", format!("{n}")))
            .collect();
        let publishing = join_all(skills.iter().map(|skill| skill.published(&ada)));
        let sweeping = async {
            loop {
                sweep(registry.app.blobs(), registry.app.db(), far).await.unwrap();
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            published = publishing => assert_eq!(published.len(), 16),
            () = sweeping => {}
        }
        for n in 0..16 {
            let answer = registry.anonymous().get(&format!("/api/v1/download?slug=demo-{n}")).await;
            assert_eq!(answer.status, 200, "{n}");
        }
    }

    /// A sweep that came between the blob and the transaction.
    async fn a_blob_that_was_taken_is_put_again(registry) {
        let ada = registry.user("ada").await;
        let first = Skill::new("demo").published(&ada).await;
        let blob = path(registry, first["archiveSha256"].as_str().unwrap().parse().unwrap());
        fs_err::remove_file(&blob).unwrap();
        let mut tx = registry.app.db().write().await.unwrap();
        let at = tx.now();
        let archive: Sha256 = first["archiveSha256"].as_str().unwrap().parse().unwrap();
        skill_registry::store::contents::lock(tx.conn(), archive, at).await.unwrap();
        let taking = async {
            while !blob.exists() {
                tokio::task::yield_now().await;
            }
            fs_err::remove_file(&blob).unwrap();
            drop(tx);
        };
        let again = Skill::new("demo").version("1.1.0");
        let (again, ()) = tokio::join!(again.published(&ada), taking);
        assert_eq!(again["archiveSha256"], first["archiveSha256"]);
        assert_eq!(registry.anonymous().get("/api/v1/download?slug=demo").await.status, 200);
    }
}
