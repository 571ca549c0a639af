//! Signing in by name and password.

use futures_util::future::join_all;
use skill_registry::accounts::{self, SignInError};
use skill_registry::auth::Scope;

use crate::support::{Answer, Browser, TestRegistry};

const PASSWORD: &str = "correct horse battery";
const OTHER: &str = "eleven quiet lanterns";

async fn has(registry: &TestRegistry, name: &str, password: &str) {
    let (db, entropy) = (registry.app.db(), registry.app.entropy());
    let name = name.parse().unwrap();
    accounts::set_password_as_operator(db, entropy, &name, password, "test").await.unwrap();
}

async fn shows(browser: &Browser, name: &str, password: &str) -> Answer {
    browser.post_from("same-origin", "/sign-in", &[("name", name), ("password", password)]).await
}

async fn chooses(browser: &Browser, before: &str, after: &str) -> Answer {
    let fields = [("before", before), ("after", after), ("again", after)];
    browser.post("/settings/password", &fields).await
}

async fn is_in(browser: &Browser) -> bool {
    browser.get("/settings/sessions").await.status == 200
}

/// Status, and what the page tells whoever was not signed in.
fn told(answer: &Answer) -> String {
    let told = answer.text().split(r#"id="told">"#).nth(1);
    let told = told.and_then(|rest| rest.split('<').next()).unwrap_or_default();
    format!("{} {told}", answer.status.as_u16())
}

async fn stored(registry: &TestRegistry, name: &str) -> String {
    let mut conn = registry.app.db().read().await.unwrap();
    let query = sqlx::query_scalar("SELECT password_hash FROM users WHERE name = $1").bind(name.to_owned());
    query.fetch_one(&mut *conn).await.unwrap()
}

on_both_engines! {
    async fn name_and_password_sign_in(registry) {
        registry.add_user("ada").await;
        has(registry, "ada", PASSWORD).await;
        let browser = registry.browser();
        let page = browser.get("/sign-in?back=/cli/device").await;
        assert!(page.text().contains(r#"name="back" value="/cli/device""#), "{}", page.text());
        assert_eq!(told(&shows(&browser, "ada", OTHER).await), "422 Name or password does not match.");
        assert!(!is_in(&browser).await);

        let fields = [("name", " Ada "), ("password", PASSWORD), ("back", "/cli/device")];
        let done = browser.post_from("same-origin", "/sign-in", &fields).await;
        assert_eq!((done.status.as_u16(), done.header("location")), (303, Some("/cli/device")));
        let set = done.header("set-cookie").unwrap();
        assert!(set.ends_with("; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax"), "{set}");
        let who = browser.get("/api/registry/v1/whoami").await.json();
        assert_eq!((&who["user"], &who["scopes"]), (&"ada".into(), &serde_json::json!(["read", "publish"])));
        assert!(who["expiresAt"].is_null());
        let page = browser.get("/settings/sessions").await;
        assert!(page.text().contains("Test/1.0") && page.text().contains("192.0.2.7"));
    }

    /// Whoever tries names is not told which there are: neither by the page, nor by what it costs, nor by how soon the
    /// next guess is looked at.
    async fn a_name_that_nobody_has_is_answered_alike(registry) {
        registry.add_user("ada").await;
        registry.add_user("bare").await;
        has(registry, "ada", PASSWORD).await;
        let mut all = Vec::new();
        for (name, from) in [("ada", "192.0.2.1"), ("bare", "192.0.2.2"), ("nobody", "192.0.2.3"), ("No One!", "192.0.2.4")] {
            let browser = registry.browser().at(from);
            let mut seen = Vec::new();
            for _ in 0..6 {
                let before = registry.app.passwords().computed();
                let answer = shows(&browser, name, OTHER).await;
                let cost = registry.app.passwords().computed() - before;
                let page = answer.text().replace(name, "NAME").replace(&format!("value=\"{}\"", name.trim()), "");
                seen.push((answer.status, answer.headers.len(), page, cost));
            }
            all.push(seen);
        }
        assert!(all.iter().all(|seen| *seen == all[0]), "{all:#?}");
        let statuses: Vec<(u16, u64)> = all[0].iter().map(|(status, _, _, cost)| (status.as_u16(), *cost)).collect();
        assert_eq!(statuses, [(422, 1), (422, 1), (422, 1), (422, 1), (422, 1), (429, 0)]);
    }

    async fn whoever_guesses_waits_and_nobody_else(registry) {
        registry.add_user("ada").await;
        has(registry, "ada", PASSWORD).await;
        let (guesser, owner) = (registry.browser().at("198.51.100.9"), registry.browser().at("192.0.2.1"));
        for _ in 0..5 {
            assert_eq!(shows(&guesser, "ada", OTHER).await.status, 422);
        }
        // Also the right one is not looked at, and that costs no more.
        for _ in 0..3 {
            let slow = "429 Too many wrong passwords were tried here. The next one is looked at in 2 seconds.";
            assert_eq!(told(&shows(&guesser, "ada", PASSWORD).await), slow);
        }
        assert_eq!(shows(&owner, "ada", PASSWORD).await.status, 303);
        registry.later(2);
        assert_eq!(shows(&guesser, "ada", OTHER).await.status, 422);
        registry.later(3);
        assert_eq!(shows(&guesser, "ada", OTHER).await.status, 429);
        registry.later(1);
        assert_eq!(shows(&guesser, "ada", PASSWORD).await.status, 303);
        // The right one wipes the slate.
        for _ in 0..5 {
            assert_eq!(shows(&guesser, "ada", OTHER).await.status, 422);
        }
    }

    /// Those who guess at once are counted one after the other.
    async fn guesses_at_once_are_no_more(registry) {
        registry.add_user("ada").await;
        has(registry, "ada", PASSWORD).await;
        let browser = registry.browser();
        let answers = join_all((0..12).map(|_| shows(&browser, "ada", OTHER))).await;
        let looked_at = answers.iter().filter(|answer| answer.status == 422).count();
        assert!(looked_at <= 5, "{looked_at} of 12 were looked at");
    }

    /// Changed by its owner, in the session where that is done; what was signed in before ends, tokens stay.
    async fn a_password_is_changed(registry) {
        let ada = registry.user("ada").await;
        has(registry, "ada", PASSWORD).await;
        let (here, there) = (registry.browser(), registry.browser());
        shows(&here, "ada", PASSWORD).await;
        shows(&there, "ada", PASSWORD).await;
        let link = registry.link("ada").await;

        assert_eq!(told(&chooses(&here, OTHER, OTHER).await), "422 The present password does not match.");
        assert_eq!(told(&chooses(&here, "", OTHER).await), "422 The present password does not match.");
        for weak in ["short", "aaaaaaaaaaaaaaaa", &"x".repeat(257)] {
            assert_eq!(chooses(&here, PASSWORD, weak).await.status, 422, "{weak}");
        }
        let fields = [("before", PASSWORD), ("after", OTHER), ("again", "eleven quiet lantern")];
        let answer = here.post("/settings/password", &fields).await;
        assert_eq!(told(&answer), "422 The new password was not typed twice alike.");
        assert!(is_in(&there).await);

        let done = chooses(&here, PASSWORD, OTHER).await;
        assert!(done.status == 200 && done.text().contains("is the new one from now on"), "{}", done.text());
        assert_eq!((is_in(&here).await, is_in(&there).await), (true, false));
        assert_eq!(registry.browser().follow(&link).await.status, 410);
        assert_eq!(ada.get("/api/registry/v1/whoami").await.status, 200);
        assert_eq!(shows(&there, "ada", PASSWORD).await.status, 422);
        assert_eq!(shows(&there, "ada", OTHER).await.status, 303);
        has(registry, "ada", PASSWORD).await;
        assert_eq!((is_in(&here).await, is_in(&there).await), (false, false));
    }

    /// Neither in the database, nor in the audit log.
    async fn no_password_is_kept(registry) {
        registry.add_user("ada").await;
        has(registry, "ada", PASSWORD).await;
        let browser = registry.browser();
        shows(&browser, "ada", "wrong lantern on the hill").await;
        shows(&browser, "ada", PASSWORD).await;
        chooses(&browser, PASSWORD, OTHER).await;
        let audit = registry.admin().get("/api/registry/v1/audit?limit=200").await;
        for action in ["password.set", "session.begin", "password.choose"] {
            assert!(audit.text().contains(action), "{action}");
        }
        let kept = stored(registry, "ada").await;
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$") && !audit.text().contains(&kept));
        let mut all = audit.text().to_owned();
        for entry in fs_err::read_dir(registry.data()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                all += &String::from_utf8_lossy(&fs_err::read(path).unwrap());
            }
        }
        for secret in [PASSWORD, OTHER, "wrong lantern"] {
            assert!(!all.contains(secret), "{secret}");
        }
    }
}

/// Fifty wrong ones an hour close the name to passwords, from wherever they came. A link still signs in.
#[tokio::test]
async fn nobody_locks_a_name_out_of_its_link() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    has(&registry, "ada", PASSWORD).await;
    for n in 0..50 {
        let guesser = registry.browser().at(&format!("198.51.100.{n}"));
        assert_eq!(shows(&guesser, "ada", OTHER).await.status, 422);
    }
    let owner = registry.browser().at("192.0.2.1");
    let closed = "429 Too many wrong passwords were tried for this name. None is looked at for 60 minutes; a link signs in now.";
    assert_eq!(told(&shows(&owner, "ada", PASSWORD).await), closed);
    assert_eq!(told(&shows(&owner, "ADA", PASSWORD).await), closed);
    let browser = registry.signed_in("ada").await;
    assert!(is_in(&browser).await);
    registry.later(60 * 60);
    assert_eq!(shows(&owner, "ada", PASSWORD).await.status, 303);
}

/// Who tries one password at many names: a hundred an hour from one network, of IPv6 one /64.
#[tokio::test]
async fn one_network_tries_a_hundred_names() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    has(&registry, "ada", PASSWORD).await;
    for n in 0..100 {
        let guesser = registry.browser().at(&format!("2001:db8::{n:x}"));
        assert_eq!(shows(&guesser, &format!("name-{n}"), OTHER).await.status, 422);
    }
    assert_eq!(shows(&registry.browser().at("2001:db8::ffff"), "ada", PASSWORD).await.status, 429);
    assert_eq!(shows(&registry.browser().at("2001:db8:0:1::1"), "ada", PASSWORD).await.status, 303);
}

