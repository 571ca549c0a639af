use serde::Serialize;
use serde_json::Value;

use crate::store::releases::Release;
use crate::web::badge::Badge;

/// What changed apart from the text of files.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Change {
    what: &'static str,
    before: String,
    after: String,
}

/// Lists of a manifest that say what a skill may do.
const LISTS: [(&str, &str); 7] = [
    ("Programs", "/requires/bins"),
    ("One of the programs", "/requires/anyBins"),
    ("Variables", "/requires/env"),
    ("Settings", "/requires/config"),
    ("Tools", "/requires/tools"),
    ("Tools without asking", "/allowedTools"),
    ("Systems", "/os"),
];

/// What a reader of the text would miss: requirements, systems, tools, the verdict.
pub(super) fn matters(before: &Release, after: &Release) -> Vec<Change> {
    let mut changes: Vec<Change> = LISTS
        .into_iter()
        .map(|(what, pointer)| Change {
            what,
            before: list(&before.manifest, pointer),
            after: list(&after.manifest, pointer),
        })
        .collect();
    changes.push(Change {
        what: "Verdict",
        before: Badge::scanned(before.verdict).word.to_owned(),
        after: Badge::scanned(after.verdict).word.to_owned(),
    });
    changes.retain(|change| change.before != change.after);
    changes
}

fn list(manifest: &Value, pointer: &str) -> String {
    let list = manifest.pointer(pointer).and_then(Value::as_array);
    let names: Vec<&str> = list.into_iter().flatten().filter_map(Value::as_str).collect();
    names.join(", ")
}
