use serde_json::json;
use skill_core::state::ReleaseState;

use crate::publish::malicious::hidden;
use crate::support::states::{bring, put_into};
use crate::support::{Answer, Skill, TestRegistry};

/// Elements of a feed (RFC 4287) that these have, and what each may stand in.
const ELEMENTS: &[(&str, &[&str])] = &[
    ("feed", &[""]),
    ("id", &["feed", "entry"]),
    ("title", &["feed", "entry"]),
    ("updated", &["feed", "entry"]),
    ("published", &["entry"]),
    ("author", &["feed", "entry"]),
    ("name", &["author"]),
    ("entry", &["feed"]),
    ("summary", &["entry"]),
];

/// Reads a feed more strictly than any program does: the texts of its elements, each with its name.
fn read(xml: &str) -> Vec<(String, String)> {
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(xml.chars().all(allowed), "a character that XML does not have");
    let (mut open, mut texts) = (vec![String::new()], Vec::new());
    while let Some(at) = rest.find('<') {
        let (text, tail) = rest.split_at(at);
        assert!(!text.contains('>'), "{text}");
        for (at, _) in text.match_indices('&') {
            let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
            assert!(known.iter().any(|entity| text[at..].starts_with(entity)), "{text}");
        }
        let (tag, tail) = tail[1..].split_once('>').expect("a tag that ends");
        rest = tail;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().unwrap(), name);
            texts.push((name.to_owned(), text.to_owned()));
        } else if let Some(link) = tag.strip_prefix("link ") {
            let href = link.split("href=\"").nth(1).unwrap().strip_suffix("\"/").unwrap();
            assert!(href.starts_with("http://127.0.0.1:8787/") && link.matches('"').count() == 6, "{tag}");
        } else {
            let name = tag.split(' ').next().unwrap();
            let (_, inside) =
                ELEMENTS.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("<{tag}>"));
            assert!(inside.contains(&open.last().unwrap().as_str()), "<{tag}> in {open:?}");
            open.push(name.to_owned());
        }
    }
    assert_eq!((open.len(), rest), (1, "\n"));
    texts
}

/// The titles of its entries.
fn titles(answer: &Answer) -> Vec<String> {
    let texts = read(answer.text()).into_iter();
    texts.filter(|(name, _)| name == "title").skip(1).map(|(_, text)| text).collect()
}

fn shown(registry: &TestRegistry, answer: &Answer) -> String {
    read(answer.text());
    answer.text().replace(&registry.app.registry_id().to_string(), "ID")
}

