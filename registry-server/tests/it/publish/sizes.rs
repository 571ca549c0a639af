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
    insta::assert_snapshot!(limits.shown(), @"");
    let noise: Vec<u8> = (0..200u32).flat_map(|n| skill_core::digest::Sha256::of(n.to_string()).as_bytes().to_vec()).collect();
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
    insta::assert_snapshot!(shown, @"");
    Skill::new("demo").published(&ada).await;
}
