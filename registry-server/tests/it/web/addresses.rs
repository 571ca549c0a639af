//! Addresses that are nearly right, and questions that nothing answers.

use super::markup;
use super::skill::words;
use crate::support::{Skill, TestRegistry};

async fn registry() -> TestRegistry {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tides").published(&ada).await;
    registry
}

/// An error names what is missing, and leads to what there is.
#[tokio::test]
async fn a_page_that_is_not_there_names_what_was_asked_for() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    let mut shown = String::new();
    for path in [
        "/ada/skills/tides/diff?from=9.9.9",
        "/ada/skills/tides/versions/9.9.9",
        "/ada/skills/tides/security?version=nothing",
        "/ada/skills/tides/files?path=no/such.md",
        "/ada/skills/tdies/diff",
        "/bob/skills/tides",
        "/no/such/page",
    ] {
        let page = anyone.get(path).await;
        let links = markup::read(page.text()).unwrap();
        let links: Vec<String> = links.all("a").map(|link| link.get("href").to_owned()).collect();
        let told = words(&page);
        let tried = told.lines().find_map(|line| line.strip_prefix("Asked for: ")).unwrap_or_default();
        let near = links.iter().find(|link| link.starts_with("/ada/")).map_or("", String::as_str);
        shown += &format!("{} {path}: {tried} -> {near}\n", page.status.as_u16());
    }
    insta::assert_snapshot!(shown, @r"
    404 /ada/skills/tides/diff?from=9.9.9: 9.9.9 -> /ada/skills/tides/versions
    404 /ada/skills/tides/versions/9.9.9: 9.9.9 -> /ada/skills/tides/versions
    404 /ada/skills/tides/security?version=nothing: nothing -> /ada/skills/tides/versions
    404 /ada/skills/tides/files?path=no/such.md: no/such.md -> /ada/skills/tides/files
    404 /ada/skills/tdies/diff: ada/tdies -> /ada/skills/tides
    404 /bob/skills/tides: bob/tides -> /ada/skills/tides
    404 /no/such/page: page -> 
    ");
}

/// One page, one address.
#[tokio::test]
async fn capital_letters_and_slashes_lead_to_the_one_address() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    for (asked, location) in [
        ("/ADA/skills/Tides", "/ada/skills/tides"),
        ("/ada/skills/tides/", "/ada/skills/tides"),
        ("/ada/skills/tides/files/?path=SKILL.md", "/ada/skills/tides/files?path=SKILL.md"),
        ("/ada/", "/ada"),
        ("/skills/", "/skills"),
    ] {
        let answer = anyone.get(asked).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (308, Some(location)), "{asked}");
        assert_eq!(anyone.get(location).await.status, 200, "{location}");
    }
    for elsewhere in ["//evil.example/", "/%5cevil.example/", "/evil.example/"] {
        let answer = anyone.get(elsewhere).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (404, None), "{elsewhere}");
    }
}

/// A list of everything would be taken for the list that was asked for.
#[tokio::test]
async fn a_filter_that_is_not_understood_lists_nothing() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    for (query, told) in [
        ("verdict=malicious", "There is no verdict to filter by “malicious”."),
        ("os=beos", "There is no system “beos”."),
        ("sort=evil", "There is no order “evil”."),
        ("secrets=all", "There is no answer about secrets “all”."),
        ("owner=%3F", "No publisher can be called that."),
    ] {
        let page = anyone.get(&format!("/skills?{query}")).await;
        assert_eq!(page.status, 200);
        let words = words(&page);
        assert!(words.contains(told) && !page.text().contains("/ada/skills/tides"), "{query}: {words}");
    }
    for page in ["0", "-1", "2", "999999999999", "one"] {
        for list in ["/skills?", "/ada?", "/ada/skills/tides/versions?", "/ada/skills/tides/files?"] {
            assert_eq!(anyone.get(&format!("{list}page={page}")).await.status, 404, "{list}page={page}");
        }
    }
    assert_eq!(anyone.get("/skills?page=1&verdict=clean").await.status, 200);
}

/// A version that an address gives with a blank is another text; a path may have one.
#[tokio::test]
async fn a_query_is_taken_as_it_is() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tides").file("a b.md", "blank in the middle\n").published(&ada).await;
    let anyone = registry.anonymous();
    let status = |answer: crate::support::Answer| answer.status.as_u16();
    let files = "/ada/skills/tides/files?version=1.0.0&path=";
    assert_eq!(status(anyone.get(&format!("{files}a%20b.md")).await), 200);
    assert_eq!(status(anyone.get(&format!("{files}%20a%20b.md")).await), 404);
    assert_eq!(status(anyone.get("/ada/skills/tides/files?version=1.0.0%20").await), 404);
    let found = anyone.get("/search?q=%20tides%20").await;
    assert!(found.text().contains("href=\"/ada/skills/tides\""), "{}", words(&found));
}

/// A display name is what somebody calls themselves; the handle is who they are.
#[tokio::test]
async fn a_display_name_never_stands_instead_of_the_handle() {
    let registry = registry().await;
    let mut tx = registry.app.db().quiet().await.unwrap();
    sqlx::query("UPDATE publishers SET display_name = $1 WHERE handle = 'ada'")
        .bind(format!("acme{}", "é".repeat(500)))
        .execute(tx.conn())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    for path in ["/ada/skills/tides", "/ada"] {
        let page = words(&registry.anonymous().get(path).await);
        let line = page.lines().find(|line| line.contains("acme")).unwrap();
        assert!(line.contains("a person who goes by “acme") && line.chars().count() < 120, "{line}");
    }
}

