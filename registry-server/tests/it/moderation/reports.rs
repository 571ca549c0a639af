//! What people tell the moderators about skills.

use insta::assert_snapshot;
use serde_json::{Value, json};
use skill_core::state::ReleaseState;
use skill_registry::auth::Scope;
use skill_registry::moderation::OPEN_REPORTS;
use skill_registry::store::audit::newest;
use sqlx::Row as _;

use crate::support::{Answer, Caller, Skill, TestRegistry, states};

const REPORTS: &str = "/api/registry/v1/skills/ada/demo/reports";

async fn published(registry: &TestRegistry) -> Caller {
    let ada = registry.user("ada").await;
    Skill::new("demo").version("1.0.0").published(&ada).await;
    ada
}

async fn report(who: &Caller, kind: &str, reason: &str) -> Answer {
    who.post(REPORTS, &json!({ "kind": kind, "reason": reason })).await
}

async fn count(registry: &TestRegistry) -> i64 {
    let mut conn = registry.app.db().read().await.unwrap();
    sqlx::query("SELECT COUNT(*) AS n FROM reports").fetch_one(&mut *conn).await.unwrap().get("n")
}

fn code(answer: &Answer) -> (u16, Value) {
    (answer.status.as_u16(), answer.json()["code"].clone())
}

