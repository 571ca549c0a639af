//! What holds for every text.

use proptest::prelude::*;
use serde_json::{Map, Value};
use skill_core::frontmatter::Frontmatter;

use super::{fixed, fixed_to_the_end};

/// Lines that are wrong in the ways people are.
fn lines() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[a-z]{1,4}: [a-z天:#\"'`@>|{}\\[\\]&*!% -]{0,20}",
        "[ \t]{0,3}[a-z-]{0,5}:?[ a-z]{0,8}",
        Just("---".to_owned()),
        Just("metadata: {\"a\": 1,}".to_owned()),
        Just("name: a".to_owned()),
        "\\PC{0,12}",
        "[ \u{A0}\u{200B}]{0,2}[a-z]{1,3}[:：] ?[a-z]{0,4}",
        "[ ]{0,4}- [a-z\"']{0,4}(: )?[a-z\"']{0,4}",
        "(name|description)[:：][ a-z:]{0,8}",
        "[a-z]{1,3}: [|>][+-]?",
        "[a-z]{1,3}: [\"'{\\[][a-z:, ]{0,6}[\"'}\\]]? ?(# ?[a-z])?",
        prop_oneof![
            Just("----"),
            Just("—"),
            Just("..."),
            Just(" ---"),
            Just("}"),
            Just("<<: *a"),
            Just("b: &a c")
        ]
        .prop_map(str::to_owned),
    ];
    (prop::collection::vec(line, 0..12), prop_oneof![Just("\n"), Just("\r\n"), Just("\r")])
        .prop_map(|(lines, end)| format!("---{end}{}{end}---{end}body", lines.join(end)))
}

/// The lines of a text, whatever ends them.
fn split(text: &str) -> Vec<String> {
    text.replace("\r\n", "\n").replace('\r', "\n").split('\n').map(str::to_owned).collect()
}

/// Sound fields of every kind, by key.
const SOUND: [(&str, &str); 13] = [
    ("license", "license: MIT"),
    ("version", "version: 1.10"),
    ("quoted", "quoted: \"one: two\\n # three\""),
    ("single", "single: 'it''s: #1'"),
    ("wrapped", "wrapped: \"first\nnote: second\""),
    ("literal", "literal: |\n  a: b\n  - c\n\n  # d"),
    ("kept", "kept: |+\n  a\n\n"),
    ("folded", "folded: >-\n  x: y\n  z"),
    ("flow", "flow: {a: [1, 'b: c'], d: ~}"),
    ("opened", "opened: {\ninner: x,\n\"other\": [y]\n}"),
    ("list", "list:\n- a: 1\n  b: yes\n- 'c'"),
    ("map", "map:\n  k: v\n  l: [m]\n  # comment\n  n: &n 007"),
    ("base", "base: &base {a: 1}\nmerged:\n  <<: *base\n  c: *base"),
];

/// Fields that break the whole for every YAML reader.
const BROKEN: [&str; 14] = [
    "description: use it: always",
    "description: `x` first",
    "description: \"a\" or b",
    "description: 'never closed",
    "description: [x] y",
    "description: text\nthat goes on: here",
    "description: >\nnot indented",
    "description: *strong* words",
    "description:\n\t- tab",
    "description: @me",
    "description: \"C:\\Users\"",
    "description:reads: all",
    "tags:\n  - a\n - b",
    "meta:\n  GitHub:me\n  k: v",
];

