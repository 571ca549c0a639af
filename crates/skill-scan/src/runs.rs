//! Which files of a skill its own commands give to an interpreter, whatever they are called.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};
use skill_bundle::Bundle;

use crate::language::Language;
use crate::ruleset::CACHE;
use crate::work::Work;

/// An interpreter; what it runs is looked for behind it.
#[expect(clippy::expect_used, reason = "the expressions are part of the program, and tests use them")]
static INTERPRETERS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    // `source` and `.` are words of prose too, unless a command begins with them.
    [
        r#"(?m-u)(?:^|[\s;&|(`"'/$])((?:ba|z|da|k|a)?sh|python[0-9.]*|node|perl|ruby)[ \t]"#,
        r"(?m-u)(?:^|[;&|(`])[ \t]*(source|\.)[ \t]",
    ]
    .map(|pattern| RegexBuilder::new(pattern).dfa_size_limit(CACHE).build().expect("the expression reads"))
});

/// A file that a shell gets in other ways: from a pipe, by `eval`, by its path alone.
#[expect(clippy::expect_used, reason = "the expressions are part of the program, and tests use them")]
static SHELLS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [
        r#"(?m-u)\bcat[ \t]+["']?([^\s"'|]{1,200})["']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?(?:ba|z|da|k)?sh\b"#,
        r#"(?m-u)\beval[ \t]+["']?\$\((?:cat[ \t]+|<[ \t]*)["']?([^\s"')]{1,200})"#,
        r"(?m-u)(?:^|[;&|`])[ \t]*\./([^\s;&|`]{1,200})",
    ]
    .map(|pattern| RegexBuilder::new(pattern).dfa_size_limit(CACHE).build().expect("the expression reads"))
});

/// How far behind an interpreter its file stands.
const LONGEST: usize = 200;

/// Files by their names without folders, and the language of what runs them.
#[derive(Debug, Default)]
pub(crate) struct Runs(BTreeMap<String, Language>);

impl Runs {
    pub(crate) fn of(bundle: &Bundle, work: &mut Work) -> Self {
        let names: BTreeSet<&str> = bundle.files().map(|(path, _)| last(path.as_str())).collect();
        // A file that says itself what runs it is run by that.
        let says: BTreeSet<&str> = bundle
            .files()
            .filter(|(_, file)| file.content().starts_with(b"#!"))
            .map(|(path, _)| last(path.as_str()))
            .collect();
        let mut runs = Self::default();
        for (_, file) in bundle.files() {
            let text = file.content();
            if !work.take(text.len()) {
                break;
            }
            for interpreter in INTERPRETERS.iter().flat_map(|regex| regex.captures_iter(text)) {
                let (Some(whole), Some(program)) = (interpreter.get(0), interpreter.get(1)) else { continue };
                let program = String::from_utf8_lossy(program.as_bytes());
                let language = Language::of_interpreter(if program == "." { "source" } else { &program });
                let after = &text[whole.end()..text.len().min(whole.end() + LONGEST)];
                runs.add(&names, &first_file(after), language);
            }
            for (form, shell) in SHELLS.iter().enumerate() {
                for found in shell.captures_iter(text) {
                    let name = found.get(1).map_or(&[][..], |name| name.as_bytes());
                    let name = String::from_utf8_lossy(name).into_owned();
                    let by_path = form == 2;
                    if !(by_path && says.contains(last(&name))) {
                        runs.add(&names, &name, Language::Shell);
                    }
                }
            }
        }
        runs
    }

    fn add(&mut self, names: &BTreeSet<&str>, path: &str, language: Language) {
        let name = last(path);
        if !names.contains(name) {
            return;
        }
        let known = self.0.entry(name.to_owned()).or_insert(language);
        if *known != language {
            *known = Language::Unknown;
        }
    }

    /// The language of what runs the file at `path`, if a command does.
    pub(crate) fn language(&self, path: &str) -> Option<Language> {
        self.0.get(last(path)).copied()
    }
}

/// The first word on the line that is no option.
fn first_file(after: &[u8]) -> String {
    let line = after.split(|&byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let mut words = line.split([' ', '\t']).map(|word| word.trim_start_matches('<'));
    let word = words.find(|word| !word.is_empty() && !word.starts_with('-')).unwrap_or_default();
    let word = word.trim_start_matches(['"', '\'', '`']);
    let end = word.find(['"', '\'', '`', ';', '&', '|', ')', ',', '>']).unwrap_or(word.len());
    word[..end].trim_end_matches(['.', ':']).to_owned()
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
