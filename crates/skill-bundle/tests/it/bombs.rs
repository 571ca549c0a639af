//! Archives that are small and would unpack to very much, or hold very many entries: each is refused, in a process
//! of its own that never holds more than 32 MiB, and before more of it is read than has to be.

use std::io::{Cursor, Read, Seek, SeekFrom, Write as _};
use std::process::Command;

use skill_bundle::{Limits, open_archive};

use crate::craft::zip::{Archive, Entry};
use crate::craft::{deflated, tar};
use crate::refusal;

const MIB: usize = 1024 * 1024;
/// In the child's environment: the archive that it opens.
const TOLD: &str = "OPEN_THIS_ARCHIVE";

/// Code and message, and the most memory that a process held which did nothing but open the archive.
fn opened_by_a_child(archive: &[u8]) -> (String, usize) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs_err::write(file.path(), archive).unwrap();
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "bombs::a_child_opens_what_it_is_told", "--nocapture", "--test-threads=1"])
        .env(TOLD, file.path())
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    let (outcome, peak) = said.trim().rsplit_once('\n').unwrap_or_else(|| panic!("{said}"));
    (outcome.to_owned(), peak.parse::<usize>().unwrap() * 1024)
}

/// Not a test by itself: what [`opened_by_a_child`] starts.
#[test]
fn a_child_opens_what_it_is_told() {
    #[expect(clippy::disallowed_methods, reason = "a child of these tests is told by its environment")]
    let Some(path) = std::env::var_os(TOLD) else { return };
    let mut file = fs_err::File::open(path).unwrap();
    match open_archive(&mut file, &Limits::default()) {
        Ok((bundle, _)) => eprintln!("{} files", bundle.len()),
        Err(error) => eprintln!("{}: {error}", error.code()),
    }
    let status = fs_err::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    eprintln!("{}", peak.trim().trim_end_matches(" kB"));
}

/// Refused with this code and message, and with little memory and little read.
fn refused_in_little_room(archive: &[u8], expected: &str, most_read: u64) {
    let mut counted = Counted { inner: Cursor::new(archive), read: 0 };
    assert_eq!(refusal(open_archive(&mut counted, &Limits::default())), expected);
    assert!(counted.read <= most_read, "{} bytes read", counted.read);
    if cfg!(target_os = "linux") {
        let (outcome, peak) = opened_by_a_child(archive);
        assert_eq!(outcome, expected);
        eprintln!(
            "{:.1} MiB held, {} of {} bytes read: {outcome}",
            peak as f64 / MIB as f64,
            counted.read,
            archive.len()
        );
        assert!(peak <= 32 * MIB, "{peak} bytes held");
    }
}

/// Counts what is read.
struct Counted<R> {
    inner: R,
    read: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.read += count as u64;
        Ok(count)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.inner.seek(to)
    }
}

/// Sixteen copies of a file, each under its own name.
fn sixteen(content: &[u8], name: &str) -> Vec<u8> {
    let entry = Entry::of(b"", content, 8);
    Archive::of((0..16).map(|number| {
        entry.clone().both(|header| header.name = format!("{name} {number:x}.zip").into_bytes())
    }))
    .bytes()
}

/// Like 42.zip: sixteen archives in each of sixteen, five deep, and zeros at the bottom.
#[test]
fn forty_two() {
    let bottom = sixteen(&vec![0; 10 * MIB], "0");
    let nested = ["page", "doc", "chapter", "book", "lib"]
        .into_iter()
        .fold(bottom, |below, name| sixteen(&below, name));
    let read = nested.len() as u64 * 3;
    refused_in_little_room(&nested, "bundle-no-skill-md: there is no SKILL.md in the bundle", read);
    // Beside a SKILL.md they are files like others: nothing inside them is unpacked.
    let skill = Archive::of([Entry::stored("SKILL.md", "x"), Entry::of(b"lib.zip", &nested, 0)]).bytes();
    let (outcome, peak) = opened_by_a_child(&skill);
    assert_eq!(outcome, "2 files");
    assert!(peak <= 32 * MIB, "{peak} bytes held");
}