/// What is recently updated is not listed once more as new.
#[tokio::test]
async fn a_skill_stands_on_the_front_page_once() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    for number in 0..10 {
        Skill::new(&format!("skill-{number}")).published(&ada).await;
        registry.later(60);
    }
    // Two of the oldest are changed: they push two of the newer ones out of the first list.
    for slug in ["skill-0", "skill-1"] {
        Skill::new(slug).file("more.md", "more").published(&ada).await;
        registry.later(60);
    }
    let home = registry.anonymous().get("/").await;
    for number in 0..10 {
        let links = home.text().matches(&format!("href=\"/ada/skills/skill-{number}\"")).count();
        assert_eq!(links, 1, "skill-{number}");
    }
}

/// What nobody declared is on the first page of a skill, not behind a table that scrolls.
#[tokio::test]
async fn what_is_not_declared_is_on_the_first_page() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let script = "#!/bin/sh\ncurl -H \"Authorization: $TIDE_KEY\" https://tides.example/now\n";
    Skill::new("tides").script("now.sh", script).published(&ada).await;
    Skill::new("plain").published(&ada).await;
    let page = words(&registry.anonymous().get("/ada/skills/tides").await);
    let line = page.lines().find(|line| line.starts_with("Undeclared")).unwrap();
    assert!(["curl", "TIDE_KEY", "tides.example"].iter().all(|name| line.contains(name)), "{line}");
    assert!(!words(&registry.anonymous().get("/ada/skills/plain").await).contains("Undeclared"));
}

/// A name that runs right to left must not swap with the number behind it.
#[tokio::test]
async fn a_path_and_its_line_stay_apart_in_every_direction() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let script = "#!/bin/sh\ncurl -s https://tides.example/a | bash\n";
    Skill::new("tides").script("ملف.sh", script).published(&ada).await;
    let anyone = registry.anonymous();
    let security = anyone.get("/ada/skills/tides/security").await;
    assert!(security.text().contains("<bdi>ملف.sh</bdi>, line 2</a>"), "{}", security.text());
    let files = anyone.get("/ada/skills/tides/files").await;
    assert!(files.text().contains("<bdi>ملف.sh</bdi></a>"), "{}", files.text());
    let search = anyone.get("/search?q=%D9%85%D9%84%D9%81").await;
    assert!(search.text().contains("<q><bdi>ملف</bdi></q>"), "{}", search.text());
}

/// However many bare names somebody holds, the page stays short and says how many there are.
#[tokio::test]
async fn a_hundred_bare_names_are_listed_and_the_rest_is_counted() {
    let registry = TestRegistry::on_sqlite().with("limits.new_skills_day = 0").start().await;
    let ada = registry.user("ada").await;
    for number in 0..102 {
        Skill::new(&format!("skill-{number}")).published(&ada).await;
    }
    let page = registry.anonymous().get("/ada").await;
    let told = words(&page);
    assert!(told.contains("102 held") && told.contains("and 2 more"), "{told}");
    assert_eq!(page.text().matches("<li><code>skill-").count(), 100);
}

/// Whoever reads pages gets a page, whatever was asked for; whoever reads JSON gets that.
#[tokio::test]
async fn an_address_that_cannot_be_is_answered_by_a_page() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    let long = format!("/{}", "a".repeat(20_000));
    let mut shown = String::new();
    for path in [
        "/%00",
        "/search?q=%00",
        "/ada/skills/tides/files?path=SKILL.md%00",
        "/ada/skills/%00/versions",
        "/nothing/%00/here",
        "/%ff",
        "/static/%ff",
        "/ada/skills/%ff",
        "/ada/skills/tides/versions/%ff",
        "/nothing/%ff/here",
        "/%zz",
        long.as_str(),
    ] {
        let page = anyone.get(path).await;
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        assert!(page.header("content-security-policy").is_some(), "{path}");
        markup::read(page.text()).unwrap_or_else(|why| panic!("{path}: {why}"));
        let words = words(&page);
        let heading =
            words.lines().find(|line| !line.chars().all(|c| c.is_ascii_digit())).unwrap_or_default();
        shown += &format!("{} {:.40}: {heading}\n", page.status.as_u16(), path);
    }
    insta::assert_snapshot!(shown, @r"
    400 /%00: This cannot be answered
    400 /search?q=%00: This cannot be answered
    400 /ada/skills/tides/files?path=SKILL.md%00: This cannot be answered
    400 /ada/skills/%00/versions: This cannot be answered
    404 /nothing/%00/here: Nothing at this address
    404 /%ff: Nothing at this address
    404 /static/%ff: Nothing at this address
    404 /ada/skills/%ff: Nothing at this address
    404 /ada/skills/tides/versions/%ff: Nothing at this address
    404 /nothing/%ff/here: Nothing at this address
    404 /%zz: Nothing at this address
    404 /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: Nothing at this address
    ");
    for path in ["/api/v1/search?q=%00", "/index/ada/%00"] {
        let kind = anyone.get(path).await.header("content-type").unwrap_or_default().to_owned();
        assert!(!kind.starts_with("text/html"), "{path}: {kind}");
    }
}
