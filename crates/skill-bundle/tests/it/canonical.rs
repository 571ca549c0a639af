use std::fmt::Write as _;
use std::io::{Cursor, ErrorKind, Read as _, Write};
use std::process::Command;

use skill_bundle::{Bundle, BundleBuilder, BundlePath, Limits, write_canonical};
use skill_core::digest::Sha256;

use crate::{bundle, open, sample};

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

/// The worked vector of docs/FORMAT.md, which was put down byte by byte.
#[test]
fn the_bytes_that_the_format_spells_out() {
    let expected = "\
        50 4b 03 04 14 00 00 00 08 00 00 00 21 00 9f ae 5f f2 07 00 00 00 05 00 00 00 08 00 00 00 \
        53 4b 49 4c 4c 2e 6d 64 53 56 c8 c8 e4 02 00 \
        50 4b 01 02 14 03 14 00 00 00 08 00 00 00 21 00 9f ae 5f f2 07 00 00 00 05 00 00 00 08 00 00 00 \
        00 00 00 00 00 00 00 00 a4 81 00 00 00 00 53 4b 49 4c 4c 2e 6d 64 \
        50 4b 05 06 00 00 00 00 01 00 01 00 36 00 00 00 2d 00 00 00 00 00";
    let bytes: Vec<String> =
        zipped(&bundle(&[("SKILL.md", false, "# hi\n")])).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(bytes.join(" "), expected);
}

#[test]
fn python_finds_what_the_format_says() {
    let zip = tempfile::NamedTempFile::new().unwrap();
    fs_err::write(zip.path(), zipped(&sample())).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/list_zip.py");
    let Ok(run) = Command::new("python3").arg(script).arg(zip.path()).output() else {
        eprintln!("not run: python3 is not here");
        return;
    };
    insta::assert_snapshot!(String::from_utf8(run.stdout).unwrap(), @r"
    comment 0, test None
    100644+0 by 3.20 needs 20 flags 0x0000 method 8 (1980, 1, 1, 0, 0, 0) 26 0 0 SKILL.md
    100644+0 by 3.20 needs 20 flags 0x0000 method 8 (1980, 1, 1, 0, 0, 0) 1 0 0 a-b/c
    100644+0 by 3.20 needs 20 flags 0x0000 method 8 (1980, 1, 1, 0, 0, 0) 1 0 0 a/c
    100644+0 by 3.20 needs 20 flags 0x0000 method 8 (1980, 1, 1, 0, 0, 0) 0 0 0 empty
    100755+0 by 3.20 needs 20 flags 0x0000 method 8 (1980, 1, 1, 0, 0, 0) 18 0 0 scripts/run.sh
    100644+0 by 3.20 needs 20 flags 0x0800 method 8 (1980, 1, 1, 0, 0, 0) 5 0 0 数据/天气.md
    ");
}

/// Whatever fails is told, and the library behind prints nothing of its own about it.
#[test]
fn a_disk_that_is_full() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let whole = zipped(&sample()).len();
    for room in 0..whole {
        assert_eq!(
            write_canonical(&sample(), Full(room)).unwrap_err().kind(),
            ErrorKind::StorageFull,
            "{room}"
        );
    }
    assert!(write_canonical(&sample(), Full(whole)).is_ok());
}

#[test]
fn more_files_than_a_zip_counts_without_64_bit_fields() {
    let many = |count: usize| {
        let mut builder = BundleBuilder::new(Limits { files: 70_000, ..Limits::default() });
        builder.add(BundlePath::parse("SKILL.md").unwrap(), false, Vec::new()).unwrap();
        for number in 1..count {
            builder.add(BundlePath::parse(&format!("{number}")).unwrap(), false, Vec::new()).unwrap();
        }
        builder.finish().unwrap()
    };
    let error = write_canonical(&many(65_535), std::io::sink()).unwrap_err();
    assert_eq!(error.to_string(), "the bundle is too large for a zip without 64-bit fields");
}

#[test]
fn the_library_that_wrote_it_finds_what_the_format_says() {
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
