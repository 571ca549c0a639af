//! The public bug reports on frontmatter, metadata and names that reading alone decides, by their numbers.

use skill_core::diagnostic::rule;
use skill_core::frontmatter::{Frontmatter, FrontmatterError};
use skill_core::lint::{LintFile, LintInput, lint};
use skill_core::manifest::Manifest;

use super::read;

/// Code, line, column and fix of every finding of `skill lint` in a file, one a line.
fn linted(path: &str, text: &str, strict: bool) -> Vec<String> {
    let files = [LintFile { path, executable: false, content: text.as_bytes() }];
    let found = lint(&LintInput { folder: Some("a"), files: &files, strict });
    found
        .iter()
        .map(|found| format!("{}:{} {:?} {}", found.line, found.column, found.severity, found.code))
        .collect()
}

fn has(found: &[String], wanted: &str) -> bool {
    found.iter().any(|found| found == wanted)
}

/// Case 1: `word: word` in a plain description is read, named with line, column and fix, and an error only when
/// strict.
#[test]
fn case_1_a_colon_in_a_description() {
    let text = "---\nname: a\ndescription: Sets up the box: hooks, tools\n---\nhi";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"Sets up the box: hooks, tools"} body:5
    SKILL.md:3:29: frontmatter-quoted: a colon inside plain text
      fix: description: "Sets up the box: hooks, tools"
    "#);
    assert!(has(&linted("SKILL.md", text, false), "3:29 Warning frontmatter-quoted"));
    assert!(has(&linted("SKILL.md", text, true), "3:29 Error frontmatter-quoted"));
}

/// Case 4: a byte-order mark is read over, named, and stays in the bytes.
#[test]
fn case_4_a_byte_order_mark() {
    let text = "\u{FEFF}---\nname: a\ndescription: b\n---\nhi";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"b"} body:5
    SKILL.md:1:1: frontmatter-bom: a byte-order mark before the text
    "#);
    let read = Frontmatter::read(text.as_bytes()).unwrap();
    assert_eq!(read.body(text.as_bytes()), "hi");
}

/// Case 6: blank lines before the fence are a warning, other text an error with its position.
#[test]
fn case_6_blank_lines_and_text_before_the_fence() {
    insta::assert_snapshot!(read("\n---\nname: a\n---\n"), @r#"
    {"name":"a"} body:5
    SKILL.md:1:1: frontmatter-blank-before: a blank line before the opening ---
    "#);
    for before in ["<!-- x -->\n", "# Title\n\n", "text\n", "```yaml\n"] {
        let error = Frontmatter::read(format!("{before}---\nname: a\n---\n").as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "text before the opening ---, line 1");
        let found = error.diagnostic();
        assert_eq!(
            (found.line, found.column, found.excerpt.as_str()),
            (1, 1, before.lines().next().unwrap())
        );
        assert!(found.fix.unwrap().starts_with("begin the file with ---"));
    }
}

/// Case 7: UTF-16 and UTF-32, with and without a mark, are named, and how to make UTF-8 of them.
#[test]
fn case_7_other_encodings() {
    let text = "---\nname: a\ndescription: b\n---\n";
    let wide = |order: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
        format!("{mark}{text}").encode_utf16().flat_map(order).collect()
    };
    let wider = |order: fn(u32) -> [u8; 4], mark: &str| -> Vec<u8> {
        format!("{mark}{text}").chars().flat_map(|c| order(c as u32)).collect()
    };
    for mark in ["\u{FEFF}", ""] {
        for (bytes, name) in [
            (wide(u16::to_le_bytes, mark), "UTF-16LE"),
            (wide(u16::to_be_bytes, mark), "UTF-16BE"),
            (wider(u32::to_le_bytes, mark), "UTF-32LE"),
            (wider(u32::to_be_bytes, mark), "UTF-32BE"),
        ] {
            let error = Frontmatter::read(&bytes).unwrap_err();
            assert_eq!(error.code(), "frontmatter-encoding");
            assert_eq!(error.to_string(), format!("not UTF-8 (looks like {name})"));
            assert_eq!(
                error.way_out(),
                format!("save it as UTF-8, for example with `iconv -f {name} -t UTF-8 SKILL.md`")
            );
        }
    }
    let error = Frontmatter::read(b"---\nname: a\ndescription: caf\xE9\n---\n").unwrap_err();
    let FrontmatterError::Encoding { looks_like, line, column } = error else { panic!("{error}") };
    assert_eq!((looks_like, line, column), ("Latin-1", 3, 17));
}

/// Case 9: keys that other clients know are kept and named by lint as theirs, near misses with what was meant; strict
/// makes them errors.
#[test]
fn case_9_keys_of_other_clients() {
    let text = "---\nname: a\ndescription: b\nversion: 1.2.0\nuser-invocable: true\nargument-hint: x\ndescriptoin: y\n---\n";
    let (manifest, found) = Manifest::read(text.as_bytes(), "a").unwrap();
    let said: Vec<_> = found.iter().map(|found| (found.line, found.code, found.fix.as_deref())).collect();
    assert_eq!(said, [(7, "frontmatter-unknown-key", Some("description"))]);
    assert_eq!(manifest.version.as_deref(), Some("1.2.0"));
    assert_eq!(
        serde_json::to_string(&manifest.unknown).unwrap(),
        r#"{"argument-hint":"x","descriptoin":"y"}"#
    );
    assert!(!linted("SKILL.md", text, false).iter().any(|found| found.contains("Error")));
    assert!(
        linted("SKILL.md", text, true).iter().any(|found| found.starts_with("7:") && found.contains("Error"))
    );
}

