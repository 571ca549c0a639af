//! YAML 1.2 with the core schema, in every style.

use serde_json::{Value, json};
use skill_core::frontmatter::Frontmatter;

use super::read;

/// The fields of sound YAML: nothing may be found.
fn fields(yaml: &str) -> Value {
    let read = Frontmatter::read(format!("---\n{yaml}\n---\n").as_bytes()).unwrap();
    assert_eq!(read.diagnostics, [], "{yaml}");
    Value::Object(read.fields)
}

#[test]
fn scalars_are_typed_by_the_core_schema() {
    let yaml = "a: yes\nb: On\nc: 1_000\nd: 2026-11-30\ne: 12:30\nf: ~\ng: 0x1F\nh: 0o17\ni: True\nj: 1.10\nk: -.5e1\nl: 'true'\nm:\nn: 010";
    let wanted = json!({
        "a": "yes", "b": "On", "c": "1_000", "d": "2026-11-30", "e": "12:30", "f": null, "g": 31, "h": 15,
        "i": true, "j": 1.1, "k": -5.0, "l": "true", "m": null, "n": 10,
    });
    assert_eq!(fields(yaml), wanted);
}

#[test]
fn tags_decide_over_the_schema() {
    let yaml = "a: !!str 1.10\nb: !!int '3'\nc: !!float 1\nd: ! 12\ne: !!null ''\nf: !<tag:yaml.org,2002:str> no\ng: !!binary aGk=";
    let wanted = json!({"a": "1.10", "b": 3, "c": 1, "d": "12", "e": null, "f": "no", "g": "aGk="});
    let read = Frontmatter::read(format!("---\n{yaml}\n---\n").as_bytes()).unwrap();
    assert_eq!(Value::Object(read.fields), wanted);
}

#[test]
fn quotes_fold_and_escape() {
    let yaml = "a: \"x\\ty\\u00e9\\U0001F389\\x41\\\\ \\\"q\\\"\"\nb: 'it''s\n  two\n\n  three'\nc: \"one \\\n  line\"";
    let wanted = json!({"a": "x\tyé🎉A\\ \"q\"", "b": "it's two\nthree", "c": "one line"});
    assert_eq!(fields(yaml), wanted);
}

#[test]
fn block_scalars_with_every_sign() {
    let yaml = "a: |\n  x\n   y\n\nb: |-\n  x\n\nc: |+\n  x\n\nd: >\n  x\n  y\n\n  z\n   w\ne: >-\n  x\n  y\nf: |2\n    x\ng: >+1\n  x\n\nh: |  # note\n  ---\n  # no comment: here\n";
    let wanted = json!({
        "a": "x\n y\n", "b": "x", "c": "x\n\n", "d": "x y\nz\n w\n", "e": "x y", "f": "  x\n", "g": " x\n\n",
        "h": "---\n# no comment: here\n",
    });
    assert_eq!(fields(yaml), wanted);
}

#[test]
fn flow_in_block_and_block_in_block() {
    let yaml = "a: {b: [1, {c: d}], 'e f': \"g\", h, i: }\nj:\n- k\n- l: m\n  n:\n  - o\n-\n  p: q\n- - r\n  - s\nt: [\n  u, # note\n  v: w,\n]";
    let wanted = json!({
        "a": {"b": [1, {"c": "d"}], "e f": "g", "h": null, "i": null},
        "j": ["k", {"l": "m", "n": ["o"]}, {"p": "q"}, ["r", "s"]],
        "t": ["u", {"v": "w"}],
    });
    assert_eq!(fields(yaml), wanted);
}

#[test]
fn anchors_aliases_and_merges() {
    let yaml = "a: &a {x: 1, y: 2}\nb: *a\nc: {<<: *a, y: 3}\nd:\n  <<: [*a, {x: 9, z: 8}]\n  w: &w text\ne: [*w, *w]\nf: {<<: no map}\n'<<': g";
    let wanted = json!({
        "a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}, "c": {"x": 1, "y": 3},
        "d": {"x": 1, "y": 2, "z": 8, "w": "text"}, "e": ["text", "text"], "f": {"<<": "no map"}, "<<": "g",
    });
    assert_eq!(fields(yaml), wanted);
}

