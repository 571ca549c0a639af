use skill_core::state::ReleaseState;

use super::{PERSON, download, once_counted};
use crate::support::states::put_into;
use crate::support::{Skill, TestRegistry};

/// The words of a badge, and the colour of the second.
fn words(svg: &str) -> String {
    let between = |from: &str, to: &str| {
        let at = svg.rfind(from).unwrap() + from.len();
        svg[at..].split(to).next().unwrap().to_owned()
    };
    format!("{} {}", between("<title>", "</title>"), between("<rect ", "/>").split("fill=").nth(1).unwrap())
}

#[tokio::test]
async fn what_a_badge_says() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").version("3.4.1").published(&ada).await;
    for state in
        [ReleaseState::Suspicious, ReleaseState::Yanked, ReleaseState::Quarantined, ReleaseState::Pending]
    {
        put_into(&registry, &ada, &state.to_string(), state).await;
    }
    download(&registry.anonymous().at("192.0.2.1"), "demo", PERSON).await;
    once_counted(&registry, "demo", 1).await;
    let mut shown = String::new();
    for path in [
        "demo/badge.svg",
        "demo/badge.svg?show=version",
        "demo/badge.svg?show=verdict",
        "demo/badge.svg?show=downloads",
        "suspicious/badge.svg?show=verdict",
        "yanked/badge.svg?show=verdict",
        "quarantined/badge.svg?show=verdict",
        "pending/badge.svg",
        "none/badge.svg",
        "demo/badge.svg?show=stars",
    ] {
        let answer = registry.anonymous().get(&format!("/ada/skills/{path}")).await;
        assert_eq!(answer.header("content-type"), Some("image/svg+xml"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("max-age=300"), "{path}");
        // Other pages show it, and nothing else of this registry.
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("cross-origin"), "{path}");
        shown += &format!("{path}: {} {}\n", answer.status.as_u16(), words(answer.text()));
    }
    insta::assert_snapshot!(shown, @r##"
    demo/badge.svg: 200 skill: 3.4.1 "#17528f"
    demo/badge.svg?show=version: 200 skill: 3.4.1 "#17528f"
    demo/badge.svg?show=verdict: 200 verdict: clean "#14603a"
    demo/badge.svg?show=downloads: 200 downloads: 1 in 90 days "#17528f"
    suspicious/badge.svg?show=verdict: 200 verdict: suspicious "#744600"
    yanked/badge.svg?show=verdict: 404 skill: not found "#545c57"
    quarantined/badge.svg?show=verdict: 404 skill: not found "#545c57"
    pending/badge.svg: 404 skill: not found "#545c57"
    none/badge.svg: 404 skill: not found "#545c57"
    demo/badge.svg?show=stars: 404 skill: not found "#545c57"
    "##);
    let page = registry.anonymous().get("/ada/skills/demo").await;
    assert_eq!(page.header("cross-origin-resource-policy"), Some("same-origin"));
}

#[tokio::test]
async fn a_badge_in_full() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").version("3.4.1").published(&ada).await;
    let answer = registry.anonymous().get("/ada/skills/demo/badge.svg").await;
    insta::assert_snapshot!(answer.text(), @r##"
    <svg xmlns="http://www.w3.org/2000/svg" width="90" height="20" role="img" aria-label="skill: 3.4.1">
    <title>skill: 3.4.1</title>
    <rect x="0" width="45" height="20" fill="#1a1e1c"/>
    <rect x="45" width="45" height="20" fill="#17528f"/>
    <text x="5" y="14" textLength="35" lengthAdjust="spacingAndGlyphs" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">skill</text>
    <text x="50" y="14" textLength="35" lengthAdjust="spacingAndGlyphs" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">3.4.1</text>
    </svg>
    "##);
}
