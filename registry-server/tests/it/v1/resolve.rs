use skill_bundle::clawhub_fingerprint;
use skill_core::digest::Sha256;

use crate::support::Skill;

on_both_engines! {
    async fn a_folder_is_found_by_its_fingerprint(registry) {
        let ada = registry.user("ada").await;
        let text = "---\nname: demo\ndescription: d\n---\n";
        Skill::new("demo").file("SKILL.md", text).file(".hidden", "h").published(&ada).await;
        Skill::new("demo").file("SKILL.md", text).file("a.txt", "a").published(&ada).await;
        let anyone = registry.anonymous();
        let uploaded = clawhub_fingerprint([("SKILL.md", Sha256::of(text))]);
        let stored = clawhub_fingerprint([("SKILL.md", Sha256::of(text)), (".hidden", Sha256::of("h"))]);
        let found = anyone.get(&format!("/api/v1/resolve?hash={uploaded}&slug=demo")).await;
        let by_stored = anyone.get(&format!("/api/v1/resolve?slug=demo&hash={stored}")).await;
        assert_eq!(found.body, by_stored.body);
        insta::assert_snapshot!(found.shown(), @r#"
        200 application/json
        {
          "slug": "demo",
          "match": {
            "version": "1.0.0"
          },
          "latestVersion": {
            "version": "1.0.1"
          }
        }
        "#);
        let other = anyone.get(&format!("/api/v1/resolve?slug=demo&hash={}", "0".repeat(64))).await;
        insta::assert_snapshot!(other.shown(), @r#"
        200 application/json
        {
          "slug": "demo",
          "match": null,
          "latestVersion": {
            "version": "1.0.1"
          }
        }
        "#);
    }

    /// Clients look for these words to learn that a skill is new.
    async fn what_is_not_found_and_what_is_not_asked(registry) {
        let mut shown = String::new();
        for query in [
            format!("slug=new&hash={}", "0".repeat(64)),
            "slug=new&hash=xyz".to_owned(),
            "slug=new".to_owned(),
            String::new(),
        ] {
            let answer = registry.anonymous().get(&format!("/api/v1/resolve?{query}")).await;
            shown += &format!("{query}: {} {}\n", answer.status.as_u16(), answer.text());
        }
        insta::assert_snapshot!(shown, @r"
        slug=new&hash=0000000000000000000000000000000000000000000000000000000000000000: 404 Skill not found
        slug=new&hash=xyz: 400 Invalid hash
        slug=new: 400 Missing slug or hash
        : 400 Missing slug or hash
        ");
    }
}
