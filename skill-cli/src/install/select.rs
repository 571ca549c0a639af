//! Which release of a skill is meant, from the lines of the index. Pure.

use skill_core::api::IndexLine;
use skill_core::name::Tag;
use skill_core::requirement::{Requirement, Selector};
use skill_core::state::ReleaseState;
use skill_core::version::Version;

/// Why no release was chosen.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Miss<'a> {
    /// No release matches.
    None,
    /// Only releases that are yanked; highest first.
    Yanked(Vec<&'a IndexLine>),
    /// Only pre-releases, which nobody asked for; highest first.
    PreReleases(Vec<&'a IndexLine>),
    /// Only releases that the registry or their owner keep closed; the one that says most about why.
    Closed(&'a IndexLine),
    /// No such tag.
    Tag(&'a Tag),
}

/// The release that `selector` means; without one `latest`.
pub(super) fn select<'a>(
    lines: &'a [IndexLine],
    selector: Option<&'a Selector>,
) -> Result<&'a IndexLine, Miss<'a>> {
    match selector {
        None => latest(lines).ok_or_else(|| none_of(lines)),
        Some(Selector::Tag(tag)) => tagged(lines, tag),
        Some(Selector::Requirement(requirement)) => matching(lines, requirement),
    }
}

/// The release that the tag `latest` points to, else the highest stable one, else the highest.
pub(super) fn latest(lines: &[IndexLine]) -> Option<&IndexLine> {
    let open = || lines.iter().filter(|line| line.state.is_selectable());
    open()
        .find(|line| line.tags.iter().any(Tag::is_latest))
        .or_else(|| open().filter(|line| !line.version.is_prerelease()).max_by_key(|line| &line.version))
        .or_else(|| open().max_by_key(|line| &line.version))
}

fn tagged<'a>(lines: &'a [IndexLine], tag: &'a Tag) -> Result<&'a IndexLine, Miss<'a>> {
    if tag.is_latest() {
        return latest(lines).ok_or_else(|| none_of(lines));
    }
    let line = lines.iter().find(|line| line.tags.contains(tag)).ok_or(Miss::Tag(tag))?;
    if line.state.is_selectable() { Ok(line) } else { Err(none_of([line])) }
}

fn matching<'a>(lines: &'a [IndexLine], requirement: &Requirement) -> Result<&'a IndexLine, Miss<'a>> {
    let matching = || lines.iter().filter(|line| requirement.matches(&line.version));
    let open = matching().filter(|line| line.state.is_selectable());
    if let Some(line) = open.max_by_key(|line| &line.version) {
        return Ok(line);
    }
    let none = none_of(matching());
    if none != Miss::None {
        return Err(none);
    }
    let mut pre: Vec<&IndexLine> = lines
        .iter()
        .filter(|line| line.state.is_selectable() && line.version.is_prerelease())
        .filter(|line| released(&line.version).is_some_and(|stable| requirement.matches(&stable)))
        .collect();
    pre.sort_by(|one, other| other.version.cmp(&one.version));
    if pre.is_empty() { Err(Miss::None) } else { Err(Miss::PreReleases(pre)) }
}

/// Why none of these, which all match, can be chosen. What is refused outranks what is not there any more
/// (cli-style part 3, exit 5 before 3).
fn none_of<'a>(matching: impl IntoIterator<Item = &'a IndexLine>) -> Miss<'a> {
    let rank = |state: ReleaseState| match state {
        ReleaseState::Quarantined => 5,
        ReleaseState::TakenDown => 4,
        ReleaseState::Pending => 3,
        ReleaseState::Yanked => 2,
        ReleaseState::Withdrawn => 1,
        ReleaseState::Deleted | ReleaseState::Visible | ReleaseState::Suspicious => 0,
    };
    let mut closed: Vec<&IndexLine> = matching.into_iter().collect();
    closed.sort_by(|one, other| {
        rank(other.state).cmp(&rank(one.state)).then_with(|| other.version.cmp(&one.version))
    });
    match closed.first() {
        None => Miss::None,
        Some(line) if line.state == ReleaseState::Yanked => {
            closed.retain(|line| line.state == ReleaseState::Yanked);
            Miss::Yanked(closed)
        }
        Some(line) => Miss::Closed(line),
    }
}

/// The stable number that a pre-release leads to.
fn released(version: &Version) -> Option<Version> {
    version.to_string().split('-').next()?.parse().ok()
}

/// The releases that could be chosen, highest first.
pub(super) fn available(lines: &[IndexLine]) -> Vec<&IndexLine> {
    let mut open: Vec<&IndexLine> = lines.iter().filter(|line| line.state.is_selectable()).collect();
    open.sort_by(|one, other| other.version.cmp(&one.version));
    open
}

