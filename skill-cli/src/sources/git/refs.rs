//! What a remote calls its commits: the answer of `git ls-remote`.

use std::collections::BTreeMap;

use strsim::osa_distance;

/// The refs of a remote, peeled to what annotated tags point to.
#[derive(Debug, Default)]
pub(super) struct Refs {
    /// Full name to object.
    objects: BTreeMap<String, String>,
    head: Option<String>,
    /// What HEAD is another name of.
    head_of: Option<String>,
}

/// What is to be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen {
    /// Its commit.
    pub commit: String,
    /// The full name of the ref that leads there, if one does.
    pub full: Option<String>,
    /// What was asked for.
    pub reference: Option<String>,
    /// The folder inside the repository.
    pub path: Option<String>,
}

impl Refs {
    /// Reads `git ls-remote --symref`: `OBJECT<tab>NAME` and `ref: NAME<tab>HEAD`.
    pub(super) fn parse(answer: &[u8]) -> Self {
        let mut refs = Self::default();
        for line in answer.split(|&byte| byte == b'\n') {
            let Ok(line) = str::from_utf8(line) else { continue };
            let Some((left, name)) = line.split_once('\t') else { continue };
            if let Some(target) = left.strip_prefix("ref: ") {
                if name == "HEAD" {
                    refs.head_of = Some(target.to_owned());
                }
            } else if name == "HEAD" {
                refs.head = Some(left.to_owned());
            } else {
                // A peeled line comes after the line of its tag.
                let name = name.strip_suffix("^{}").unwrap_or(name);
                refs.objects.insert(name.to_owned(), left.to_owned());
            }
        }
        refs
    }

    /// Where HEAD is, and the name of its branch.
    pub(super) fn head(&self) -> Option<(String, Option<String>)> {
        self.head.clone().map(|commit| (commit, self.head_of.clone()))
    }

    /// The object of a ref, looked up in git's own order: as it is written, tags, branches.
    pub(super) fn find(&self, reference: &str) -> Option<(String, Option<String>)> {
        if reference == "HEAD" {
            return self.head();
        }
        ["", "refs/", "refs/tags/", "refs/heads/"].into_iter().find_map(|prefix| {
            let full = format!("{prefix}{reference}");
            let commit = self.objects.get(&full)?;
            full.starts_with("refs/").then(|| (commit.clone(), Some(full)))
        })
    }

    /// Branches and tags that are spelled nearly like `reference`, at most three.
    pub(super) fn nearest(&self, reference: &str) -> Vec<String> {
        let wanted = reference.to_lowercase();
        let names = self
            .objects
            .keys()
            .filter_map(|full| full.strip_prefix("refs/heads/").or_else(|| full.strip_prefix("refs/tags/")))
            // What nobody mistypes: the distance costs the product of both lengths.
            .filter(|name| name.len() <= 255);
        let mut near: Vec<(usize, &str)> = names
            .filter_map(|name| {
                let lower = name.to_lowercase();
                let inside = lower.contains(&wanted) || wanted.contains(&lower);
                let distance = osa_distance(&lower, &wanted);
                (inside || distance <= 2.max(wanted.len() / 4)).then_some((distance, name))
            })
            .collect();
        near.sort_unstable();
        near.dedup_by(|one, other| one.1 == other.1);
        near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
    }

    /// Whether the remote has no ref at all: nothing was ever pushed.
    pub(super) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// How many digits its objects have; 40 if there are none.
    pub(super) fn digits(answer: &[u8]) -> usize {
        let of_line = |line: &[u8]| {
            let end = line.iter().position(|&byte| byte == b'\t')?;
            (!line.starts_with(b"ref: ")).then_some(end)
        };
        answer.split(|&byte| byte == b'\n').find_map(of_line).unwrap_or(40)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "ref: refs/heads/main\tHEAD\n\
        1111111111111111111111111111111111111111\tHEAD\n\
        1111111111111111111111111111111111111111\trefs/heads/main\n\
        2222222222222222222222222222222222222222\trefs/heads/fix/ABC/one\n\
        3333333333333333333333333333333333333333\trefs/tags/pkg@1.0.0\n\
        4444444444444444444444444444444444444444\trefs/tags/pkg@1.0.0^{}\n\
        5555555555555555555555555555555555555555\trefs/tags/main\n";

    fn found(reference: &str) -> Option<char> {
        Refs::parse(ANSWER.as_bytes()).find(reference).and_then(|(commit, _)| commit.chars().next())
    }

    #[test]
    fn refs_are_found_as_git_finds_them() {
        assert_eq!(found("fix/ABC/one"), Some('2'));
        assert_eq!(found("pkg@1.0.0"), Some('4'), "an annotated tag is peeled");
        assert_eq!(found("main"), Some('5'), "a tag comes before a branch");
        assert_eq!(found("heads/main"), Some('1'));
        assert_eq!(found("refs/heads/main"), Some('1'));
        assert_eq!(found("HEAD"), Some('1'));
        assert_eq!(found("fix"), None);
    }

    #[test]
    fn nearly_right_names_are_offered() {
        let refs = Refs::parse(ANSWER.as_bytes());
        assert_eq!(refs.nearest("mian"), ["main"]);
        assert_eq!(refs.nearest("pkg@1.0.1"), ["pkg@1.0.0"]);
        assert_eq!(refs.nearest("zzz"), Vec::<String>::new());
        assert_eq!(Refs::digits(ANSWER.as_bytes()), 40);
    }
}
