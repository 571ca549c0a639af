//! A whole skill is deleted and brought back; its slug is kept meanwhile.

use futures_util::future::join_all;
use serde_json::{Value, json};
use skill_core::state::ReleaseState;
use skill_registry::store::publishers::MemberRole;
use skill_registry::store::{head, log};
use skill_trust::dsse::Envelope;

use super::{DEMO, in_force, latest, two_versions};
use crate::support::{Caller, Skill, TestRegistry, states};

const DAY: u64 = 24 * 60 * 60;

async fn state(caller: &Caller, version: &str) -> u16 {
    caller.get(&format!("/api/v1/skills/demo/versions/{version}?ownerHandle=ada")).await.status.as_u16()
}

/// `status` and `code` of a publish of `demo` by somebody.
async fn publish(caller: &Caller) -> (u16, Value) {
    let answer = Skill::new("demo").file("mine.txt", "mine").publish(caller).await;
    (answer.status.as_u16(), answer.json())
}

/// The actions of all restrictions in the order of the log, as they were signed.
async fn said(registry: &TestRegistry) -> String {
    let mut conn = registry.app.db().read().await.unwrap();
    let mut said = Vec::new();
    for leaf in log::leaves(&mut conn, 0, 10_000).await.unwrap() {
        if leaf.kind == "restriction" {
            let logged = log::find(&mut conn, leaf.sha256).await.unwrap().unwrap();
            let statement = Envelope::parse(logged.envelope.as_bytes()).unwrap();
            let statement: Value = serde_json::from_slice(statement.payload()).unwrap();
            let predicate = &statement["predicate"];
            said.push(format!("{} {}", predicate["version"], predicate["action"]).replace('"', ""));
        }
    }
    said.join(", ")
}

/// What everybody is told of why the release is closed: the API, the page, and the index if there is one.
async fn why(registry: &TestRegistry) -> String {
    let anyone = registry.anonymous();
    let told = anyone.get("/api/v1/download?slug=demo&ownerHandle=ada&version=1.0.1").await.text().to_owned();
    let page = anyone.get("/ada/skills/demo/versions/1.0.1").await.text().to_owned();
    let line =
        anyone.get("/index/ada/demo").await.text().lines().find(|line| line.contains("1.0.1")).map(|line| {
            serde_json::from_str::<Value>(line).map_or(Value::Null, |line| line["reason"].clone())
        });
    let on_page = |text: &str| page.contains(text);
    format!(
        "{told}; on the page: registry's {}, owner's {}; index {}",
        on_page("because"),
        on_page("all is well"),
        line.unwrap_or(Value::Null)
    )
}

