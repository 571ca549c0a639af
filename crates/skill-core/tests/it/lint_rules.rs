//! Every rule of lint where it speaks, three times, and where it does not although it looks alike, three times.

use std::collections::HashSet;

use skill_core::diagnostic::Diagnostic;
use skill_core::lint::{FAMILIES, LintFile, LintInput, lint};

mod bundle;
mod description;
mod instructions;
mod requirements;
mod spec;

/// A skill to look at.
struct Input {
    folder: &'static str,
    strict: bool,
    files: Vec<(&'static str, bool, Vec<u8>)>,
}

/// What a rule is to find, and what it is not to.
struct Case {
    code: &'static str,
    speaks: [Input; 3],
    silent: [Input; 3],
}

const DESCRIPTION: &str = "Tells the weather of a city for the next three days. Use when somebody asks what to wear. Not for climate.";

/// A skill with this frontmatter (without the fences) and this body.
fn skill(frontmatter: &str, body: &str) -> Input {
    let text = format!("---\n{frontmatter}\n---\n{body}\n");
    Input { folder: "weather", strict: false, files: vec![("SKILL.md", false, text.into_bytes())] }
}

/// A good skill with this body.
fn body(text: &str) -> Input {
    skill(&format!("name: weather\ndescription: {DESCRIPTION}"), text)
}

/// A good skill with this description.
fn described(text: &str) -> Input {
    skill(&format!("name: weather\ndescription: {text}"), "Text")
}

/// A good skill with these further lines of frontmatter.
fn with(lines: &str) -> Input {
    skill(&format!("name: weather\ndescription: {DESCRIPTION}\n{lines}"), "Text")
}

/// A good skill with this name.
fn named(name: &str) -> Input {
    skill(&format!("name: {name}\ndescription: {DESCRIPTION}"), "Text")
}

/// A good skill with these steps.
fn steps(list: &str) -> Input {
    body(&format!("## Steps\n\n{list}"))
}

impl Input {
    fn file(mut self, path: &'static str, text: &str) -> Self {
        self.files.push((path, text.starts_with("#!"), text.as_bytes().to_vec()));
        self
    }

    fn plain_file(mut self, path: &'static str, text: &str) -> Self {
        self.files.push((path, false, text.as_bytes().to_vec()));
        self
    }

    fn folder(mut self, folder: &'static str) -> Self {
        self.folder = folder;
        self
    }

    fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    fn renamed(mut self, path: &'static str) -> Self {
        self.files[0].0 = path;
        self
    }

    fn found(&self) -> Vec<Diagnostic> {
        let files: Vec<LintFile<'_>> = self
            .files
            .iter()
            .map(|(path, executable, content)| LintFile { path, executable: *executable, content })
            .collect();
        lint(&LintInput { folder: Some(self.folder), files: &files, strict: self.strict })
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.files[0].2).into_owned()
    }
}

fn cases() -> Vec<Case> {
    [description::cases(), instructions::cases(), bundle::cases(), requirements::cases(), spec::cases()]
        .into_iter()
        .flatten()
        .collect()
}

/// The codes and texts of the inputs in which the rule does not say what it should, with what was found.
fn wrong(inputs: impl Fn(&Case) -> &[Input; 3], times: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases() {
        for input in inputs(&case) {
            let found = input.found();
            if found.iter().filter(|found| found.code == case.code).count() != times {
                let found: Vec<String> = found
                    .iter()
                    .map(|found| format!("{}:{}: {}: {}", found.file, found.line, found.code, found.message))
                    .collect();
                wrong.push(format!("{}\n{}\n{}", case.code, input.text(), found.join("\n")));
            }
        }
    }
    wrong
}

#[test]
fn every_rule_speaks_where_it_should() {
    let wrong = wrong(|case| &case.speaks, 1);
    assert!(wrong.is_empty(), "{}", wrong.join("\n=====\n"));
}

#[test]
fn no_rule_speaks_of_what_looks_alike() {
    let wrong = wrong(|case| &case.silent, 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n=====\n"));
}

#[test]
fn no_rule_is_without_its_cases() {
    let covered: HashSet<&str> = cases().iter().map(|case| case.code).collect();
    // Those of the first family are findings of the reader, which has its own tests.
    for rule in FAMILIES[1..].iter().flat_map(|family| family.rules) {
        assert!(covered.contains(rule.code), "{}", rule.code);
    }
    assert_eq!(covered.len(), cases().len());
}

#[test]
fn a_fix_is_made_once_and_then_there_is_none() {
    use skill_core::diagnostic::apply_edits;
    for case in cases() {
        for input in &case.speaks {
            let found = input.found();
            let edits: Vec<_> = found
                .iter()
                .filter(|found| found.file == "SKILL.md")
                .filter_map(|found| found.edit.as_ref())
                .collect();
            let (after, made) = apply_edits(&input.files[0].2, edits);
            if made == 0 {
                continue;
            }
            let mut fixed = Input { folder: input.folder, strict: input.strict, files: input.files.clone() };
            fixed.files[0].2 = after;
            let left: Vec<Diagnostic> =
                fixed.found().into_iter().filter(|found| found.edit.is_some()).collect();
            assert!(left.is_empty(), "{}\n{}\n{left:#?}", case.code, fixed.text());
        }
    }
}
