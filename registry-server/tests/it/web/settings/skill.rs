//! What members do with a skill and its releases, each thing on a page of its own.

use http::Method;
use insta::assert_snapshot;
use serde_json::json;
use skill_registry::store::publishers::MemberRole;

use crate::support::{Answer, Browser, Caller, Skill, TestRegistry};
use crate::web::markup;

const SETTINGS: &str = "/ada/skills/tide/settings";

/// What a person reads of a page, without the blanks between.
fn read(answer: &Answer) -> String {
    let page = markup::read(answer.text()).unwrap_or_else(|wrong| panic!("{wrong}"));
    page.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn status(answer: &Answer) -> u16 {
    answer.status.as_u16()
}

/// Publishes `ada/tide` 1.0.0 and 1.1.0.
async fn published(registry: &TestRegistry) -> Caller {
    let ada = registry.user("ada").await;
    Skill::new("tide").version("1.0.0").published(&ada).await;
    Skill::new("tide").version("1.1.0").script("x.sh", "#!/bin/sh\n").published(&ada).await;
    ada
}

/// Opens the page of a deed and sends its form. Answers with what the page says will happen.
async fn does(browser: &Browser, deed: &str, version: &str, reason: &str) -> String {
    let path = format!("{SETTINGS}/{deed}");
    let asked = if version.is_empty() { path.clone() } else { format!("{path}?version={version}") };
    let page = browser.get(&asked).await;
    assert_eq!(status(&page), 200, "{asked}");
    let done = browser.post(&path, &[("version", version), ("reason", reason)]).await;
    assert_eq!((status(&done), done.header("location")), (303, Some(SETTINGS)), "{}", done.text());
    let said = read(&page);
    let said = said.split("What will happen ").nth(1).unwrap();
    said.split(" Leave it as it is").next().unwrap().to_owned()
}

/// The states of both releases, as the API says them.
async fn states(ada: &Caller) -> [u16; 2] {
    let mut states = [0; 2];
    for (state, version) in states.iter_mut().zip(["1.0.0", "1.1.0"]) {
        let answer = ada.get(&format!("/api/v1/skills/tide/versions/{version}?ownerHandle=ada")).await;
        *state = status(&answer);
    }
    states
}

on_both_engines! {
    async fn each_deed_and_what_takes_it_back(registry) {
        let ada = published(registry).await;
        let browser = registry.signed_in("ada").await;
        let links = |page: &Answer| {
            let page = markup::read(page.text()).unwrap();
            let links = page.all("a").map(|link| link.get("href").to_owned());
            links.filter_map(|href| href.strip_prefix(&format!("{SETTINGS}/")).map(str::to_owned)).collect::<Vec<_>>().join(" ")
        };
        let page = browser.get(SETTINGS).await;
        assert_snapshot!(links(&page), @"yank?version=1.1.0 withdraw?version=1.1.0 yank?version=1.0.0 withdraw?version=1.0.0 deprecate delete");

        let mut said = String::new();
        for (deed, version, reason, expected) in [
            ("yank", "1.1.0", "breaks <b>things", [200, 200]),
            ("unyank", "1.1.0", "", [200, 200]),
            ("withdraw", "1.0.0", "a mistake", [410, 200]),
            ("restore", "1.0.0", "", [200, 200]),
            ("deprecate", "", "use ada/other", [200, 200]),
            ("undeprecate", "", "", [200, 200]),
            ("delete", "", "over", [410, 410]),
            ("undelete", "", "not over", [200, 200]),
        ] {
            said += &format!("{deed}: {}\n", does(&browser, deed, version, reason).await);
            assert_eq!(states(&ada).await, expected, "{deed}");
            let page = browser.get(SETTINGS).await;
            let is_said = read(&page).contains(&reason.replace("<b>", "&lt;b&gt;"));
            assert!(is_said || ["delete", "undelete"].contains(&deed), "{deed}: {}", read(&page));
            let (yanked, deprecated) = (links(&page).contains("unyank"), links(&page).contains("undeprecate"));
            assert_eq!((yanked, deprecated), (deed == "yank", deed == "deprecate"), "{deed}");
            assert_eq!(read(&page).contains("Its bare name is kept for it until 30 December 2026"), deed == "delete");
        }
        assert_snapshot!(said, @r"
        yank: Nothing chooses it any more: neither an install without a version, nor a range, nor latest. Whoever has locked exactly it still gets it, with a warning that shows the reason. It is signed and logged with the reason, and stays in the log also when it is taken back. Why, for everybody to read Yank 1.1.0
        unyank: It can be chosen again. It is signed and logged with the reason, and stays in the log also when it is taken back. Why, for everybody to read; may stay empty Take the yank back of 1.1.0
        withdraw: Nobody can download it any more, and its files are shown to nobody. Copies that are installed still verify, with a warning. Its number stays used: no other files will ever have it. It is signed and logged with the reason, and stays in the log also when it is taken back. Why, for everybody to read Withdraw 1.0.0
        restore: It stands as it did before: one that was yanked is yanked. It is signed and logged with the reason, and stays in the log also when it is taken back. Why, for everybody to read; may stay empty Restore 1.0.0
        deprecate: Every install says so and repeats the message. Nothing is closed by it. It is not signed, and can be taken back. What to use instead, for everybody to read Deprecate tide
        undeprecate: Nothing advises against the skill any more. Take the deprecation back of tide
        delete: It has 2 releases. The bare name tide is kept for it until 30 December 2026; after that anybody may take it. Nobody can find or download any of its releases any more. Copies that are installed still verify, with a warning. Its numbers stay used, and only its publisher can bring it back. It is signed and logged with the reason, and stays in the log also when it is taken back. Why, for everybody to read Delete tide
        undelete: It has 2 releases. The bare name tide is its own again unless somebody took it meanwhile. Each of its releases stands as it did before. It is signed and logged with the reason, and stays in the log also when it is taken back. Why, for everybody to read; may stay empty Bring back tide
        ");
    }

    async fn tags_are_set_and_removed(registry) {
        let ada = published(registry).await;
        let browser = registry.signed_in("ada").await;
        let tags = async || ada.get("/api/v1/skills/tide?ownerHandle=ada").await.json()["skill"]["tags"].clone();
        for (tag, version) in [("stable", "1.0.0"), ("latest", "1.0.0")] {
            let done = browser.post(&format!("{SETTINGS}/tags"), &[("tag", tag), ("version", version)]).await;
            assert_eq!((status(&done), done.header("location")), (303, Some(SETTINGS)));
        }
        assert_eq!(tags().await, json!({ "latest": "1.0.0", "stable": "1.0.0" }));
        assert!(read(&browser.get(SETTINGS).await).contains("Somebody set it"));
        for tag in ["stable", "latest", "latest"] {
            assert_eq!(status(&browser.post(&format!("{SETTINGS}/tags/remove"), &[("tag", tag)]).await), 303);
        }
        assert_eq!(tags().await, json!({ "latest": "1.1.0" }));
        for (tag, version, expected) in
            [("", "1.0.0", 422), ("No Tag", "1.0.0", 422), ("stable", "x", 422), ("stable", "9.0.0", 404), ("stable", "", 422)]
        {
            let refused = browser.post(&format!("{SETTINGS}/tags"), &[("tag", tag), ("version", version)]).await;
            assert_eq!(status(&refused), expected, "{tag} {version}");
            assert!(read(&refused).contains("Nothing was changed"));
        }
    }
}

/// What is refused is said on the page of the deed, which keeps the reason.
#[tokio::test]
async fn a_deed_that_is_refused_keeps_its_reason() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = published(&registry).await;
    let browser = registry.signed_in("ada").await;
    let hide = "/api/registry/v1/moderation/releases/ada/tide/1.0.0/hide";
    assert_eq!(status(&registry.admin().post(hide, &json!({ "reason": "looked at" })).await), 200);
    let long = "x".repeat(501);
    let mut said = String::new();
    for (deed, version, reason) in [
        ("yank", "1.1.0", " "),
        ("yank", "1.1.0", long.as_str()),
        ("yank", "1.0.0", "kept \"<i>"),
        ("withdraw", "1.0.0", "kept"),
        ("deprecate", "", ""),
        ("deprecate", "", "\u{200b}"),
        ("delete", "", ""),
    ] {
        let answer =
            browser.post(&format!("{SETTINGS}/{deed}"), &[("version", version), ("reason", reason)]).await;
        let page = markup::read(answer.text()).unwrap();
        let text = read(&answer);
        let why =
            text.split("Nothing was changed ").nth(1).unwrap().split(" What will happen").next().unwrap();
        said += &format!("{deed} {version}: {} {why}\n", status(&answer));
        assert!(
            !reason.starts_with("kept")
                || page
                    .all("input")
                    .any(|field| field.get("name") == "reason" && field.get("value").starts_with("kept"))
        );
    }
    assert_snapshot!(said, @r"
    yank 1.1.0: 422 A reason is needed, so that others understand it.
    yank 1.1.0: 422 The reason has 501 bytes, at most 500 are kept.
    yank 1.0.0: 409 ada/tide@1.0.0 is quarantined, which a yank does not change.
    withdraw 1.0.0: 409 ada/tide@1.0.0 is quarantined, which a withdrawal does not change.
    deprecate : 422 A reason is needed, so that others understand it.
    deprecate : 422 A deprecation says what to do instead.
    delete : 422 A reason is needed, so that others understand it.
    ");
    assert_eq!(states(&ada).await, [403, 200]);
    for path in ["yank", "yank?version=", "yank?version=x", "yank?version=9.9.9", "none"] {
        assert_eq!(status(&browser.get(&format!("{SETTINGS}/{path}")).await), 404, "{path}");
    }
    assert_eq!(status(&browser.post(&format!("{SETTINGS}/yank"), &[("reason", "x")]).await), 404);
    // While a skill is deleted nothing but bringing it back is offered or done.
    does(&browser, "delete", "", "over").await;
    let refused =
        browser.post(&format!("{SETTINGS}/withdraw"), &[("version", "1.1.0"), ("reason", "x")]).await;
    assert_eq!(status(&refused), 409);
    let page = browser.get(SETTINGS).await;
    assert!(!page.text().contains("/settings/yank") && page.text().contains("/settings/undelete"));
}

/// A member does what the role allows and is offered no more; anybody else is told nothing.
#[tokio::test]
async fn who_does_what() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    let ada = registry.user("ada").await;
    registry.organisation("team").await;
    for (name, role) in [("ada", MemberRole::Owner), ("pia", MemberRole::Publisher)] {
        if name != "ada" {
            registry.add_user(name).await;
        }
        registry.join("team", name, role).await;
    }
    Skill::new("secret").owner("team").version("1.0.0").published(&ada).await;
    registry.add_user("mallory").await;
    let settings = "/team/skills/secret/settings";
    let pia = registry.signed_in("pia").await;
    let page = pia.get(settings).await;
    assert!(page.text().contains("/settings/deprecate") && !page.text().contains("/settings/delete"));
    assert_eq!(status(&pia.get(&format!("{settings}/delete")).await), 403);
    assert_eq!(status(&pia.post(&format!("{settings}/delete"), &[("reason", "x")]).await), 403);
    let ours = pia.get("/team/skills/secret").await;
    assert!(ours.text().contains(&format!(r#"<a href="{settings}">"#)));

    for stranger in [registry.signed_in("mallory").await, registry.signed_in("admin").await] {
        for path in ["", "/yank?version=1.0.0", "/withdraw?version=1.0.0", "/deprecate", "/delete"] {
            let there = stranger.get(&format!("{settings}{path}")).await;
            let not = stranger.get(&format!("/team/skills/xxcret/settings{path}")).await;
            assert_eq!(
                (status(&there), there.text().replace("secret", "xxcret")),
                (403, not.text().to_owned()),
                "{path}"
            );
        }
        assert_eq!(
            status(
                &stranger.post(&format!("{settings}/yank"), &[("version", "1.0.0"), ("reason", "x")]).await
            ),
            403
        );
        let theirs = stranger.get("/team/skills/secret").await;
        assert!(status(&theirs) == 200 && !theirs.text().contains("/settings\">Settings of this"));
    }
    let nobody = registry.anonymous();
    assert_eq!(status(&nobody.get(settings).await), 401);
    let body = nobody.request(Method::POST, &format!("{settings}/delete")).body(axum::body::Body::empty());
    assert_eq!(status(&nobody.send(body.unwrap()).await), 401);
}

#[tokio::test]
async fn many_releases_are_paged() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    for number in 0..53 {
        Skill::new("tide")
            .version(&format!("1.{number}.0"))
            .file("x.txt", number.to_string())
            .published(&ada)
            .await;
        registry.later(6);
    }
    let browser = registry.signed_in("ada").await;
    let (first, second) = (browser.get(SETTINGS).await, browser.get(&format!("{SETTINGS}?page=2")).await);
    assert!(read(&first).contains("Page 1 of 2") && first.text().contains("withdraw?version=1.52.0"));
    assert!(
        second.text().contains("withdraw?version=1.0.0") && !second.text().contains("withdraw?version=1.3.0")
    );
    assert_eq!(status(&browser.get(&format!("{SETTINGS}?page=3")).await), 404);
}
