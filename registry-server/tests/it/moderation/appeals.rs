//! What publishers say against what was closed, and what they are answered.

use insta::assert_snapshot;
use serde_json::{Value, json};
use skill_core::state::ReleaseState;
use skill_registry::store::audit::newest;
use skill_registry::store::publishers::MemberRole;

use super::moderator;
use crate::support::{Answer, Caller, Skill, TestRegistry, states};

const APPEALS: &str = "/api/registry/v1/skills/ada/demo/versions/1.0.0/appeals";

async fn close(who: &Caller) {
    let path = "/api/registry/v1/moderation/releases/ada/demo/1.0.0/quarantine";
    assert_eq!(who.post(path, &json!({ "reason": "sends keys" })).await.status, 200);
}

/// A closed release of ada, and who closed it.
async fn closed(registry: &TestRegistry) -> (Caller, Caller) {
    let ada = registry.user("ada").await;
    Skill::new("demo").version("1.0.0").published(&ada).await;
    let mona = moderator(registry, "mona").await;
    close(&mona).await;
    (ada, mona)
}

async fn appealed(who: &Caller, reason: &str) -> String {
    let answer = who.post(APPEALS, &json!({ "reason": reason })).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn decide(who: &Caller, id: &str, decision: &str, note: &str) -> Answer {
    let path = format!("/api/registry/v1/moderation/appeals/{id}/decide");
    who.post(&path, &json!({ "decision": decision, "note": note })).await
}

fn code(answer: &Answer) -> String {
    let json = answer.json();
    format!("{} {}", answer.status.as_u16(), json["code"].as_str().or(json["decision"].as_str()).unwrap())
}

on_both_engines! {
    async fn an_appeal_that_is_granted_gives_the_release_back(registry) {
        let (ada, mona) = closed(registry).await;
        let first = ada.post(APPEALS, &json!({ "reason": "it is a test vector" })).await;
        let id = first.json()["id"].as_str().unwrap().to_owned();
        assert_snapshot!(first.shown().replace(&id, "ID"), @r#"
        201 application/json
        {
          "id": "ID",
          "owner": "ada",
          "slug": "demo",
          "version": "1.0.0",
          "by": "ada",
          "reason": "it is a test vector",
          "at": "2026-11-30T12:00:00Z",
          "alreadyOpen": false
        }
        "#);
        let again = ada.post(APPEALS, &json!({ "reason": "hello?" })).await;
        assert_eq!((again.status.as_u16(), &again.json()["alreadyOpen"]), (200, &json!(true)));
        assert_eq!(again.json()["reason"], "it is a test vector");
        let queue = mona.get("/api/registry/v1/moderation/queue?kind=appeal").await.json();
        assert_eq!(queue["cases"][0]["appeals"], 1);
        let case = mona.get("/api/registry/v1/moderation/cases/ada/demo").await.json();
        assert_eq!(case["appeals"][0]["id"], json!(id));

        let granted = decide(&mona, &id, "granted", "it is").await;
        assert_snapshot!(granted.shown().replace(&id, "ID"), @r#"
        200 application/json
        {
          "id": "ID",
          "owner": "ada",
          "slug": "demo",
          "version": "1.0.0",
          "reason": "it is a test vector",
          "by": "ada",
          "at": "2026-11-30T12:00:00Z",
          "decision": "granted",
          "decidedBy": "mona",
          "decidedAt": "2026-11-30T12:00:00Z",
          "note": "it is"
        }
        "#);
        assert_eq!(registry.anonymous().get("/index/ada/demo").await.json()["state"], "visible");
        let told = ada.get(APPEALS).await.json();
        let mine = &told["appeals"][0];
        assert_eq!((&mine["decision"], &mine["note"], &mine["decidedBy"]), (&json!("granted"), &json!("it is"), &Value::Null));
        let rows = newest(&mut registry.app.db().read().await.unwrap(), 2).await.unwrap();
        let mut actions: Vec<&str> = rows.iter().map(|row| row.action.as_str()).collect();
        actions.sort_unstable();
        assert_eq!(actions, ["appeal.grant", "restore"]);
        assert_eq!(code(&decide(&mona, &id, "declined", "late").await), "409 appeal-answered");
    }

    async fn an_appeal_that_is_declined_can_be_made_again(registry) {
        let (ada, mona) = closed(registry).await;
        let id = appealed(&ada, "it is a test vector").await;
        assert_eq!(code(&decide(&mona, &id, "declined", " ").await), "422 reason-missing");
        assert_eq!(code(&decide(&mona, &id, "maybe", "x").await), "422 decision-unreadable");
        assert_eq!(code(&decide(&mona, "none", "declined", "x").await), "404 appeal-not-found");
        assert_eq!(code(&decide(&mona, &id, "declined", "it sends them").await), "200 declined");
        assert_eq!(code(&decide(&mona, &id, "granted", "after all").await), "409 appeal-answered");
        appealed(&ada, "look again").await;
        let told = ada.get(APPEALS).await.json();
        let shown: Vec<&Value> = told["appeals"].as_array().unwrap().iter().map(|one| &one["note"]).collect();
        assert_eq!(shown, [&Value::Null, &json!("it sends them")]);
    }

    /// Whatever gives a release back answers what was asked for.
    async fn a_restoration_answers_the_appeal(registry) {
        let (ada, mona) = closed(registry).await;
        appealed(&ada, "it is a test vector").await;
        let path = "/api/registry/v1/moderation/releases/ada/demo/1.0.0/restore";
        assert_eq!(mona.post(path, &json!({ "reason": "a false alarm" })).await.status, 200);
        let told = ada.get(APPEALS).await.json();
        assert_eq!((&told["appeals"][0]["decision"], &told["appeals"][0]["note"]), (&json!("granted"), &json!("a false alarm")));
        assert_eq!(mona.get("/api/registry/v1/moderation/queue").await.json()["cases"], json!([]));
        // Closed again it can be appealed against again.
        close(&mona).await;
        appealed(&ada, "again").await;
    }

    /// What the owner did the owner undoes; nobody appeals against what is not closed.
    async fn only_what_the_registry_closed_is_appealed_against(registry) {
        let ada = registry.user("ada").await;
        let mut table = String::new();
        for state in ReleaseState::ALL {
            states::put_into(registry, &ada, state.as_str(), state).await;
            let path = format!("/api/registry/v1/skills/ada/{state}/versions/1.0.0/appeals");
            let answer = ada.post(&path, &json!({ "reason": "why" })).await;
            table += &format!("{state}: {} {}\n", answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or("taken"));
        }
        assert_snapshot!(table, @r"
        pending: 409 release-not-closed
        visible: 409 release-not-closed
        suspicious: 409 release-not-closed
        yanked: 409 release-not-closed
        withdrawn: 409 release-not-closed
        quarantined: 201 taken
        deleted: 409 release-not-closed
        taken-down: 201 taken
        ");
    }

    /// Of an answer each way one holds, and the release is as it says.
    async fn an_appeal_is_answered_once(registry) {
        let (ada, mona) = closed(registry).await;
        let max = moderator(registry, "max").await;
        let id = appealed(&ada, "it is a test vector").await;
        let (first, second) = tokio::join!(decide(&mona, &id, "granted", "it is"), decide(&max, &id, "declined", "no"));
        let mut statuses = [first.status.as_u16(), second.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{} {}", first.text(), second.text());
        let state = if first.status == 200 { "visible" } else { "quarantined" };
        assert_eq!(registry.anonymous().get("/index/ada/demo").await.json()["state"], state);
    }

    async fn who_may_not(registry) {
        let (ada, mona) = closed(registry).await;
        let bob = registry.user("bob").await;
        assert_eq!(code(&bob.post(APPEALS, &json!({ "reason": "x" })).await), "403 not-member");
        assert_eq!(code(&bob.get(APPEALS).await), "403 not-member");
        for reason in ["", " \u{200b}"] {
            assert_eq!(code(&ada.post(APPEALS, &json!({ "reason": reason })).await), "422 reason-missing");
        }
        assert_eq!(code(&ada.post(APPEALS, &json!({ "reason": "a".repeat(501) })).await), "422 reason-long");
        let none = APPEALS.replace("1.0.0", "9.9.9");
        assert_eq!(code(&ada.post(&none, &json!({ "reason": "x" })).await), "404 version-not-found");
        assert_eq!(code(&ada.post(&APPEALS.replace("demo", "none"), &json!({ "reason": "x" })).await), "404 skill-not-found");
        // Nobody judges the own case, neither way.
        let id = appealed(&ada, "x").await;
        registry.join("ada", "mona", MemberRole::Publisher).await;
        for decision in ["granted", "declined"] {
            assert_eq!(code(&decide(&mona, &id, decision, "ours").await), "403 own-case", "{decision}");
        }
        assert_eq!(code(&decide(&moderator(registry, "nora").await, &id, "declined", "no").await), "200 declined");
    }
}

/// Where two persons give back, one grants and the other approves.
#[tokio::test]
async fn an_appeal_is_granted_by_two_persons() {
    let registry = TestRegistry::on_sqlite().with("moderation.two_persons = 'on'").start().await;
    let (ada, mona) = closed(&registry).await;
    let id = appealed(&ada, "it is a test vector").await;
    let waits = decide(&mona, &id, "granted", "it is").await;
    assert_eq!((waits.status.as_u16(), &waits.json()["status"]), (202, &json!("quarantined")));
    assert_eq!(ada.get(APPEALS).await.json()["appeals"][0]["decision"], Value::Null);
    let proposal = waits.json()["proposal"]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/registry/v1/moderation/proposals/{proposal}/approve");
    assert_eq!(mona.post(&path, &Value::Null).await.status, 403);
    assert_eq!(moderator(&registry, "nora").await.post(&path, &Value::Null).await.status, 200);
    let told = ada.get(APPEALS).await.json();
    assert_eq!(
        (&told["appeals"][0]["decision"], &told["appeals"][0]["note"]),
        (&json!("granted"), &json!("it is"))
    );
}

/// A case that was closed and opened for years is read page by page.
#[tokio::test]
async fn a_case_shows_its_restrictions_page_by_page() {
    let registry = TestRegistry::on_sqlite().start().await;
    let (ada, mona) = closed(&registry).await;
    let path = "/api/registry/v1/skills/ada/demo/versions/1.0.0";
    Skill::new("demo").version("1.1.0").file("more.txt", "more").published(&ada).await;
    let path = path.replace("1.0.0", "1.1.0");
    for verb in ["yank", "unyank"] {
        assert_eq!(ada.post(&format!("{path}/{verb}"), &json!({})).await.status, 200);
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let case = format!("/api/registry/v1/moderation/cases/ada/demo?limit=2{cursor}");
        let case = mona.get(&case).await.json();
        let page = case["restrictions"].as_array().unwrap();
        seen.extend(page.iter().map(|one| one["action"].as_str().unwrap().to_owned()));
        let Some(next) = case["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, ["unyank", "yank", "quarantine"]);
    assert_eq!(mona.get("/api/registry/v1/moderation/cases/ada/demo?cursor=x").await.status, 400);
}
