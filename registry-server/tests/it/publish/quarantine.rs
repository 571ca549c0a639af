//! A quarantine binds bytes: whatever they are called, and whenever they come.

use serde_json::json;
use skill_core::name::SkillName;
use skill_registry::change::{Said, Subject, quarantine};
use skill_registry::lifecycle::settle;
use skill_registry::store::events::{EventKind, NewEvent};
use skill_registry::store::{WriteTx, contents, log, releases, restrictions, skills};
use skill_trust::Content;

use crate::support::{Caller, Skill, TestRegistry};

fn same() -> Skill {
    Skill::new("demo")
}

/// Closes the bytes of a release as a moderator does, in a transaction that holds them already.
async fn close(registry: &TestRegistry, mut tx: WriteTx, name: &str, version: &str) {
    let name: SkillName = name.parse().unwrap();
    let now = tx.now();
    let found = skills::find(tx.conn(), &name).await.unwrap().unwrap();
    restrictions::lock(tx.conn()).await.unwrap();
    let skill = skills::lock(tx.conn(), &found.id, now).await.unwrap().unwrap();
    let release = releases::find(tx.conn(), &skill.id, &version.parse().unwrap()).await.unwrap().unwrap();
    let subject = Subject {
        name: &name,
        skill_id: &skill.id,
        release_id: &release.id,
        version: &release.version,
        content: Content { archive: release.archive_sha256, tree: release.tree_digest },
    };
    quarantine(&registry.app, &mut tx, &subject, Said::openly("hidden", "moderator")).await.unwrap();
    settle(tx.conn(), &skill, skill.latest_override.clone()).await.unwrap();
    let event = NewEvent::of_release(EventKind::StateChanged, skill.owner.clone(), &skill.id, &release.id);
    let committed = tx.commit(event).await.unwrap();
    registry.app.pulse().observe(committed.event);
}

async fn held(registry: &TestRegistry, published: &serde_json::Value) -> WriteTx {
    let tree: skill_core::digest::TreeDigest = published["treeDigest"].as_str().unwrap().parse().unwrap();
    let mut tx = registry.app.db().write().await.unwrap();
    let now = tx.now();
    contents::lock(tx.conn(), tree.sha256(), now).await.unwrap();
    tx
}

async fn hold_and_close(registry: &TestRegistry, published: &serde_json::Value, name: &str, version: &str) {
    let tx = held(registry, published).await;
    close(registry, tx, name, version).await;
}

async fn states(anyone: &Caller, name: &str) -> Vec<(String, String)> {
    let index = anyone.get(&format!("/index/{name}")).await;
    let lines = index.text();
    let lines = lines.lines().filter(|line| !line.is_empty());
    let lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    lines.map(|line| (text(&line["version"]), text(&line["state"]))).collect()
}

