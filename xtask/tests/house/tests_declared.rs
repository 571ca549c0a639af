//! A test file that no `mod` line names is never run.

use std::path::Path;

use crate::sources;

#[test]
fn no_test_file_is_forgotten() {
    let all = sources::all();
    let mut forgotten = Vec::new();
    for source in all.iter().filter(|source| source.is_test()) {
        let path = Path::new(&source.path);
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let folder = path.parent().unwrap();
        if stem == "main" || folder.ends_with("benches") {
            continue;
        }
        let (name, home) = if stem == "mod" {
            (folder.file_name().unwrap().to_str().unwrap(), folder.parent().unwrap())
        } else {
            (stem, folder)
        };
        let declared = all.iter().any(|other| {
            let other_path = Path::new(&other.path);
            let beside = other_path.parent() == Some(home);
            let above = other_path.with_extension("") == home;
            (beside || above)
                && other.text.lines().any(|line| {
                    let line = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
                    line == format!("mod {name};") || line.trim() == format!("mod {name};")
                })
        });
        if !declared {
            forgotten.push(&source.path);
        }
    }
    assert!(forgotten.is_empty(), "no `mod` line names {forgotten:?}");
}
