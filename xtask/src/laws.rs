//! `cargo xtask laws`: the properties of all crates, from other seeds than the fixed one.
//!
//! In every other run proptest begins from the seed in `.cargo/config.toml`, so that a test that passed passes again. What
//! it does not come to is looked for here.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::workspace::{self, say};

/// The variable from which proptest takes its seed.
const SEED: &str = "PROPTEST_RNG_SEED";
/// How many seeds are tried if nobody says.
const TIMES: u64 = 20;
/// How a file begins its properties.
const MARK: &str = "proptest! {";

/// A test program of a crate: the package, and what cargo has to be told of the program.
type Program = (String, Vec<&'static str>);

/// Runs the properties of the packages named in `args`, of all if none is, from one seed after another: `--times N` says
/// from how many, `--seed N` which is the first.
pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let asked = Asked::read(args)?;
    let mut programs = programs()?;
    let known: Vec<String> = programs.keys().map(|(package, _)| package.clone()).collect();
    if let Some(package) = asked.packages.iter().find(|package| !known.contains(package)) {
        bail!("no package named {package} has properties; there are {}", known.join(", "));
    }
    programs.retain(|(package, _), _| asked.packages.is_empty() || asked.packages.contains(package));
    for time in 1..=asked.times {
        let seed = asked.seed.map_or_else(random, |seed| seed.wrapping_add(time - 1));
        say(&format!("laws, seed {seed} ({time} of {})", asked.times));
        for ((package, program), modules) in &programs {
            let mut test = workspace::cargo();
            test.args(["test", "--quiet", "--package", package]).args(program).arg("--").args(modules);
            test.env(SEED, seed.to_string());
            workspace::run(&mut test).with_context(|| {
                format!("`cargo xtask laws {package} --seed {seed} --times 1` repeats it")
            })?;
        }
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
struct Asked {
    packages: Vec<String>,
    seed: Option<u64>,
    times: u64,
}

impl Asked {
    fn read(args: &[String]) -> anyhow::Result<Self> {
        let mut asked = Self { packages: Vec::new(), seed: None, times: TIMES };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut number = || {
                let number = args.next().and_then(|number| number.parse().ok());
                number.with_context(|| format!("{arg} takes a number"))
            };
            match arg.as_str() {
                "--seed" => asked.seed = Some(number()?),
                "--times" => asked.times = number()?,
                package => asked.packages.push(package.to_owned()),
            }
        }
        Ok(asked)
    }
}

/// The modules with properties, by the program that holds them.
fn programs() -> anyhow::Result<BTreeMap<Program, Vec<String>>> {
    let root = workspace::root();
    let mut crates: Vec<PathBuf> = vec![root.join("registry-server"), root.join("skill-cli")];
    for entry in fs_err::read_dir(root.join("crates"))? {
        crates.push(entry?.path());
    }
    let mut found: BTreeMap<Program, Vec<String>> = BTreeMap::new();
    for folder in crates {
        let package = package(&folder)?;
        for (inside, program) in [("src", vec!["--lib"]), ("tests/it", vec!["--test", "it"])] {
            let base = folder.join(inside);
            let mut files = Vec::new();
            sources(&base, &mut files)?;
            for file in files {
                if fs_err::read_to_string(&file)?.lines().any(|line| line.trim_start() == MARK) {
                    let modules = found.entry((package.clone(), program.clone())).or_default();
                    modules.push(module(file.strip_prefix(&base)?));
                }
            }
        }
    }
    Ok(found)
}

/// The name that a crate's manifest gives it.
fn package(folder: &Path) -> anyhow::Result<String> {
    let manifest = fs_err::read_to_string(folder.join("Cargo.toml"))?;
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    Ok(name.with_context(|| format!("{} has no name", folder.display()))?.to_owned())
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

/// The module that a file is: `lock/tests.rs` is `lock::tests`.
fn module(inside: &Path) -> String {
    let path = inside.with_extension("");
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("::").trim_end_matches("::mod").to_owned() + "::"
}

/// A number that nobody chose: the keys of a new hash map.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_files() {
        assert_eq!(module(Path::new("lock/tests.rs")), "lock::tests::");
        assert_eq!(module(Path::new("lint_laws.rs")), "lint_laws::");
        assert_eq!(module(Path::new("text/mod.rs")), "text::");
    }

    #[test]
    fn every_crate_with_properties_is_found() {
        let found = programs().unwrap();
        let of = |package: &str, program: &[&'static str]| {
            found.get(&(package.to_owned(), program.to_vec())).cloned().unwrap_or_default()
        };
        assert!(of("skill-core", &["--test", "it"]).contains(&"lint_laws::".to_owned()), "{found:?}");
        assert!(of("skill-core", &["--lib"]).contains(&"lock::tests::".to_owned()), "{found:?}");
        assert!(of("skill-registry", &["--lib"]).contains(&"lifecycle::latest::".to_owned()), "{found:?}");
    }

    #[test]
    fn what_is_asked_for() {
        let read = |text: &str| Asked::read(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let asked = Asked { packages: vec!["skill-core".to_owned()], seed: Some(7), times: 2 };
        assert_eq!(read("skill-core --seed 7 --times 2").unwrap(), asked);
        assert_eq!(read("--seed x").unwrap_err().to_string(), "--seed takes a number");
    }
}
