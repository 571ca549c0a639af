//! What gives away rights takes that somebody showed lately who they are.

use skill_registry::accounts;
use skill_registry::auth::Act;
use skill_registry::http::{Shown, rows};
use skill_registry::store::publishers::MemberRole;

use crate::support::{Browser, TestRegistry};

const PASSWORD: &str = "correct horse battery";

async fn made(registry: &TestRegistry) -> Browser {
    registry.add_user("ada").await;
    let (db, entropy) = (registry.app.db(), registry.app.entropy());
    let name = "ada".parse().unwrap();
    accounts::set_password_as_operator(db, entropy, &name, PASSWORD, "test").await.unwrap();
    registry.signed_in("ada").await
}

async fn shows(browser: &Browser, password: &str) -> u16 {
    browser.post("/sign-in/again", &[("password", password)]).await.status.as_u16()
}

on_both_engines! {
    async fn a_password_shows_it_again(registry) {
        let browser = made(registry).await;
        registry.later(15 * 60 - 1);
        assert_eq!(browser.get("/cli/device").await.status, 200);
        registry.later(1);
        let late = browser.get("/cli/device?user_code=ABCD-EFGH").await;
        let to = "/sign-in/again?back=%2Fcli%2Fdevice%3Fuser%5Fcode%3DABCD%2DEFGH";
        assert_eq!((late.status.as_u16(), late.header("location")), (303, Some(to)));
        for path in ["/cli/device", "/cli/device/decide"] {
            let refused = browser.post(path, &[("code", "AAAA-AAAA"), ("decision", "approve")]).await;
            assert_eq!(refused.status, 403, "{path}");
            assert!(refused.text().contains(r#"href="/sign-in/again""#), "{}", refused.text());
        }
        // What is not grave goes on.
        assert_eq!(browser.get("/settings/sessions").await.status, 200);

        let page = browser.get(to).await;
        assert!(page.text().contains(r#"value="ada""#), "{}", page.text());
        assert_eq!(shows(&browser, "wrong lantern on the hill").await, 422);
        assert_eq!(browser.get("/cli/device").await.status, 303);
        let fields = [("password", PASSWORD), ("back", "/cli/device")];
        let done = browser.post("/sign-in/again", &fields).await;
        assert_eq!((done.status.as_u16(), done.header("location")), (303, Some("/cli/device")));
        assert_eq!(browser.get("/cli/device").await.status, 200);
        registry.later(15 * 60);
        assert_eq!(browser.get("/cli/device").await.status, 303);
        let audit = registry.admin().get("/api/registry/v1/audit?limit=200").await;
        assert!(audit.text().contains("session.confirm"));
    }

    /// Another session of the same user stays as it is, and one that was left open in another browser.
    async fn it_counts_for_one_session(registry) {
        let (browser, other) = (made(registry).await, registry.signed_in("ada").await);
        registry.later(15 * 60);
        assert_eq!(shows(&browser, PASSWORD).await, 303);
        let seen = [browser.get("/cli/device").await.status, other.get("/cli/device").await.status];
        assert_eq!(seen.map(|status| status.as_u16()), [200, 303]);
    }
}

/// The page of tokens can be read all the same, and says what is missing to make one.
#[tokio::test]
async fn the_page_of_tokens_leads_there() {
    let registry = TestRegistry::on_sqlite().start().await;
    let browser = made(&registry).await;
    registry.later(15 * 60);
    let page = browser.get("/settings/tokens").await;
    let to = r#"href="/sign-in/again?back=%2Fsettings%2Ftokens""#;
    assert!(page.status == 200 && page.text().contains(to), "{}", page.text());
    assert_eq!(browser.post("/settings/tokens", &[("scope", "read")]).await.status, 403);
    assert_eq!(shows(&browser, PASSWORD).await, 303);
    assert_eq!(browser.post("/settings/tokens", &[("scope", "read")]).await.status, 201);
}

/// So does that of members, for whoever may invite.
#[tokio::test]
async fn the_page_of_members_leads_there() {
    let registry = TestRegistry::on_sqlite().start().await;
    let browser = made(&registry).await;
    registry.organisation("team").await;
    registry.join("team", "ada", MemberRole::Owner).await;
    let form = "/settings/publishers/team/invitations\" method=\"post\"";
    let seen = async || browser.get("/settings/publishers/team").await.text().to_owned();
    assert!(seen().await.contains(form) && !seen().await.contains("/sign-in/again"));
    registry.later(15 * 60);
    let to = r#"href="/sign-in/again?back=%2Fsettings%2Fpublishers%2Fteam""#;
    assert!(!seen().await.contains(form) && seen().await.contains(to), "{}", seen().await);
}

/// Whoever has no password is told of a new link, which is a new session.
#[tokio::test]
async fn a_link_shows_it_again() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let browser = registry.signed_in("ada").await;
    registry.later(15 * 60);
    let page = browser.get("/sign-in/again").await;
    assert!(page.text().contains("skill login --link") && !page.text().contains("type=\"password\""));
    assert_eq!(shows(&browser, PASSWORD).await, 422);
    assert_eq!(browser.follow(&registry.link("ada").await).await.status, 303);
    assert_eq!(browser.get("/cli/device").await.status, 200);
}

/// Guesses count together, wherever the password is asked for.
#[tokio::test]
async fn whoever_found_an_open_browser_does_not_guess_for_long() {
    let registry = TestRegistry::on_sqlite().start().await;
    let browser = made(&registry).await;
    for _ in 0..3 {
        assert_eq!(shows(&browser, "wrong lantern on the hill").await, 422);
    }
    for _ in 0..2 {
        let fields = [
            ("before", "wrong lantern"),
            ("after", "a new one altogether"),
            ("again", "a new one altogether"),
        ];
        assert_eq!(browser.post("/settings/password", &fields).await.status, 422);
    }
    assert_eq!(shows(&browser, PASSWORD).await, 429);
    let fields = [("name", "ada"), ("password", PASSWORD)];
    assert_eq!(browser.post_from("same-origin", "/sign-in", &fields).await.status, 429);
}

/// What a session can do that gives away rights; a token is shown on purpose, and is not asked again.
#[tokio::test]
async fn which_acts_are_grave() {
    let registry = TestRegistry::on_sqlite().start().await;
    let browser = made(&registry).await;
    registry.later(15 * 60);
    for row in rows().filter(|row| matches!(row.shown, Shown::Session | Shown::Form)) {
        if matches!(row.act, Act::Open | Act::ChoosePassword) {
            continue;
        }
        let path = row.path.replace("{owner}", "ada").replace("{slug}", "tide");
        let answer = match row.shown {
            Shown::Form => made_late(&registry, &path).await,
            _ => browser.get(&path).await.status.as_u16(),
        };
        let asked = answer == if row.shown == Shown::Form { 403 } else { 303 };
        let again = row.path == "/sign-in/again";
        assert_eq!(asked && !again, row.act.is_grave(), "{} {}: {answer}", row.method, row.path);
    }
    let grave: Vec<String> =
        Act::ALL.iter().filter(|act| act.is_grave()).map(|act| format!("{act:?}")).collect();
    insta::assert_snapshot!(grave.join(" "), @"OfferTransfer AnswerTransfer Invite SetRole DeletePublisher MakeToken Restore Ban Grant SetSiteRole");
}

/// The status of a form that is sent in a session of its own, long after it began.
async fn made_late(registry: &TestRegistry, path: &str) -> u16 {
    let browser = registry.signed_in("ada").await;
    registry.later(15 * 60);
    let status = browser.post(path, &[]).await.status.as_u16();
    if status == 303 { 200 } else { status }
}
