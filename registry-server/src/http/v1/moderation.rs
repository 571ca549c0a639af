use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::verdict::{Finding, Verdict};
use utoipa::ToSchema;

use super::answer::{json, moderation as summary};
use super::find::{self, Miss};
use super::wire::Moderation;
use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::SlugPath;
use crate::problem::ApiError;
use crate::store::{lines, releases};

/// What is said against a skill; null where nothing is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModerationDetails {
    moderation: Option<ModerationWarning>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModerationWarning {
    #[serde(flatten)]
    summary: Moderation,
    /// What was found, the worst first.
    evidence: Vec<ModerationEvidence>,
}

/// A finding in the contract's words.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModerationEvidence {
    /// The rule.
    code: String,
    /// `info`, `warn` or `critical`.
    severity: &'static str,
    file: String,
    line: u32,
    message: String,
    /// The text that matched; empty to whoever does not act for the publisher.
    evidence: String,
}

/// Shows what is said against a skill: of one that can be had to everybody, of a closed one to who sees it.
#[utoipa::path(
    get,
    path = "/api/v1/skills/{slug}/moderation",
    tag = "clawhub",
    params(
        ("slug" = String, Path, description = "Slug"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill; `owner` is read too"),
    ),
    responses((status = 200, body = ModerationDetails), (status = 404, description = "`Moderation details unavailable`")),
)]
pub(crate) async fn details(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SlugPath(wanted): SlugPath,
) -> Result<Response, Miss> {
    let mut conn = app.db().read().await?;
    let skill = find::skill(&app, &mut conn, &wanted).await?;
    let sees = caller.sees(&skill.name());
    let all = lines::of_skill(&mut conn, &skill.id).await?;
    let latest = all.iter().find(|line| Some(&line.version) == skill.latest.as_ref());
    let line = latest.or_else(|| all.first()).ok_or_else(unavailable)?;
    if !sees && (!line.state.is_downloadable() || line.verdict == Verdict::Clean) {
        return Err(unavailable().into());
    }
    let release = releases::by_id(&mut conn, &line.id).await?.ok_or_else(unavailable)?;
    let mut findings: Vec<&Finding> = release.findings.iter().collect();
    findings.sort();
    let evidence = findings.into_iter().map(|finding| shown(finding, sees)).collect();
    Ok(json(&ModerationDetails {
        moderation: summary(&release).map(|summary| ModerationWarning { summary, evidence }),
    }))
}

fn shown(finding: &Finding, sees: bool) -> ModerationEvidence {
    ModerationEvidence {
        code: finding.rule_id.clone(),
        severity: finding.severity.as_str(),
        file: finding.file.clone(),
        line: finding.line,
        message: finding.message.clone(),
        evidence: if sees { finding.evidence.clone() } else { String::new() },
    }
}

/// The contract's words.
fn unavailable() -> ApiError {
    ApiError::Other {
        status: StatusCode::NOT_FOUND,
        code: "moderation-unavailable",
        title: "Moderation details unavailable".to_owned(),
    }
}
