//! What moderators close and give back, with the statements that say so.

use http::StatusCode;
use serde_json::{Value, json};
use skill_registry::auth::Scope;
use skill_registry::store::audit::newest;
use skill_registry::store::publishers::MemberRole;
use skill_registry::store::{events, head};

use super::{in_force, latest, two_versions};
use crate::moderation::moderator;
use crate::support::{Answer, Caller, Skill, TestRegistry};

async fn act(who: &Caller, name: &str, version: &str, verb: &str, body: Value) -> Answer {
    who.post(&format!("/api/registry/v1/moderation/releases/{name}/{version}/{verb}"), &body).await
}

/// The status of an act, and what came of it.
async fn done(who: &Caller, name: &str, version: &str, verb: &str, body: Value) -> String {
    let answer = act(who, name, version, verb, body).await;
    let json = answer.json();
    format!("{} {}", answer.status.as_u16(), json["code"].as_str().or(json["status"].as_str()).unwrap())
}

/// What everybody gets of a release: its detail, its archive, its page.
async fn seen(registry: &TestRegistry, name: &str, version: &str) -> [u16; 3] {
    let (owner, slug) = name.split_once('/').unwrap();
    let anyone = registry.anonymous();
    let query = format!("slug={slug}&ownerHandle={owner}&version={version}");
    [
        anyone
            .get(&format!("/api/v1/skills/{slug}/versions/{version}?ownerHandle={owner}"))
            .await
            .status
            .as_u16(),
        anyone.get(&format!("/api/v1/download?{query}")).await.status.as_u16(),
        anyone.get(&format!("/{owner}/skills/{slug}/versions/{version}")).await.status.as_u16(),
    ]
}

fn because(reason: &str) -> Value {
    json!({ "reason": reason })
}

