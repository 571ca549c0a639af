//! Which number a release gets.

use crate::support::Skill;

on_both_engines! {
    async fn the_first_then_the_next_patch_then_a_bump(registry) {
        let ada = registry.user("ada").await;
        let mut numbers = Vec::new();
        for (content, bump) in [("a", None), ("b", None), ("c", Some("minor")), ("d", Some("major"))] {
            let skill = Skill::new("demo").file("a.txt", content);
            let skill = match bump {
                Some(bump) => skill.meta("bump", bump),
                None => skill,
            };
            numbers.push(skill.published(&ada).await["version"].as_str().unwrap().to_owned());
        }
        assert_eq!(numbers, ["1.0.0", "1.0.1", "1.1.0", "2.0.0"]);
    }

    async fn numbers_end(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("1.0.18446744073709551615").published(&ada).await;
        let other = Skill::new("demo").file("a.txt", "a");
        let answer = other.publish(&ada).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:version-exhausted",
          "status": 409,
          "code": "version-exhausted",
          "title": "no number comes after 1.0.18446744073709551615 that way",
          "version": "1.0.18446744073709551615",
          "requestId": "test"
        }
        "#);
        let taken = other.clone().version("1.0.18446744073709551615").publish(&ada).await.json();
        assert_eq!((taken["code"].as_str(), &taken["next"]), (Some("version-taken"), &serde_json::Value::Null));
        assert_eq!(other.meta("bump", "minor").published(&ada).await["version"], "1.1.0");
    }

    async fn a_used_number_with_other_files_names_the_next(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("3.4.1").published(&ada).await;
        Skill::new("demo").version("3.4.2").file("a.txt", "a").published(&ada).await;
        let answer = Skill::new("demo").version("3.4.1").file("a.txt", "b").publish(&ada).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:version-taken",
          "status": 409,
          "code": "version-taken",
          "title": "version 3.4.1 exists with other files",
          "version": "3.4.1",
          "next": "3.4.3",
          "requestId": "test"
        }
        "#);
    }
}
