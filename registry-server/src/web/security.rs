//! What a scan said of a release, and who vouches for what.

mod answer;
mod history;
mod reach;
mod statements;
mod trust;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::verdict::{Finding, Severity};

use super::address::{Address, Pages};
use super::badge::Badge;
use super::files::Location;
use super::page::page;
use super::skill::find::{Shown, Visit, find};
use super::skill::head::{Head, Tab};
use super::words::{Time, counted};
use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::{Query, SkillPath};
use crate::problem::ApiError;
use crate::signing::envelope::in_force;
use crate::store::lines::Line;
use crate::store::{log, readings};
use history::{Scan, history};
use reach::Reach;
use skill_scan::RuleSet;
use statements::Signed;
use trust::{Check, NOT_OFFERED, checks};

/// Findings that one page shows; the rest is in the JSON.
const SHOWN: usize = 100;
/// Other versions that it names.
const LISTED: usize = 10;

#[derive(Debug, Serialize)]
struct View {
    head: Head,
    findings: Vec<ShownFinding>,
    counts: String,
    more: String,
    ruleset: String,
    ruleset_digest: String,
    scanned: Time,
    json: Address,
    envelope: Address,
    root: Address,
    reach: Reach,
    checks: Vec<Check>,
    summary: String,
    not_offered: &'static str,
    scans: Vec<Scan>,
    signed: Vec<Signed>,
    tree: String,
    archive: String,
    others: Vec<Other>,
    /// Versions that are not among them.
    more_others: usize,
}

/// One finding as it is shown.
#[derive(Debug, Serialize)]
struct ShownFinding {
    number: usize,
    badge: Badge,
    message: String,
    rule: String,
    place: Location,
    evidence: String,
    line: u32,
    /// Why it matters and what to do, as the rule says; empty for a rule that this program does not have any more.
    why: String,
    advice: String,
}

#[derive(Debug, Serialize)]
struct Other {
    version: String,
    address: Address,
    badge: Badge,
}

/// `/{owner}/skills/{slug}/security`.
pub(super) async fn security(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SkillPath(name): SkillPath,
    query: Query,
) -> Result<Response, ApiError> {
    let shown = match find(&app, &caller, &name, query.text("version")).await? {
        Visit::Shown(shown) => shown,
        Visit::Elsewhere(response) => return Ok(*response),
    };
    let mut conn = app.db().read().await?;
    let scans = log::scans(&mut conn, &shown.skill.id, history::SHOWN).await?;
    let signed = in_force(&mut conn, &shown.skill.id, &shown.release.id).await?;
    let capabilities = readings::capabilities(&mut conn, &shown.release.id).await?;
    drop(conn);
    let head = Head::of(&shown, Tab::Security);
    let release = &shown.release;
    let signed: Vec<Signed> = signed.iter().map(|one| Signed::of(one, app.root())).collect();
    let (checks, summary) = checks(&app, &shown, &signed);
    let mut findings: Vec<&Finding> = release.findings.iter().collect();
    findings.sort();
    let others: Vec<&Line> = shown.lines.iter().filter(|line| is_another(&shown, line)).collect();
    let view = View {
        reach: Reach::of(capabilities.as_ref(), &head),
        counts: counts(&findings),
        more: match findings.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("{} more in the JSON.", counted(more as u64, "finding")),
        },
        findings: findings
            .iter()
            .take(SHOWN)
            .zip(1..)
            .map(|(one, number)| shown_as(&head, one, number))
            .collect(),
        ruleset: release.ruleset.clone(),
        ruleset_digest: release.ruleset_sha256.to_string(),
        scanned: Time::of(release.scanned_at),
        json: head.pages.json(&head.version),
        envelope: head.pages.envelope(&head.version),
        root: Address::first_root(),
        scans: history(&scans, &shown, &head.pages, app.root()),
        signed,
        tree: release.tree_digest.to_string(),
        archive: release.archive_sha256.to_string(),
        more_others: others.len().saturating_sub(LISTED),
        others: others.iter().take(LISTED).map(|line| other(line, &head.pages)).collect(),
        checks,
        summary,
        not_offered: NOT_OFFERED,
        head,
    };
    let frame = view.head.frame(view.head.pages.security());
    page(&app, StatusCode::OK, "security.html", &frame, &view)
}

fn counts(findings: &[&Finding]) -> String {
    let of = |severity| findings.iter().filter(|finding| finding.severity == severity).count() as u64;
    let words = [(Severity::Critical, "critical"), (Severity::Warn, "warning"), (Severity::Info, "note")];
    let parts: Vec<String> = words
        .into_iter()
        .filter(|(severity, _)| of(*severity) > 0)
        .map(|(severity, word)| match word {
            "critical" => format!("{} critical", of(severity)),
            word => counted(of(severity), word),
        })
        .collect();
    parts.join(", ")
}

fn shown_as(head: &Head, finding: &Finding, number: usize) -> ShownFinding {
    let about = RuleSet::builtin().rule(&finding.rule_id);
    let mut message = finding.message.clone();
    if let Some(first) = message.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    ShownFinding {
        number,
        badge: Badge::severity(finding.severity),
        message,
        rule: finding.rule_id.clone(),
        place: Location::of(head, &finding.file, finding.line),
        evidence: finding.evidence.clone(),
        line: finding.line,
        why: about.map(|about| about.why.clone()).unwrap_or_default(),
        advice: about.map(|about| about.advice.clone()).unwrap_or_default(),
    }
}

/// Whether a reader compares with it: every version that is known of, closed ones too.
fn is_another(shown: &Shown, line: &Line) -> bool {
    use skill_core::state::ReleaseState::{Deleted, Pending, Withdrawn};
    line.id != shown.line.id && !matches!(line.state, Pending | Withdrawn | Deleted)
}

fn other(line: &Line, pages: &Pages) -> Other {
    Other {
        version: line.version.to_string(),
        address: pages.checked(&line.version.to_string(), line.state.is_downloadable()),
        badge: Badge::of(line.state, line.verdict),
    }
}
