//! What people really write in front of a skill, and what attackers do.

use skill_core::diagnostic::{Diagnostic, apply_edits};
use skill_core::frontmatter::Frontmatter;
use skill_core::manifest::Manifest;

mod attacks;
mod broken;
mod cases;
mod differential;
mod laws;
mod yaml;

/// Fields as JSON, then one line a finding, as `skill lint` begins them.
fn read(text: &str) -> String {
    match Frontmatter::read(text.as_bytes()) {
        Ok(read) => {
            let fields = serde_json::to_string(&read.fields).unwrap();
            let found: Vec<String> = read.diagnostics.iter().map(line).collect();
            format!("{fields} body:{}\n{}", read.body_line, found.join("\n"))
        }
        Err(error) => format!("error[{}]: {error}", error.code()),
    }
}

fn line(found: &Diagnostic) -> String {
    let fix = found.fix.as_ref().map_or(String::new(), |fix| format!("\n  fix: {fix}"));
    format!("{}:{}:{}: {}: {}{fix}", found.file, found.line, found.column, found.code, found.message)
}

fn fixed(text: &str) -> String {
    let (_, found) = Manifest::read(text.as_bytes(), "a").unwrap();
    let edits = found.iter().filter_map(|found| found.edit.as_ref());
    String::from_utf8(apply_edits(text.as_bytes(), edits).0).unwrap()
}

/// The text after as many rounds of fixes as it takes: what is sure only once another fault is mended comes later.
fn fixed_to_the_end(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..8 {
        let next = fixed(&text);
        if next == text {
            return text;
        }
        text = next;
    }
    panic!("fixing does not come to an end: {text:?}")
}

#[test]
fn a_colon_inside_plain_text_is_quoted() {
    let text = "---\nname: a\nlicense: MIT\ndescription: 天气: what to wear\n---\nhi";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","license":"MIT","description":"天气: what to wear"} body:6
    SKILL.md:4:16: frontmatter-quoted: a colon inside plain text
      fix: description: "天气: what to wear"
    "#);
    assert_eq!(fixed(text), text.replace("天气: what to wear", "\"天气: what to wear\""));
}

