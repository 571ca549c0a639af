//! Texts made to take time or memory: each is refused with the limit it passes, or read within it.

use skill_core::diagnostic::Diagnostic;
use skill_core::frontmatter::{Frontmatter, FrontmatterError};
use skill_core::manifest::Manifest;

fn limit(text: &str) -> &'static str {
    match Frontmatter::read(text.as_bytes()) {
        Err(FrontmatterError::Limit { limit, .. }) => limit,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was read"),
    }
}

#[test]
fn attack_alias_bomb() {
    let mut text = "---\nname: a\nl0: &l0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let before = level - 1;
        let aliases = vec![format!("*l{before}"); 9].join(", ");
        text.extend(format!("l{level}: &l{level} [{aliases}]\n").chars());
    }
    assert_eq!(limit(&(text + "---\n")), "aliases");
}

#[test]
fn attack_one_long_text_many_aliases() {
    let text =
        format!("---\nname: a\nx: &x {}\ny: [{}]\n---\n", "z".repeat(100_000), vec!["*x"; 150].join(", "));
    assert_eq!(limit(&text), "bytes of text");
}

#[test]
fn attack_deep_nesting() {
    let text = format!("---\nname: a\nx: {}\n---\n", "[".repeat(100_000));
    assert_eq!(limit(&text), "depth of nesting");
}

#[test]
fn attack_endless_frontmatter() {
    assert_eq!(limit(&format!("---\nname: a\n{}", "k: v\n".repeat(80_000))), "262144 bytes");
}

/// The limit holds for where a line ends, not for where it begins.
#[test]
fn attack_one_line_without_end() {
    let read = |before: &str, sign: &str, bytes: usize| {
        let long = sign.repeat(bytes / sign.len());
        match Frontmatter::read(format!("---\nname: a\nd: b: c\n{before}{long}").as_bytes()) {
            Err(error) => assert_eq!(error.to_string(), "the frontmatter passes a limit: 262144 bytes"),
            // A line of text, which ends the fields.
            Ok(read) => assert!(read.body_line <= 5, "{before:?} {sign:?}"),
        }
    };
    for sign in ["&", "a", " ", "-", "[", ": ", "\u{3000}"] {
        for before in ["x: ", "x: a: ", "x: [", "", "description: ", "\n"] {
            read(before, sign, 1 << 20);
        }
        read("x: \"", sign, 10 << 20);
    }
    let text = format!("---\nname: a\nx: {}\n---\n", "y".repeat(300_000));
    assert_eq!(limit(&text), "262144 bytes");
}

#[test]
fn attack_anchors_that_are_none() {
    for sign in ["&", "&a&", " &", "\":&", "&&&& "] {
        for end in ["", "\n---\n"] {
            let text = format!("---\nname: a\nd: b: c\nx: \"{}{end}", sign.repeat(250_000 / sign.len()));
            let read = Frontmatter::read(text.as_bytes()).unwrap();
            assert_eq!(read.fields["d"], "b: c", "{sign:?}");
        }
    }
}

/// An entry of many lines, none of which can be repaired: the work is spent once, and that ends it.
#[test]
fn attack_a_trouble_below_many_lines() {
    for item in [" - b\n", " - k: b\n", "  k: b\n", " b:c\n"] {
        let text = format!("---\nname: a\ndescription: a\n{} x: y\n---\n", item.repeat(240_000 / item.len()));
        match Frontmatter::read(text.as_bytes()) {
            Ok(read) => assert_eq!(read.fields["name"], "a"),
            Err(error) => {
                assert_eq!(error.to_string(), "the frontmatter passes a limit: work of repairing it");
            }
        }
    }
    let text = format!("---\nname: a\ndescription:\n{} - `x`\n c\n---\n", " - b\n".repeat(40_000));
    assert!(matches!(limit(&text), "work of repairing it" | "number of values"));
}

/// JSON5 keeps the limits of YAML, wherever it stands.
#[test]
fn attack_json5_beyond_the_limits() {
    let deep = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    let many = format!("[{}]", "1,".repeat(11_000));
    for (value, wanted) in [(&deep, "depth of nesting"), (&many, "number of values")] {
        // The comment makes it JSON5 and no YAML.
        for text in [
            format!("---\n{{name: 'a', // x: [\n\"k\": {value}}}\n---\n"),
            format!("---\nname: a\nmetadata: {{\n'k': {value}, // x: [\n}}\n---\n"),
        ] {
            assert_eq!(limit(&text), wanted, "{text:.60}");
        }
        // A text that holds JSON is no map then.
        let text = format!("---\nname: a\ndescription: b\nmetadata: '{{\"k\": {value}}}'\n---\n");
        let text = text.replace(",]", "]");
        let (manifest, found) = Manifest::read(text.as_bytes(), "a").unwrap();
        assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), ["frontmatter-type"]);
        assert!(manifest.unknown["metadata"].is_string());
    }
}

/// An alias brings its depth along: lists in lists that no line spells.
#[test]
fn attack_depth_by_aliases() {
    let level = |inner: &str| format!("{}{inner}{}", "[".repeat(25), "]".repeat(25));
    let text = format!("---\nname: a\na: &a {}\nb: {}\n---\n", level("x"), level("*a"));
    assert_eq!(limit(&text), "depth of nesting");
}

