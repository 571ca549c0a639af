//! The example skills are models: without a finding, with everything a model shows, and they run.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use skill_core::lint::{LintFile, LintInput, lint};
use skill_core::manifest::Manifest;

/// One release: its folder, the name that folder stands for, its files.
struct Example {
    name: String,
    folder: PathBuf,
    files: Vec<(String, bool, Vec<u8>)>,
}

impl Example {
    fn text(&self, path: &str) -> &str {
        let file = self.files.iter().find(|(name, ..)| name == path);
        str::from_utf8(&file.unwrap_or_else(|| panic!("{}: no {path}", self.folder.display())).2).unwrap()
    }
}

fn examples() -> Vec<Example> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/skills");
    let mut found = Vec::new();
    for skill in folders(&root) {
        let releases = if skill.join("SKILL.md").is_file() { vec![skill.clone()] } else { folders(&skill) };
        for folder in releases {
            let mut files = Vec::new();
            collect(&folder, &folder, &mut files);
            found.push(Example { name: name(&skill), folder, files });
        }
    }
    found
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, bool, Vec<u8>)>) {
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let inside = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            files.push((inside, is_executable(&path), fs_err::read(&path).unwrap()));
        }
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs_err::metadata(path).unwrap().permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    fs_err::read(path).unwrap().starts_with(b"#!")
}

#[test]
fn there_are_nine() {
    let mut names: Vec<String> = examples().into_iter().map(|example| example.name).collect();
    assert_eq!(names.iter().filter(|name| *name == "github").count(), 6);
    names.dedup();
    assert_eq!(names.len(), 9, "{names:?}");
}

#[test]
fn no_example_has_a_finding() {
    let mut said = Vec::new();
    for example in examples() {
        let files: Vec<LintFile<'_>> = example
            .files
            .iter()
            .map(|(path, executable, content)| LintFile { path, executable: *executable, content })
            .collect();
        for strict in [false, true] {
            let found = lint(&LintInput { folder: Some(&example.name), files: &files, strict });
            let at = example.folder.display();
            said.extend(found.iter().map(|found| {
                format!(
                    "{at}/{}:{}: {}: {}: {}",
                    found.file, found.line, found.code, found.message, found.excerpt
                )
            }));
        }
    }
    said.dedup();
    assert!(said.is_empty(), "{}", said.join("\n"));
}

#[test]
fn every_example_shows_what_a_model_shows() {
    for example in examples() {
        let at = example.folder.display();
        let (manifest, _) = Manifest::read(example.text("SKILL.md").as_bytes(), "").unwrap();
        assert!(manifest.when_to_use.is_some() && manifest.when_not_to_use.is_some(), "{at}");
        assert!(manifest.license.is_some() && manifest.compatibility.is_some(), "{at}");
        let inputs = manifest.input_parameters.unwrap_or_else(|| panic!("{at}: no input_parameters"));
        for parameter in &inputs.parameters {
            let complete = parameter.kind.is_some() && parameter.description.is_some();
            assert!(complete && !parameter.examples.is_empty(), "{at}: {}", parameter.name);
        }
        assert_eq!(manifest.unknown.len(), 0, "{at}: {:?}", manifest.unknown);
        for (path, executable, content) in &example.files {
            assert_eq!(*executable, content.starts_with(b"#!"), "{at}: {path}");
        }
    }
}

#[test]
fn every_step_names_its_tool_or_says_that_it_needs_none() {
    for example in examples() {
        let text = example.text("SKILL.md");
        let body = text.splitn(3, "---\n").nth(2).unwrap();
        let steps: Vec<&str> = body
            .split("\n## ")
            .filter(|part| part.starts_with("Steps") || part.starts_with("步骤"))
            .collect();
        assert!(!steps.is_empty(), "{}", example.folder.display());
        for step in steps.iter().flat_map(|part| numbered(part)) {
            let without = step.contains("tool call") || step.contains("不调用工具");
            assert!(step.contains('`') || without, "{}: {step}", example.folder.display());
        }
    }
}

/// The numbered items of a section, each with its wrapped lines.
fn numbered(section: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in section.lines() {
        if line.starts_with(|first: char| first.is_ascii_digit()) {
            items.push(line.to_owned());
        } else if let (true, Some(item)) = (line.starts_with("   "), items.last_mut()) {
            item.push_str(line);
        }
    }
    items
}

#[test]
fn cases_have_a_name_an_input_and_an_expectation() {
    const EXPECT: [&str; 8] =
        ["calls", "calls_again", "never_calls", "says", "says_file", "never_says", "asks", "loads"];
    for example in examples() {
        let at = example.folder.display();
        let cases: Vec<Value> = serde_saphyr::from_str(example.text("tests/cases.yaml")).unwrap();
        let refused = cases.iter().filter(|case| case["expect"]["loads"] == Value::Bool(false)).count();
        assert!(cases.len() >= 2 && refused >= 1, "{at}");
        for case in &cases {
            assert!(case["name"].is_string() && case["input"].is_object(), "{at}: {case}");
            let expect = case["expect"].as_object().unwrap_or_else(|| panic!("{at}: {case}"));
            assert!(
                !expect.is_empty() && expect.keys().all(|key| EXPECT.contains(&key.as_str())),
                "{at}: {case}"
            );
            for file in ["given_file", "says_file"]
                .iter()
                .filter_map(|key| case[key].as_str().or(expect.get(*key)?.as_str()))
            {
                example.text(file);
            }
        }
    }
}

#[test]
fn the_tests_of_the_scripts_pass() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: python3 is not installed");
        return;
    }
    let examples = examples();
    let tests: Vec<(&Path, &str)> = examples
        .iter()
        .flat_map(|example| example.files.iter().map(|(path, ..)| (example.folder.as_path(), path.as_str())))
        .filter(|(_, path)| path.starts_with("tests/test_"))
        .collect();
    assert_eq!(tests.len(), 12);
    std::thread::scope(|scope| {
        for (folder, path) in tests {
            scope.spawn(move || {
                let done = Command::new("python3").args(["-B", path]).current_dir(folder).output().unwrap();
                let said = String::from_utf8_lossy(&done.stderr);
                assert!(done.status.success(), "{}/{path}\n{said}", folder.display());
            });
        }
    });
}
