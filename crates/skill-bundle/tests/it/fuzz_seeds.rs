//! The seeds of the fuzz targets and what fuzzing found once, held against what always holds.

use std::path::PathBuf;

#[path = "../../../../fuzz/checks/archive.rs"]
mod archive;
#[path = "../../../../fuzz/checks/lint.rs"]
mod lint;

type Check = fn(&[u8]);

#[test]
fn archive_seeds() {
    hold("archive", archive::check);
}

#[test]
fn lint_seeds() {
    hold("lint", |seed| {
        assert!(lint::bundle(seed).is_some(), "no bundle holds its files");
        lint::check(seed);
    });
}

fn hold(target: &str, check: Check) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut seeds: Vec<_> = fs_err::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "no seeds in {}", folder.display());
    for seed in seeds {
        eprintln!("{}", seed.display());
        check(&fs_err::read(&seed).unwrap());
    }
}