on_both_engines! {
    async fn it_closes_the_same_bytes_under_every_name_and_number(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        let first = same().published(&ada).await;
        same().version("1.5.0").published(&ada).await;
        same().published(&bob).await;
        Skill::new("demo").file("b.txt", "b").published(&bob).await;
        let tx = held(registry, &first).await;
        close(registry, tx, "ada/demo", "1.0.0").await;
        let anyone = registry.anonymous();
        let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
        };
        assert_eq!(states(&anyone, "ada/demo").await, pairs(&[("1.0.0", "quarantined"), ("1.5.0", "quarantined")]));
        assert_eq!(states(&anyone, "bob/demo").await, pairs(&[("1.0.0", "quarantined"), ("1.0.1", "visible")]));
        let closed = anyone.get("/api/v1/download?slug=demo&ownerHandle=bob&version=1.0.0").await;
        assert_eq!(closed.status, 403);

        let mut conn = registry.app.db().read().await.unwrap();
        let tree = first["treeDigest"].as_str().unwrap().parse().unwrap();
        for release in releases::with_tree(&mut conn, tree).await.unwrap() {
            let logged = log::of_release(&mut conn, &release.id).await.unwrap();
            let kinds: Vec<_> = logged.iter().map(|statement| statement.kind.as_str()).collect();
            assert_eq!(kinds, ["release", "scan", "restriction"], "{}", release.version);
        }
    }

    async fn a_skill_closed_with_another_leaves_search(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        let first = same().published(&ada).await;
        same().published(&bob).await;
        let tx = held(registry, &first).await;
        close(registry, tx, "ada/demo", "1.0.0").await;
        let found = registry.anonymous().get("/api/v1/skills").await.json();
        assert_eq!(found["items"], json!([]));
        let mut conn = registry.app.db().read().await.unwrap();
        let events = skill_registry::store::events::after(&mut conn, 0, 100).await.unwrap();
        let changed: Vec<_> = events.iter().filter(|event| event.kind == EventKind::StateChanged).collect();
        assert_eq!(changed.len(), 2, "one for each skill");
    }

    /// The bytes are closed after the publish has looked and before it stores: it must look again.
    async fn bytes_that_are_closed_in_between_are_not_stored_open(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        let first = same().published(&ada).await;
        let archive: skill_core::digest::Sha256 = first["archiveSha256"].as_str().unwrap().parse().unwrap();
        let kept = crate::blobs::path(registry, archive);
        fs_err::remove_file(&kept).unwrap();
        let tx = held(registry, &first).await;
        let closing = async {
            // The blob comes after the look and before the transaction.
            while !kept.exists() {
                tokio::task::yield_now().await;
            }
            close(registry, tx, "ada/demo", "1.0.0").await;
        };
        let skill = same();
        let (published, ()) = tokio::join!(skill.publish(&bob), closing);
        let published = published.json();
        assert_eq!(published["status"], "quarantined", "{published}");
        assert_eq!(registry.anonymous().get("/api/v1/download?slug=demo&ownerHandle=bob").await.status, 403);
    }

    /// Closing one content and another, whose releases lie in the same skills, beside yanks and publishes of these: all
    /// take their locks in one order, so that none waits for another for ever.
    async fn many_at_once_end(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        let other = same().version("1.1.0").file("b.txt", "b");
        let (first, second) = (same().published(&ada).await, other.published(&ada).await);
        same().published(&bob).await;
        other.published(&bob).await;
        let path = |owner, version| format!("/api/registry/v1/skills/{owner}/demo/versions/{version}/yank");
        let (one, two, no) = (path("ada", "1.1.0"), path("bob", "1.0.0"), json!({}));
        let third = same().version("1.2.0").file("c.txt", "c");
        let ((), (), one, two, three, four) = tokio::join!(
            hold_and_close(registry, &first, "ada/demo", "1.0.0"),
            hold_and_close(registry, &second, "bob/demo", "1.1.0"),
            ada.post(&one, &no),
            bob.post(&two, &no),
            third.publish(&ada),
            third.publish(&bob),
        );
        for yanked in [one, two] {
            assert!([200, 409].contains(&yanked.status.as_u16()), "{}", yanked.shown());
        }
        assert_eq!((three.status.as_u16(), four.status.as_u16()), (201, 201));
        for owner in ["ada", "bob"] {
            let states: Vec<_> = states(&registry.anonymous(), &format!("{owner}/demo")).await;
            let states: Vec<_> = states.iter().map(|(_, state)| state.as_str()).collect();
            assert_eq!(states, ["quarantined", "quarantined", "visible"], "{owner}");
        }
    }

    /// A false alarm that was taken back is not raised again by whoever publishes the bytes once more.
    async fn what_was_restored_stays_open(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        crate::publish::malicious::hidden("demo").publish(&ada).await;
        let mut tx = registry.app.db().write().await.unwrap();
        let name: SkillName = "ada/demo".parse().unwrap();
        let now = tx.now();
        let id = skills::find(tx.conn(), &name).await.unwrap().unwrap().id;
        let skill = skills::lock(tx.conn(), &id, now).await.unwrap().unwrap();
        sqlx::query("UPDATE restrictions SET lifted_by = sequence").execute(tx.conn()).await.unwrap();
        settle(tx.conn(), &skill, None).await.unwrap();
        tx.commit(NewEvent::of_skill(EventKind::StateChanged, name.owner, &id)).await.unwrap();
        registry.app.pulse().ask(registry.app.db()).await.unwrap();
        let again = crate::publish::malicious::hidden("demo").publish(&bob).await.json();
        assert_eq!(again["status"], "quarantined");
        let anyone = registry.anonymous();
        assert_eq!(states(&anyone, "ada/demo").await[0].1, "suspicious");
    }
}