/// Case 10: the missing blank is named with its line; the rest stays usable.
#[test]
fn case_10_no_blank_after_a_colon() {
    insta::assert_snapshot!(read("---\nname: a\ndescription: b\nmetadata:\n  GitHub:me\n  author: you\n---\n"), @r#"
    {"name":"a","description":"b","metadata":{"GitHub":"me","author":"you"}} body:8
    SKILL.md:5:9: frontmatter-colon: no blank after the colon
      fix:   GitHub: me
    "#);
}

/// Case 12: requirements are read from every block name and from the top level. That the registry's record says
/// the same is tested where it is served.
#[test]
fn case_12_requirements_from_every_place() {
    let requires = "requires: {env: [A_KEY], bins: [curl], anyBins: [jq, gron], config: [browser.on]}";
    let places = ["openclaw", "clawdbot", "clawdis", "moltbot"]
        .map(|block| format!("metadata: {{{block}: {{{requires}}}}}"));
    for place in places.iter().map(String::as_str).chain([requires]) {
        let text = format!("---\nname: a\ndescription: b\n{place}\n---\n");
        let (manifest, found) = Manifest::read(text.as_bytes(), "a").unwrap();
        assert_eq!(found, [], "{place}");
        let read = manifest.requires;
        assert_eq!((read.env, read.bins), (vec!["A_KEY".to_owned()], vec!["curl".to_owned()]), "{place}");
        assert_eq!((read.any_bins.len(), read.config), (2, vec!["browser.on".to_owned()]), "{place}");
    }
}

/// Case 13: 1,024 code points are no finding, 1,025 a warning with both numbers; nothing is cut.
#[test]
fn case_13_length_in_code_points() {
    let described = |count| format!("---\nname: a\ndescription: {}\n---\n", "箱".repeat(count));
    assert_eq!(Manifest::read(described(1024).as_bytes(), "a").unwrap().1, []);
    let (manifest, found) = Manifest::read(described(1025).as_bytes(), "a").unwrap();
    assert_eq!((found.len(), &*found[0].message), (1, "description is 1025/1024 characters long"));
    assert_eq!(manifest.description.chars().count(), 1025);
    assert!(has(&linted("SKILL.md", &described(1025), true), "3:1 Error frontmatter-long"));
}

/// Case 15: a display name is one; the slug comes from elsewhere.
#[test]
fn case_15_a_display_name() {
    let text = "---\nname: Data Analysis\ndescription: b\n---\nhi";
    let (manifest, found) = Manifest::read(text.as_bytes(), "data-analysis").unwrap();
    assert_eq!((&*manifest.name, manifest.slug(), found), ("Data Analysis", None, Vec::new()));
    assert!(has(&linted("SKILL.md", text, false), "2:1 Warning name-charset"));
}

/// Case 17: angle brackets are a matter of other clients.
#[test]
fn case_17_angle_brackets() {
    let text = "---\nname: a\ndescription: use when files >5M rows <x>\n---\nhi";
    assert_eq!(Manifest::read(text.as_bytes(), "a").unwrap().1, []);
    let found = linted("SKILL.md", text, false);
    assert!(
        found.iter().any(|found| found.starts_with("3:") && found.ends_with("portability-angle-brackets")),
        "{found:?}"
    );
}

/// Cases 22 and 26: whatever the name holds, it is text and never a folder: a slug has one spelling.
#[test]
fn case_22_and_26_a_name_is_no_path() {
    for name in ["ce:brainstorm", "../../evil", "con.", "a/b", "a\\b", "..", "C:x"] {
        let text = format!("---\nname: '{name}'\ndescription: b\n---\n");
        let (manifest, _) = Manifest::read(text.as_bytes(), "a").unwrap();
        assert_eq!((&*manifest.name, manifest.slug()), (name.trim(), None));
    }
}

/// Case 24: any letter case is read, and named.
#[test]
fn case_24_the_file_in_lower_case() {
    let text = "---\nname: a\ndescription: b\n---\nhi";
    assert!(has(&linted("skill.md", text, false), "1:1 Warning skill-md-case"));
    assert!(!linted("SKILL.md", text, false).iter().any(|found| found.contains("skill-md-case")));
}

/// Every way out is one: a sentence that says what to do, and a code with a meaning.
#[test]
fn every_refusal_has_a_place_and_a_way_out() {
    let refused: [(&[u8], (u32, u32), &str); 7] = [
        (b"\xFF\xFE-\0-\0-\0", (1, 1), "save it as UTF-8"),
        (b"\x7FELF\x02\x01\0\0\xFF", (1, 9), "put a text"),
        (b"---\nname: a\0b\n---\n", (2, 8), "take the character out"),
        (b"---\nname: a\n=======\nname: b\n>>>>>>> x\n---\n", (5, 1), "end the merge"),
        (b"text\n---\nname: a\n---\n", (1, 1), "begin the file with ---"),
        (b"---\ntags: [a\nother: {\n---\n", (3, 6), "give `name: `"),
        (
            b"---\nx: &a [&b [&c [*c, *b, *a]]]\ny: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]\n---\n",
            (1, 1),
            "keep the frontmatter short",
        ),
    ];
    for (bytes, place, way_out) in refused {
        let error = Frontmatter::read(bytes).unwrap_err();
        let found = error.diagnostic();
        assert_eq!((found.line, found.column), place, "{error}");
        assert!(
            rule(found.code).is_some() && error.way_out().starts_with(way_out),
            "{error}: {}",
            error.way_out()
        );
    }
}
