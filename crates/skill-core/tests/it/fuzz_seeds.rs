//! The seeds of the fuzz targets and what fuzzing found once, held against what always holds.

use std::path::PathBuf;

#[path = "../../../../fuzz/checks/answer.rs"]
mod answer;
#[path = "../../../../fuzz/checks/frontmatter.rs"]
pub(crate) mod frontmatter;
#[path = "../../../../fuzz/checks/lock.rs"]
mod lock;
#[path = "../../../../fuzz/checks/reference.rs"]
mod reference;

type Check = fn(&[u8]);

#[test]
fn frontmatter_seeds() {
    hold("frontmatter", frontmatter::check);
}

#[test]
fn reference_seeds() {
    hold("reference", reference::check);
}

#[test]
fn lock_seeds() {
    hold("lock", lock::check);
}

#[test]
fn answer_seeds() {
    hold("answer", answer::check);
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
