//! `cargo bench -p skill-bundle`: how many megabytes a second are packed, opened and digested, beside the
//! programs that people would use instead, in turn and in the same run (docs/PERFORMANCE.md, "Archives").
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that cannot go on ends")]
#![allow(clippy::print_stdout, reason = "the table is the point")]

use std::hint::black_box;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flate2::read::DeflateDecoder;
use skill_bundle::disk::read_installed;
use skill_bundle::{Bundle, BundleBuilder, BundlePath, Limits, PackRules, Tree};
use skill_core::digest::Sha256;

/// Runs of ours and of the other, in turn, behind one figure.
const PAIRS: usize = 9;
/// Files of the bundle, half of them text and half of them noise that does not pack.
const FILES: usize = 200;
const FILE_BYTES: usize = 200_000;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let skill = folder.path().join("skill");
    let bytes = write_skill(&skill);
    let packed = skill_bundle::pack_folder(&skill, PackRules::Source, &Limits::default()).unwrap();
    let archive = canonical(&packed.bundle);
    let zip = folder.path().join("skill.zip");
    fs_err::write(&zip, &archive).unwrap();
    let streams = streams(&archive);
    println!(
        "{FILES} files, {bytes} bytes, {} packed; medians of {PAIRS} runs each, in turn\n",
        archive.len()
    );
    println!("| figure | ours, MB/s | other | MB/s | ratio of speeds |\n|---|---|---|---|---|");

    let open = || {
        let (bundle, _) = skill_bundle::open_archive(&mut Cursor::new(&archive), &Limits::default()).unwrap();
        black_box(Tree::of(&bundle).digest());
    };
    row("open and digest", bytes, open, "inflate, sha256, drop", || inflate_and_hash(&streams));
    row("open and digest", bytes, open, "inflate, sha256, keep", || inflate_hash_and_keep(&streams));
    row("open and digest", bytes, open, "`unzip -p`", || run(Command::new("unzip").arg("-p").arg(&zip)));
    let pack = || {
        let packed = skill_bundle::pack_folder(&skill, PackRules::Source, &Limits::default()).unwrap();
        black_box(canonical(&packed.bundle));
    };
    row("pack a folder", bytes, pack, "`zip -qr -`", || {
        run(Command::new("zip").args(["-qr", "-", "."]).current_dir(&skill));
    });
    let files = files(&skill);
    let digest = || {
        black_box(read_installed(&skill).unwrap().tree.digest());
    };
    row("digest a folder", bytes, digest, "`sha256sum`", || run(Command::new("sha256sum").args(&files)));
}

/// Measures both in turn and prints the row.
fn row(figure: &str, bytes: u64, ours: impl Fn(), name: &str, other: impl Fn()) {
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        one.push(time(&ours));
        two.push(time(&other));
    }
    let (one, two) = (median(one), median(two));
    let speed = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "| {figure} | {:.0} | {name} | {:.0} | {:.2}x |",
        speed(one),
        speed(two),
        speed(one) / speed(two)
    );
}

fn time(work: impl Fn()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    assert!(status.unwrap_or_else(|error| panic!("{command:?}: {error}")).success(), "{command:?}");
}

fn canonical(bundle: &Bundle) -> Vec<u8> {
    let mut archive = Vec::new();
    skill_bundle::write_canonical(bundle, &mut archive).unwrap();
    archive
}

/// The packed streams of the entries of our own archive, which has no extra fields and no descriptors.
fn streams(archive: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut rest = archive;
    while rest.starts_with(b"PK\x03\x04") {
        let packed = u32::from_le_bytes(rest[18..22].try_into().unwrap()) as usize;
        let name = u16::from_le_bytes(rest[26..28].try_into().unwrap()) as usize;
        let from = 30 + name;
        found.push(&rest[from..from + packed]);
        rest = &rest[from + packed..];
    }
    found
}

/// The least that has to be done with the same bytes: each content takes the room of the one before it. This is
/// the one that the goal is about.
fn inflate_and_hash(streams: &[&[u8]]) {
    let mut content = Vec::with_capacity(FILE_BYTES);
    for stream in streams {
        content.clear();
        DeflateDecoder::new(*stream).read_to_end(&mut content).unwrap();
        black_box(Sha256::of(&content));
    }
}

/// The same if the bytes are to be at hand afterwards, as those of a bundle are: what is between the two is
/// memory that the kernel has to give first.
fn inflate_hash_and_keep(streams: &[&[u8]]) {
    let mut kept = Vec::with_capacity(streams.len());
    for stream in streams {
        let mut content = Vec::with_capacity(FILE_BYTES);
        DeflateDecoder::new(*stream).read_to_end(&mut content).unwrap();
        black_box(Sha256::of(&content));
        kept.push(content);
    }
    black_box(kept);
}

/// Writes the skill and says how many bytes it has.
fn write_skill(folder: &Path) -> u64 {
    let mut builder = BundleBuilder::new(Limits::default());
    let mut noise = 0x5eed_u64;
    let mut add = |path: &str, content: Vec<u8>| {
        let at = folder.join(path);
        fs_err::create_dir_all(at.parent().unwrap()).unwrap();
        fs_err::write(at, &content).unwrap();
        builder.add(BundlePath::parse(path).unwrap(), false, content).unwrap();
    };
    add("SKILL.md", b"---\nname: skill\ndescription: Bytes to measure with.\n---\n# skill\n".to_vec());
    for file in 1..FILES {
        let mut content = Vec::with_capacity(FILE_BYTES);
        while content.len() < FILE_BYTES {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if file % 2 == 0 {
                content.extend_from_slice(&(noise >> 16).to_le_bytes()[..6]);
            } else {
                content.extend_from_slice(format!("line {} of the part\n", noise >> 52).as_bytes());
            }
        }
        content.truncate(FILE_BYTES);
        add(&format!("part-{}/{file}.bin", file % 10), content);
    }
    builder.finish().unwrap().total_bytes()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}
