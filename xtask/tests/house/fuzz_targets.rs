//! Every fuzz target can be built, has seeds, and is held by a test without a fuzzer.

use std::path::Path;

use crate::sources;

#[test]
fn every_fuzz_target_is_whole() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let manifest = fs_err::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    let replays: String = sources::all()
        .into_iter()
        .filter(|source| source.path.ends_with("fuzz_seeds.rs"))
        .map(|source| source.text)
        .collect();
    let mut targets = 0;
    for entry in fs_err::read_dir(fuzz.join("fuzz_targets")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let target = name.strip_suffix(".rs").unwrap();
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{name}\"")),
            "{target} is not in Cargo.toml"
        );
        assert!(replays.contains(&format!("hold(\"{target}\", ")), "no test holds the seeds of {target}");
        assert!(
            fs_err::read_dir(fuzz.join("seeds").join(target)).unwrap().count() > 0,
            "{target} has no seeds"
        );
        targets += 1;
    }
    assert!(targets > 0);
}
