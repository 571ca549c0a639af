use serde::Serialize;
use serde_json::{Map, Value};

use crate::store::releases::Release;
use crate::web::badge::Badge;

/// Differences that are shown.
const SHOWN: usize = 100;
/// Values of a list that are shown, and characters of a value.
const ITEMS: usize = 30;
const CHARACTERS: usize = 300;
/// Characters of a long text that stay before its first difference.
const AROUND: usize = 40;

/// What changed apart from the text of files: every difference of the manifests, the verdict, the findings.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Matters {
    changes: Vec<Change>,
    more: usize,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Change {
    what: String,
    before: Shown,
    after: Shown,
}

/// One side of a change. Of two lists only what the other does not have.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Shown {
    values: Vec<String>,
    /// What stands beside them, in words.
    note: String,
}

/// Names of what readers know by another than its key.
const NAMES: [(&str, &str); 13] = [
    ("requires.bins", "Programs"),
    ("requires.anyBins", "One of the programs"),
    ("requires.env", "Variables"),
    ("requires.config", "Settings"),
    ("requires.tools", "Tools"),
    ("requires.skills", "Skills it requires"),
    ("allowedTools", "Tools without asking"),
    ("os", "Systems"),
    ("install", "How to get programs"),
    ("envVars", "Variables, described"),
    ("primaryEnv", "Main credential"),
    ("license", "Licence"),
    ("links", "Links"),
];

/// Everything in which two releases differ beside their files. It is empty only where the manifests are equal.
pub(super) fn matters(before: &Release, after: &Release) -> Matters {
    let mut matters = Matters::default();
    matters.compare("", Some(&before.manifest), Some(&after.manifest));
    for (what, one, other) in [
        (
            "Verdict",
            Badge::scanned(before.verdict).word.to_owned(),
            Badge::scanned(after.verdict).word.to_owned(),
        ),
        ("Findings", before.findings.len().to_string(), after.findings.len().to_string()),
    ] {
        if one != other {
            matters.add(what, Shown::value(Some(&one)), Shown::value(Some(&other)));
        }
    }
    matters
}

impl Matters {
    /// Compares what stands at a key, if anything does; maps key by key, all else as a whole.
    fn compare(&mut self, key: &str, before: Option<&Value>, after: Option<&Value>) {
        if before == after {
            return;
        }
        let map = |value: Option<&Value>| match value {
            Some(Value::Object(map)) => Some(map.clone()),
            None => Some(Map::new()),
            Some(_) => None,
        };
        let maps = map(before).zip(map(after)).filter(|(old, new)| !(old.is_empty() && new.is_empty()));
        let Some((old, new)) = maps else { return self.differ(key, before, after) };
        for (name, value) in &old {
            self.compare(&below(key, name), Some(value), new.get(name));
        }
        for (name, value) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
            self.compare(&below(key, name), None, Some(value));
        }
    }

    fn differ(&mut self, key: &str, before: Option<&Value>, after: Option<&Value>) {
        let list = |value: Option<&Value>| match value {
            Some(Value::Array(list)) => Some(list.clone()),
            None => Some(Vec::new()),
            Some(_) => None,
        };
        let lists = list(before).zip(list(after)).filter(|(old, new)| !(old.is_empty() && new.is_empty()));
        let (one, other) = match (lists, before, after) {
            (Some((old, new)), ..) => (Shown::list(&old, &new), Shown::list(&new, &old)),
            (None, Some(Value::String(old)), Some(Value::String(new))) => {
                (Shown::text(old, new), Shown::text(new, old))
            }
            _ => (Shown::value(before.map(text).as_deref()), Shown::value(after.map(text).as_deref())),
        };
        self.add(&name(key), one, other);
    }

    fn add(&mut self, what: &str, before: Shown, after: Shown) {
        if self.changes.len() < SHOWN {
            self.changes.push(Change { what: what.to_owned(), before, after });
        } else {
            self.more += 1;
        }
    }
}

impl Shown {
    fn value(text: Option<&str>) -> Self {
        Self { values: text.map(cut).into_iter().collect(), note: String::new() }
    }

    /// A text, from a little before the first character in which it differs from the other.
    fn text(text: &str, other: &str) -> Self {
        let same = text.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
        let from = if text.chars().count() > CHARACTERS { same.saturating_sub(AROUND) } else { 0 };
        let beginning = if from == 0 { "" } else { "…" };
        Self::value(Some(&(beginning.to_owned() + &text.chars().skip(from).collect::<String>())))
    }

