//! Bundles that are made to cost time or memory: each rule reads a text once, and no more is told than somebody reads.

use std::ops::Range;

use skill_core::diagnostic::Diagnostic;
use skill_core::lint::{LintFile, LintInput, lint};

const HEAD: &str = "---\nname: weather\ndescription: Tells the weather of a city. Use when asked what to wear. Not for climate.\n---\n";
const MIB: usize = 1 << 20;

fn judged(files: &[(&str, String)]) -> Vec<Diagnostic> {
    let files: Vec<LintFile<'_>> = files
        .iter()
        .map(|(path, text)| LintFile { path, executable: true, content: text.as_bytes() })
        .collect();
    lint(&LintInput { folder: Some("weather"), files: &files, strict: false })
}

fn page(body: &str) -> Vec<Diagnostic> {
    judged(&[("SKILL.md", format!("{HEAD}{body}"))])
}

/// How often a code was found, and what its last finding says.
fn of(found: &[Diagnostic], code: &str) -> (usize, String) {
    let of_code: Vec<&Diagnostic> = found.iter().filter(|found| found.code == code).collect();
    (of_code.len(), of_code.last().map(|last| last.message.clone()).unwrap_or_default())
}

fn filled(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes.div_ceil(piece.len()))
}

fn lines(numbers: Range<u32>, line: impl Fn(u32) -> String) -> String {
    numbers.map(line).collect::<Vec<_>>().concat()
}

#[test]
fn a_million_links_in_lines_of_four_kib() {
    let line = format!("{}\n", "[](a.b)".repeat(580));
    let found = page(&filled(&line, MIB));
    let (count, last) = of(&found, "link-broken");
    assert_eq!(count, 50);
    assert!(last.ends_with(" more like it are not shown"), "{last}");
    assert!(found.iter().map(|found| found.excerpt.len()).sum::<usize>() < MIB);
}

#[test]
fn broken_links_in_every_one_of_many_files() {
    let mut files = vec![("SKILL.md".to_owned(), format!("{HEAD}Text\n"))];
    files.extend((0..100).map(|number| (format!("references/{number}.md"), "[a](gone.md)\n".repeat(60))));
    let files: Vec<(&str, String)> = files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    let found = judged(&files);
    assert_eq!(
        of(&found, "link-broken"),
        (500, "there is no references/gone.md in the skill; 5500 more like it are not shown".to_owned())
    );
}

#[test]
fn links_to_parts_of_a_page_that_are_not_there() {
    let found = page(&filled("[a](#b)\n", MIB));
    assert_eq!(of(&found, "link-anchor").0, 50);
    let found = judged(&[
        ("SKILL.md", format!("{HEAD}{}", filled("[a](references/long.md#b)\n", MIB / 2))),
        ("references/long.md", filled("# A heading\n", MIB / 2)),
    ]);
    assert_eq!(of(&found, "link-anchor").0, 50);
    assert_eq!(of(&page(&filled("# a](b\n", MIB)), "link-anchor").0, 0);
}

#[test]
fn a_list_of_steps_in_every_second_line() {
    let found = page(&format!("## Steps\n\n{}", filled("1. Search a\n2. b\n", MIB)));
    assert_eq!(of(&found, "step-tool-missing").0, 50);
}

#[test]
fn a_step_that_never_ends() {
    page(&format!("## Steps\n\n1. a\n2. {}", filled("“ text\n", MIB)));
    page(&format!("## Steps\n\n1. a\n2. {}", filled("“‘«'「 ", MIB)));
}

#[test]
fn names_without_number() {
    let commands = lines(0..20_000, |number| format!("tool{number} $V{number}_TOKEN\n"));
    let functions = lines(0..20_000, |number| format!("f{number}() {{ g{number} x; }}\n"));
    let found = judged(&[
        ("SKILL.md", format!("{HEAD}```sh\n{commands}```\n")),
        ("scripts/run.sh", format!("#!/bin/sh\n{functions}")),
    ]);
    let (count, message) = of(&found, "requires-bins-undeclared");
    assert_eq!(count, 1);
    assert!(message.ends_with(" more are called and not declared"), "{message}");
    assert_eq!(of(&found, "requires-env-undeclared").0, 1);
}

#[test]
fn requirements_without_number() {
    let names = lines(0..4_000, |number| format!("        - a{number}-b\n        - c{number}\n"));
    let head = format!(
        "{}metadata:\n  openclaw:\n    requires:\n      bins:\n{names}---\n",
        &HEAD[..HEAD.len() - 4]
    );
    let found = judged(&[("SKILL.md", format!("{head}Text\n")), ("data.txt", filled("a1 b\n", 4 * MIB))]);
    let (count, message) = of(&found, "requires-unused");
    assert_eq!(count, 1, "{found:?}");
    assert!(message.contains("c3999"));
}

