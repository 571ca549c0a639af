//! Damaged archives that we take are read by Python with the same content: what readers disagree about is refused.

use std::process::Command;

use skill_bundle::write_canonical;

use crate::craft::gzipped;
use crate::craft::tar::{archive, entry, file, record};
use crate::craft::zip::{Archive, Entry};
use crate::{open, sample};

/// Xorshift: the same archives in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let mut canonical = Vec::new();
    write_canonical(&sample(), &mut canonical).unwrap();
    let streamed = Archive::of([
        Entry::deflated("SKILL.md", "# hi\n").with_descriptor(true),
        Entry::folder("a/"),
        Entry::stored("a/b", "stored").with_descriptor(false),
    ]);
    let tar = archive(&[
        file("SKILL.md", "# hi\n"),
        entry("a/", b'5', "", 0o755),
        entry("././@LongLink", b'L', "a/long\0", 0o644),
        file("a/lo", "gnu"),
        entry("PaxHeaders/x", b'x', &(record("path", "a/pax") + &record("size", "3")), 0o644),
        file("x", "pax"),
    ]);
    vec![canonical, streamed.bytes(), gzipped(&tar), tar]
}

#[test]
fn what_is_taken_is_what_python_reads() {
    let mut dice = Dice(0x5eed);
    let folder = tempfile::tempdir().unwrap();
    let (mut taken, mut ours) = (Vec::new(), Vec::new());
    for number in 0..2000 {
        let mut bytes = seeds()[number % 4].clone();
        for _ in 0..=dice.below(2) {
            let at = dice.below(bytes.len());
            bytes[at] = match dice.below(3) {
                0 => bytes[at] ^ (1 << dice.below(8)),
                1 => b"\0\xff01/.x"[dice.below(7)],
                _ => dice.below(256) as u8,
            };
        }
        let Ok(bundle) = open(&bytes) else { continue };
        let path = folder.path().join(number.to_string());
        fs_err::write(&path, bytes).unwrap();
        taken.push(path);
        let mut digests: Vec<String> = bundle.files().map(|(_, file)| file.sha256().to_hex()).collect();
        digests.sort();
        ours.push(digests.join(" "));
    }
    assert!(taken.len() > 100, "{}", taken.len());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/read_archives.py");
    let Ok(run) = Command::new("python3").arg(script).args(&taken).output() else {
        eprintln!("not run: python3 is not here");
        return;
    };
    let theirs = String::from_utf8(run.stdout).unwrap();
    assert_eq!(theirs.lines().count(), taken.len());
    let differing: Vec<_> =
        theirs.lines().zip(&ours).zip(&taken).filter(|((theirs, ours), _)| theirs != ours).collect();
    eprintln!("{} of 2000 taken", taken.len());
    assert!(differing.is_empty(), "{} differ: {differing:#?}\n{}", differing.len(), folder.keep().display());
}
