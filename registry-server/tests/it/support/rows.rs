//! Rows for tests of the store, written as the publish chain writes them.

use std::io::{Seek as _, Write as _};

use skill_core::digest::{Sha256, TreeDigest};
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;
use skill_core::verdict::{Verdict, findings_digest};
use skill_registry::App;
use skill_registry::lifecycle::settle;
use skill_registry::store::events::{EventKind, NewEvent};
use skill_registry::store::log::NewStatement;
use skill_registry::store::releases::NewRelease;
use skill_registry::store::restrictions::{Action, Entry, Restriction};
use skill_registry::store::skills::Skill;
use skill_registry::store::{Committed, Db, StoreError, WriteTx, releases, restrictions, skills};

/// A statement with these words in it; its envelope is not one that verifies.
pub(crate) fn statement(kind: &str, words: &str) -> NewStatement {
    NewStatement {
        kind: kind.to_owned(),
        envelope: format!("{{\"kind\":\"{kind}\",\"words\":\"{words}\"}}"),
        skill_id: None,
        release_id: None,
    }
}

/// A clean release of a skill whose statements are logged in the given transaction.
pub(crate) async fn release(tx: &mut WriteTx, skill: &Skill, user_id: &str, version: &str) -> NewRelease {
    let what = format!("{}@{version}", skill.name());
    let now = tx.now();
    let release_statement = tx.log(&statement("release", &what)).await.unwrap();
    let scan_statement = tx.log(&statement("scan", &what)).await.unwrap();
    NewRelease {
        id: Sha256::of(&what).to_hex()[..32].to_owned(),
        skill_id: skill.id.clone(),
        version: version.parse().unwrap(),
        state: ReleaseState::Visible,
        verdict: Verdict::Clean,
        awaiting: 0,
        tree_digest: TreeDigest::new(Sha256::of(format!("tree {what}"))),
        archive_sha256: Sha256::of(format!("archive {what}")),
        archive_size: format!("archive {what}").len() as u64,
        size: 20,
        file_count: 1,
        display_name: skill.slug.to_string(),
        summary: "what it does".to_owned(),
        manifest: serde_json::json!({ "name": skill.slug }),
        changelog: String::new(),
        source_commit: None,
        published_by: user_id.to_owned(),
        published_at: now,
        findings: Vec::new(),
        findings_digest: findings_digest(&[]),
        ruleset: "test".to_owned(),
        ruleset_sha256: Sha256::of("rules"),
        scanned_at: now,
        release_statement,
        scan_statement,
    }
}

/// Publishes one clean release. `None` if the number is taken; then nothing happened.
pub(crate) async fn publish(
    app: &App,
    name: &str,
    user_id: &str,
    version: &str,
) -> Result<Option<(Skill, NewRelease, Committed)>, StoreError> {
    let name: SkillName = name.parse().unwrap();
    keep_archive(app, &format!("archive {name}@{version}")).await;
    let mut tx = app.db().write().await?;
    let now = tx.now();
    let claim = skills::claim(tx.conn(), &name, &app.entropy().id()?, now).await?;
    if skill_is_taken(&mut tx, &claim.skill, version).await? {
        return Ok(None);
    }
    if claim.is_new {
        tx.log(&statement("name", &name.to_string())).await?;
    }
    let release = release(&mut tx, &claim.skill, user_id, version).await;
    assert!(releases::insert(tx.conn(), &release).await?);
    let skill_override = claim.skill.latest_override.clone();
    settle(tx.conn(), &claim.skill, skill_override).await?;
    let event = NewEvent::of_release(EventKind::Published, name.owner.clone(), &claim.skill.id, &release.id);
    let committed = tx.commit(event).await?;
    Ok(Some((claim.skill, release, committed)))
}

/// The archive comes first, as in the publish chain.
async fn keep_archive(app: &App, bytes: &str) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes.as_bytes()).unwrap();
    file.rewind().unwrap();
    app.blobs().put_file(&Sha256::of(bytes), file).await.unwrap();
}

async fn skill_is_taken(tx: &mut WriteTx, skill: &Skill, version: &str) -> Result<bool, StoreError> {
    Ok(releases::find(tx.conn(), &skill.id, &version.parse().unwrap()).await?.is_some())
}

/// Restricts a release; what it lifts is named by `lifts`.
pub(crate) async fn restrict(
    db: &Db,
    skill: &Skill,
    release: &NewRelease,
    action: Action,
    lifts: &[Action],
) -> Result<u64, StoreError> {
    let mut tx = db.write().await?;
    let now = tx.now();
    let skill = skills::lock(tx.conn(), &skill.id, now).await?.unwrap();
    let sequence = restrictions::next_sequence(tx.conn()).await?;
    let statement = tx.log(&statement("restriction", &format!("{sequence} {}", action.as_str()))).await?;
    let row = Restriction {
        sequence,
        entry: Entry::Restriction(action),
        skill_id: skill.id.clone(),
        release_id: release.id.clone(),
        tree_digest: release.tree_digest,
        reason: "because".to_owned(),
        note: String::new(),
        actor: "test".to_owned(),
        statement,
        at: now,
        lifted_by: None,
    };
    restrictions::insert(tx.conn(), &row).await?;
    for lifted in lifts {
        restrictions::lift(tx.conn(), &release.id, *lifted, sequence).await?;
    }
    settle(tx.conn(), &skill, skill.latest_override.clone()).await?;
    tx.commit(NewEvent::of_release(EventKind::StateChanged, skill.owner.clone(), &skill.id, &release.id))
        .await?;
    Ok(sequence)
}
