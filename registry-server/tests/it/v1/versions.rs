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
        insta::assert_snapshot!(first.shown(), @r#"
        200 application/json
        {
          "items": [
            {
              "version": "1.10.0",
              "createdAt": 1796040000000,
              "changelog": "1.10.0",
              "changelogSource": "user",
              "state": "visible",
              "verdict": "clean"
            },
            {
              "version": "1.9.0",
              "createdAt": 1796040000000,
              "changelog": "1.9.0",
              "changelogSource": "user",
              "state": "yanked",
              "verdict": "clean"
            }
          ],
          "nextCursor": "1.9.0"
        }
        "#);
        let rest = anyone.get("/api/v1/skills/demo/versions?limit=2&cursor=1.9.0").await.json();
        assert_eq!(rest["items"][0]["version"], "1.0.0");
        assert_eq!(rest["nextCursor"], serde_json::Value::Null);
    }

    async fn one_version_in_full(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").script("run.sh", "#!/bin/sh\n").published(&ada).await;
        let answer = registry.anonymous().get("/api/v1/skills/demo/versions/1.0.0").await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "skill": {
            "slug": "demo",
            "displayName": "demo"
          },
          "version": {
            "version": "1.0.0",
            "createdAt": 1796040000000,
            "changelog": "",
            "changelogSource": null,
            "state": "visible",
            "verdict": "clean",
            "files": [
              {
                "path": "SKILL.md",
                "size": 63,
                "sha256": "0a2a71a2648de49cd75d9569094cfc377990e08bfc5113ffa9bded7fadd62fc4",
                "contentType": "text/markdown",
                "executable": false
              },
              {
                "path": "run.sh",
                "size": 10,
                "sha256": "a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf",
                "contentType": "application/x-sh",
                "executable": true
              }
            ],
            "security": {
              "status": "clean",
              "hasWarnings": false,
              "checkedAt": 1796040000000,
              "model": null,
              "hasScanResult": true,
              "sha256hash": "6b14eeacbc739e7c93457df4d76ed71f72b3036be6e9cc035c476aa87d172f54",
              "virustotalUrl": null,
              "scanners": {
                "vt": null,
                "skillspector": null,
                "llm": null
              }
            }
          }
        }
        "#);
        let missing = registry.anonymous().get("/api/v1/skills/demo/versions/2.0.0").await;
        assert_eq!((missing.status.as_u16(), missing.text()), (404, "Version not found"));
    }
}