    /// What a list has and the other has not.
    fn list(list: &[Value], other: &[Value]) -> Self {
        let mut rest: Vec<&Value> = other.iter().collect();
        let mut own = Vec::new();
        for value in list {
            match rest.iter().position(|one| *one == value) {
                Some(at) => drop(rest.swap_remove(at)),
                None => own.push(cut(&text(value))),
            }
        }
        let (both, more) = (list.len() - own.len(), own.len().saturating_sub(ITEMS));
        own.truncate(ITEMS);
        let mut notes = Vec::new();
        if more > 0 {
            notes.push(format!("{more} more"));
        }
        if both > 0 && own.is_empty() && rest.is_empty() {
            notes.push(format!("{both} in another order"));
        } else if both > 0 {
            notes.push(format!("{both} that both have"));
        }
        Self { values: own, note: notes.join(", ") }
    }
}

fn below(key: &str, name: &str) -> String {
    if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") }
}

/// The words for a key, or for the key above it with what follows.
fn name(key: &str) -> String {
    for (known, words) in NAMES {
        match key.strip_prefix(known) {
            Some("") => return words.to_owned(),
            Some(rest) if rest.starts_with('.') => return format!("{words}: {}", &rest[1..]),
            _ => {}
        }
    }
    key.to_owned()
}

/// A text as it is, anything else as JSON.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn compared(before: &Value, after: &Value) -> Matters {
        let mut matters = Matters::default();
        matters.compare("", Some(before), Some(after));
        matters
    }

    fn shown(before: &Value, after: &Value) -> String {
        let side = |shown: &Shown| {
            let values: Vec<String> = shown.values.iter().map(|value| format!("‹{value}›")).collect();
            let note = if shown.note.is_empty() { String::new() } else { format!("({})", shown.note) };
            values.into_iter().chain(Some(note).filter(|note| !note.is_empty())).collect::<Vec<_>>().join(" ")
        };
        let lines = compared(before, after).changes;
        let lines =
            lines.iter().map(|one| format!("{}: {} → {}", one.what, side(&one.before), side(&one.after)));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_kind_of_difference_is_shown() {
        let before = json!({
            "name": "x", "description": "d".repeat(500) + "old", "always": false, "license": "MIT",
            "requires": { "skills": {}, "bins": ["a", "b"], "env": ["a, b"] },
            "install": [{ "kind": "brew", "formula": "jq" }], "os": ["linux", "macos"],
        });
        let after = json!({
            "name": "y", "description": "d".repeat(500) + "new", "always": true,
            "requires": { "skills": { "@evil/loader": "*" }, "bins": ["b", "c"], "env": ["a", "b"] },
            "install": [{ "kind": "brew", "formula": "jqq" }], "os": ["macos", "linux"],
            "unknown": { "hooks": { "PreToolUse": [1, 2] } }, "primaryEnv": "KEY",
        });
        insta::assert_snapshot!(shown(&before, &after), @r#"
        name: ‹x› → ‹y›
        description: ‹…ddddddddddddddddddddddddddddddddddddddddold› → ‹…ddddddddddddddddddddddddddddddddddddddddnew›
        always: ‹false› → ‹true›
        Licence: ‹MIT› → 
        Skills it requires: @evil/loader:  → ‹*›
        Programs: ‹a› (1 that both have) → ‹c› (1 that both have)
        Variables: ‹a, b› → ‹a› ‹b›
        How to get programs: ‹{"kind":"brew","formula":"jq"}› → ‹{"kind":"brew","formula":"jqq"}›
        Systems: (2 in another order) → (2 in another order)
        unknown.hooks.PreToolUse:  → ‹1› ‹2›
        Main credential:  → ‹KEY›
        "#);
    }

    #[test]
    fn more_than_is_shown_is_counted() {
        let map: Map<String, Value> = (0..150).map(|n| (n.to_string(), json!(n))).collect();
        let matters = compared(&json!({}), &Value::Object(map));
        assert_eq!((matters.changes.len(), matters.more), (100, 50));
    }

    fn manifest() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            "[ab, ]{0,3}".prop_map(Value::from),
            (0..3_i32).prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[ab]", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// "The same" is said of equal manifests and of no others.
        #[test]
        fn only_equal_manifests_are_the_same(before in manifest(), after in manifest()) {
            let (before, after) = (json!({ "a": before }), json!({ "a": after }));
            prop_assert_eq!(compared(&before, &after).changes.is_empty(), before == after);
            prop_assert!(compared(&before, &before).changes.is_empty());
        }
    }
}
