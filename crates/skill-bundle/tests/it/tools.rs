//! Our archive as the tools of this machine read it.

use std::process::Command;

use skill_bundle::disk::read_installed;
use skill_bundle::{Tree, write_canonical};

use crate::programs::is_here;
use crate::sample;

#[test]
fn tools_read_our_archive_as_we_do() {
    let outer = tempfile::tempdir().unwrap();
    let archive = outer.path().join("made.zip");
    write_canonical(&sample(), fs_err::File::create(&archive).unwrap()).unwrap();
    for (tool, line) in [
        ("unzip", "unzip -q made.zip -d out"),
        ("bsdtar", "mkdir out && bsdtar -C out -xf made.zip"),
        ("7z", "7z x -bso0 -oout made.zip"),
    ] {
        if !is_here(tool) {
            continue;
        }
        let run = Command::new("sh").args(["-c", line]).current_dir(outer.path()).output().unwrap();
        assert!(run.status.success(), "{line}: {run:?}");
        let out = outer.path().join("out");
        assert_eq!(read_installed(&out).unwrap().tree, Tree::of(&sample()), "{line}");
        fs_err::remove_dir_all(out).unwrap();
    }
}
