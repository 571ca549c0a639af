use skill_bundle::{BundlePath, PathRule};

fn rule(text: &str) -> PathRule {
    BundlePath::parse(text).expect_err(text).rule
}

#[test]
fn parent() {
    for text in ["..", "../x", "a/../b", "a/.."] {
        assert_eq!(rule(text), PathRule::Parent, "{text}");
    }
}

#[test]
fn absolute() {
    assert_eq!(rule("/etc/passwd"), PathRule::Absolute);
    assert_eq!(rule("//host/share"), PathRule::Absolute);
}

#[test]
fn drive() {
    assert_eq!(rule("C:/x"), PathRule::Drive);
    assert_eq!(rule("c:x"), PathRule::Drive);
}

#[test]
fn backslash() {
    assert_eq!(rule("a\\b"), PathRule::Backslash);
    assert_eq!(rule("\\\\host\\share"), PathRule::Backslash);
}

#[test]
fn colon() {
    assert_eq!(rule("notes.md:stream"), PathRule::Colon);
}

#[test]
fn control() {
    for text in ["a\0b", "a\nb", "\u{7f}", "a\u{9b}", "a\u{2028}b"] {
        assert_eq!(rule(text), PathRule::Control, "{text:?}");
    }
}

#[test]
fn bidi() {
    for text in ["a\u{202e}dm.exe", "\u{200f}", "\u{2066}x", "\u{61c}"] {
        assert_eq!(rule(text), PathRule::Bidi, "{text:?}");
    }
}

#[test]
fn short_names() {
    for text in ["LONGNA~1.MD", "git~1", "a/skill~12.md/b", "資料~1"] {
        assert_eq!(rule(text), PathRule::ShortName, "{text}");
    }
    for text in ["~1", "notes~", "notes.md.~1~", "a~b", "longname~1.md", "a~1.tar.gz", "a~1.json"] {
        assert!(BundlePath::parse(text).is_ok(), "{text}");
    }
}

#[test]
fn zero_width() {
    for text in ["SKILL\u{200b}.md", "a\u{feff}", "a\u{ad}b", "a\u{fe0f}", "a\u{e0041}"] {
        assert_eq!(rule(text), PathRule::ZeroWidth, "{text:?}");
    }
}

#[test]
fn encoding() {
    let error = BundlePath::from_bytes(b"caf\xe9.md").unwrap_err();
    assert_eq!((error.rule, error.code()), (PathRule::Encoding, "bundle-path-encoding"));
}

#[test]
fn device() {
    for text in
        ["NUL", "a/nul.txt", "Com1.tar.gz", "COM¹", "lpt³.md", "CONIN$", "conout$.x", "aux .md", "prn/x"]
    {
        assert_eq!(rule(text), PathRule::Device, "{text}");
    }
    for text in ["COM", "COM10", "console", "nullable.md", "x/com", "lpt0"] {
        assert!(BundlePath::parse(text).is_ok(), "{text}");
    }
}

#[test]
fn leading() {
    for text in [" a", "a/ b", "\u{3000}a", "\u{a0}a.md", " "] {
        assert_eq!(rule(text), PathRule::Leading, "{text:?}");
    }
    assert!(BundlePath::parse("a b/c d.md").is_ok());
}

#[test]
fn trailing() {
    for text in ["a.", "a ", "a./b", "x/... "] {
        assert_eq!(rule(text), PathRule::Trailing, "{text:?}");
    }
}

#[test]
fn empty_segment() {
    for text in ["", "a//b", "a/"] {
        assert_eq!(rule(text), PathRule::EmptySegment, "{text:?}");
    }
}

#[test]
fn dot_segment() {
    for text in [".", "./a", "a/./b"] {
        assert_eq!(rule(text), PathRule::DotSegment, "{text}");
    }
}

#[test]
fn long() {
    let longest = format!("{}/{}", "a".repeat(120), "b".repeat(119));
    assert!(BundlePath::parse(&longest).is_ok());
    assert_eq!(rule(&format!("{longest}b")), PathRule::Long);
}

#[test]
fn length_counts_bytes_after_normalisation() {
    // 120 letters: 360 bytes decomposed, 240 composed.
    assert!(BundlePath::parse(&"e\u{301}".repeat(120)).is_ok());
    assert_eq!(rule(&"天".repeat(81)), PathRule::Long);
}

#[test]
fn paths_are_kept_in_nfc() {
    assert_eq!(BundlePath::parse("e\u{301}.md").unwrap().as_str(), "é.md");
}

#[test]
fn ordered_by_bytes() {
    let mut paths: Vec<BundlePath> =
        ["b", "a/z", "a.z", "a-z", "é", "B", "_"].map(|text| BundlePath::parse(text).unwrap()).into();
    paths.sort();
    assert_eq!(format!("{paths:?}"), r#"["B", "_", "a-z", "a.z", "a/z", "b", "é"]"#);
}

#[test]
fn a_refusal_shows_what_cannot_be_seen() {
    insta::assert_snapshot!(BundlePath::parse("a\u{202e}b").unwrap_err(), @r"`a\u{202e}b` holds a character that turns the direction of writing");
    insta::assert_snapshot!(BundlePath::parse("a\u{fe0f}b").unwrap_err(), @r"`a\u{fe0f}b` holds a character that cannot be seen");
    insta::assert_snapshot!(BundlePath::parse("天\r").unwrap_err(), @r"`天\r` holds a control character");
}
