//! A registry that only shows itself to token holders: without one its pages say nothing of what is in it.

use skill_registry::auth::Scope;

use super::markup;
use crate::support::{Skill, TestRegistry};

#[tokio::test]
async fn nothing_leaks_without_a_token() {
    let registry = TestRegistry::on_sqlite().with("access.read = \"token\"").start().await;
    let ada = registry.user("ada").await;
    Skill::new("secret").published(&ada).await;
    registry.add_user("bob").await;
    let reader = registry.token("bob", [Scope::Read]).await;
    let anyone = registry.anonymous();
    let mut shown = String::new();
    for path in [
        "/",
        "/skills",
        "/search?q=secret",
        "/ada",
        "/ada/skills/secret",
        "/ada/skills/nothing",
        "/ada/skills/secret/versions",
        "/ada/skills/secret/files?path=SKILL.md",
        "/ada/skills/secret/diff",
        "/ada/skills/secret/security",
        "/sitemap.xml",
        "/robots.txt",
        "/no/such/page",
    ] {
        // Asked with a token first: what is kept for one must not be given to the other.
        let with = reader.get(path).await;
        let without = anyone.get(path).await;
        assert!(!without.text().contains("secret"), "{path}");
        shown += &format!("{path}: {} {}\n", with.status.as_u16(), without.status.as_u16());
    }
    insta::assert_snapshot!(shown, @r"
    /: 200 401
    /skills: 200 401
    /search?q=secret: 200 401
    /ada: 200 401
    /ada/skills/secret: 200 401
    /ada/skills/nothing: 404 401
    /ada/skills/secret/versions: 200 401
    /ada/skills/secret/files?path=SKILL.md: 200 401
    /ada/skills/secret/diff: 200 401
    /ada/skills/secret/security: 200 401
    /sitemap.xml: 200 401
    /robots.txt: 200 200
    /no/such/page: 404 401
    ");
}

/// What is there and what is not look the same.
#[tokio::test]
async fn every_address_has_the_same_page() {
    let registry = TestRegistry::on_sqlite().with("access.read = \"token\"").start().await;
    let ada = registry.user("ada").await;
    Skill::new("secret").published(&ada).await;
    let anyone = registry.anonymous();
    let first = anyone.get("/").await;
    for path in ["/ada/skills/secret", "/ada/skills/other", "/ada", "/x/y/z", "/search?q=secret"] {
        assert_eq!(anyone.get(path).await.text(), first.text(), "{path}");
    }
    let page = markup::read(first.text()).unwrap();
    assert!(page.text.contains("skill login"));
    assert!(page.all("meta").any(|meta| meta.get("content") == "noindex"));
}
