//! What the state of a release means for an install.

use skill_core::api::IndexLine;
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::select::{Miss, available, latest, nearest};
use crate::code::Code;
use crate::failure::Failure;
use crate::report::Message;
use crate::text::{number, quote};

const LISTED: usize = 8;

/// A release that was not chosen, as a failure of the command. `asked` is the requirement as written.
pub(super) fn missed(
    label: &str,
    name: &SkillName,
    asked: &str,
    lines: &[IndexLine],
    miss: &Miss<'_>,
) -> Failure {
    match miss {
        Miss::None => not_found(label, name, asked, lines),
        Miss::Yanked(yanked) => yanked_only(name, asked, lines, yanked),
        Miss::PreReleases(found) => pre_only(label, name, asked, lines, found),
        Miss::Closed(line) => {
            let failure = closed(name, &line.version, line.state, line, lines);
            match asked {
                exact if exact == line.version.to_string() => failure,
                "latest" => failure.because_in_text("no other release of it can be installed"),
                _ => failure.because_in_text(format!("no other release of it matches {asked}")),
            }
        }
        Miss::Tag(tag) => {
            let mut tags: Vec<String> =
                lines.iter().flat_map(|line| &line.tags).map(ToString::to_string).collect();
            tags.sort();
            Failure::new(Code::TagNotFound, format!("{name} has no tag {tag}"))
                .because(if tags.is_empty() {
                    format!("{label} has no tags of it")
                } else {
                    format!("its tags are {}", quote::list(&tags, LISTED))
                })
                .nothing_changed()
                .key("available", tags)
        }
    }
}

fn not_found(label: &str, name: &SkillName, asked: &str, lines: &[IndexLine]) -> Failure {
    let message = match asked {
        "latest" => format!("{name} has no release that can be installed"),
        asked => format!("no release of {name} matches {asked}"),
    };
    let failure = with_lists(Failure::new(Code::VersionNotFound, message), label, lines).nothing_changed();
    match latest(lines) {
        Some(newest) => {
            let major = newest.version.semver().major;
            let requirement = if newest.version.is_prerelease() || major == 0 {
                newest.version.to_string()
            } else {
                format!("^{major}")
            };
            failure.hint(format!("run `skill install {name}@{requirement}` for the newest"))
        }
        None => failure,
    }
}

/// What exists: open releases, and apart from them the yanked and the pre-releases.
fn with_lists(failure: Failure, label: &str, lines: &[IndexLine]) -> Failure {
    let (pre, stable): (Vec<&IndexLine>, Vec<&IndexLine>) =
        available(lines).into_iter().partition(|line| line.version.is_prerelease());
    let mut yanked: Vec<&IndexLine> =
        lines.iter().filter(|line| line.state == ReleaseState::Yanked).collect();
    yanked.sort_by(|one, other| other.version.cmp(&one.version));
    let newest = latest(lines).map(|line| &line.version);
    let shown = |lines: &[&IndexLine]| {
        let mut listed: Vec<String> = lines
            .iter()
            .take(LISTED)
            .map(|line| {
                let mark = if Some(&line.version) == newest { " (latest)" } else { "" };
                format!("{}{mark}", line.version)
            })
            .collect();
        listed.reverse();
        match lines.len().saturating_sub(LISTED) {
            0 => quote::list(&listed, LISTED),
            more => format!("{more} older, {}", quote::list(&listed, LISTED)),
        }
    };
    let mut failure = failure;
    if !stable.is_empty() {
        failure = failure.because(format!("{label} has {}", shown(&stable)));
    }
    let mut apart = Vec::new();
    if !yanked.is_empty() {
        apart.push(format!("{} {} yanked", shown(&yanked), if yanked.len() == 1 { "is" } else { "are" }));
    }
    if !pre.is_empty() {
        let what = if pre.len() == 1 { "is a pre-release" } else { "are pre-releases" };
        apart.push(format!("{} {what}", shown(&pre)));
    }
    if !apart.is_empty() {
        failure = failure.because_in_text(apart.join(" and "));
    }
    let versions =
        |lines: &[&IndexLine]| lines.iter().map(|line| line.version.to_string()).collect::<Vec<_>>();
    failure
        .key("available", versions(&stable))
        .key("yanked", versions(&yanked))
        .key("preReleases", versions(&pre))
}