/// What lies at the bottom: more than a file may hold, as much in each of many, or more than it says.
#[test]
fn zeros() {
    let zeros = deflated(&vec![0; 64 * MIB]);
    let entry = |name: &str, size: usize| {
        let mut entry = Entry::of(name.as_bytes(), b"", 8);
        entry.data.clone_from(&zeros);
        entry.both(|header| (header.packed, header.size) = (zeros.len() as u32, size as u32))
    };
    let skill = || Entry::stored("SKILL.md", "x");
    let honest = Archive::of([skill(), entry("a", 64 * MIB)]).bytes();
    refused_in_little_room(
        &honest,
        "bundle-file-large: `a` holds 67108864 bytes, 10485760 are allowed",
        70_000,
    );
    let lies = Archive::of([skill(), entry("a", 5 * MIB)]).bytes();
    refused_in_little_room(
        &lies,
        "bundle-bomb: unpacking stopped at 5242881 bytes, more than the archive announced",
        140_000,
    );
    let kernel = vec![0; 10 * MIB];
    let five = Archive::of(
        std::iter::once(skill()).chain((0..4).map(|number| Entry::of(&[b'a' + number], &kernel, 8))),
    );
    let five = five.bytes();
    let allowed = 4 * MIB + 200 * five.len();
    let expected =
        format!("bundle-bomb: the archive holds {} bytes and unpacks to more than {allowed}", five.len());
    refused_in_little_room(&five, &expected, five.len() as u64 * 2);
}

/// What is packed well and small is no bomb.
#[test]
fn a_file_of_zeros_is_taken() {
    let zip = Archive::of([Entry::stored("SKILL.md", "x"), Entry::of(b"a", &vec![0; 4 * MIB], 8)]).bytes();
    assert!(crate::open(&zip).is_ok());
}

/// Fifield's bomb with all entries over one kernel.
#[test]
fn entries_over_one_kernel() {
    let kernel = vec![0; 10 * MIB];
    let first = Entry::of(b"SKILL.md", &kernel, 8);
    let over = |count: usize| {
        let others = (1..count).map(|number| {
            let mut entry = first.clone().both(|header| header.name = format!("{number:08}").into_bytes());
            (entry.offset, entry.listed_only) = (Some(0), true);
            entry
        });
        Archive::of(std::iter::once(first.clone()).chain(others)).bytes()
    };
    let large = "bundle-large: the files hold more than 52428800 bytes in all, at `00000005`";
    let zip = over(2000);
    refused_in_little_room(&zip, large, zip.len() as u64 + 66_000);
    let zip = over(5);
    let shares = "bundle-headers-differ: entry 1, `SKILL.md`, shares bytes with another entry";
    refused_in_little_room(&zip, shares, zip.len() as u64 + 66_000);
}

/// Fifield's bomb with headers quoted in stored blocks: each entry's data go through all those behind it.
#[test]
fn entries_that_quote_headers() {
    let kernel = vec![0; MIB];
    let mut entries = vec![Entry::of(b"00", &kernel, 8)];
    for number in 1..40 {
        let next = entries.last().unwrap();
        let header = next.local_bytes();
        let length = header.len() as u16;
        let data = [&[0], &length.to_le_bytes()[..], &(!length).to_le_bytes(), &header, &next.data].concat();
        let mut crc = crc32fast::Hasher::new();
        crc.update(&header);
        crc.combine(&crc32fast::Hasher::new_with_initial_len(next.listed.crc, next.listed.size.into()));
        let (crc, packed, size) = (crc.finalize(), data.len() as u32, next.listed.size + u32::from(length));
        let name = if number == 39 { "SKILL.md".to_owned() } else { format!("{number:02}") };
        let mut entry = Entry::of(name.as_bytes(), b"", 8);
        entry.data = data;
        entries.push(entry.both(|header| (header.crc, header.packed, header.size) = (crc, packed, size)));
    }
    entries.reverse();
    // The first entry's bytes hold all others.
    let mut offset = 0;
    for entry in &mut entries {
        (entry.offset, entry.listed_only) = (Some(offset), offset > 0);
        offset += entry.local_bytes().len() as u32 + 5;
    }
    let zip = Archive::of(entries).bytes();
    let shares = "bundle-headers-differ: entry 1, `SKILL.md`, shares bytes with another entry";
    refused_in_little_room(&zip, shares, zip.len() as u64 + 66_000);
}

