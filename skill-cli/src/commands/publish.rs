use std::path::PathBuf;

use bytes::Bytes;
use skill_bundle::write_canonical;
use skill_core::api::PublishMeta;
use skill_core::diagnostic::Diagnostic;
use skill_core::name::{Owner, Slug, Tag};
use skill_core::version::{Bump, Version};

use crate::client::{ClientError, Sent};
use crate::code::Code;
use crate::connection::{self, Connection};
use crate::context::Context;
use crate::failure::{Failure, NOTHING_SENT};
use crate::packing::Packing;
use crate::report::{Block, Line, Message, Report};
use crate::text::number;

mod all;
mod answer;
mod limits;
mod pending;
mod preview;

/// Publish a release
///
/// PATH is a folder or an archive. Without --version or --bump: 1.0.0 first; then
/// nothing if the files are those of the latest release, else the next patch.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "Examples:
  skill publish . --bump minor --changelog 'Reads pull requests too'
  skill publish ./my-skill --dry-run
  skill publish ./skills --all"
)]
pub struct Args {
    /// Folder or archive
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// Publisher [default: the token's own]
    #[arg(long, value_name = "OWNER")]
    pub owner: Option<Owner>,
    /// Slug [default: the name in SKILL.md, else the folder's name]
    #[arg(long, value_name = "SLUG")]
    pub slug: Option<String>,
    /// Folder inside PATH
    #[arg(long = "path", value_name = "PATH")]
    pub subpath: Option<PathBuf>,
    /// Number of the release
    #[arg(long, value_name = "VERSION", conflicts_with = "bump")]
    pub version: Option<Version>,
    /// Which part goes up: patch, minor or major
    #[arg(long, value_name = "PART", value_parser = bump)]
    pub bump: Option<Bump>,
    /// Tag to set on it (can be repeated)
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<Tag>,
    /// What changed, for people
    #[arg(long, value_name = "TEXT")]
    pub changelog: Option<String>,
    /// Sign it with your own key
    #[arg(long, hide = true)]
    pub sign: bool,
    /// Publish every skill below PATH
    #[arg(long, conflicts_with_all = ["slug", "version", "subpath"])]
    pub all: bool,
    /// Show what would be published, and stop
    #[arg(long)]
    pub dry_run: bool,
}

fn bump(text: &str) -> Result<Bump, String> {
    match text {
        "patch" => Ok(Bump::Patch),
        "minor" => Ok(Bump::Minor),
        "major" => Ok(Bump::Major),
        _ => Err("accepted: patch, minor and major".to_owned()),
    }
}

/// How many warnings about the frontmatter are shown without `--verbose`.
const WARNINGS: usize = 3;

/// Packs, checks and sends a release.
///
/// # Errors
/// `bundle-…`, `frontmatter-…`, `slug-underivable`, `login-needed`, `version-taken` and what else the registry
/// answers; `publish-malicious` for a release that it keeps closed.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    check_built(args)?;
    if args.all {
        return all::run(context, args).await;
    }
    let packing = Packing::read(context, &args.path, args.subpath.as_deref())?;
    let (_, found) = packing.manifest()?;
    let (slug, slug_from) = packing.slug(args.slug.as_deref())?;
    let meta = meta(args, &packing, slug);
    if args.dry_run {
        return preview::run(context, &packing, &meta, &found).await;
    }
    let connection = connection::open(context, "publish").await?;
    connection.need_token()?;
    let archive = zipped(&packing)?;
    let size = archive.len() as u64;
    limits::check(&connection, &packing, size).await?;
    context.screen.plan(&[packed(&packing, size, &meta.slug, slug_from)]);
    warn_of_links(context, &packing);
    warn(context, &packing, &found);
    let start = context.now();
    let sent = send(&connection, &packing, &meta, Bytes::from(archive)).await?;
    let report = answer::published(context, &sent, context.now().duration_since(start).unsigned_abs())?;
    Ok(pending::told(report, &sent.published, &connection.label()))
}

/// Sends what was packed.
async fn send(
    connection: &Connection,
    packing: &Packing,
    meta: &PublishMeta,
    archive: Bytes,
) -> Result<Sent, Failure> {
    let size = archive.len() as u64;
    let error = match connection.session.publish(meta, archive).await {
        Ok(sent) => return Ok(sent),
        Err(error) => error,
    };
    let failure = connection.refused(&error);
    let failure = match &error {
        ClientError::Refused(problem) if problem.status == 413 => {
            limits::refused(connection, packing, size, problem, failure)
        }
        _ => failure,
    };
    Err(answer::refused(connection, &packing.given, meta, failure).await)
}

/// The archive that is sent.
fn zipped(packing: &Packing) -> Result<Vec<u8>, Failure> {
    let mut archive = Vec::new();
    write_canonical(&packing.bundle, &mut archive)
        .map_err(|error| Failure::disk(&error, "the archive in memory"))?;
    Ok(archive)
}

fn check_built(args: &Args) -> Result<(), Failure> {
    if !args.sign {
        return Ok(());
    }
    Err(Failure::new(Code::NotBuilt, "this build does not publish with --sign").because_in_text(NOTHING_SENT))
}

fn meta(args: &Args, packing: &Packing, slug: Slug) -> PublishMeta {
    PublishMeta {
        owner: args.owner.clone(),
        slug,
        version: args.version.clone(),
        bump: args.bump,
        tags: args.tag.clone(),
        changelog: args.changelog.clone().unwrap_or_default(),
        source_commit: None,
        tree_digest: Some(packing.tree.digest()),
    }
}

fn packed(packing: &Packing, zipped: u64, slug: &Slug, slug_from: &str) -> Block {
    let weight = packing.weight();
    let zipped = number::size(zipped);
    let out = match packing.excluded.len() {
        0 => String::new(),
        out => format!("; {} left out", number::counted(out, "entry", "entries")),
    };
    let named = if slug_from.contains("SKILL.md") {
        String::new()
    } else {
        format!("; slug {slug} from {slug_from}")
    };
    Line::from(format!("packed {weight} ({zipped} zipped){out}{named}")).into()
}

fn warn_of_links(context: &Context, packing: &Packing) {
    for (link, target) in &packing.links {
        let text = format!("{link} is a link, packed as {target}");
        context.screen.tell(&Message::warning(Code::LinkFollowed, text));
    }
}

fn warn(context: &Context, packing: &Packing, found: &[Diagnostic]) {
    let shown = if context.screen.is_verbose() { usize::MAX } else { WARNINGS };
    for found in found.iter().take(shown) {
        let place = format!("{}:{}:{}", packing.skill_md(), found.line, found.column);
        if let Some(code) = Code::named(found.code) {
            context.screen.tell(&Message::warning(code, format!("{place}: {}", found.message)));
        }
    }
    let more = found.len().saturating_sub(shown);
    if more > 0 {
        context.screen.plan(&[Line::from(format!("and {more} more (--verbose shows all)")).into()]);
    }
}

/// The publisher that a release goes to: the one given, else the token's own.
async fn owner(connection: &Connection, meta: &PublishMeta) -> Result<Owner, Failure> {
    if let Some(owner) = &meta.owner {
        return Ok(owner.clone());
    }
    let identity = connection.session.whoami().await.map_err(|error| connection.refused(&error))?;
    identity.publishers.into_iter().map(|member| member.owner).next().ok_or_else(|| {
        Failure::new(Code::NotMember, format!("{} publishes for nobody", identity.user))
            .because_in_text(NOTHING_SENT)
            .hint("ask an owner for an invitation, or name one with `--owner OWNER`")
    })
}
