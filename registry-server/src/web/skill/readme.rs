//! The first page of a skill: what it is for, what it needs, how to get it, and its own text.

use axum::Extension;
use axum::extract::{RawPathParams, State};
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_bundle::SKILL_MD;
use skill_core::frontmatter::Frontmatter;
use skill_scan::capabilities::{Capabilities, Capability, Kind};

use super::chart::{self, Chart};
use super::find::{Shown, Visit, find};
use super::head::{Head, Tab};
use super::lint::Linted;
use super::needs::{self, Dependency, Input, Need};
use super::used_by::{self, UsedBy};
use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::SkillPath;
use crate::problem::ApiError;
use crate::skill_md::{SHOWN_BYTES, skill_md};
use crate::store::publishers::{self, Publisher, PublisherKind};
use crate::store::{downloads, files, readings, requirements, slugs, stars};
use crate::web::address::{Address, Pages};
use crate::web::badge::Badge;
use crate::web::markdown::{self, Outside, Siblings};
use crate::web::page::page;
use crate::web::row::in_a_line;
use crate::web::words::{Time, bytes, counted, grouped, tokens};

/// Versions that are listed beside the text.
const LISTED: usize = 3;

#[derive(Debug, Serialize)]
struct View {
    head: Head,
    /// `None` where nothing should be installed by hand.
    install: Option<Install>,
    facts: Facts,
    when: String,
    when_not: String,
    needs: Vec<Need>,
    inputs: Vec<Input>,
    dependencies: Vec<Dependency>,
    text: markdown::Shown,
    raw: Address,
    raw_size: String,
    /// Whether the file is longer than what is read of it.
    cut: bool,
    beside: Beside,
}

