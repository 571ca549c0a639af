//! Every way a tar or its gzip can lie, one test each. The snapshot is code and message.

use insta::assert_snapshot;
use skill_bundle::Limits;

use crate::craft::gzipped;
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
    ] {
        let error = open(&with(file(name, "x"))).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    assert_snapshot!(refused(&with(file("a/../b", "x"))), @"bundle-path-parent: entry 2: `a/../b` leaves its folder");
}

#[test]
fn names_that_meet() {
    assert_snapshot!(refused(&with(file("SKILL.md", "x"))), @"bundle-duplicate: `SKILL.md` is there twice");
    assert_snapshot!(refused(&with(file("./SKILL.md", "x"))), @"bundle-duplicate: `SKILL.md` is there twice");
    assert_snapshot!(refused(&with(file("Skill.md", "x"))), @"bundle-two-skill-md: `SKILL.md` and `Skill.md` are both the skill's main file");
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
    let parts = archive(&[file("SKILL.md", "x"), link("cur", b'2', "."), file("cur/x", "x")]);
    assert_snapshot!(refused(&parts), @"bundle-special-file: `cur` is a link to `.`, and links in archives are not followed");
}

#[test]
fn special_files() {
    assert_snapshot!(refused(&with(link("x", b'3', ""))), @"bundle-special-file: `x` is a device, not a file");
    assert_snapshot!(refused(&with(link("x", b'4', ""))), @"bundle-special-file: `x` is a device, not a file");
    assert_snapshot!(refused(&with(link("x", b'6', ""))), @"bundle-special-file: `x` is a named pipe, not a file");
    assert_snapshot!(refused(&with(link("x", b'S', ""))), @"bundle-special-file: entry 2, `x`, has the unknown type `S`");
    assert_snapshot!(refused(&with(link("x", b'7', ""))), @"bundle-special-file: entry 2, `x`, has the unknown type `7`");
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
    assert_snapshot!(refused(&with(block.to_vec())), @"bundle-headers-differ: the header's checksum cannot be read, at entry 2");
}

#[test]
fn a_checksum_of_signed_bytes() {
    let mut block = header("é".as_bytes(), b'0', 0, 0o644);
    let unsigned: u32 =
        std::str::from_utf8(&block[148..154]).map(|text| u32::from_str_radix(text, 8)).unwrap().unwrap();
    // Each of the two bytes above 127 counts 256 less.
    block[148..156].copy_from_slice(format!("{:06o}\0 ", unsigned - 512).as_bytes());
    assert_snapshot!(refused(&with(block.to_vec())), @"bundle-headers-differ: the header's checksum cannot be read, at entry 2");
}

