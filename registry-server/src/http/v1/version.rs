use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use super::answer::{json, verdict, version_item};
use super::find::{self, Choice, Miss};
use super::wire::{Scanners, Security, SkillName, VersionDetail, VersionFile, VersionFull};
use crate::app::App;
use crate::auth::Caller;
use crate::http::access::Door;
use crate::http::extract::{SlugPath, VersionPath, version_not_found};
use crate::store::releases::{self, Release};
use crate::store::{catalogue, files};

/// Shows one version with its files and what its scan said.
#[utoipa::path(
    get,
    path = "/api/v1/skills/{slug}/versions/{version}",
    tag = "clawhub",
    params(
        ("slug" = String, Path, description = "Slug"),
        ("version" = String, Path, description = "Number"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill"),
    ),
    responses(
        (status = 200, body = VersionDetail),
        (status = 403, description = "Quarantined"),
        (status = 404, description = "`Version not found`"),
        (status = 410, description = "`Version not available`"),
    ),
)]
pub(crate) async fn version(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SlugPath(wanted): SlugPath,
    VersionPath(version): VersionPath,
) -> Result<Response, Miss> {
    let mut conn = app.db().read().await?;
    let skill = find::skill(&app, &mut conn, &wanted).await?;
    let line = find::release(&mut conn, &skill, &Choice::Version(version), Door::Detail, &caller).await?;
    let release = releases::by_id(&mut conn, &line.id).await?.ok_or_else(version_not_found)?;
    let files = files::of_release(&mut conn, &release.id).await?;
    let files = files.into_iter().map(|file| VersionFile {
        path: file.path,
        size: file.size,
        sha256: file.sha256,
        content_type: file.content_type,
        executable: file.executable,
    });
    Ok(json(&VersionDetail {
        skill: SkillName {
            slug: skill.slug.clone(),
            display_name: catalogue::shown_name(&release.display_name),
        },
        version: VersionFull {
            item: version_item(&line, release.changelog.clone()),
            files: files.collect(),
            security: security(&release),
        },
    }))
}

fn security(release: &Release) -> Security {
    Security {
        status: verdict(release.verdict),
        has_warnings: !release.findings.is_empty(),
        checked_at: Some(release.scanned_at.as_millisecond()),
        model: None,
        has_scan_result: true,
        sha256_hash: release.archive_sha256,
        virustotal_url: None,
        scanners: Scanners::default(),
    }
}