/// Sound values below one key, and what a reader of YAML gets of each.
const INSIDE: [(&str, &str, &str); 12] = [
    ("usage", "|\n    all:\n    \tmake\n", r#""all:\n\tmake\n""#),
    ("steps", "|-\n    1. pack:\n      - a\n     b", r#""1. pack:\n  - a\n b""#),
    ("wide", ">-\n    一\n    \u{3000}二：三", r#""一 　二：三""#),
    ("marked", "|1-\n     x: y", r#""  x: y""#),
    ("quoted", "\"one: two\\n # three\"", r#""one: two\n # three""#),
    ("over", "'one\n    \ttwo'", r#""one two""#),
    ("flow", "{a: [1, 'b: c'], d: ~}", r#"{"a":[1,"b: c"],"d":null}"#),
    ("list", "\n    - a: 1\n      b: |\n        \tc: d\n    - x", r#"[{"a":1,"b":"\tc: d\n"},"x"]"#),
    ("map", "\n    k:\n      l: m", r#"{"k":{"l":"m"}}"#),
    ("url", "https://box.example/a?b=c:d", r#""https://box.example/a?b=c:d""#),
    ("number", "1.5", "1.5"),
    ("none", "", "null"),
];

/// Broken values beside them, and what their author meant.
const BESIDE: [(&str, &str); 8] = [
    ("note: x: y", "x: y"),
    ("note: @me", "@me"),
    ("note: `make`", "`make`"),
    ("note: \"a\" or b", "\"a\" or b"),
    ("note: 'it's'", "it's"),
    ("note: [a] b", "[a] b"),
    ("note: *all*", "*all*"),
    ("note: 100%: all", "100%: all"),
];

/// What a frontmatter of some entries gives for some keys.
fn read_fields(entries: &[&str]) -> Map<String, Value> {
    let text = format!("---\nname: a\n{}\n---\nbody\n", entries.join("\n"));
    Frontmatter::read(text.as_bytes()).unwrap().fields
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Frontmatter::read(&bytes);
    }

    #[test]
    fn what_the_fuzzer_checks_holds(text in lines()) {
        crate::fuzz_seeds::frontmatter::check(text.as_bytes());
    }

    #[test]
    fn findings_point_into_the_file(text in lines()) {
        if let Ok(read) = Frontmatter::read(text.as_bytes()) {
            let all = split(&text);
            for found in &read.diagnostics {
                let line = &all[found.line as usize - 1];
                prop_assert_eq!(line, &found.excerpt);
                prop_assert!(found.column as usize <= line.chars().count() + 1, "{:?}", found);
            }
            prop_assert!(read.body_start <= text.len());
        }
    }

    #[test]
    fn what_fix_writes_reads_as_what_was_read(text in lines()) {
        if let Ok(before) = Frontmatter::read(text.as_bytes()) {
            let fixed = fixed_to_the_end(&text);
            let after = Frontmatter::read(fixed.as_bytes());
            prop_assert!(after.is_ok(), "{fixed:?}\n{after:?}");
            let after = after.unwrap();
            prop_assert!(after.diagnostics.iter().all(|found| found.edit.is_none()), "{fixed:?}\n{after:?}");
            let scanned = before.diagnostics.iter().any(|found| found.code == "frontmatter-scanned");
            if !scanned {
                prop_assert_eq!(before.fields, after.fields);
            }
        }
    }

    #[test]
    fn sound_fields_are_read_as_if_nothing_were_broken(
        sound in prop::sample::subsequence(SOUND.to_vec(), 0..=SOUND.len()).prop_shuffle(),
        broken in prop::sample::subsequence(BROKEN.to_vec(), 1..=2),
        place in any::<prop::sample::Index>(),
    ) {
        let entries: Vec<&str> = sound.iter().map(|(_, text)| *text).collect();
        let wanted = read_fields(&entries);
        let mut with = entries.clone();
        with.splice(place.index(entries.len() + 1).., broken.iter().copied().chain(entries[place.index(entries.len() + 1)..].iter().copied()));
        let got = read_fields(&with);
        for (key, value) in &wanted {
            prop_assert_eq!(Some(value), got.get(key), "{} of {:?}", key, with);
        }
    }

    #[test]
    fn sound_values_beside_a_broken_one_are_what_they_were(
        sound in prop::sample::subsequence(INSIDE.to_vec(), 0..=INSIDE.len()).prop_shuffle(),
        (broken, meant) in prop::sample::select(BESIDE.to_vec()),
        place in any::<prop::sample::Index>(),
    ) {
        let mut lines: Vec<String> = sound.iter().map(|(key, text, _)| format!("  {key}: {text}")).collect();
        lines.insert(place.index(lines.len() + 1), format!("  {broken}"));
        let mut wanted: Map<String, Value> = sound
            .iter()
            .map(|(key, _, value)| ((*key).to_owned(), serde_json::from_str(value).unwrap()))
            .collect();
        wanted.insert("note".to_owned(), meant.into());
        let text = format!("---\nname: a\nmetadata:\n{}\n---\nbody\n", lines.join("\n"));
        let read = Frontmatter::read(text.as_bytes()).unwrap();
        prop_assert_eq!(&read.fields["metadata"], &Value::Object(wanted), "{}", text);
        prop_assert_eq!(read.diagnostics.len(), 1, "{}\n{:?}", text, read.diagnostics);
        let after = fixed(&text);
        prop_assert_eq!(after.lines().count(), text.lines().count());
        let changed = text.lines().zip(after.lines()).filter(|(before, after)| before != after).count();
        prop_assert_eq!(changed, 1, "{}", after);
    }

    #[test]
    fn bytes_before_and_after_do_not_matter(text in lines(), mark in 0..3_usize, blank in 0..3_usize) {
        let before = "\u{FEFF}".repeat(mark) + &"\n".repeat(blank);
        let (one, other) = (Frontmatter::read(text.as_bytes()), Frontmatter::read((before.clone() + &text).as_bytes()));
        match (one, other) {
            (Ok(one), Ok(other)) if one.present => {
                prop_assert_eq!(one.fields, other.fields);
                prop_assert_eq!(one.body_start + before.len(), other.body_start);
            }
            (one, other) => prop_assert_eq!(one.is_ok(), other.is_ok()),
        }
    }
}
