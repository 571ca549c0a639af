//! Which number a release gets. Pure; the whole rule on one page.

use skill_core::digest::TreeDigest;
use skill_core::version::{Bump, Version};

/// A number that is used, for ever, and for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) version: Version,
    pub(super) tree: TreeDigest,
}

/// What the publisher asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// This number.
    Exact(Version),
    /// This part of `latest` goes up.
    Bump(Bump),
    /// The first, none if nothing changed, or the next patch.
    Next,
}

/// What comes of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// The release gets this number.
    New(Version),
    /// The same content is there under this number already.
    Same(Version),
    /// The number is used for other content; the free one after it.
    Taken {
        /// The next number that is free.
        next: Version,
    },
}

/// Chooses a number. `latest` is what `latest` means now.
pub(super) fn choose(used: &[Used], latest: Option<&Version>, wanted: Wanted, tree: TreeDigest) -> Number {
    let holder = |version: &Version| used.iter().find(|release| release.version == *version);
    let free = |mut version: Version, bump| {
        while holder(&version).is_some() {
            version = version.bumped(bump);
        }
        version
    };
    // Without a `latest` (everything is yanked or closed) numbers go on after the highest one.
    let base = latest.or_else(|| used.iter().map(|release| &release.version).max());
    match (wanted, base) {
        (Wanted::Exact(version), _) => match holder(&version) {
            None => Number::New(version),
            Some(release) if release.tree == tree => Number::Same(version),
            Some(_) => Number::Taken { next: free(version, Bump::Patch) },
        },
        (Wanted::Bump(bump), Some(base)) => Number::New(free(base.bumped(bump), bump)),
        (Wanted::Next, Some(_)) if latest.and_then(holder).is_some_and(|release| release.tree == tree) => {
            Number::Same(latest.cloned().unwrap_or(Version::FIRST))
        }
        (Wanted::Next, Some(base)) => Number::New(free(base.bumped(Bump::Patch), Bump::Patch)),
        (Wanted::Bump(_) | Wanted::Next, None) => Number::New(Version::FIRST),
    }
}

#[cfg(test)]
mod tests {
    use skill_core::digest::Sha256;

    use super::*;

    fn tree(content: &str) -> TreeDigest {
        TreeDigest::new(Sha256::of(content))
    }

    fn chosen(used: &[(&str, &str)], latest: Option<&str>, wanted: Wanted, content: &str) -> String {
        let used: Vec<Used> = used
            .iter()
            .map(|(version, content)| Used { version: version.parse().unwrap(), tree: tree(content) })
            .collect();
        let latest: Option<Version> = latest.map(|version| version.parse().unwrap());
        match choose(&used, latest.as_ref(), wanted, tree(content)) {
            Number::New(version) => format!("new {version}"),
            Number::Same(version) => format!("same {version}"),
            Number::Taken { next } => format!("taken, next {next}"),
        }
    }

    fn exact(version: &str) -> Wanted {
        Wanted::Exact(version.parse().unwrap())
    }

    #[test]
    fn an_exact_number_is_free_or_the_same_or_taken() {
        let used = [("1.0.0", "a"), ("1.0.1", "b")];
        assert_eq!(chosen(&used, Some("1.0.1"), exact("0.9.0"), "c"), "new 0.9.0");
        assert_eq!(chosen(&used, Some("1.0.1"), exact("1.0.0"), "a"), "same 1.0.0");
        assert_eq!(chosen(&used, Some("1.0.1"), exact("1.0.0"), "c"), "taken, next 1.0.2");
    }

    #[test]
    fn without_a_wish_the_first_then_the_next_patch_unless_nothing_changed() {
        assert_eq!(chosen(&[], None, Wanted::Next, "a"), "new 1.0.0");
        let used = [("1.0.0", "a")];
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Next, "a"), "same 1.0.0");
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Next, "b"), "new 1.0.1");
    }

    #[test]
    fn only_latest_counts_as_unchanged() {
        let used = [("1.0.0", "a"), ("1.1.0", "b")];
        assert_eq!(chosen(&used, Some("1.1.0"), Wanted::Next, "a"), "new 1.1.1");
    }

    #[test]
    fn numbers_of_closed_releases_stay_used() {
        let used = [("1.0.0", "a"), ("1.0.1", "bad")];
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Next, "c"), "new 1.0.2");
        assert_eq!(chosen(&used, None, Wanted::Next, "bad"), "new 1.0.2");
    }

    #[test]
    fn a_bump_goes_up_from_latest_past_what_is_used() {
        let used = [("1.0.0", "a"), ("1.1.0", "bad"), ("2.0.0-beta.1", "c")];
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Bump(Bump::Minor), "d"), "new 1.2.0");
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Bump(Bump::Major), "d"), "new 2.0.0");
        assert_eq!(chosen(&[], None, Wanted::Bump(Bump::Major), "d"), "new 1.0.0");
    }
}
