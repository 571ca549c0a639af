//! U+0000, which only one of the engines can keep, is refused by both, and never as an error of the server.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use crate::support::Skill;

on_both_engines! {
    async fn no_text_holds_it(registry) {
        let ada = registry.user("ada").await;
        let mut shown = String::new();
        for (key, value) in [("changelog", json!("a\0b")), ("sourceCommit", json!("a\0b")), ("tags", json!(["a\0"]))] {
            let answer = Skill::new("demo").meta(key, value).publish(&ada).await;
            shown += &format!("{key}: {} {}\n", answer.status.as_u16(), answer.json()["code"]);
        }
        for field in ["name: \"a\\0b\"\ndescription: d", "name: demo\ndescription: \"a\\0b\"",
            "name: demo\ndescription: d\nhomepage: \"https://a\\0b\"", "name: demo\ndescription: a\0b",
            "name: demo\ndescription: d\nother:\n  deep: [\"a\\0b\"]"] {
            let text = format!("---\n{field}\n---\n\nDo it.\n");
            let answer = Skill::new("demo").file("SKILL.md", text).publish(&ada).await;
            shown += &format!("{field:?}: {} {}\n", answer.status.as_u16(), answer.json()["code"]);
        }
        Skill::new("demo").file("a.txt", "a\0b").published(&ada).await;
        let yank = "/api/registry/v1/skills/ada/demo/versions/1.0.0/yank";
        let answer = ada.post(yank, &json!({ "reason": "a\0b" })).await;
        shown += &format!("reason: {} {}\n", answer.status.as_u16(), answer.json()["code"]);
        let cursor = URL_SAFE_NO_PAD.encode(r#"{"Rank":[1,"a\u0000b"]}"#);
        for path in [
            format!("/api/v1/skills?cursor={cursor}"),
            "/api/v1/skills?prefix=a%00b".to_owned(),
            "/api/v1/skills/demo/file?path=SKILL.md%00".to_owned(),
            "/api/v1/search?q=a%00b".to_owned(),
            "/api/v1/skills/de%00mo".to_owned(),
            "/index/ada/de%00mo".to_owned(),
        ] {
            let answer = registry.anonymous().get(&path).await;
            shown += &format!("{path}: {}\n", answer.status.as_u16());
        }
        insta::assert_snapshot!(shown, @r#"
        changelog: 400 "form-unreadable"
        sourceCommit: 400 "form-unreadable"
        tags: 400 "form-unreadable"
        "name: \"a\\0b\"\ndescription: d": 422 "frontmatter-unreadable"
        "name: demo\ndescription: \"a\\0b\"": 422 "frontmatter-unreadable"
        "name: demo\ndescription: d\nhomepage: \"https://a\\0b\"": 422 "frontmatter-unreadable"
        "name: demo\ndescription: a\0b": 422 "frontmatter-unreadable"
        "name: demo\ndescription: d\nother:\n  deep: [\"a\\0b\"]": 422 "frontmatter-unreadable"
        reason: 400 "body-unreadable"
        /api/v1/skills?cursor=eyJSYW5rIjpbMSwiYVx1MDAwMGIiXX0: 400
        /api/v1/skills?prefix=a%00b: 400
        /api/v1/skills/demo/file?path=SKILL.md%00: 400
        /api/v1/search?q=a%00b: 400
        /api/v1/skills/de%00mo: 400
        /index/ada/de%00mo: 400
        "#);
    }
}
