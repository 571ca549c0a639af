//! Links that sign in once.

use futures_util::future::join_all;
use insta::assert_snapshot;
use serde_json::json;
use skill_registry::accounts;
use skill_registry::auth::{Scope, TokenText};

use crate::support::{Answer, Browser, Caller, TestRegistry};

const LINKS: &str = "/api/registry/v1/sign-in-links";

/// The secret of a link that a token asks for.
async fn asked(caller: &Caller) -> String {
    let made = caller.post(LINKS, &json!({})).await;
    assert_eq!((made.status.as_u16(), made.header("cache-control")), (201, Some("no-store")));
    made.json()["url"].as_str().unwrap().split("/sign-in/link/").nth(1).unwrap().to_owned()
}

fn code(answer: &Answer) -> (u16, bool) {
    (answer.status.as_u16(), answer.text().contains("A link signs in once"))
}

async fn is_nobody(browser: &Browser) -> bool {
    browser.get("/settings/sessions").await.status == 401
}

on_both_engines! {
    async fn a_link_signs_in_once(registry) {
        let ada = registry.token("admin", [Scope::Read, Scope::Publish]).await;
        let made = ada.post(LINKS, &json!({})).await.json();
        let url = made["url"].as_str().unwrap();
        let path = url.strip_prefix("http://127.0.0.1:8787").unwrap();
        let secret = path.strip_prefix("/sign-in/link/").unwrap();
        assert_eq!(made["expiresAt"], "2026-11-30T12:15:00Z");

        // Whoever looks uses nothing up.
        let browser = registry.browser();
        for _ in 0..3 {
            let page = browser.get(path).await;
            assert_eq!((page.status.as_u16(), page.header("cache-control")), (200, Some("no-store")));
            assert!(page.text().contains("Sign in as admin") && page.text().contains("read, publish"));
            assert_eq!((page.header("etag"), page.header("set-cookie")), (None, None));
        }
        assert!(is_nobody(&browser).await);
        let done = browser.follow(secret).await;
        assert_eq!((done.status.as_u16(), done.header("location")), (303, Some("/")));
        let set = done.header("set-cookie").unwrap();
        assert_snapshot!(set.replace(&set[12..76], "…"), @"session=sks_…; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax");
        let who = browser.get("/api/registry/v1/whoami").await.json();
        assert_eq!((&who["user"], &who["scopes"]), (&json!("admin"), &json!(["read", "publish"])));

        let other = registry.browser();
        assert_eq!(code(&other.get(path).await), (410, true));
        assert_eq!(code(&other.follow(secret).await), (410, true));
        assert!(is_nobody(&other).await);
    }

    async fn of_many_who_use_a_link_at_once_one_is_signed_in(registry) {
        let ada = registry.user("ada").await;
        let secret = asked(&ada).await;
        let browsers: Vec<Browser> = (0..8).map(|_| registry.browser()).collect();
        let answers = join_all(browsers.iter().map(|browser| browser.follow(&secret))).await;
        let signed_in = answers.iter().filter(|answer| answer.status == 303).count();
        assert_eq!(signed_in, 1);
    }

    /// What is secret is in the answer, and nowhere else.
    async fn no_secret_is_kept(registry) {
        let ada = registry.user("ada").await;
        let secret = asked(&ada).await;
        let browser = registry.browser();
        browser.follow(&secret).await;
        let cookie = browser.cookie().unwrap();
        let audit = registry.admin().get("/api/registry/v1/audit?limit=200").await;
        assert!(audit.text().contains("session.begin") && audit.text().contains("sign-in-link.create"));
        let mut kept = audit.text().to_owned();
        for entry in fs_err::read_dir(registry.data()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                kept += &String::from_utf8_lossy(&fs_err::read(path).unwrap());
            }
        }
        for shown in [&secret, cookie.strip_prefix("session=").unwrap()] {
            assert!(!kept.contains(&shown[4..]), "a secret was kept");
        }
    }
}

#[tokio::test]
async fn a_link_that_is_too_old() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let (own, sent) = (asked(&ada).await, registry.link("ada").await);
    registry.later(15 * 60);
    assert_eq!(code(&registry.browser().follow(&own).await), (410, true));
    registry.later(23 * 60 * 60);
    assert_eq!(registry.browser().follow(&sent).await.status, 303);
    let sent = registry.link("ada").await;
    registry.later(24 * 60 * 60);
    assert_eq!(code(&registry.browser().follow(&sent).await), (410, true));
}

