//! Which number a release gets (docs/FORMAT.md, "Versions"): the whole rule on one page. The registry applies it when it
//! takes a release, and when it is asked what would come of one.

use crate::digest::TreeDigest;
use crate::state::ReleaseState;
use crate::version::{Bump, Version};

/// A release that is stored: its number is used, for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// Its number.
    pub version: Version,
    /// Its content.
    pub tree: TreeDigest,
    /// Where it stands.
    pub state: ReleaseState,
    /// Leaf of its release statement: the newest release has the highest.
    pub log_index: u64,
}

/// What the publisher asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// This number.
    Exact(Version),
    /// This part of `latest` goes up.
    Bump(Bump),
    /// The first, none if nothing changed, or the next patch.
    Next,
}

impl Wanted {
    /// What a version or a part that goes up asks for; a version goes before a part.
    pub fn of(version: Option<Version>, bump: Option<Bump>) -> Self {
        match (version, bump) {
            (Some(version), _) => Self::Exact(version),
            (None, Some(bump)) => Self::Bump(bump),
            (None, None) => Self::Next,
        }
    }
}

/// What comes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Number {
    /// The release gets this number.
    New(Version),
    /// The same content is there under this number already.
    Same(Version),
    /// The number is used for other content.
    Taken {
        /// The number.
        version: Version,
        /// The next patch that is free, unless the numbers end before it.
        next: Option<Version>,
    },
    /// The part that was to go up is at its highest value.
    Exhausted {
        /// The number from which it was to go up.
        from: Version,
    },
}

/// Chooses a number. `latest` is what `latest` means now.
///
/// Sending the newest release again changes nothing, whichever part is to go up: an answer that was lost on its
/// way uses no second number. A number of one's own is always a release of its own, and so is content that its
/// owner took back in between.
pub fn choose(used: &[Used], latest: Option<&Version>, wanted: Wanted, tree: TreeDigest) -> Number {
    let holder = |version: &Version| used.iter().find(|release| release.version == *version);
    if let Wanted::Exact(version) = wanted {
        return match holder(&version) {
            None => Number::New(version),
            Some(release) if release.tree == tree => Number::Same(version),
            Some(_) => Number::Taken { next: free(used, &version, Bump::Patch), version },
        };
    }
    let newest = used.iter().max_by_key(|release| release.log_index);
    if let Some(newest) = newest.filter(|newest| newest.tree == tree && !taken_back(newest.state)) {
        return Number::Same(newest.version.clone());
    }
    // Without a `latest` (everything is yanked or closed) numbers go on after the highest one.
    let base = latest.or_else(|| used.iter().map(|release| &release.version).max());
    let Some(base) = base else { return Number::New(Version::FIRST) };
    let bump = match wanted {
        Wanted::Bump(bump) => bump,
        _ if latest.and_then(holder).is_some_and(|release| release.tree == tree) => {
            return Number::Same(base.clone());
        }
        _ => Bump::Patch,
    };
    free(used, base, bump).map_or_else(|| Number::Exhausted { from: base.clone() }, Number::New)
}

/// The first number that is free when this part goes up from `version`, again and again.
fn free(used: &[Used], version: &Version, bump: Bump) -> Option<Version> {
    std::iter::successors(version.bumped(bump), |version| version.bumped(bump))
        .find(|version| used.iter().all(|release| release.version != *version))
}

