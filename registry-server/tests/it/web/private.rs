//! A registry that only shows itself to token holders: without one its pages say nothing of what is in it.

use skill_registry::auth::Scope;

use super::markup;
use crate::support::{Caller, Skill, TestRegistry};

/// What names the one skill to be kept secret; none of these words is in any address that is asked for.
const TOLD: [&str; 3] = ["Nautilus", "tide-internal", "1.0.0"];

async fn with_a_secret() -> (TestRegistry, Caller) {
    let registry = TestRegistry::on_sqlite().with("access.read = \"token\"").start().await;
    let ada = registry.user("ada").await;
    let text = "---\nname: tide-internal\ndescription: Reads the harbour of project Nautilus\n---\n";
    Skill::new("tide-internal").file("SKILL.md", text).published(&ada).await;
    registry.add_user("bob").await;
    let reader = registry.token("bob", [Scope::Read]).await;
    (registry, reader)
}

/// A route's template with these words in it, and each query that its page has.
fn addresses(template: &str, words: [(&str, &str); 4]) -> Vec<String> {
    let path = words.iter().fold(template.to_owned(), |path, (key, word)| path.replace(key, word));
    ["", "?q=tide-interna", "?path=SKILL.md", "?path=tide-interna", "?owner=ad", "?page=1"]
        .map(|query| format!("{path}{query}"))
        .to_vec()
}

/// Every route of the catalogue, with what is there and with what is nearly there.
#[tokio::test]
async fn nothing_leaks_without_a_token() {
    let (registry, reader) = with_a_secret().await;
    let anyone = registry.anonymous();
    let mut shown = String::new();
    let there = [
        ("{owner}", "ada"),
        ("{slug}", "tide-internal"),
        ("{version}", "1.0.0"),
        ("{file}", "tide-internal"),
    ];
    let nearly = [
        ("{owner}", "tide-interna"),
        ("{slug}", "tide-interna"),
        ("{version}", "1.0.1"),
        ("{file}", "tide-interna"),
    ];
    let templates =
        || skill_registry::web::paths().chain(["/tide-interna/at/all", "/static", "/static/x/tide-interna"]);
    for (words, template) in
        [there, nearly].into_iter().flat_map(|words| templates().map(move |one| (words, one)))
    {
        let mut statuses = Vec::new();
        for path in addresses(template, words) {
            // Asked with a token first: what is kept for one must not be given to the other.
            let with = reader.get(&path).await;
            let without = anyone.get(&path).await;
            let text = String::from_utf8_lossy(&without.body).replace(path.split('?').next().unwrap(), "");
            let echo = text.replace("<code>tide-internal</code>", "");
            assert!(!TOLD.iter().any(|word| echo.contains(word)), "{path}: {echo}");
            statuses.push((with.status.as_u16(), without.status.as_u16()));
        }
        statuses.dedup();
        let statuses: Vec<_> = statuses.iter().map(|(with, without)| format!("{with}/{without}")).collect();
        shown += &format!("{template}: {}\n", statuses.join(" "));
    }
    insta::assert_snapshot!(shown, @r"
    /static/{file}: 404/404
    /robots.txt: 200/200
    /sitemap.xml: 200/401
    /: 200/401
    /skills: 200/401
    /search: 200/401
    /{owner}: 200/401
    /{owner}/skills/{slug}: 200/401
    /{owner}/skills/{slug}/versions: 200/401
    /{owner}/skills/{slug}/versions/{version}: 200/401
    /{owner}/skills/{slug}/files: 200/401 404/401 200/401
    /{owner}/skills/{slug}/diff: 200/401
    /{owner}/skills/{slug}/security: 200/401
    /feed.atom: 200/401
    /{owner}/feed.atom: 200/401
    /{owner}/skills/{slug}/feed.atom: 200/401
    /{owner}/skills/{slug}/badge.svg: 200/401
    /tide-interna/at/all: 404/401
    /static: 404/401
    /static/x/tide-interna: 404/401
    /static/{file}: 404/404
    /robots.txt: 200/200
    /sitemap.xml: 200/401
    /: 200/401
    /skills: 200/401
    /search: 200/401
    /{owner}: 404/401
    /{owner}/skills/{slug}: 404/401
    /{owner}/skills/{slug}/versions: 404/401
    /{owner}/skills/{slug}/versions/{version}: 404/401
    /{owner}/skills/{slug}/files: 404/401
    /{owner}/skills/{slug}/diff: 404/401
    /{owner}/skills/{slug}/security: 404/401
    /feed.atom: 200/401
    /{owner}/feed.atom: 404/401
    /{owner}/skills/{slug}/feed.atom: 404/401
    /{owner}/skills/{slug}/badge.svg: 404/401
    /tide-interna/at/all: 404/401
    /static: 404/401
    /static/x/tide-interna: 404/401
    ");
}

/// With a token the way on from a mistyping is there, as on any registry; of a file of the program it never is.
#[tokio::test]
async fn names_like_it_are_for_who_may_read() {
    let (_registry, reader) = with_a_secret().await;
    for (path, told) in [
        ("/ada/skills/tide-interna", true),
        ("/tide-interna", true),
        ("/no/such/page/tide-interna", true),
        ("/search?q=tide-interna", true),
        ("/static/tide-interna", false),
    ] {
        let answer = reader.get(path).await;
        assert_eq!(answer.text().contains("href=\"/ada/skills/tide-internal\""), told, "{path}");
    }
}

/// What is there and what is not look the same, but for the way back to it.
#[tokio::test]
async fn every_address_has_the_same_page() {
    let registry = TestRegistry::on_sqlite().with("access.read = \"token\"").start().await;
    let ada = registry.user("ada").await;
    Skill::new("secret").published(&ada).await;
    let anyone = registry.anonymous();
    let first = anyone.get("/").await;
    for path in ["/ada/skills/secret", "/ada/skills/other", "/ada", "/x/y/z", "/search?q=secret"] {
        let back: String = url::form_urlencoded::byte_serialize(path.as_bytes()).collect();
        let shown = anyone.get(path).await.text().replace(&format!("back={back}"), "back=%2F");
        assert_eq!(shown, first.text(), "{path}");
    }
    let page = markup::read(first.text()).unwrap();
    assert!(page.text.contains("skill login"));
    assert!(page.all("meta").any(|meta| meta.get("content") == "noindex"));
}
