//! One file of a zip, by its name: held to the rules that it is held to where the whole is read.

use std::io::Cursor;

use insta::assert_snapshot;
use skill_bundle::{BundleError, BundlePath, Limits, read_entry, write_canonical};

use crate::craft::zip::{Archive, Entry, with};
use crate::{open, refusal, sample};

fn sample_zip() -> Vec<u8> {
    let mut bytes = Vec::new();
    write_canonical(&sample(), &mut bytes).unwrap();
    bytes
}

fn read(zip: &[u8], path: &str) -> Result<Option<Vec<u8>>, BundleError> {
    read_entry(&mut Cursor::new(zip), &BundlePath::parse(path).unwrap(), &Limits::default())
}

#[test]
fn one_entry() {
    let zip = sample_zip();
    assert_eq!(read(&zip, "数据/天气.md").unwrap().as_deref(), Some("晴\r\n".as_bytes()));
    assert_eq!(read(&zip, "empty").unwrap().as_deref(), Some(&b""[..]));
    assert_eq!(read(&zip, "absent").unwrap(), None);
}

#[test]
fn of_a_damaged_archive() {
    let mut zip = sample_zip();
    let at = zip.windows(8).position(|window| window == b"SKILL.md").unwrap() + 8;
    zip[at + 4] ^= 1;
    assert!(read(&zip, "SKILL.md").is_err());
}

#[test]
fn that_is_too_large() {
    let skill_md = BundlePath::parse("SKILL.md").unwrap();
    let small = Limits { file_bytes: 4, ..Limits::default() };
    let large = read_entry(&mut Cursor::new(sample_zip()), &skill_md, &small);
    assert_snapshot!(refusal(large), @"bundle-file-large: `SKILL.md` holds 26 bytes, 4 are allowed");
}

/// Each lie about an entry that the whole archive is refused for, told to whoever asks for that entry alone.
#[test]
fn that_lies() {
    let lies = |entry: Entry, name: &str| {
        let zip = with(entry);
        let alone = refusal(read(&zip, name));
        assert_eq!(alone, refusal(open(&zip)));
        alone
    };
    let link = |target| Entry::stored("a", target).with_mode(0o120_777);
    assert_snapshot!(lies(link("SKILL.md"), "a"), @"bundle-special-file: `a` is a link to `SKILL.md`, and links in archives are not followed");
    assert_snapshot!(lies(link("../x"), "a"), @"bundle-link-outside: `a` is a link that leaves the bundle, to `../x`");
    assert_snapshot!(lies(Entry::stored("a", "").with_mode(0o010_644), "a"), @"bundle-special-file: `a` is a named pipe, not a file");
    assert_snapshot!(lies(Entry::stored("a", "").with_mode(0o040_755), "a"), @"bundle-headers-differ: entry 2, `a`, is a folder in one place and a file in another");
    assert_snapshot!(lies(Entry::stored("a;1", "x"), "a;1"), @"bundle-headers-differ: entry 2, `a;1`, ends in a file version that some readers cut off");
    let mut descriptor = Entry::deflated("a", "abc").with_descriptor(true);
    descriptor.descriptor[5] ^= 1;
    assert_snapshot!(lies(descriptor, "a"), @"bundle-headers-differ: entry 2, `a`: its data descriptor does not say what the list says");
    let mut stray = Entry::deflated("a", "abc");
    stray.descriptor = b"stray".to_vec();
    assert_snapshot!(lies(stray, "a"), @"bundle-trailing-bytes: 5 bytes at offset 81 belong to no entry");
    let mut overlap = Entry::deflated("a", "abc");
    overlap.offset = Some(4000);
    let zip = with(overlap);
    assert!(read(&zip, "a").is_err() && open(&zip).is_err());
}

/// A descriptor that reaches to the next entry, not to the list.
#[test]
fn between_others() {
    let descriptor = |name, content| Entry::deflated(name, content).with_descriptor(true);
    let zip = Archive::of([descriptor("SKILL.md", "# hi\n"), descriptor("a", "1"), descriptor("b", "2")]);
    for (name, content) in [("SKILL.md", "# hi\n"), ("a", "1"), ("b", "2")] {
        assert_eq!(read(&zip.bytes(), name).unwrap().as_deref(), Some(content.as_bytes()));
    }
}
