//! What a registry says of itself before it is trusted.

use crate::support::TestRegistry;

#[tokio::test]
async fn who_it_is_and_its_root() {
    let registry = TestRegistry::on_sqlite().start().await;
    let anyone = registry.anonymous();
    insta::assert_snapshot!(anyone.get("/.well-known/skill-registry.json").await.shown(), @r#"
    200 application/json
    {
      "schema": "skill.registry.v1",
      "registryId": "6b87c74052f30c40e2191d5a9c820545f9fce0ab8fe80a60f552c5b50b147c5f",
      "rootVersion": 1,
      "publicUrl": "http://127.0.0.1:8787",
      "access": "public",
      "limits": {
        "archiveBytes": 67108864,
        "fileBytes": 10485760,
        "bundleBytes": 52428800,
        "files": 2000,
        "pathBytes": 240
      }
    }
    "#);
    let root = anyone.get("/trust/root/1.json").await;
    let id = skill_core::digest::Sha256::of(&root.body).to_string();
    assert_eq!(id, registry.app.registry_id().to_string());
    for path in [
        "/trust/root/2.json",
        "/trust/root/0.json",
        "/trust/root/01.json",
        "/trust/root/1",
        "/trust/root/x.json",
    ] {
        let answer = anyone.get(path).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["code"].as_str()),
            (404, Some("root-not-found")),
            "{path}"
        );
    }
}