/// One that was kept when it cost less is kept anew at the next sign-in.
#[tokio::test]
async fn an_old_password_is_kept_anew() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let old =
        "$argon2id$v=19$m=64,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$lqiL4VyWibGbFFOhtqk/XGMMWt8/3hvZrQjOuOga2lQ";
    let mut tx = registry.app.db().quiet().await.unwrap();
    let set = sqlx::query("UPDATE users SET password_hash = $1 WHERE name = 'ada'").bind(old);
    set.execute(tx.conn()).await.unwrap();
    tx.commit().await.unwrap();
    let words = "correct horse battery staple";
    assert_eq!(shows(&registry.browser(), "ada", "another one of them").await.status, 422);
    assert_eq!(stored(&registry, "ada").await, old);
    assert_eq!(shows(&registry.browser(), "ada", words).await.status, 303);
    assert!(stored(&registry, "ada").await.contains("m=19456"));
    assert_eq!(shows(&registry.browser(), "ada", words).await.status, 303);
}

/// A session that was planted, or is somebody else's, is not the one that a password signs in.
#[tokio::test]
async fn a_password_begins_a_new_session() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    has(&registry, "ada", PASSWORD).await;
    let browser = registry.browser();
    let planted = format!("session=sks_{}", "0".repeat(64));
    browser.plant(&planted);
    shows(&browser, "ada", PASSWORD).await;
    let first = browser.cookie().unwrap();
    assert_ne!(first, planted);
    shows(&browser, "ada", PASSWORD).await;
    assert_ne!(browser.cookie().unwrap(), first);
    let old = registry.browser();
    old.plant(&first);
    assert!(!is_in(&old).await && is_in(&browser).await);
}

