//! docs/LINT.md is made from the tables of rules.

use std::fmt::Write as _;
use std::path::Path;

use skill_core::diagnostic::Level;
use skill_core::lint::FAMILIES;

const BEGIN: &str =
    "<!-- made from the tables of rules from here on; `cargo test -p skill-core lint_page` says how -->\n";

fn rules() -> String {
    let mut text = String::new();
    for family in FAMILIES {
        let _ = write!(text, "\n## {}\n", family.title);
        for rule in family.rules {
            let level = match rule.level {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Note => "note",
            };
            let meaning = capital(rule.meaning);
            let _ = write!(
                text,
                "\n### `{}`\n\n{meaning} ({level}).\n\n- Why: {}\n- What to do: {}\n- Source: {}\n",
                rule.code, rule.why, rule.fix, rule.source
            );
        }
    }
    text
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[test]
fn docs_lint_md_is_what_the_tables_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/LINT.md");
    let now = fs_err::read_to_string(&path).unwrap();
    let (prose, _) = now.split_once(BEGIN).expect("docs/LINT.md keeps its marker");
    let should = format!("{prose}{BEGIN}{}", rules());
    if now != should {
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("LINT.md");
        fs_err::write(&made, &should).unwrap();
        panic!("docs/LINT.md is behind the tables; copy {} to it and read the difference", made.display());
    }
}