#[test]
fn every_fault_of_one_file_is_named() {
    let text =
        "---\nname:a\ndescription: use it: always\nhint: [a] [b]\nmetadata:\n\tGitHub:me\n\tk: `x`\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"use it: always","hint":"[a] [b]","metadata":{"GitHub":"me","k":"`x`"}} body:9
    SKILL.md:2:5: frontmatter-colon: no blank after the colon
      fix: name: a
    SKILL.md:3:20: frontmatter-quoted: a colon inside plain text
      fix: description: "use it: always"
    SKILL.md:4:7: frontmatter-quoted: text that begins with [ is no text to YAML
      fix: hint: "[a] [b]"
    SKILL.md:6:1: frontmatter-tab: a tab indents this line; YAML allows blanks only
      fix:   GitHub:me
    SKILL.md:6:8: frontmatter-colon: no blank after the colon
      fix:   GitHub: me
    SKILL.md:7:1: frontmatter-tab: a tab indents this line; YAML allows blanks only
      fix:   k: `x`
    SKILL.md:7:5: frontmatter-quoted: plain text cannot begin with `
      fix:   k: "`x`"
    "#);
}

/// Text below `|` is what it is, whatever is broken beside it.
#[test]
fn a_text_keeps_its_tabs() {
    let text = "---\nname: a\nmetadata:\n  usage: |\n    all:\n    \tmake\n  note: x: y\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","metadata":{"usage":"all:\n\tmake\n","note":"x: y"}} body:9
    SKILL.md:7:10: frontmatter-quoted: a colon inside plain text
      fix:   note: "x: y"
    "#);
    assert_eq!(fixed(text), text.replace("x: y", "\"x: y\""));
    let text = "---\nname: a\nmetadata:\n  usage: >-\n    第一段\n    　　第二段：好\n  note: x: y\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","metadata":{"usage":"第一段 　　第二段：好","note":"x: y"}} body:9
    SKILL.md:7:10: frontmatter-quoted: a colon inside plain text
      fix:   note: "x: y"
    "#);
    let text = "---\nname: a\nmetadata:\n  list:\n    - |\n      \tmake\n    - k: &x |2-\n          \tb\n        c: d\n  note: x: y\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","metadata":{"list":["\tmake\n",{"k":"  \tb\nc: d"}],"note":"x: y"}} body:12
    SKILL.md:10:10: frontmatter-quoted: a colon inside plain text
      fix:   note: "x: y"
    "#);
}

/// A tab that YAML allows stays where it is when something else was wrong, also on its own line.
#[test]
fn a_tab_that_was_not_the_trouble_stays() {
    let text = "---\nname: a\ndescription: one\n\ttwo: three\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"one two: three"} body:6
    SKILL.md:4:5: frontmatter-quoted: a colon inside plain text
      fix: description: "one two: three"
    "#);
    let text = "---\nname: a\nmetadata:\n  k: \"one\n  \ttwo\"\n  note: x: y\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","metadata":{"k":"one two","note":"x: y"}} body:8
    SKILL.md:6:10: frontmatter-quoted: a colon inside plain text
      fix:   note: "x: y"
    "#);
    assert_eq!(fixed(text), text.replace("x: y", "\"x: y\""));
}

#[test]
fn text_wrapped_without_indentation_is_joined() {
    let text = "---\nname: a\ndescription: reads this\nand that too\n  note: all of it\nlicense: MIT\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"reads this and that too note: all of it","license":"MIT"} body:8
    SKILL.md:4:1: frontmatter-quoted: text that goes on in the next line without being indented
      fix: description: "reads this and that too note: all of it"
    "#);
}

#[test]
fn quotes_that_do_not_fit() {
    let text = "---\nname: 'it's me'\ndescription: \"one\" and two\nauthor: \"never closed\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"it's me","description":"\"one\" and two","author":"never closed"} body:6
    SKILL.md:2:7: frontmatter-quoted: quotes that do not enclose the whole text
      fix: name: "it's me"
    SKILL.md:3:14: frontmatter-quoted: quotes that do not enclose the whole text
      fix: description: "\"one\" and two"
    SKILL.md:4:9: frontmatter-quoted: quotes that do not enclose the whole text
      fix: author: "never closed"
    "#);
}

#[test]
fn json_and_json5_in_metadata() {
    let text = "---\nname: a\ndescription: b\nmetadata: {\n\"openclaw\": {\"os\": ['linux']}, // see {docs\n}\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"b","metadata":{"openclaw":{"os":["linux"]}}} body:8
    SKILL.md:4:1: frontmatter-json5: metadata is JSON5, which YAML readers refuse
    "#);
    let yaml = "---\nname: a\nmetadata: {\"openclaw\": {\"os\": [\"linux\",],},}\n---\n";
    insta::assert_snapshot!(read(yaml), @r#"{"name":"a","metadata":{"openclaw":{"os":["linux"]}}} body:5"#);
}

#[test]
fn what_no_repair_helps_is_kept_as_text() {
    let text = "---\nname: a\ndescription: b\nmetadata:\n  k: v\n unindented\n---\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"b","metadata":"k: v\n unindented"} body:8
    SKILL.md:6:2: frontmatter-scanned: metadata is no valid YAML (no key where one is expected; the indentation may differ); it was kept as plain text
    "#);
}

#[test]
fn neither_name_nor_description() {
    insta::assert_snapshot!(read("---\ntags: [a\nother: {\n---\n"), @"error[frontmatter-unreadable]: a colon inside plain text, line 3, column 6");
}

#[test]
fn a_byte_order_mark_is_no_obstacle() {
    let text = "\u{FEFF}---\r\nname: a\r\ndescription: x: y\r\n---\r\nhi";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"x: y"} body:5
    SKILL.md:1:1: frontmatter-bom: a byte-order mark before the text
    SKILL.md:3:15: frontmatter-quoted: a colon inside plain text
      fix: description: "x: y"
    "#);
    assert_eq!(fixed(text), "---\r\nname: a\r\ndescription: \"x: y\"\r\n---\r\nhi");
}

#[test]
fn blank_lines_before_the_fence() {
    insta::assert_snapshot!(read("\n\n---\nname: a\n---"), @r#"
    {"name":"a"} body:6
    SKILL.md:1:1: frontmatter-blank-before: 2 blank lines before the opening ---
    "#);
    assert_eq!(fixed("\n\n---\nname: a\n---"), "---\nname: a\n---");
}

#[test]
fn text_before_the_fence_is_refused() {
    insta::assert_snapshot!(read("<!-- x -->\n---\nname: a\n---\n"), @"error[frontmatter-unreadable]: text before the opening ---, line 1");
}

#[test]
fn a_missing_closing_fence() {
    let text = "---\nname: a\ndescription: b\n\n# Title\n\nText: here\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"b"} body:4
    SKILL.md:3:15: frontmatter-unclosed: the closing --- is missing after this line
      fix: ---
    "#);
    assert_eq!(fixed(text), "---\nname: a\ndescription: b\n---\n\n# Title\n\nText: here\n");
    insta::assert_snapshot!(read("---\n\n## name: a\ndescription: b\n\n# T\n\nText.\n\n---\n\nMore.\n"), @r#"
    {"description":"b","name":"a"} body:5
    SKILL.md:3:1: frontmatter-unclosed: the name is a heading; a formatter took --- for an underline
      fix: name: a
    SKILL.md:4:15: frontmatter-unclosed: the closing --- is missing after this line
      fix: ---
    "#);
}

/// Where the fields end is a guess when a line of them may be the text: that is offered, and not made.
#[test]
fn a_missing_closing_fence_that_may_stand_elsewhere() {
    let text = "---\nname: a\ndescription: b\nThis skill packs boxes\n\nText\n";
    insta::assert_snapshot!(read(text), @r#"
    {"name":"a","description":"b This skill packs boxes"} body:5
    SKILL.md:4:1: frontmatter-quoted: text that goes on in the next line without being indented
      fix: description: "b This skill packs boxes"
    SKILL.md:4:23: frontmatter-unclosed: the closing --- is missing after this line
      fix: ---
    "#);
    assert!(!fixed(text).contains("\n---\n"));
    let last = "---\nname: a\ndescription: b";
    assert_eq!(fixed(last), "---\nname: a\ndescription: b\n---\n");
    let heading = "---\nname: a\ndescription: b\n# T\n\nText\n";
    assert_eq!(fixed(heading), "---\nname: a\ndescription: b\n---\n# T\n\nText\n");
}

#[test]
fn keys_that_stand_twice() {
    insta::assert_snapshot!(read("---\nname: a\nname: b\nmetadata:\n  k: 1\n  k: 2\n---\n"), @r#"
    {"name":"b","metadata":{"k":2}} body:8
    SKILL.md:3:1: frontmatter-duplicate-key: name stands on line 2 already; this one counts
    SKILL.md:6:3: frontmatter-duplicate-key: k stands on line 5 already; this one counts
    "#);
}

#[test]
fn conflict_markers_are_named() {
    let text = "---\nname: a\n<<<<<<< HEAD\ndescription: b\n=======\ndescription: c\n>>>>>>> theirs\n---\n";
    insta::assert_snapshot!(read(text), @"error[frontmatter-unreadable]: git conflict marker `<<<<<<<` in the frontmatter, line 3");
    insta::assert_snapshot!(read("<<<<<<< HEAD\n---\nname: a\n---\n"), @"error[frontmatter-unreadable]: git conflict marker `<<<<<<<` in the frontmatter, line 1");
}

#[test]
fn utf_16_is_named() {
    let bytes: Vec<u8> = "\u{FEFF}---\nname: a\n---\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = Frontmatter::read(&bytes).unwrap_err();
    assert_eq!(error.code(), "frontmatter-encoding");
    assert_eq!(error.to_string(), "not UTF-8 (looks like UTF-16LE)");
}
