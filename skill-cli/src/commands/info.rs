use skill_core::api::IndexLine;
use skill_core::lock::LockedSource;
use skill_core::manifest::Manifest;
use skill_core::name::SkillName;
use skill_core::reference::RegistryRef;
use skill_core::requirement::Selector;
use skill_core::version::Version;
use skill_trust::{Expected, TrustEnvelope, VerifiedRelease, verify_release};

use crate::code::Code;
use crate::connection::{self, Connection};
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::releases;
use crate::report::Report;
use crate::workdir;

mod show;
mod status;

/// Show one skill
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The skill: github, acme/github or acme/github@3.4.1
    #[arg(value_name = "REF")]
    pub reference: String,
}

/// Everything that is shown of one release.
struct Info {
    name: SkillName,
    releases: Vec<IndexLine>,
    line: IndexLine,
    /// Its statements, checked as at an install; a release that is closed has none to check.
    signed: Option<VerifiedRelease>,
    /// What its SKILL.md says; none if the registry does not show it.
    manifest: Option<Manifest>,
    /// Where it is installed here, relative to the work directory.
    installed: Option<String>,
}

/// Shows one skill: the release that the reference names, else the installed one, else `latest`.
///
/// # Errors
/// `skill-not-found`, `version-not-found`, `tag-not-found`, `slug-ambiguous`; the codes of exit 4 if the
/// statements of the release do not hold; what a call gives.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let reference = naming::registry_ref(context, &args.reference)?;
    let connection = connection::open(context, &args.reference).await?;
    let name = naming::skill_name(&connection, &reference).await?;
    let Some(releases) = releases::all(&connection, &name).await? else {
        if let Some(report) = status::told(&connection, &name, &reference).await {
            return Ok(report);
        }
        let label = connection.label();
        return Err(naming::not_found(&connection.session, &label, &name.to_string(), &name.slug).await);
    };
    let installed = installed(context, &connection, &name)?;
    let wanted = installed.as_ref().map(|(version, _)| version);
    let line = match choose(&releases, &reference, wanted, &name) {
        Ok(line) => line.clone(),
        Err(failure) => return status::told(&connection, &name, &reference).await.ok_or(failure),
    };
    let installed = installed.filter(|(version, _)| *version == line.version).map(|(_, place)| place);
    let signed = signed(&connection, &name, &line).await?;
    let file = connection.session.file(&name, &line.version, "SKILL.md").await;
    let file = file.map_err(|error| connection.refused(&error))?;
    let manifest =
        file.and_then(|bytes| Manifest::read(&bytes, name.slug.as_str()).ok()).map(|(manifest, _)| manifest);
    Ok(show::report(context, &connection, &Info { name, releases, line, signed, manifest, installed }))
}

/// The locked version of a skill, and where it lies.
fn installed(
    context: &Context,
    connection: &Connection,
    name: &SkillName,
) -> Result<Option<(Version, String)>, Failure> {
    let workdir = workdir::locate(context)?;
    let Some(lock) = workdir::read_lock(context, &workdir)? else { return Ok(None) };
    let found = lock.of_skill(connection.met.id, name).next();
    Ok(found.and_then(|(local, locked)| {
        let place = locked.targets.first().map_or_else(|| "skills".to_owned(), Clone::clone);
        let LockedSource::Registry { version, .. } = &locked.source else { return None };
        Some((version.clone(), format!("{place}/{local}")))
    }))
}

fn choose<'a>(
    releases: &'a [IndexLine],
    reference: &RegistryRef,
    installed: Option<&Version>,
    name: &SkillName,
) -> Result<&'a IndexLine, Failure> {
    let numbered = |version: &Version| releases.iter().find(|line| line.version == *version);
    let tagged = |tag: &str| releases.iter().find(|line| line.tags.iter().any(|has| has.as_str() == tag));
    let found = match &reference.selector {
        Some(Selector::Tag(tag)) => {
            return tagged(tag.as_str())
                .ok_or_else(|| Failure::new(Code::TagNotFound, format!("{name} has no tag {tag}")));
        }
        // A reader may look at any release by its number, whatever state it is in.
        Some(Selector::Requirement(requirement)) if requirement.is_exact() => {
            releases.iter().find(|line| requirement.matches(&line.version))
        }
        Some(Selector::Requirement(requirement)) => {
            let open = releases.iter().filter(|line| line.state.is_selectable()).map(|line| &line.version);
            requirement.select(open).and_then(numbered)
        }
        None => installed.and_then(numbered).or_else(|| tagged("latest")).or_else(|| releases.last()),
    };
    found.ok_or_else(|| missed(releases, reference, name))
}

fn missed(releases: &[IndexLine], reference: &RegistryRef, name: &SkillName) -> Failure {
    let selector = reference.selector.as_ref().map(ToString::to_string).unwrap_or_default();
    let has: Vec<String> = releases.iter().rev().map(|line| line.version.to_string()).collect();
    Failure::new(Code::VersionNotFound, format!("no release of {name} matches {selector}"))
        .because(format!("there are {}", crate::text::quote::list(&has, 6)))
        .key("available", has)
        .hint(format!("run `skill info {name}` for the latest"))
}

/// The statements of a release that is open, checked as strictly as an install does.
async fn signed(
    connection: &Connection,
    name: &SkillName,
    line: &IndexLine,
) -> Result<Option<VerifiedRelease>, Failure> {
    if !line.state.is_downloadable() {
        return Ok(None);
    }
    let envelope = connection.session.envelope(name, &line.version).await;
    let Some(envelope) = envelope.map_err(|error| connection.refused(&error))? else { return Ok(None) };
    let refused = |code: &str, reason: String| {
        Failure::new(
            Code::named(code).unwrap_or(Code::EnvelopeUnreadable),
            format!("the statements of {name} {} do not hold", line.version),
        )
        .because(reason)
        .hint("ask the operator")
    };
    let envelope =
        TrustEnvelope::parse(&envelope).map_err(|error| refused("envelope-unreadable", error.to_string()))?;
    let expected = Expected {
        registry: connection.met.id,
        owner: name.owner.clone(),
        slug: name.slug.clone(),
        version: line.version.clone(),
    };
    verify_release(&envelope, &connection.met.root, &expected)
        .map(Some)
        .map_err(|error| refused(error.code(), error.to_string()))
}
