use serde_json::{Value, json};
use skill_core::state::ReleaseState;

use crate::support::states::{bring, put_into};
use crate::support::{Answer, Caller, Skill};

const STAR: &str = "/api/registry/v1/skills/ada/demo/star";

async fn give(caller: &Caller, path: &str) -> Answer {
    caller.put(path, &json!({})).await
}

on_both_engines! {
    async fn a_user_has_one_star_for_a_skill(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        Skill::new("demo").published(&ada).await;
        let mut shown = Vec::new();
        for answer in [
            give(&bob, STAR).await,
            give(&bob, STAR).await,
            give(&ada, STAR).await,
            bob.delete(STAR).await,
            bob.delete(STAR).await,
        ] {
            let body = answer.json();
            shown.push(format!("{} {} {}", answer.status.as_u16(), body["changed"], body["stars"]));
        }
        insta::assert_snapshot!(shown.join("\n"), @r"
        200 true 1
        200 false 1
        200 true 2
        200 true 1
        200 false 1
        ");
        let detail = registry.anonymous().get("/api/v1/skills/demo").await.json();
        assert_eq!(detail["skill"]["stats"]["stars"], 1);
        // Each change is in the audit log, and nothing else.
        let log = registry.admin().get("/api/registry/v1/audit?subject=ada/demo").await;
        let rows = log.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let rows: Vec<_> = rows.filter(|row| row["action"].as_str().unwrap().ends_with("star")).collect();
        let said: Vec<_> = rows.iter().map(|row| format!("{} {}", row["actor"], row["action"])).collect();
        assert_eq!(said, [r#""bob" "star""#, r#""ada" "star""#, r#""bob" "unstar""#]);
    }

    /// Contract 1.13.
    async fn stock_clients_star(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        for slug in ["demo", "other"] {
            Skill::new(slug).published(&ada).await;
        }
        let mut shown = Vec::new();
        for answer in [
            bob.post("/api/v1/stars/other?ownerHandle=ada", &json!({})).await,
            bob.post("/api/v1/stars/other", &json!({})).await,
            bob.delete("/api/v1/stars/other").await,
            bob.delete("/api/v1/stars/other?ownerHandle=ada").await,
            bob.post("/api/v1/stars/none", &json!({})).await,
            bob.post("/api/v1/stars/other?ownerHandle=bob", &json!({})).await,
            registry.anonymous().post("/api/v1/stars/other", &json!({})).await,
        ] {
            shown.push(format!("{} {}", answer.status.as_u16(), answer.text()));
        }
        insta::assert_snapshot!(shown.join("\n"), @r#"
        200 {"ok":true,"starred":true,"alreadyStarred":false}
        200 {"ok":true,"starred":true,"alreadyStarred":true}
        200 {"ok":true,"unstarred":true,"alreadyUnstarred":false}
        200 {"ok":true,"unstarred":true,"alreadyUnstarred":true}
        404 Skill not found
        404 Skill not found
        401 Unauthorized: missing token
        "#);
        give(&bob, STAR).await;
        registry.later(30);
        let listed = registry.anonymous().get("/api/v1/skills?sort=stars").await.json();
        assert_eq!(listed["items"][0]["slug"], "demo");
    }

    async fn what_nobody_knows_of_has_no_stars(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        put_into(registry, &ada, "wait", ReleaseState::Pending).await;
        put_into(registry, &ada, "demo", ReleaseState::Visible).await;
        let of = |slug: &str| STAR.replace("demo", slug);
        for slug in ["wait", "none"] {
            assert_eq!(give(&bob, &of(slug)).await.status, 404, "{slug}");
            assert_eq!(bob.delete(&of(slug)).await.status, 404, "{slug}");
        }
        assert_eq!(give(&ada, &of("wait")).await.status, 200);
        give(&bob, STAR).await;
        bring(registry, &ada, "demo", "1.0.0", ReleaseState::Deleted).await;
        // What was given is taken back wherever the skill is now.
        assert_eq!(bob.delete(STAR).await.json()["changed"], true);
        assert_eq!(bob.delete(STAR).await.status, 404);
        assert_eq!(give(&bob, STAR).await.status, 404);
    }

    async fn eight_at_once_are_one(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        Skill::new("demo").published(&ada).await;
        let all: Vec<_> = (0..8)
            .map(|_| {
                let bob = bob.clone();
                tokio::spawn(async move { give(&bob, STAR).await.json() })
            })
            .collect();
        let mut changed = 0;
        for one in all {
            let answer = one.await.unwrap();
            assert_eq!(answer["stars"], 1);
            changed += u32::from(answer["changed"] == true);
        }
        assert_eq!(changed, 1);
    }
}