#[test]
fn keys_are_kept_as_they_are_written() {
    let yaml = "1.10: a\nyes: b\n~: c\n0x1F: d\n? [e, 1]\n: f\n? {g: h}\n: i\n\"j\\tk\": l\n: m";
    let wanted = json!({
        "1.10": "a", "yes": "b", "~": "c", "0x1F": "d", "[\"e\",1]": "f", "{\"g\":\"h\"}": "i", "j\tk": "l", "": "m",
    });
    assert_eq!(fields(yaml), wanted);
}

#[test]
fn what_json_cannot_say_stays_text() {
    let wanted =
        json!({"a": ".inf", "b": "-.INF", "c": ".nan", "d": "123456789012345678901234567890", "e": "1e999"});
    assert_eq!(fields("a: .inf\nb: -.INF\nc: .nan\nd: 123456789012345678901234567890\ne: 1e999"), wanted);
}

#[test]
fn dashes_inside_of_values_end_nothing() {
    let yaml = "a: x---y\nb: \"---\"\nc: |\n  ---\n  text\nd: '--- e'\nf: ---g";
    assert_eq!(
        fields(yaml),
        json!({"a": "x---y", "b": "---", "c": "---\ntext\n", "d": "--- e", "f": "---g"})
    );
}

#[test]
fn every_line_end_and_blanks_after_fences() {
    for end in ["\n", "\r\n", "\r"] {
        let text =
            format!("---{b}{end}name: a{end}d: |{end}  x{end}  y{end}---{b}{end}body", b = " \t", end = end);
        let read = Frontmatter::read(text.as_bytes()).unwrap();
        assert_eq!(Value::Object(read.fields.clone()), json!({"name": "a", "d": "x\ny\n"}), "{end:?}");
        assert_eq!(read.body(text.as_bytes()), "body");
        assert_eq!((read.body_line, read.diagnostics.len()), (7, 0));
    }
}

#[test]
fn a_fence_ends_the_file() {
    insta::assert_snapshot!(read("---\nname: a\n---"), @r#"{"name":"a"} body:4"#);
    insta::assert_snapshot!(read("---\nname: a\n---\r\n"), @r#"{"name":"a"} body:4"#);
}

#[test]
fn the_whole_indented_or_in_brackets() {
    assert_eq!(fields("  name: a\n  b:\n    c: d"), json!({"name": "a", "b": {"c": "d"}}));
    assert_eq!(fields("{\"name\": \"a\", b: [c]}"), json!({"name": "a", "b": ["c"]}));
    assert_eq!(fields("{\n  \"name\": \"a\"\n}"), json!({"name": "a"}));
    assert_eq!(fields("&all\nname: a"), json!({"name": "a"}));
    assert_eq!(fields("? name\n: a"), json!({"name": "a"}));
}

#[test]
fn only_comments_and_nothing_at_all() {
    assert_eq!(fields("# name: a"), json!({}));
    assert_eq!(fields(""), json!({}));
}

#[test]
fn a_tab_may_part_but_not_indent() {
    assert_eq!(fields("name:\ta\nb: [c,\td]\t# e"), json!({"name": "a", "b": ["c", "d"]}));
}

/// Anchors of one entry are known in the others, wherever one may begin, also when another entry is broken.
#[test]
fn anchors_of_a_broken_file() {
    let text =
        "---\nname: a\nd: R&D: b\nm: {\"k\":&x 1, \"l\": &y&z [2]}\nl: [&w 3]\nused: [*x, *y&z, *w]\n---\n";
    let read = Frontmatter::read(text.as_bytes()).unwrap();
    let fields = serde_json::to_string(&read.fields).unwrap();
    assert_eq!(fields, r#"{"name":"a","d":"R&D: b","m":{"k":1,"l":[2]},"l":[3],"used":[1,[2],3]}"#);
}
