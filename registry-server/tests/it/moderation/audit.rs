//! The audit log as administrators read it.

use serde_json::{Value, json};
use skill_core::digest::Sha256;
use skill_registry::auth::Scope;

use crate::support::{Answer, Skill, TestRegistry};

const AUDIT: &str = "/api/registry/v1/audit";

/// Two users, a skill, a yank a day later.
async fn some_changes(registry: &TestRegistry) {
    let ada = registry.user("ada").await;
    registry.user("bob").await;
    Skill::new("demo").version("1.0.0").published(&ada).await;
    Skill::new("demo-two").version("1.0.0").published(&ada).await;
    registry.later(24 * 60 * 60);
    let reason = json!({ "reason": "deletes \"files\" é" });
    ada.post("/api/registry/v1/skills/ada/demo/versions/1.0.0/yank", &reason).await;
}

fn lines(answer: &Answer) -> Vec<Value> {
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some("application/jsonl")));
    answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// `action subject` of each row.
fn told(answer: &Answer) -> Vec<String> {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    lines(answer).iter().map(|row| format!("{} {}", text(row, "action"), text(row, "subject"))).collect()
}

on_both_engines! {
    /// From the first row to the last, page by page, by the words of docs/API.md alone.
    async fn the_pages_follow_from_each_other(registry) {
        some_changes(registry).await;
        let admin = registry.admin();
        let (mut previous, mut seq, mut after) = ("0".repeat(64), 0, Some("0".to_owned()));
        while let Some(begin) = after {
            let page = admin.get(&format!("{AUDIT}?limit=3&after={begin}")).await;
            for line in page.text().lines() {
                let (json, sha256) = line.rsplit_once(",\"sha256\":").unwrap();
                previous = Sha256::of(format!("{previous}{json}}}")).to_hex();
                assert_eq!(sha256, format!("\"{previous}\"}}"));
                seq += 1;
                assert!(json.starts_with(&format!("{{\"seq\":{seq},")), "{json}");
            }
            after = page.header("x-next-after").map(str::to_owned);
            assert!(after.as_ref().is_none_or(|after| *after == seq.to_string()));
        }
        // The first start, two users with a token each, two releases, the yank.
        assert_eq!(seq, 9);
    }

    async fn rows_are_chosen_by_who_what_and_when(registry) {
        some_changes(registry).await;
        let admin = registry.admin();
        let all = told(&admin.get(AUDIT).await);
        let chosen = async |query: &str| told(&admin.get(&format!("{AUDIT}?{query}")).await);
        assert_eq!(chosen("actor=ada").await, ["publish ada/demo@1.0.0", "publish ada/demo-two@1.0.0", "yank ada/demo@1.0.0"]);
        assert_eq!(chosen("subject=ada/demo").await, ["publish ada/demo@1.0.0", "yank ada/demo@1.0.0"]);
        assert_eq!(chosen("subject=ada/demo-two%401.0.0").await, ["publish ada/demo-two@1.0.0"]);
        assert_eq!(chosen("action=user.add&actor=test").await, ["user.add ada", "user.add bob"]);
        assert_eq!(chosen("since=2026-12-01T12:00:00Z").await, ["yank ada/demo@1.0.0"]);
        assert_eq!(chosen("until=2026-12-01T12:00:00Z").await, all[..all.len() - 1]);
        assert_eq!(chosen("action=%27%20OR%201=1").await, [""; 0]);
        assert_eq!(chosen("limit=1&after=4").await, all[4..5]);
    }

    /// A token is shown once: nothing of the log is good for more than to name one.
    async fn no_secret_is_in_it(registry) {
        let ada = registry.user("ada").await;
        let admin = registry.admin();
        let log = admin.get(AUDIT).await;
        for token in [ada.token(), admin.token()] {
            assert!(!log.text().contains(token.reveal()));
            assert!(!log.text().contains(&Sha256::of(token.reveal()).to_hex()));
        }
    }
}

#[tokio::test]
async fn what_does_not_read_is_said() {
    let registry = TestRegistry::on_sqlite().start().await;
    for query in ["after=x", "after=-1", "since=yesterday", "until=2026-13-01T00:00:00Z"] {
        let answer = registry.admin().get(&format!("{AUDIT}?{query}")).await;
        assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (400, Some("usage")), "{query}");
    }
}

/// The scope alone does not do: the role counts as it is now.
#[tokio::test]
async fn an_administrator_who_is_none_any_more_reads_nothing() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let name =
        registry.admin().get("/api/registry/v1/whoami").await.json()["user"].as_str().unwrap().to_owned();
    let reader = registry.token(&name, [Scope::Read, Scope::Admin]).await;
    assert_eq!(reader.get(AUDIT).await.status, 200);
    let mut tx = registry.app.db().quiet().await.unwrap();
    sqlx::query("UPDATE users SET role = 'moderator'").execute(tx.conn()).await.unwrap();
    sqlx::query("UPDATE users SET role = 'admin' WHERE name = 'ada'").execute(tx.conn()).await.unwrap();
    tx.commit().await.unwrap();
    let answer = reader.get(AUDIT).await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (403, Some("site-role-missing")));
}
