use skill_core::state::ReleaseState;
use skill_core::version::Version;

/// A release as far as `latest` is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// Its number.
    pub version: &'a Version,
    /// Where it stands.
    pub state: ReleaseState,
}

/// What a person set `latest` to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// The release.
    pub target: Version,
    /// The highest version there was at that time, in whatever state. A release above it ends the
    /// override.
    pub above: Version,
}

/// What `latest` means now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Latest {
    /// The release; `None` if none may be chosen.
    pub version: Option<Version>,
    /// The override, if it still holds. One that ended never comes back.
    pub latest_override: Option<Override>,
}

/// `latest` is the highest stable release that may be chosen, or the highest pre-release if there is no
/// stable one. An override goes before that, until a version higher than every one before it is
/// published or its target may no longer be chosen.
pub fn latest(releases: &[Candidate<'_>], latest_override: Option<Override>) -> Latest {
    let selectable = || releases.iter().filter(|r| r.state.is_selectable()).map(|r| r.version);
    let holds = |o: &Override| {
        selectable().any(|version| *version == o.target) && selectable().all(|version| *version <= o.above)
    };
    if let Some(held) = latest_override.filter(holds) {
        return Latest { version: Some(held.target.clone()), latest_override: Some(held) };
    }
    let highest = selectable().filter(|v| !v.is_prerelease()).max().or_else(|| selectable().max());
    Latest { version: highest.cloned(), latest_override: None }
}

#[cfg(test)]
mod tests {
    use ReleaseState::{Pending, Quarantined, Suspicious, Visible, Withdrawn, Yanked};
    use proptest::prelude::*;

    use super::*;

    fn of(releases: &[(&str, ReleaseState)], latest_override: Option<(&str, &str)>) -> (String, bool) {
        let versions: Vec<(Version, ReleaseState)> =
            releases.iter().map(|(v, s)| (v.parse().unwrap(), *s)).collect();
        let candidates: Vec<_> =
            versions.iter().map(|(version, state)| Candidate { version, state: *state }).collect();
        let latest_override = latest_override.map(|(target, above)| Override {
            target: target.parse().unwrap(),
            above: above.parse().unwrap(),
        });
        let found = latest(&candidates, latest_override);
        (found.version.map_or_else(|| "-".to_owned(), |v| v.to_string()), found.latest_override.is_some())
    }

    fn derived(releases: &[(&str, ReleaseState)]) -> String {
        of(releases, None).0
    }

    #[test]
    fn the_highest_stable_release_by_number_not_by_text_or_time() {
        assert_eq!(derived(&[("1.10.0", Visible), ("1.9.0", Visible), ("1.2.0", Visible)]), "1.10.0");
    }

    #[test]
    fn a_prerelease_only_while_nothing_is_stable() {
        assert_eq!(derived(&[("2.0.0-rc.1", Visible), ("1.0.0", Visible)]), "1.0.0");
        assert_eq!(derived(&[("2.0.0-rc.1", Visible), ("2.0.0-beta", Visible)]), "2.0.0-rc.1");
        assert_eq!(derived(&[("2.0.0-rc.1", Visible), ("1.0.0", Yanked)]), "2.0.0-rc.1");
    }

    #[test]
    fn closed_and_pending_releases_are_passed_over() {
        for closed in [Pending, Yanked, Withdrawn, Quarantined] {
            assert_eq!(derived(&[("2.0.0", closed), ("1.0.0", Suspicious)]), "1.0.0", "{closed}");
            assert_eq!(derived(&[("2.0.0", closed)]), "-", "{closed}");
        }
        assert_eq!(derived(&[]), "-");
    }

    #[test]
    fn an_override_holds_against_lower_numbers() {
        let tagged = Some(("1.0.0", "2.0.0"));
        let rows = [("1.0.0", Visible), ("2.0.0", Visible), ("1.5.0", Visible)];
        assert_eq!(of(&rows, tagged), ("1.0.0".to_owned(), true));
    }

    #[test]
    fn a_version_above_all_before_it_ends_an_override() {
        let rows = [("1.0.0", Visible), ("2.0.0", Visible), ("2.0.1", Visible)];
        assert_eq!(of(&rows, Some(("1.0.0", "2.0.0"))), ("2.0.1".to_owned(), false));
        // Not while that version is pending or quarantined at birth: nobody can see it yet.
        let rows = [("1.0.0", Visible), ("2.0.0", Visible), ("2.0.1", Quarantined)];
        assert_eq!(of(&rows, Some(("1.0.0", "2.0.0"))), ("1.0.0".to_owned(), true));
    }

    #[test]
    fn an_override_ends_with_its_target() {
        let rows = [("1.0.0", Yanked), ("2.0.0", Visible)];
        assert_eq!(of(&rows, Some(("1.0.0", "2.0.0"))), ("2.0.0".to_owned(), false));
    }

    #[test]
    fn an_override_may_name_a_prerelease() {
        let rows = [("1.0.0", Visible), ("2.0.0-beta.1", Visible)];
        assert_eq!(of(&rows, Some(("2.0.0-beta.1", "2.0.0-beta.1"))), ("2.0.0-beta.1".to_owned(), true));
    }

    proptest! {
        /// Whatever the releases: `latest` may be chosen, no stable one that may be chosen is above it, and
        /// asking again with what came out gives the same.
        #[test]
        fn latest_is_the_best_that_may_be_chosen(
            rows in proptest::collection::vec((0..4_u64, 0..4_u64, any::<bool>(), 0..8_usize), 0..12),
            target in 0..12_usize,
        ) {
            let versions: Vec<(Version, ReleaseState)> = rows
                .iter()
                .map(|(major, minor, pre, state)| {
                    let text = format!("{major}.{minor}.0{}", if *pre { "-rc.1" } else { "" });
                    (text.parse().unwrap(), ReleaseState::ALL[*state])
                })
                .collect();
            let candidates: Vec<_> =
                versions.iter().map(|(version, state)| Candidate { version, state: *state }).collect();
            let above = versions.iter().map(|(version, _)| version).max();
            let set = versions
                .get(target)
                .zip(above)
                .map(|((target, _), above)| Override { target: target.clone(), above: above.clone() });
            let found = latest(&candidates, set);
            let open: Vec<_> = versions.iter().filter(|(_, s)| s.is_selectable()).map(|(v, _)| v).collect();
            prop_assert_eq!(found.version.is_none(), open.is_empty());
            if let Some(version) = &found.version {
                prop_assert!(open.contains(&version));
                if found.latest_override.is_none() {
                    prop_assert!(open.iter().all(|other| other.is_prerelease() || *other <= version));
                }
            }
            prop_assert_eq!(latest(&candidates, found.latest_override.clone()), found);
        }
    }
}
