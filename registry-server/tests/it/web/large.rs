//! A skill of 500 versions, the last of them with 2,000 files: every page of it is there, whole, and no heavier than
//! a reader on a phone can take. What its pages cost is measured by `cargo xtask bench`, not here.

use std::collections::BTreeSet;

use skill_registry::auth::Scope;

use super::markup;
use crate::support::{Answer, Skill, TestRegistry, rows};

const VERSIONS: usize = 500;
const FILES: usize = 2_000;
/// Bytes of a page without what stands in the files: lists of 50 versions or 200 files, and two choices of 500 versions.
const HEAVIEST: usize = 160_000;

/// The versions up to [`OLD`] are rows and nothing else: 500 publishes would take most of a minute.
const OLD: usize = 480;

async fn publish_all(registry: &TestRegistry) {
    let ada = registry.add_user("ada").await;
    for number in 1..=OLD {
        let stored = rows::publish(&registry.app, "ada/large", &ada.id, &format!("1.0.{number}")).await;
        stored.unwrap().unwrap();
    }
    let ada = registry.token("ada", [Scope::Read, Scope::Publish]).await;
    let skill = Skill::new("large");
    for number in OLD + 1..VERSIONS {
        skill.clone().version(&format!("1.0.{number}")).published(&ada).await;
    }
    let mut last = skill.version("2.0.0");
    for number in 1..FILES {
        let path = format!("references/part-{:02}/page-{number:04}.md", number % 40);
        last = last.file(&path, format!("# Page {number}\n\nSee [the next](page-{:04}.md).\n", number + 1));
    }
    last.published(&ada).await;
}

/// The addresses in the page that begin so.
fn links(answer: &Answer, beginning: &str) -> BTreeSet<String> {
    let page = markup::read(answer.text()).unwrap();
    let links = page.all("a").map(|link| link.get("href").replace("&amp;", "&"));
    links.filter(|href| href.starts_with(beginning)).collect()
}

#[tokio::test]
async fn five_hundred_versions_and_two_thousand_files() {
    let registry = TestRegistry::on_sqlite().start().await;
    publish_all(&registry).await;
    let anyone = registry.anonymous();
    let base = "/ada/skills/large";
    let get = async |path: &str| {
        let answer = anyone.get(&format!("{base}{path}")).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.body.len() <= HEAVIEST, "{path}: {} bytes", answer.body.len());
        markup::read(answer.text()).unwrap_or_else(|wrong| panic!("{path}: {wrong}"));
        answer
    };
    for path in
        ["", "/versions/1.0.490", "/security", "/security?version=1.0.490", "/diff?from=1.0.490&to=1.0.499"]
    {
        get(path).await;
    }
    get("/files?path=references/part-39/page-1999.md").await;

    let (mut versions, mut files) = (BTreeSet::new(), BTreeSet::new());
    for page in 1..=10 {
        let answer = get(&format!("/versions?page={page}")).await;
        versions.append(&mut links(&answer, &format!("{base}/versions/")));
        let answer = get(&format!("/files?page={page}")).await;
        files.append(&mut links(&answer, &format!("{base}/files?version=2.0.0&path=")));
    }
    assert_eq!((versions.len(), files.len()), (VERSIONS, FILES));

    // 1,999 files are new: the first are compared line by line, the rest are named.
    let diff = anyone.get(&format!("{base}/diff?from=1.0.499&to=2.0.0")).await;
    markup::read(diff.text()).unwrap();
    assert!(diff.text().contains("1,999 files added"));
    assert!(diff.body.len() <= 500_000, "{} bytes", diff.body.len());
}
