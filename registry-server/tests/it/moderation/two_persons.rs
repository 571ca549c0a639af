//! What was closed is given back by two persons, where the operator wants that.

use insta::assert_snapshot;
use serde_json::{Value, json};
use skill_registry::auth::Scope;
use skill_registry::store::audit::newest;
use skill_registry::store::publishers::MemberRole;

use super::moderator;
use crate::support::{Answer, Caller, Skill, TestRegistry};

const PROPOSALS: &str = "/api/registry/v1/moderation/proposals";

/// A registry on each engine that takes two persons.
async fn registries() -> Vec<TestRegistry> {
    let on = "moderation.two_persons = 'on'";
    let mut registries = vec![TestRegistry::on_sqlite().with(on).start().await];
    if let Some(builder) = TestRegistry::on_postgres().await {
        registries.push(builder.with(on).start().await);
    }
    registries
}

async fn act(who: &Caller, verb: &str, reason: &str) -> Answer {
    let path = format!("/api/registry/v1/moderation/releases/ada/demo/1.0.0/{verb}");
    who.post(&path, &json!({ "reason": reason })).await
}

async fn answer(who: &Caller, id: &str, verb: &str) -> String {
    let answer = who.post(&format!("{PROPOSALS}/{id}/{verb}"), &json!({ "reason": "no" })).await;
    let json = answer.json();
    let word = ["code", "status", "decision"].iter().find_map(|key| json[key].as_str());
    format!("{} {}", answer.status.as_u16(), word.unwrap())
}

/// A closed release, and two who moderate.
async fn closed(registry: &TestRegistry) -> (Caller, Caller) {
    let ada = registry.user("ada").await;
    Skill::new("demo").version("1.0.0").published(&ada).await;
    let (mona, nora) = (moderator(registry, "mona").await, moderator(registry, "nora").await);
    assert_eq!(act(&mona, "quarantine", "sends keys").await.status, 200);
    (mona, nora)
}

async fn proposed(who: &Caller) -> String {
    let answer = act(who, "restore", "a false alarm").await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    answer.json()["proposal"]["id"].as_str().unwrap().to_owned()
}

async fn state(registry: &TestRegistry) -> Value {
    registry.anonymous().get("/index/ada/demo").await.json()["state"].take()
}

#[tokio::test]
async fn a_second_person_gives_it_back() {
    for registry in &registries().await {
        let (mona, nora) = closed(registry).await;
        let first = act(&mona, "restore", "a false alarm").await;
        let id = first.json()["proposal"]["id"].as_str().unwrap().to_owned();
        assert_eq!(first.status, 202);
        assert_eq!(state(registry).await, "quarantined");

        // Whoever says the same again, adds nothing: a second person approves on purpose.
        assert_eq!([proposed(&mona).await, proposed(&nora).await], [id.as_str(), &id]);
        assert_eq!(answer(&mona, &id, "approve").await, "403 own-proposal");
        assert_eq!(state(registry).await, "quarantined");
        let listed = nora.get(PROPOSALS).await.json();
        assert_eq!((&listed["proposals"][0]["id"], &listed["nextCursor"]), (&json!(id), &Value::Null));
        let case = nora.get("/api/registry/v1/moderation/cases/ada/demo").await.json();
        assert_eq!(case["proposals"][0]["by"], "mona");

        let second = nora.post(&format!("{PROPOSALS}/{id}/approve"), &Value::Null).await;
        assert_eq!(second.status, 200);
        assert_eq!(state(registry).await, "visible");
        let row = newest(&mut registry.app.db().read().await.unwrap(), 1).await.unwrap().remove(0);
        assert_eq!(
            (row.actor.as_str(), row.action.as_str(), row.reason.as_str()),
            ("nora", "restore", "a false alarm")
        );
        assert_eq!(row.detail, json!({ "lifts": [1], "proposal": id, "proposedBy": "mona" }));
        assert_eq!(answer(&nora, &id, "approve").await, "409 proposal-decided");
        assert_eq!(nora.get(PROPOSALS).await.json()["proposals"], json!([]));
        // Nothing is closed, so that nothing is proposed.
        assert_eq!(act(&mona, "restore", "again").await.json()["status"], "visible");
    }
}

