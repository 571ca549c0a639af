use serde_json::json;
use skill_core::state::ReleaseState;

use super::{BOT, MIRROR, PERSON, download, once_counted};
use crate::support::Skill;
use crate::support::states::put_into;

const DAY: u64 = 24 * 60 * 60;

on_both_engines! {
    async fn every_day_is_there_once(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let client = registry.anonymous().at("192.0.2.1");
        download(&client, "demo", PERSON).await;
        download(&client.at("192.0.2.2"), "demo", BOT).await;
        once_counted(registry, "demo", 2).await;
        registry.later(2 * DAY);
        // Another release is another download; of both the days are those of the skill.
        Skill::new("demo").version("1.1.0").file("a.txt", "a").published(&ada).await;
        download(&client, "demo", PERSON).await;
        download(&client.at("192.0.2.3"), "demo", MIRROR).await;
        once_counted(registry, "demo", 4).await;
        let answer = registry.anonymous().get("/api/registry/v1/skills/ada/demo/downloads?days=4").await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "owner": "ada",
          "slug": "demo",
          "days": [
            {
              "day": "2026-11-29",
              "people": 0,
              "bots": 0,
              "mirrors": 0
            },
            {
              "day": "2026-11-30",
              "people": 1,
              "bots": 1,
              "mirrors": 0
            },
            {
              "day": "2026-12-01",
              "people": 0,
              "bots": 0,
              "mirrors": 0
            },
            {
              "day": "2026-12-02",
              "people": 1,
              "bots": 0,
              "mirrors": 1
            }
          ]
        }
        "#);
        let all = registry.anonymous().get("/api/registry/v1/skills/ada/demo/downloads").await.json();
        assert_eq!(all["days"].as_array().unwrap().len(), 90);
        assert_eq!(all["days"][89], json!({"day": "2026-12-02", "people": 1, "bots": 0, "mirrors": 1}));
        let today = registry.anonymous().get("/api/registry/v1/skills/ada/demo/downloads?days=1").await.json();
        assert_eq!(today["days"], json!([all["days"][89]]));
    }

    async fn what_cannot_be_asked(registry) {
        let ada = registry.user("ada").await;
        put_into(registry, &ada, "wait", ReleaseState::Pending).await;
        put_into(registry, &ada, "gone", ReleaseState::Deleted).await;
        put_into(registry, &ada, "held", ReleaseState::Quarantined).await;
        let mut shown = String::new();
        for path in ["ada/none", "ada/wait", "ada/gone", "ada/held", "ada/held/x", "ada/held?days=0", "ada/held?days=367", "ada/held?days=x"] {
            let path = path.split_once('?').map_or(format!("{path}/downloads"), |(name, query)| format!("{name}/downloads?{query}"));
            let answer = registry.anonymous().get(&format!("/api/registry/v1/skills/{path}")).await;
            let code = answer.json()["code"].as_str().unwrap_or("-").to_owned();
            shown += &format!("{path}: {} {code}\n", answer.status.as_u16());
        }
        insta::assert_snapshot!(shown, @r"
        ada/none/downloads: 404 skill-not-found
        ada/wait/downloads: 404 skill-not-found
        ada/gone/downloads: 404 skill-not-found
        ada/held/downloads: 200 -
        ada/held/x/downloads: 404 route-not-found
        ada/held/downloads?days=0: 400 usage
        ada/held/downloads?days=367: 400 usage
        ada/held/downloads?days=x: 400 usage
        ");
    }
}