#[test]
fn attack_keys_without_number() {
    assert_eq!(limit(&format!("---\nname: a: b\n{}---\n", "k: v\n".repeat(40_000))), "number of values");
    assert_eq!(limit(&format!("---\nname: a\n{}---\n", "k: v\n".repeat(40_000))), "number of values");
}

#[test]
fn attack_every_line_is_broken() {
    let text = format!("---\nname: a\nx:\n{}---\n", "  k: a: b\n".repeat(20_000));
    match Frontmatter::read(text.as_bytes()) {
        Ok(read) => assert_eq!(read.fields["name"], "a"),
        Err(error) => assert_eq!(error.to_string(), "the frontmatter passes a limit: work of repairing it"),
    }
}

#[test]
fn attack_anchors_inside_of_anchors() {
    let nested = (0..31).map(|level| format!("&a{level} [")).collect::<Vec<_>>().concat();
    let text = format!("---\nname: a\nx: {nested}{}{}\n---\n", "z, ".repeat(2000), "]".repeat(31));
    assert_eq!(limit(&text), "anchors");
}

#[test]
fn attack_merges_of_merges() {
    let mut text = "---\nname: a\nl0: &l0 {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8}\n".to_owned();
    for level in 1..150 {
        text.extend(format!("l{level}: &l{level} {{<<: *l{}, k{level}: 1}}\n", level - 1).chars());
    }
    assert_eq!(limit(&(text + "---\n")), "aliases");
}

#[test]
fn attack_aliases_in_every_entry_of_a_broken_file() {
    let entry = format!(": [&a [{}], {}]\n", vec!["x"; 50].join(","), vec!["*a"; 50].join(","));
    let entries: Vec<String> = (0..900).map(|key| format!("k{key}{entry}")).collect();
    let text = format!("---\nname: a: b\n{}---\n", entries.concat());
    assert!(text.len() < 262_144);
    assert_eq!(limit(&text), "number of values");
}

#[test]
fn attack_an_alias_inside_of_its_anchor() {
    let read = Frontmatter::read(b"---\nname: a\nx: &x [*x]\n---\n").unwrap();
    assert_eq!(read.fields["x"], "&x [*x]");
    assert_eq!(read.diagnostics[0].code, "frontmatter-quoted");
}

/// The bytes that findings hold.
fn weight(found: &[Diagnostic]) -> usize {
    let one = |found: &Diagnostic| {
        found.message.len() + found.excerpt.len() + found.fix.as_ref().map_or(0, String::len)
    };
    found.iter().map(one).sum()
}

#[test]
fn attack_a_thousand_findings_on_one_long_line() {
    let padding = format!("'{}'", "z".repeat(150_000));
    for item in ["a: 1", "!a x: y", "x: !a y"] {
        let text = format!("---\nname: a\nx: {{p: {padding}, {} }}\n---\n", vec![item; 4000].join(", "));
        let read = Frontmatter::read(text.as_bytes()).unwrap();
        assert!(weight(&read.diagnostics) < 10_000, "{item}: {}", weight(&read.diagnostics));
    }
    let keys: Vec<String> = (0..4000).map(|key| format!("k{key}: 1")).collect();
    let text = format!("---\n{{name: a, p: {padding}, {} }}\n---\n", keys.join(", "));
    let (_, found) = Manifest::read(text.as_bytes(), "a").unwrap();
    assert!(weight(&found) < 200_000, "{}", weight(&found));
}

/// A megabyte of every sign that begins something, closed or not: read or refused, and what comes out is no
/// more than a few times what is looked at.
#[test]
fn attack_a_megabyte_of_one_sign() {
    const SIGNS: [&str; 26] = [
        "[",
        "{",
        "- ",
        "? ",
        ": ",
        "\"",
        "'",
        "&",
        " &",
        "&a ",
        "*a ",
        "!a ",
        "!!",
        "%",
        "@",
        "`",
        "| ",
        "> ",
        "#",
        "\t",
        "\u{A0}",
        "a: ",
        "a: [\n",
        "a: \"\n",
        "---\n",
        "x: >\ny\n",
    ];
    for sign in SIGNS {
        let text = format!("---\nname: a\n{}\n---\n", sign.repeat((1 << 20) / sign.len()));
        match Frontmatter::read(text.as_bytes()) {
            // Closed or cut off by its first lines.
            Ok(read) => assert!(read.body_line < 100, "{sign:?}"),
            Err(error) => assert_eq!(error.to_string(), "the frontmatter passes a limit: 262144 bytes"),
        }
        for before in ["", "x: ", "x:\n  ", "x: {", "x: [", "x: \"", "x: |\n"] {
            let text = format!("---\nname: a\n{before}{}\n---\n", sign.repeat(4000 / sign.len()));
            match Frontmatter::read(text.as_bytes()) {
                Ok(read) => {
                    let out = serde_json::to_string(&read.fields).unwrap().len() + weight(&read.diagnostics);
                    assert!(out < 40 * text.len(), "{before:?} {sign:?}: {out}");
                }
                Err(FrontmatterError::Limit { .. } | FrontmatterError::Yaml { .. }) => {}
                Err(other) => panic!("{before:?} {sign:?}: {other}"),
            }
        }
    }
}

#[test]
fn attack_a_body_without_end_is_not_looked_at() {
    let text = format!("---\nname: a\n---\n{}", "- ? [ { \" '\n".repeat(100_000));
    let read = Frontmatter::read(text.as_bytes()).unwrap();
    assert_eq!((read.body_line, read.diagnostics.len()), (4, 0));
}
