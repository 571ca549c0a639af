//! From what a person typed to a skill of a registry.

use skill_core::name::{SkillName, Slug};
use skill_core::reference::{Reference, ReferenceError, RegistryRef};
use skill_core::requirement::Selector;
use skill_core::version::Version;

use crate::client::{Bound, Candidate, Session};
use crate::code::Code;
use crate::connection::Connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Cell, Column, Message, Role, Table};
use crate::text::quote;

/// Reads a reference to a skill in a registry; says what had to be forgiven.
///
/// # Errors
/// The codes of exit 2 for what does not read, `usage` for a source that is no registry.
pub fn registry_ref(context: &Context, text: &str) -> Result<RegistryRef, Failure> {
    match reference(context, text)? {
        Reference::Registry(reference) => Ok(reference),
        other => Err(Failure::usage(format!("{} is a {} source", quote::path(text), other.kind()))
            .because("this command takes a skill of a registry")
            .hint("write it as `OWNER/SLUG` or `OWNER/SLUG@VERSION`")),
    }
}

/// Reads a reference of any kind; says what had to be forgiven.
///
/// # Errors
/// The codes of exit 2.
pub fn reference(context: &Context, text: &str) -> Result<Reference, Failure> {
    let is_folder = |path: &str| context.absolute(path).is_dir();
    let (reference, warnings) = Reference::parse(text, &is_folder).map_err(|error| unreadable(&error))?;
    for warning in warnings {
        if let Some(code) = Code::named(warning.code()) {
            context.screen.tell(&Message::warning(code, warning.to_string()));
        }
    }
    Ok(reference)
}

/// A reference that does not read: exit 2, with the caret under the character where reading stopped.
pub fn unreadable(error: &ReferenceError) -> Failure {
    let code = Code::named(error.code()).unwrap_or(Code::ReferenceUnreadable);
    let mut failure = Failure::new(code, error.to_string());
    // Under no text a caret points at nothing.
    if let Some((text, at)) = error.caret().filter(|(text, _)| !text.is_empty()) {
        let before: String = text.chars().take(at.saturating_sub(1)).collect();
        failure = failure.block(crate::report::Line::from(text).indent(4, 4)).block(
            crate::report::Line::from(format!("{}^", " ".repeat(crate::text::width::of(&before))))
                .indent(4, 4),
        );
    }
    if let ReferenceError::UnknownScheme { did_you_mean, .. } = error
        && !did_you_mean.is_empty()
    {
        let words: Vec<String> = did_you_mean.iter().map(|word| format!("`{word}`")).collect();
        failure = failure.hint(format!("did you mean {}", words.join(" or ")));
    }
    failure
}

/// The exact release that a reference names.
///
/// # Errors
/// `usage` if it names none, or a range.
pub fn exact_version(reference: &RegistryRef) -> Result<Version, Failure> {
    let exact = match &reference.selector {
        Some(Selector::Requirement(requirement)) if requirement.is_exact() => {
            requirement.to_string().parse().ok()
        }
        _ => None,
    };
    exact.ok_or_else(|| {
        let RegistryRef { owner, slug, .. } = reference;
        let name = owner.as_ref().map_or_else(|| slug.to_string(), |owner| format!("{owner}/{slug}"));
        Failure::usage(format!("{reference} names no single release"))
            .hint(format!("write the whole number, such as `{name}@1.2.3`"))
    })
}

/// The skill that a reference names: its owner as written, else the one to whom the registry binds
/// the bare slug.
///
/// # Errors
/// `skill-not-found`, `slug-ambiguous`, and what a call gives.
pub async fn skill_name(connection: &Connection, reference: &RegistryRef) -> Result<SkillName, Failure> {
    if let Some(name) = reference.name() {
        return Ok(name);
    }
    bound(&connection.session, &connection.label(), &reference.slug).await
}

/// The skill that a bare slug means: that of its first publisher. `label` is what sentences call the registry.
///
/// # Errors
/// `skill-not-found`, `slug-ambiguous`, and what a call gives.
pub async fn bound(session: &Session, label: &str, slug: &Slug) -> Result<SkillName, Failure> {
    let bound = session.bound(slug).await;
    match bound.map_err(|error| closed(Failure::of_call(&error, label), label, slug))? {
        Bound::To(name) => Ok(name),
        Bound::Absent => Err(not_found(session, label, slug.as_str(), slug).await),
        Bound::Ambiguous(candidates) => Err(ambiguous(label, slug, &candidates)),
    }
}

/// A registry that keeps every release of a bare slug closed says so, without the skill's name in it.
fn closed(mut failure: Failure, label: &str, slug: &Slug) -> Failure {
    let word = match failure.code {
        Code::ReleaseQuarantined => "is quarantined",
        Code::ReleaseTakenDown => "was taken down",
        Code::ReleaseGone => "was withdrawn or deleted",
        Code::ReleasePending => "waits for its registry",
        _ => return failure,
    };
    let said = quote::said(label, &failure.message);
    failure.message = format!("{slug} {word} in {label}");
    failure.because(said)
}

/// `skill-not-found` for `what`, a slug with or without its owner, and names that are near. They are text to
/// read, never part of a command: a near miss is what a squatter waits for.
pub async fn not_found(session: &Session, label: &str, what: &str, slug: &Slug) -> Failure {
    let failure = Failure::new(Code::SkillNotFound, format!("{label} has no skill named {what}"));
    // The search only helps; if it fails too, the answer is still that there is none.
    let near = session.search(slug.as_str(), 3).await.unwrap_or_default();
    let near: Vec<String> = near.iter().map(|hit| format!("{}/{}", hit.owner_handle, hit.slug)).collect();
    let failure = if near.is_empty() {
        failure
    } else {
        failure.because(format!("similar names there: {}", quote::list(&near, 3))).key("similar", near)
    };
    failure.hint(format!("run `skill search {slug}`"))
}

/// `slug-ambiguous`. Whose is meant only the person can say, so that no command names one of them.
fn ambiguous(label: &str, slug: &Slug, candidates: &[Candidate]) -> Failure {
    let names: Vec<String> =
        candidates.iter().map(|Candidate { owner_handle, slug }| format!("{owner_handle}/{slug}")).collect();
    let mut table = Table::new([Column::new("skill").whole()]).indent(5);
    for name in &names {
        table.push([Cell::of(Role::Name, name.clone())]);
    }
    Failure::new(Code::SlugAmbiguous, format!("the bare name {slug} belongs to nobody in {label}"))
        .list(table)
        .key("candidates", names)
        .hint(format!("write it with its owner: `OWNER/{slug}`"))
}
