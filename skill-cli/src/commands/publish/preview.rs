use serde_json::{Value, json};
use skill_core::api::{PublishMeta, PublishPlan};
use skill_core::diagnostic::Diagnostic;
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_scan::ScanReport;

use super::{answer, limits};
use crate::code::Code;
use crate::config::{self, Config};
use crate::connection;
use crate::context::Context;
use crate::failure::{Failure, NOTHING_SENT};
use crate::packing::Packing;
use crate::report::{Block, Line, Report, findings_document, findings_table};

/// What the registry says would come of it.
struct Asked {
    plan: PublishPlan,
    label: String,
}

/// What would be published: the lists of files, what the rules here find in them, and name and number if a registry can be
/// asked.
///
/// # Errors
/// What the publish would be refused for; `publish-malicious` for what the registry would close.
pub(super) async fn run(
    context: &Context,
    packing: &Packing,
    meta: &PublishMeta,
    found: &[Diagnostic],
) -> Result<Report, Failure> {
    let asked = if can_ask(context)? { Some(ask(context, packing, meta).await?) } else { None };
    let scan = context.scan(&packing.bundle)?;
    super::warn(context, packing, found);
    let plan = asked.as_ref().map(|asked| &asked.plan);
    let name = name(plan, meta);
    let document = document(packing, plan, meta, &scan);
    if scan.verdict == Verdict::Malicious || plan.is_some_and(|plan| plan.status == ReleaseState::Quarantined)
    {
        return Err(closed(&scan, &name, document));
    }
    let first = match plan {
        Some(plan) if plan.unchanged => format!("unchanged {name}"),
        _ => format!("would publish {name}"),
    };
    let mut rows = [vec![Line::from(first).into(), Block::Blank], packing.rows()].concat();
    rows.extend([Block::Blank, Line::from(format!("scan   {}", verdict(&scan, asked.as_ref()))).into()]);
    if let Some(plan) = plan.filter(|plan| !plan.tags.is_empty()) {
        let tags: Vec<&str> = plan.tags.iter().map(skill_core::name::Tag::as_str).collect();
        rows.extend([Block::Blank, Line::from(format!("tags   {}", tags.join(", "))).into()]);
    }
    let report = Report::new(document, rows).closing("dry run: nothing was sent");
    let report = match &asked {
        Some(Asked { plan, label }) => super::pending::would_wait(report, plan, label),
        None => report,
    };
    Ok(if scan.verdict == Verdict::Clean {
        report
    } else {
        report.note(answer::suspicious(&name, scan.verdict, &scan.findings))
    })
}

/// Without a registry, a token or the network, what is here alone is shown.
fn can_ask(context: &Context) -> Result<bool, Failure> {
    if context.offline() {
        return Ok(false);
    }
    let wanted = config::project(context)?;
    match Config::load(context, wanted.as_ref())?.choose(context, "publish") {
        Ok(choice) => Ok(crate::credentials::token_for(context, &choice)?.is_some()),
        Err(failure) if failure.code == Code::RegistryNotSet => Ok(false),
        Err(failure) => Err(failure),
    }
}

async fn ask(context: &Context, packing: &Packing, meta: &PublishMeta) -> Result<Asked, Failure> {
    let connection = connection::open(context, "publish").await?;
    let zipped = super::zipped(packing)?.len() as u64;
    limits::check(&connection, packing, zipped).await?;
    match connection.session.plan(meta).await {
        Ok(plan) => Ok(Asked { plan, label: connection.label() }),
        Err(error) => {
            let failure = connection.refused(&error);
            Err(answer::refused(&connection, &packing.given, meta, failure).await)
        }
    }
}

/// As much of `acme/notes 1.0.0` as is known.
fn name(plan: Option<&PublishPlan>, meta: &PublishMeta) -> String {
    let (owner, version) = match plan {
        Some(plan) => (Some(&plan.owner), Some(&plan.version)),
        None => (meta.owner.as_ref(), meta.version.as_ref()),
    };
    let name = owner.map_or_else(|| meta.slug.to_string(), |owner| format!("{owner}/{}", meta.slug));
    version.map_or_else(|| name.clone(), |version| format!("{name} {version}"))
}

/// The verdict, and how much it is worth: the registry decides by its own rules.
fn verdict(scan: &ScanReport, asked: Option<&Asked>) -> String {
    let (verdict, rules) = (scan.verdict, &scan.ruleset_name);
    match asked {
        None => format!("{verdict}, by the rules of this program"),
        Some(Asked { plan, label }) if plan.ruleset.sha256 == scan.ruleset_sha256 => {
            format!("{verdict}, by the rules of {label}")
        }
        Some(Asked { plan, label }) => {
            format!(
                "{verdict}, by the rules {rules}; {label} has {}, and may find more or less",
                plan.ruleset.name
            )
        }
    }
}

fn document(packing: &Packing, plan: Option<&PublishPlan>, meta: &PublishMeta, scan: &ScanReport) -> Value {
    let mut document = packing.document();
    let status = if plan.is_some_and(|plan| plan.unchanged) { "unchanged" } else { "would-publish" };
    for (key, value) in [
        ("dryRun", json!(true)),
        ("owner", json!(plan.map_or(meta.owner.as_ref(), |plan| Some(&plan.owner)))),
        ("slug", json!(meta.slug)),
        ("version", json!(plan.map_or(meta.version.as_ref(), |plan| Some(&plan.version)))),
        ("treeDigest", json!(packing.tree.digest())),
        ("archiveSha256", Value::Null),
        ("verdict", json!(scan.verdict)),
        ("status", json!(status)),
        ("wouldBe", json!(plan.map(|plan| plan.status))),
        ("tags", json!(plan.map(|plan| &plan.tags))),
        ("waiting", json!(plan.map(|plan| &plan.waiting))),
        ("url", json!(plan.map(|plan| &plan.url))),
        ("findings", findings_document(&scan.findings)),
        ("sameRules", json!(plan.map(|plan| plan.ruleset.sha256 == scan.ruleset_sha256))),
    ] {
        document[key] = value;
    }
    document
}

/// The publish would end so too, with the number used.
fn closed(scan: &ScanReport, name: &str, document: Value) -> Failure {
    let failure = if scan.verdict == Verdict::Malicious {
        Failure::new(Code::PublishMalicious, format!("{name} is malicious, and would be quarantined"))
            .list(findings_table(&scan.findings))
    } else {
        Failure::new(Code::PublishMalicious, format!("{name} would be quarantined"))
            .because("the registry keeps these bytes closed, whatever they are called")
    };
    let failure = failure.because_in_text(NOTHING_SENT);
    let Value::Object(keys) = document else { return failure };
    keys.into_iter().fold(failure, |failure, (key, value)| failure.key(&key, value))
}
