//! What stands in a line like the path of a file of the skill.

/// Folders that the Agent Skills specification gives a meaning; what is named below them is meant as the skill's own.
const FOLDERS: [&str; 4] = ["scripts", "references", "reference", "assets"];
/// What clients put in for the skill's folder.
const OWN_FOLDER: [&str; 3] = ["{baseDir}/", "${CLAUDE_SKILL_DIR}/", "$CLAUDE_SKILL_DIR/"];
/// Names that stand for whatever somebody puts there.
const ANY: [&str; 22] = [
    "name",
    "file",
    "filename",
    "topic",
    "script",
    "page",
    "doc",
    "x",
    "y",
    "a",
    "b",
    "c",
    "n",
    "foo",
    "bar",
    "baz",
    "xxx",
    "sample",
    "placeholder",
    "todo",
    "xyz",
    "abc",
];
const ANY_PART: [&str; 5] = ["example", "your", "my-", "my_", "some-"];
/// A longer word is no path, in bytes.
const PATH: usize = 512;
const ENDS: &str = "`\"'()[]<>|,;:=*!&（）「」《》“”‘’，。；：、";

/// A path as a line writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Written<'a> {
    /// From the skill's folder, or from the page's.
    pub(super) path: &'a str,
    /// Where it begins in the line, in bytes.
    pub(super) at: usize,
    /// Where its word begins: `./`, or what a client puts in for the folder, may stand before the path.
    pub(super) word: usize,
}

/// The paths of a line: below a folder that the specification names, or that the skill has (`has_folder`).
pub(super) fn paths(line: &str, has_folder: impl Fn(&str) -> bool) -> impl Iterator<Item = Written<'_>> {
    let ends = |c: char| c.is_whitespace() || ENDS.contains(c);
    let starts = std::iter::once(0).chain(line.match_indices(ends).map(|(at, mark)| at + mark.len()));
    starts.filter_map(move |start| {
        let word = line[start..].split(ends).next().filter(|word| word.len() <= PATH)?;
        let word = word.split(['#', '?']).next()?.trim_end_matches(['.', '/']);
        let named = OWN_FOLDER.iter().find_map(|own| word.strip_prefix(own));
        let path = named.unwrap_or(word);
        let path = path.strip_prefix("./").unwrap_or(path);
        let (folder, _) = path.split_once('/')?;
        let is_known = named.is_some() || FOLDERS.contains(&folder) || has_folder(folder);
        let fits = is_known && is_path(path) && !stands_for_any(path);
        let at = start + word.len() - path.len();
        fits.then_some(Written { path, at, word: start })
    })
}

/// Segments of letters, digits, dots, hyphens and underscores, the last of them with an ending like `.py`.
fn is_path(path: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '/');
    let Some((stem, ending)) = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')) else {
        return false;
    };
    path.chars().all(is_plain)
        && !stem.is_empty()
        && (1..=5).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
        && path.split('/').all(|part| !part.trim_matches('.').is_empty())
}

fn stands_for_any(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let stem = lower.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    // `YYYY-MM-DD.md`, `file_NN.md`
    let is_pattern =
        |part: &str| part.len() > 1 && part.bytes().all(|byte| matches!(byte, b'N' | b'X' | b'Y'));
    ANY.contains(&stem)
        || ANY_PART.iter().any(|part| lower.contains(part))
        || path.split(['/', '-', '_', '.']).any(is_pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<(&str, usize)> {
        paths(line, |folder| folder == "rules").map(|written| (written.path, written.at)).collect()
    }

    #[test]
    fn paths_in_a_line() {
        assert_eq!(found("python3 ./scripts/ask.py --city x"), [("scripts/ask.py", 10)]);
        assert_eq!(found("见 `references/天气.md#part`。"), [("references/天气.md", 5)]);
        assert_eq!(found("{baseDir}/run.sh; rules/a1.md."), [("rules/a1.md", 18)]);
        assert_eq!(found("{baseDir}/lib/run.sh"), [("lib/run.sh", 10)]);
    }

    #[test]
    fn what_is_none() {
        for line in [
            "scripts/ scripts/<name>.py scripts/*.py references/{topic}.md src/main.rs",
            "references/YYYY-MM-DD.md scripts/my-script.sh references/NAME.md references/a.md",
            "https://example.org/scripts/x9.py ../scripts/x9.py scripts/v1.2 scripts/.env scripts//x9.py",
            "/opt/scripts/run.sh ~/scripts/run.sh $DIR/scripts/run.sh other/scripts/run.sh",
        ] {
            assert_eq!(found(line), [], "{line}");
        }
    }
}
