//! Generated YAML, read by us and by PyYAML: another parser by other people.

use std::io::Write as _;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use skill_core::frontmatter::Frontmatter;

/// Reads a JSON list of texts, writes a JSON list of what they hold; every scalar is a text, so that the
/// schemas of YAML 1.1 and 1.2 do not matter. `null` for what is no YAML map.
const PYTHON: &str = r"
import json, sys, yaml
def load(text):
    try:
        value = yaml.load('name: a\n' + text, Loader=yaml.BaseLoader)
        return value if isinstance(value, dict) and json.dumps(value) else None
    except Exception:
        return None
json.dump([load(text) for text in json.load(sys.stdin)], sys.stdout)
";

/// A scalar as it may be written, indented by two blanks where it goes on.
fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9天][a-zA-Z0-9天 .,/()+=~-]{0,20}[a-z]",
        "-?[0-9]{1,4}(\\.[0-9]{1,3})?",
        "'[a-z:#\\[\\] ,\"-]{0,12}('')?[a-z]'",
        "\"[a-z:#\\[\\] ,'-]{0,12}(\\\\n|\\\\t|\\\\u00e9|\\\\\\\\|\\\\\")?[a-z]\"",
        "[a-z]{2,6}\n    [a-z]{2,6} [a-z]{1,3}",
        "\"[a-z]{1,6}\n\n    [a-z]{1,6}\"",
        Just("true".to_owned()),
        Just("~".to_owned()),
        Just("yes".to_owned()),
        Just(String::new()),
    ]
}

fn flow() -> impl Strategy<Value = String> {
    let one = prop_oneof!["[a-z0-9.]{1,8}", "'[a-z:, ]{1,8}'", "\"[a-z:\\]}]{1,6}\""];
    one.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(("[a-z]{1,5}", inner), 0..4).prop_map(|pairs| {
                let pairs: Vec<String> =
                    pairs.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
                format!("{{{}}}", pairs.join(", "))
            }),
        ]
    })
}

/// The value of a top-level key, from behind its colon on.
fn value() -> impl Strategy<Value = String> {
    let item = prop_oneof![scalar(), flow()];
    prop_oneof![
        scalar().prop_map(|text| format!(" {text}")),
        flow().prop_map(|text| format!(" {text}")),
        ("[|>][+-]?", prop::collection::vec(" {0,2}[a-z#:'\\[-][a-z: #-]{0,12}[a-z]|", 1..5)).prop_map(
            |(mark, lines)| {
                let first = lines[0].trim_start().to_owned();
                let lines: Vec<String> = lines[1..].iter().map(|line| format!("  {line}")).collect();
                format!(" {mark}\n  x{first}\n{}", lines.join("\n"))
            }
        ),
        ("( {0,2})", prop::collection::vec(item.clone(), 1..4)).prop_map(|(before, items)| {
            items.iter().map(|item| format!("\n{before}- {item}")).collect::<Vec<_>>().concat()
        }),
        prop::collection::vec(("[a-z]{1,6}", item), 1..4).prop_map(|pairs| pairs
            .iter()
            .map(|(key, value)| format!("\n  {key}: {value}"))
            .collect::<Vec<_>>()
            .concat()),
        (scalar(), scalar()).prop_map(|(one, other)| format!(" &x {one}\nused: *x\nlist:\n- *x\n- {other}")),
    ]
}

fn document() -> impl Strategy<Value = String> {
    let line =
        ("[a-z]{1,6}|'[a-z ]{1,5}'|\"[a-z]:\"", value(), prop_oneof![Just(""), Just("\n# note"), Just("\n")]);
    prop::collection::vec(line, 1..6).prop_map(|pairs| {
        pairs.iter().map(|(key, value, after)| format!("{key}:{value}{after}\n")).collect::<Vec<_>>().concat()
    })
}

/// Whether our value is PyYAML's text, typed.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| same(ours, theirs))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(ours, theirs)| ours.0 == theirs.0 && same(ours.1, theirs.1))
        }
        (Value::String(ours), Value::String(theirs)) => ours == theirs,
        (Value::Null, Value::String(text)) => matches!(&**text, "" | "~" | "null"),
        (Value::Bool(ours), Value::String(text)) => ours.to_string() == *text,
        (Value::Number(ours), Value::String(text)) => ours.as_f64() == text.parse().ok(),
        _ => false,
    }
}

#[test]
fn two_thousand_documents_read_as_pyyaml_reads_them() {
    let known = Command::new("python3").args(["-c", "import yaml"]).output();
    if !known.is_ok_and(|done| done.status.success()) {
        #[expect(
            clippy::disallowed_methods,
            reason = "tests are told by the environment what has to be at hand"
        )]
        let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        assert!(!in_ci, "in CI nothing may be skipped: python3 with PyYAML is not installed");
        eprintln!("not run: python3 with PyYAML is not installed");
        return;
    }
    let mut runner = TestRunner::deterministic();
    let strategy = document();
    let texts: Vec<String> = (0..2000).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect();
    let mut python = Command::new("python3")
        .args(["-c", PYTHON])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(&serde_json::to_vec(&texts).unwrap()).unwrap();
    let read: Vec<Option<Value>> =
        serde_json::from_slice(&python.wait_with_output().unwrap().stdout).unwrap();
    let mut compared = 0;
    for (text, theirs) in texts.iter().zip(&read).filter_map(|(text, theirs)| Some((text, theirs.as_ref()?)))
    {
        let ours = Frontmatter::read(format!("---\nname: a\n{text}---\n").as_bytes()).unwrap();
        let repaired = ours.diagnostics.iter().find(|found| found.edit.is_some());
        assert_eq!(repaired, None, "{text}");
        assert!(same(&Value::Object(ours.fields.clone()), theirs), "{text}\n{:?}\n{theirs}", ours.fields);
        compared += 1;
    }
    assert!(compared > 1500, "only {compared} of 2000 are YAML to PyYAML");
}
