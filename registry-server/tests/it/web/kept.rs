//! What is kept of an answer: by the registry until it changes, by a browser until it asks again, by nobody where a
//! token is needed.

use axum::body::Body;
use http::Method;
use http::header::IF_NONE_MATCH;
use skill_registry::auth::Scope;

use crate::support::{Caller, Skill, TestRegistry};

/// Every key that any route reads, and one that none does.
const KEYS: &[&str] = &[
    "cursor",
    "from",
    "hash",
    "limit",
    "mode",
    "nonSuspicious",
    "nonSuspiciousOnly",
    "os",
    "owner",
    "ownerHandle",
    "page",
    "path",
    "prefix",
    "preview",
    "q",
    "secrets",
    "show",
    "slug",
    "sort",
    "tag",
    "to",
    "utm",
    "verdict",
    "version",
    "view",
    "w",
];

/// An address of a route with the release that [`registry`] has.
fn address(template: &str) -> String {
    let path = template.replace("{owner}", "ada").replace("{slug}", "tides").replace("{version}", "1.0.0");
    path.replace("{file}", "style.css")
}

async fn registry(access: &str) -> (TestRegistry, Caller) {
    let registry = TestRegistry::on_sqlite().with(&format!("access.read = \"{access}\"")).start().await;
    let ada = registry.user("ada").await;
    Skill::new("tides").published(&ada).await;
    Skill::new("tides").file("new.md", "new").published(&ada).await;
    (registry, ada)
}

async fn change(registry: &TestRegistry, sql: &'static str) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    sqlx::query(sql).execute(tx.conn()).await.unwrap();
    tx.commit().await.unwrap();
}

