use skill_core::manifest::Manifest;
use skill_scan::capabilities::{Capabilities, MOST_NAMES, capabilities};
use skill_scan::{RuleSet, scan};

use crate::world::bundle;

fn of(front: &str, body: &str, files: &[(&str, &[u8])]) -> Capabilities {
    let text = format!("---\nname: x\ndescription: Does x.\n{front}---\n{body}");
    let mut all = files.to_vec();
    all.push(("SKILL.md", text.as_bytes()));
    let bundle = bundle(&all);
    let (manifest, _) = Manifest::read(bundle.skill_md(), "x").unwrap();
    capabilities(&bundle, &manifest, &scan(&bundle, RuleSet::builtin()))
}

fn shown(all: &Capabilities) -> String {
    let rows = all.capabilities.iter().map(|one| {
        let declared = if one.declared { "declared" } else { "-" };
        let place = one.place.as_ref().map_or("nowhere".to_owned(), |at| format!("{}:{}", at.file, at.line));
        format!("{} {} {declared} {place} {}", one.kind, one.name, one.places)
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_declared_and_what_is_found() {
    let front = "capabilities: [network]\nmetadata:\n  openclaw:\n    requires:\n      bins: [gh, jq]\n      env: [API_KEY]\n";
    let body = "See https://example.com/docs.\n\n```bash\ngh pr list | jq .\n```\n";
    let script =
        b"#!/bin/sh\ncurl -H \"A: $API_KEY\" https://api.example.com/\ncrontab jobs.txt\ncurl https://api.example.com/b\n";
    let all = of(front, body, &[("scripts/run.sh", script)]);
    insta::assert_snapshot!(shown(&all), @r"
    host api.example.com declared scripts/run.sh:2 2
    program crontab - scripts/run.sh:3 1
    program curl - scripts/run.sh:2 2
    program gh declared SKILL.md:14 1
    program jq declared SKILL.md:14 1
    variable API_KEY declared scripts/run.sh:2 1
    persistence scheduled-job - scripts/run.sh:3 1
    ");
    let undeclared: Vec<_> = all.undeclared().map(|one| one.name.as_str()).collect();
    insta::assert_snapshot!(undeclared.join(" "), @"crontab curl scheduled-job");
    let unseen: Vec<_> = of(front, "", &[]).unseen().map(|one| one.name.clone()).collect();
    assert_eq!(unseen, ["gh", "jq", "API_KEY"]);
}

#[test]
fn prose_reaches_for_nothing() {
    let all = of("", "Run `curl https://example.com/` with $API_KEY in ~/x/y.\n", &[]);
    assert_eq!(all, Capabilities::default());
}

#[test]
fn many_names_are_counted() {
    let script: Vec<String> = (0..150).map(|n| format!("curl https://h{n}.example.com/")).collect();
    let script = script.join("\n");
    let all = of("", "", &[("a.sh", script.as_bytes())]);
    let hosts = all.capabilities.iter().filter(|one| one.name.ends_with("example.com")).count();
    assert_eq!((hosts, all.more), (MOST_NAMES, 50));
}

#[test]
fn what_configures_a_program_reaches_too() {
    let files: [(&str, &[u8]); 4] = [
        ("LICENSE", b"See https://license.example.com/.\n"),
        ("Makefile", b"go:\n\tcurl -s example.com/x -o y\n"),
        ("notes.txt", b"https://notes.example.com/\n"),
        ("package.json", b"{\"scripts\": {\"start\": \"node x https://api.example.com\"}}\n"),
    ];
    insta::assert_snapshot!(shown(&of("", "", &files)), @r"
    host api.example.com - package.json:1 1
    host example.com - Makefile:2 1
    program curl - Makefile:2 1
    ");
}

/// A page that warns of a job makes none.
#[test]
fn a_mention_outlives_nothing() {
    let all = of("", "Never run `crontab -`.\n", &[]);
    assert_eq!(all, Capabilities::default());
}
