use std::io::Seek as _;

use serde_json::json;
use skill_core::api::{Published, Waiting};
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;

use super::PublishError;
use super::attested::{Attested, Draft};
use super::authorized::{Place, last};
use crate::app::App;
use crate::change::{Said, Subject, quarantine};
use crate::lifecycle::{Facts, settle, state};
use crate::reading::READER;
use crate::store::audit::NewAudit;
use crate::store::events::{EventKind, NewEvent};
use crate::store::fingerprints::{self, FingerprintKind};
use crate::store::holds::{self, NewHold};
use crate::store::log::NewStatement;
use crate::store::releases::{self, NewRelease};
use crate::store::skills::{self, Claim};
use crate::store::{WriteTx, contents, files, lines, readings, restrictions, slug_holds, slugs, tags};

/// A release that is stored for good: its blob is on disk, and its rows, statements and leaves were
/// committed together.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) published: Published,
}

/// How an attempt to store ended.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Well.
    Stored(Box<Stored>),
    /// Another release of the skill came in between: the place has to be decided again.
    Overtaken(Box<Attested>),
}

/// What a release waits for, as its publisher is told.
pub(crate) fn waiting(hold: NewHold) -> Waiting {
    Waiting { kind: hold.kind.as_str().to_owned(), why: hold.why }
}

impl Attested {
    /// Keeps the archive. A crash after it leaves a blob that nothing refers to, which a sweep removes.
    pub(super) async fn keep_blob(&self, app: &App) -> Result<(), PublishError> {
        let mut archive = self.draft.archive.try_clone()?;
        archive.rewind()?;
        Ok(app.blobs().put_file(&self.draft.canonical.sha256, archive).await?)
    }

    /// Stores all there is to know of the release in one transaction.
    pub(super) async fn store(self, app: &App) -> Result<Outcome, PublishError> {
        let mut tx = app.db().write().await?;
        self.place.permit.confirm(&mut tx).await?;
        let at = tx.now();
        if !self.hold(app, &mut tx).await? {
            return Ok(Outcome::Overtaken(Box::new(self)));
        }
        let Claim { skill, is_new } =
            skills::claim(tx.conn(), &self.place.name, &app.entropy().id()?, at).await?;
        // The skill's row is locked from here on: what is read now holds until the commit.
        let before = lines::of_skill(tx.conn(), &skill.id).await?;
        let binds_slug = is_new && slugs::bind(tx.conn(), &skill.slug, &skill.id, at).await? == skill.id;
        // A slug is given up and kept in one transaction: whoever has bound it, or holds the skill, sees whether it is
        // kept.
        let slug_hold = slug_holds::find(tx.conn(), &skill.slug, at).await?;
        let kept = slug_hold.is_some_and(|hold| is_new || hold.is_of_taken_down(&skill.id));
        let expected = self.place.previous == last(&before)
            && !kept
            && binds_slug == self.place.binds_slug
            && skill.deleted_at.is_none()
            && (is_new || self.place.holds == holds::open_on(tx.conn(), &skill.id).await?)
            && before.iter().all(|release| release.version != self.place.version);
        if !expected {
            return Ok(Outcome::Overtaken(Box::new(self)));
        }
        let release = self.log(&mut tx, app.entropy().id()?, &skill.id).await?;
        if !releases::insert(tx.conn(), &release).await? {
            return Ok(Outcome::Overtaken(Box::new(self)));
        }
        for hold in &self.place.holds {
            holds::keep(tx.conn(), &app.entropy().id()?, &release.id, hold, at).await?;
        }
        self.write_details(&mut tx, &release).await?;
        self.quarantine(app, &mut tx, &release).await?;
        let settled = settle(tx.conn(), &skill, skill.latest_override.clone()).await?;
        let state = settled.changed.iter().find(|(id, _)| *id == release.id).map_or(release.state, |c| c.1);
        tx.audit(self.audit(state));
        let event = NewEvent::of_release(EventKind::Published, skill.owner.clone(), &skill.id, &release.id);
        let committed = tx.commit(event).await?;
        app.pulse().observe(committed.event);
        // The release's leaf comes after the name's, if there is one.
        let leaf = usize::from(self.signed.name.is_some());
        let log_index = committed.leaves.get(leaf).copied().unwrap_or_default();
        let published = self.published(app, state, log_index);
        Ok(Outcome::Stored(Box::new(Stored { published })))
    }

