use crate::support::TestRegistry;

#[tokio::test]
async fn both_faces_say_who_a_token_belongs_to() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    insta::assert_snapshot!(ada.get("/api/v1/whoami").await.shown(), @r#"
    200 application/json
    {
      "user": {
        "handle": "ada",
        "displayName": "ada",
        "image": null,
        "role": "user"
      }
    }
    "#);
    insta::assert_snapshot!(ada.get("/api/registry/v1/whoami").await.shown(), @r#"
    200 application/json
    {
      "user": "ada",
      "displayName": "ada",
      "publishers": [
        {
          "owner": "ada",
          "role": "owner"
        }
      ],
      "scopes": [
        "read",
        "publish"
      ],
      "expiresAt": "2027-02-28T12:00:00Z"
    }
    "#);
    insta::assert_snapshot!(registry.anonymous().get("/api/v1/whoami").await.shown(), @r"
    401 text/plain; charset=utf-8
    Unauthorized: missing token
    ");
    insta::assert_snapshot!(registry.anonymous().get("/api/registry/v1/whoami").await.shown(), @r#"
    401 application/problem+json
    {
      "type": "urn:skill-registry:problem:login-needed",
      "status": 401,
      "code": "login-needed",
      "title": "a login is needed",
      "requestId": "test"
    }
    "#);
}
