use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::{Exclusion, IgnoreRule, PackRules};
use crate::builder::is_skill_md;
use crate::nofollow;
use crate::{BundleError, Junk};

/// The ignore files that are read, at the root of the folder only; a later one outweighs an earlier.
pub(super) const FILES: [&str; 3] = [".gitignore", ".clawhubignore", SKILLIGNORE];
const SKILLIGNORE: &str = ".skillignore";

/// An ignore file above this many bytes is refused.
const MAX_BYTES: u64 = 1024 * 1024;

/// What the rules say about one entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// It goes in, or is walked.
    In,
    /// It is a folder with a dot name that stays out but for what `.skillignore` takes in below it.
    OnlyWhatIsNamed,
    /// It stays out.
    Out(Exclusion),
}

/// The rules of one packing: those of [`PackRules`], and the ignore files of the folder.
pub(super) struct Rules {
    kind: PackRules,
    matcher: Gitignore,
    lines: Vec<IgnoreRule>,
}

impl Rules {
    /// Reads the ignore files at the root, where they count.
    pub(super) fn read(kind: PackRules, root: impl AsFd, folder: &Path) -> Result<Self, BundleError> {
        let mut rules = Self { kind, matcher: Gitignore::empty(), lines: Vec::new() };
        if kind != PackRules::Publish {
            return Ok(rules);
        }
        let mut builder = GitignoreBuilder::new("");
        for file in FILES {
            let text = read_text(root.as_fd(), file, folder)?;
            // As git does: a mark at the beginning is no part of the first pattern.
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            for (number, pattern) in text.lines().enumerate() {
                // The matcher hands back, for a match, the "file" its line is from: our number for the line.
                let tag = PathBuf::from(rules.lines.len().to_string());
                let (line, pattern) = (number + 1, pattern.to_owned());
                if builder.add_line(Some(tag), &pattern).is_err() {
                    return Err(BundleError::IgnorePattern { file, line, pattern });
                }
                rules.lines.push(IgnoreRule { file, line, pattern });
            }
        }
        rules.matcher = builder.build().map_err(|error| {
            BundleError::io(folder, std::io::Error::new(std::io::ErrorKind::InvalidData, error))
        })?;
        Ok(rules)
    }

    /// Whether nothing stays out, and what cannot be read is told.
    pub(super) const fn take_everything(&self) -> bool {
        matches!(self.kind, PackRules::Everything)
    }

    /// The ignore files that were found.
    pub(super) fn files(&self) -> Vec<String> {
        let mut files: Vec<String> = self.lines.iter().map(|rule| rule.file.to_owned()).collect();
        files.dedup();
        files
    }

    /// The rule that would keep a path out, if it were not `SKILL.md`.
    pub(super) fn rule_against(&self, path: &str) -> Option<IgnoreRule> {
        match self.matched(path, false) {
            (Match::Ignore(()), rule) => rule.cloned(),
            _ => None,
        }
    }

    /// What the rules say about an entry. `named_only`: its folder is [`Ruling::OnlyWhatIsNamed`].
    pub(super) fn rule_on(&self, path: &str, is_folder: bool, named_only: bool) -> Ruling {
        if self.take_everything() {
            return Ruling::In;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        if let Some(junk) = Junk::of(name) {
            return Ruling::Out(Exclusion::Junk(junk));
        }
        if self.kind == PackRules::Source || is_skill_md(path) {
            return Ruling::In;
        }
        if let Some(never) = never_published(path) {
            return Ruling::Out(never);
        }
        let (matched, rule) = self.matched(path, is_folder);
        let taken_in = matched.is_whitelist() && rule.is_some_and(|rule| rule.file == SKILLIGNORE);
        if (name.starts_with('.') || named_only) && !taken_in {
            let walked = is_folder && self.takes_in_below(path);
            return if walked { Ruling::OnlyWhatIsNamed } else { Ruling::Out(Exclusion::DotName) };
        }
        match (matched, rule) {
            (Match::Ignore(()), Some(rule)) => Ruling::Out(Exclusion::Rule(rule.clone())),
            _ => Ruling::In,
        }
    }

    /// Why what a link ends at stays out, whatever the link is called.
    pub(super) fn never(&self, target: &str) -> Option<Exclusion> {
        match self.kind {
            PackRules::Publish => never_published(target),
            PackRules::Source => Junk::in_path(target).map(|(junk, _)| Exclusion::Junk(junk)),
            PackRules::Everything => None,
        }
    }

    fn matched(&self, path: &str, is_folder: bool) -> (Match<()>, Option<&IgnoreRule>) {
        let found = self.matcher.matched(path, is_folder);
        let tag = found.inner().and_then(|glob| glob.from()?.to_str()?.parse::<usize>().ok());
        (found.map(|_| ()), tag.and_then(|at| self.lines.get(at)))
    }

    /// Whether `.skillignore` has a line such as `!.config/tool.json` for a folder `.config`.
    fn takes_in_below(&self, folder: &str) -> bool {
        let below = format!("{folder}/");
        let named = |rule: &IgnoreRule| {
            rule.pattern
                .strip_prefix('!')
                .is_some_and(|path| path.trim_start_matches('/').starts_with(&below))
        };
        self.lines.iter().any(|rule| rule.file == SKILLIGNORE && named(rule))
    }
}

/// Why a path is never published, whatever an ignore file says. Letter case counts on few systems, so it counts nowhere
/// here.
pub(super) fn never_published(path: &str) -> Option<Exclusion> {
    let folded = path.to_ascii_lowercase();
    if folded == "skill-card.md" {
        return Some(Exclusion::SkillCard);
    }
    if !folded.contains('/') && Path::new(&folded).extension().is_some_and(|ending| ending == "skill") {
        return Some(Exclusion::Packed);
    }
    let segments = path.split('/').zip(folded.split('/'));
    segments.into_iter().find_map(|(segment, folded)| match (Junk::of(segment), folded) {
        (Some(junk), _) => Some(Exclusion::Junk(junk)),
        (None, "node_modules") => Some(Exclusion::Dependencies),
        (None, ".env") => Some(Exclusion::Secret),
        (None, _) => folded.starts_with(".git").then_some(Exclusion::GitFile),
    })
}

fn read_text(root: impl AsFd, name: &'static str, folder: &Path) -> Result<String, BundleError> {
    let path = || folder.join(name);
    let opened = match nofollow::open_file(root, name.as_bytes()) {
        Ok(Ok(opened)) => opened,
        // An ignore file through a link would say what stays in from outside of what is packed.
        Ok(Err(kind)) => {
            return Err(BundleError::SpecialFile { path: name.to_owned(), kind: kind.describe() });
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(BundleError::io(path(), error)),
    };
    if opened.size > MAX_BYTES {
        return Err(BundleError::FileLarge { path: name.to_owned(), size: opened.size, limit: MAX_BYTES });
    }
    let bytes = nofollow::read_bytes(&opened, MAX_BYTES)
        .map_err(|error| BundleError::io(path(), error))?
        .ok_or_else(|| BundleError::Changed { path: name.to_owned() })?;
    String::from_utf8(bytes).map_err(|_| BundleError::IgnoreEncoding { file: name })
}
