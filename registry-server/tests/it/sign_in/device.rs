//! A program asks for a token, a person approves it.

use insta::assert_snapshot;
use serde_json::{Value, json};
use skill_registry::accounts;

use crate::support::{Answer, Browser, Caller, TestRegistry};

const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

struct Codes {
    device: String,
    user: String,
}

/// A program at an address of its own.
fn program(registry: &TestRegistry) -> Caller {
    registry.anonymous().at("198.51.100.9")
}

async fn asked(program: &Caller, scope: &str) -> Codes {
    let body = json!({ "scope": scope, "site_url": "http://x", "label": "CLI device login" });
    let codes = program.post("/api/cli/device/code", &body).await;
    assert_eq!((codes.status.as_u16(), codes.header("cache-control")), (200, Some("no-store")));
    let text = |key: &str| codes.json()[key].as_str().unwrap().to_owned();
    Codes { device: text("device_code"), user: text("user_code") }
}

async fn poll(program: &Caller, code: &str) -> Answer {
    program.post("/api/cli/device/token", &json!({ "device_code": code, "grant_type": GRANT })).await
}

async fn error(program: &Caller, code: &str) -> String {
    let answer = poll(program, code).await;
    let body = answer.json();
    let interval = body.get("interval").map(Value::to_string).unwrap_or_default();
    format!("{} {} {interval}", answer.status.as_u16(), body["error"].as_str().unwrap()).trim_end().to_owned()
}

async fn decide(browser: &Browser, code: &str, decision: &str) -> Answer {
    browser.post("/cli/device/decide", &[("code", code), ("decision", decision)]).await
}

async fn signed_in(registry: &TestRegistry) -> Browser {
    registry.add_user("ada").await;
    registry.signed_in("ada").await
}