on_both_engines! {
    async fn a_quarantine_closes_the_bytes_under_every_name_and_is_lifted_by_name(registry) {
        let ada = two_versions(registry).await;
        let bob = registry.user("bob").await;
        let same = Skill::new("demo").version("3.0.0").file("a.txt", "a").published(&bob).await;
        let mona = moderator(registry, "mona").await;
        assert_eq!(same["treeDigest"], ada.get("/index/ada/demo").await.text().lines().nth(1).map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["treeDigest"].take()
        }).unwrap());

        let answer = act(&mona, "ada/demo", "1.0.1", "quarantine", because("sends keys")).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "owner": "ada",
          "slug": "demo",
          "version": "1.0.1",
          "status": "quarantined"
        }
        "#);
        assert_eq!(seen(registry, "ada/demo", "1.0.1").await, [403, 403, 403]);
        assert_eq!(seen(registry, "bob/demo", "3.0.0").await, [403, 403, 403]);
        assert_eq!(latest(&registry.anonymous()).await, "1.0.0");
        let audited = newest(&mut registry.app.db().read().await.unwrap(), 1).await.unwrap().remove(0);
        assert_eq!((audited.action.as_str(), audited.subject.as_str()), ("quarantine", "ada/demo@1.0.1"));
        assert_eq!((audited.reason.as_str(), &audited.detail["also"]), ("sends keys", &json!(["bob/demo@3.0.0"])));

        // Once more changes nothing, and makes no second statement for a mirror to choose from.
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "quarantine", because("again")).await, "200 quarantined");
        assert_eq!(done(&mona, "bob/demo", "3.0.0", "hide", because("again")).await, "200 quarantined");
        let again = newest(&mut registry.app.db().read().await.unwrap(), 1).await.unwrap().remove(0);
        assert_eq!(again, audited);

        let answer = act(&mona, "ada/demo", "1.0.1", "restore", because("a false alarm")).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "owner": "ada",
          "slug": "demo",
          "version": "1.0.1",
          "status": "visible",
          "stillClosed": [
            {
              "owner": "bob",
              "slug": "demo",
              "version": "3.0.0"
            }
          ]
        }
        "#);
        assert_eq!(in_force(registry, "1.0.1").await, [""; 0]);
        assert_eq!(latest(&registry.anonymous()).await, "1.0.1");
        assert_eq!(seen(registry, "ada/demo", "1.0.1").await, [200, 200, 200]);
        assert_eq!(seen(registry, "bob/demo", "3.0.0").await, [403, 403, 403]);
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "restore", because("again")).await, "200 visible");

        // Both facts stay in the envelope, and the page tells of them.
        let envelope = registry.anonymous().get("/api/v1/skills/demo/versions/1.0.1/envelope?ownerHandle=ada").await.json();
        let kinds: Vec<&str> = envelope["statements"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["release", "scan", "restriction", "restoration"]);
        assert_eq!(done(&mona, "bob/demo", "3.0.0", "restore", because("a false alarm")).await, "200 visible");

        // Closed again it is closed by a number of its own.
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "quarantine", because("after all")).await, "200 quarantined");
        assert_eq!(seen(registry, "bob/demo", "3.0.0").await, [403, 403, 403]);
    }

    async fn what_is_hidden_says_why_to_its_publisher_alone(registry) {
        let ada = two_versions(registry).await;
        let mona = moderator(registry, "mona").await;
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "hide", because("names a person")).await, "200 quarantined");
        let browser = registry.signed_in("ada").await;
        let page = "/ada/skills/demo/versions/1.0.1";
        assert!(browser.get(page).await.text().contains("names a person"));
        for path in [page, "/index/ada/demo", "/api/v1/download?slug=demo&version=1.0.1", "/api/v1/skills/demo/versions/1.0.1"] {
            let answer = registry.anonymous().get(path).await;
            assert!(!answer.text().contains("names a person") && answer.text().contains("hidden"), "{path}: {}", answer.text());
        }
        assert!(!ada.get("/index/ada/demo").await.text().contains("names a person"));
    }

    /// The number is used, the slug is kept, and nothing but a restoration brings either back.
    async fn a_takedown_keeps_the_name_for_ever(registry) {
        let ada = registry.user("ada").await;
        registry.add_user("bob").await;
        Skill::new("demo").version("1.0.0").published(&ada).await;
        let mona = moderator(registry, "mona").await;
        let takedown = json!({ "reason": "pretends to be another", "scope": "release" });
        assert_eq!(done(&mona, "ada/demo", "1.0.0", "takedown", because("x")).await, "422 takedown-scope");
        assert_eq!(done(&mona, "ada/demo", "1.0.0", "takedown", takedown.clone()).await, "200 taken-down");
        assert_eq!(seen(registry, "ada/demo", "1.0.0").await, [410, 410, 410]);
        registry.later(400 * 24 * 60 * 60);
        let ada = registry.token("ada", [Scope::Read, Scope::Publish]).await;
        let bob = registry.token("bob", [Scope::Read, Scope::Publish]).await;
        for who in [&ada, &bob] {
            let again = Skill::new("demo").version("1.0.0").file("b.txt", "b").publish(who).await;
            assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.text());
        }
        let mona = registry.token("mona", [Scope::Read, Scope::Moderate]).await;
        assert_eq!(done(&mona, "ada/demo", "1.0.0", "restore", because("it is theirs")).await, "200 visible");
        Skill::new("demo").version("1.0.1").file("b.txt", "b").published(&ada).await;
    }

    /// Two ways of closing are lifted by two statements at once.
    async fn a_restoration_lifts_whatever_moderators_did_and_nothing_else(registry) {
        let ada = two_versions(registry).await;
        let mona = moderator(registry, "mona").await;
        let path = "/api/registry/v1/skills/ada/demo/versions/1.0.1";
        assert_eq!(ada.post(&format!("{path}/yank"), &because("old")).await.status, 200);
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "quarantine", because("sends keys")).await, "200 quarantined");
        let bytes = json!({ "reason": "sends keys", "scope": "bytes" });
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "takedown", bytes).await, "200 taken-down");
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "restore", because("a false alarm")).await, "200 yanked");
        assert_eq!(in_force(registry, "1.0.1").await, ["1 yank: old"]);
    }

    /// What is restored can be served: where the signed facts do not fit, nothing is lifted, and shorter words help.
    async fn the_longest_reasons_leave_an_envelope_that_can_be_served(registry) {
        two_versions(registry).await;
        let mona = moderator(registry, "mona").await;
        let long = "r".repeat(500);
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "quarantine", because(&long)).await, "200 quarantined");
        let bytes = json!({ "reason": long, "scope": "bytes" });
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "takedown", bytes).await, "200 taken-down");
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "restore", because(&long)).await, "422 envelope-large");
        assert_eq!(seen(registry, "ada/demo", "1.0.1").await, [410, 410, 410]);
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "restore", because("r")).await, "200 visible");
        assert_eq!(in_force(registry, "1.0.1").await, [""; 0]);
    }

    /// Everybody who follows the registry hears of each release that was closed, of the same skill too.
    async fn another_number_with_the_same_bytes_is_told_of(registry) {
        let ada = two_versions(registry).await;
        Skill::new("demo").version("1.0.2").file("a.txt", "a").published(&ada).await;
        let mona = moderator(registry, "mona").await;
        let before = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap().event;
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "quarantine", because("sends keys")).await, "200 quarantined");
        assert_eq!(seen(registry, "ada/demo", "1.0.2").await, [403, 403, 403]);
        let mut conn = registry.app.db().read().await.unwrap();
        let told = events::after(&mut conn, before, 10).await.unwrap();
        let mut releases: Vec<_> = told.into_iter().map(|event| event.release_id.unwrap()).collect();
        releases.sort_unstable();
        releases.dedup();
        assert_eq!(releases.len(), 2);
        let audited = newest(&mut conn, 1).await.unwrap().remove(0);
        assert_eq!(audited.detail["also"], json!(["ada/demo@1.0.2"]));
    }

    async fn who_may_not(registry) {
        let ada = two_versions(registry).await;
        let mona = moderator(registry, "mona").await;
        assert_eq!(done(&ada, "ada/demo", "1.0.1", "quarantine", because("x")).await, "403 scope-missing");
        for (verb, body) in [("hide", json!({})), ("quarantine", because(" \u{200b}")), ("restore", because(""))] {
            assert_eq!(done(&mona, "ada/demo", "1.0.1", verb, body).await, "422 reason-missing", "{verb}");
        }
        assert_eq!(done(&mona, "ada/demo", "9.9.9", "hide", because("x")).await, "404 version-not-found");
        assert_eq!(done(&mona, "ada/none", "1.0.0", "hide", because("x")).await, "404 skill-not-found");
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "quarantine", because("sends keys")).await, "200 quarantined");
        // Nobody judges the own case; somebody else does.
        registry.join("ada", "mona", MemberRole::Publisher).await;
        assert_eq!(done(&mona, "ada/demo", "1.0.1", "restore", because("ours")).await, "403 own-case");
        let nora = moderator(registry, "nora").await;
        assert_eq!(done(&nora, "ada/demo", "1.0.1", "restore", because("a false alarm")).await, "200 visible");
    }
}

