//! What is read out of a release's files once, and by whom.

use skill_registry::reading::read_unread;
use skill_registry::store::readings::{self, Lint};
use skill_registry::store::{Conn, releases, skills};
use sqlx::Executor as _;

use crate::blobs;
use crate::support::{Caller, Skill, TestRegistry, rows};

const REACHING: &str = "---\nname: reach\ndescription: Reads the tides of a harbour. Use for tides\n\
    requires:\n  skills: {ada/base: ^1, \"@ada/base\": \"*\", tides: \">=2\", ./local: \"*\"}\n---\n\n\
    See [the notes](notes.md).\n\n```sh\ncurl https://example.com/tides\n```\n";

async fn reach(caller: &Caller) {
    Skill::new("reach").file("SKILL.md", REACHING).published(caller).await;
}

async fn release_id(conn: &mut Conn, name: &str) -> String {
    let skill = skills::find(conn, &name.parse().unwrap()).await.unwrap().unwrap();
    releases::find(conn, &skill.id, &"1.0.0".parse().unwrap()).await.unwrap().unwrap().row.id
}

/// What is kept of `name`, in words.
async fn kept(registry: &TestRegistry, name: &str) -> Option<String> {
    let conn = &mut *registry.app.db().read().await.unwrap();
    let id = release_id(conn, name).await;
    let capabilities = readings::capabilities(conn, &id).await.unwrap()?;
    let names = capabilities.capabilities.iter().map(|one| format!("{} {}", one.kind, one.name));
    let lint = readings::lint(conn, &id).await.unwrap()?;
    let advice = lint.advice.iter().map(|one| format!("{}:{} {}", one.file, one.line, one.code));
    Some(names.chain(advice).collect::<Vec<_>>().join("\n"))
}

async fn forget(registry: &TestRegistry) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    tx.conn().execute("DELETE FROM readings").await.unwrap();
    tx.conn().execute("DELETE FROM requirements").await.unwrap();
    tx.commit().await.unwrap();
}

on_both_engines! {
    async fn a_publish_reads_what_it_stores(registry) {
        let ada = registry.user("ada").await;
        reach(&ada).await;
        let kept = kept(registry, "ada/reach").await.unwrap();
        insta::assert_snapshot!(kept, @r"
        host example.com
        program curl
        SKILL.md:5 requires-skill-name
        SKILL.md:3 when-not-missing
        SKILL.md:8 link-broken
        SKILL.md:11 requires-bins-undeclared
        ");
        assert_eq!(read_unread(&registry.app).await.unwrap(), 0);
    }

    /// A database from before the table was there looks like one whose rows are gone.
    async fn what_was_published_before_is_read_later(registry) {
        let ada = registry.user("ada").await;
        reach(&ada).await;
        Skill::new("base").published(&ada).await;
        let read = kept(registry, "ada/reach").await;
        forget(registry).await;
        assert_eq!(kept(registry, "ada/reach").await, None);
        let page = registry.anonymous().get("/ada/skills/reach").await;
        assert!(page.text().contains("Not read yet."), "{}", page.text());
        assert_eq!(read_unread(&registry.app).await.unwrap(), 2);
        assert_eq!(kept(registry, "ada/reach").await, read);
        let page = registry.anonymous().get("/ada/skills/base").await;
        assert!(page.text().contains("<a href=\"/ada/skills/reach\">ada/reach</a>"), "{}", page.text());
    }

    /// While programs are replaced, an older one leaves alone what a newer one read.
    async fn the_reading_of_a_later_program_stays(registry) {
        let ada = registry.user("ada").await;
        reach(&ada).await;
        let mut tx = registry.app.db().quiet().await.unwrap();
        let id = release_id(tx.conn(), "ada/reach").await;
        let later = readings::Reading {
            capabilities: serde_json::from_str(r#"{"capabilities":[],"more":7}"#).unwrap(),
            lint: Lint::default(),
            requirements: Vec::new(),
        };
        readings::keep(tx.conn(), &id, 1_000, &later).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(read_unread(&registry.app).await.unwrap(), 0);
        assert_eq!(kept(registry, "ada/reach").await.as_deref(), Some(""));
    }

    /// One archive that is broken keeps no other release from being read.
    async fn what_cannot_be_read_is_passed_over(registry) {
        let ada = registry.user("ada").await;
        let user = registry.add_user("eve").await;
        rows::publish(&registry.app, "eve/broken", &user.id, "1.0.0").await.unwrap().unwrap();
        reach(&ada).await;
        forget(registry).await;
        assert_eq!(read_unread(&registry.app).await.unwrap(), 1);
        assert_eq!(kept(registry, "eve/broken").await, None);
        assert!(kept(registry, "ada/reach").await.is_some());
    }
}

/// Where the archive is gone the page is still there, and says what it does not know.
#[tokio::test]
async fn a_page_needs_no_archive_to_say_what_a_skill_reaches_for() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let digest = Skill::new("reach").file("SKILL.md", REACHING).published(&ada).await["archiveSha256"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let path = blobs::path(&registry, digest);
    let aside = path.with_extension("aside");
    fs_err::rename(&path, &aside).unwrap();
    let page = registry.anonymous().get("/ada/skills/reach/security").await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("<code>example.com</code>"), "{}", page.text());
    fs_err::rename(&aside, &path).unwrap();
}

#[tokio::test]
async fn dependents_are_those_whose_latest_release_requires_it() {
    let registry = TestRegistry::on_sqlite().start().await;
    let (ada, eve) = (registry.user("ada").await, registry.user("eve").await);
    let wants = |slug: &str, skills: &str| {
        let text =
            format!("---\nname: {slug}\ndescription: d\nrequires:\n  skills: {skills}\n---\n\nDo it.\n");
        Skill::new(slug).file("SKILL.md", text)
    };
    Skill::new("base").published(&ada).await;
    Skill::new("base").published(&eve).await;
    wants("by-name", "{ada/base: ^1}").published(&ada).await;
    wants("by-slug", "{base: ^2}").published(&eve).await;
    wants("by-list", "[\"@ada/base@~1.2\"]").published(&eve).await;
    wants("before", "{ada/base: ^1}").published(&eve).await;
    wants("before", "{}").published(&eve).await;
    wants("other", "{eve/base: ^1, base-two: ^1}").published(&eve).await;
    let used_by = async |name: &str| {
        let page = registry.anonymous().get(&format!("/{}", name.replace('/', "/skills/"))).await;
        let text = page.text().to_owned();
        let block = text.split("<h2>Used by</h2>").nth(1).unwrap().split("</section>").next().unwrap();
        let links = block.split("<li><a href=\"/").skip(1);
        links.map(|link| link.split('"').next().unwrap().replace("/skills/", "/")).collect::<Vec<_>>()
    };
    // The bare slug is ada's, who published under it first.
    assert_eq!(used_by("ada/base").await, ["ada/by-name", "eve/by-list", "eve/by-slug"]);
    assert_eq!(used_by("eve/base").await, ["eve/other"]);
    assert!(used_by("eve/other").await.is_empty());
}
