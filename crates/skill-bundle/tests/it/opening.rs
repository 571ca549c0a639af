//! What is accepted, as real tools make it, and where in an archive the skill lies.

use std::io::{Cursor, Write as _};

use skill_bundle::{Limits, open_archive, read_archive};

use crate::craft::gzipped;
use crate::craft::tar::{archive, entry, file, record};
use crate::craft::zip::{Archive, Entry};
use crate::{listing, open, refusal};

fn skill() -> Entry {
    Entry::deflated("SKILL.md", "# hi\n")
}

#[test]
fn modes_of_a_zip_made_by_unix() {
    let zip = Archive::of([
        skill(),
        Entry::deflated("run.sh", "#!/bin/sh\n").with_mode(0o100_755),
        Entry::deflated("plain.sh", "#!/bin/sh\n").with_mode(0o100_644),
        Entry::deflated("setuid.sh", "x").with_mode(0o104_755),
        Entry::deflated("for-others.sh", "x").with_mode(0o100_655),
    ]);
    assert_eq!(listing(&open(&zip.bytes()).unwrap()), "SKILL.md for-others.sh plain.sh run.sh* setuid.sh*");
}

#[test]
fn a_zip_without_modes_goes_by_the_first_line() {
    let dos = |name, content| {
        let mut entry = Entry::deflated(name, content);
        (entry.made_by, entry.attributes) = (0, 0x20);
        entry
    };
    let zip = Archive::of([dos("SKILL.md", "x"), dos("run.sh", "#!/bin/sh\n"), dos("a.sh", "echo")]);
    assert_eq!(listing(&open(&zip.bytes()).unwrap()), "SKILL.md a.sh run.sh*");
    let unix = Archive::of([skill(), Entry::deflated("run.sh", "#!/bin/sh\n").with_mode(0)]);
    assert_eq!(listing(&open(&unix.bytes()).unwrap()), "SKILL.md run.sh*");
}

#[test]
fn names_in_utf8_without_the_flag() {
    let zip = Archive::of([skill(), Entry::deflated("资料.md", "x")]);
    assert_eq!(listing(&open(&zip.bytes()).unwrap()), "SKILL.md 资料.md");
}

#[test]
fn a_comment_as_git_writes_it() {
    let mut zip = Archive::of([skill()]);
    zip.comment = b"0123456789abcdef0123456789abcdef01234567".to_vec();
    assert!(open(&zip.bytes()).is_ok());
}

#[test]
fn entries_in_any_order() {
    let zip = Archive::of([Entry::stored("z", "1"), skill(), Entry::stored("a", "2"), Entry::folder("f/")]);
    assert_eq!(listing(&open(&zip.bytes()).unwrap()), "SKILL.md a z");
}

