//! What is signed: a client that holds the registry's root can check every release of it.

use skill_trust::{Expected, RootChain, TrustEnvelope, verify_release};

use crate::support::{Skill, TestRegistry};

async fn verified(registry: &TestRegistry, version: &str) -> skill_trust::VerifiedRelease {
    let anyone = registry.anonymous();
    let root = anyone.get("/trust/root/1.json").await;
    assert_eq!(root.status, 200);
    let registry_id = anyone.get("/.well-known/skill-registry.json").await.json()["registryId"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let root = RootChain::verify(&[root.body.to_vec()], registry_id).unwrap();
    let path = format!("/api/v1/skills/demo/versions/{version}/envelope?ownerHandle=ada");
    let envelope = anyone.get(&path).await;
    let envelope = TrustEnvelope::parse(&envelope.body).unwrap();
    let expected = Expected {
        registry: registry_id,
        owner: "ada".parse().unwrap(),
        slug: "demo".parse().unwrap(),
        version: version.parse().unwrap(),
    };
    verify_release(&envelope, &root, &expected).unwrap()
}

on_both_engines! {
    async fn the_envelope_verifies_and_names_the_archive_that_is_served(registry) {
        let ada = registry.user("ada").await;
        let published = Skill::new("demo").meta("sourceCommit", "5f2c9ab04d115f2c9ab04d115f2c9ab04d115f2c").published(&ada).await;
        let verified = verified(registry, "1.0.0").await;
        assert_eq!(verified.tree.to_string(), published["treeDigest"].as_str().unwrap());
        assert_eq!(verified.archive.to_string(), published["archiveSha256"].as_str().unwrap());
        assert_eq!(verified.release_log_index, published["logIndex"].as_u64().unwrap());
        assert_eq!(verified.release.source_commit.as_deref(), Some("5f2c9ab04d115f2c9ab04d115f2c9ab04d115f2c"));
        let archive = registry.anonymous().get("/api/v1/download?slug=demo").await;
        assert_eq!(skill_core::digest::Sha256::of(&archive.body), verified.archive);
        assert_eq!(archive.body.len() as u64, verified.archive_size);
    }

    async fn each_release_names_the_one_stored_before(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("2.0.0").published(&ada).await;
        Skill::new("demo").version("1.0.0").file("a.txt", "a").published(&ada).await;
        Skill::new("demo").version("2.1.0").file("a.txt", "b").published(&ada).await;
        assert_eq!(verified(registry, "2.0.0").await.release.previous, None);
        let previous = |release: skill_trust::VerifiedRelease| release.release.previous.unwrap().version.to_string();
        assert_eq!(previous(verified(registry, "1.0.0").await), "2.0.0");
        assert_eq!(previous(verified(registry, "2.1.0").await), "1.0.0");
    }
}
