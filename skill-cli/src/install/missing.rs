//! What a skill needs and is not here.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::manifest::Manifest;
use skill_core::name::SkillName;
use skill_core::requirement::Requirement;

use crate::context::Environment;
use crate::text::quote;

/// The needs that are not met, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    /// Programs that PATH does not have.
    pub bins: Vec<String>,
    /// Programs of which one would do, if PATH has none of them.
    pub any_bins: Vec<String>,
    /// Environment variables that are not set.
    pub env: Vec<String>,
    /// Settings. Those of an agent cannot be seen from here, so that each one that is needed is named.
    pub config: Vec<String>,
    /// Skills, with their requirements.
    pub skills: Vec<String>,
}

impl Missing {
    /// Looks for what `manifest` and the signed `skills` need. `installed` is what will be there.
    pub fn of(
        manifest: &Manifest,
        skills: &BTreeMap<String, String>,
        env: &Environment,
        installed: &BTreeMap<SkillName, semver::Version>,
    ) -> Self {
        let has = |program: &String| has_program(env, program);
        let requires = &manifest.requires;
        Self {
            bins: requires.bins.iter().filter(|bin| !has(bin)).cloned().collect(),
            any_bins: if requires.any_bins.iter().any(has) { Vec::new() } else { requires.any_bins.clone() },
            env: requires.env.iter().filter(|name| env.get(name).is_none()).cloned().collect(),
            config: requires.config.clone(),
            skills: skills
                .iter()
                .filter(|(reference, requirement)| !is_installed(reference, requirement, installed))
                .map(|(reference, requirement)| format!("{reference} {requirement}").trim_end().to_owned())
                .collect(),
        }
    }

    /// What programs, variables and settings are missing, as one phrase; none if nothing is.
    pub fn told(&self) -> Option<String> {
        let mut parts = Vec::new();
        if !self.env.is_empty() {
            parts.push(format!("{} in the environment", quote::list(&self.env, usize::MAX)));
        }
        match &self.bins[..] {
            [] => {}
            [bin] => parts.push(format!("the program {bin}")),
            bins => parts.push(format!("the programs {}", quote::list(bins, usize::MAX))),
        }
        match &self.config[..] {
            [] => {}
            [key] => parts.push(format!("the setting {key}")),
            keys => parts.push(format!("the settings {}", quote::list(keys, usize::MAX))),
        }
        if !self.any_bins.is_empty() {
            parts.push(format!("one of the programs {}", self.any_bins.join(", ")));
        }
        (!parts.is_empty()).then(|| quote::list(&parts, usize::MAX))
    }
}

fn is_installed(
    reference: &str,
    requirement: &str,
    installed: &BTreeMap<SkillName, semver::Version>,
) -> bool {
    let slug = reference.trim_start_matches('@');
    let wanted = requirement.parse::<Requirement>().ok();
    installed.iter().any(|(name, version)| {
        let named = name.to_string() == slug || name.slug.as_str() == slug;
        let version = version.to_string().parse().ok();
        named && wanted.as_ref().zip(version).is_none_or(|(wanted, version)| wanted.matches(&version))
    })
}

/// Whether PATH has an executable file of that name.
fn has_program(env: &Environment, program: &str) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(path) = env.get("PATH") else { return false };
    if program.contains('/') {
        return false;
    }
    std::env::split_paths(path).any(|folder| {
        let is_program = |path: &Path| {
            fs_err::metadata(path)
                .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        };
        is_program(&folder.join(program))
    })
}

/// The registry skills of a lock, with their versions.
pub(super) fn installed<'a>(
    skills: impl IntoIterator<Item = &'a LockedSkill>,
) -> BTreeMap<SkillName, semver::Version> {
    let release = |skill: &LockedSkill| match &skill.source {
        LockedSource::Registry { owner, slug, version, .. } => {
            Some((SkillName::new(owner.clone(), slug.clone()), version.semver().clone()))
        }
        _ => None,
    };
    skills.into_iter().filter_map(release).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_are_there_if_name_and_version_fit() {
        let installed = BTreeMap::from([("acme/github".parse().unwrap(), semver::Version::new(3, 4, 1))]);
        for (reference, requirement, there) in [
            ("acme/github", "^3", true),
            ("@acme/github", "^3", true),
            ("github", "*", true),
            ("acme/github", "^4", false),
            ("octo/github", "^3", false),
        ] {
            assert_eq!(is_installed(reference, requirement, &installed), there, "{reference} {requirement}");
        }
    }

    #[test]
    fn said_in_one_phrase() {
        let missing =
            Missing { env: vec!["A_KEY".into()], bins: vec!["jq".into(), "gh".into()], ..Missing::default() };
        assert_eq!(missing.told().as_deref(), Some("A_KEY in the environment and the programs jq and gh"));
        assert_eq!(Missing::default().told(), None);
    }
}
