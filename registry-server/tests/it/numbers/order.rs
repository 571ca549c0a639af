use super::{BOT, PERSON, download, once_counted};
use crate::support::{Skill, TestRegistry};

const DAY: u64 = 24 * 60 * 60;

/// `old` was much used eight days ago, `week` seven days ago, `used` is today by two people, `seen` by many programs.
async fn fill(registry: &TestRegistry) {
    let ada = registry.user("ada").await;
    for slug in ["old", "seen", "used", "week", "b-same", "a-same"] {
        Skill::new(slug).published(&ada).await;
    }
    let at = |n: usize| registry.anonymous().at(&format!("192.0.2.{n}"));
    let many = async |slug: &str, agent: &str, count: usize| {
        for n in 0..count {
            assert_eq!(download(&at(n), slug, agent).await, 200);
        }
        once_counted(registry, slug, count as u64).await;
    };
    many("old", PERSON, 5).await;
    registry.later(DAY);
    many("week", PERSON, 1).await;
    registry.later(6 * DAY);
    many("seen", BOT, 9).await;
    many("used", PERSON, 2).await;
}

on_both_engines! {
    async fn trending_is_what_people_fetched_in_seven_days(registry) {
        fill(registry).await;
        let list = async |sort: &str| {
            let page = registry.anonymous().get(&format!("/api/v1/skills?sort={sort}")).await.json();
            let items = page["items"].as_array().unwrap().clone();
            let one = |item: &serde_json::Value| format!("{} {}", item["slug"].as_str().unwrap(), item["stats"]["downloads"]);
            items.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        // Of equals by name.
        assert_eq!(list("trending").await, "used 2, week 1, a-same 0, b-same 0, old 5, seen 0");
        assert!(list("downloads").await.starts_with("old 5, used 2, week 1, "));
    }

    async fn pages_list_what_is_used_most(registry) {
        fill(registry).await;
        let names = async |path: &str| {
            let answer = registry.anonymous().get(path).await;
            let page = crate::web::markup::read(answer.text()).unwrap();
            let links = page.all("a").map(|link| link.get("href").to_owned());
            links.filter_map(|href| Some(href.strip_prefix("/ada/skills/")?.to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(names("/skills?sort=used").await, ["old", "used", "week", "a-same", "b-same", "seen"]);
        // Behind what is new; what nobody used is not used most.
        assert!(names("/").await.ends_with(&["old".to_owned(), "used".to_owned(), "week".to_owned()]));
        registry.later(83 * DAY);
        assert_eq!(names("/skills?sort=used").await[..2], ["used", "week"]);
        let home = registry.anonymous().get("/").await;
        assert!(home.text().contains("<a href=\"/skills?sort=used\">"));
    }
}
