//! What a session is good for, and when it ends.

use skill_registry::auth::{Act, Scope};
use skill_registry::http::{Shown, rows};

use crate::support::{Browser, Skill, TestRegistry};

const DAY: u64 = 24 * 60 * 60;

async fn is_in(browser: &Browser) -> bool {
    browser.get("/settings/sessions").await.status == 200
}

/// The digests of the sessions on the page.
async fn listed(browser: &Browser) -> Vec<String> {
    let page = browser.get("/settings/sessions").await;
    let fields = page.text().split(r#"name="session" value=""#).skip(1);
    fields.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// Uses a session until that is written down, which happens beside the requests, one note at a time.
async fn used(registry: &TestRegistry, browser: &Browser) {
    let now = registry.app.clock().now().as_millisecond();
    loop {
        assert!(is_in(browser).await);
        let mut conn = registry.app.db().read().await.unwrap();
        let rows = sqlx::query("SELECT sha256 FROM sessions WHERE seen_at = $1").bind(now);
        if !rows.fetch_all(&mut *conn).await.unwrap().is_empty() {
            return;
        }
    }
}

on_both_engines! {
    async fn a_session_ends_when_it_rests_and_after_two_weeks(registry) {
        registry.add_user("ada").await;
        let (rests, goes_on) = (registry.signed_in("ada").await, registry.signed_in("ada").await);
        registry.later(3 * DAY - 1);
        used(registry, &goes_on).await;
        registry.later(1);
        assert!(!is_in(&rests).await);
        for _ in 0..5 {
            registry.later(2 * DAY);
            used(registry, &goes_on).await;
        }
        registry.later(DAY - 1);
        assert!(is_in(&goes_on).await);
        registry.later(1);
        assert!(!is_in(&goes_on).await);
    }

    async fn ending_one_and_ending_all(registry) {
        registry.add_user("ada").await;
        registry.add_user("mallory").await;
        let (here, there) = (registry.signed_in("ada").await, registry.signed_in("ada").await);
        let foreign = registry.signed_in("mallory").await;
        let all = listed(&here).await;
        assert_eq!(all.len(), 2);

        // Nobody ends the session of somebody else.
        for session in &all {
            let answer = foreign.post("/settings/sessions/end", &[("session", session)]).await;
            assert_eq!(answer.header("location"), Some("/settings/sessions"));
        }
        assert!(is_in(&here).await && is_in(&there).await);

        assert_eq!(here.post("/sign-out", &[]).await.status, 303);
        assert_eq!(here.cookie(), None);
        let rest = listed(&there).await;
        assert_eq!((is_in(&here).await, rest.len()), (false, 1));
        let third = registry.signed_in("ada").await;
        third.post("/settings/sessions/end", &[("session", &rest[0])]).await;
        assert_eq!((is_in(&there).await, is_in(&third).await), (false, true));

        let fourth = registry.signed_in("ada").await;
        assert_eq!(third.post("/settings/sessions/end-all", &[]).await.status, 303);
        assert_eq!((is_in(&third).await, is_in(&fourth).await, is_in(&foreign).await), (false, false, true));
    }

    async fn one_user_has_fifty_sessions(registry) {
        registry.add_user("ada").await;
        let first = registry.signed_in("ada").await;
        registry.later(1);
        let second = registry.signed_in("ada").await;
        registry.later(1);
        for _ in 0..49 {
            registry.signed_in("ada").await;
        }
        assert_eq!((is_in(&first).await, is_in(&second).await), (false, true));
        assert_eq!(listed(&second).await.len(), 50);
    }
}

/// A form that was on its way when its session ended does nothing any more, whichever it is.
#[tokio::test]
async fn a_session_that_ended_meanwhile() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tide").version("1.0.0").published(&ada).await;
    let forms = rows().filter(|row| row.shown == Shown::Form && row.act != Act::Open);
    for path in forms.map(|row| row.path.replace("{owner}", "ada").replace("{slug}", "tide")) {
        registry.later(60);
        let (browser, other) = (registry.signed_in("ada").await, registry.signed_in("ada").await);
        let ends = other.clone();
        let ended = async move {
            assert_eq!(ends.post("/settings/sessions/end-all", &[]).await.status, 303);
        };
        let fields = [
            ("code", "AAAA-AAAA"),
            ("scope", "read"),
            ("version", "1.0.0"),
            ("tag", "stable"),
            ("reason", "why not"),
            ("handle", "team"),
            ("user", "ada"),
            ("role", "owner"),
            ("url", "https://example.com/"),
        ];
        let answer = browser.post_while(&path, &fields, ended).await;
        assert_eq!(answer.status, 401, "{path}");
        assert!(!is_in(&browser).await && !is_in(&other).await, "{path}");
    }
}

/// Of links that wait, the newest count.
#[tokio::test]
async fn one_user_has_twenty_links() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let first = registry.link("ada").await;
    registry.later(1);
    let second = registry.link("ada").await;
    registry.later(1);
    for _ in 0..19 {
        registry.link("ada").await;
    }
    let used = [registry.browser().follow(&first).await, registry.browser().follow(&second).await];
    assert_eq!(used.map(|answer| answer.status.as_u16()), [410, 303]);
}

