//! What changes while a body is on its way counts: the decision at the head of a request is taken again where it is done.

use std::convert::Infallible;
use std::future::Future;

use axum::body::{Body, Bytes};
use futures_util::StreamExt as _;
use futures_util::stream::once;
use http::Method;
use http::header::CONTENT_TYPE;
use serde_json::json;
use skill_registry::store::publishers::MemberRole;

use crate::support::skill::{BOUNDARY, form};
use crate::support::{Answer, Caller, Skill, TestRegistry};

/// Sends a request of which the second half of the body comes after something else has happened.
async fn send(
    caller: &Caller,
    (method, path): (Method, &str),
    (kind, body): (String, Vec<u8>),
    meanwhile: impl Future<Output = ()> + Send + 'static,
) -> Answer {
    let (first, rest) = body.split_at(body.len() / 2);
    let (first, rest) = (Bytes::copy_from_slice(first), Bytes::copy_from_slice(rest));
    let rest = once(async move {
        meanwhile.await;
        Ok::<_, Infallible>(rest)
    });
    let body = Body::from_stream(once(async move { Ok(first) }).chain(rest));
    caller.send(caller.request(method, path).header(CONTENT_TYPE, kind).body(body).unwrap()).await
}

/// Every kind of change of a skill, and what it is sent with.
fn changes(owner: &str) -> Vec<(Method, String, (String, Vec<u8>))> {
    let skill = format!("/api/registry/v1/skills/{owner}/demo");
    let said = |body: serde_json::Value| ("application/json".to_owned(), body.to_string().into_bytes());
    let because = || said(json!({ "reason": "because" }));
    let meta = json!({ "slug": "other", "owner": owner }).to_string();
    let upload = form(&[("meta", meta.as_bytes()), ("archive", &Skill::new("other").archive())]);
    vec![
        (
            Method::POST,
            "/api/registry/v1/publish".to_owned(),
            (format!("multipart/form-data; boundary={BOUNDARY}"), upload),
        ),
        (Method::POST, format!("{skill}/versions/1.0.0/yank"), because()),
        (Method::POST, format!("{skill}/versions/1.0.0/withdraw"), because()),
        (Method::DELETE, skill.clone(), because()),
        (Method::PUT, format!("{skill}/tags/beta"), said(json!({ "version": "1.0.0" }))),
        (Method::PUT, format!("{skill}/deprecation"), said(json!({ "message": "use another" }))),
    ]
}

on_both_engines! {
    async fn a_token_that_was_revoked_meanwhile(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        for (method, path, body) in changes("ada") {
            let made = ada.post("/api/registry/v1/tokens", &json!({ "label": "leaked" })).await.json();
            let leaked = registry.bearer(made["token"].as_str().unwrap());
            let (owner, id) = (ada.clone(), made["id"].as_str().unwrap().to_owned());
            let revoked = async move {
                assert_eq!(owner.delete(&format!("/api/registry/v1/tokens/{id}")).await.status, 200);
            };
            let answer = send(&leaked, (method, &path), body, revoked).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (401, Some("token-rejected")), "{path}");
        }
        untouched(registry, &ada, "ada").await;
    }

    async fn a_member_who_was_lowered_meanwhile(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        registry.organisation("team").await;
        registry.join("team", "ada", MemberRole::Owner).await;
        registry.join("team", "bob", MemberRole::Admin).await;
        Skill::new("demo").owner("team").published(&ada).await;
        for (method, path, body) in changes("team") {
            registry.join("team", "bob", MemberRole::Admin).await;
            let owner = ada.clone();
            let gone = async move {
                let member = "/api/registry/v1/publishers/team/members/bob";
                assert_eq!(owner.delete(member).await.status, 204);
            };
            let answer = send(&bob, (method, &path), body, gone).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (403, Some("not-member")), "{path}");
        }
        untouched(registry, &ada, "team").await;
    }
}