/// A million entries in the list, over one in the file.
fn million_listed(count: u64) -> Vec<u8> {
    let one = Archive::of([Entry::stored("000000", "")]);
    let bytes = one.bytes();
    let (local, rest) = bytes.split_at(36);
    let listed = &rest[..52];
    let mut zip = local.to_vec();
    for number in 0..1_000_000 {
        zip.extend(&listed[..46]);
        zip.extend(format!("{number:06x}").as_bytes());
    }
    let list_bytes = (zip.len() - local.len()) as u64;
    let at = zip.len() as u64;
    zip.extend(b"PK\x06\x06");
    zip.extend(44_u64.to_le_bytes());
    zip.extend([45, 3, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [count, count, list_bytes, local.len() as u64] {
        zip.extend(number.to_le_bytes());
    }
    zip.extend(b"PK\x06\x07\0\0\0\0");
    zip.extend(at.to_le_bytes());
    zip.extend(1_u32.to_le_bytes());
    zip.extend(b"PK\x05\x06\0\0\0\0");
    zip.extend([0xff; 12]);
    zip.extend([0; 2]);
    zip
}

#[test]
fn a_million_entries_in_a_zip() {
    let many = "bundle-files-many: there are more than 8000 entries";
    refused_in_little_room(&million_listed(1_000_000), many, 67_000);
    // The count lies: as many as fit into the list's bytes are too many, too.
    let little = "bundle-headers-differ: its end record cannot be read";
    refused_in_little_room(&million_listed(1), little, 67_000);
    refused_in_little_room(&million_listed(8000), little, 67_000);
}

/// Ten thousand entries that differ, which is more than are read, over and over.
fn tar_entries() -> Vec<u8> {
    (0..10_000).flat_map(|number| tar::header(format!("{number:05}").as_bytes(), b'0', 0, 0o644)).collect()
}

/// A million entries in a tar that nobody has to hold.
struct MillionEntries {
    entries: Vec<u8>,
    at: u64,
}

const MILLION: u64 = 1_000_000 * 512;

impl Read for MillionEntries {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let from = (self.at % self.entries.len() as u64) as usize;
        let left = (MILLION - self.at).min((self.entries.len() - from) as u64) as usize;
        let count = left.min(bytes.len());
        bytes[..count].copy_from_slice(&self.entries[from..from + count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for MillionEntries {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(0) => MILLION,
            _ => unreachable!(),
        };
        Ok(self.at)
    }
}

#[test]
fn a_million_entries_in_a_tar() {
    let mut counted = Counted { inner: MillionEntries { entries: tar_entries(), at: 0 }, read: 0 };
    let large = "bundle-large: the archive holds 512000000 bytes, 67108864 are allowed";
    assert_eq!(refusal(open_archive(&mut counted, &Limits::default())), large);
    assert_eq!(counted.read, 0);
    // An opener that takes archives of any size stops at the number of files, or of entries.
    let limits = Limits { archive_bytes: u64::MAX, ..Limits::default() };
    assert_eq!(
        refusal(open_archive(&mut counted, &limits)),
        "bundle-files-many: there are more than 2000 files"
    );
    assert!(counted.read <= 2001 * 512 + 70_000, "{}", counted.read);
    let limits = Limits { files: 1000, ..limits };
    let folders =
        (0..10_000).flat_map(|number| tar::header(format!("{number:05}/").as_bytes(), b'5', 0, 0o755));
    let mut counted = Counted { inner: MillionEntries { entries: folders.collect(), at: 0 }, read: 0 };
    assert_eq!(
        refusal(open_archive(&mut counted, &limits)),
        "bundle-files-many: there are more than 4000 entries"
    );
    assert!(counted.read <= 4001 * 512 + 70_000, "{}", counted.read);
}

#[test]
fn a_million_entries_in_a_packed_tar() {
    let many = "bundle-files-many: there are more than 2000 files";
    let entries = tar_entries();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    (0..100).for_each(|_| gzip.write_all(&entries).unwrap());
    let gzip = gzip.finish().unwrap();
    refused_in_little_room(&gzip, many, 400_000);
    let zstd = crate::craft::zstd(&entries.repeat(100)[..128 * MIB]);
    refused_in_little_room(&zstd, many, 400_000);
}

/// A tar that says it holds, in what is left out and never kept, as much as `bytes`.
fn announcing(bytes: usize) -> Vec<u8> {
    [tar::file("SKILL.md", "x"), tar::header(b".DS_Store", b'0', bytes as u64, 0o644).to_vec()].concat()
}

#[test]
fn zeros_in_gzip() {
    let zeros = vec![0; MIB];
    let packed = |begin: &[u8], mebibytes: usize| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(begin).unwrap();
        (0..mebibytes).for_each(|_| gzip.write_all(&zeros).unwrap());
        gzip.finish().unwrap()
    };
    // More than any bundle has, more than so few bytes are worth, and behind the end.
    let huge = packed(&announcing(200 * MIB), 200);
    refused_in_little_room(
        &huge,
        "bundle-bomb: unpacking stopped at 1536 bytes, more than the archive announced",
        70_000,
    );
    let small = packed(&announcing(40 * MIB), 40);
    let ratio = format!(
        "bundle-bomb: the archive holds {} bytes and unpacks to more than {}",
        small.len(),
        4 * MIB + 200 * small.len()
    );
    refused_in_little_room(&small, &ratio, 70_000);
    let behind = packed(&tar::archive(&[tar::file("SKILL.md", "x")]), 200);
    let stopped = crate::open(&behind).unwrap_err();
    assert_eq!(stopped.code(), "bundle-bomb");
    refused_in_little_room(&behind, &format!("bundle-bomb: {stopped}"), 70_000);
}

#[test]
fn zeros_in_zstd() {
    // Blocks of one byte, 128 KiB times: four bytes each.
    let packed = |begin: &[u8], blocks: usize| {
        let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 4, 13 << 3];
        bytes.extend(&((begin.len() as u32) << 3).to_le_bytes()[..3]);
        bytes.extend(begin);
        let block = |last: u32| ((128 * 1024) << 3 | 1 << 1 | last).to_le_bytes();
        (1..blocks).for_each(|_| bytes.extend(block(0)));
        bytes.extend(block(1));
        bytes.extend([0; 4]);
        bytes
    };
    let huge = packed(&announcing(2048 * MIB), 16 * 1024);
    refused_in_little_room(
        &huge,
        "bundle-bomb: unpacking stopped at 1536 bytes, more than the archive announced",
        70_000,
    );
    let small = packed(&announcing(40 * MIB), 320);
    let ratio = format!(
        "bundle-bomb: the archive holds {} bytes and unpacks to more than {}",
        small.len(),
        4 * MIB + 200 * small.len()
    );
    refused_in_little_room(&small, &ratio, 70_000);
    // As much as such a small archive may unpack to, with the largest window: this is the most that is ever held.
    let mut most = tar::file("SKILL.md", "x");
    most.extend(tar::header(b"a", b'0', 4 * MIB as u64, 0o644));
    let most = packed(&most, 32);
    assert_eq!(refusal(crate::open(&most)), "bundle-truncated: the archive is cut off in its end");
    refused_in_little_room(&most, "bundle-truncated: the archive is cut off in its end", 70_000);
    let window = [0x28, 0xb5, 0x2f, 0xfd, 4, 20 << 3, 1, 0, 0];
    refused_in_little_room(
        &window,
        "bundle-unknown-format: the zstd stream needs a window of 1073741824 bytes, 8388608 are allowed: pack it without --long",
        1000,
    );
}