/// Whatever stands in the form, nobody is led out of the registry.
#[tokio::test]
async fn signing_in_leads_nowhere_else() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    has(&registry, "ada", PASSWORD).await;
    for back in
        ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:x", "/\t/evil.example"]
    {
        let fields = [("name", "ada"), ("password", PASSWORD), ("back", back)];
        let done = registry.browser().post_from("same-origin", "/sign-in", &fields).await;
        assert_eq!(done.header("location"), Some("/"), "{back}");
        let page = registry.browser().get(&format!("/sign-in?back={}", back.replace('\t', "%09"))).await;
        assert!(page.text().contains(r#"name="back" value="""#), "{back}");
    }
    let foreign = [("name", "ada"), ("password", PASSWORD)];
    let done = registry.browser().post_from("cross-site", "/sign-in", &foreign).await;
    assert_eq!((done.status.as_u16(), done.header("set-cookie")), (403, None));
}

#[tokio::test]
async fn an_account_that_is_closed_has_no_password() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    has(&registry, "ada", PASSWORD).await;
    let mut tx = registry.app.db().quiet().await.unwrap();
    let close = sqlx::query("UPDATE users SET disabled_at = 1 WHERE name = 'ada'");
    close.execute(tx.conn()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(shows(&registry.browser(), "ada", OTHER).await.status, 422);
    let browser = registry.browser();
    assert_eq!(shows(&browser, "ada", PASSWORD).await.status, 401);
    assert!(!is_in(&browser).await);
}

/// A session of a token's link ends with the token; a first password would not, and is not taken in it.
#[tokio::test]
async fn a_first_password_reaches_no_further_than_its_session() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let reads = registry.token("ada", [Scope::Read]).await;
    for token in [&ada, &reads] {
        let made = token.post("/api/registry/v1/sign-in-links", &serde_json::json!({})).await.json();
        let browser = registry.browser();
        browser.follow(made["url"].as_str().unwrap().rsplit('/').next().unwrap()).await;
        assert_eq!(browser.get("/settings/password").await.status, 409);
        assert_eq!(chooses(&browser, "", PASSWORD).await.status, 409);
    }
    let browser = registry.signed_in("ada").await;
    registry.later(15 * 60);
    let late = browser.get("/settings/password").await;
    let to = "/sign-in/again?back=%2Fsettings%2Fpassword";
    assert_eq!((late.status.as_u16(), late.header("location")), (303, Some(to)));
    assert_eq!(chooses(&browser, "", PASSWORD).await.status, 403);
    let browser = registry.signed_in("ada").await;
    assert_eq!(browser.get("/settings/password").await.status, 200);
    assert_eq!(chooses(&browser, "", PASSWORD).await.status, 200);
    assert_eq!(shows(&registry.browser(), "ada", PASSWORD).await.status, 303);
}

