//! The same again.

use skill_registry::store::head;

use crate::support::Skill;

on_both_engines! {
    async fn the_same_content_under_the_same_number_is_answered_as_the_first_time(registry) {
        let ada = registry.user("ada").await;
        let skill = Skill::new("demo").version("1.2.0");
        let mut first = skill.published(&ada).await;
        let before = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        registry.later(60);
        let again = skill.publish(&ada).await;
        assert_eq!(again.status, 200);
        first["unchanged"] = true.into();
        assert_eq!(again.json(), first);
        let after = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        assert_eq!(after, before, "nothing was written");
    }

    /// The answer to a publish was lost, and it is sent again: no number is used for it, also where a part was to go
    /// up, and also where the release was closed and is not `latest`.
    async fn the_newest_release_sent_again_uses_no_number(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let major = Skill::new("demo").meta("bump", "major").file("a.txt", "a").tag("next");
        let mut first = major.published(&ada).await;
        let before = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        let again = major.publish(&ada).await;
        assert_eq!((again.status.as_u16(), first["version"].as_str()), (200, Some("2.0.0")));
        first["unchanged"] = true.into();
        assert_eq!(again.json(), first);
        let hidden = crate::publish::malicious::hidden("demo");
        let closed = hidden.publish(&ada).await.json();
        let again = hidden.publish(&ada).await.json();
        assert_eq!((&again["version"], &again["status"]), (&closed["version"], &closed["status"]));
        assert_eq!(again["unchanged"], true);
        let after = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        assert_eq!(after.event, before.event + 1, "only the closed release was written");
    }

    async fn what_its_owner_took_back_is_a_release_again(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let yank = "/api/registry/v1/skills/ada/demo/versions/1.0.0/yank";
        assert_eq!(ada.post(yank, &serde_json::json!({})).await.status, 200);
        assert_eq!(Skill::new("demo").published(&ada).await["version"], "1.0.1");
    }

    async fn without_a_number_nothing_happens_while_latest_has_that_content(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let again = Skill::new("demo").publish(&ada).await.json();
        assert_eq!((again["version"].as_str(), again["unchanged"].as_bool()), (Some("1.0.0"), Some(true)));
    }
}
