use serde_json::{Value, json};
use skill_core::api::IndexLine;
use skill_core::digest::TreeDigest;
use skill_core::name::{SkillName, Slug};
use skill_core::number::{self, Number, Used, Wanted};
use skill_core::version::Version;

use super::{Args, limits, owner};
use crate::code::Code;
use crate::config::{self, Config};
use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::packing::Packing;
use crate::releases;
use crate::report::{Block, Line, Report};

/// Under which name and number the files would go.
struct Plan {
    name: SkillName,
    version: Version,
    /// Whether they are not there yet.
    is_new: bool,
}

/// What would be published: the lists of files, and the number if a registry can be asked for it.
pub(super) async fn run(
    context: &Context,
    args: &Args,
    packing: &Packing,
    slug: &Slug,
) -> Result<Report, Failure> {
    let asked = if can_ask(context)? { Some(ask(context, args, packing, slug).await?) } else { None };
    let tree = packing.tree.digest();
    let (first, status) = match &asked {
        Some(Plan { name, version, is_new: true }) => {
            (format!("would publish {name} {version}"), "would-publish")
        }
        Some(Plan { name, version, is_new: false }) => (format!("unchanged {name} {version}"), "unchanged"),
        None => (format!("would publish {}", unasked(args, slug)), "would-publish"),
    };
    let version = asked.as_ref().map(|plan| plan.version.clone()).or_else(|| args.version.clone());
    let owner = asked.as_ref().map(|plan| plan.name.owner.clone()).or_else(|| args.owner.clone());
    let mut document = packing.document();
    for (key, value) in [
        ("dryRun", json!(true)),
        ("owner", json!(owner)),
        ("slug", json!(slug)),
        ("version", json!(version)),
        ("treeDigest", json!(tree)),
        ("archiveSha256", Value::Null),
        ("verdict", Value::Null),
        ("status", json!(status)),
        ("url", Value::Null),
    ] {
        document[key] = value;
    }
    let rows = [vec![Line::from(first).into(), Block::Blank], packing.rows()].concat();
    Ok(Report::new(document, rows).closing("dry run: nothing was sent"))
}

/// Without a registry, a token or the network, the lists alone are shown.
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

fn unasked(args: &Args, slug: &Slug) -> String {
    let name = args.owner.as_ref().map_or_else(|| slug.to_string(), |owner| format!("{owner}/{slug}"));
    args.version.as_ref().map_or_else(|| name.clone(), |version| format!("{name} {version}"))
}

async fn ask(context: &Context, args: &Args, packing: &Packing, slug: &Slug) -> Result<Plan, Failure> {
    let connection = connection::open(context, "publish").await?;
    limits::check(&connection, packing).await?;
    let name = SkillName::new(owner(&connection, args).await?, slug.clone());
    let releases = releases::all(&connection, &name).await?.unwrap_or_default();
    let plan = match choose(&releases, args, packing.tree.digest()) {
        Number::New(version) => Plan { version, is_new: true, name },
        Number::Same(version) => Plan { version, is_new: false, name },
        Number::Taken { version, next } => return Err(taken(&name, &version, next.as_ref())),
        Number::Exhausted { from } => return Err(exhausted(&name, &from)),
    };
    Ok(plan)
}

fn taken(name: &SkillName, version: &Version, next: Option<&Version>) -> Failure {
    let failure = Failure::new(Code::VersionTaken, format!("{name} {version} exists with other files"))
        .because("a number is used once, also after a yank or a deletion")
        .because_in_text(crate::failure::NOTHING_SENT);
    match next {
        Some(next) => failure.key("next", next.to_string()),
        None => failure,
    }
}

fn exhausted(name: &SkillName, from: &Version) -> Failure {
    Failure::new(Code::VersionExhausted, format!("no number of {name} comes after {from} that way"))
        .because_in_text(crate::failure::NOTHING_SENT)
}

/// What the registry would give by what its index says. It decides again when the release is sent.
fn choose(releases: &[IndexLine], args: &Args, tree: TreeDigest) -> Number {
    let used: Vec<Used> = releases
        .iter()
        .map(|line| Used {
            version: line.version.clone(),
            tree: line.tree_digest,
            state: line.state,
            log_index: line.log_index,
        })
        .collect();
    let latest = releases.iter().find(|line| line.tags.iter().any(skill_core::name::Tag::is_latest));
    let wanted = Wanted::of(args.version.clone(), args.bump);
    number::choose(&used, latest.map(|line| &line.version), wanted, tree)
}
