//! Forms of others, which a browser sends with the cookie of this registry.

use http::Method;
use skill_registry::auth::Act;
use skill_registry::http::{Shown, rows};

use crate::support::{Answer, Skill, TestRegistry};

/// The addresses of all forms but those that sign in; those of a skill are of `ada/tide`.
fn forms() -> Vec<String> {
    let forms = rows().filter(|row| row.shown == Shown::Form && row.act != Act::Open);
    forms.map(|row| row.path.replace("{owner}", "ada").replace("{slug}", "tide")).collect()
}

fn refused(answer: &Answer, why: &str) {
    let told = answer.text().contains("was not sent from a page");
    assert_eq!((answer.status.as_u16(), told), (403, true), "{why}");
}

/// Each form of each page, sent from elsewhere, or made for another session, or made for none.
#[tokio::test]
async fn a_form_that_was_not_made_for_this_session() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tide").version("1.0.0").published(&ada).await;
    registry.add_user("mallory").await;
    let others = registry.signed_in("mallory").await.form().await;
    assert!(!forms().is_empty());
    for path in &forms() {
        // A minute for each, so that nobody is told that they ask too often, and a session, so that nobody is asked again.
        registry.later(60);
        let browser = registry.signed_in("ada").await;
        let own = browser.form().await;
        let second = registry.signed_in("ada").await.form().await;
        assert!(!own.is_empty() && own != others && own != second);
        for (site, field) in [
            ("same-origin", ""),
            ("same-origin", others.as_str()),
            ("same-origin", &second),
            ("same-origin", &own[1..]),
            ("cross-site", &own),
            ("same-site", &own),
            ("none", &own),
        ] {
            let answer = browser.post_from(site, path, &[("form", field)]).await;
            refused(&answer, &format!("{path} {site} {field}"));
        }
        refused(&browser.send(Method::POST, path, "form=").await, path);
        assert_eq!(browser.get("/settings/sessions").await.status, 200, "{path} did something");
    }
    let link = registry.link("mallory").await;
    let answer = registry.browser().post_from("cross-site", "/sign-in/link", &[("link", &link)]).await;
    refused(&answer, "somebody else signs this browser in");
    for path in &forms() {
        registry.later(60);
        let browser = registry.signed_in("ada").await;
        let answer = browser.post(path, &[]).await;
        assert!(answer.status != 403 && answer.status != 401, "{path}: {}", answer.status);
    }
}

/// A session does what a browser can be led to only where a form says so: on no route of the API, whatever it sends.
#[tokio::test]
async fn a_session_changes_nothing_through_the_api() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let browser = registry.signed_in("ada").await;
    for row in rows().filter(|row| row.shown == Shown::Token && row.act != Act::Open) {
        let path = row.path.replace(['{', '}'], "");
        let answer = browser.send(row.method.clone(), &path, "{}").await;
        assert_eq!(answer.status, 401, "{} {path}", row.method);
    }
    let forms = rows().filter(|row| row.method != Method::GET && row.path.starts_with("/api/"));
    assert!(forms.into_iter().all(|row| row.shown == Shown::Token));
}
