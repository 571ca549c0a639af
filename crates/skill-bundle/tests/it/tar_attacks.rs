//! Every way a tar can lie, one test each. The snapshot is code and message.

use insta::assert_snapshot;
use skill_bundle::Limits;

use crate::craft::tar::{archive, entry, file, header, link, padded, record, sealed, with};
use crate::{open, open_within, refusal};

fn refused(bytes: &[u8]) -> String {
    refusal(open(bytes))
}

#[test]
fn hostile_names() {
    for (name, code) in [
        ("../../.bashrc", "bundle-path-parent"),
        ("././a", "bundle-path-empty"),
        ("/etc/passwd", "bundle-path-absolute"),
        ("C:/x", "bundle-path-drive"),
        ("a\\b", "bundle-path-backslash"),
        ("a\nb", "bundle-path-control"),
        ("a\u{202e}b", "bundle-path-bidi"),
        ("NUL", "bundle-path-device"),
        ("a.", "bundle-path-trailing"),
        ("a:b", "bundle-path-drive"),
        ("a//b", "bundle-path-empty"),
        ("com\u{b9}.txt", "bundle-path-device"),
        ("CONIN$", "bundle-path-device"),
        ("a\u{200b}b", "bundle-path-bidi"),
        ("LONGNA~1.MD", "bundle-path-collision"),
    ] {
        let error = open(&with(file(name, "x"))).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    let latin = header(b"caf\xe9.md", b'0', 0, 0o644).to_vec();
    assert_snapshot!(refused(&with(latin)), @"bundle-path-encoding: entry 2: `caf�.md` is not UTF-8");
    let long = pax(b'x', &record("path", &"a".repeat(241)), &file("a", "x"));
    assert_eq!(open(&with(long)).unwrap_err().code(), "bundle-path-long");
    assert_snapshot!(refused(&with(file("a/../b", "x"))), @"bundle-path-parent: entry 2: `a/../b` leaves its folder");
}

#[test]
fn names_that_meet() {
    assert_snapshot!(refused(&with(file("SKILL.md", "x"))), @"bundle-duplicate: `SKILL.md` is there twice");
    assert_snapshot!(refused(&with(file("./SKILL.md", "x"))), @"bundle-duplicate: `SKILL.md` is there twice");
    assert_snapshot!(refused(&with(file("Skill.md", "x"))), @"bundle-two-skill-md: `SKILL.md` and `Skill.md` are both the skill's main file");
    let spelt = |one: &str, other: &str| {
        refused(&archive(&[file("SKILL.md", "x"), file(one, "1"), file(other, "2")]))
    };
    assert_snapshot!(spelt("é", "e\u{301}"), @"bundle-duplicate: `é` is there twice");
    assert_snapshot!(spelt("a/B", "A/b"), @"bundle-path-collision: `a` and `A` are the same path on some systems");
    assert_snapshot!(spelt("a", "a/b"), @"bundle-file-folder: `a` is a file and also a folder");
    assert_snapshot!(refused(&with(entry("SKILL.md/", b'5', "", 0o755))), @"bundle-file-folder: `SKILL.md` is a file and also a folder");
}

#[test]
fn links() {
    assert_snapshot!(refused(&with(link("data", b'2', "../../shared"))), @"bundle-link-outside: `data` is a link that leaves the bundle, to `../../shared`");
    assert_snapshot!(refused(&with(link("data", b'2', "SKILL.md"))), @"bundle-special-file: `data` is a link to `SKILL.md`, and links in archives are not followed");
    assert_snapshot!(refused(&with(link("data", b'1', "SKILL.md"))), @"bundle-special-file: `data` is a hard link, not a file");
}

#[test]
fn a_link_that_is_written_through() {
    let two_steps = archive(&[link("cur", b'2', "."), link("par", b'2', "cur/.."), file("par/x", "x")]);
    assert_snapshot!(refused(&two_steps), @"bundle-special-file: `cur` is a link to `.`, and links in archives are not followed");
    let second = archive(&[file("SKILL.md", "x"), link("par", b'2', "cur/.."), file("par/x", "x")]);
    assert_snapshot!(refused(&second), @"bundle-special-file: `par` is a link to `cur/..`, and links in archives are not followed");
    let parts = archive(&[file("SKILL.md", "x"), link("cur", b'2', "."), file("cur/x", "x")]);
    assert_snapshot!(refused(&parts), @"bundle-special-file: `cur` is a link to `.`, and links in archives are not followed");
}

#[test]
fn special_files() {
    assert_snapshot!(refused(&with(link("x", b'3', ""))), @"bundle-special-file: `x` is a device, not a file");
    assert_snapshot!(refused(&with(link("x", b'4', ""))), @"bundle-special-file: `x` is a device, not a file");
    assert_snapshot!(refused(&with(link("x", b'6', ""))), @"bundle-special-file: `x` is a named pipe, not a file");
    assert_snapshot!(refused(&with(link("x", b'S', ""))), @"bundle-special-file: entry 2, `x`, has the unknown type `S`");
    assert_snapshot!(refused(&with(link("x", b'V', ""))), @"bundle-special-file: `x` is a label of the archive, not a file");
    assert_snapshot!(refused(&with(link("x", b'D', ""))), @"bundle-special-file: `x` is a list of an incremental backup, not a file");
    assert_snapshot!(refused(&with(link("x", b'M', ""))), @"bundle-special-file: `x` is the rest of a file from another volume, not a file");
    assert_snapshot!(refused(&with(link("x", b'7', ""))), @"bundle-special-file: entry 2, `x`, has the unknown type `7`");
}

/// Others do not leave it out.
#[test]
fn special_files_in_what_is_left_out() {
    assert_snapshot!(refused(&with(link("a/._b", b'2', ""))), @"bundle-special-file: `a/._b` is a link to ``, and links in archives are not followed");
    assert_snapshot!(refused(&with(link("a/._b", b'1', "SKILL.md"))), @"bundle-special-file: `a/._b` is a hard link, not a file");
    assert_snapshot!(refused(&with(link(".git/x", b'N', ""))), @"bundle-special-file: entry 2, `.git/x`, has the unknown type `N`");
}

#[test]
fn folders_that_are_files() {
    assert_snapshot!(refused(&with(entry("a/", b'5', "content", 0o755))), @"bundle-headers-differ: entry 2, `a/`, is a folder in one place and a file in another");
    assert_snapshot!(refused(&with(file("a/", ""))), @"bundle-headers-differ: entry 2, `a/`, is a folder in one place and a file in another");
}

#[test]
fn header_checksum() {
    let mut block = header(b"a", b'0', 0, 0o644);
    block[0] = b'b';
    assert_snapshot!(refused(&with(block.to_vec())), @"bundle-headers-differ: the checksum of the header does not match, at entry 2");
}

#[test]
fn a_checksum_of_signed_bytes() {
    let mut block = header("é".as_bytes(), b'0', 0, 0o644);
    let unsigned: u32 =
        std::str::from_utf8(&block[148..154]).map(|text| u32::from_str_radix(text, 8)).unwrap().unwrap();
    // Each of the two bytes above 127 counts 256 less.
    block[148..156].copy_from_slice(format!("{:06o}\0 ", unsigned - 512).as_bytes());
    assert_snapshot!(refused(&with(block.to_vec())), @"bundle-headers-differ: the checksum of the header does not match, at entry 2");
}

#[test]
fn numbers_that_are_not_octal() {
    let mut base_256 = header(b"a", b'0', 0, 0o644);
    base_256[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_snapshot!(refused(&with(sealed(base_256).to_vec())), @"bundle-headers-differ: the size is not a number that every reader reads, at entry 2");
    let mut decimal = header(b"a", b'0', 0, 0o644);
    decimal[124..136].copy_from_slice(b"00000000009\0");
    assert_snapshot!(refused(&with(sealed(decimal).to_vec())), @"bundle-headers-differ: the size is not a number that every reader reads, at entry 2");
    let mut magic = header(b"a", b'0', 0, 0o644);
    magic[257..265].copy_from_slice(b"ustar\x0099");
    assert_snapshot!(refused(&with(sealed(magic).to_vec())), @"bundle-headers-differ: the header's format cannot be read, at entry 2");
}

/// What the library or another reader would take for a number.
#[test]
fn numbers_that_readers_read_differently() {
    for (field, text, what) in [
        (124..136, &b"+0000000003\0"[..], "size"),
        (124..136, b"\x0000000000003", "size"),
        (124..136, b"\t0000000003\0", "size"),
        (124..136, b"0000003\x000000", "size"),
        (124..136, b"            ", "size"),
        (100..108, b"+000755\0", "mode"),
        (100..108, b"\x000000755", "mode"),
        (100..108, b"0000799\0", "mode"),
        (108..116, b"000_000\0", "owner"),
        (116..124, b"-000001\0", "group"),
        (136..148, b"0000000000x\0", "time"),
        (329..337, b"0x00000\0", "device"),
        (337..345, b"garbage\0", "device"),
    ] {
        let mut block = header(b"a", b'0', 3, 0o644);
        block[field].copy_from_slice(text);
        let bytes = [sealed(block).as_slice(), &padded(b"abc")].concat();
        let expected =
            format!("bundle-headers-differ: the {what} is not a number that every reader reads, at entry 2");
        assert_eq!(refused(&with(bytes)), expected, "{}", text.escape_ascii());
    }
    for text in [b"+01234\0 ", b"\x00012345 ", b"\t12345\0 "] {
        let mut block = header(b"a", b'0', 0, 0o644);
        block[148..156].copy_from_slice(text);
        assert_eq!(
            refused(&with(block.to_vec())),
            "bundle-headers-differ: the checksum of the header does not match, at entry 2"
        );
    }
}

/// What holds no octal digits for lack of room is written in GNU's binary form, and read past.
#[test]
fn owners_and_times_in_binary() {
    let mut block = header(b"a", b'0', 0, 0o644);
    block[108..116].copy_from_slice(&[0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]);
    block[136..148].copy_from_slice(&[0xff; 12]);
    block[329..345].fill(0);
    assert!(open(&with(sealed(block).to_vec())).is_ok());
}

#[test]
fn a_prefix_where_the_format_has_none() {
    for magic in [&b"ustar  \0"[..], &[0; 8]] {
        let mut block = header(b"a", b'0', 0, 0o644);
        block[257..265].copy_from_slice(magic);
        assert!(open(&with(sealed(block).to_vec())).is_ok());
        block[345..348].copy_from_slice(b"dir");
        let refused = refused(&with(sealed(block).to_vec()));
        assert_eq!(
            refused,
            "bundle-headers-differ: entry 2 has a prefix to its name that not every reader sees"
        );
    }
}

#[test]
fn an_empty_mode_goes_by_the_first_line() {
    let mut block = header(b"a", b'0', 3, 0o644);
    block[100..108].fill(0);
    let with_content = |content: &[u8]| with([sealed(block).as_slice(), &padded(content)].concat());
    assert!(!open(&with_content(b"abc")).unwrap().get("a").unwrap().executable());
    assert!(open(&with_content(b"#!x")).unwrap().get("a").unwrap().executable());
}

fn pax(kind: u8, records: &str, next: &[u8]) -> Vec<u8> {
    [entry("pax", kind, records, 0o644), next.to_vec()].concat()
}

#[test]
fn a_size_said_twice() {
    let lies = pax(b'x', &record("size", "512"), &file("a", "abc"));
    assert_snapshot!(refused(&with(lies)), @"bundle-headers-differ: entry 3 has one size in its header and another in an extended header");
    let agrees = pax(b'x', &record("size", "3"), &file("a", "abc"));
    assert!(open(&with(agrees)).is_ok());
}

#[test]
fn sparse_files() {
    let sparse = pax(b'x', &record("GNU.sparse.major", "1"), &file("a", "abc"));
    assert_snapshot!(refused(&with(sparse)), @"bundle-headers-differ: entry 3 is a sparse file, by `GNU.sparse.major` in an extended header");
}

#[test]
fn sparse_files_of_every_kind() {
    for key in ["GNU.sparse.map", "GNU.sparse.size", "SCHILY.realsize", "SUN.holesdata"] {
        let sparse = pax(b'x', &record(key, "1"), &file("a", "abc"));
        let expected =
            format!("bundle-headers-differ: entry 3 is a sparse file, by `{key}` in an extended header");
        assert_eq!(refused(&with(sparse)), expected);
    }
    assert_snapshot!(refused(&with(entry("a", b'S', "abc", 0o644))), @"bundle-special-file: entry 2, `a`, has the unknown type `S`");
}

/// A size in an extended header that hides an archive in the content: who reads the other size finds its entries.
#[test]
fn an_archive_behind_a_size() {
    let hidden = archive(&[file("evil.sh", "#!/bin/sh")]);
    let mut parts = entry("pax", b'x', &record("size", &hidden.len().to_string()), 0o644);
    parts.extend(header(b"data", b'0', 0, 0o644));
    parts.extend(hidden);
    assert_snapshot!(refused(&with(parts)), @"bundle-headers-differ: entry 3 has one size in its header and another in an extended header");
    let mut reversed = entry("pax", b'x', &record("size", "0"), 0o644);
    reversed.extend(file("data", &"x".repeat(600)));
    assert_snapshot!(refused(&with(reversed)), @"bundle-headers-differ: entry 3 has one size in its header and another in an extended header");
}

/// A link's target in front of a file makes a link of it for some readers.
#[test]
fn a_file_with_a_target() {
    let gnu = [entry("././@LongLink", b'K', "SKILL.md\0", 0o644), file("a", "abc")].concat();
    assert_snapshot!(refused(&with(gnu)), @"bundle-headers-differ: entry 3 is a file in its header and a link in an extended header");
    let posix = pax(b'x', &record("linkpath", "SKILL.md"), &file("a", "abc"));
    assert_snapshot!(refused(&with(posix)), @"bundle-headers-differ: entry 3 is a file in its header and a link in an extended header");
    let long = pax(b'x', &record("linkpath", "../../very/long"), &link("a", b'2', "short"));
    assert_snapshot!(refused(&with(long)), @"bundle-link-outside: `a` is a link that leaves the bundle, to `../../very/long`");
}

/// Attributes and access lists are no part of a bundle, and dropped.
#[test]
fn attributes_and_access_lists_are_dropped() {
    let records = record("SCHILY.xattr.user.x", "y")
        + &record("SCHILY.acl.access", "user::rwx,other::rwx")
        + &record("LIBARCHIVE.xattr.security.capability", "AQ==")
        + &record("RHT.security.selinux", "unconfined")
        + &record("SCHILY.fflags", "nodump");
    let bundle = open(&with(pax(b'x', &records, &file("a", "abc")))).unwrap();
    assert_eq!(bundle, open(&with(file("a", "abc"))).unwrap());
}

/// Of a mode the owner's execute bit is kept: neither setuid nor sticky nor anybody's right to write.
#[test]
fn modes_are_one_bit() {
    for (mode, executable) in
        [(0o4755, true), (0o2644, false), (0o1777, true), (0o666, false), (0o033, false)]
    {
        let bundle = open(&with(entry("a", b'0', "abc", mode))).unwrap();
        assert_eq!(bundle.get("a").unwrap().executable(), executable, "{mode:o}");
    }
}

/// A name that makes a tar begin like another format.
#[test]
fn two_formats_at_once() {
    for name in [&b"PK\x03\x04"[..], b"PK", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"] {
        let bytes = archive(&[header(name, b'0', 0, 0o644).to_vec()]);
        assert_eq!(refused(&bytes), "bundle-unknown-format: the archive begins like two formats at once");
    }
}

#[test]
fn an_archive_in_an_archive_is_a_file() {
    let nested = (0..10).fold(archive(&[file("evil.sh", "#!/bin/sh")]), |inner, _| {
        let mut part = header(b"inner.tar", b'0', inner.len() as u64, 0o644).to_vec();
        part.extend(inner);
        with(part)
    });
    assert_eq!(crate::listing(&open(&nested).unwrap()), "SKILL.md inner.tar");
}

/// Some readers go on behind the size up to the next NUL.
#[test]
fn long_names_without_an_end() {
    for name in ["long.md", "a\0b\0", "a\0\0", "", "a\0b"] {
        for kind in *b"LK" {
            let bytes = [entry("././@LongLink", kind, name, 0o644), file("a", "abc")].concat();
            let expected = "bundle-headers-differ: entry 2 holds a long name that not every reader ends in the same place";
            assert_eq!(refused(&with(bytes)), expected, "{name:?}");
        }
    }
}

/// The root has a name: `./`. Some readers make `.` of none, some refuse it.
#[test]
fn folders_without_a_name() {
    let gnu = [entry("././@LongLink", b'L', "\0", 0o644), entry("a/", b'5', "", 0o755)].concat();
    assert_snapshot!(refused(&with(gnu)), @"bundle-path-empty: entry 3: `` has an empty segment");
    let posix = pax(b'x', &record("path", ""), &entry("a/", b'5', "", 0o755));
    assert_snapshot!(refused(&with(posix)), @"bundle-path-empty: entry 3: `` has an empty segment");
    assert!(open(&with(entry("./", b'5', "", 0o755))).is_ok());
}

/// Nothing here reads them, and some readers stop at one that they cannot read.
#[test]
fn numbers_in_extended_headers() {
    let opened = |key, value| open(&with(pax(b'x', &record(key, value), &file("a", "abc"))));
    for (key, value) in
        [("mtime", "1.5"), ("atime", "-1"), ("ctime", "1700000000.123456789"), ("uid", "4294967295")]
    {
        assert!(opened(key, value).is_ok(), "{key}={value}");
    }
    for (key, value, field) in [
        ("mtime", "x", "time"),
        ("atime", "", "time"),
        ("uid", "4294967296", "owner"),
        ("gid", "+1", "group"),
    ] {
        let expected =
            format!("bundle-headers-differ: the {field} is not a number that every reader reads, at entry 3");
        assert_eq!(refusal(opened(key, value)), expected);
    }
}

#[test]
fn names_said_twice() {
    let long = || entry("././@LongLink", b'L', "long.md\0", 0o644);
    let both = [long(), pax(b'x', &record("path", "pax.md"), &file("a", "abc"))].concat();
    assert_snapshot!(refused(&with(both)), @"bundle-headers-differ: entry 4 is named twice, or a name stands without its entry");
    let twice = [long(), long(), file("a", "abc")].concat();
    assert_snapshot!(refused(&with(twice)), @"bundle-headers-differ: entry 3 is named twice, or a name stands without its entry");
    let records = record("path", "one") + &record("path", "two");
    assert_snapshot!(refused(&with(pax(b'x', &records, &file("a", "abc")))), @"bundle-headers-differ: entry 2 is named twice, or a name stands without its entry");
    assert_snapshot!(refused(&with(long())), @"bundle-headers-differ: entry 3 is named twice, or a name stands without its entry");
}

#[test]
fn a_global_header_that_names() {
    let named = pax(b'g', &record("path", "all.md"), &file("a", "abc"));
    assert_snapshot!(refused(&with(named)), @"bundle-headers-differ: entry 2 sets `path` for all entries that follow");
    assert!(open(&with(pax(b'g', &record("comment", "commit"), &file("a", "abc")))).is_ok());
    let last = pax(b'g', &record("comment", "commit"), &[]);
    assert_snapshot!(refused(&with(last)), @"bundle-headers-differ: entry 3 is named twice, or a name stands without its entry");
}

/// macOS puts attributes of files, any bytes, into records.
#[test]
fn a_record_with_line_feeds() {
    let records = record("SCHILY.xattr.x", "a\n\n9 path=b\n") + &record("path", "named.md");
    let bundle = open(&with(pax(b'x', &records, &file("a", "abc")))).unwrap();
    assert_eq!(crate::listing(&bundle), "SKILL.md named.md");
}

#[test]
fn malformed_records() {
    for records in ["11 path=a\n", "path=a\n", "9 path=a", "5 =a\n", "8 pat=a\n\n", "99999999 x=y\n"] {
        let error = open(&with(pax(b'x', records, &file("a", "abc")))).unwrap_err();
        assert_eq!(error.to_string(), "an extended header cannot be read, at entry 2", "{records:?}");
    }
    let large = pax(b'x', &record("comment", &"x".repeat(70_000)), &file("a", "abc"));
    assert_snapshot!(refused(&with(large)), @"bundle-headers-differ: an extended header cannot be read, at entry 2");
}

#[test]
fn no_end() {
    let whole = with(file("a", "abc"));
    assert_snapshot!(refused(&whole[..whole.len() - 1024]), @"bundle-truncated: the archive is cut off in its end");
    assert_snapshot!(refused(&whole[..whole.len() - 512]), @"bundle-truncated: the archive is cut off in its end");
}

#[test]
fn bytes_behind_the_end() {
    let mut one_zero_block = file("SKILL.md", "x");
    one_zero_block.extend([0; 512]);
    one_zero_block.extend(file("hidden", "x"));
    one_zero_block.extend([0; 1024]);
    assert_snapshot!(refused(&one_zero_block), @"bundle-trailing-bytes: there are bytes behind the end of the archive");
    let mut behind = with(file("a", "abc"));
    behind.extend(file("hidden", "x"));
    assert_snapshot!(refused(&behind), @"bundle-trailing-bytes: there are bytes behind the end of the archive");
}

#[test]
fn too_large() {
    let limits = Limits { file_bytes: 10, bundle_bytes: 15, files: 2, ..Limits::default() };
    assert_snapshot!(refusal(open_within(&with(file("a", "12345678901")), &limits)), @"bundle-file-large: `a` holds 11 bytes, 10 are allowed");
    let all = archive(&[file("SKILL.md", "123456789"), file("a", "1234567")]);
    assert_snapshot!(refusal(open_within(&all, &limits)), @"bundle-large: the files hold more than 15 bytes in all, at `a`");
    let many = archive(&[file("SKILL.md", "1"), file("a", "1"), file("b", "1")]);
    assert_snapshot!(refusal(open_within(&many, &limits)), @"bundle-files-many: there are more than 2 files");
    let folders: Vec<Vec<u8>> = (0..9).map(|number| entry(&format!("d{number}"), b'5', "", 0o755)).collect();
    assert_snapshot!(refusal(open_within(&archive(&folders), &limits)), @"bundle-files-many: there are more than 8 entries");
}

#[test]
fn cut_off_at_every_byte() {
    let tar = with(file("a", "abc"));
    for length in (0..tar.len()).step_by(7) {
        assert!(open(&tar[..length]).is_err(), "{length}");
    }
}
