//! An owner advises against a skill.

use serde_json::{Value, json};
use skill_registry::store::head;

use super::{DEMO, two_versions};
use crate::support::{Caller, TestRegistry};

/// What the index says on each of its lines, and the page of the skill.
async fn told(anyone: &Caller) -> (Vec<Value>, Value, bool) {
    let index = anyone.get("/index/ada/demo").await;
    let lines = index.text().lines().filter(|line| !line.is_empty());
    let said = lines.map(|line| serde_json::from_str::<Value>(line).unwrap()["deprecated"].take()).collect();
    let detail = anyone.get("/api/v1/skills/demo").await.json()["deprecated"].take();
    let page = anyone.get("/ada/skills/demo").await.text().contains("should not be used any more");
    (said, detail, page)
}

async fn head_of(registry: &TestRegistry) -> head::Head {
    head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap()
}

on_both_engines! {
    async fn a_deprecation_is_told_everywhere_and_closes_nothing(registry) {
        let ada = two_versions(registry).await;
        let anyone = registry.anonymous();
        let path = format!("{DEMO}/deprecation");
        assert_eq!(told(&anyone).await, (vec![Value::Null, Value::Null], Value::Null, false));
        let before = head_of(registry).await;
        let answer = ada.put(&path, &json!({ "message": " use ada/demo2 " })).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "owner": "ada",
          "slug": "demo",
          "deprecated": "use ada/demo2"
        }
        "#);
        let says = json!("use ada/demo2");
        assert_eq!(told(&anyone).await, (vec![says.clone(), says.clone()], says, true));
        assert_eq!(anyone.get("/api/v1/download?slug=demo").await.status, 200);
        assert_eq!(anyone.get("/api/v1/search?q=demo").await.json()["results"][0]["slug"], "demo");
        // Nothing is signed, and said once more nothing is written.
        let after = head_of(registry).await;
        assert_eq!((after.event - before.event, after.leaf - before.leaf), (1, 0));
        assert_eq!(ada.put(&path, &json!({ "message": "use ada/demo2" })).await.status, 200);
        assert_eq!(head_of(registry).await, after);

        for _ in 0..2 {
            assert_eq!(ada.delete(&path).await.status, 204);
        }
        assert_eq!(told(&anyone).await, (vec![Value::Null, Value::Null], Value::Null, false));
        assert_eq!(head_of(registry).await.event, after.event + 1);
    }

    async fn what_is_refused(registry) {
        let ada = two_versions(registry).await;
        let path = format!("{DEMO}/deprecation");
        let mut shown = String::new();
        for body in [json!({}), json!({ "message": " " }), json!({ "message": "\u{200b}\u{3164}" }), json!({ "message": "x".repeat(501) }), json!({ "message": "x".repeat(70_000) }), json!({ "message": 1 })] {
            let problem = ada.put(&path, &body).await.json();
            shown += &format!("{} {} {}\n", problem["status"], problem["code"], problem["title"]);
        }
        ada.delete(DEMO).await;
        let problem = ada.put(&path, &json!({ "message": "use another" })).await.json();
        shown += &format!("{} {} {}\n", problem["status"], problem["code"], problem["title"]);
        insta::assert_snapshot!(shown, @r#"
        422 "message-missing" "a deprecation says what to do instead"
        422 "message-missing" "a deprecation says what to do instead"
        422 "message-missing" "a deprecation says what to do instead"
        422 "message-long" "the message has 501 bytes, at most 500 are kept"
        413 "body-long" "the body is longer than 65536 bytes"
        400 "body-unreadable" "the body is not the JSON that is expected: invalid type: integer `1`, expected a string at line 1 column 12"
        409 "skill-deleted" "ada/demo was deleted"
        "#);
    }
}