/// Whether the owner said, after it was published, that the release should not be used.
const fn taken_back(state: ReleaseState) -> bool {
    matches!(state, ReleaseState::Yanked | ReleaseState::Withdrawn | ReleaseState::Deleted)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::digest::Sha256;

    const HIGHEST: &str = "1.0.18446744073709551615";

    fn tree(content: &str) -> TreeDigest {
        TreeDigest::new(Sha256::of(content))
    }

    /// Releases in the order in which they were stored: number, content, and `!` for one that was yanked.
    fn stored(releases: &[(&str, &str)]) -> Vec<Used> {
        let used = (0..).zip(releases).map(|(log_index, (version, content))| Used {
            version: version.trim_end_matches('!').parse().unwrap(),
            tree: tree(content),
            state: if version.ends_with('!') { ReleaseState::Yanked } else { ReleaseState::Visible },
            log_index,
        });
        used.collect()
    }

    fn chosen(used: &[(&str, &str)], latest: Option<&str>, wanted: Wanted, content: &str) -> String {
        let latest: Option<Version> = latest.map(|version| version.parse().unwrap());
        match choose(&stored(used), latest.as_ref(), wanted, tree(content)) {
            Number::New(version) => format!("new {version}"),
            Number::Same(version) => format!("same {version}"),
            Number::Taken { version, next: Some(next) } => format!("{version} taken, next {next}"),
            Number::Taken { version, next: None } => format!("{version} taken, none next"),
            Number::Exhausted { from } => format!("exhausted from {from}"),
        }
    }

    fn exact(version: &str) -> Wanted {
        Wanted::Exact(version.parse().unwrap())
    }

    #[test]
    fn an_exact_number_is_free_or_the_same_or_taken() {
        let used = [("1.0.0", "a"), ("1.0.1", "b")];
        assert_eq!(chosen(&used, Some("1.0.1"), exact("0.9.0"), "c"), "new 0.9.0");
        assert_eq!(chosen(&used, Some("1.0.1"), exact("0.9.0"), "b"), "new 0.9.0");
        assert_eq!(chosen(&used, Some("1.0.1"), exact("1.0.0"), "a"), "same 1.0.0");
        assert_eq!(chosen(&used, Some("1.0.1"), exact("1.0.0"), "c"), "1.0.0 taken, next 1.0.2");
    }

    #[test]
    fn without_a_wish_the_first_then_the_next_patch_unless_nothing_changed() {
        assert_eq!(chosen(&[], None, Wanted::Next, "a"), "new 1.0.0");
        let used = [("1.0.0", "a")];
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Next, "a"), "same 1.0.0");
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Next, "b"), "new 1.0.1");
    }

    #[test]
    fn only_latest_and_the_newest_count_as_unchanged() {
        let used = [("1.0.0", "a"), ("1.1.0", "b")];
        assert_eq!(chosen(&used, Some("1.1.0"), Wanted::Next, "a"), "new 1.1.1");
        let backport = [("2.0.0", "a"), ("1.0.1", "b")];
        assert_eq!(chosen(&backport, Some("2.0.0"), Wanted::Next, "a"), "same 2.0.0");
        assert_eq!(chosen(&backport, Some("2.0.0"), Wanted::Next, "b"), "same 1.0.1");
    }

    #[test]
    fn the_newest_release_sent_again_uses_no_number() {
        let used = [("1.0.0", "a"), ("2.0.0", "b")];
        for wanted in [Wanted::Next, Wanted::Bump(Bump::Patch), Wanted::Bump(Bump::Major)] {
            assert_eq!(chosen(&used, Some("2.0.0"), wanted.clone(), "b"), "same 2.0.0");
            // Closed by its verdict, it was not chosen as `latest`.
            assert_eq!(chosen(&used, Some("1.0.0"), wanted, "b"), "same 2.0.0");
        }
        assert_eq!(chosen(&used, Some("2.0.0"), Wanted::Bump(Bump::Major), "a"), "new 3.0.0");
    }

    #[test]
    fn what_was_taken_back_can_be_published_again() {
        let used = [("1.0.0", "a"), ("1.0.1!", "b")];
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Next, "b"), "new 1.0.2");
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Bump(Bump::Minor), "b"), "new 1.1.0");
    }

    #[test]
    fn numbers_of_closed_releases_stay_used() {
        let used = [("1.0.0", "a"), ("1.0.1", "bad")];
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Next, "c"), "new 1.0.2");
        assert_eq!(chosen(&used, None, Wanted::Next, "c"), "new 1.0.2");
    }

    #[test]
    fn a_bump_goes_up_from_latest_past_what_is_used() {
        let used = [("1.0.0", "a"), ("1.1.0", "bad"), ("2.0.0-beta.1", "c")];
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Bump(Bump::Minor), "d"), "new 1.2.0");
        assert_eq!(chosen(&used, Some("1.0.0"), Wanted::Bump(Bump::Major), "d"), "new 2.0.0");
        assert_eq!(chosen(&[], None, Wanted::Bump(Bump::Major), "d"), "new 1.0.0");
    }

    #[test]
    fn numbers_end_and_say_so() {
        let used = [(HIGHEST, "a")];
        assert_eq!(chosen(&used, Some(HIGHEST), Wanted::Next, "b"), format!("exhausted from {HIGHEST}"));
        assert_eq!(chosen(&used, Some(HIGHEST), exact(HIGHEST), "b"), format!("{HIGHEST} taken, none next"));
        assert_eq!(chosen(&used, Some(HIGHEST), Wanted::Bump(Bump::Minor), "b"), "new 1.1.0");
        let behind = [("1.0.18446744073709551614", "a"), (HIGHEST, "b")];
        assert_eq!(
            chosen(&behind, Some("1.0.18446744073709551614"), Wanted::Next, "c"),
            "exhausted from 1.0.18446744073709551614"
        );
    }

    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![0..3_u64, (u64::MAX - 2)..=u64::MAX]
    }

    fn version() -> impl Strategy<Value = Version> {
        (number(), number(), number(), proptest::bool::ANY).prop_map(|(major, minor, patch, pre)| {
            format!("{major}.{minor}.{patch}{}", if pre { "-rc.1" } else { "" }).parse().unwrap()
        })
    }

    proptest! {
        /// It ends, and a new number is one that nothing uses.
        #[test]
        fn a_new_number_was_never_used(
            versions in proptest::collection::btree_set(version(), 0..8),
            latest in proptest::option::of(0..8_usize),
            wanted in prop_oneof![
                version().prop_map(Wanted::Exact),
                Just(Wanted::Next),
                Just(Wanted::Bump(Bump::Patch)),
                Just(Wanted::Bump(Bump::Minor)),
                Just(Wanted::Bump(Bump::Major)),
            ],
        ) {
            let used: Vec<Used> = (0..).zip(&versions).map(|(log_index, version)| Used {
                version: version.clone(),
                tree: tree(&version.to_string()),
                state: ReleaseState::Visible,
                log_index,
            }).collect();
            let latest = latest.and_then(|index| versions.iter().nth(index));
            match choose(&used, latest, wanted, tree("new")) {
                Number::New(version) => prop_assert!(!versions.contains(&version)),
                Number::Same(version) => prop_assert!(false, "{version} has other content"),
                Number::Taken { version, next } => {
                    prop_assert!(versions.contains(&version));
                    prop_assert!(next.is_none_or(|next| next > version && !versions.contains(&next)));
                }
                Number::Exhausted { from } => prop_assert!(versions.contains(&from)),
            }
        }
    }
}
