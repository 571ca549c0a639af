use std::io::Seek as _;

use jiff::Timestamp;
use skill_bundle::{Canonical, write_canonical};
use skill_core::api::PublishMeta;
use skill_core::digest::{Sha256, TreeDigest};
use skill_core::manifest::Manifest;
use skill_core::verdict::findings_digest;
use skill_scan::ScanReport;
use skill_trust::envelope::TrustEnvelopeError;
use skill_trust::predicate::{NameAction, NamePredicate, ReleasePredicate, Ruleset, ScanPredicate, Scanner};
use skill_trust::{Content, Kind, Role, Statement, TrustEnvelope};

use super::authorized::{Authorized, Place};
use super::inspected::Inspected;
use super::scanned::Scanned;
use super::{PublishError, content_type};
use crate::app::App;
use crate::auth::Permit;
use crate::problem::ApiError;
use crate::signing::{envelope, sign};
use crate::store::files::FileRow;
use crate::store::readings::Reading;

/// The most bytes of a trust envelope when its release is stored. The other half of what an envelope may have is
/// for restrictions and proofs.
const ENVELOPE_BYTES: usize = TrustEnvelope::MAX_BYTES / 2;

/// A release whose archive is written and whose statements are signed. The bundle itself is no longer in
/// memory.
#[derive(Debug)]
pub(super) struct Attested {
    pub(super) draft: Draft,
    pub(super) place: Place,
    pub(super) signed: Signed,
}

/// All of a release but its name and number.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) permit: Permit,
    pub(super) meta: PublishMeta,
    pub(super) manifest: Manifest,
    pub(super) tree: TreeDigest,
    pub(super) files: Vec<FileRow>,
    pub(super) size: u64,
    pub(super) fingerprints: (Sha256, Sha256),
    pub(super) report: ScanReport,
    pub(super) reading: Reading,
    pub(super) findings_digest: Sha256,
    pub(super) canonical: Canonical,
    /// The canonical zip, in a temporary file without a name.
    pub(super) archive: std::fs::File,
}

/// The statements about a release, as DSSE envelopes.
#[derive(Debug)]
pub(super) struct Signed {
    pub(super) at: Timestamp,
    /// Only with the first release under a name.
    pub(super) name: Option<String>,
    pub(super) release: String,
    pub(super) scan: String,
}

impl Attested {
    /// Writes the canonical archive and signs.
    pub(super) async fn sign(app: &App, scanned: Scanned) -> Result<Self, PublishError> {
        let scratch = app.publishing().scratch.clone();
        let (draft, place) = super::blocking(move || Draft::write(scanned, &scratch)).await?;
        let signed = Signed::over(app, &draft, &place)?;
        Ok(Self { draft, place, signed })
    }

    /// The same release at another place, signed anew.
    pub(super) fn moved(self, app: &App, place: Place) -> Result<Self, PublishError> {
        let signed = Signed::over(app, &self.draft, &place)?;
        Ok(Self { place, signed, ..self })
    }

    /// What the statements speak of.
    pub(super) const fn content(&self) -> Content {
        self.draft.content()
    }
}

impl Draft {
    fn write(scanned: Scanned, scratch: &std::path::Path) -> Result<(Self, Place), PublishError> {
        let Scanned { authorized: Authorized { inspected, place }, report, reading } = scanned;
        let mut archive = tempfile::tempfile_in(scratch)?;
        let canonical = write_canonical(&inspected.bundle, &mut archive)?;
        archive.rewind()?;
        let fingerprints = inspected.fingerprints();
        let Inspected { permit, meta, bundle, tree, manifest } = inspected;
        let files = bundle.files().map(|(path, file)| FileRow {
            path: path.to_string(),
            size: file.size(),
            sha256: file.sha256(),
            executable: file.executable(),
            content_type: content_type::of(path.as_str()).to_owned(),
        });
        let draft = Self {
            files: files.collect(),
            size: bundle.total_bytes(),
            findings_digest: findings_digest(&report.findings),
            permit,
            meta,
            manifest,
            tree,
            fingerprints,
            report,
            reading,
            canonical,
            archive,
        };
        Ok((draft, place))
    }

    const fn content(&self) -> Content {
        Content { archive: self.canonical.sha256, tree: self.tree }
    }
}

impl Signed {
    fn over(app: &App, draft: &Draft, place: &Place) -> Result<Self, PublishError> {
        let at = app.clock().now();
        let name = place.previous.is_none().then(|| name_statement(app, place, at));
        let signed = Self {
            at,
            name: name.map(|statement| sign(app, Role::Release, &statement)).transpose()?,
            release: sign(app, Role::Release, &release_statement(app, draft, place, at))?,
            scan: sign(app, Role::Scan, &scan_statement(app, draft, place, at))?,
        };
        signed.check_room()?;
        Ok(signed)
    }

    /// What is not served later would be lost although it was acknowledged.
    fn check_room(&self) -> Result<(), PublishError> {
        let release = envelope::pending(Kind::Release, &self.release, 1)?;
        let scan = envelope::pending(Kind::Scan, &self.scan, 0)?;
        let bytes = match TrustEnvelope::new(vec![release, scan]) {
            Ok(envelope) => envelope.to_json().len(),
            Err(TrustEnvelopeError::TooLarge { bytes }) => bytes,
            Err(other) => return Err(ApiError::internal(other).into()),
        };
        if bytes > ENVELOPE_BYTES {
            return Err(PublishError::EnvelopeLarge { bytes, limit: ENVELOPE_BYTES });
        }
        Ok(())
    }
}

fn name_statement(app: &App, place: &Place, at: Timestamp) -> Statement {
    Statement::name(NamePredicate {
        registry: app.registry_id(),
        owner: place.name.owner.clone(),
        slug: place.name.slug.clone(),
        action: NameAction::Claim { bare_slug: place.binds_slug },
        at,
    })
}

fn release_statement(app: &App, draft: &Draft, place: &Place, at: Timestamp) -> Statement {
    Statement::release(
        draft.content(),
        ReleasePredicate {
            registry: app.registry_id(),
            owner: place.name.owner.clone(),
            slug: place.name.slug.clone(),
            version: place.version.clone(),
            previous: place.previous.clone(),
            requirements: draft.manifest.requires.skills.clone(),
            publisher: place.name.owner.clone(),
            source_commit: draft.meta.source_commit.clone(),
            archive_size: draft.canonical.size,
            published_at: at,
        },
    )
}

fn scan_statement(app: &App, draft: &Draft, place: &Place, at: Timestamp) -> Statement {
    let report = &draft.report;
    Statement::scan(
        draft.content(),
        ScanPredicate {
            registry: app.registry_id(),
            owner: place.name.owner.clone(),
            slug: place.name.slug.clone(),
            version: place.version.clone(),
            scanner: Scanner { name: "skill-scan".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            ruleset: Ruleset { name: report.ruleset_name.clone(), sha256: report.ruleset_sha256 },
            verdict: report.verdict,
            findings: draft.findings_digest,
            analysable: report.analysable,
            scanned_at: at,
        },
    )
}
