use crate::support::Skill;

on_both_engines! {
    async fn highest_first_page_by_page_yanked_ones_marked(registry) {
        let ada = registry.user("ada").await;
        for version in ["1.0.0", "1.10.0", "1.9.0"] {
            Skill::new("demo").version(version).file("v.txt", version).meta("changelog", version).published(&ada).await;
        }
        let yank = "/api/registry/v1/skills/ada/demo/versions/1.9.0/yank";
        assert_eq!(ada.post(yank, &serde_json::json!({ "reason": "broken" })).await.status, 200);
        let anyone = registry.anonymous();
        let first = anyone.get("/api/v1/skills/demo/versions?limit=2").await;
        insta::assert_snapshot!(first.shown(), @"");
        let rest = anyone.get("/api/v1/skills/demo/versions?limit=2&cursor=1.9.0").await.json();
        assert_eq!(rest["items"][0]["version"], "1.0.0");
        assert_eq!(rest["nextCursor"], serde_json::Value::Null);
    }

    async fn one_version_in_full(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").script("run.sh", "#!/bin/sh\n").published(&ada).await;
        let answer = registry.anonymous().get("/api/v1/skills/demo/versions/1.0.0").await;
        insta::assert_snapshot!(answer.shown(), @"");
        let missing = registry.anonymous().get("/api/v1/skills/demo/versions/2.0.0").await;
        assert_eq!((missing.status.as_u16(), missing.text()), (404, "Version not found"));
    }
}
