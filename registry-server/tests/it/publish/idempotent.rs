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

    async fn without_a_number_nothing_happens_while_latest_has_that_content(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let again = Skill::new("demo").publish(&ada).await.json();
        assert_eq!((again["version"].as_str(), again["unchanged"].as_bool()), (Some("1.0.0"), Some(true)));
    }
}
