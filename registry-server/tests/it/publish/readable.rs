//! What is published can be read back at once, as it was.

use crate::support::Skill;

on_both_engines! {
    /// Bug report 85.
    async fn the_detail_and_the_exact_search_show_it_at_once(registry) {
        let ada = registry.user("ada").await;
        for slug in ["one", "two", "three"] {
            let published = Skill::new(slug).published(&ada).await;
            assert_eq!(published["status"], "visible");
            let detail = registry.anonymous().get(&format!("/api/v1/skills/{slug}")).await;
            assert_eq!(detail.status, 200);
            let found = registry.anonymous().get(&format!("/api/v1/search?q={slug}")).await.json();
            assert_eq!(found["results"][0]["slug"], slug);
        }
    }

    /// The index of search follows on its own; a publish answers when it has.
    async fn the_full_text_search_shows_it_at_once(registry) {
        let ada = registry.user("ada").await;
        for (slug, word) in [("one", "quokka"), ("two", "wombat"), ("three", "numbat")] {
            let text = format!("---\nname: {slug}\ndescription: b\n---\n\nAll about the {word}.\n");
            Skill::new(slug).file("SKILL.md", text).published(&ada).await;
            let found = registry.anonymous().get(&format!("/api/v1/search?q={word}")).await.json();
            assert_eq!(found["results"][0]["slug"], slug, "{found}");
        }
    }

    /// Bug report 12: requirements reach the record, and scan and detail read the same one.
    async fn requirements_are_in_the_record(registry) {
        let ada = registry.user("ada").await;
        let text = "---\nname: a\ndescription: b\nmetadata:\n  openclaw:\n    requires:\n      env: [A_KEY]\n      bins: [gh]\n    os: [linux]\n---\n";
        Skill::new("a").file("SKILL.md", text).published(&ada).await;
        let detail = registry.anonymous().get("/api/v1/skills/a").await.json();
        assert_eq!(detail["requirements"]["env"], serde_json::json!(["A_KEY"]));
        assert_eq!(detail["requirements"]["bins"], serde_json::json!(["gh"]));
        assert_eq!(detail["metadata"]["setup"], serde_json::json!([{ "key": "A_KEY", "required": true }]));
        assert_eq!(detail["metadata"]["os"], serde_json::json!(["linux"]));
    }

    /// Bug report 89: there is no list of file types.
    async fn every_kind_of_file_is_kept(registry) {
        let ada = registry.user("ada").await;
        Skill::new("a")
            .file("Dockerfile", "FROM scratch\n")
            .file("deploy.tmpl", "x")
            .file(".clawhubignore", "y")
            .file("bin/tool", [0u8, 159, 146, 150])
            .script("run.sh", "#!/bin/sh\n")
            .published(&ada)
            .await;
        let version = registry.anonymous().get("/api/v1/skills/a/versions/1.0.0").await.json();
        let files: Vec<_> = version["version"]["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| format!("{} {} {}", file["path"], file["contentType"], file["executable"]))
            .collect();
        insta::assert_snapshot!(files.join("\n"), @r#"
        ".clawhubignore" "application/octet-stream" false
        "Dockerfile" "text/plain" false
        "SKILL.md" "text/markdown" false
        "bin/tool" "application/octet-stream" false
        "deploy.tmpl" "text/plain" false
        "run.sh" "application/x-sh" true
        "#);
        let file = registry.anonymous().get("/api/v1/skills/a/file?path=bin/tool").await;
        assert_eq!(&file.body[..], [0u8, 159, 146, 150]);
    }
}