on_both_engines! {
    async fn a_report_is_kept_and_audited(registry) {
        published(registry).await;
        let bob = registry.user("bob").await;
        let answer = report(&bob, "malicious", "sends ~/.aws to a host").await;
        let mut told = answer.json();
        let id = told["id"].take();
        assert_eq!(answer.status, 201);
        assert_eq!(told, json!({
            "id": null, "owner": "ada", "slug": "demo", "version": "1.0.0", "kind": "malicious", "alreadyReported": false,
        }));
        let row = newest(&mut registry.app.db().read().await.unwrap(), 1).await.unwrap().remove(0);
        assert_eq!((row.actor.as_str(), row.action.as_str(), row.subject.as_str()), ("bob", "report", "ada/demo@1.0.0"));
        assert_eq!((row.reason.as_str(), row.detail), ("sends ~/.aws to a host", json!({ "id": id, "kind": "malicious" })));
    }

    /// It stands as it was: nobody makes a second one of it, or another.
    async fn the_second_report_of_a_user_is_answered_with_the_first(registry) {
        published(registry).await;
        let bob = registry.user("bob").await;
        let first = report(&bob, "malicious", "sends ~/.aws to a host").await.json();
        let second = report(&bob, "rights", "is mine").await;
        assert_eq!(second.status, 200);
        let told = second.json();
        assert_eq!((&told["id"], &told["kind"], &told["alreadyReported"]), (&first["id"], &json!("malicious"), &json!(true)));
        let carol = registry.user("carol").await;
        assert_eq!(report(&carol, "malicious", "so it does").await.status, 201);
        assert_eq!(count(registry).await, 2);
        // One that waits does not answer for a release that there is not.
        let nowhere = bob.post(REPORTS, &json!({ "reason": "x", "version": "9.9.9" })).await;
        assert_eq!((nowhere.status.as_u16(), &nowhere.json()["code"]), (404, &json!("version-not-found")));
        let unseen = carol.post(REPORTS, &json!({ "reason": "\u{200b}\u{3164} " })).await;
        assert_eq!((unseen.status.as_u16(), &unseen.json()["code"]), (422, &json!("reason-missing")));
    }

    /// Many at once are one: the row of the user is locked, and the database holds it besides.
    async fn a_report_sent_many_times_at_once_is_one(registry) {
        published(registry).await;
        let bob = registry.user("bob").await;
        let answers = futures_util::future::join_all((0..8).map(|_| report(&bob, "other", "odd"))).await;
        let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 200, 201]);
        assert_eq!(count(registry).await, 1);
    }

    async fn a_user_has_twenty_open_reports_at_most(registry) {
        let ada = published(registry).await;
        let bob = registry.user("bob").await;
        for number in 0..OPEN_REPORTS {
            let slug = format!("many-{number}");
            Skill::new(&slug).version("1.0.0").published(&ada).await;
            let path = format!("/api/registry/v1/skills/ada/{slug}/reports");
            assert_eq!(bob.post(&path, &json!({ "reason": "spam" })).await.status, 201);
        }
        let refused = report(&bob, "other", "spam").await;
        assert_eq!(code(&refused), (409, json!("reports-many")));
        assert_eq!(refused.json()["open"], OPEN_REPORTS);
        // What was decided makes room.
        let mut tx = registry.app.db().quiet().await.unwrap();
        sqlx::query("UPDATE reports SET decision = 'dismissed' WHERE id = (SELECT MIN(id) FROM reports)").execute(tx.conn()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(report(&bob, "other", "spam").await.status, 201);
    }

    /// What nobody may know of cannot be reported, and its owner can; what was closed can be: it may be a false alarm.
    async fn what_can_be_reported_is_what_can_be_known_of(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        let mut table = String::new();
        for state in ReleaseState::ALL {
            states::put_into(registry, &ada, state.as_str(), state).await;
            let path = format!("/api/registry/v1/skills/ada/{state}/reports");
            let said = json!({ "kind": "false-alarm", "reason": "it is fine" });
            let (others, owner) = (bob.post(&path, &said).await.status, ada.post(&path, &said).await.status);
            table += &format!("{state}: others {}, owner {}\n", others.as_u16(), owner.as_u16());
        }
        assert_snapshot!(table, @r"
        pending: others 404, owner 201
        visible: others 201, owner 201
        suspicious: others 201, owner 201
        yanked: others 201, owner 201
        withdrawn: others 201, owner 201
        quarantined: others 201, owner 201
        deleted: others 404, owner 201
        taken-down: others 201, owner 201
        ");
    }

    async fn stock_clients_report_by_the_contract(registry) {
        published(registry).await;
        let bob = registry.user("bob").await;
        let path = "/api/v1/skills/demo/report";
        let first = bob.post(path, &json!({ "reason": "odd", "version": "1.0.0", "ownerHandle": "@Ada" })).await;
        let mut told = first.json();
        assert!(told["reportId"].take().is_string() && told["skillId"].take().is_string());
        assert_eq!(told, json!({
            "ok": true, "reported": true, "alreadyReported": false, "reportId": null, "skillId": null, "reportCount": 1,
        }));
        let again = bob.post(path, &json!({ "reason": "odd" })).await.json();
        assert_eq!((&again["reported"], &again["alreadyReported"], &again["reportCount"]), (&json!(false), &json!(true), &json!(1)));
        for (body, status, words) in [
            (json!({ "reason": "odd", "ownerHandle": "nobody" }), 404, "Skill not found"),
            (json!({ "reason": "odd", "version": "x" }), 404, "Version not found"),
            (json!({ "reason": " " }), 422, "this takes a reason"),
        ] {
            let carol = bob.post(path, &body).await;
            assert_eq!((carol.status.as_u16(), carol.text()), (status, words));
        }
    }
}

#[tokio::test]
async fn a_report_without_a_reason_or_with_a_book_is_refused() {
    let registry = TestRegistry::on_sqlite().start().await;
    published(&registry).await;
    let bob = registry.user("bob").await;
    assert_eq!(code(&report(&bob, "other", " \n").await), (422, json!("reason-missing")));
    assert_eq!(code(&report(&bob, "other", &"a".repeat(501)).await), (422, json!("reason-long")));
    // As JSON writes it, a quotation mark has two bytes.
    assert_eq!(code(&report(&bob, "other", &"\"".repeat(251)).await), (422, json!("reason-long")));
    assert_eq!(code(&report(&bob, "rude", "because").await), (400, json!("body-unreadable")));
    assert_eq!(code(&report(&bob, "other", "a\0b").await), (400, json!("body-unreadable")));
    assert_eq!(count(&registry).await, 0);
    assert_eq!(report(&bob, "other", &"a".repeat(500)).await.status, 201);
}

#[tokio::test]
async fn a_release_that_is_not_there_is_not_reported() {
    let registry = TestRegistry::on_sqlite().start().await;
    published(&registry).await;
    let bob = registry.user("bob").await;
    let other = bob.post(REPORTS, &json!({ "reason": "odd", "version": "2.0.0" })).await;
    assert_eq!(code(&other), (404, json!("version-not-found")));
    let none = bob.post("/api/registry/v1/skills/ada/none/reports", &json!({ "reason": "odd" })).await;
    assert_eq!(code(&none), (404, json!("skill-not-found")));
}

/// Whoever only reads may report: it changes nothing that a reader sees.
#[tokio::test]
async fn a_token_that_reads_reports() {
    let registry = TestRegistry::on_sqlite().start().await;
    published(&registry).await;
    registry.add_user("bob").await;
    let bob = registry.token("bob", [Scope::Read]).await;
    let seen = registry.anonymous().get("/api/v1/skills/demo").await.body;
    assert_eq!(report(&bob, "other", "odd").await.status, 201);
    assert_eq!(registry.anonymous().get("/api/v1/skills/demo").await.body, seen);
}
