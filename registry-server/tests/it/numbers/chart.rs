use super::{BOT, PERSON, download, once_counted};
use crate::support::{Skill, TestRegistry};
use crate::web::markup;
use crate::web::skill::words;

const DAY: u64 = 24 * 60 * 60;

#[tokio::test]
async fn the_page_draws_what_people_fetched() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").published(&ada).await;
    let client = registry.anonymous().at("192.0.2.1");
    download(&client.at("192.0.2.9"), "demo", BOT).await;
    once_counted(&registry, "demo", 1).await;
    let beside = |text: &str| {
        let from = text.find("Downloads").unwrap();
        text[from..from + text[from..].find("Stars").unwrap()].to_owned()
    };
    let page = registry.anonymous().get("/ada/skills/demo").await;
    insta::assert_snapshot!(beside(&words(&page)), @"DownloadsNone by people in 90 days.");
    assert_eq!(
        markup::read(page.text()).unwrap().elements.iter().filter(|e| e.get("class") == "chart").count(),
        0
    );

    download(&client, "demo", PERSON).await;
    once_counted(&registry, "demo", 2).await;
    registry.later(3 * DAY);
    for address in ["192.0.2.1", "192.0.2.2"] {
        download(&client.at(address), "demo", PERSON).await;
    }
    once_counted(&registry, "demo", 4).await;
    registry.later(30);
    let page = registry.anonymous().get("/ada/skills/demo").await;
    insta::assert_snapshot!(beside(&words(&page)), @r"
    Downloads3 downloads by people in 90 days
    As a tableDayDownloads
    3 December 20262
    30 November 20261
    ");
    let from = page.text().find("<svg class=\"chart\"").unwrap();
    let drawn = &page.text()[from..from + page.text()[from..].find("</svg>").unwrap()];
    insta::assert_snapshot!(drawn.replace("<rect", "\n<rect"), @r#"
    <svg class="chart" role="img" aria-label="Downloads a day for 90 days, at most 2 on 3 December 2026" viewBox="0 0 360 48" preserveAspectRatio="none">
    <rect x="344" y="24" width="3" height="24"/>
    <rect x="356" y="0" width="3" height="48"/>
    "#);
}
