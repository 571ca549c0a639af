use serde_json::{Value, json};
use skill_core::api::IndexLine;
use skill_core::digest::TreeDigest;
use skill_core::name::{SkillName, Slug};
use skill_core::version::{Bump, Version};

use super::{Args, limits, owner};
use crate::code::Code;
use crate::config::{self, Config};
use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::packing::Packing;
use crate::releases;
use crate::report::{Block, Line, Report};

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
        Some((name, Number::New(version))) => (format!("would publish {name} {version}"), "would-publish"),
        Some((name, Number::Same(version))) => (format!("unchanged {name} {version}"), "unchanged"),
        None => (format!("would publish {}", unasked(args, slug)), "would-publish"),
    };
    let version = asked.as_ref().map(|(_, number)| number.version().clone()).or_else(|| args.version.clone());
    let owner = asked.as_ref().map(|(name, _)| name.owner.clone()).or_else(|| args.owner.clone());
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

async fn ask(
    context: &Context,
    args: &Args,
    packing: &Packing,
    slug: &Slug,
) -> Result<(SkillName, Number), Failure> {
    let connection = connection::open(context, "publish").await?;
    limits::check(&connection, packing).await?;
    let name = SkillName::new(owner(&connection, args).await?, slug.clone());
    let releases = releases::all(&connection, &name).await?.unwrap_or_default();
    let number = choose(&releases, args, packing.tree.digest()).map_err(|next| taken(&name, args, &next))?;
    Ok((name, number))
}

fn taken(name: &SkillName, args: &Args, next: &Version) -> Failure {
    let version = args.version.as_ref().map(ToString::to_string).unwrap_or_default();
    Failure::new(Code::VersionTaken, format!("{name} {version} exists with other files"))
        .because("a number is used once, also after a yank or a deletion")
        .because_in_text(crate::failure::NOTHING_SENT)
        .key("next", next.to_string())
}

#[derive(Debug, PartialEq, Eq)]
enum Number {
    New(Version),
    Same(Version),
}

impl Number {
    const fn version(&self) -> &Version {
        match self {
            Self::New(version) | Self::Same(version) => version,
        }
    }
}

/// The number that the registry would give, by the rule of docs/FORMAT.md; the next free one if the
/// wanted one is taken. The registry decides again when the release is sent.
fn choose(releases: &[IndexLine], args: &Args, tree: TreeDigest) -> Result<Number, Version> {
    let holder = |version: &Version| releases.iter().find(|line| line.version == *version);
    let free = |mut version: Version, bump| {
        while holder(&version).is_some() {
            version = version.bumped(bump);
        }
        version
    };
    if let Some(version) = &args.version {
        return match holder(version) {
            None => Ok(Number::New(version.clone())),
            Some(line) if line.tree_digest == tree => Ok(Number::Same(version.clone())),
            Some(_) => Err(free(version.clone(), Bump::Patch)),
        };
    }
    let latest = releases.iter().find(|line| line.tags.iter().any(skill_core::name::Tag::is_latest));
    let highest = releases.iter().max_by(|a, b| a.version.cmp(&b.version));
    let Some(base) = latest.or(highest) else { return Ok(Number::New(Version::FIRST)) };
    match (args.bump, latest) {
        (None, Some(latest)) if latest.tree_digest == tree => Ok(Number::Same(latest.version.clone())),
        (bump, _) => {
            let bump = bump.unwrap_or(Bump::Patch);
            Ok(Number::New(free(base.version.bumped(bump), bump)))
        }
    }
}