    /// Locks the bytes and looks again: whether a sweep has taken the blob, and whether a quarantine has closed the
    /// content, since they were looked at outside of the transaction.
    async fn hold(&self, app: &App, tx: &mut WriteTx) -> Result<bool, PublishError> {
        let (at, Draft { tree, canonical, report, .. }) = (tx.now(), &self.draft);
        contents::lock(tx.conn(), tree.sha256(), at).await?;
        contents::lock(tx.conn(), canonical.sha256, at).await?;
        if !app.blobs().holds(&canonical.sha256, canonical.size).await? {
            self.keep_blob(app).await?;
        }
        let restricted = restrictions::why_closed(tx.conn(), *tree).await?;
        if restricted.is_some() || report.verdict == Verdict::Malicious {
            restrictions::lock(tx.conn()).await?;
        }
        Ok(restricted == self.place.restricted)
    }

    /// Logs the statements and makes the release's row of them.
    async fn log(
        &self,
        tx: &mut WriteTx,
        release_id: String,
        skill_id: &str,
    ) -> Result<NewRelease, PublishError> {
        let Self { draft, place, signed } = self;
        let statement = |kind: &str, envelope: &str, release_id: Option<&str>| NewStatement {
            kind: kind.to_owned(),
            envelope: envelope.to_owned(),
            skill_id: Some(skill_id.to_owned()),
            release_id: release_id.map(str::to_owned),
        };
        if let Some(name) = &signed.name {
            tx.log(&statement("name", name, None)).await?;
        }
        let release_statement = tx.log(&statement("release", &signed.release, Some(&release_id))).await?;
        let scan_statement = tx.log(&statement("scan", &signed.scan, Some(&release_id))).await?;
        Ok(NewRelease {
            id: release_id,
            skill_id: skill_id.to_owned(),
            version: place.version.clone(),
            state: state(Facts {
                verdict: draft.report.verdict,
                awaiting: !place.holds.is_empty(),
                open: &[],
            }),
            verdict: draft.report.verdict,
            awaiting: place.holds.len() as u64,
            tree_digest: draft.tree,
            archive_sha256: draft.canonical.sha256,
            archive_size: draft.canonical.size,
            size: draft.size,
            file_count: draft.files.len() as u64,
            display_name: draft.manifest.name.clone(),
            summary: draft.manifest.description.clone(),
            manifest: serde_json::to_value(&draft.manifest).unwrap_or_default(),
            changelog: draft.meta.changelog.clone(),
            source_commit: draft.meta.source_commit.clone(),
            published_by: place.permit.identity().user.id.clone(),
            published_at: signed.at,
            findings: draft.report.findings.clone(),
            findings_digest: draft.findings_digest,
            ruleset: draft.report.ruleset_name.clone(),
            ruleset_sha256: draft.report.ruleset_sha256,
            scanned_at: signed.at,
            release_statement,
            scan_statement,
        })
    }

    async fn write_details(&self, tx: &mut WriteTx, release: &NewRelease) -> Result<(), PublishError> {
        let at = tx.now();
        let Draft { files, fingerprints: (uploaded, stored), meta, reading, .. } = &self.draft;
        files::insert(tx.conn(), &release.id, files).await?;
        readings::keep(tx.conn(), &release.id, READER, reading).await?;
        fingerprints::insert(tx.conn(), &release.id, FingerprintKind::Uploaded, *uploaded).await?;
        fingerprints::insert(tx.conn(), &release.id, FingerprintKind::Stored, *stored).await?;
        for tag in Place::tags(meta) {
            tags::set(tx.conn(), &release.skill_id, tag, &release.id, at).await?;
        }
        Ok(())
    }

    /// A malicious verdict closes the release; so does content that is closed under another name.
    async fn quarantine(
        &self,
        app: &App,
        tx: &mut WriteTx,
        release: &NewRelease,
    ) -> Result<(), PublishError> {
        let reason = match (&self.place.restricted, release.verdict) {
            (_, Verdict::Malicious) => "malicious",
            (Some(reason), _) => reason,
            (None, _) => return Ok(()),
        };
        let subject = Subject {
            name: &self.place.name,
            skill_id: &release.skill_id,
            release_id: &release.id,
            version: &release.version,
            content: self.content(),
        };
        Ok(quarantine(app, tx, &subject, Said::openly(reason, restrictions::REGISTRY)).await?)
    }

    fn audit(&self, state: ReleaseState) -> NewAudit {
        let subject = format!("{}@{}", self.place.name, self.place.version);
        let detail = json!({ "treeDigest": self.draft.tree, "state": state });
        self.place.permit.audit("publish", subject).with(detail)
    }

    fn published(self, app: &App, status: ReleaseState, log_index: u64) -> Published {
        Published {
            url: app.page_of(&self.place.name),
            owner: self.place.name.owner,
            slug: self.place.name.slug,
            version: self.place.version,
            tree_digest: self.draft.tree,
            archive_sha256: self.draft.canonical.sha256,
            verdict: self.draft.report.verdict,
            status,
            log_index,
            unchanged: false,
            findings: self.draft.report.findings,
            waiting: self.place.holds.into_iter().map(waiting).collect(),
        }
    }
}