#[test]
fn a_zip_made_by_finder() {
    let zip = Archive::of([
        Entry::folder("my-skill/"),
        Entry::deflated("my-skill/SKILL.md", "# hi\n").with_descriptor(true),
        Entry::deflated("__MACOSX/my-skill/._SKILL.md", "x").with_descriptor(true),
        Entry::deflated("my-skill/.DS_Store", "x").with_descriptor(true),
    ]);
    let bytes = zip.bytes();
    let opened = read_archive(&mut Cursor::new(&bytes), &Limits::default()).unwrap();
    assert_eq!(opened.wrapper(), Some("my-skill".to_owned()));
    let (bundle, skipped) = opened.into_bundle().unwrap();
    assert_eq!(listing(&bundle), "SKILL.md");
    let skipped: Vec<String> = skipped.iter().map(|one| format!("{}: {}", one.path, one.junk)).collect();
    insta::assert_snapshot!(skipped.join("\n"), @r"
    __MACOSX/my-skill/._SKILL.md: left by the operating system, always
    my-skill/.DS_Store: left by the operating system, always
    ");
}

#[test]
fn a_wrapped_skill_in_another_letter_case() {
    let bundle =
        open(&Archive::of([Entry::stored("x/skill.md", "x"), Entry::stored("x/a", "a")]).bytes()).unwrap();
    assert_eq!(listing(&bundle), "SKILL.md a");
    assert_eq!(bundle.skill_md_renamed_from(), Some("skill.md"));
}

#[test]
fn several_skills() {
    let zip = Archive::of(
        ["skills/a/SKILL.md", "skills/b/SKILL.md", "README.md"].map(|name| Entry::stored(name, name)),
    );
    let bytes = zip.bytes();
    insta::assert_snapshot!(refusal(open(&bytes)), @"source-several: no SKILL.md at its root, but in skills/a, skills/b");
    let opened = || read_archive(&mut Cursor::new(&bytes), &Limits::default()).unwrap();
    assert_eq!(opened().skills(), ["skills/a", "skills/b"]);
    let (bundle, _) = opened().into_bundle_at("skills/a/").unwrap();
    assert_eq!(bundle.skill_md(), b"skills/a/SKILL.md");
    assert_eq!(opened().into_bundle_at("skills/c").unwrap_err().code(), "source-several");
}

#[test]
fn one_of_several_below_a_wrapping_folder() {
    let names = ["repo-1.0/skills/a/SKILL.md", "repo-1.0/skills/b/SKILL.md"];
    let bytes = Archive::of(names.map(|name| Entry::stored(name, name))).bytes();
    for folder in ["skills/b", "repo-1.0/skills/b"] {
        let opened = read_archive(&mut Cursor::new(&bytes), &Limits::default()).unwrap();
        assert_eq!(opened.into_bundle_at(folder).unwrap().0.skill_md(), names[1].as_bytes(), "{folder}");
    }
}

#[test]
fn a_skill_at_the_root_may_hold_others() {
    let zip = Archive::of([skill(), Entry::stored("examples/SKILL.md", "x")]);
    assert_eq!(listing(&open(&zip.bytes()).unwrap()), "SKILL.md examples/SKILL.md");
}

#[test]
fn no_skill_at_all() {
    let archive = |name| refusal(open(&Archive::of([Entry::stored(name, "x")]).bytes()));
    insta::assert_snapshot!(archive("README.md"), @"bundle-no-skill-md: there is no SKILL.md in the bundle");
    insta::assert_snapshot!(archive("x/skills.md"), @"bundle-skills-md: `skills.md` is not read: rename it to SKILL.md");
    insta::assert_snapshot!(refusal(open(&Archive::of([]).bytes())), @"bundle-empty: there is no file in the bundle");
}

#[test]
fn tars_as_tools_make_them() {
    let long = format!("{}/{}.md", "d".repeat(90), "f".repeat(90));
    let mut prefixed = crate::craft::tar::header(b"deep.md", b'0', 1, 0o644);
    prefixed[345..351].copy_from_slice(b"prefix");
    let tar = archive(&[
        entry("pax_global_header", b'g', &record("comment", "0123456789"), 0o644),
        entry("./", b'5', "", 0o755),
        file("./SKILL.md", "# hi\n"),
        entry("./run.sh", b'0', "#!/bin/sh\n", 0o755),
        entry("./a/", b'5', "", 0o755),
        entry("././@LongLink", b'L', &format!("./{long}\0"), 0o644),
        file(&long[..99], "gnu"),
        entry("PaxHeaders/x", b'x', &(record("path", "数据.md") + &record("mtime", "1.5")), 0o644),
        file("data.md", "pax"),
        [crate::craft::tar::sealed(prefixed).to_vec(), crate::craft::tar::padded(b"x")].concat(),
    ]);
    let expected = format!("SKILL.md {long} prefix/deep.md run.sh* 数据.md");
    assert_eq!(listing(&open(&tar).unwrap()), expected);
    assert_eq!(listing(&open(&gzipped(&tar)).unwrap()), expected);
}

#[test]
fn other_formats() {
    for bytes in [&b""[..], b"x", b"7z\xbc\xaf\x27\x1c", &[0; 2048], b"PK"] {
        let error = open(bytes).unwrap_err();
        assert!(["bundle-unknown-format", "bundle-truncated"].contains(&error.code()), "{error}");
    }
}

/// Whatever their names end in.
#[test]
fn formats_that_are_known_and_not_read() {
    insta::assert_snapshot!(refusal(open(b"BZh91AY&SY")), @"bundle-unknown-format: this is packed with bzip2, and what is read is zip, tar, and tar packed with gzip or zstd");
    for (begin, said) in [
        (&b"\xfd7zXZ\0\0\x04"[..], "packed with xz"),
        (b"LZIP\x01", "packed with lzip"),
        (b"7z\xbc\xaf\x27\x1c\0", "an archive of 7-Zip"),
        (b"Rar!\x1a\x07\x01", "an archive of RAR"),
    ] {
        assert!(refusal(open(begin)).starts_with(&format!("bundle-unknown-format: this is {said}, ")));
    }
}

#[test]
fn archives_as_the_libraries_write_them() {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.add_directory("my/", options).unwrap();
    zip.start_file("my/SKILL.md", options).unwrap();
    zip.write_all(b"# hi\n").unwrap();
    zip.start_file("my/run.sh", options.unix_permissions(0o755)).unwrap();
    zip.write_all(b"#!/bin/sh\n").unwrap();
    let from_zip = open(zip.finish().unwrap().get_ref()).unwrap();

    let mut tar = tar::Builder::new(Vec::new());
    for (name, mode, content) in [("my/SKILL.md", 0o644, "# hi\n"), ("my/run.sh", 0o755, "#!/bin/sh\n")] {
        let mut header = tar::Header::new_gnu();
        header.set_mode(mode);
        header.set_size(content.len() as u64);
        tar.append_data(&mut header, name, content.as_bytes()).unwrap();
    }
    let (from_tar, _) =
        open_archive(&mut Cursor::new(tar.into_inner().unwrap()), &Limits::default()).unwrap();
    assert_eq!(listing(&from_zip), "SKILL.md run.sh*");
    assert_eq!(from_zip, from_tar);
}
