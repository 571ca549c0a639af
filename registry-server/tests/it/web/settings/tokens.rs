//! The own tokens: made once, seen once, revoked.

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Answer, Browser, TestRegistry};
use crate::web::markup;

const PAGE: &str = "/settings/tokens";

/// What a person reads of a page, without the blanks between.
fn read(answer: &Answer) -> String {
    let page = markup::read(answer.text()).unwrap_or_else(|wrong| panic!("{wrong}"));
    page.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of a token that a page shows.
fn shown(answer: &Answer) -> String {
    let rest = answer.text().split(r#"<code id="token">"#).nth(1).unwrap();
    rest.split('<').next().unwrap().to_owned()
}

/// The scopes that the form offers.
fn scopes(answer: &Answer) -> Vec<String> {
    let page = markup::read(answer.text()).unwrap();
    let boxes = page.all("input").filter(|input| input.get("name") == "scope");
    boxes.map(|input| input.get("value").to_owned()).collect()
}

/// The lives that the form offers.
fn lives(answer: &Answer) -> Vec<String> {
    let choice = answer.text().split(r#"name="life""#).nth(1).unwrap().split("</select>").next().unwrap();
    choice.split(r#"value=""#).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

fn status(answer: &Answer) -> u16 {
    answer.status.as_u16()
}

/// The ids of the tokens that a page lists.
fn listed(page: &Answer) -> Vec<String> {
    let fields = page.text().split(r#"name="token" value=""#).skip(1);
    fields.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

async fn signed_in(registry: &TestRegistry) -> Browser {
    registry.add_user("ada").await;
    registry.signed_in("ada").await
}

on_both_engines! {
    async fn a_token_is_made_used_and_revoked(registry) {
        let browser = signed_in(registry).await;
        let fields = [("label", "build <b>server</b>"), ("scope", "read"), ("scope", "publish"), ("life", "30d")];
        let made = browser.post(PAGE, &fields).await;
        assert_eq!((status(&made), made.header("cache-control")), (201, Some("no-store")));
        let token = shown(&made);
        assert_snapshot!(read(&made).replace(&token, "TOKEN"), @"A new token It is shown this once. This registry keeps its digest alone, and cannot show it again. TOKENCopy the token It is for build &lt;b&gt;server&lt;/b&gt; It may read, publish On all that is yours It ends 30 December 2026 On a build server, put it into the variable SKILL_TOKEN. At a terminal, skill login --token - reads it and keeps it. All tokens");

        let bearer = registry.bearer(&token);
        let page = browser.get(PAGE).await;
        assert!(!page.text().contains(&token), "shown twice");
        let rows = read(&page).split(" A token that is").next().unwrap().to_owned();
        assert_snapshot!(rows.replace(bearer.token().prefix(), "PREFIX"), @"Tokens of ada What programs show to act for you. skill login makes one for the command line by itself. build &lt;b&gt;server&lt;/b&gt; PREFIX… read, publish · all that is yours · made 30 November 2026 · never used · ends 30 December 2026 Revoke the token PREFIX");
        let who = bearer.get("/api/registry/v1/whoami").await.json();
        assert_eq!((&who["user"], &who["expiresAt"]), (&json!("ada"), &json!("2026-12-30T12:00:00Z")));
        let [id] = listed(&page).try_into().unwrap();

        let mallory = { registry.add_user("mallory").await; registry.signed_in("mallory").await };
        assert_eq!(listed(&mallory.get(PAGE).await), [""; 0]);
        assert_eq!(status(&mallory.post("/settings/tokens/revoke", &[("token", &id)]).await), 404);
        assert_eq!(status(&bearer.get("/api/registry/v1/whoami").await), 200);

        let done = browser.post("/settings/tokens/revoke", &[("token", &id)]).await;
        assert_eq!((status(&done), done.header("location")), (303, Some(PAGE)));
        assert_eq!(status(&bearer.get("/api/registry/v1/whoami").await), 401);
        assert_eq!(listed(&browser.get(PAGE).await), [""; 0]);
    }

    async fn many_tokens_are_paged(registry) {
        let browser = signed_in(registry).await;
        for number in 0..60 {
            let label = format!("number {number}");
            assert_eq!(status(&browser.post(PAGE, &[("label", &label), ("scope", "read")]).await), 201);
            registry.later(1);
        }
        let first = browser.get(PAGE).await;
        let next = first.text().split(r#"rel="next" href=""#).nth(1).unwrap().split('"').next().unwrap();
        let second = browser.get(next).await;
        let mut all = [listed(&first), listed(&second)].concat();
        assert_eq!((listed(&first).len(), all.len()), (50, 60));
        assert!(read(&first).contains("number 59") && read(&second).contains("number 0 "));
        assert!(!second.text().contains(r#"rel="next""#));
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 60);
        assert_eq!(status(&browser.get("/settings/tokens?cursor=nonsense").await), 400);
    }
}

/// A session makes no token that reaches further than what it was signed in with, and offers none.
#[tokio::test]
async fn a_token_reaches_no_further_than_its_session() {
    let registry = TestRegistry::on_sqlite().start().await;
    let admin = registry.signed_in("admin").await;
    assert_eq!(scopes(&admin.get(PAGE).await), ["read", "publish", "moderate", "admin"]);

    let token = json!({ "scopes": ["read", "publish"], "expires": "10d" });
    let made = registry.admin().post("/api/registry/v1/tokens", &token).await.json();
    let link = registry.bearer(made["token"].as_str().unwrap());
    let link = link.post("/api/registry/v1/sign-in-links", &json!({})).await.json();
    let browser = registry.browser();
    browser.follow(link["url"].as_str().unwrap().rsplit('/').next().unwrap()).await;
    let page = browser.get(PAGE).await;
    assert_eq!(scopes(&page), ["read", "publish"]);
    assert_eq!(lives(&page), ["", "7d"]);
    assert!(read(&page).contains("as long as usual, until 10 December 2026"));
    for field in [("scope", "admin"), ("life", "30d"), ("life", "never")] {
        assert_eq!(status(&browser.post(PAGE, &[field, ("scope", "read")]).await), 403, "{field:?}");
    }

    // One that may not publish makes none at all.
    let token = json!({ "scopes": ["read"] });
    let made = registry.admin().post("/api/registry/v1/tokens", &token).await.json();
    let reader = registry.bearer(made["token"].as_str().unwrap());
    let link = reader.post("/api/registry/v1/sign-in-links", &json!({})).await.json();
    let browser = registry.browser();
    browser.follow(link["url"].as_str().unwrap().rsplit('/').next().unwrap()).await;
    let page = browser.get(PAGE).await;
    assert!(status(&page) == 200 && read(&page).contains("This session may make none"));
    assert_eq!(status(&browser.post(PAGE, &[("scope", "read")]).await), 403);
}

/// What is not taken is said above the form, which keeps what was typed.
#[tokio::test]
async fn a_form_that_is_refused_keeps_what_was_typed() {
    let registry = TestRegistry::on_sqlite().with("tokens.longest = '90d'").start().await;
    registry.user("bob").await;
    let browser = signed_in(&registry).await;
    let long = "x".repeat(121);
    let mut said = String::new();
    for fields in [
        vec![("label", "kept \"<i>"), ("skill", "kept")],
        vec![("label", "kept"), ("scope", "all")],
        vec![("label", "kept"), ("scope", "read"), ("skill", "kept")],
        vec![("label", "kept"), ("scope", "read"), ("publisher", "nobody")],
        vec![("label", "kept"), ("scope", "read"), ("publisher", "ada"), ("skill", "bob/kept")],
        vec![("label", "kept"), ("scope", "read"), ("life", "365d")],
        vec![("label", "kept"), ("scope", "read"), ("life", "soon")],
        vec![("label", &long), ("scope", "read")],
    ] {
        let answer = browser.post(PAGE, &fields).await;
        let page = markup::read(answer.text()).unwrap();
        let why = read(&answer);
        let why =
            why.split("No token was made ").nth(1).unwrap_or_else(|| panic!("{fields:?}: {why}")).to_owned();
        let why = why.split(" You have none").next().unwrap().to_owned();
        said += &format!("{} {why}\n", status(&answer));
        assert!(
            page.all("input").any(|input| input.get("name") == "label" && !input.get("value").is_empty())
        );
        let ticked = page.all("input").filter(|input| input.attributes.contains_key("checked")).count();
        assert_eq!(ticked, fields.iter().filter(|field| **field == ("scope", "read")).count());
    }
    assert_snapshot!(said, @r"
    422 A token does one thing at least: tick it.
    422 `all` does not read as a scope: read, publish, moderate or admin.
    422 `kept` does not read as owner/slug.
    404 There is no publisher nobody.
    422 The skill bob/kept is not one of ada.
    422 Tokens of this registry live 90d at most.
    422 A whole number above 0 and d, h or m, as in 90d, or never.
    422 The label has 121 bytes, at most 120 are kept.
    ");
    assert_eq!(status(&browser.post(PAGE, &[("scope", "read"), ("publisher", "bob")]).await), 403);
    assert_eq!(listed(&browser.get(PAGE).await), [""; 0]);
}

/// A private registry shows these pages in a session, and nothing of them without one.
#[tokio::test]
async fn on_a_private_registry() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    let browser = signed_in(&registry).await;
    for path in ["/settings", PAGE] {
        let nobody = registry.anonymous().get(path).await;
        assert_eq!(status(&nobody), 401, "{path}");
        assert_eq!(status(&registry.admin().get(path).await), 401, "{path}: a token is no session");
    }
    assert_eq!(browser.get("/settings").await.header("location"), Some(PAGE));
    assert_eq!(status(&browser.get(PAGE).await), 200);
    assert_eq!(status(&browser.post(PAGE, &[("scope", "read")]).await), 201);
}