#[tokio::test]
async fn a_link_that_was_never_made() {
    let registry = TestRegistry::on_sqlite().start().await;
    for text in ["", "skl_", "x", &format!("skl_{}", "0".repeat(64)), &format!("sks_{}", "0".repeat(64))] {
        assert_eq!(code(&registry.browser().follow(text).await), (410, true), "{text}");
    }
}

/// A link reaches no further than the token that made it: neither after that is over, nor for longer, nor for more.
#[tokio::test]
async fn a_link_ends_with_its_token() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let token = |scopes: &[Scope]| registry.token("ada", scopes.to_vec());
    let revoke = |token: &TokenText| {
        let prefix = token.prefix().to_owned();
        let db = registry.app.db().clone();
        async move { accounts::revoke_token(&db, &prefix, "test").await.unwrap() }
    };

    let reads = token(&[Scope::Read]).await;
    let (used, unused) = (asked(&reads).await, asked(&reads).await);
    let browser = registry.browser();
    browser.follow(&used).await;
    let who = browser.get("/api/registry/v1/whoami").await.json();
    assert_eq!((&who["scopes"], &who["expiresAt"]), (&json!(["read"]), &json!("2027-02-28T12:00:00Z")));
    revoke(reads.token()).await;
    assert!(is_nobody(&browser).await);
    assert_eq!(code(&registry.browser().follow(&unused).await), (410, true));

    let short = registry.token("ada", [Scope::Read, Scope::Publish]).await;
    let request = json!({ "expires": "10m", "label": "short" });
    let made = short.post("/api/registry/v1/tokens", &request).await.json();
    let short = registry.bearer(made["token"].as_str().unwrap());
    let (used, unused) = (asked(&short).await, asked(&short).await);
    let browser = registry.browser();
    browser.follow(&used).await;
    registry.later(10 * 60);
    assert!(is_nobody(&browser).await);
    assert_eq!(code(&registry.browser().follow(&unused).await), (410, true));
}

#[tokio::test]
async fn an_account_that_is_closed_is_not_signed_in() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let (before, link) = (registry.signed_in("ada").await, registry.link("ada").await);
    let mut tx = registry.app.db().quiet().await.unwrap();
    let close = sqlx::query("UPDATE users SET disabled_at = 1 WHERE name = 'ada'");
    close.execute(tx.conn()).await.unwrap();
    tx.commit().await.unwrap();
    assert!(is_nobody(&before).await);
    assert_eq!(registry.browser().follow(&link).await.status, 401);
    let (db, entropy) = (registry.app.db(), registry.app.entropy());
    let made = accounts::make_link_as_operator(db, entropy, &"ada".parse().unwrap(), "test").await;
    assert_eq!(made.unwrap_err().to_string(), "the account of ada is disabled");
}

/// Over plain HTTP from elsewhere whoever listens would be signed in too: nobody is, and nothing is used up.
#[tokio::test]
async fn without_tls_nobody_is_signed_in() {
    let registry = TestRegistry::on_sqlite().with("public_url = 'http://skills.example'").start().await;
    let ada = registry.user("ada").await;
    assert_snapshot!(ada.post(LINKS, &json!({})).await.shown(), @r#"
    409 application/problem+json
    {
      "type": "urn:skill-registry:problem:session-insecure",
      "status": 409,
      "code": "session-insecure",
      "title": "browsers reach this registry without TLS, so none is signed in",
      "requestId": "test"
    }
    "#);
    let link = registry.link("ada").await;
    for answer in [
        registry.browser().get(&format!("/sign-in/link/{link}")).await,
        registry.browser().follow(&link).await,
    ] {
        assert_eq!((answer.status.as_u16(), answer.header("set-cookie")), (409, None));
        assert!(answer.text().contains("without TLS"));
    }
    assert!(registry.browser().get("/sign-in").await.text().contains("without TLS"));
}

#[tokio::test]
async fn with_tls_the_cookie_is_bound_to_the_host() {
    let registry = TestRegistry::on_sqlite().with("public_url = 'https://skills.example'").start().await;
    registry.add_user("ada").await;
    let browser = registry.signed_in("ada").await;
    assert!(browser.cookie().unwrap().starts_with("__Host-session=sks_"));
    let bare = browser.cookie().unwrap().replace("__Host-", "");
    browser.plant(&bare);
    assert!(is_nobody(&browser).await);
}
