//! The page about trust, beyond the first look in `skill.rs`: what was signed, and what was said over time.

use serde_json::json;
use skill_core::state::ReleaseState;

use super::skill::words;
use crate::support::states::put_into;
use crate::support::{Skill, TestRegistry, rows};

fn block(words: &str, from: &str, to: &str) -> String {
    let begin = words.find(from).unwrap_or_else(|| panic!("{from:?} is not in {words}"));
    let rest = &words[begin..];
    let block = &rest[..rest.find(to).unwrap_or(rest.len())];
    // Keys and digests are other ones in every registry of the tests.
    let lines = block.lines().map(|line| match line.split_once("sha256:") {
        Some((before, _)) => format!("{before}sha256:…"),
        None if line.starts_with("Key") => "Key…".to_owned(),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn verdicts_over_time_are_those_of_every_version_that_can_be_seen() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    put_into(&registry, &ada, "tides", ReleaseState::Suspicious).await;
    registry.later(3_600);
    Skill::new("tides").published(&ada).await;
    Skill::new("tides").file("more.md", "more").published(&ada).await;
    withdraw(&registry, "1.0.2").await;
    let page = registry.anonymous().get("/ada/skills/tides/security").await;
    insta::assert_snapshot!(block(&words(&page), "Verdicts over time", "Other versions"), @r"
    Verdicts over time
    A scan is signed and logged when a version is published, and again when its verdict or findings change.
    VersionVerdictWhenRule setLog number
    1.0.1 (this one)Clean30 November 2026, 13:00 UTC2026.12.24
    1.0.0Suspicious30 November 2026, 12:00 UTC2026.12.22
    ");
}

/// The owner's own restriction, as a later issue lets it be asked for.
async fn withdraw(registry: &TestRegistry, version: &str) {
    use skill_registry::store::restrictions::Action;
    use skill_registry::store::{releases, skills};
    let mut conn = registry.app.db().read().await.unwrap();
    let skill = skills::find(&mut conn, &"ada/tides".parse().unwrap()).await.unwrap().unwrap();
    let version = version.parse().unwrap();
    let release = releases::find(&mut conn, &skill.id, &version).await.unwrap().unwrap();
    drop(conn);
    rows::restrict(registry.app.db(), &skill, &release, Action::Withdraw, &[]).await.unwrap();
    registry.app.pulse().ask(registry.app.db()).await.unwrap();
}

#[tokio::test]
async fn the_statements_of_the_envelope_are_opened() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tides").published(&ada).await;
    let next = Skill::new("tides")
        .file("more.md", "more")
        .meta("sourceCommit", "0123456789abcdef0123456789abcdef01234567");
    next.published(&ada).await;
    let yank = "/api/registry/v1/skills/ada/tides/versions/1.0.1/yank";
    assert_eq!(ada.post(yank, &json!({ "reason": "loses tides" })).await.status, 200);
    let page = registry.anonymous().get("/ada/skills/tides/security?version=1.0.1").await;
    insta::assert_snapshot!(block(&words(&page), "What the envelope holds", "Verdicts over time"), @r"
    What the envelope holds
    Signed statements about this version, opened now as skill verify opens them.
    Release Signature checks
    Releaseada/tides@1.0.1
    Publisherada
    Published30 November 2026, 12:00 UTC
    Archive269 bytes
    Comes after1.0.0
    Requires0 skills
    Commit, as the publisher states0123456789abcdef0123456789abcdef01234567
    Lognumber 3
    Key…
    Digestsha256:…
    Scan Signature checks
    Verdictclean
    Scanned30 November 2026, 12:00 UTC
    Scannerskill-scan 0.1.0
    Rule set2026.12.2 (sha256:…
    Findingssha256:…
    All of it could be readyes
    Lognumber 4
    Key…
    Digestsha256:…
    Restriction Signature checks
    Saysyank
    Number1
    Reasonloses tides
    Since30 November 2026, 12:00 UTC
    Lognumber 5
    Key…
    Digestsha256:…
    ");
}

/// Bytes of a statement that were changed in the database are not passed on as if they were signed.
#[tokio::test]
async fn a_statement_that_does_not_check_says_so() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tides").published(&ada).await;
    let honest = words(&registry.anonymous().get("/ada/skills/tides/security").await);
    assert!(honest.contains("Scan Signature checks") && !honest.contains("does not check"), "{honest}");
    let signed = scan(&registry).await;
    let first = signed.split_once("\"sig\":\"").unwrap().1.chars().next().unwrap();
    let other = if first == 'A' { 'B' } else { 'A' };
    let forged = signed.replacen(&format!("\"sig\":\"{first}"), &format!("\"sig\":\"{other}"), 1);
    replace(&registry, &signed, &forged).await;
    let page = registry.anonymous().get("/ada/skills/tides/security?version=1.0.0").await;
    let told = words(&page);
    assert!(
        told.contains("Scan Signature does not check") && told.contains("1.0.0 (this one)Does not check"),
        "{told}"
    );
    assert!(
        told.contains("signatureDoes not check") && told.contains("a signature does not check"),
        "{told}"
    );
    replace(&registry, &forged, &signed).await;
}

/// The row about signatures is made of the statements that are there.
#[tokio::test]
async fn a_statement_that_is_absent_does_not_count_as_signed() {
    for kind in ["scan", "release"] {
        let registry = TestRegistry::on_sqlite().start().await;
        let ada = registry.user("ada").await;
        Skill::new("tides").published(&ada).await;
        let honest = words(&registry.anonymous().get("/ada/skills/tides/security").await);
        assert!(honest.contains("signatureSignatures check"), "{honest}");
        set_kind(&registry, kind, "name").await;
        // Kept answers are by address.
        let told = words(&registry.anonymous().get("/ada/skills/tides/security?version=1.0.0").await);
        assert!(told.contains("signatureNot signed") && told.contains("a statement is missing"), "{told}");
        set_kind(&registry, "name", kind).await;
    }
}

/// Puts the statements of one kind about a release out of the envelope's sight.
async fn set_kind(registry: &TestRegistry, from: &str, to: &str) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    let done = sqlx::query("UPDATE statements SET kind = $1 WHERE kind = $2 AND release_id IS NOT NULL")
        .bind(to.to_owned())
        .bind(from.to_owned())
        .execute(tx.conn())
        .await
        .unwrap();
    assert_eq!(done.rows_affected(), 1);
    tx.commit().await.unwrap();
}

/// The envelope of the one scan there is.
async fn scan(registry: &TestRegistry) -> String {
    let query = "SELECT envelope FROM statements WHERE kind = 'scan'";
    sqlx::query_scalar(query).fetch_one(&mut *registry.app.db().read().await.unwrap()).await.unwrap()
}

async fn replace(registry: &TestRegistry, old: &str, new: &str) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    let done = sqlx::query("UPDATE statements SET envelope = $1 WHERE envelope = $2")
        .bind(new.to_owned())
        .bind(old.to_owned())
        .execute(tx.conn())
        .await
        .unwrap();
    assert_eq!(done.rows_affected(), 1);
    tx.commit().await.unwrap();
}
