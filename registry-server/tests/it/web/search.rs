//! Finding: search with its marks and ways on, browsing with its filters, publishers.

use skill_core::state::ReleaseState;

use super::markup;
use crate::support::states::put_into;
use crate::support::{Answer, Skill, TestRegistry};

/// The skills that a page lists, in its order.
fn listed(answer: &Answer) -> Vec<String> {
    let page = markup::read(answer.text()).unwrap();
    let links = page.all("a").map(|link| link.get("href"));
    let skills = links.filter_map(|href| href.strip_prefix('/')?.split_once("/skills/"));
    skills.filter(|(_, slug)| !slug.contains('/')).map(|(owner, slug)| format!("{owner}/{slug}")).collect()
}

async fn library() -> TestRegistry {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let bob = registry.user("bob").await;
    let text = |extra: &str| format!("---\nname: x\ndescription: Reads tides\n{extra}---\n\nText.\n");
    Skill::new("alpha").file("SKILL.md", text("os: [linux]\n")).published(&ada).await;
    registry.later(60);
    Skill::new("beta")
        .file("SKILL.md", text("os: [macos]\nrequires: {env: [TIDE_KEY]}\n"))
        .published(&bob)
        .await;
    registry.later(60);
    put_into(&registry, &ada, "gamma", ReleaseState::Suspicious).await;
    registry.later(60);
    put_into(&registry, &ada, "delta", ReleaseState::Quarantined).await;
    registry
}

#[tokio::test]
async fn browsing_sorts_and_filters() {
    let registry = library().await;
    let mut shown = String::new();
    for query in [
        "",
        "?sort=newest",
        "?sort=name",
        "?os=linux",
        "?os=windows",
        "?secrets=none",
        "?verdict=suspicious",
        "?verdict=clean&sort=name",
        "?owner=bob",
        "?owner=@Ada&verdict=clean",
        "?owner=no.body",
        "?owner=nobody",
        "?sort=nonsense",
    ] {
        let answer = registry.anonymous().get(&format!("/skills{query}")).await;
        assert_eq!(answer.status, 200);
        shown += &format!("{query}: {}\n", listed(&answer).join(" "));
    }
    insta::assert_snapshot!(shown, @r"
    : ada/gamma bob/beta ada/alpha
    ?sort=newest: ada/gamma bob/beta ada/alpha
    ?sort=name: ada/alpha bob/beta ada/gamma
    ?os=linux: ada/gamma ada/alpha
    ?os=windows: ada/gamma
    ?secrets=none: ada/gamma ada/alpha
    ?verdict=suspicious: ada/gamma
    ?verdict=clean&sort=name: ada/alpha bob/beta
    ?owner=bob: bob/beta
    ?owner=@Ada&verdict=clean: ada/alpha
    ?owner=no.body: 
    ?owner=nobody: 
    ?sort=nonsense: 
    ");
}

#[tokio::test]
async fn filters_in_force_are_links_that_end_them() {
    let registry = library().await;
    let answer = registry.anonymous().get("/skills?sort=name&os=linux&secrets=none").await;
    let page = markup::read(answer.text()).unwrap();
    let ends: Vec<_> =
        page.all("a").filter(|link| link.get("class") == "tag").map(|link| link.get("href")).collect();
    assert_eq!(ends, ["/skills?sort=name&amp;secrets=none", "/skills?sort=name&amp;os=linux"]);
}

#[tokio::test]
async fn a_long_list_has_pages() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    for number in 0..30 {
        Skill::new(&format!("skill-{number:02}")).published(&ada).await;
    }
    let anyone = registry.anonymous();
    let first = anyone.get("/skills?sort=name").await;
    let second = anyone.get("/skills?sort=name&page=2").await;
    assert_eq!([listed(&first).len(), listed(&second).len()], [24, 6]);
    assert_eq!(listed(&second)[0], "ada/skill-24");
    let page = markup::read(first.text()).unwrap();
    let next = page.all("a").find(|link| link.get("rel") == "next").unwrap().get("href");
    assert_eq!(next, "/skills?sort=name&amp;page=2");
    assert!(second.text().contains("Page 2 of 2"));
    assert_eq!(listed(&anyone.get("/ada?page=2").await).len(), 6);
}

#[tokio::test]
async fn a_name_comes_first_and_words_are_marked() {
    let registry = library().await;
    registry.app.search().reach(registry.app.pulse().event()).await;
    let answer = registry.anonymous().get("/search?q=beta").await;
    assert_eq!(listed(&answer), ["bob/beta"]);
    assert!(answer.text().contains("<h2>By that name</h2>"));
    let answer = registry.anonymous().get("/search?q=tid").await;
    assert!(answer.text().contains("Reads <mark>tid</mark>es"));
    assert!(answer.text().contains("value=\"tid\""));
}

/// Who looks for a closed skill is told so, and does not fall for what is called alike.
#[tokio::test]
async fn a_closed_skill_has_a_tombstone() {
    let registry = library().await;
    let answer = registry.anonymous().get("/search?q=delta").await;
    let page = markup::read(answer.text()).unwrap();
    assert!(page.text.contains("ada/delta") && page.text.contains("Quarantined"));
}

#[tokio::test]
async fn a_mistyped_name_has_neighbours() {
    let registry = library().await;
    let answer = registry.anonymous().get("/search?q=aplha").await;
    assert_eq!(listed(&answer), ["ada/alpha"]);
    assert!(answer.text().contains("Names like it"));
}

#[tokio::test]
async fn a_publisher_of_whom_nothing_shows_is_not_found() {
    let registry = library().await;
    registry.user("carol").await;
    let anyone = registry.anonymous();
    assert_eq!(anyone.get("/carol").await.status, 404);
    assert_eq!(anyone.get("/nobody").await.status, 404);
    let ada = anyone.get("/ada").await;
    assert_eq!(listed(&ada), ["ada/gamma", "ada/alpha"]);
}
