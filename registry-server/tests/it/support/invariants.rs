//! What must hold in every registry at any time, and what no constraint of the database can say.

use std::path::Path;

use skill_core::digest::Sha256;
use skill_registry::blob::BlobStore;
use skill_registry::data::Folder;
use skill_registry::lifecycle::{Candidate, Facts, latest, state};
use skill_registry::store::restrictions::Action;
use skill_registry::store::{Conn, audit, head, lines, log, releases, restrictions, skills};
use sqlx::Row as _;

use super::engine::connect;

/// Every invariant that does not hold, in words.
pub(super) async fn broken(url: &str, data: &Path) -> Vec<String> {
    let mut conn = connect(url).await;
    let blobs = BlobStore::folder(&Folder::at(data).blobs()).unwrap();
    let mut broken = Vec::new();
    numbers(&mut conn, &mut broken).await;
    statements(&mut conn, &mut broken).await;
    tokens(&mut conn, &mut broken).await;
    if let Err(error) = audit::verify_chain(&mut conn).await {
        broken.push(error.to_string());
    }
    let mut after = String::new();
    loop {
        let page = skills::page(&mut conn, &after, 100).await.unwrap();
        let Some(last) = page.last() else { return broken };
        after.clone_from(&last.id);
        for skill in &page {
            lifecycle(&mut conn, skill, &mut broken).await;
            archives(&mut conn, skill, &blobs, &mut broken).await;
        }
    }
}

async fn count(conn: &mut Conn, sql: &'static str) -> i64 {
    sqlx::query(sql).fetch_one(conn).await.unwrap().try_get::<Option<i64>, _>(0).unwrap().unwrap_or(0)
}

/// What was made with a token is revoked with it.
async fn tokens(conn: &mut Conn, broken: &mut Vec<String>) {
    let sql = "SELECT COUNT(*) FROM tokens made JOIN tokens maker ON made.made_from = 'token:' || maker.id
               WHERE maker.revoked_at IS NOT NULL AND made.revoked_at IS NULL";
    match count(conn, sql).await {
        0 => {}
        left => broken.push(format!("{left} tokens outlive the revoked one that made them")),
    }
}

/// The head counts the rows, and rows are numbered without gaps.
async fn numbers(conn: &mut Conn, broken: &mut Vec<String>) {
    let head = head::get(conn).await.unwrap();
    let (event, leaf) = (head.event as i64, head.leaf as i64);
    let expected = [
        ("SELECT COUNT(*) FROM events", event, "events"),
        ("SELECT MAX(event) FROM events", event, "highest event"),
        ("SELECT COUNT(*) FROM leaves", leaf, "leaves"),
        ("SELECT MAX(idx) + 1 FROM leaves", leaf, "highest leaf + 1"),
        ("SELECT COUNT(*) FROM statements", leaf, "statements"),
    ];
    for (sql, expected, what) in expected {
        let found = count(conn, sql).await;
        if found != expected {
            broken.push(format!("{what}: {found}, the head says {expected}"));
        }
    }
    let sequence = count(conn, "SELECT value FROM counters WHERE name = 'restriction'").await;
    for sql in ["SELECT COUNT(*) FROM restrictions", "SELECT MAX(sequence) FROM restrictions"] {
        let found = count(conn, sql).await;
        if found != sequence {
            broken.push(format!("{sql}: {found}, the counter says {sequence}"));
        }
    }
}

/// Every leaf names a statement of its kind whose bytes have that digest.
async fn statements(conn: &mut Conn, broken: &mut Vec<String>) {
    let head = head::get(conn).await.unwrap();
    for leaf in log::leaves(conn, 0, u32::try_from(head.leaf).unwrap()).await.unwrap() {
        match log::find(conn, leaf.sha256).await.unwrap() {
            Some(s) if s.kind == leaf.kind && Sha256::of(&s.envelope) == leaf.sha256 => {}
            other => broken.push(format!("leaf {} of kind {}: {other:?}", leaf.index, leaf.kind)),
        }
    }
}

/// Every release has its archive, which is what its digest says.
async fn archives(conn: &mut Conn, skill: &skills::Skill, blobs: &BlobStore, broken: &mut Vec<String>) {
    for release in lines::of_skill(conn, &skill.id).await.unwrap() {
        if let Err(error) = blobs.open(&release.archive_sha256, release.archive_size).await {
            broken.push(format!("{} {}: {error}", skill.name(), release.version));
        }
    }
}

/// States follow from facts and `latest` from states; each release has its two statements.
async fn lifecycle(conn: &mut Conn, skill: &skills::Skill, broken: &mut Vec<String>) {
    let name = skill.name();
    let restrictions = restrictions::of_skill(conn, &skill.id).await.unwrap();
    let mut all = Vec::new();
    for line in lines::of_skill(conn, &skill.id).await.unwrap() {
        all.push(releases::by_id(conn, &line.id).await.unwrap().unwrap());
    }
    for release in &all {
        let open: Vec<_> = restrictions
            .iter()
            .filter(|r| r.release_id == release.id && r.is_open())
            .filter_map(restrictions::Restriction::open)
            .collect();
        if open.contains(&Action::Delete) != skill.deleted_at.is_some() {
            broken.push(format!("{name} {}: {open:?}, deleted at {:?}", release.version, skill.deleted_at));
        }
        let expected = state(Facts { verdict: release.verdict, awaiting: release.awaiting > 0, open: &open });
        if release.state != expected {
            broken.push(format!("{name} {}: state {}, not {expected}", release.version, release.state));
        }
        let kinds = [(release.release_statement, "release"), (release.scan_statement, "scan")];
        for (digest, kind) in kinds {
            if log::find(conn, digest).await.unwrap().is_none_or(|s| s.kind != kind) {
                broken.push(format!("{name} {}: no {kind} statement", release.version));
            }
        }
    }
    let candidates: Vec<_> = all.iter().map(|r| Candidate { version: &r.version, state: r.state }).collect();
    let expected = latest(&candidates, skill.latest_override.clone());
    if expected.version != skill.latest || expected.latest_override != skill.latest_override {
        broken.push(format!("{name}: latest is {:?}, not {expected:?}", skill.latest));
    }
}