#[test]
fn parameters_and_skills_without_number() {
    let parameters = lines(0..1_000, |number| format!("    p{number}: {{type: string}}\n"));
    let skills = lines(0..1_000, |number| format!("        A_{number}: x\n"));
    let head = &HEAD[..HEAD.len() - 4];
    let metadata = format!("metadata:\n  input_parameters:\n{parameters}");
    let requires = format!("  openclaw:\n    requires:\n      skills:\n{skills}");
    let found = judged(&[("SKILL.md", format!("{head}{metadata}{requires}---\nText\n"))]);
    assert_eq!(of(&found, "parameter-example").0, 50);
    assert_eq!(of(&found, "requires-skill-name").0, 50);
}

#[test]
fn scripts_with_every_code_and_pages_without_end() {
    let codes = lines(2..126, |code| format!("exit {code}\n"));
    let mut files = vec![("SKILL.md".to_owned(), String::new())];
    files.extend((0..200).map(|number| (format!("scripts/{number}.sh"), format!("#!/bin/sh\n{codes}"))));
    let calls = lines(0..200, |number| format!("- Run `bash scripts/{number}.sh x`\n"));
    files[0].1 = format!("{HEAD}{calls}");
    files.push(("references/long.md".to_owned(), filled("nothing about it\n", MIB)));
    let files: Vec<(&str, String)> = files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    let (count, last) = of(&judged(&files), "script-exit-codes");
    assert_eq!(count, 50);
    assert!(last.ends_with("150 more like it are not shown"), "{last}");
}

#[test]
fn backslashes_in_every_line_and_a_thousand_files() {
    let mut files = vec![("SKILL.md".to_owned(), format!("{HEAD}{}", filled("`docs\\7.txt` \\\n", MIB)))];
    files.extend((0..1000).map(|number| (format!("docs/{number}.txt"), String::new())));
    let files: Vec<(&str, String)> = files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    assert_eq!(of(&judged(&files), "portability-backslash").0, 50);
}

#[test]
fn lines_without_end() {
    for piece in ["](", "`a``", "[a](<", "src=\"", "a](b ", "((", "\\x", "$(", "\"", "“", "{#", "1. ", "| "]
    {
        let text = filled(piece, MIB / 16);
        page(&text);
        judged(&[
            ("SKILL.md", format!("{HEAD}```sh\n{text}\n```\n")),
            ("scripts/x.sh", format!("case x in {text}")),
            ("references/a.md", format!("# {text}")),
        ]);
    }
}

#[test]
fn behind_the_first_mib_nothing_is_judged_and_a_finding_says_so() {
    let found = page(&format!("{}[a](gone.md)\n", filled("plain text\n", MIB)));
    assert_eq!(of(&found, "link-broken").0, 0);
    assert_eq!(
        of(&found, "text-long"),
        (1, "longer than 1 MiB; what stands behind the first MiB was not judged".to_owned())
    );
}

#[test]
fn files_that_are_not_there_in_every_word() {
    let found = page(&lines(0..40_000, |number| format!("Run `scripts/{number}_.py`\n")));
    let (count, last) = of(&found, "file-missing");
    assert_eq!(
        (count, last.as_str()),
        (50, "there is no scripts/49_.py in the skill; 39950 more like it are not shown")
    );
    let line = format!("{}\n", "`scripts/q.py` run ".repeat(200));
    assert_eq!(of(&page(&filled(&line, MIB)), "file-missing").0, 1);
    assert_eq!(of(&page(&format!("```\n{}", filled("cd x; ./scripts/q.py\n", MIB))), "file-missing").0, 0);
}

#[test]
fn hidden_characters_and_home_folders_in_every_place() {
    let hidden: String = (0xE0100..0xE01F0).chain(0xFE00..0xFE10).filter_map(char::from_u32).collect();
    let found = page(&filled(&format!(" {hidden}\u{200B}"), MIB));
    assert_eq!(of(&found, "text-hidden").0, 50);
    let found = page(&format!("{}\n", lines(0..60_000, |number| format!("/home/a{number}b\n"))));
    assert_eq!(of(&found, "path-of-author").0, 50);
    let line = format!("{}\n", "/home/ada ".repeat(400));
    assert_eq!(of(&page(&filled(&line, MIB)), "path-of-author").0, 1);
}
