//! What waits for moderators, and what they say about it.

use insta::assert_snapshot;
use serde_json::{Value, json};
use skill_core::state::ReleaseState;
use skill_registry::store::audit::newest;
use skill_registry::store::publishers::MemberRole;

use super::moderator;
use crate::support::{Answer, Caller, Skill, TestRegistry, states};

const QUEUE: &str = "/api/registry/v1/moderation/queue";

async fn report(who: &Caller, slug: &str, kind: &str) -> String {
    let path = format!("/api/registry/v1/skills/ada/{slug}/reports");
    let answer = who.post(&path, &json!({ "kind": kind, "reason": format!("{slug} is {kind}") })).await;
    assert_eq!(answer.status, 201);
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn decide(who: &Caller, id: &str, decision: &str, note: &str) -> Answer {
    let path = format!("/api/registry/v1/moderation/reports/{id}/decide");
    who.post(&path, &json!({ "decision": decision, "note": note })).await
}

/// `slug weight holds/reports/appeals`, in order.
async fn queue(who: &Caller, query: &str) -> Vec<String> {
    let page = who.get(&format!("{QUEUE}{query}")).await.json();
    let cases = page["cases"].as_array().unwrap();
    let line = |case: &Value| {
        let count = |key: &str| case[key].as_u64().unwrap();
        let slug = case["slug"].as_str().unwrap();
        format!("{slug} {} {}/{}/{}", count("weight"), count("holds"), count("reports"), count("appeals"))
    };
    cases.iter().map(line).collect()
}

async fn run(registry: &TestRegistry, sql: &'static str) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    sqlx::query(sql).execute(tx.conn()).await.unwrap();
    tx.commit().await.unwrap();
}

/// Five skills: one with nothing, one with an odd report, one with an appeal, one with a report of harm, one with four
/// reports. The last three came one after the other, the worst last.
async fn busy(registry: &TestRegistry) -> Vec<Caller> {
    let ada = registry.user("ada").await;
    for slug in ["quiet", "odd", "closed", "harmful", "hated"] {
        Skill::new(slug).version("1.0.0").published(&ada).await;
    }
    let mut users = Vec::new();
    for name in ["bob", "carol", "dan", "eve"] {
        users.push(registry.user(name).await);
    }
    report(&users[0], "odd", "other").await;
    registry.later(60);
    run(registry, "INSERT INTO appeals (id, release_id, user_id, text, created_at)
        SELECT 'appeal', r.id, r.published_by, 'it is fine', r.published_at FROM releases r JOIN skills s ON s.id = r.skill_id WHERE s.slug = 'closed'").await;
    report(&users[0], "harmful", "malicious").await;
    registry.later(60);
    for user in &users {
        report(user, "hated", "rights").await;
    }
    users
}

on_both_engines! {
    async fn what_matters_most_is_on_top(registry) {
        busy(registry).await;
        let mona = moderator(registry, "mona").await;
        assert_eq!(queue(&mona, "").await, ["hated 3 0/4/0", "harmful 2 0/1/0", "closed 1 0/0/1", "odd 0 0/1/0"]);
        assert_eq!(queue(&mona, "?kind=report").await, ["hated 3 0/4/0", "harmful 2 0/1/0", "odd 0 0/1/0"]);
        assert_eq!(queue(&mona, "?kind=appeal").await, ["closed 1 0/0/1"]);
        assert_eq!(queue(&mona, "?kind=hold").await, [""; 0]);
    }

    /// Page by page everything comes once, also where weight and time are the same.
    async fn the_queue_is_paged(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        for slug in ["one", "two", "three"] {
            Skill::new(slug).version("1.0.0").published(&ada).await;
            report(&bob, slug, "other").await;
        }
        let mona = moderator(registry, "mona").await;
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = mona.get(&format!("{QUEUE}?limit=1{cursor}")).await.json();
            seen.extend(page["cases"].as_array().unwrap().iter().map(|case| case["slug"].as_str().unwrap().to_owned()));
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        seen.sort();
        assert_eq!(seen, ["one", "three", "two"]);
    }

    async fn what_was_decided_waits_no_more_and_is_audited(registry) {
        let users = busy(registry).await;
        let mona = moderator(registry, "mona").await;
        let again = users[0].post("/api/registry/v1/skills/ada/odd/reports", &json!({ "reason": "x" })).await.json();
        let id = again["id"].as_str().unwrap();
        let mut decided = decide(&mona, id, "dismissed", "it is not").await.json();
        assert_eq!(decided["id"].take(), id);
        assert_snapshot!(format!("{decided:#}"), @r#"
        {
          "id": null,
          "owner": "ada",
          "slug": "odd",
          "version": "1.0.0",
          "kind": "other",
          "reason": "odd is other",
          "by": "bob",
          "at": "2026-11-30T12:00:00Z",
          "decision": "dismissed",
          "decidedBy": "mona",
          "decidedAt": "2026-11-30T12:02:00Z",
          "note": "it is not"
        }
        "#);
        assert_eq!(queue(&mona, "?kind=report").await, ["hated 3 0/4/0", "harmful 2 0/1/0"]);
        let row = newest(&mut registry.app.db().read().await.unwrap(), 1).await.unwrap().remove(0);
        assert_eq!((row.actor.as_str(), row.action.as_str(), row.subject.as_str()), ("mona", "report.decide", "ada/odd@1.0.0"));
        assert_eq!((row.reason.as_str(), row.detail), ("it is not", json!({ "id": id, "decision": "dismissed" })));
        // Whoever reported may do so again.
        report(&users[0], "odd", "other").await;
    }

    /// Of two moderators at once one decides.
    async fn a_report_is_decided_once(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("1.0.0").published(&ada).await;
        let id = report(&registry.user("bob").await, "demo", "malicious").await;
        let (mona, max) = (moderator(registry, "mona").await, moderator(registry, "max").await);
        let (first, second) = tokio::join!(decide(&mona, &id, "confirmed", ""), decide(&max, &id, "dismissed", ""));
        let mut statuses = [first.status.as_u16(), second.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        let late = decide(&mona, &id, "dismissed", "").await.json();
        assert_eq!((late["code"].as_str(), late["decision"].is_string()), (Some("report-decided"), true));
    }

    async fn a_case_shows_what_a_decision_is_made_of(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("1.0.0").published(&ada).await;
        Skill::new("demo").version("1.1.0").file("more.txt", "more").published(&ada).await;
        ada.post("/api/registry/v1/skills/ada/demo/versions/1.0.0/yank", &json!({ "reason": "old" })).await;
        let id = report(&registry.user("bob").await, "demo", "rights").await;
        let mona = moderator(registry, "mona").await;
        let case = mona.get("/api/registry/v1/moderation/cases/ada/demo").await;
        assert_snapshot!(case.shown().replace(&id, "ID"), @r#"
        200 application/json
        {
          "owner": "ada",
          "slug": "demo",
          "deletedAt": null,
          "releases": [
            {
              "version": "1.1.0",
              "state": "visible",
              "verdict": "clean",
              "publishedAt": "2026-11-30T12:00:00Z"
            },
            {
              "version": "1.0.0",
              "state": "yanked",
              "verdict": "clean",
              "publishedAt": "2026-11-30T12:00:00Z"
            }
          ],
          "holds": [],
          "reports": [
            {
              "id": "ID",
              "owner": "ada",
              "slug": "demo",
              "version": "1.1.0",
              "kind": "rights",
              "reason": "demo is rights",
              "by": "bob",
              "at": "2026-11-30T12:00:00Z",
              "decision": null,
              "decidedBy": null,
              "decidedAt": null,
              "note": null
            }
          ],
          "appeals": [],
          "proposals": [],
          "restrictions": [
            {
              "sequence": 1,
              "action": "yank",
              "version": "1.0.0",
              "reason": "old",
              "by": "ada",
              "at": "2026-11-30T12:00:00Z",
              "liftedBy": null
            }
          ],
          "nextCursor": null
        }
        "#);
        let none = mona.get("/api/registry/v1/moderation/cases/ada/none").await;
        assert_eq!((none.status.as_u16(), none.json()["code"].as_str()), (404, Some("skill-not-found")));
    }

    async fn stock_tools_list_and_triage_by_the_contract(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("1.0.0").published(&ada).await;
        let bob = registry.user("bob").await;
        let id = report(&bob, "demo", "malicious").await;
        let mona = moderator(registry, "mona").await;
        assert_eq!(bob.get("/api/v1/skills/-/reports").await.text(), "Forbidden: the token may be used for read,publish, this needs moderate");
        let path = format!("/api/v1/skills/-/reports/{id}/triage");
        for (body, words) in [
            (json!({}), "Invalid status"),
            (json!({ "status": "confirmed", "finalAction": "hide" }), "A report is decided here, its release is closed by itself: finalAction must be none"),
        ] {
            let refused = mona.post(&path, &body).await;
            assert_eq!((refused.status.as_u16(), refused.text()), (400, words));
        }
        let triaged = mona.post(&path, &json!({ "status": "confirmed", "note": "it does", "finalAction": "none" })).await;
        assert_eq!(triaged.json(), json!({ "ok": true, "reportId": id, "status": "confirmed" }));
        assert_eq!(mona.get("/api/v1/skills/-/reports").await.json(), json!({ "items": [], "nextCursor": null }));
        let listed = mona.get("/api/v1/skills/-/reports?status=confirmed").await;
        assert_snapshot!(listed.shown().replace(&id, "ID"), @r#"
        200 application/json
        {
          "items": [
            {
              "reportId": "ID",
              "ownerHandle": "ada",
              "slug": "demo",
              "version": "1.0.0",
              "status": "confirmed",
              "kind": "malicious",
              "reason": "demo is malicious",
              "reporterHandle": "bob",
              "createdAt": 1796040000000,
              "triagedAt": 1796040000000,
              "triageNote": "it does"
            }
          ],
          "nextCursor": null
        }
        "#);
        for query in ["status=odd", "cursor=x"] {
            assert_eq!(mona.get(&format!("/api/v1/skills/-/reports?{query}")).await.status, 400, "{query}");
        }
    }

    /// What is said against a release: to everybody while it can be had, without the text that matched; to its owner
    /// always.
    async fn details_are_for_everybody_or_for_the_owner(registry) {
        let ada = registry.user("ada").await;
        for state in ReleaseState::ALL {
            states::put_into(registry, &ada, state.as_str(), state).await;
        }
        let anyone = registry.anonymous();
        let path = |state: ReleaseState| format!("/api/v1/skills/{state}/moderation?ownerHandle=ada");
        for state in ReleaseState::ALL {
            let others = anyone.get(&path(state)).await;
            let expected = if state == ReleaseState::Suspicious { 200 } else { 404 };
            assert_eq!(others.status.as_u16(), expected, "{state}");
            assert!(expected == 200 || others.text() == "Moderation details unavailable", "{state}: {}", others.text());
            assert_eq!(ada.get(&path(state)).await.status, 200, "{state}");
        }
        assert_eq!(ada.get(&path(ReleaseState::Visible)).await.json(), json!({ "moderation": null }));
        let shown = |answer: &Answer| {
            let warned = answer.json()["moderation"].clone();
            let evidence = warned["evidence"][0].clone();
            (warned["isSuspicious"].clone(), evidence["severity"].clone(), evidence["evidence"].as_str().unwrap().is_empty())
        };
        assert_eq!(shown(&anyone.get(&path(ReleaseState::Suspicious)).await), (json!(true), json!("critical"), true));
        assert_eq!(shown(&ada.get(&path(ReleaseState::Suspicious)).await), (json!(true), json!("critical"), false));
    }
}

/// A moderator decides nothing about a publisher of which they are a member.
#[tokio::test]
async fn nobody_decides_their_own_case() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").version("1.0.0").published(&ada).await;
    let id = report(&registry.user("bob").await, "demo", "malicious").await;
    registry.add_user("mona").await;
    registry.join("ada", "mona", MemberRole::Publisher).await;
    let mona = super::promoted(&registry, "mona").await;
    let refused = decide(&mona, &id, "dismissed", "").await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (403, Some("own-case")));
    assert_eq!(queue(&mona, "").await, ["demo 2 0/1/0"]);
}

#[tokio::test]
async fn what_does_not_read_or_is_not_there_is_said() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").version("1.0.0").published(&ada).await;
    let id = report(&registry.user("bob").await, "demo", "malicious").await;
    let mona = moderator(&registry, "mona").await;
    let code = |answer: Answer| (answer.status.as_u16(), answer.json()["code"].as_str().unwrap().to_owned());
    assert_eq!(code(decide(&mona, "none", "confirmed", "").await), (404, "report-not-found".to_owned()));
    assert_eq!(code(decide(&mona, &id, "maybe", "").await), (422, "decision-unreadable".to_owned()));
    assert_eq!(
        code(decide(&mona, &id, "confirmed", &"a".repeat(501)).await),
        (422, "reason-long".to_owned())
    );
    for query in ["kind=odd", "cursor=x", "cursor=1.2", "cursor=1.99999999999999999.x"] {
        assert_eq!(code(mona.get(&format!("{QUEUE}?{query}")).await), (400, "usage".to_owned()), "{query}");
    }
    assert_eq!(queue(&mona, "").await, ["demo 2 0/1/0"]);
}