#[tokio::test]
async fn where_passwords_are_off() {
    let registry = TestRegistry::on_sqlite().with("sign_in.password = 'off'").start().await;
    registry.add_user("ada").await;
    has(&registry, "ada", PASSWORD).await;
    let page = registry.browser().get("/sign-in").await;
    assert!(!page.text().contains("type=\"password\"") && page.text().contains("skill login --link"));
    assert_eq!(shows(&registry.browser(), "ada", PASSWORD).await.status, 409);
    let browser = registry.signed_in("ada").await;
    assert_eq!(chooses(&browser, PASSWORD, OTHER).await.status, 409);
    assert_eq!(browser.post("/sign-in/again", &[("password", PASSWORD)]).await.status, 409);
    assert_eq!(registry.app.passwords().computed(), 0);
}

#[tokio::test]
async fn a_password_goes_over_no_network_in_the_clear() {
    let registry = TestRegistry::on_sqlite().with("public_url = 'http://skills.example'").start().await;
    registry.add_user("ada").await;
    has(&registry, "ada", PASSWORD).await;
    let page = registry.browser().get("/sign-in").await;
    assert!(!page.text().contains("<form class=\"ask"), "{}", page.text());
    let answer = shows(&registry.browser(), "ada", PASSWORD).await;
    assert_eq!((answer.status.as_u16(), answer.header("set-cookie")), (409, None));
}

#[tokio::test]
async fn the_operator_gives_a_password_to_a_user_that_there_is() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let (db, entropy) = (registry.app.db(), registry.app.entropy());
    let set = async |name: &str, password: &str| {
        let name = name.parse().unwrap();
        accounts::set_password_as_operator(db, entropy, &name, password, "test").await
    };
    assert!(matches!(set("bob", PASSWORD).await, Err(SignInError::UserUnknown { .. })));
    assert!(matches!(set("ada", "short").await, Err(SignInError::Choice(_))));
    assert_eq!(set("ada", PASSWORD).await.unwrap(), 0);
}
