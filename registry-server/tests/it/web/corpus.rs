//! Real skills in the catalogue: every page of each renders. They are not part of the project; `CORPUS_DIR` says
//! where a folder of them is.

use std::path::{Path, PathBuf};

use super::markup;
use crate::support::{Skill, TestRegistry};

#[expect(clippy::disallowed_methods, reason = "a test is told where the corpus is by its environment")]
fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("CORPUS_DIR").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: CORPUS_DIR names no folder of real skills");
    }
    folder
}

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.file_name().is_some_and(|name| name == "SKILL.md") {
            found.push(path);
        }
    }
}

#[tokio::test]
async fn every_page_of_every_real_skill() {
    let Some(folder) = corpus() else { return };
    let mut found = Vec::new();
    texts(&folder, &mut found);
    found.sort();
    let registry = TestRegistry::on_sqlite().with("limits.new_skills_day = 0").start().await;
    let ada = registry.user("ada").await;
    let mut shown = 0;
    for (number, path) in found.iter().enumerate() {
        let slug = format!("skill-{number}");
        let mut text = fs_err::read(path).unwrap();
        let mut answer = Skill::new(&slug).file("SKILL.md", &text).publish(&ada).await;
        if answer.status == 422 && answer.json()["code"] == "frontmatter-missing" {
            // Publishing asks for one; what such a text looks like is to be seen all the same.
            text.splice(0..0, *b"---\nname: x\ndescription: d\n---\n\n");
            answer = Skill::new(&slug).file("SKILL.md", &text).publish(&ada).await;
        }
        assert!(answer.status.is_success(), "{}: {}", path.display(), answer.shown());
        let base = format!("/ada/skills/{slug}");
        for path in ["", "/versions", "/files", "/files?path=SKILL.md", "/diff", "/security"] {
            let answer = registry.anonymous().get(&format!("{base}{path}")).await;
            assert!(matches!(answer.status.as_u16(), 200 | 403), "{base}{path}: {}", answer.status);
            if let Err(wrong) = markup::read(answer.text()) {
                panic!("{}{path}: {wrong}", found[number].display());
            }
            shown += 1;
        }
    }
    eprintln!("{shown} pages of {} skills", found.len());
}