on_both_engines! {
    async fn a_program_gets_its_token_once(registry) {
        let (program, browser) = (program(registry), signed_in(registry).await);
        let codes = asked(&program, "read write").await;
        assert_eq!((codes.device.len(), codes.user.len()), (64, 9));
        registry.later(5);
        assert_snapshot!(poll(&program, &codes.device).await.shown(), @r#"
        428 application/json
        {
          "error": "authorization_pending",
          "error_description": "nobody approved it yet"
        }
        "#);

        let page = browser.post("/cli/device", &[("code", &codes.user.to_lowercase())]).await;
        assert_eq!(page.status, 200);
        for shown in ["CLI device login", "198.51.100.9", "ada", "Publish, yank", "If you did not start this"] {
            assert!(page.text().contains(shown), "{shown}: {}", page.text());
        }
        assert!(decide(&browser, &codes.user, "approve").await.text().contains("<h1>Approved</h1>"));
        registry.later(5);
        let given = poll(&program, &codes.device).await;
        assert_eq!((given.status.as_u16(), given.header("cache-control")), (200, Some("no-store")));
        let token = given.json()["access_token"].as_str().unwrap().to_owned();
        assert_snapshot!(given.shown().replace(&token, "TOKEN"), @r#"
        200 application/json
        {
          "access_token": "TOKEN",
          "token_type": "bearer",
          "scope": "read publish"
        }
        "#);
        let bearer = registry.bearer(&token);
        let who = bearer.get("/api/registry/v1/whoami").await.json();
        assert_eq!((&who["user"], &who["expiresAt"]), (&json!("ada"), &json!("2027-02-28T12:00:10Z")));
        let tokens = bearer.get("/api/registry/v1/tokens").await.json();
        assert_eq!(tokens["tokens"][0]["label"], "CLI device login");

        registry.later(5);
        assert_eq!(error(&program, &codes.device).await, "400 expired_token");
        // Signing out leaves the program alone.
        browser.post("/sign-out", &[]).await;
        assert_eq!(bearer.get("/api/registry/v1/whoami").await.status, 200);
    }

    async fn of_many_polls_at_once_one_gets_it(registry) {
        let (program, browser) = (program(registry), signed_in(registry).await);
        let codes = asked(&program, "").await;
        decide(&browser, &codes.user, "approve").await;
        let polls = futures_util::future::join_all((0..8).map(|_| poll(&program, &codes.device))).await;
        assert_eq!(polls.iter().filter(|answer| answer.status == 200).count(), 1);
    }

    async fn a_program_that_is_denied(registry) {
        let (program, browser) = (program(registry), signed_in(registry).await);
        let codes = asked(&program, "read").await;
        assert!(decide(&browser, &codes.user, "deny").await.text().contains("<h1>Denied</h1>"));
        assert_eq!(error(&program, &codes.device).await, "400 access_denied");
        assert_eq!(decide(&browser, &codes.user, "approve").await.status, 404);
        assert_eq!(error(&program, &codes.device).await, "400 access_denied");
    }

    /// RFC 8628 3.5: whoever polls too early waits five seconds more from then on.
    async fn a_program_that_asks_too_often(registry) {
        let program = program(registry);
        let codes = asked(&program, "read").await;
        let mut said = Vec::new();
        for wait in [0, 5, 10, 9, 5, 15] {
            registry.later(wait);
            said.push(error(&program, &codes.device).await);
        }
        assert_snapshot!(said.join("\n"), @r"
        400 slow_down 10
        400 slow_down 15
        400 slow_down 20
        400 slow_down 25
        400 slow_down 30
        400 slow_down 35
        ");
    }
}

#[tokio::test]
async fn a_code_that_is_too_old() {
    let registry = TestRegistry::on_sqlite().start().await;
    let (program, browser) = (program(&registry), signed_in(&registry).await);
    let (used, unused) = (asked(&program, "read").await, asked(&program, "read").await);
    registry.later(15 * 60 - 1);
    assert_eq!(decide(&browser, &used.user, "approve").await.status, 200);
    registry.later(1);
    assert_eq!(error(&program, &used.device).await, "400 expired_token");
    assert_eq!(error(&program, &unused.device).await, "400 expired_token");
    assert_eq!(error(&program, "").await, "400 expired_token");
    let browser = registry.signed_in("ada").await;
    assert_eq!(decide(&browser, &unused.user, "approve").await.status, 404);
}

#[tokio::test]
async fn what_is_not_asked_right() {
    let registry = TestRegistry::on_sqlite().start().await;
    let program = program(&registry);
    let mut said = String::new();
    for (path, body) in [
        ("code", json!({ "scope": "everything" })),
        ("code", json!({ "scope": "read ".repeat(50) })),
        ("code", json!({ "label": "x".repeat(121) })),
        ("code", json!({ "label": "a\u{0}" })),
        ("code", json!([])),
        ("token", json!({ "device_code": "x" })),
        ("token", json!({ "device_code": "x", "grant_type": "password" })),
    ] {
        let answer = program.post(&format!("/api/cli/device/{path}"), &body).await;
        said += &format!("{} {}\n", answer.status.as_u16(), answer.json()["error"]);
    }
    assert_snapshot!(said, @r#"
    400 "invalid_scope"
    400 "invalid_scope"
    400 "invalid_request"
    400 "invalid_request"
    400 "invalid_request"
    400 "invalid_request"
    400 "unsupported_grant_type"
    "#);
}

/// Ten of one address wait, of IPv6 of one network; those of others are not held up by them.
#[tokio::test]
async fn an_address_from_which_many_wait() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ask = async |address: &str| {
        let program = registry.anonymous().at(address);
        program.post("/api/cli/device/code", &json!({})).await.status.as_u16()
    };
    for n in 0..10 {
        assert_eq!(ask("198.51.100.9").await, 200);
        assert_eq!(ask(&format!("2001:db8::{n}")).await, 200);
        assert_eq!(ask("127.0.0.1").await, 200);
    }
    assert_eq!([ask("198.51.100.9").await, ask("2001:db8::1:1").await], [429, 429]);
    let others = [ask("198.51.100.10").await, ask("2001:db8:0:1::1").await, ask("127.0.0.1").await];
    assert_eq!(others, [200, 200, 200]);
    registry.later(15 * 60);
    assert_eq!(ask("198.51.100.9").await, 200);
}

/// Five wrong codes an hour, by whichever session and however many at once; right ones between them help nobody.
#[tokio::test]
async fn whoever_guesses_codes_waits() {
    let registry = TestRegistry::on_sqlite().start().await;
    let (program, browser) = (program(&registry), signed_in(&registry).await);
    let codes = asked(&program, "read").await;
    for _ in 0..4 {
        assert_eq!(browser.post("/cli/device", &[("code", "AAAA-AAAA")]).await.status, 404);
        assert_eq!(browser.post("/cli/device", &[("code", &codes.user)]).await.status, 200);
    }
    let other = registry.signed_in("ada").await;
    assert_eq!(other.post("/cli/device", &[("code", "nonsense")]).await.status, 404);
    for guess in ["BBBB-BBBB", &codes.user] {
        assert_eq!(decide(&browser, guess, "approve").await.status, 429);
        assert_eq!(other.post("/cli/device", &[("code", guess)]).await.status, 429);
    }
    registry.later(60 * 60);
    let browser = registry.signed_in("ada").await;
    let codes = asked(&program, "read").await;
    assert_eq!(decide(&browser, &codes.user, "approve").await.status, 200);
}

/// A program gets no more than whoever approves has, and nothing of one who has lost it.
#[tokio::test]
async fn a_program_gets_what_its_approver_may_give() {
    let registry = TestRegistry::on_sqlite().start().await;
    let (program, browser) = (program(&registry), signed_in(&registry).await);
    let codes = asked(&program, "read admin").await;
    let page = browser.post("/cli/device", &[("code", &codes.user)]).await;
    assert!(page.text().contains("which you may not give: admin"), "{}", page.text());
    decide(&browser, &codes.user, "approve").await;
    assert_eq!(poll(&program, &codes.device).await.json()["scope"], "read");

    let codes = asked(&program, "admin").await;
    assert_eq!(decide(&browser, &codes.user, "approve").await.status, 403);

    // The token whose link let the browser in is revoked before the program comes back, or after.
    let ada = registry.token("ada", skill_registry::auth::Scopes::default().iter()).await;
    let link = ada.post("/api/registry/v1/sign-in-links", &json!({})).await.json();
    let secret = link["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let browser = registry.browser();
    browser.follow(&secret).await;
    let (before, after) = (asked(&program, "read").await, asked(&program, "read").await);
    for codes in [&before, &after] {
        assert_eq!(decide(&browser, &codes.user, "approve").await.status, 200);
    }
    let given = poll(&program, &before.device).await.json();
    let bearer = registry.bearer(given["access_token"].as_str().unwrap());
    assert_eq!(bearer.get("/api/registry/v1/whoami").await.status, 200);
    accounts::revoke_token(registry.app.db(), ada.token().prefix(), "test").await.unwrap();
    assert_eq!(bearer.get("/api/registry/v1/whoami").await.status, 401);
    assert_eq!(error(&program, &after.device).await, "400 access_denied");
}

/// Of a private registry too; and where no browser can be signed in, nobody could approve.
#[tokio::test]
async fn where_a_device_can_be_approved() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    asked(&program(&registry), "read").await;
    let nobody = registry.browser().get("/cli/device?user_code=ABCD-EFGH").await;
    assert_eq!(nobody.status, 401);
    assert!(nobody.text().contains(r#"<a href="/sign-in">"#));
    let browser = signed_in(&registry).await;
    let page = browser.get("/cli/device?user_code=ABCD-EFGH").await;
    assert!(page.status == 200 && !page.text().contains("ABCD-EFGH"));

    let registry = TestRegistry::on_sqlite().with("public_url = 'http://skills.example'").start().await;
    let answer = program(&registry).post("/api/cli/device/code", &json!({})).await;
    assert_eq!((answer.status.as_u16(), answer.json()["error"].as_str()), (409, Some("session_insecure")));
}