/// What both persons are told.
#[tokio::test]
async fn a_proposal_and_its_approval_are_answered() {
    let registry = &TestRegistry::on_sqlite().with("moderation.two_persons = 'on'").start().await;
    let (mona, nora) = closed(registry).await;
    let first = act(&mona, "restore", "a false alarm").await;
    let id = first.json()["proposal"]["id"].as_str().unwrap().to_owned();
    assert_snapshot!(first.shown().replace(&id, "ID"), @r#"
    202 application/json
    {
      "status": "quarantined",
      "proposal": {
        "id": "ID",
        "owner": "ada",
        "slug": "demo",
        "version": "1.0.0",
        "restriction": 1,
        "reason": "a false alarm",
        "by": "mona",
        "at": "2026-11-30T12:00:00Z",
        "decision": null
      }
    }
    "#);
    let second = nora.post(&format!("{PROPOSALS}/{id}/approve"), &Value::Null).await;
    assert_snapshot!(second.shown(), @r#"
    200 application/json
    {
      "owner": "ada",
      "slug": "demo",
      "version": "1.0.0",
      "status": "visible",
      "stillClosed": []
    }
    "#);
}

/// The rule is a constraint: no mistake of the program lets one person be two.
#[tokio::test]
async fn the_database_takes_no_approval_of_ones_own() {
    for registry in &registries().await {
        let (mona, _) = closed(registry).await;
        proposed(&mona).await;
        for by in ["proposed_by", "NULL"] {
            let mut tx = registry.app.db().quiet().await.unwrap();
            let sql = format!("UPDATE proposals SET decision = 'approved', decided_by = {by}");
            let refused = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(tx.conn()).await;
            assert!(refused.unwrap_err().to_string().to_lowercase().contains("check constraint"), "{by}");
        }
    }
}

#[tokio::test]
async fn what_was_declined_is_proposed_anew() {
    for registry in &registries().await {
        let (mona, nora) = closed(registry).await;
        let first = proposed(&mona).await;
        let unsaid = nora.post(&format!("{PROPOSALS}/{first}/decline"), &json!({})).await;
        assert_eq!((unsaid.status.as_u16(), unsaid.json()["code"].as_str()), (422, Some("reason-missing")));
        assert_eq!(answer(&nora, &first, "decline").await, "200 declined");
        assert_eq!(answer(&nora, &first, "approve").await, "409 proposal-decided");
        assert_eq!(answer(&nora, &first, "decline").await, "409 proposal-decided");
        // The own one is taken back in the same way.
        let second = proposed(&mona).await;
        assert_ne!(first, second);
        assert_eq!(answer(&mona, &second, "decline").await, "200 declined");
        assert_eq!(answer(&nora, "none", "approve").await, "404 proposal-not-found");
        assert_eq!(state(registry).await, "quarantined");
    }
}

/// What is approved is what was closed when it was proposed.
#[tokio::test]
async fn what_closed_it_later_stays() {
    for registry in &registries().await {
        let (mona, nora) = closed(registry).await;
        let first = proposed(&mona).await;
        let takedown = json!({ "reason": "it is worse", "scope": "release" });
        let path = "/api/registry/v1/moderation/releases/ada/demo/1.0.0/takedown";
        assert_eq!(nora.post(path, &takedown).await.status, 200);
        assert_eq!(answer(&nora, &first, "approve").await, "200 taken-down");
        let second = proposed(&mona).await;
        assert_eq!(answer(&nora, &second, "approve").await, "200 visible");
    }
}

/// Two persons decide only while both may: a moderator who was let go, or who joined the publisher, counts no more.
#[tokio::test]
async fn a_first_person_who_may_no_more_does_not_count() {
    for registry in &registries().await {
        let (mona, nora) = closed(registry).await;
        let id = proposed(&mona).await;
        for (sql, back) in [
            (
                "UPDATE users SET role = 'user' WHERE name = 'mona'",
                "UPDATE users SET role = 'moderator' WHERE name = 'mona'",
            ),
            (
                "UPDATE users SET disabled_at = 1 WHERE name = 'mona'",
                "UPDATE users SET disabled_at = NULL WHERE name = 'mona'",
            ),
        ] {
            run(registry, sql).await;
            assert_eq!(answer(&nora, &id, "approve").await, "409 proposal-stale", "{sql}");
            run(registry, back).await;
        }
        registry.join("ada", "mona", MemberRole::Publisher).await;
        assert_eq!(answer(&nora, &id, "approve").await, "409 proposal-stale");
        assert_eq!(state(registry).await, "quarantined");
        assert_eq!(answer(&mona, &id, "decline").await, "403 own-case");
        assert_eq!(answer(&nora, &id, "decline").await, "200 declined");
    }
}

/// Nobody leaves a publisher for the time of a decision.
#[tokio::test]
async fn who_left_a_publisher_decides_nothing_about_it_for_thirty_days() {
    for registry in &registries().await {
        let (mona, nora) = closed(registry).await;
        registry.join("ada", "nora", MemberRole::Publisher).await;
        let leaves = registry.token("nora", [Scope::Read, Scope::Publish]).await;
        let path = "/api/registry/v1/publishers/ada/members/nora";
        let left = leaves.delete(path).await;
        assert_eq!(left.status, 204, "{}", left.text());
        let id = proposed(&mona).await;
        assert_eq!(answer(&nora, &id, "approve").await, "403 own-case");
        registry.later(29 * 24 * 60 * 60);
        assert_eq!(answer(&nora, &id, "approve").await, "403 own-case");
        registry.later(24 * 60 * 60);
        assert_eq!(answer(&nora, &id, "approve").await, "200 visible");
    }
}

/// Of two at once one gives it back.
#[tokio::test]
async fn a_proposal_is_decided_once() {
    for registry in &registries().await {
        let (mona, nora) = closed(registry).await;
        let max = moderator(registry, "max").await;
        let id = proposed(&mona).await;
        let (first, second) = tokio::join!(answer(&nora, &id, "approve"), answer(&max, &id, "approve"));
        let mut both = [first, second];
        both.sort();
        assert_eq!(both, ["200 visible", "409 proposal-decided"]);
    }
}

#[tokio::test]
async fn proposals_are_paged() {
    for registry in &registries().await {
        let ada = registry.user("ada").await;
        let mona = moderator(registry, "mona").await;
        for number in 0..3 {
            let slug = format!("skill-{number}");
            Skill::new(&slug).version("1.0.0").published(&ada).await;
            let path = format!("/api/registry/v1/moderation/releases/ada/{slug}/1.0.0");
            let scope = json!({ "reason": "x", "scope": "release" });
            assert_eq!(mona.post(&format!("{path}/takedown"), &scope).await.status, 200);
            assert_eq!(mona.post(&format!("{path}/restore"), &json!({ "reason": "x" })).await.status, 202);
        }
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = mona.get(&format!("{PROPOSALS}?limit=1{cursor}")).await.json();
            seen.push(page["proposals"][0]["slug"].as_str().unwrap().to_owned());
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        seen.sort();
        assert_eq!(seen, ["skill-0", "skill-1", "skill-2"]);
        assert_eq!(mona.get(&format!("{PROPOSALS}?cursor=x")).await.status, 400);
    }
}

async fn run(registry: &TestRegistry, sql: &'static str) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    assert_eq!(sqlx::query(sql).execute(tx.conn()).await.unwrap().rows_affected(), 1);
    tx.commit().await.unwrap();
}
