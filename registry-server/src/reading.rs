//! Reading the files of a release once: what it reaches for, what lint says, which skills it requires.
//!
//! A publish reads what it stores. Releases from before, and those that an earlier program read less of, are read by a
//! task beside the requests, one at a time: no page ever unpacks a whole archive, whoever asks for it.

use std::time::Duration;

use skill_bundle::{Bundle, BundleError, Limits, open_archive};
use skill_core::diagnostic::{Diagnostic, Level};
use skill_core::lint::{LintFile, LintInput, lint};
use skill_core::manifest::{Manifest, ManifestError};
use skill_core::reference::{Reference, RegistryRef};
use skill_scan::capabilities::capabilities;
use skill_scan::{RuleSet, ScanReport, scan};

use crate::app::App;
use crate::blob::BlobError;
use crate::store::StoreError;
use crate::store::readings::{self, Advice, Lint, Reading, Unread};
use crate::store::requirements::Requirement;

/// Which reading this is. Raised when more is read or what is read changes: then every release is read again.
pub(crate) const READER: u64 = 1;
/// Findings of lint that are kept of a release.
const ADVICE: usize = 100;
/// Characters of a finding that are kept.
const MESSAGE: usize = 400;
/// Required skills that are kept of a release.
const REQUIREMENTS: usize = 500;
/// Whose turns the reading takes: no user has this id.
const OURSELVES: &str = "";
/// Releases that are looked up at a time.
const BATCH: u32 = 50;
/// How often it is asked whether there are unread releases: a program from before may still be publishing.
const EVERY: Duration = Duration::from_hours(1);

/// Why a release could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadingError {
    /// The archive is not there.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// The archive is no bundle any more.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// Its `SKILL.md` cannot be read any more.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The work was ended from outside.
    #[error("the reading was ended: {0}")]
    Ended(String),
}

/// Reads a bundle; `report` is its scan, `slug` what its skill is called.
pub(crate) fn read(bundle: &Bundle, manifest: &Manifest, report: &ScanReport, slug: &str) -> Reading {
    Reading {
        capabilities: capabilities(bundle, manifest, report),
        lint: linted(bundle, slug),
        requirements: requirements(manifest),
    }
}

fn linted(bundle: &Bundle, slug: &str) -> Lint {
    let files: Vec<LintFile<'_>> = bundle
        .files()
        .map(|(path, file)| LintFile {
            path: path.as_str(),
            executable: file.executable(),
            content: file.content(),
        })
        .collect();
    let mut found = lint(&LintInput { folder: Some(slug), files: &files, strict: false });
    let of = |level| found.iter().filter(|one| one.severity == level).count() as u64;
    let (errors, warnings, notes) = (of(Level::Error), of(Level::Warning), of(Level::Note));
    found.sort_by_key(|one| std::cmp::Reverse(one.severity));
    Lint { errors, warnings, notes, advice: found.into_iter().take(ADVICE).map(advice).collect() }
}

fn advice(found: Diagnostic) -> Advice {
    let mut message = found.message;
    if let Some((end, _)) = message.char_indices().nth(MESSAGE) {
        message.truncate(end);
        message.push('…');
    }
    Advice { level: found.severity, code: found.code.to_owned(), file: found.file, line: found.line, message }
}

/// What names a skill of a registry; a path or an address is nobody's dependent.
fn requirements(manifest: &Manifest) -> Vec<Requirement> {
    let named = manifest.requires.skills.iter().filter_map(|(reference, requirement)| {
        let Ok((Reference::Registry(named), _)) = Reference::parse(reference, &|_| false) else {
            return None;
        };
        let RegistryRef { owner, slug, .. } = named;
        Some(Requirement { owner, slug, requirement: requirement.clone() })
    });
    named.take(REQUIREMENTS).collect()
}

/// Reads whatever no program of this reading has read. Answers with how many releases it read; one that cannot be
/// read is passed over, and said in the log.
pub async fn read_unread(app: &App) -> Result<u64, ReadingError> {
    let (mut read, mut after) = (0, String::new());
    loop {
        let waiting = readings::unread(&mut *app.db().read().await?, READER, &after, BATCH).await?;
        let Some(last) = waiting.last() else { return Ok(read) };
        after.clone_from(&last.release_id);
        for one in &waiting {
            if !app.disk().is_writable() {
                return Ok(read);
            }
            match read_one(app, one).await {
                Ok(()) => read += 1,
                Err(ReadingError::Store(error)) => return Err(error.into()),
                Err(error) => {
                    tracing::warn!(release = one.release_id, %error, "a release could not be read");
                }
            }
        }
    }
}

async fn read_one(app: &App, one: &Unread) -> Result<(), ReadingError> {
    // A turn among the publishes: so many bundles are in memory at a time, and no more.
    let turn = app.publishing().turn(OURSELVES, one.archive_size).await;
    let turn = turn.map_err(|error| ReadingError::Ended(error.to_string()))?;
    let blob = app.blobs().open(&one.archive_sha256, one.archive_size).await?;
    let mut archive = blob.into_file().await?;
    let slug = one.slug.to_string();
    let reading = tokio::task::spawn_blocking(move || {
        let (bundle, _) = open_archive(&mut archive, &Limits::default())?;
        let (manifest, _) = Manifest::read(bundle.skill_md(), &slug)?;
        let report = scan(&bundle, RuleSet::builtin());
        Ok::<_, ReadingError>(read(&bundle, &manifest, &report, &slug))
    });
    let reading = reading.await.map_err(|error| ReadingError::Ended(error.to_string()))??;
    drop(turn);
    let mut tx = app.db().quiet().await?;
    readings::keep(tx.conn(), &one.release_id, READER, &reading).await?;
    Ok(tx.commit().await?)
}

/// Reads what is unread, now and every hour.
pub(crate) async fn keep_reading(app: App) {
    let mut ticks = tokio::time::interval(EVERY);
    loop {
        ticks.tick().await;
        match read_unread(&app).await {
            Ok(0) => {}
            Ok(read) => tracing::info!(read, "read releases that had not been read"),
            Err(error) => tracing::warn!(%error, "releases were not read"),
        }
    }
}
