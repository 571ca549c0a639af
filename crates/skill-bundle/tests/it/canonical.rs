use std::fmt::Write as _;
use std::io::{Cursor, Read as _};

use skill_bundle::{Bundle, BundlePath, Limits, read_entry, write_canonical};
use skill_core::digest::Sha256;

use crate::{open, refusal, sample};

fn zipped(bundle: &Bundle) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = write_canonical(bundle, &mut bytes).unwrap();
    assert_eq!((written.sha256, written.size), (Sha256::of(&bytes), bytes.len() as u64));
    bytes
}

#[test]
fn golden_vector() {
    insta::assert_snapshot!(Sha256::of(zipped(&sample())), @"3b949b2c7978d29aec96db9747c3ef3f1421e74b8e85293cbd30907701cc66e4");
}

#[test]
fn the_same_bundle_gives_the_same_bytes() {
    assert_eq!(zipped(&sample()), zipped(&sample()));
}

#[test]
fn reads_back() {
    assert_eq!(open(&zipped(&sample())).unwrap(), sample());
}

#[test]
fn an_independent_reader_finds_what_the_format_says() {
    let mut archive = zip::ZipArchive::new(Cursor::new(zipped(&sample()))).unwrap();
    assert!(archive.comment().is_empty());
    let mut listing = String::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        let name = entry.name().unwrap().into_owned();
        assert_eq!(content, sample().get(&name).unwrap().content());
        assert_eq!(entry.compression(), zip::CompressionMethod::Deflated);
        assert_eq!(entry.extra_data().unwrap_or_default(), b"");
        let time = entry.last_modified().unwrap();
        writeln!(listing, "{:o} {} {name} {time}", entry.unix_mode().unwrap(), entry.size()).unwrap();
    }
    insta::assert_snapshot!(listing, @r"
    100644 26 SKILL.md 1980-01-01 00:00:00
    100644 1 a-b/c 1980-01-01 00:00:00
    100644 1 a/c 1980-01-01 00:00:00
    100644 0 empty 1980-01-01 00:00:00
    100755 18 scripts/run.sh 1980-01-01 00:00:00
    100644 5 数据/天气.md 1980-01-01 00:00:00
    ");
}

#[test]
fn one_entry() {
    let mut zip = Cursor::new(zipped(&sample()));
    let limits = Limits::default();
    let mut read = |path: &str| read_entry(&mut zip, &BundlePath::parse(path).unwrap(), &limits);
    assert_eq!(read("数据/天气.md").unwrap().as_deref(), Some("晴\r\n".as_bytes()));
    assert_eq!(read("empty").unwrap().as_deref(), Some(&b""[..]));
    assert_eq!(read("absent").unwrap(), None);
}

#[test]
fn one_entry_of_a_damaged_archive() {
    let mut bytes = zipped(&sample());
    let at = bytes.windows(8).position(|window| window == b"SKILL.md").unwrap() + 8;
    bytes[at + 4] ^= 1;
    let skill_md = BundlePath::parse("SKILL.md").unwrap();
    assert!(read_entry(&mut Cursor::new(&bytes), &skill_md, &Limits::default()).is_err());
    let small = Limits { file_bytes: 4, ..Limits::default() };
    let large = read_entry(&mut Cursor::new(zipped(&sample())), &skill_md, &small);
    insta::assert_snapshot!(refusal(large), @"bundle-file-large: `SKILL.md` holds 26 bytes, 4 are allowed");
}