/// The key that gives back may lie on another machine; then nothing is given back here, and nothing is half done.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_key_nothing_is_restored() {
    let registry = TestRegistry::on_sqlite().start().await;
    two_versions(&registry).await;
    let mona = moderator(&registry, "mona").await;
    assert_eq!(
        done(&mona, "ada/demo", "1.0.1", "quarantine", because("sends keys")).await,
        "200 quarantined"
    );
    fs_err::remove_file(registry.data().join("keys/restore.key")).unwrap();
    let registry = registry.copied().await;
    let mona = mona.at("10.0.0.1");
    let refused = registry.bearer(mona.token().reveal());
    assert_eq!(
        done(&refused, "ada/demo", "1.0.1", "restore", because("a false alarm")).await,
        "409 key-elsewhere"
    );
    assert_eq!(seen(&registry, "ada/demo", "1.0.1").await, [403, 403, 403]);
}

/// Of closings and publishes of the same bytes at once none leaves a name open.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_slips_through_beside_a_quarantine() {
    let registry = TestRegistry::on_sqlite().start().await;
    two_versions(&registry).await;
    let mona = moderator(&registry, "mona").await;
    let bob = registry.user("bob").await;
    let publishes = (0..4).map(|number| {
        let (bob, skill) =
            (bob.clone(), Skill::new("demo").version(&format!("3.0.{number}")).file("a.txt", "a"));
        async move { drop(skill.publish(&bob).await) }
    });
    let closing = done(&mona, "ada/demo", "1.0.1", "quarantine", because("sends keys"));
    let (_, closed) = tokio::join!(futures_util::future::join_all(publishes), closing);
    assert_eq!(closed, "200 quarantined");
    let index = registry.anonymous().get("/index/bob/demo").await;
    for line in index.text().lines().filter(|line| !line.is_empty()) {
        assert_eq!(serde_json::from_str::<Value>(line).unwrap()["state"], "quarantined", "{line}");
    }
}