/// A cookie that somebody planted is not the one that its browser is signed in with, and a new one ends the old one.
#[tokio::test]
async fn signing_in_gives_a_new_session() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let browser = registry.browser();
    let planted = format!("session=sks_{}", "0".repeat(64));
    browser.plant(&planted);
    browser.follow(&registry.link("ada").await).await;
    let first = browser.cookie().unwrap();
    assert_ne!(first, planted);
    browser.follow(&registry.link("ada").await).await;
    assert_ne!(browser.cookie().unwrap(), first);
    let old = registry.browser();
    old.plant(&first);
    assert!(!is_in(&old).await && is_in(&browser).await);
    for bad in ["session=", "session=x", &planted, "session", ";;;="] {
        old.plant(bad);
        assert!(!is_in(&old).await, "{bad}");
        assert_eq!(old.get("/skills").await.status, 200, "{bad}");
    }
}

/// Pages are kept for everybody; who is signed in is put in behind that.
#[tokio::test]
async fn the_frame_says_who_is_signed_in_and_only_to_them() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tide").published(&ada).await;
    registry.add_user("bob-the-reader").await;
    let (reader, anyone) = (registry.signed_in("bob-the-reader").await, registry.anonymous());
    for path in ["/", "/skills", "/ada/skills/tide", "/ada/skills/none", "/no/such/page", "/search?q=tide"] {
        let before = anyone.get(path).await;
        let seen = reader.get(path).await;
        assert_eq!(seen.status, before.status, "{path}");
        assert_eq!(seen.header("etag"), None, "{path}");
        assert!(
            seen.text().contains(">bob-the-reader</summary>") && seen.text().contains("Sign out"),
            "{path}"
        );
        assert!(!seen.text().contains(">Sign in</a>"), "{path}");
        assert_eq!(seen.header("cache-control"), Some("no-store"), "{path}");
        let after = anyone.get(path).await;
        assert_eq!((after.text(), after.header("etag")), (before.text(), before.header("etag")), "{path}");
        assert!(!after.text().contains("bob-the-reader"), "{path}");
    }
}

/// Of a session the API is told what it may read, and nothing of it is kept for others.
#[tokio::test]
async fn the_api_is_read_in_a_session() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tide").published(&ada).await;
    let browser = registry.signed_in("ada").await;
    let seen = browser.get("/api/v1/skills/tide").await;
    assert_eq!((seen.status.as_u16(), seen.header("cache-control")), (200, Some("no-store")));
    assert_eq!(seen.header("etag"), None);
    // A token that is shown counts, whatever the cookie says.
    let reader = registry.token("ada", [Scope::Read]).await;
    let request = reader.request(http::Method::GET, "/api/registry/v1/whoami");
    let request = request.header("cookie", browser.cookie().unwrap()).body(axum::body::Body::empty());
    let who = reader.send(request.unwrap()).await.json();
    assert_eq!(who["scopes"], serde_json::json!(["read"]));
    // Nor does a token open what is for browsers.
    assert_eq!(reader.get("/settings/sessions").await.status, 401);
}
