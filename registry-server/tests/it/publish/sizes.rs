//! Limits: what is announced is what is held to.

use crate::support::{Skill, TestRegistry};

/// Bug report 84: the limit is announced, and a refusal carries it.
#[tokio::test]
async fn every_limit_is_announced_and_refused_with_its_number() {
    let registry = TestRegistry::on_sqlite()
        .with("limits.archive_bytes = 3000\nlimits.file_bytes = 4000\nlimits.bundle_bytes = 6000\nlimits.files = 4")
        .start()
        .await;
    let ada = registry.user("ada").await;
    let limits = registry.anonymous().get("/api/registry/v1/limits").await;
    insta::assert_snapshot!(limits.shown(), @r#"
    200 application/json
    {
      "archiveBytes": 3000,
      "fileBytes": 4000,
      "bundleBytes": 6000,
      "files": 4,
      "pathBytes": 240
    }
    "#);
    let noise: Vec<u8> =
        (0..200u32).flat_map(|n| skill_core::digest::Sha256::of(n.to_string()).as_bytes().to_vec()).collect();
    let many = (0..5).fold(Skill::new("demo"), |skill, n| skill.file(&format!("{n}.txt"), "x"));
    let tries = [
        ("archive", Skill::new("demo").file("noise.bin", &noise)),
        ("file", Skill::new("demo").file("zeros.bin", vec![0; 4001])),
        ("bundle", Skill::new("demo").file("a.bin", vec![0; 3900]).file("b.bin", vec![0; 3900])),
        ("files", many),
    ];
    let mut shown = String::new();
    for (what, skill) in tries {
        let answer = skill.publish(&ada).await;
        let problem = answer.json();
        shown += &format!("{what}: {} {} {}\n", answer.status.as_u16(), problem["code"], problem["title"]);
    }
    insta::assert_snapshot!(shown, @r#"
    archive: 413 "bundle-large" "the archive holds more than 3000 bytes"
    file: 413 "bundle-file-large" "`zeros.bin` holds 4001 bytes, 4000 are allowed"
    bundle: 413 "bundle-large" "the files hold more than 6000 bytes in all, at `b.bin`"
    files: 413 "bundle-files-many" "there are more than 4 files"
    "#);
    Skill::new("demo").published(&ada).await;
}
