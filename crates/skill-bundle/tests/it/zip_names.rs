//! Every way the name of a zip's entry can mean something else than it says, one test each. The snapshot is code and
//! message.

use std::io::Cursor;

use insta::assert_snapshot;
use skill_bundle::{Limits, read_archive};

use crate::craft::zip::{Archive, Entry, with};
use crate::{listing, open, refusal};

fn refused(bytes: &[u8]) -> String {
    refusal(open(bytes))
}

fn skill() -> Entry {
    Entry::deflated("SKILL.md", "# hi\n")
}

#[test]
fn hostile_names() {
    for (name, code) in [
        (&b"../../.bashrc"[..], "bundle-path-parent"),
        (b"a/../../b", "bundle-path-parent"),
        (b"/etc/passwd", "bundle-path-absolute"),
        (b"C:/x", "bundle-path-drive"),
        (b"a\\..\\b", "bundle-path-backslash"),
        (b"a\0.md", "bundle-path-control"),
        ("a\u{202e}b".as_bytes(), "bundle-path-bidi"),
        ("a\u{200b}b".as_bytes(), "bundle-path-bidi"),
        (b"caf\xe9.md", "bundle-path-encoding"),
        (b"a/NUL.txt", "bundle-path-device"),
        (b"a. ", "bundle-path-trailing"),
        (b"a:b", "bundle-path-drive"),
        ("com\u{b9}.txt".as_bytes(), "bundle-path-device"),
        (b"CONIN$", "bundle-path-device"),
        (b"LONGNA~1.MD", "bundle-path-collision"),
        (b"", "bundle-path-empty"),
        (b"./a", "bundle-path-empty"),
        (b"a//b", "bundle-path-empty"),
        (&[b'a'; 241], "bundle-path-long"),
    ] {
        let error = open(&with(Entry::named(name))).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    assert_snapshot!(refused(&with(Entry::named(b"../../.bashrc"))), @"bundle-path-parent: entry 2: `../../.bashrc` leaves its folder");
}

#[test]
fn names_that_meet() {
    assert_snapshot!(refused(&with(skill())), @"bundle-duplicate: `SKILL.md` is there twice");
    assert_snapshot!(refused(&with(Entry::stored("skill.md", "x"))), @"bundle-two-skill-md: `SKILL.md` and `skill.md` are both the skill's main file");
    assert_snapshot!(refused(&with(Entry::stored("SKILL.md/x", "x"))), @"bundle-file-folder: `SKILL.md` is a file and also a folder");
    assert_snapshot!(refused(&with(Entry::folder("SKILL.md/"))), @"bundle-file-folder: `SKILL.md` is a file and also a folder");
    let nfd = Archive::of([skill(), Entry::stored("é", "1"), Entry::stored("e\u{301}", "2")]);
    assert_snapshot!(refused(&nfd.bytes()), @"bundle-duplicate: `é` is there twice");
    let folded = Archive::of([skill(), Entry::stored("a/B", "1"), Entry::stored("A/b", "2")]);
    assert_snapshot!(refused(&folded.bytes()), @"bundle-path-collision: `a` and `A` are the same path on some systems");
}

/// Info-ZIP's reader makes `run.sh` of it.
#[test]
fn a_name_with_a_file_version() {
    for name in ["run.sh;1", "a/b;", "SKILL.md;32767"] {
        let expected = format!(
            "bundle-headers-differ: entry 2, `{name}`, ends in a file version that some readers cut off"
        );
        assert_eq!(refused(&with(Entry::stored(name, "x"))), expected);
    }
    assert!(
        open(&Archive::of([skill(), Entry::stored("a;1.md", "1"), Entry::stored("b;1/c", "2")]).bytes())
            .is_ok()
    );
}

#[test]
fn names_are_judged_before_anything_is_unpacked() {
    let damaged = Entry::stored("a", "abc").both(|header| header.crc ^= 1);
    let archive = Archive::of([skill(), damaged, Entry::stored("b", "1"), Entry::stored("B", "2")]);
    assert_snapshot!(refused(&archive.bytes()), @"bundle-path-collision: `b` and `B` are the same path on some systems");
}

/// Made by DOS, Windows or anything else that has code pages, and not marked as UTF-8.
#[test]
fn a_name_in_a_code_page() {
    let made_by = |system: u16, name: &str, flags: u16| {
        let mut entry = Entry::deflated(name, "x").both(|header| header.flags = flags);
        (entry.made_by, entry.attributes) = (system << 8 | 0x14, 0x20);
        open(&with(entry))
    };
    assert_snapshot!(refusal(made_by(0, "资料.md", 0)), @"bundle-path-encoding: entry 2, `资料.md`: its name is not marked as UTF-8 and readers spell it differently");
    for system in [0, 6, 10, 11, 14, 255] {
        assert_eq!(made_by(system, "资料.md", 0).unwrap_err().code(), "bundle-path-encoding", "{system}");
        assert_eq!(listing(&made_by(system, "资料.md", 1 << 11).unwrap()), "SKILL.md 资料.md", "{system}");
        assert!(made_by(system, "notes.md", 0).is_ok(), "{system}");
    }
    // \u{8054}\u{901a} in GBK, whose bytes are UTF-8 for something else.
    let mut gbk = Entry::named(b"\xc1\xaa\xcd\xa8.txt");
    gbk.made_by = 0x14;
    assert_eq!(open(&with(gbk)).unwrap_err().code(), "bundle-path-encoding");
    for unix in [3, 19] {
        assert_eq!(listing(&made_by(unix, "资料.md", 0).unwrap()), "SKILL.md 资料.md", "{unix}");
    }
}

/// What is left out may break the rules that are about writing a path, as files of operating systems do.
#[test]
fn a_folder_icon_of_finder() {
    let long = format!("my-skill/{}/{}.md", "资".repeat(40), "料".repeat(34));
    let zip = Archive::of([
        Entry::deflated("my-skill/SKILL.md", "# hi\n"),
        Entry::deflated("my-skill/Icon\r", "").with_descriptor(true),
        Entry::deflated("__MACOSX/my-skill/._Icon\r", "x").with_descriptor(true),
        Entry::deflated(&long, "x"),
        Entry::deflated(&format!("__MACOSX/{}._{}", &long[..130], &long[130..]), "x"),
    ]);
    let opened = read_archive(&mut Cursor::new(zip.bytes()), &Limits::default()).unwrap();
    let (bundle, skipped) = opened.into_bundle().unwrap();
    assert_eq!(listing(&bundle), format!("SKILL.md {}", &long[9..]));
    let skipped: Vec<_> = skipped.iter().map(|one| format!("{:?}: {}", one.path, one.junk)).collect();
    assert_snapshot!(skipped[..2].join("\n"), @r#"
    "my-skill/Icon\r": left by the operating system, always
    "__MACOSX/my-skill/._Icon\r": left by the operating system, always
    "#);
    assert_eq!(skipped.len(), 3);
}

/// What is left out leads nowhere else all the same.
#[test]
fn hostile_names_of_what_is_left_out() {
    for (name, code) in [
        (&b"__MACOSX/../../.bashrc"[..], "bundle-path-parent"),
        (b"../__MACOSX/x", "bundle-path-parent"),
        (b"/__MACOSX/x", "bundle-path-absolute"),
        (b"C:/__MACOSX/x", "bundle-path-drive"),
        (b"__MACOSX/a:b", "bundle-path-drive"),
        (b"._a\\..\\b", "bundle-path-backslash"),
        (b"._a\0.md", "bundle-path-control"),
        (b"__MACOSX//a", "bundle-path-empty"),
        (b"__MACOSX/./a", "bundle-path-empty"),
        (b"a\r/.DS_Store", "bundle-path-control"),
        (b"nul/.DS_Store", "bundle-path-device"),
        (b"__MACOSX/\xe9", "bundle-path-encoding"),
        (b"SKILL.md/.DS_Store", "bundle-file-folder"),
    ] {
        let error = open(&with(Entry::named(name))).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
}
