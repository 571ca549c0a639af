//! Links of a commit, resolved among its own entries: nothing of this machine is ever looked at.

use std::collections::HashMap;

use skill_bundle::BundleError;

use super::listing::{Kind, Listing};

/// As many links in a row as Linux follows.
const MAX_HOPS: usize = 40;
/// As many segments as one walk goes through: more than any path of the limits, through all of those links, has.
const MAX_STEPS: usize = 2048;
/// Bytes of what a link says, as on Linux.
pub(super) const MAX_TARGET: u64 = 4096;

/// What links say, by their paths, as far as it is known.
pub(super) type Targets = HashMap<String, String>;

/// How far a path leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// To this path, no segment of which is a link.
    At(String),
    /// To a link whose target is not known yet.
    Unknown(String),
}

/// Why a path leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    Outside,
    Dangling,
    Loop,
}

impl Lost {
    /// The refusal of the bundle that holds `link`.
    pub(super) fn refusal(self, link: &str, target: &str) -> BundleError {
        let (link, target) = (link.to_owned(), target.to_owned());
        match self {
            Self::Outside => BundleError::LinkOutside { link, target },
            Self::Dangling => BundleError::LinkDangling { link, target },
            Self::Loop => BundleError::LinkLoop { link, target },
        }
    }
}

/// Walks `path` from the root of the repository through every link on the way, the last one too.
pub(super) fn walk(listing: &Listing, targets: &Targets, path: &str) -> Result<Step, Lost> {
    let mut ahead: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
    let mut at: Vec<String> = Vec::new();
    let (mut hops, mut steps) = (0, 0);
    while let Some(segment) = ahead.pop() {
        steps += 1;
        if steps > MAX_STEPS {
            return Err(Lost::Loop);
        }
        match segment.as_str() {
            "" | "." => continue,
            ".." => {
                at.pop().ok_or(Lost::Outside)?;
                continue;
            }
            _ => at.push(segment),
        }
        let here = at.join("/");
        match listing.get(&here).map(|entry| entry.kind) {
            Some(Kind::Link) => {
                let Some(target) = targets.get(&here) else { return Ok(Step::Unknown(here)) };
                hops += 1;
                if hops > MAX_HOPS {
                    return Err(Lost::Loop);
                }
                if target.starts_with('/') {
                    return Err(Lost::Outside);
                }
                at.pop();
                ahead.extend(target.split('/').rev().map(str::to_owned));
            }
            Some(_) if ahead.iter().any(|segment| !matches!(segment.as_str(), "" | ".")) => {
                return Err(Lost::Dangling);
            }
            Some(_) => {}
            None if listing.is_folder(&here) => {}
            None => return Err(Lost::Dangling),
        }
    }
    Ok(Step::At(at.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(entries: &[(&str, &str)]) -> (Listing, Targets) {
        let mut answer = Vec::new();
        let mut targets = Targets::new();
        for (path, target) in entries {
            let mode = if target.is_empty() { "100644" } else { "120000" };
            answer.extend(format!("{mode} blob {}\t{path}\0", "0".repeat(40)).into_bytes());
            if !target.is_empty() {
                targets.insert((*path).to_owned(), (*target).to_owned());
            }
        }
        (Listing::parse(&answer), targets)
    }

    #[test]
    fn links_lead_through_the_tree_and_nowhere_else() {
        let (listing, targets) = listing(&[
            ("skills/x/SKILL.md", ""),
            ("codex/skills", "../skills"),
            ("again", "codex/skills/x"),
            ("up", "../etc"),
            ("root", "/etc/passwd"),
            ("gone", "nothing"),
            ("a", "b"),
            ("b", "a"),
            ("self", "self/x"),
            ("through", "skills/x/SKILL.md/y"),
        ]);
        let at = |path: &str| Ok(Step::At(path.to_owned()));
        for (path, leads) in [
            ("codex/skills/x", at("skills/x")),
            ("codex/./skills//x/SKILL.md", at("skills/x/SKILL.md")),
            ("again", at("skills/x")),
            ("again/SKILL.md", at("skills/x/SKILL.md")),
            ("", at("")),
            ("up", Err(Lost::Outside)),
            ("root", Err(Lost::Outside)),
            ("gone", Err(Lost::Dangling)),
            ("a", Err(Lost::Loop)),
            ("self", Err(Lost::Loop)),
            ("through", Err(Lost::Dangling)),
            ("skills/y", Err(Lost::Dangling)),
        ] {
            assert_eq!(walk(&listing, &targets, path), leads, "{path}");
        }
        assert_eq!(walk(&listing, &targets, &"codex/../".repeat(2000)), Err(Lost::Loop), "too many steps");
        let unknown = walk(&listing, &Targets::new(), "codex/skills/x");
        assert_eq!(unknown, Ok(Step::Unknown("codex/skills".to_owned())));
    }
}
