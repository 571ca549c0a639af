//! What is acknowledged is served: the signed facts about a release fit into its trust envelope, or the release is
//! refused.

use serde_json::json;

use crate::support::Skill;

/// A skill that requires so many others.
fn requiring(slug: &str, count: usize) -> Skill {
    let mut text = format!("---\nname: {slug}\ndescription: Needs others\nrequires:\n  skills:\n");
    for number in 0..count {
        text += &format!("    someone/needed-{number}: ^1.2.3\n");
    }
    Skill::new(slug).file("SKILL.md", text + "---\n\nDo it.\n")
}

on_both_engines! {
    async fn requirements_that_do_not_fit_are_refused(registry) {
        let ada = registry.user("ada").await;
        let refused = requiring("demo", 100).publish(&ada).await;
        let problem = refused.json();
        assert_eq!((refused.status.as_u16(), problem["code"].as_str()), (422, Some("envelope-large")));
        assert_eq!(problem["limit"], 4096);
        assert_eq!(registry.anonymous().get("/api/v1/skills/demo").await.status, 404);
        assert_eq!(requiring("demo", 20).published(&ada).await["version"], "1.0.0");
        assert_eq!(registry.anonymous().get("/api/v1/skills/demo/versions/1.0.0/envelope").await.status, 200);
    }

    /// The longest names, as many requirements as are taken, and the longest reason.
    async fn whatever_was_taken_is_served_also_when_it_is_yanked(registry) {
        let owner = "o".repeat(40);
        let slug = "s".repeat(96);
        let ada = registry.user(&owner).await;
        let version = format!("1.0.0-{}", "a".repeat(122));
        let most = (0..100).rev().step_by(5);
        let mut taken = None;
        for count in most {
            let answer = requiring(&slug, count).version(&version).publish(&ada).await;
            if answer.status == 201 {
                taken = Some(count);
                break;
            }
            assert_eq!(answer.json()["code"], "envelope-large", "{count}");
        }
        assert!(taken.is_some());
        let yank = format!("/api/registry/v1/skills/{owner}/{slug}/versions/{version}/yank");
        let answer = ada.post(&yank, &json!({ "reason": "\u{1}".repeat(83) })).await;
        assert_eq!(answer.status, 200, "{}", answer.shown());
        let path = format!("/api/v1/skills/{slug}/versions/{version}/envelope");
        let envelope = registry.anonymous().get(&path).await;
        assert_eq!(envelope.status, 200, "{}", envelope.shown());
    }

    async fn a_source_commit_is_a_commit(registry) {
        let ada = registry.user("ada").await;
        for commit in ["main", "", "5F2C9AB04D115F2C9AB04D115F2C9AB04D115F2C", &"a".repeat(10_000)] {
            let answer = Skill::new("demo").meta("sourceCommit", commit).publish(&ada).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (400, Some("form-unreadable")));
        }
        for (version, digits) in [("1.0.0", 40), ("1.0.1", 64)] {
            let skill = Skill::new("demo").version(version).meta("sourceCommit", "a".repeat(digits));
            skill.published(&ada).await;
        }
    }
}
