//! Look-alikes: a table, laws, squats of much-used names, and real names that must stay free of suspicion.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;

use proptest::prelude::*;
use skill_core::alike::{Alike, alike};
use skill_core::name::Slug;

use crate::corpus::skill_files;

mod squats;

fn slug(text: &str) -> Slug {
    text.parse().unwrap()
}

#[test]
fn what_is_told_of_two_names() {
    let told = |one: &str, other: &str| {
        alike(&slug(one), &slug(other)).map_or_else(|| "-".to_owned(), |alike| alike.to_string())
    };
    for (one, other, expected) in [
        ("git-hub", "github", "only the hyphens differ"),
        ("g1thub", "github", "it differs in characters that look alike"),
        ("gitthub", "github", "it differs in characters that look alike"),
        ("analysis-data", "data-analysis", "the same words in another order"),
        ("my-github-pro", "github", "it differs in words that many names have"),
        ("gihtub", "github", "one letter differs"),
        ("kuberentse", "kubernetes", "2 letters differ"),
        ("github", "github", "-"),
        ("github", "gitlab", "-"),
        ("craft", "raft", "-"),
        ("scan", "san", "-"),
        ("pdf", "pdg", "-"),
        ("data-analysis", "image-analysis", "-"),
        ("my-tool", "the-agent", "-"),
    ] {
        assert_eq!(told(one, other), expected, "{one} {other}");
        assert_eq!(told(other, one), expected, "{other} {one}");
    }
    assert_eq!(alike(&slug("gihtub"), &slug("github")), Some(Alike::Edit(1)));
}

/// More than 2,000 squats of the hundred names that are used most: at least 95 of 100 are held.
#[test]
fn squats_are_held() {
    let mut kinds: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let mut missed = Vec::new();
    for (kind, squat, name) in squats::all() {
        let (made, held) = kinds.entry(kind).or_default();
        *made += 1;
        if alike(&slug(&squat), &slug(name)).is_some() {
            *held += 1;
        } else {
            missed.push(format!("{squat} for {name}"));
        }
    }
    let (made, held) = kinds.values().fold((0, 0), |sum, kind| (sum.0 + kind.0, sum.1 + kind.1));
    println!("{held} of {made} held, by kind {kinds:#?}; missed {missed:?}");
    assert!(made > 2000, "{made} squats");
    assert!(held * 100 >= made * 95, "{held} of {made} held, missed {missed:?}");
    for (kind, (made, held)) in kinds {
        assert!(held * 100 >= made * 90, "{kind}: {held} of {made} held");
    }
}

/// Names of real skills, which their authors chose for what they do: at most one of 100 is held against the others.
#[test]
fn real_names_are_not_held() {
    #[expect(clippy::disallowed_methods, reason = "the corpus is no part of the project")]
    let Some(root) = env::var_os("CORPUS_DIR") else {
        eprintln!("skipped: CORPUS_DIR is not set");
        return;
    };
    let mut files = Vec::new();
    skill_files(Path::new(&root), &mut files);
    let mut names: Vec<Slug> = files
        .iter()
        .filter_map(|file| file.parent()?.file_name())
        // Folders of collections are called `<owner>__<slug>`.
        .filter_map(|folder| Slug::slugify(folder.to_string_lossy().rsplit("__").next()?))
        .collect();
    names.sort();
    names.dedup();
    let step = names.len().div_ceil(100);
    let used: Vec<&Slug> = names.iter().step_by(step).collect();
    let held: Vec<String> = names
        .iter()
        .filter_map(|name| {
            let (known, how) = used.iter().find_map(|known| Some((known, alike(name, known)?)))?;
            Some(format!("{name} for {known}: {how}"))
        })
        .collect();
    println!("{} of {} real names held against {}: {held:#?}", held.len(), names.len(), used.len());
    let pairs =
        names.iter().enumerate().flat_map(|(at, one)| names[at + 1..].iter().map(move |other| (one, other)));
    for (one, other, how) in pairs.filter_map(|(one, other)| Some((one, other, alike(one, other)?))) {
        println!("of all pairs: {one} {other}: {how}");
    }
    assert!(held.len() * 100 <= names.len(), "{held:?}");
}

proptest! {
    /// Two names are as alike the one way round as the other, and none is its own look-alike.
    #[test]
    fn alike_takes_no_side(
        one in "[a-z0-9]{1,8}(-[a-z0-9]{1,6}){0,3}",
        at in any::<prop::sample::Index>(),
        letter in "[a-z0-9]",
        other in "[a-z0-9]{1,8}(-[a-z0-9]{1,6}){0,3}",
    ) {
        let mut near = one.clone();
        let at = at.index(near.len());
        near.replace_range(at..=at, &letter);
        let one = slug(&one);
        for other in [other.parse(), near.parse()].into_iter().flatten() {
            prop_assert_eq!(alike(&one, &other), alike(&other, &one));
            prop_assert_eq!(alike(&other, &other), None);
        }
    }
}
