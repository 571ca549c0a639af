//! The sweep of what a crash between blob and transaction left behind.

use std::io::{Seek as _, Write as _};
use std::time::{Duration, SystemTime};

use skill_core::digest::Sha256;
use skill_registry::blob::sweep;

use crate::support::{Skill, TestRegistry};

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
        let hex = digest.to_hex();
        let path = registry.data().join("blobs").join(&hex[..2]).join(&hex[2..]);
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(now.as_millisecond() as u64)
            - Duration::from_secs(age);
        fs_err::File::options().write(true).open(path).unwrap().file().set_modified(time).unwrap();
    };
    at(kept, 7200);
    at(old, 7200);
    at(young, 60);
    let swept = sweep(registry.app.blobs(), registry.app.db(), now).await.unwrap();
    assert_eq!((swept.removed, swept.kept), (vec![old], 2));
    assert_eq!(registry.anonymous().get("/api/v1/download?slug=demo").await.status, 200);
}
