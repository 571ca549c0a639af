//! docs/CASES.md names tests that exist, and every case that a test is about.

use std::collections::BTreeSet;

use crate::sources::{all, root};

fn page() -> String {
    fs_err::read_to_string(root().join("docs/CASES.md")).unwrap()
}

/// The number of each row, and what stands in code there.
fn rows(page: &str) -> impl Iterator<Item = (u32, Vec<&str>)> {
    page.lines().filter_map(|line| {
        let number = line.strip_prefix("| ")?.split(' ').next()?.parse().ok()?;
        Some((number, line.split('`').skip(1).step_by(2).collect()))
    })
}

#[test]
fn every_test_of_a_case_exists() {
    let page = page();
    let mut named = 0;
    let mut missing = Vec::new();
    for (number, spans) in rows(&page) {
        for (file, test) in spans.iter().filter_map(|span| span.split_once(": ")) {
            named += 1;
            let text = fs_err::read_to_string(root().join(file)).unwrap_or_default();
            if !text.contains(&format!("fn {test}(")) {
                missing.push(format!("case {number}: {file} has no {test}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(named > 80, "{named} tests are named");
}

/// Numbers after `Case`, `Cases`, `Bug report` and `Bug reports` in a comment.
fn numbers(line: &str) -> Vec<u32> {
    let Some(comment) = line.trim_start().strip_prefix("//") else { return Vec::new() };
    let after = ["Cases ", "Case ", "Bug reports ", "Bug report ", "bug report "]
        .iter()
        .find_map(|words| comment.split_once(words).map(|(_, after)| after));
    let words = after.unwrap_or_default().split([' ', ',']).filter(|word| !matches!(*word, "" | "and"));
    words.map_while(|word| word.trim_end_matches([':', '.', ')']).parse().ok()).collect()
}

#[test]
fn every_case_that_a_test_is_about_has_a_row() {
    let page = page();
    let known: BTreeSet<u32> = rows(&page).map(|(number, _)| number).collect();
    let mut told = BTreeSet::new();
    for source in all() {
        if !source.path.ends_with("house/cases.rs") {
            told.extend(source.text.lines().flat_map(numbers));
        }
    }
    assert!(told.len() > 40, "{told:?}");
    let unknown: Vec<_> = told.difference(&known).collect();
    assert!(unknown.is_empty(), "docs/CASES.md has no row for {unknown:?}");
}