on_both_engines! {
    /// The reason that is shown is of whoever closed it most, not of whoever spoke last.
    async fn no_owner_writes_the_reason_of_a_quarantine(registry) {
        let ada = two_versions(registry).await;
        let well = json!({ "reason": "all is well" });
        assert_eq!(ada.post(&format!("{DEMO}/versions/1.0.1/withdraw"), &well).await.status, 200);
        states::bring(registry, &ada, "demo", "1.0.1", ReleaseState::Quarantined).await;
        let blocked = why(registry).await;
        assert_eq!(ada.send_json(http::Method::DELETE, DEMO, &well).await.status, 200);
        let deleted = why(registry).await;
        assert_eq!(ada.post(&format!("{DEMO}/undelete"), &well).await.status, 200);
        let back = why(registry).await;
        insta::assert_snapshot!(format!("{blocked}\n{deleted}\n{back}"), @r#"
        Blocked: this version is quarantined (because); on the page: registry's true, owner's false; index "because"
        Blocked: this version is quarantined (because); on the page: registry's true, owner's false; index null
        Blocked: this version is quarantined (because); on the page: registry's true, owner's false; index "because"
        "#);
    }

    /// Bug report 96: a deletion says how long the name is kept, and so does whoever asks for the name.
    async fn a_deletion_says_until_when_the_slug_is_kept(registry) {
        let ada = two_versions(registry).await;
        let (bob, anyone) = (registry.user("bob").await, registry.anonymous());
        let answer = ada.delete(DEMO).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "owner": "ada",
          "slug": "demo",
          "releases": 2,
          "reservedUntil": "2026-12-30T12:00:00Z"
        }
        "#);
        assert_eq!((state(&ada, "1.0.1").await, state(&anyone, "1.0.1").await), (410, 404));
        assert_eq!(anyone.get("/index/ada/demo").await.status, 404);
        assert_eq!(anyone.get("/api/v1/search?q=demo").await.json()["results"], json!([]));

        registry.later(3 * DAY);
        let refused = Skill::new("demo").file("mine.txt", "mine").publish(&bob).await;
        insta::assert_snapshot!(refused.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:slug-held",
          "status": 409,
          "code": "slug-held",
          "title": "the slug demo is kept for its last holder until 2026-12-30",
          "detail": "ada deleted ada/demo on 2026-11-30",
          "slug": "demo",
          "until": "2026-12-30T12:00:00Z",
          "requestId": "test"
        }
        "#);
        let (status, own) = publish(&ada).await;
        assert_eq!((status, own["code"].as_str()), (409, Some("skill-deleted")), "{own}");
        // Deleting it again gives it no more time.
        assert_eq!(ada.delete(DEMO).await.json(), answer.json());

        registry.later(27 * DAY);
        assert_eq!(publish(&bob).await.0, 201);
        assert_eq!(anyone.get("/api/v1/skills/demo").await.json()["owner"]["handle"], "bob");
    }

    /// Every release stands as it did before, the one that was withdrawn too: the statement that undoes a deletion
    /// undoes a withdrawal, so that this one is said again.
    async fn what_is_undeleted_stands_as_before(registry) {
        let ada = two_versions(registry).await;
        Skill::new("demo").version("1.0.2").file("a.txt", "c").published(&ada).await;
        ada.post(&format!("{DEMO}/versions/1.0.0/yank"), &json!({ "reason": "slow" })).await;
        ada.post(&format!("{DEMO}/versions/1.0.1/withdraw"), &json!({ "reason": "holds a key" })).await;
        for _ in 0..2 {
            assert_eq!(ada.delete(DEMO).await.status, 200);
            for version in ["1.0.0", "1.0.1", "1.0.2"] {
                assert_eq!(state(&ada, version).await, 410, "{version}");
            }
            let answer = ada.post(&format!("{DEMO}/undelete"), &json!({})).await;
            assert_eq!(answer.json(), json!({ "owner": "ada", "slug": "demo", "releases": 3, "bareSlug": true }));
        }
        assert_eq!(in_force(registry, "1.0.0").await, ["1 yank: slow"]);
        assert_eq!((state(&ada, "1.0.1").await, state(&ada, "1.0.2").await), (410, 200));
        assert_eq!(latest(&registry.anonymous()).await, "1.0.2");
        insta::assert_snapshot!(said(registry).await, @"1.0.0 yank, 1.0.1 withdraw, 1.0.2 delete, 1.0.1 delete, 1.0.0 delete, 1.0.2 undelete, 1.0.1 undelete, 1.0.1 withdraw, 1.0.0 undelete, 1.0.2 delete, 1.0.1 delete, 1.0.0 delete, 1.0.2 undelete, 1.0.1 undelete, 1.0.1 withdraw, 1.0.0 undelete");
        let nothing = ada.post(&format!("{DEMO}/undelete"), &json!({})).await;
        assert_eq!(nothing.json(), json!({ "owner": "ada", "slug": "demo", "releases": 0, "bareSlug": true }));
        let restored = ada.post(&format!("{DEMO}/versions/1.0.1/restore"), &json!({})).await;
        assert_eq!(restored.json()["status"], "visible");
    }

    async fn a_deleted_skill_takes_no_change(registry) {
        let ada = two_versions(registry).await;
        ada.delete(DEMO).await;
        for path in ["versions/1.0.0/yank", "versions/1.0.0/withdraw", "versions/1.0.0/restore"] {
            let answer = ada.post(&format!("{DEMO}/{path}"), &json!({})).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (409, Some("skill-deleted")), "{path}");
        }
        let answer = ada.put(&format!("{DEMO}/tags/stable"), &json!({ "version": "1.0.0" })).await;
        assert_eq!(answer.json()["code"], "skill-deleted");
    }

    /// A bare slug that another skill holds is not given up or kept by a deletion, nor taken back.
    async fn a_slug_that_is_anothers_stays_so(registry) {
        let ada = two_versions(registry).await;
        let (bob, eve) = (registry.user("bob").await, registry.user("eve").await);
        Skill::new("demo").file("b.txt", "b").published(&bob).await;
        let answer = bob.delete("/api/registry/v1/skills/bob/demo").await;
        assert_eq!(answer.json(), json!({ "owner": "bob", "slug": "demo", "releases": 1 }));
        assert_eq!(publish(&eve).await.0, 201);
        let back = bob.post("/api/registry/v1/skills/bob/demo/undelete", &json!({})).await;
        assert_eq!(back.json()["bareSlug"], false);

        // The holder goes: the bare slug is ambiguous, and stays so when somebody else takes nothing.
        ada.delete(DEMO).await;
        assert_eq!(registry.anonymous().get("/api/v1/skills/demo").await.status, 409);
        let back = ada.post(&format!("{DEMO}/undelete"), &json!({})).await;
        assert_eq!(back.json()["bareSlug"], true);
        // It goes again and comes back when the slug was taken.
        ada.delete(DEMO).await;
        registry.later(31 * DAY);
        let zoe = registry.user("zoe").await;
        assert_eq!(publish(&zoe).await.0, 201);
        let back = ada.post(&format!("{DEMO}/undelete"), &json!({})).await;
        assert_eq!(back.json()["bareSlug"], false);
        assert_eq!(registry.anonymous().get("/api/v1/skills/demo").await.json()["owner"]["handle"], "zoe");
        // Nor is it taken back while it is kept for the one who had it last.
        ada.delete(DEMO).await;
        zoe.delete("/api/registry/v1/skills/zoe/demo").await;
        assert_eq!(ada.post(&format!("{DEMO}/undelete"), &json!({})).await.json()["bareSlug"], false);
        assert_eq!(zoe.post("/api/registry/v1/skills/zoe/demo/undelete", &json!({})).await.json()["bareSlug"], true);
    }

    /// Every release gets its statement, in one transaction.
    async fn many_releases_go_at_once(registry) {
        let ada = registry.user("ada").await;
        for number in 0..40 {
            Skill::new("demo").file("n.txt", number.to_string()).published(&ada).await;
        }
        let before = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        assert_eq!(ada.delete(DEMO).await.json()["releases"], 40);
        let after = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        assert_eq!((after.event - before.event, after.leaf - before.leaf), (1, 40));
    }

    /// No signed fact is refused for room: whatever an owner wrote before, the skill can be deleted and comes back.
    async fn long_reasons_hinder_nobody(registry) {
        let ada = two_versions(registry).await;
        let long = json!({ "reason": "x".repeat(500) });
        for verb in ["yank", "withdraw"] {
            assert_eq!(ada.post(&format!("{DEMO}/versions/1.0.1/{verb}"), &long).await.status, 200);
        }
        assert_eq!(ada.send_json(http::Method::DELETE, DEMO, &long).await.status, 200);
        assert_eq!(ada.post(&format!("{DEMO}/undelete"), &long).await.status, 200);
        assert_eq!(ada.post(&format!("{DEMO}/versions/1.0.1/restore"), &long).await.json()["status"], "yanked");
        assert_eq!(in_force(registry, "1.0.1").await.len(), 1);
        let longer = ada.send_json(http::Method::DELETE, DEMO, &json!({ "reason": "x".repeat(501) })).await;
        assert_eq!(longer.json()["code"], "reason-long");
    }

    async fn who_may_not(registry) {
        two_versions(registry).await;
        let eve = registry.user("eve").await;
        let undelete = format!("{DEMO}/undelete");
        for (caller, code) in [(registry.anonymous(), "login-needed"), (eve, "not-member")] {
            assert_eq!(caller.delete(DEMO).await.json()["code"], code);
            assert_eq!(caller.post(&undelete, &json!({})).await.json()["code"], code);
        }
        let ada = registry.token("ada", [skill_registry::auth::Scope::Read]).await;
        assert_eq!(ada.delete(DEMO).await.json()["code"], "scope-missing");
        // Who may publish, and withdraw a release, does not do away with the skill.
        let pia = registry.user("pia").await;
        registry.join("ada", "pia", MemberRole::Publisher).await;
        assert_eq!(pia.delete(DEMO).await.json()["code"], "role-missing");
        assert_eq!(pia.post(&format!("{DEMO}/versions/1.0.1/withdraw"), &json!({})).await.status, 200);
        assert_eq!(state(&registry.anonymous(), "1.0.0").await, 200);
    }

    /// Deletions, yanks and publishes at once: whatever came last, every release is deleted or none is.
    async fn a_deletion_beside_everything_else(registry) {
        let ada = two_versions(registry).await;
        let publishes = (0..4).map(|n| {
            let skill = Skill::new("demo").file("n.txt", n.to_string());
            let ada = &ada;
            async move { skill.publish(ada).await.status.as_u16() }
        });
        let changes = (0..4).map(|n| {
            let ada = &ada;
            async move {
                match n {
                    0 | 1 => ada.delete(DEMO).await,
                    2 => ada.post(&format!("{DEMO}/versions/1.0.0/yank"), &json!({})).await,
                    _ => ada.post(&format!("{DEMO}/undelete"), &json!({})).await,
                }
                .status
                .as_u16()
            }
        });
        let (stored, done) = tokio::join!(join_all(publishes), join_all(changes));
        assert!(stored.iter().all(|status| [201, 409].contains(status)), "{stored:?}");
        assert!(done.iter().all(|status| [200, 409].contains(status)), "{done:?}");
    }

    /// A slug that is given up is taken by nobody, however close behind.
    async fn a_deletion_beside_a_claim_of_its_slug(registry) {
        for round in 0..4 {
            let owners = [format!("ada{round}"), format!("bob{round}")];
            let (ada, bob) = (registry.user(&owners[0]).await, registry.user(&owners[1]).await);
            let slug = format!("demo{round}");
            Skill::new(&slug).published(&ada).await;
            let path = format!("/api/registry/v1/skills/{}/{slug}", owners[0]);
            let skill = Skill::new(&slug).file("b.txt", "b");
            let (deleted, claimed) = tokio::join!(ada.delete(&path), skill.publish(&bob));
            assert_eq!(deleted.status, 200);
            let bare = registry.anonymous().get(&format!("/api/v1/skills/{slug}")).await;
            // Claimed before the deletion it is another user of an ambiguous slug; after it, refused.
            match claimed.status.as_u16() {
                201 => assert_eq!(bare.status, 409, "{}", bare.shown()),
                status => assert_eq!((status, bare.status.as_u16()), (409, 404), "{}", claimed.shown()),
            }
        }
    }
}
