//! What holds for every page: its headers, its weight, its one script, and how it is kept.

use axum::body::Body;
use http::Method;
use skill_registry::auth::Scope;

use super::markup;
use crate::support::{Skill, TestRegistry};

const PAGES: [&str; 11] = [
    "/",
    "/skills",
    "/skills?sort=name&os=linux&secrets=none&verdict=clean&owner=ada",
    "/search?q=github",
    "/ada",
    "/ada/skills/github",
    "/ada/skills/github/versions",
    "/ada/skills/github/files",
    "/ada/skills/github/files?path=SKILL.md",
    "/ada/skills/github/diff",
    "/ada/skills/github/security",
];

async fn registry() -> TestRegistry {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("github").published(&ada).await;
    Skill::new("github").script("run.sh", "#!/bin/sh\necho\n").published(&ada).await;
    registry
}

/// Every page, the pages of errors, and what is asked in a way that a page does not take.
#[tokio::test]
async fn every_page_has_its_headers() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    let errors = ["/nobody/skills/none", "/a/b/c", "/ada/skills/github/versions/9.9.9"];
    let mut asked: Vec<(Method, String)> =
        PAGES.into_iter().chain(errors).map(|path| (Method::GET, path.to_owned())).collect();
    for path in skill_registry::web::paths() {
        let path = path.replace("{owner}", "ada").replace("{slug}", "github").replace("{version}", "1.0.0");
        asked.push((Method::POST, path.replace("{file}", "style.css")));
    }
    for (method, path) in asked {
        let answer = anyone.send(anyone.request(method.clone(), &path).body(Body::empty()).unwrap()).await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("content-type", "text/html; charset=utf-8"),
            ("cache-control", "no-cache"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{method} {path}: {name}");
        }
        if method == Method::POST {
            assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, Some("GET,HEAD")), "{path}");
        }
        let page = markup::read(answer.text()).unwrap_or_else(|wrong| panic!("{path}: {wrong}"));
        assert_eq!(answer.header("content-security-policy"), Some(policy(&page).as_str()), "{method} {path}");
    }
}

/// The policy of a page: the files that it loads, by their names, and nothing else of this origin. Files of skills have
/// addresses here too.
fn policy(page: &markup::Page) -> String {
    let base = "http://127.0.0.1:8787";
    let link = |rel| page.all("link").find(|link| link.get("rel") == rel).unwrap().get("href");
    let script = page.all("script").next().unwrap().get("src");
    format!(
        "default-src 'none'; style-src {base}{}; img-src {base}{}; script-src {base}{script}; \
         connect-src {base}/api/v1/search; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        link("stylesheet"),
        link("icon"),
    )
}

/// A registry that is reached under another name than its own says so to the browser that does.
#[tokio::test]
async fn the_policy_names_the_host_that_was_asked() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    let request = anyone.request(Method::GET, "/").header("host", "localhost:9999").body(Body::empty());
    let answer = anyone.send(request.unwrap()).await;
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src http://127.0.0.1:8787/static/page-"), "{policy}");
    assert!(policy.contains(" localhost:9999/static/page-"), "{policy}");
}

/// Less than 100 KB with all that it loads, and one script that nothing waits for.
#[tokio::test]
async fn pages_are_light() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    for path in PAGES {
        let answer = anyone.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        let page = markup::read(answer.text()).unwrap();
        let scripts: Vec<_> = page.all("script").collect();
        assert!(scripts.len() == 1 && scripts[0].attributes.contains_key("defer"), "{path}");
        let loaded = page.all("link").filter(|link| matches!(link.get("rel"), "stylesheet" | "icon"));
        let mut weight = answer.body.len();
        for address in loaded.map(|link| link.get("href")).chain([scripts[0].get("src")]) {
            let file = anyone.get(address).await;
            assert_eq!(file.status, 200, "{address}");
            assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"));
            assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
            weight += file.body.len();
        }
        assert!(weight <= 100_000, "{path}: {weight} bytes");
    }
}

/// The stylesheet fetches nothing either.
#[tokio::test]
async fn the_stylesheet_stands_alone() {
    let registry = registry().await;
    let home = registry.anonymous().get("/").await;
    let page = markup::read(home.text()).unwrap();
    let style = page.all("link").find(|link| link.get("rel") == "stylesheet").unwrap().get("href");
    let style = registry.anonymous().get(style).await;
    assert!(!style.text().contains("url(") && !style.text().contains("@import"));
}