/// The open release next to `version`: the highest below it, else the lowest above.
pub(super) fn nearest<'a>(lines: &'a [IndexLine], version: &Version) -> Option<&'a IndexLine> {
    let open = available(lines);
    let stable = || open.iter().filter(|line| !line.version.is_prerelease());
    stable().find(|line| line.version < *version).or_else(|| stable().next_back()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines such as `3.4.2 yanked`, `4.0.0 visible latest`.
    fn lines(texts: &[&str]) -> Vec<IndexLine> {
        texts
            .iter()
            .map(|text| {
                let mut words = text.split(' ');
                let version = words.next().unwrap();
                let state = words.next().unwrap_or("visible");
                let tags: Vec<&str> = words.collect();
                serde_json::from_value(serde_json::json!({
                    "owner": "acme", "slug": "github", "version": version, "state": state, "verdict": "clean",
                    "treeDigest": format!("sha256:{}", "0".repeat(64)), "archiveSha256": "0".repeat(64),
                    "archiveSize": 1, "size": 1, "files": 1, "publishedAt": "2026-11-30T00:00:00Z",
                    "logIndex": 1, "tags": tags,
                }))
                .unwrap()
            })
            .collect()
    }

    fn github() -> Vec<IndexLine> {
        lines(&["2.9.0", "3.0.0", "3.4.1", "3.4.2 yanked", "3.5.0-beta.1", "4.0.0 visible latest stable"])
    }

    fn chosen(lines: &[IndexLine], selector: &str) -> Result<String, String> {
        let selector = (!selector.is_empty()).then(|| Selector::parse(selector).unwrap().0);
        select(lines, selector.as_ref()).map(|line| line.version.to_string()).map_err(|miss| match miss {
            Miss::None => "none".to_owned(),
            Miss::Yanked(lines) => format!("yanked {}", lines[0].version),
            Miss::PreReleases(lines) => format!("pre {}", lines[0].version),
            Miss::Closed(line) => format!("closed {}", line.state),
            Miss::Tag(tag) => format!("tag {tag}"),
        })
    }

    #[test]
    fn the_highest_open_release_within_the_requirement() {
        let github = github();
        for (selector, version) in [
            ("", "4.0.0"),
            ("latest", "4.0.0"),
            ("stable", "4.0.0"),
            ("^3", "3.4.1"),
            ("3", "3.4.1"),
            ("~3.0", "3.0.0"),
            ("*", "4.0.0"),
            (">=2 <3", "2.9.0"),
            ("3.4.1", "3.4.1"),
            ("3.5.0-beta.1", "3.5.0-beta.1"),
        ] {
            assert_eq!(chosen(&github, selector).as_deref(), Ok(version), "{selector}");
        }
    }

    #[test]
    fn what_is_not_chosen_and_why() {
        let github = github();
        for (selector, why) in [
            ("^9", "none"),
            ("3.4.2", "yanked 3.4.2"),
            (">=3.4.2 <3.5", "yanked 3.4.2"),
            ("~3.5", "pre 3.5.0-beta.1"),
            ("nightly", "tag nightly"),
            ("1.0.0", "none"),
        ] {
            assert_eq!(chosen(&github, selector), Err(why.to_owned()), "{selector}");
        }
    }

    #[test]
    fn closed_releases_are_named_where_nothing_else_matches() {
        let lines = lines(&["1.0.0 withdrawn", "1.1.0 quarantined odd", "1.2.0 pending", "0.9.0 suspicious"]);
        for (selector, why) in [
            ("1.0.0", "closed withdrawn"),
            ("1.1.0", "closed quarantined"),
            ("1.2.0", "closed pending"),
            ("^1", "closed quarantined"),
            ("~1.0", "closed withdrawn"),
            ("~1.2", "closed pending"),
            ("odd", "closed quarantined"),
            ("^2", "none"),
        ] {
            assert_eq!(chosen(&lines, selector), Err(why.to_owned()), "{selector}");
        }
        assert_eq!(chosen(&lines, "").as_deref(), Ok("0.9.0"));
        assert_eq!(chosen(&lines[..3], ""), Err("closed quarantined".to_owned()));
        assert_eq!(chosen(&lines[..3], "latest"), Err("closed quarantined".to_owned()));
        assert_eq!(chosen(&lines[..1], ""), Err("closed withdrawn".to_owned()));
    }

    #[test]
    fn where_every_release_is_yanked_that_is_why() {
        let lines = lines(&["1.0.0 yanked", "1.1.0 yanked", "0.9.0 withdrawn"]);
        for selector in ["", "latest", "*", "^1"] {
            assert_eq!(chosen(&lines, selector), Err("yanked 1.1.0".to_owned()), "{selector}");
        }
    }

    #[test]
    fn latest_without_a_tag_is_the_highest_stable_else_the_highest() {
        assert_eq!(chosen(&lines(&["1.0.0", "2.0.0-rc.1", "1.1.0"]), "").as_deref(), Ok("1.1.0"));
        assert_eq!(chosen(&lines(&["2.0.0-rc.1", "2.0.0-rc.2"]), "").as_deref(), Ok("2.0.0-rc.2"));
        assert_eq!(chosen(&lines(&["1.0.0 yanked latest", "0.9.0"]), "").as_deref(), Ok("0.9.0"));
        assert_eq!(chosen(&[], ""), Err("none".to_owned()));
    }

    #[test]
    fn the_nearest_is_the_one_below() {
        let near = |version: &str| {
            nearest(&github(), &version.parse().unwrap()).map(|line| line.version.to_string())
        };
        assert_eq!(near("3.4.2").as_deref(), Some("3.4.1"));
        assert_eq!(near("1.0.0").as_deref(), Some("2.9.0"));
    }
}