#[test]
fn numbers_that_are_not_octal() {
    let mut base_256 = header(b"a", b'0', 0, 0o644);
    base_256[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_snapshot!(refused(&with(sealed(base_256).to_vec())), @"bundle-headers-differ: the size cannot be read, at entry 2");
    let mut decimal = header(b"a", b'0', 0, 0o644);
    decimal[124..136].copy_from_slice(b"00000000009\0");
    assert_snapshot!(refused(&with(sealed(decimal).to_vec())), @"bundle-headers-differ: the size cannot be read, at entry 2");
    let mut magic = header(b"a", b'0', 0, 0o644);
    magic[257..265].copy_from_slice(b"ustar\x0099");
    assert_snapshot!(refused(&with(sealed(magic).to_vec())), @"bundle-headers-differ: the header's format cannot be read, at entry 2");
}

/// What the library or another reader would take for a number.
#[test]
fn numbers_that_readers_read_differently() {
    for (field, text, what) in [
        (124..136, &b"+0000000003\0"[..], "the size"),
        (124..136, b"\x0000000000003", "the size"),
        (124..136, b"\t0000000003\0", "the size"),
        (124..136, b"0000003\x000000", "the size"),
        (124..136, b"            ", "the size"),
        (100..108, b"+000755\0", "the mode"),
        (100..108, b"\x000000755", "the mode"),
        (100..108, b"0000799\0", "the mode"),
    ] {
        let mut block = header(b"a", b'0', 3, 0o644);
        block[field].copy_from_slice(text);
        let bytes = [sealed(block).as_slice(), &padded(b"abc")].concat();
        let expected = format!("bundle-headers-differ: {what} cannot be read, at entry 2");
        assert_eq!(refused(&with(bytes)), expected, "{}", text.escape_ascii());
    }
    for text in [b"+01234\0 ", b"\x00012345 ", b"\t12345\0 "] {
        let mut block = header(b"a", b'0', 0, 0o644);
        block[148..156].copy_from_slice(text);
        assert_eq!(
            refused(&with(block.to_vec())),
            "bundle-headers-differ: the header's checksum cannot be read, at entry 2"
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
    assert_snapshot!(refused(&with(lies)), @"bundle-headers-differ: entry 3 changes `size` in an extended header");
    let agrees = pax(b'x', &record("size", "3"), &file("a", "abc"));
    assert!(open(&with(agrees)).is_ok());
}

#[test]
fn sparse_files() {
    let sparse = pax(b'x', &record("GNU.sparse.major", "1"), &file("a", "abc"));
    assert_snapshot!(refused(&with(sparse)), @"bundle-headers-differ: entry 3 changes `GNU.sparse.major` in an extended header");
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
    assert_snapshot!(refused(&with(named)), @"bundle-headers-differ: entry 2 changes `path` in an extended header");
    assert!(open(&with(pax(b'g', &record("comment", "commit"), &file("a", "abc")))).is_ok());
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
    for records in ["11 path=a\n", "path=a\n", "9 path=a", "8 pat=a\n\n", "99999999 x=y\n"] {
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
fn bomb() {
    // 200 MB of zeros in an entry that is left out all the same: nothing of it is kept, and all of it would be read.
    let mut tar = file("SKILL.md", "x");
    tar.extend(header(b".DS_Store", b'0', 200_000_000, 0o644));
    tar.resize(tar.len() + 200_000_256, 0);
    let packed = gzipped(&tar);
    assert!(packed.len() < 1_000_000);
    assert_eq!(open(&packed).unwrap_err().code(), "bundle-bomb");
    // And behind the end.
    let mut tar = with(file("a", "abc"));
    tar.resize(tar.len() + 2_000_000, 0);
    assert_eq!(open(&gzipped(&tar)).unwrap_err().code(), "bundle-bomb");
}

#[test]
fn gzip_checksum_and_length() {
    let whole = gzipped(&with(file("a", "abc")));
    for at in [whole.len() - 8, whole.len() - 1] {
        let mut wrong = whole.clone();
        wrong[at] ^= 1;
        assert_eq!(refused(&wrong), "bundle-checksum: the checksum of the gzip stream does not match");
    }
}

#[test]
fn gzip_members_and_trailing_bytes() {
    let whole = gzipped(&with(file("a", "abc")));
    let twice = [whole.clone(), gzipped(b"")].concat();
    assert_snapshot!(refused(&twice), @"bundle-trailing-bytes: the archive is two gzip streams in a row");
    let garbage = [whole, b"garbage".to_vec()].concat();
    assert_snapshot!(refused(&garbage), @"bundle-trailing-bytes: there are bytes behind the end of the archive");
}

#[test]
fn gzip_of_something_else() {
    assert_snapshot!(refused(&gzipped(b"hello")), @"bundle-truncated: the archive is cut off in its end");
    assert_snapshot!(refused(&gzipped(&[b'x'; 600])), @"bundle-unknown-format: this is neither a zip archive nor a tar archive");
}

#[test]
fn cut_off_at_every_byte() {
    let tar = with(file("a", "abc"));
    for length in (0..tar.len()).step_by(7) {
        assert!(open(&tar[..length]).is_err(), "{length}");
    }
    let gz = gzipped(&tar);
    for length in 0..gz.len() {
        assert!(open(&gz[..length]).is_err(), "{length}");
    }
    assert_snapshot!(refused(&gz[..gz.len() - 4]), @"bundle-truncated: the archive is cut off in the gzip stream");
}
