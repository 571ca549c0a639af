//! A registry that shows itself to nobody who has not signed in.

use crate::support::{Skill, TestRegistry};

#[tokio::test]
async fn a_private_registry_in_a_browser() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    let ada = registry.user("ada").await;
    Skill::new("secret").published(&ada).await;
    registry.add_user("bob").await;
    let (nobody, reader) = (registry.browser(), registry.signed_in("bob").await);
    for path in [
        "/",
        "/skills",
        "/ada/skills/secret",
        "/ada/skills/secret/files",
        "/search?q=secret",
        "/api/v1/search?q=secret",
        "/api/v1/skills/secret/file?path=SKILL.md",
        "/api/v1/download?slug=secret",
        "/index/ada/secret",
    ] {
        // Asked in a session first: what is kept for one must not be given to the other.
        let seen = reader.get(path).await;
        assert_eq!((seen.status.as_u16(), seen.header("cache-control")), (200, Some("no-store")), "{path}");
        let unseen = nobody.get(path).await;
        assert_eq!(unseen.status, 401, "{path}");
        assert!(!unseen.text().contains("bob"), "{path}");
    }
    let page = nobody.get("/skills").await;
    assert!(page.text().contains(r#"<a href="/sign-in">Sign in</a>"#), "{}", page.text());
    assert_eq!(nobody.get("/sign-in").await.status, 200);
    assert!(!nobody.get("/sign-in").await.text().contains("secret"));
}
