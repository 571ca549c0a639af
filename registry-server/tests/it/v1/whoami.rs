use crate::support::TestRegistry;

#[tokio::test]
async fn both_faces_say_who_a_token_belongs_to() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    insta::assert_snapshot!(ada.get("/api/v1/whoami").await.shown(), @"");
    insta::assert_snapshot!(ada.get("/api/registry/v1/whoami").await.shown(), @"");
    insta::assert_snapshot!(registry.anonymous().get("/api/v1/whoami").await.shown(), @"");
    insta::assert_snapshot!(registry.anonymous().get("/api/registry/v1/whoami").await.shown(), @"");
}
