//! The exit codes that the pages of a skill explain.

use std::collections::HashSet;

use crate::lint::{LintFile, Skill, words};

/// What a table or list of codes stands under, or a code directly behind.
const EXIT_PHRASES: [&str; 13] = [
    "exit code",
    "exit codes",
    "exit status",
    "exits with",
    "exit with",
    "return code",
    "returns code",
    "status code",
    "退出码",
    "返回码",
    "退出状态",
    "返回值",
    "状态码",
];
/// The same where a code follows at once, or as the head of a table: elsewhere one may exit from anything.
const EXIT_WORDS: [&str; 2] = ["exit", "exits"];
/// What may stand between the phrase and the code.
const BETWEEN: [&str; 11] = ["is", "are", "of", "with", "code", "codes", "status", "and", "or", "to", "a"];
/// How many lines below its head a table or list of codes goes on.
const TABLE: usize = 20;
/// How far behind its phrase a code stands, in bytes.
const NEAR: usize = 80;

/// Every code that is named as one: directly behind a phrase like `exits with`, or in a row of a table or list below
/// such a phrase.
pub(super) fn explained(skill: &Skill<'_>) -> HashSet<u8> {
    let pages = skill.input.files.iter().filter(|file| file.is_page()).filter_map(LintFile::text);
    let mut codes = HashSet::new();
    for page in std::iter::once(skill.body).chain(pages) {
        in_page(page, &mut codes);
    }
    codes
}

fn in_page(page: &str, codes: &mut HashSet<u8>) {
    let mut rows = 0_usize;
    for line in page.lines() {
        let line = line.to_lowercase();
        let is_head = line.trim_start().starts_with(['|', '#']) && words::has_any(&line, &EXIT_WORDS);
        if is_head || words::has_any(&line, &EXIT_PHRASES) {
            rows = TABLE;
        }
        for phrase in EXIT_PHRASES.iter().chain(&EXIT_WORDS) {
            let mut rest = line.as_str();
            while let Some(at) = words::find(rest, phrase) {
                rest = &rest[at + phrase.len()..];
                numbers(&rest[..rest.floor_char_boundary(NEAR)], codes);
            }
        }
        rows = rows.saturating_sub(1);
        if rows > 0 {
            in_row(&line, codes);
        }
    }
}

/// The numbers and ranges that a text begins with: `is 2, 3 or 5-7: …`.
fn numbers(text: &str, codes: &mut HashSet<u8>) {
    let apart = |c: char| c.is_whitespace() || ",/、`*\"():：=|为是和或".contains(c);
    for word in text.split(apart).map(|word| word.trim_end_matches(['.', ';', '。', '；'])) {
        let (from, to) = word.split_once(['-', '–', '~']).unwrap_or((word, word));
        if let (Ok(from), Ok(to)) = (from.parse::<u8>(), to.parse::<u8>()) {
            codes.extend(from..=to);
        } else if !word.is_empty() && !BETWEEN.contains(&word) {
            return;
        }
    }
}

/// The code of a row: a cell of a table, the beginning of a list item, or of a line like `3: no such city`.
fn in_row(line: &str, codes: &mut HashSet<u8>) {
    let row = line.trim_start_matches([' ', '\t', '>', '#']);
    if row.starts_with('|') {
        return row.split('|').for_each(|cell| numbers(cell, codes));
    }
    let item = ["- ", "* ", "+ ", "• "].iter().find_map(|mark| row.strip_prefix(mark));
    let text = item.unwrap_or(row).trim_start_matches([' ', '`', '*', '"']);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].trim_start_matches(['`', '*', '"']);
    let mut after = rest.trim_start().chars();
    // `3. Save` is a step.
    let says = matches!(after.next(), Some(':' | '：' | '=' | '-' | '–' | '—' | '→'))
        || item.is_some() && rest.chars().next().is_none_or(char::is_whitespace)
        || rest.starts_with([' ', '\t']) && rest.len() - rest.trim_start().len() > 1;
    codes.extend(text[..digits].parse::<u8>().ok().filter(|_| says));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(page: &str) -> Vec<u8> {
        let mut codes = HashSet::new();
        in_page(page, &mut codes);
        let mut codes: Vec<u8> = codes.into_iter().collect();
        codes.sort_unstable();
        codes
    }

    #[test]
    fn codes_that_are_explained() {
        for (page, codes) in [
            ("It exits with 2 where it was called wrongly.", vec![2]),
            ("The exit code is `3`: no such city.", vec![3]),
            ("Exit codes 2, 4 and 6-8 mean that …", vec![2, 4, 6, 7, 8]),
            ("It returns exit status 5. Then stop.", vec![5]),
            ("`exit 9` ends it", vec![9]),
            ("退出码为 3 时停止", vec![3]),
            ("| exit | meaning |\n|---|---|\n| 3 | no city |\n| `4` | no net |", vec![3, 4]),
            ("## Exit codes\n\n- 3: no city\n- **4** no net\n- `5` - else", vec![3, 4, 5]),
            ("```\nExit codes:\n  3  no city\n  4 = no net\n```", vec![3, 4]),
        ] {
            assert_eq!(said(page), codes, "{page}");
        }
    }

    #[test]
    fn numbers_that_are_no_codes() {
        for page in [
            "Exit the app when done.\n\n1. Open\n2. Edit\n3. Save",
            "Exit the app.\n\n| step | what |\n|---|---|\n| 3 | save |",
            "Exit after 3 tries.",
            "The exit code says whether it worked. Wait 3 seconds.",
            "| 3 | apples |",
            "Exit codes are below.\n3 apples a day",
        ] {
            assert_eq!(said(page), [0; 0], "{page}");
        }
    }
}