/// How to get it.
#[derive(Debug, Serialize)]
struct Install {
    command: String,
    exact: String,
    clients: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Facts {
    /// Names to decide by, the first few.
    needs: Vec<String>,
    more_needs: usize,
    /// Programs, variables and hosts that its files name and it does not declare, the first few.
    undeclared: Vec<String>,
    more_undeclared: usize,
    systems: String,
    listed: String,
    loaded: String,
    log_index: String,
    published: Time,
    licence: String,
    content: String,
}

#[derive(Debug, Serialize)]
struct Beside {
    versions: Vec<OtherVersion>,
    /// What the publisher goes by beside the handle; empty if that is the same.
    goes_by: String,
    publisher_kind: &'static str,
    holds_slug: bool,
    used_by: UsedBy,
    lint: Linted,
    downloads: Option<Chart>,
    stars: String,
    commit: Option<String>,
    links: Vec<(&'static str, Outside)>,
}

#[derive(Debug, Serialize)]
struct OtherVersion {
    version: String,
    address: Address,
    badge: Badge,
    published: Time,
}

/// `/{owner}/skills/{slug}` and `/{owner}/skills/{slug}/versions/{version}`.
pub(in crate::web) async fn readme(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SkillPath(name): SkillPath,
    params: RawPathParams,
) -> Result<Response, ApiError> {
    let version = params.iter().find(|(key, _)| *key == "version").map(|(_, value)| value);
    let shown = match find(&app, &caller, &name, version).await? {
        Visit::Shown(shown) => shown,
        Visit::Elsewhere(response) => return Ok(*response),
    };
    let view = view(&app, &shown).await?;
    page(&app, StatusCode::OK, "readme.html", &view.head.frame(view.head.readme()), &view)
}

async fn view(app: &App, shown: &Shown) -> Result<View, ApiError> {
    let mut conn = app.db().read().await?;
    let listed = files::of_release(&mut conn, &shown.release.id).await?;
    let holder = slugs::holder(&mut conn, &shown.skill.slug).await?;
    let publisher = publishers::find(&mut conn, &shown.skill.owner).await?;
    let holds_slug = holder.as_deref() == Some(shown.skill.id.as_str());
    let (dependents, total) =
        requirements::dependents(&mut conn, &shown.skill, holds_slug, used_by::SHOWN).await?;
    let lint = readings::lint(&mut conn, &shown.release.id).await?;
    let reach = readings::capabilities(&mut conn, &shown.release.id).await?;
    let now = app.clock().now();
    let days = downloads::by_day(&mut conn, &shown.skill.id, downloads::since(now, chart::DAYS)).await?;
    let stars = stars::count(&mut conn, &shown.skill.id).await?;
    drop(conn);
    let source = skill_md(app, &shown.line).await?;
    let body = body(&source);
    let paths = listed.iter().map(|file| file.path.as_str()).collect();
    let head = Head::of(shown, Tab::Readme);
    let size = listed.iter().find(|file| file.path == SKILL_MD).map_or(0, |file| file.size);
    let manifest = &shown.release.manifest;
    let needs = needs::needs(manifest);
    Ok(View {
        install: shown.release.state.is_selectable().then(|| install(app, &head, holds_slug)),
        facts: facts(shown, &needs, reach.as_ref(), source.len()),
        when: needs::text(manifest, "/whenToUse"),
        when_not: needs::text(manifest, "/whenNotToUse"),
        needs,
        inputs: needs::inputs(manifest),
        dependencies: needs::dependencies(manifest),
        text: markdown::show(&body, &Siblings { pages: &head.pages, version: &head.version, paths: &paths }),
        raw: head.pages.raw(&head.version, SKILL_MD),
        raw_size: bytes(size),
        cut: size > SHOWN_BYTES as u64,
        beside: Beside {
            versions: versions(shown, &head.pages),
            goes_by: publisher.as_ref().map(goes_by).unwrap_or_default(),
            publisher_kind: publisher.map_or("a person", |one| kind(one.kind)),
            holds_slug,
            used_by: UsedBy::of(dependents, total),
            lint: Linted::of(lint, &head),
            downloads: Chart::of(&days, now),
            stars: counted(stars, "star"),
            commit: shown.release.source_commit.clone(),
            links: links(shown),
        },
        head,
    })
}

pub(in crate::web) const fn kind(kind: PublisherKind) -> &'static str {
    match kind {
        PublisherKind::User => "a person",
        PublisherKind::Org => "an organisation",
    }
}

/// The name that a publisher chose beside the handle; empty if it is the handle. Anybody may go by any name, so it
/// never stands instead of the handle.
pub(in crate::web) fn goes_by(publisher: &Publisher) -> String {
    if publisher.display_name == publisher.handle.as_str() {
        String::new()
    } else {
        in_a_line(&publisher.display_name)
    }
}

/// The text behind the frontmatter; all of it where there is none that can be read.
fn body(source: &str) -> String {
    match Frontmatter::read(source.as_bytes()) {
        Ok(frontmatter) => frontmatter.body(source.as_bytes()).into_owned(),
        Err(_) => source.to_owned(),
    }
}

fn install(app: &App, head: &Head, holds_slug: bool) -> Install {
    let name = format!("{}/{}", head.owner, head.slug);
    let exact = format!("skill install {name}@{}", head.version);
    let base = app.base_url();
    let mut clients = vec![format!("OPENCLAW_CLAWHUB_URL={base} openclaw skills install @{name}")];
    if holds_slug {
        clients.push(format!("CLAWHUB_REGISTRY={base} npx clawhub install {}", head.slug));
    }
    let command = if head.is_latest { format!("skill install {name}") } else { exact.clone() };
    Install { command, exact, clients }
}

fn facts(shown: &Shown, needs: &[Need], reach: Option<&Capabilities>, loaded: usize) -> Facts {
    const NAMED: usize = 4;
    let undeclared = undeclared(reach);
    let manifest = &shown.release.manifest;
    let listed = needs::text(manifest, "/name").len() + needs::text(manifest, "/description").len();
    let systems = manifest.get("os").and_then(serde_json::Value::as_array);
    let systems: Vec<&str> = systems.into_iter().flatten().filter_map(serde_json::Value::as_str).collect();
    Facts {
        needs: needs.iter().take(NAMED).map(|need| in_a_line(need.name())).collect(),
        more_needs: needs.len().saturating_sub(NAMED),
        undeclared: undeclared.iter().take(NAMED).map(|name| in_a_line(name)).collect(),
        more_undeclared: undeclared.len().saturating_sub(NAMED),
        systems: systems.join(", "),
        listed: tokens(listed),
        loaded: tokens(loaded),
        log_index: grouped(shown.release.log_index),
        published: Time::of(shown.release.published_at),
        licence: needs::text(manifest, "/license").chars().take(80).collect(),
        content: format!("{}, {}", counted(shown.release.file_count, "file"), bytes(shown.release.size)),
    }
}

/// Programs, variables and hosts that the files name and the manifest does not; what else they reach for is on the page
/// about security.
fn undeclared(reach: Option<&Capabilities>) -> Vec<&str> {
    let all = reach.into_iter().flat_map(|reach| &reach.capabilities);
    let needed = |one: &&Capability| matches!(one.kind, Kind::Program | Kind::Variable | Kind::Host);
    all.filter(needed).filter(|one| !one.declared).map(|one| one.name.as_str()).collect()
}

fn versions(shown: &Shown, pages: &Pages) -> Vec<OtherVersion> {
    let listed = shown.lines.iter().filter(|line| line.state.is_downloadable()).take(LISTED);
    let one = |line: &crate::store::lines::Line| OtherVersion {
        version: line.version.to_string(),
        address: pages.version(&line.version.to_string()),
        badge: Badge::of(line.state, line.verdict),
        published: Time::of(line.published_at),
    };
    listed.map(one).collect()
}

/// Addresses that the publisher gives; only such as a browser opens.
fn links(shown: &Shown) -> Vec<(&'static str, Outside)> {
    let manifest = &shown.release.manifest;
    [
        ("Homepage", "/links/homepage"),
        ("Repository", "/links/repository"),
        ("Documentation", "/links/documentation"),
    ]
    .into_iter()
    .filter_map(|(word, pointer)| {
        let outside = Outside::read(&needs::text(manifest, pointer))?;
        outside.href.starts_with("http").then_some((word, outside))
    })
    .collect()
}