/// Nobody gets an answer made anew by a key that its route does not read, or by another spelling of its address. Where
/// the table of skills is away only kept answers are 200, and the few that need no skill.
#[tokio::test]
async fn an_answer_is_kept_by_the_keys_that_its_route_reads() {
    let (registry, _) = registry("public").await;
    let anyone = registry.anonymous();
    let api = [
        "/api/v1/skills",
        "/api/v1/skills/{slug}",
        "/api/v1/skills/{slug}/versions",
        "/index/{owner}/{slug}",
    ];
    let routes: Vec<&str> = skill_registry::web::paths().chain(api).collect();
    for route in &routes {
        anyone.get(&address(route)).await;
    }
    change(&registry, "ALTER TABLE skills RENAME TO away").await;
    let mut shown = String::new();
    for route in routes {
        let path = address(route);
        let kept = anyone.get(&path).await.status == 200;
        let escaped = path.replace("tides", "t%69d%65s").replace("ada", "%61da");
        assert_eq!(anyone.get(&escaped).await.status == 200, kept, "{escaped}");
        let mut own = Vec::new();
        for key in KEYS.iter().copied().filter(|_| kept) {
            // A value that the key can have: what no filter knows is answered without a look at the table.
            let value = match key {
                "sort" => "name",
                "os" => "linux",
                "secrets" => "none",
                "verdict" => "clean",
                _ => "7",
            };
            let answer = anyone.get(&format!("{path}?{key}={value}")).await;
            own.extend((answer.status != 200).then_some(key));
        }
        let keys = if own.is_empty() { "no key".to_owned() } else { own.join(" ") };
        shown += &format!("{route}: {}\n", if kept { &keys } else { "not kept" });
    }
    change(&registry, "ALTER TABLE away RENAME TO skills").await;
    insta::assert_snapshot!(shown, @r"
    /static/{file}: not kept
    /robots.txt: no key
    /sitemap.xml: page
    /: no key
    /skills: os owner page secrets sort verdict
    /search: q
    /{owner}: page sort
    /{owner}/skills/{slug}: no key
    /{owner}/skills/{slug}/versions: page
    /{owner}/skills/{slug}/versions/{version}: no key
    /{owner}/skills/{slug}/files: page path version
    /{owner}/skills/{slug}/diff: from path to view w
    /{owner}/skills/{slug}/security: version
    /feed.atom: no key
    /{owner}/feed.atom: no key
    /{owner}/skills/{slug}/feed.atom: no key
    /{owner}/skills/{slug}/badge.svg: show
    /api/v1/skills: cursor limit nonSuspicious nonSuspiciousOnly prefix sort
    /api/v1/skills/{slug}: owner ownerHandle
    /api/v1/skills/{slug}/versions: cursor limit owner ownerHandle
    /index/{owner}/{slug}: no key
    ");
}

/// Every page, and what stands around the pages, has a tag that is honoured, for GET and for HEAD.
#[tokio::test]
async fn what_a_browser_has_is_not_sent_again() {
    let (registry, _) = registry("public").await;
    let anyone = registry.anonymous();
    for path in skill_registry::web::paths().filter(|path| !path.starts_with("/static/")).map(address) {
        let first = anyone.get(&path).await;
        // A badge is shown by other pages, whose readers ask for it often.
        let caching = if path.ends_with("/badge.svg") { "max-age=300" } else { "no-cache" };
        assert_eq!((first.status.as_u16(), first.header("cache-control")), (200, Some(caching)), "{path}");
        let tag = first.header("etag").unwrap_or_else(|| panic!("{path} has no tag"));
        for method in [Method::GET, Method::HEAD] {
            let ask = |tag: &str| anyone.request(method.clone(), &path).header(IF_NONE_MATCH, tag);
            let known = anyone.send(ask(tag).body(Body::empty()).unwrap()).await;
            assert_eq!((known.status.as_u16(), known.body.len()), (304, 0), "{method} {path}");
            assert_eq!((known.header("etag"), known.header("cache-control")), (Some(tag), Some(caching)));
            assert!(known.header("content-security-policy").is_some(), "{method} {path}");
            let other = anyone.send(ask("\"x\"").body(Body::empty()).unwrap()).await;
            assert_eq!(other.status, 200, "{method} {path}");
            assert_eq!(
                other.header("content-length").unwrap(),
                first.body.len().to_string(),
                "{method} {path}"
            );
        }
    }
}

/// What may be kept of each answer, to whoever may read, by what is said of it.
async fn caching(access: &str) -> std::collections::BTreeMap<String, Vec<String>> {
    let api = [
        "/api/v1/skills",
        "/api/v1/skills/{slug}",
        "/api/v1/skills/{slug}/versions",
        "/api/v1/skills/{slug}/file?path=SKILL.md",
        "/api/v1/skills/{slug}/file?path=SKILL.md&preview=1",
        "/api/v1/download?slug={slug}",
        "/index/{owner}/{slug}",
    ];
    let (registry, _) = registry(access).await;
    let reader = registry.token("ada", [Scope::Read]).await;
    let pages = skill_registry::web::paths().chain(["/ada/skills/tide", "/no/such/page"]);
    let mut said = std::collections::BTreeMap::<String, Vec<String>>::new();
    for path in pages.chain(api).map(address) {
        let answer = reader.get(&path).await;
        said.entry(answer.header("cache-control").unwrap_or("-").to_owned()).or_default().push(path);
    }
    said
}

/// A private registry leaves nothing on a machine that others use, whatever was asked of it; a public one has all asked
/// for again, so that a quarantine holds at once.
#[tokio::test]
async fn what_needs_a_token_is_kept_by_nobody() {
    let mut shown = String::new();
    for access in ["public", "token"] {
        shown += &format!("{access}: {:#?}\n", caching(access).await);
    }
    insta::assert_snapshot!(shown, @r#"
    public: {
        "max-age=300": [
            "/ada/skills/tides/badge.svg",
        ],
        "no-cache": [
            "/static/style.css",
            "/robots.txt",
            "/sitemap.xml",
            "/",
            "/skills",
            "/search",
            "/ada",
            "/ada/skills/tides",
            "/ada/skills/tides/versions",
            "/ada/skills/tides/versions/1.0.0",
            "/ada/skills/tides/files",
            "/ada/skills/tides/diff",
            "/ada/skills/tides/security",
            "/feed.atom",
            "/ada/feed.atom",
            "/ada/skills/tides/feed.atom",
            "/ada/skills/tide",
            "/no/such/page",
            "/api/v1/skills/tides/file?path=SKILL.md",
            "/api/v1/skills/tides/file?path=SKILL.md&preview=1",
            "/api/v1/download?slug=tides",
            "/index/ada/tides",
        ],
        "no-store": [
            "/api/v1/skills",
            "/api/v1/skills/tides",
            "/api/v1/skills/tides/versions",
        ],
    }
    token: {
        "no-store": [
            "/static/style.css",
            "/robots.txt",
            "/sitemap.xml",
            "/",
            "/skills",
            "/search",
            "/ada",
            "/ada/skills/tides",
            "/ada/skills/tides/versions",
            "/ada/skills/tides/versions/1.0.0",
            "/ada/skills/tides/files",
            "/ada/skills/tides/diff",
            "/ada/skills/tides/security",
            "/feed.atom",
            "/ada/feed.atom",
            "/ada/skills/tides/feed.atom",
            "/ada/skills/tides/badge.svg",
            "/ada/skills/tide",
            "/no/such/page",
            "/api/v1/skills",
            "/api/v1/skills/tides",
            "/api/v1/skills/tides/versions",
            "/api/v1/skills/tides/file?path=SKILL.md",
            "/api/v1/skills/tides/file?path=SKILL.md&preview=1",
            "/api/v1/download?slug=tides",
            "/index/ada/tides",
        ],
    }
    "#);
}
