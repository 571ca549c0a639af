//! Several at once: constraints decide, and the loser is told plainly.

use futures_util::future::join_all;

use crate::support::Skill;

on_both_engines! {
    async fn two_owners_take_one_bare_slug(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        let (one, other) = (Skill::new("demo"), Skill::new("demo").file("b.txt", "b"));
        let (one, other) = tokio::join!(one.publish(&ada), other.publish(&bob));
        assert_eq!((one.status.as_u16(), other.status.as_u16()), (201, 201), "{} {}", one.shown(), other.shown());
        let bare = registry.anonymous().get("/api/v1/skills/demo").await;
        assert_eq!(bare.status, 200);
    }

    async fn two_publishes_of_one_number(registry) {
        let ada = registry.user("ada").await;
        let skills: Vec<Skill> =
            (0..4).map(|n| Skill::new("demo").version("1.0.0").file("n.txt", n.to_string())).collect();
        let answers = join_all(skills.iter().map(|skill| skill.publish(&ada))).await;
        let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409, 409, 409]);
        let refused = answers.iter().find(|answer| answer.status == 409).unwrap().json();
        assert_eq!((refused["code"].as_str(), refused["next"].as_str()), (Some("version-taken"), Some("1.0.1")));
    }

    async fn the_same_content_sent_twice_is_stored_once(registry) {
        let ada = registry.user("ada").await;
        let skill = Skill::new("demo").version("1.0.0");
        let answers = join_all((0..4).map(|_| skill.publish(&ada))).await;
        let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 200, 201]);
    }

    async fn numbers_that_follow_by_themselves_are_all_different(registry) {
        let ada = registry.user("ada").await;
        let skills: Vec<Skill> =
            (0..6).map(|n| Skill::new("demo").file("n.txt", n.to_string())).collect();
        let answers = join_all(skills.iter().map(|skill| skill.published(&ada))).await;
        let mut numbers: Vec<_> = answers.iter().map(|a| a["version"].as_str().unwrap().to_owned()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, ["1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4", "1.0.5"]);
    }
}
