//! A source that gives other bytes than the lock holds.

use skill_core::lock::LockedSource;
use skill_core::name::Slug;

use crate::code::Code;
use crate::failure::Failure;
use crate::text::quote;

/// What is locked, and how it is asked for again.
pub(crate) struct Locked<'a> {
    /// Its name in the lock.
    pub local: &'a Slug,
    /// Its source there.
    pub source: &'a LockedSource,
    /// That source as a command takes it, without ref and path.
    pub reference: &'a str,
    /// What it calls itself today, if that is known; under another name it is asked for by that name.
    pub own: Option<&'a Slug>,
}

impl Locked<'_> {
    /// The command that takes what is there today: the same ref, the same folder, the same name.
    pub(crate) fn command(&self) -> String {
        let (reference, path) = match self.source {
            LockedSource::Git { reference, path, .. } => (reference.as_deref(), path.as_deref()),
            LockedSource::Archive { path, .. } => (None, path.as_deref()),
            LockedSource::Path { .. } | LockedSource::Registry { .. } => (None, None),
        };
        let name = (self.own != Some(self.local)).then_some(self.local.as_str());
        let mut words = vec!["skill", "install", self.reference];
        for (flag, value) in [("--ref", reference), ("--path", path), ("--as", name)] {
            words.extend(value.into_iter().flat_map(|value| [flag, value]));
        }
        quote::command(words)
    }

    /// `lock-source-changed`. `shown` is what sentences call the source.
    pub(crate) fn changed(&self, shown: &str, locked: &str, found: &str) -> Failure {
        let short = |digest: &str| -> String {
            let end = digest.find(':').map_or(0, |colon| colon + 1) + 12;
            digest.get(..end).unwrap_or(digest).to_owned()
        };
        let text = format!("{shown} holds other files than {} is locked with", self.local);
        Failure::new(Code::LockSourceChanged, text)
            .because(format!("locked {}, there today {}", short(locked), short(found)))
            .nothing_changed()
            .key("locked", locked)
            .key("found", found)
            .hint(format!("run `{}` to take what is there today", self.command()))
    }
}

#[cfg(test)]
mod tests {
    use skill_core::digest::Sha256;
    use skill_core::reference::Location;

    use super::*;

    #[test]
    fn a_source_is_asked_for_again_with_its_ref_its_path_and_its_name() {
        let (local, other): (Slug, Slug) = ("mine".parse().unwrap(), "theirs".parse().unwrap());
        let git = |reference: Option<&str>, path: Option<&str>| LockedSource::Git {
            url: Location::stripped("../lfs"),
            reference: reference.map(str::to_owned),
            commit: "1".repeat(40),
            path: path.map(str::to_owned),
        };
        let archive = LockedSource::Archive {
            location: Location::stripped("./x.zip"),
            sha256: Sha256::of("x"),
            path: Some("a b".to_owned()),
        };
        for (source, reference, own, command) in [
            (git(None, None), "git:../lfs", Some(&local), "skill install git:../lfs"),
            (
                git(Some("v1"), Some("skills/x")),
                "git:../lfs",
                Some(&other),
                "skill install git:../lfs --ref v1 --path skills/x --as mine",
            ),
            (archive, "./x.zip", None, "skill install ./x.zip --path 'a b' --as mine"),
            (LockedSource::Path { path: "./d".to_owned() }, "./d", Some(&local), "skill install ./d"),
        ] {
            assert_eq!(Locked { local: &local, source: &source, reference, own }.command(), command);
        }
    }
}
