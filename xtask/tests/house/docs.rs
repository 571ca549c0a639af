//! Pages that are named exist, with the headings that are named, and quote the vectors as they are.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::sources::root;

const COMMENTED: [&str; 3] = ["rs", "sql", "py"];

fn read(path: &str) -> String {
    fs_err::read_to_string(root().join(path)).unwrap()
}

/// Files of the workspace with one of these endings, built, installed and hidden ones left out.
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !matches!(name, "target" | "node_modules") && !name.starts_with('.') {
                files(&path, endings, found);
            }
        } else if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
            found.push(path);
        }
    }
}

fn headings(page: &str) -> Vec<String> {
    let mut in_code = false;
    let mut found = Vec::new();
    for line in page.lines() {
        in_code ^= line.starts_with("```");
        let text = line.trim_start_matches('#');
        if !in_code && text.len() < line.len() {
            found.push(text.trim().to_owned());
        }
    }
    found
}

/// The anchor that a heading has on the page: lower case, blanks as hyphens, other signs dropped.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// `docs/PAGE.md, "Heading"` and `docs/PAGE.md "Heading"`, over line ends too.
fn named_headings(text: &str) -> Vec<(String, String)> {
    let unmarked = |line: &str| line.trim_start().trim_start_matches(['/', '!', '-', '#', ' ']).to_owned();
    let text = text.lines().map(unmarked).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for (at, _) in text.match_indices("docs/") {
        let Some((page, rest)) = text[at..].split_once(".md") else { continue };
        let quoted = rest.strip_prefix(", \"").or_else(|| rest.strip_prefix(" \""));
        let Some((heading, _)) = quoted.and_then(|quoted| quoted.split_once('"')) else { continue };
        if page["docs/".len()..].chars().all(|c| c.is_ascii_uppercase()) {
            found.push((format!("{page}.md"), heading.to_owned()));
        }
    }
    found
}

#[test]
fn comments_name_headings_that_exist() {
    let mut commented = Vec::new();
    files(&root(), &COMMENTED, &mut commented);
    let mut named = 0;
    let mut missing = Vec::new();
    for path in commented.iter().filter(|path| !path.ends_with("house/docs.rs")) {
        for (page, heading) in named_headings(&fs_err::read_to_string(path).unwrap()) {
            named += 1;
            let there = fs_err::read_to_string(root().join(&page))
                .is_ok_and(|page| headings(&page).contains(&heading));
            if !there {
                missing.push(format!("{}: {page} has no heading `{heading}`", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(named > 5, "no comment names a heading: the check looks for the wrong text");
}

#[test]
fn links_lead_somewhere() {
    let mut pages = Vec::new();
    files(&root(), &["md"], &mut pages);
    // Skills are pages of their own, with links that are theirs.
    pages.retain(|page| !page.starts_with(root().join("examples")));
    let mut dead = Vec::new();
    for page in &pages {
        // What stands in code is no link.
        let text: String = fs_err::read_to_string(page).unwrap().split('`').step_by(2).collect();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split(')').next().unwrap();
            if target.contains("://") {
                continue;
            }
            let (file, mark) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let anchors =
                || headings(&fs_err::read_to_string(&path).unwrap()).iter().any(|h| anchor(h) == mark);
            if !path.exists() || !(mark.is_empty() || anchors()) {
                dead.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
    assert!(pages.len() > 3, "the walk found almost nothing");
}

/// Files that a line names in its text: words with a folder and a known ending. Links are checked by themselves.
fn named_files(line: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '`' | '(' | ')' | '[' | ']' | ',' | ';' | ':');
    line.split(ends).filter(|word| {
        let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
        word.contains('/') && !word.contains('*') && ["rs", "sql", "py", "toml", "md"].contains(&ending)
    })
}

/// The folders that a line links to: a path in its text may begin there.
fn linked_folders(line: &str) -> impl Iterator<Item = PathBuf> {
    line.match_indices("](").map(|(at, _)| root().join(line[at + 2..].split(')').next().unwrap()))
}

#[test]
fn files_that_pages_name_exist() {
    let mut named = 0;
    let mut missing = Vec::new();
    for page in ["README.md", "docs/STYLE.md"] {
        for line in read(page).lines() {
            for file in named_files(line) {
                named += 1;
                let there = root().join(file).exists()
                    || linked_folders(line).any(|folder| folder.join(file).exists());
                if !there {
                    missing.push(format!("{page}: {file}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(named > 5, "no page names a file: the check looks for the wrong text");
}

#[test]
fn vectors_are_quoted_as_they_are() {
    let page = read("docs/FORMAT.md");
    let quoted = |value: &Value| {
        let text = value.as_str().unwrap();
        assert!(page.contains(text), "docs/FORMAT.md does not hold {text}");
    };
    let trees: Value =
        serde_json::from_str(&read("crates/skill-bundle/tests/vectors/tree_digest.json")).unwrap();
    quoted(&trees[0]["preimage"]);
    quoted(&trees[0]["digest"]);
    let trust: Value = serde_json::from_str(&read("crates/skill-trust/tests/vectors/trust.json")).unwrap();
    let of = |list: &str, key: &str, name: &str| {
        trust[list].as_array().unwrap().iter().find(|one| one[key] == name).unwrap().clone()
    };
    let key = of("keys", "role", "release");
    for field in ["seed", "public", "keyid"] {
        quoted(&key[field]);
    }
    let release = of("statements", "kind", "release");
    for field in ["leaf", "leafHash"] {
        quoted(&release[field]);
    }
    quoted(&trust["pae"][0]["encoding"]);
}