on_both_engines! {
    /// Whoever is removed in the middle of a request gives nobody a role by it, and takes none; nor does a token that is
    /// revoked make anything that outlives it.
    async fn what_an_account_changes_meanwhile(registry) {
        let (olga, mallory) = (registry.user("olga").await, registry.user("mallory").await);
        let (adam, bob) = (registry.user("adam").await, registry.user("bob").await);
        registry.organisation("team").await;
        registry.join("team", "olga", MemberRole::Owner).await;
        registry.join("team", "mallory", MemberRole::Publisher).await;
        let said = |body: serde_json::Value| ("application/json".to_owned(), body.to_string().into_bytes());
        let team = "/api/registry/v1/publishers/team";
        for (method, path, body) in [
            (Method::PUT, format!("{team}/members/mallory"), said(json!({ "role": "owner" }))),
            (Method::POST, format!("{team}/invitations"), said(json!({ "user": "bob", "role": "admin" }))),
        ] {
            registry.join("team", "adam", MemberRole::Owner).await;
            let owner = olga.clone();
            let gone = async move {
                assert_eq!(owner.delete(&format!("{team}/members/adam")).await.status, 204);
            };
            let answer = send(&adam, (method, &path), body, gone).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (403, Some("not-member")), "{path}");
        }
        assert_eq!(bob.get("/api/registry/v1/invitations").await.json()["invitations"], json!([]));
        let members = olga.get(&format!("{team}/members")).await.text().to_owned();
        assert_eq!((members.matches("owner").count(), members.contains("adam")), (1, false), "{members}");

        Skill::new("demo").published(&olga).await;
        for (path, body) in [
            ("/api/registry/v1/publishers", said(json!({ "handle": "mine" }))),
            ("/api/registry/v1/tokens", said(json!({ "label": "child" }))),
            ("/api/registry/v1/skills/olga/demo/reports", said(json!({ "reason": "because of this" }))),
        ] {
            let made = mallory.post("/api/registry/v1/tokens", &json!({ "label": "leaked" })).await.json();
            let leaked = registry.bearer(made["token"].as_str().unwrap());
            let (owner, id) = (mallory.clone(), made["id"].as_str().unwrap().to_owned());
            let revoked = async move {
                assert_eq!(owner.delete(&format!("/api/registry/v1/tokens/{id}")).await.status, 200);
            };
            let answer = send(&leaked, (Method::POST, path), body, revoked).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (401, Some("token-rejected")), "{path}");
        }
        assert_eq!(registry.anonymous().get("/mine").await.status, 404);
    }
}

async fn untouched(registry: &TestRegistry, ada: &Caller, owner: &str) {
    let skill = ada.get(&format!("/api/v1/skills/demo?ownerHandle={owner}")).await.json();
    assert_eq!(skill["latestVersion"]["version"], "1.0.0", "{skill}");
    let index = registry.anonymous().get(&format!("/index/{owner}/demo")).await;
    assert!(!index.text().contains("deprecated") && !index.text().contains("beta"), "{}", index.text());
    assert_eq!(registry.anonymous().get(&format!("/index/{owner}/other")).await.status, 404);
}

on_both_engines! {
    /// One user who sends slowly keeps nobody else from publishing.
    async fn uploads_that_do_not_end_are_their_users_own(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        let mut slow = tokio::task::JoinSet::new();
        let (opened, mut all) = tokio::sync::mpsc::channel(32);
        for _ in 0..20 {
            let (bob, opened) = (bob.clone(), opened.clone());
            slow.spawn(async move {
                let (_, path, body) = changes("bob").remove(0);
                let never = async move {
                    opened.send(()).await.unwrap();
                    std::future::pending::<()>().await;
                };
                send(&bob, (Method::POST, &path), body, never).await
            });
        }
        for _ in 0..4 {
            all.recv().await.unwrap();
        }
        Skill::new("demo").published(&ada).await;
        slow.shutdown().await;
        Skill::new("demo").published(&bob).await;
    }
}
