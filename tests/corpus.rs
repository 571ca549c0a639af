//! Skills as people publish them (the folder in `CORPUS_DIR`): published, installed and verified, each
//! byte and mode as it was packed, or refused with one clear reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::engine::environment;
use crate::support::sandbox::disk;
use crate::support::{Registry, Sandbox};

#[test]
fn every_real_skill_survives_or_is_refused_with_a_reason() {
    let Some(corpus) = environment("CORPUS_DIR") else {
        eprintln!("skipped: CORPUS_DIR is not set");
        return;
    };
    let registry = Registry::start();
    let mut count = Count::default();
    for source in folders(Path::new(&corpus)) {
        let owner = name_of(&source).to_lowercase();
        let author = Sandbox::publisher(&registry, &owner);
        let reader = Sandbox::with(&registry);
        let mut published = BTreeMap::new();
        for bundle in folders(&source) {
            if let Some(slug) = publish(&author, &bundle, &mut count) {
                published.insert(slug, bundle);
            }
        }
        install_all(&reader, &owner, &published, &mut count);
    }
    eprintln!("{count:#?}");
    assert!(count.installed > 300, "almost nothing survived");
}

/// What became of the bundles.
#[derive(Debug, Default)]
struct Count {
    published: usize,
    installed: usize,
    suspicious: Vec<String>,
    /// Code of the refusal: the bundles.
    refused: BTreeMap<String, Vec<String>>,
}

/// Publishes one bundle, under its folder's name where its own slug is taken; gives the slug.
fn publish(author: &Sandbox, bundle: &Path, count: &mut Count) -> Option<String> {
    let folder = bundle.display().to_string();
    let mut out = author.skill(["publish", &folder, "--version", "1.0.0", "--json"]);
    if out.code != 0 && out.error_code() == "version-taken" {
        let slug = skill_core::name::Slug::slugify(&name_of(bundle)).unwrap();
        out = author.skill(["publish", &folder, "--version", "1.0.0", "--slug", slug.as_str(), "--json"]);
    }
    if out.code != 0 {
        assert!(out.json()["error"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{out}");
        count.refused.entry(out.error_code()).or_default().push(name_of(bundle));
        return None;
    }
    let answer = out.json();
    count.published += 1;
    if answer["verdict"] != "clean" {
        count.suspicious.push(name_of(bundle));
    }
    Some(answer["slug"].as_str().unwrap().to_owned())
}

/// Installs the releases, accepting what is suspicious, and compares every byte and mode with what
/// packing takes in.
fn install_all(reader: &Sandbox, owner: &str, published: &BTreeMap<String, PathBuf>, count: &mut Count) {
    if published.is_empty() {
        return;
    }
    let mut args = vec!["install".to_owned()];
    for slug in published.keys() {
        args.push(format!("{owner}/{slug}"));
        if count.suspicious.iter().any(|name| published[slug].ends_with(name)) {
            args.extend(["--accept".to_owned(), format!("{owner}/{slug}@1.0.0")]);
        }
    }
    reader.skill(args).success();
    let limits = skill_bundle::Limits::default();
    for (slug, bundle) in published {
        let packed = skill_bundle::pack_folder(bundle, skill_bundle::PackRules::Publish, &limits).unwrap();
        let mut wanted: Vec<String> = packed
            .bundle
            .files()
            .map(|(path, file)| {
                let mode = if file.executable() { 0o755 } else { 0o644 };
                format!("file {mode:04o} {} {path}", file.sha256())
            })
            .collect();
        wanted.sort();
        let installed = disk(&reader.path(&format!("skills/{slug}")));
        let files: Vec<&str> = installed.lines().filter(|line| !line.starts_with("dir ")).collect();
        assert_eq!(files, wanted, "{owner}/{slug}");
        count.installed += 1;
    }
    reader.skill(["verify", "--all"]).success();
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap().to_str().unwrap().to_owned()
}