fn yanked_only(name: &SkillName, asked: &str, lines: &[IndexLine], yanked: &[&IndexLine]) -> Failure {
    let message = match yanked {
        [line] => format!("{name} {} is yanked", line.version),
        _ if asked == "latest" => format!("every release of {name} is yanked"),
        _ => format!("only yanked releases of {name} match {asked}"),
    };
    let mut failure = Failure::new(Code::VersionYanked, message);
    for line in yanked.iter().take(2) {
        failure = failure.because(said(line));
    }
    let versions: Vec<String> = yanked.iter().map(|line| line.version.to_string()).collect();
    failure = failure
        .because("only a lock that already names a yanked release restores it")
        .nothing_changed()
        .key("yanked", versions);
    match yanked.first().and_then(|line| nearest(lines, &line.version)) {
        Some(near) => failure.hint(format!("run `skill install {name}@{}`", near.version)),
        None => failure,
    }
}

fn pre_only(
    label: &str,
    name: &SkillName,
    asked: &str,
    lines: &[IndexLine],
    found: &[&IndexLine],
) -> Failure {
    let failure = Failure::new(Code::VersionPrerelease, format!("only pre-releases of {name} match {asked}"));
    let failure = with_lists(failure, label, lines).nothing_changed();
    match found.first() {
        Some(line) => failure.hint(format!("run `skill install {name}@{}`", line.version)),
        None => failure,
    }
}

/// What the owner or the registry says about a closed release.
fn said(line: &IndexLine) -> String {
    let date = line.restricted_at.map(number::date);
    let who = match line.state {
        ReleaseState::Quarantined | ReleaseState::TakenDown => "the registry",
        _ => line.owner.as_str(),
    };
    let date = date.map(|date| format!(" ({date})")).unwrap_or_default();
    match line.reason.as_deref().filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("{}{date}", quote::said(who, reason)),
        None => format!("{who} gave no reason{date}"),
    }
}

/// A release that is closed: quarantined, taken down, withdrawn, deleted or pending.
pub(super) fn closed(
    name: &SkillName,
    version: &Version,
    state: ReleaseState,
    line: &IndexLine,
    lines: &[IndexLine],
) -> Failure {
    let (code, word) = match state {
        ReleaseState::Pending => (Code::ReleasePending, "waits for its registry"),
        ReleaseState::Quarantined => (Code::ReleaseQuarantined, "is quarantined"),
        ReleaseState::TakenDown => (Code::ReleaseTakenDown, "was taken down"),
        ReleaseState::Withdrawn => (Code::ReleaseGone, "was withdrawn"),
        _ => (Code::ReleaseGone, "was deleted"),
    };
    let failure = Failure::new(code, format!("{name} {version} {word}"));
    let failure = if state == ReleaseState::Pending { failure } else { failure.because(said(line)) };
    let failure = failure.nothing_changed();
    match nearest(lines, version) {
        Some(near) => failure.hint(format!("run `skill install {name}@{}`", near.version)),
        None => failure,
    }
}

/// A locked release that is no longer chosen but still restored.
pub(super) fn warning(name: &SkillName, line: &IndexLine) -> Option<Message> {
    let (code, word) = match line.state {
        ReleaseState::Yanked => (Code::ReleaseYanked, "yanked"),
        ReleaseState::Withdrawn => (Code::ReleaseWithdrawn, "withdrawn"),
        ReleaseState::Deleted => (Code::ReleaseWithdrawn, "deleted"),
        _ => return None,
    };
    let head = format!("{name} {} is {word}, restored from the lock", line.version);
    Some(Message::warning(code, head).line(said(line)))
}

/// A skill that its owner advises against.
pub(super) fn deprecated(name: &SkillName, line: &IndexLine) -> Option<Message> {
    let message = line.deprecated.as_deref()?;
    let warning = Message::warning(Code::ReleaseDeprecated, format!("{name} is deprecated"));
    Some(warning.line(quote::said(name.owner.as_str(), message)))
}

/// A locked release of which the registry says nothing any more; its bytes are here.
pub(super) fn vanished(label: &str, name: &SkillName, version: &Version) -> Message {
    let head = format!("{name} {version} is no longer in {label}, restored from the lock");
    Message::warning(Code::ReleaseWithdrawn, head)
}

/// A release that its registry no longer gives, and that is not here either.
pub(super) fn gone(label: &str, name: &SkillName, version: &Version) -> Failure {
    Failure::new(Code::ReleaseGone, format!("{name} {version} is no longer in {label}"))
        .because("the cache does not hold it either")
        .nothing_changed()
}