on_both_engines! {
    async fn a_feed_in_full(registry) {
        let ada = registry.user("ada").await;
        let demo = Skill::new("demo");
        demo.clone().published(&ada).await;
        registry.later(60);
        demo.file("a.txt", "a").version("1.1.0").meta("changelog", "Reads <more> & faster").published(&ada).await;
        registry.later(60);
        let yank = json!({"reason": "it lost files"});
        ada.post("/api/registry/v1/skills/ada/demo/versions/1.0.0/yank", &yank).await;
        let answer = registry.anonymous().get("/ada/skills/demo/feed.atom").await;
        assert_eq!(answer.header("content-type"), Some("application/atom+xml; charset=utf-8"));
        insta::assert_snapshot!(shown(registry, &answer), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <feed xmlns="http://www.w3.org/2005/Atom">
        <id>urn:skill-registry:ID:feed:ada/demo</id>
        <title>ada/demo · 127.0.0.1:8787</title>
        <updated>2026-11-30T12:02:00Z</updated>
        <link rel="self" type="application/atom+xml" href="http://127.0.0.1:8787/ada/skills/demo/feed.atom"/>
        <link rel="alternate" type="text/html" href="http://127.0.0.1:8787/ada/skills/demo"/>
        <author><name>127.0.0.1:8787</name></author>
        <entry>
        <id>urn:skill-registry:ID:log:5</id>
        <title>ada/demo 1.0.0 yanked</title>
        <published>2026-11-30T12:02:00Z</published>
        <updated>2026-11-30T12:02:00Z</updated>
        <author><name>ada</name></author>
        <link rel="alternate" type="text/html" href="http://127.0.0.1:8787/ada/skills/demo/versions/1.0.0"/>
        <summary>it lost files</summary>
        </entry>
        <entry>
        <id>urn:skill-registry:ID:log:3</id>
        <title>ada/demo 1.1.0 published</title>
        <published>2026-11-30T12:01:00Z</published>
        <updated>2026-11-30T12:01:00Z</updated>
        <author><name>ada</name></author>
        <link rel="alternate" type="text/html" href="http://127.0.0.1:8787/ada/skills/demo/versions/1.1.0"/>
        <summary>Reads &lt;more&gt; &amp; faster</summary>
        </entry>
        <entry>
        <id>urn:skill-registry:ID:log:1</id>
        <title>ada/demo 1.0.0 published</title>
        <published>2026-11-30T12:00:00Z</published>
        <updated>2026-11-30T12:00:00Z</updated>
        <author><name>ada</name></author>
        <link rel="alternate" type="text/html" href="http://127.0.0.1:8787/ada/skills/demo/versions/1.0.0"/>
        <summary>What demo does</summary>
        </entry>
        </feed>
        "#);
        let again = registry.anonymous().known("/ada/skills/demo/feed.atom", answer.header("etag").unwrap()).await;
        assert_eq!(again.status, 304);
    }

    async fn each_feed_tells_of_what_it_is_about(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        hidden("held").published(&ada).await;
        put_into(registry, &ada, "wait", ReleaseState::Pending).await;
        put_into(registry, &ada, "gone", ReleaseState::Visible).await;
        bring(registry, &ada, "gone", "1.0.0", ReleaseState::Deleted).await;
        put_into(registry, &ada, "back", ReleaseState::Withdrawn).await;
        Skill::new("tool").published(&bob).await;
        let of = async |path: &str| titles(&registry.anonymous().get(path).await);
        insta::assert_snapshot!(of("/feed.atom").await.join("\n"), @r"
        bob/tool 1.0.0 published
        ada/back 1.0.0 withdrawn
        ada/held 1.0.0 quarantined
        ");
        insta::assert_snapshot!(of("/ada/feed.atom").await.join("\n"), @r"
        ada/back 1.0.0 withdrawn
        ada/held 1.0.0 quarantined
        ");
        assert_eq!(of("/bob/skills/tool/feed.atom").await, ["bob/tool 1.0.0 published"]);
        for path in ["/ada/skills/gone/feed.atom", "/ada/skills/wait/feed.atom", "/ada/skills/none/feed.atom", "/eve/feed.atom", "/UP/feed.atom"] {
            assert_eq!(registry.anonymous().get(path).await.status, 404, "{path}");
        }
        // Pages say where their feed is.
        for (page, feed) in [("/", "/feed.atom"), ("/bob", "/bob/feed.atom"), ("/bob/skills/tool", "/bob/skills/tool/feed.atom")] {
            let link = format!("<link rel=\"alternate\" type=\"application/atom+xml\" href=\"{feed}\">");
            assert!(registry.anonymous().get(page).await.text().contains(&link), "{page}");
        }
    }
}

#[tokio::test]
async fn a_feed_ends_after_fifty() {
    let registry = TestRegistry::on_sqlite().start().await;
    let empty = registry.anonymous().get("/feed.atom").await;
    assert_eq!(titles(&empty), Vec::<String>::new());
    let ada = registry.user("ada").await;
    for n in 0..52 {
        Skill::new("demo").file("n.txt", n.to_string()).published(&ada).await;
    }
    let all = titles(&registry.anonymous().get("/feed.atom").await);
    assert_eq!(
        (all.len(), all[0].as_str(), all[49].as_str()),
        (50, "ada/demo 1.0.51 published", "ada/demo 1.0.2 published")
    );
}

/// Whatever an author wrote stays text of one element.
#[tokio::test]
async fn no_text_leaves_its_element() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let hostile = [
        "</summary><entry>",
        "]]><![CDATA[",
        "&#x41;&amp;\u{1b}[2J",
        "\u{202e}\u{fffe}\u{ffff}\u{200b}",
        "<!--",
        "<?xml?>",
    ];
    for (n, text) in hostile.iter().enumerate() {
        Skill::new("demo").file("n.txt", n.to_string()).meta("changelog", *text).published(&ada).await;
    }
    let feed = registry.anonymous().get("/feed.atom").await;
    assert_eq!(titles(&feed).len(), hostile.len());
    let raw = feed.text();
    assert!(!raw.contains('\u{202e}') && !raw.contains("<!"), "{raw}");
}

#[tokio::test]
async fn a_private_registry_has_no_feed_for_strangers() {
    let registry = TestRegistry::on_sqlite().with("access.read = \"token\"").start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").published(&ada).await;
    for path in ["/feed.atom", "/ada/feed.atom", "/ada/skills/demo/feed.atom", "/ada/skills/demo/badge.svg"] {
        assert_eq!(registry.anonymous().get(path).await.status, 401, "{path}");
        let own = ada.get(path).await;
        assert_eq!((own.status.as_u16(), own.header("cache-control")), (200, Some("no-store")), "{path}");
    }
}
