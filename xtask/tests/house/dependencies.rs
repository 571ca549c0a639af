//! Which crate may use which, how many packages there are, and under which licences.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::sources;

const PACKAGES: usize = 460;

/// Normal and build edges between our crates; dev edges may add what tests need.
const EDGES: &[(&str, &[&str])] = &[
    ("skill-core", &[]),
    ("skill-bundle", &["skill-core"]),
    ("skill-trust", &["skill-core"]),
    ("skill-scan", &["skill-core", "skill-bundle"]),
    ("skill-runtime", &["skill-core", "skill-bundle", "skill-trust"]),
    ("skill-registry", &["skill-core", "skill-bundle", "skill-trust", "skill-scan", "skill-runtime"]),
    ("skill-cli", &["skill-core", "skill-bundle", "skill-trust", "skill-scan", "skill-runtime"]),
    ("xtask", &[]),
];

const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

fn metadata() -> Value {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--filter-platform=x86_64-unknown-linux-gnu"])
        .current_dir(sources::root())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn dependencies_point_one_way() {
    let metadata = metadata();
    let members: BTreeSet<&str> =
        metadata["workspace_members"].as_array().unwrap().iter().map(text).collect();
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    let ours: Vec<&Value> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| members.contains(text(&package["id"])))
        .collect();
    assert_eq!(ours.len(), EDGES.len(), "a crate without a row in EDGES");
    for package in &ours {
        let name = text(&package["name"]);
        for dependency in package["dependencies"].as_array().unwrap() {
            let target = text(&dependency["name"]);
            if !allowed.contains_key(target) {
                continue;
            }
            let ok = match dependency["kind"].as_str() {
                Some("dev") => {
                    (name, target) == ("skill-cli", "skill-registry") || allowed[name].contains(&target)
                }
                _ => allowed[name].contains(&target),
            };
            assert!(ok, "{name} may not depend on {target}");
        }
    }
}

/// Packages that are compiled into the programs on Linux, without what only tests need.
fn shipped(metadata: &Value) -> BTreeSet<&str> {
    let nodes: BTreeMap<&str, &Value> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| (text(&node["id"]), node))
        .collect();
    let mut queue: Vec<&str> = metadata["workspace_members"].as_array().unwrap().iter().map(text).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = queue.pop() {
        if !seen.insert(id) {
            continue;
        }
        for dependency in nodes[id]["deps"].as_array().unwrap() {
            let shipped =
                dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"] != "dev");
            if shipped {
                queue.push(text(&dependency["pkg"]));
            }
        }
    }
    seen
}

#[test]
fn the_number_of_packages_stays_within_budget() {
    let metadata = metadata();
    let count = shipped(&metadata).len();
    assert!((100..=PACKAGES).contains(&count), "{count} packages, the budget is {PACKAGES}");
}

#[test]
fn every_licence_is_on_the_list() {
    let metadata = metadata();
    let shipped = shipped(&metadata);
    let refused: Vec<String> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| shipped.contains(text(&package["id"])))
        .filter(|package| !is_allowed(package["license"].as_str().unwrap_or("none")))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// Reads the two forms that occur: `A OR B` needs one allowed, `A AND B` needs both.
fn is_allowed(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ").replace(" WITH LLVM-exception", "");
    plain.split(" AND ").all(|all| all.split(" OR ").any(|one| LICENCES.contains(&one.trim())))
}
