//! Strings of a program that are looked for, not run: a list of what a guard blocks, the sentence of a
//! test, the expression of a filter.

use std::sync::LazyLock;

use regex::Regex;

use crate::file::SourceFile;
use crate::layout::lines;

/// The most lines of one list.
const MOST_LINES: usize = 400;

struct Wording {
    /// Opens a list or an expression whose name says what is done with it.
    list: Regex,
    /// Compares a string with what is given, or holds that something is so.
    compares: Regex,
    /// Runs something.
    runs: Regex,
}

#[expect(clippy::expect_used, reason = "the expressions are part of the program, and tests use them")]
static WORDING: LazyLock<Wording> = LazyLock::new(|| {
    let regex = |pattern: &str| Regex::new(pattern).expect("the expression reads");
    Wording {
        list: regex(
            r"(?i)\b\w*(?:block|den(?:y|ied)|forbid|danger|malicious|suspicious|pattern|inject|reject|unsafe|banned|disallow|red_?flag|signature|jailbreak|attack)\w*\s*(?::[^=]*)?(?:=|:)\s*(?:frozenset|set|new\s+Set|re\.compile|tuple|Object\.freeze)?\s*[(\[{]",
        ),
        compares: regex(
            r#"(?i)^\s*(?:(?:async\s+)?def\s+test\w*\([^)]*\)[^:]*:\s*)?(?:assert\w*\b|(?:self\.)?assert\w+\s*\(|expect\s*\(|it\s*\(\s*["'`]|test\s*\(\s*["'`]|if\s+["'][^"']*["']\s+in\s|if\s*\(\s*\w+\.includes\s*\()"#,
        ),
        runs: regex(
            r"(?i)\bos\.(?:system|popen|exec\w*)|\bsubprocess\b|\bpopen\b|(?:^|[^.\w])(?:exec|eval|system|spawn)\w*\s*\(|child_process|\bshell_exec\b|\bProcess\b|Command::new",
        ),
    }
});

/// Where a program only names what it looks for.
#[derive(Debug, Default)]
pub(super) struct Guards {
    /// First and last lines.
    lists: Vec<(u32, u32)>,
    /// Whether the program runs something: then a list may be what it runs.
    runs: bool,
}

impl Guards {
    /// Reads a program once; nothing else has guards.
    pub(super) fn of(file: &SourceFile<'_>, text: &str) -> Self {
        let mut guards = Self::default();
        if !file.is_program() || file.is_binary() || text.starts_with("#!/bin/") {
            return guards;
        }
        guards.runs = WORDING.runs.is_match(text);
        let mut open: Option<(u32, i32)> = None;
        for (line, number) in lines(file.manner(), text).map(|line| (line.text, line.number)) {
            let begins = open.is_none();
            let from = if open.is_some() {
                0
            } else if let Some(found) = WORDING.list.find(line) {
                found.end() - 1
            } else {
                if WORDING.compares.is_match(line) {
                    guards.lists.push((number, number));
                }
                continue;
            };
            let (first, depth) = open.unwrap_or((number, 0));
            let depth = depth + depth_of(&line[from..]);
            let endless = number - first >= MOST_LINES as u32;
            if depth <= 0 {
                guards.lists.push((first, number));
            }
            open = (depth > 0 && !endless && (begins || !line.trim().is_empty())).then_some((first, depth));
        }
        guards
    }

    /// Whether the line only names what is looked for. Nothing runs a sentence; a command may be run
    /// by whatever the program runs.
    pub(super) fn hold(&self, line: u32, is_sentence: bool) -> bool {
        let after = self.lists.partition_point(|&(first, _)| first <= line);
        let within = after.checked_sub(1).is_some_and(|before| line <= self.lists[before].1);
        within && (is_sentence || !self.runs)
    }
}

/// How many more brackets a line opens than it closes, those in its strings left out.
fn depth_of(line: &str) -> i32 {
    let (mut depth, mut quote, mut escaped) = (0, None, false);
    for character in line.chars() {
        match (quote, character) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) => {}
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str, is_sentence: bool) -> Vec<u32> {
        let file = SourceFile::read(path, text.as_bytes(), None);
        let guards = Guards::of(&file, text);
        (1..=text.lines().count() as u32).filter(|&line| guards.hold(line, is_sentence)).collect()
    }

    #[test]
    fn what_is_looked_for() {
        let text = "BLOCKED = [\n  \"rm -rf / ]\",\n  \"x\",\n]\nassert bad(\"x\")\nif \"x\" in text:\n  y = [\"x\"]\n";
        assert_eq!(lines("a.py", text, true), [1, 2, 3, 4, 5, 6]);
        assert_eq!(lines("a.py", text, false), [1, 2, 3, 4, 5, 6]);
        let runs = format!("{text}os.system(BLOCKED[0])\n");
        assert_eq!(lines("a.py", &runs, false), [0_u32; 0]);
        assert_eq!(lines("a.md", text, true), [0_u32; 0]);
        assert_eq!(lines("a.js", "const patterns = new Set([/x/, 'y'])\nz\n", true), [1]);
    }
}