#[tokio::test]
async fn a_file_of_another_build_is_not_there() {
    let registry = registry().await;
    for path in ["/static/style.css", "/static/style-0000000000000000.css", "/static/..%2fCargo.toml"] {
        assert_eq!(registry.anonymous().get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_page_is_kept_until_the_registry_changes() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    let first = anyone.get("/ada/skills/github").await;
    let tag = first.header("etag").unwrap();
    assert_eq!(anyone.known("/ada/skills/github", tag).await.status, 304);
    let ada = registry.token("ada", [Scope::Read, Scope::Publish]).await;
    Skill::new("github").file("new.md", "new").published(&ada).await;
    assert_eq!(anyone.known("/ada/skills/github", tag).await.status, 200);
}

/// A page has one title of its own, one main heading, and says where its content lives.
#[tokio::test]
async fn every_page_names_itself() {
    let registry = registry().await;
    let mut titles = std::collections::BTreeSet::new();
    let mut shown = String::new();
    for path in PAGES {
        let answer = registry.anonymous().get(path).await;
        let page = markup::read(answer.text()).unwrap();
        assert_eq!(page.all("h1").count(), 1, "{path}");
        let title = answer.text().split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
        let canonical =
            page.all("link").find(|link| link.get("rel") == "canonical").map_or("-", |link| link.get("href"));
        let engines = page.all("meta").any(|meta| meta.get("name") == "robots");
        shown += &format!("{path}\n  {title}\n  {canonical}{}\n", if engines { ", noindex" } else { "" });
        titles.insert(title.to_owned());
    }
    assert!(titles.len() >= PAGES.len() - 1, "titles are shared: {titles:?}");
    insta::assert_snapshot!(shown, @r"
    /
      Agent skills: signed, scanned, yours to check · 127.0.0.1:8787
      http://127.0.0.1:8787/
    /skills
      Browse skills · 127.0.0.1:8787
      http://127.0.0.1:8787/skills
    /skills?sort=name&os=linux&secrets=none&verdict=clean&owner=ada
      Browse skills · 127.0.0.1:8787
      http://127.0.0.1:8787/skills?sort=name&amp;owner=ada&amp;os=linux&amp;secrets=none&amp;verdict=clean, noindex
    /search?q=github
      github: search · 127.0.0.1:8787
      -, noindex
    /ada
      ada: 1 skill · 127.0.0.1:8787
      http://127.0.0.1:8787/ada
    /ada/skills/github
      ada/github · 127.0.0.1:8787
      http://127.0.0.1:8787/ada/skills/github
    /ada/skills/github/versions
      Versions of ada/github · 127.0.0.1:8787
      http://127.0.0.1:8787/ada/skills/github/versions, noindex
    /ada/skills/github/files
      Files of ada/github · 127.0.0.1:8787
      http://127.0.0.1:8787/ada/skills/github/files, noindex
    /ada/skills/github/files?path=SKILL.md
      SKILL.md in ada/github · 127.0.0.1:8787
      http://127.0.0.1:8787/ada/skills/github/files?version=1.0.1&amp;path=SKILL.md, noindex
    /ada/skills/github/diff
      Changes of ada/github · 127.0.0.1:8787
      http://127.0.0.1:8787/ada/skills/github/diff, noindex
    /ada/skills/github/security
      Security of ada/github · 127.0.0.1:8787
      http://127.0.0.1:8787/ada/skills/github/security, noindex
    ");
}

#[tokio::test]
async fn what_is_not_there_leads_on() {
    let registry = registry().await;
    let answer = registry.anonymous().get("/ada/skills/githib").await;
    assert_eq!(answer.status, 404);
    let page = markup::read(answer.text()).unwrap();
    let links: Vec<_> =
        page.all("a").map(|link| link.get("href")).filter(|href| href.contains("/skills")).collect();
    assert!(links.contains(&"/ada/skills/github"), "{links:?}");
    assert!(answer.text().contains("<code>ada/githib</code>"));
    assert!(answer.text().contains("Request <span class=\"digest\">test</span>"));
}

/// Programs that miss a route are told so as programs, people as people.
#[tokio::test]
async fn programs_get_no_page() {
    let registry = registry().await;
    for (path, kind) in [
        ("/api/v1/nothing", "text/plain; charset=utf-8"),
        ("/api/registry/v1/nothing", "application/problem+json"),
        ("/.well-known/nothing", "application/problem+json"),
        ("/index/a", "application/problem+json"),
        ("/trust/nothing", "application/problem+json"),
        ("/nothing", "text/html; charset=utf-8"),
        ("/nothing/at/all", "text/html; charset=utf-8"),
    ] {
        let answer = registry.anonymous().get(path).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (404, Some(kind)), "{path}");
    }
}

#[tokio::test]
async fn search_engines_are_told_where_to_go() {
    let registry = TestRegistry::on_sqlite().start().await;
    // Names that begin as what is closed to engines does.
    for (owner, slug) in [
        ("filesystem", "diff-reviewer"),
        ("ada", "files-organiser"),
        ("searchlight", "search-all"),
        ("apiary", "api-map"),
        ("diffs", "diff-all"),
    ] {
        let user = registry.user(owner).await;
        Skill::new(slug).published(&user).await;
    }
    let anyone = registry.anonymous();
    let robots = anyone.get("/robots.txt").await;
    insta::assert_snapshot!(robots.shown(), @r"
    200 text/plain; charset=utf-8
    User-agent: *
    Disallow: /search$
    Disallow: /search?
    Disallow: /api/
    Disallow: /*/skills/*/diff$
    Disallow: /*/skills/*/diff?
    Disallow: /*/skills/*/files$
    Disallow: /*/skills/*/files?

    Sitemap: http://127.0.0.1:8787/sitemap.xml
    ");
    let map = anyone.get("/sitemap.xml").await;
    insta::assert_snapshot!(map.shown(), @r#"
    200 application/xml
    <?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    <url><loc>http://127.0.0.1:8787/searchlight/skills/search-all</loc><lastmod>2026-11-30</lastmod></url>
    <url><loc>http://127.0.0.1:8787/filesystem/skills/diff-reviewer</loc><lastmod>2026-11-30</lastmod></url>
    <url><loc>http://127.0.0.1:8787/apiary/skills/api-map</loc><lastmod>2026-11-30</lastmod></url>
    <url><loc>http://127.0.0.1:8787/ada/skills/files-organiser</loc><lastmod>2026-11-30</lastmod></url>
    <url><loc>http://127.0.0.1:8787/diffs/skills/diff-all</loc><lastmod>2026-11-30</lastmod></url>
    </urlset>
    "#);
    let rules: Vec<&str> = robots.text().lines().filter_map(|line| line.strip_prefix("Disallow: ")).collect();
    let is_closed = |address: &str| rules.iter().any(|rule| robots_match(rule, address));
    let listed = map.text().split("<loc>http://127.0.0.1:8787").skip(1);
    let mut open: Vec<&str> = listed.map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(open.len(), 5);
    open.extend(["/", "/skills", "/searchlight", "/search-tools", "/apiary", "/diffs", "/skills?page=2"]);
    for address in open {
        assert!(!is_closed(address), "{address}");
    }
    for address in [
        "/search",
        "/search?q=x",
        "/api/v1/skills",
        "/ada/skills/files-organiser/files",
        "/ada/skills/x/files?path=a",
        "/filesystem/skills/diff-reviewer/diff",
        "/ada/skills/x/diff?from=1.0.0",
    ] {
        assert!(is_closed(address), "{address}");
    }
}

/// Whether a rule is the beginning of an address, with `*` for anything and `$` for its end (RFC 9309 2.2.3).
fn robots_match(rule: &str, address: &str) -> bool {
    let Some((first, rest)) = rule.split_once('*') else {
        return match rule.strip_suffix('$') {
            Some(whole) => address == whole,
            None => address.starts_with(rule),
        };
    };
    address.strip_prefix(first).is_some_and(|tail| {
        let ends = (0..=tail.len()).filter(|&at| tail.is_char_boundary(at));
        ends.into_iter().any(|at| robots_match(rest, &tail[at..]))
    })
}
