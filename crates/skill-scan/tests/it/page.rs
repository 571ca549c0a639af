//! docs/SCAN.md: its tables are the rules.

use std::fmt::Write as _;
use std::path::PathBuf;

use skill_scan::{About, RuleSet, Scope};

const BEGIN: &str = "<!-- made from the rules from here on; `cargo test -p skill-scan page` says how -->\n";

fn tables(rules: &RuleSet) -> String {
    let mut text = format!(
        "\nRules `{}`: {} in {} families.\n",
        rules.name(),
        rules.rules().count(),
        rules.families().len()
    );
    for family in rules.families() {
        let _ = write!(text, "\n## {}\n\n{}\n", family.title, family.summary.trim());
        for about in &family.rules {
            let About { id, message, why, advice, .. } = about;
            let message = message.replace("{into}", "an interpreter");
            let _ = write!(
                text,
                "\n### `{id}`\n\n{} · {} · {message}.\n{why}\n{advice}\n",
                weight(about),
                about.owasp.as_str()
            );
        }
    }
    text
}

fn weight(about: &About) -> String {
    let severity = about.severity.as_str();
    match (about.is_malicious(), about.verdict_in) {
        (false, _) => severity.to_owned(),
        (true, Scope::Everywhere) => format!("{severity}, malicious"),
        (true, Scope::Programs) => format!("{severity}, malicious in a program"),
        (true, Scope::Prose) => format!("{severity}, malicious in prose"),
    }
}

#[test]
fn docs_scan_md_is_what_the_rules_say() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("docs/SCAN.md");
    let now = fs_err::read_to_string(&path).unwrap();
    let (prose, _) = now.split_once(BEGIN).expect("docs/SCAN.md keeps its marker");
    let should = format!("{prose}{BEGIN}{}", tables(RuleSet::builtin()));
    if now != should {
        fs_err::create_dir_all(root.join("target")).unwrap();
        fs_err::write(root.join("target/SCAN.md"), &should).unwrap();
        panic!(
            "docs/SCAN.md is behind the rules; run `cp target/SCAN.md docs/SCAN.md` and read the difference"
        );
    }
}

/// The two examples of the page are what it says they are.
#[test]
fn the_waiver_of_the_page_works() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs_err::read_to_string(root.join("docs/SCAN.md")).unwrap();
    let (_, rest) = page.split_once("```python\n").expect("the page has an example");
    let (example, _) = rest.split_once("```").unwrap();
    let report = crate::world::scan(&[("a.py", example.as_bytes())]);
    let found: Vec<_> = report.findings.iter().map(crate::world::shown).collect();
    insta::assert_snapshot!(found.join("\n"), @r"
    info a.py:2 service-token
      a token of a service is among the files; waived in the file: revoked, the vector of a test
      ghp_ZY… (40 characters)
    ");
}
