//! The server dies at random moments while it publishes; nothing that it acknowledged is lost, and
//! nothing half done is ever seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::support::engine::Engine;
use crate::support::{Output, Registry, Sandbox, Skill};

const PUBLISHES: u32 = 300;
const KILLS: u32 = 20;
const AUTHORS: u32 = 3;

#[test]
fn every_acknowledged_release_survives_the_death_of_the_server() {
    for engine in Engine::all() {
        kill_while_publishing(engine);
    }
}

fn kill_while_publishing(engine: Engine) {
    let name = engine.name();
    let mut registry = Registry::start_on(engine);
    let author = Sandbox::publisher(&registry, "acme");
    let acknowledged: Mutex<BTreeMap<String, String>> = Mutex::default();
    let next = AtomicU32::new(0);

    let kills = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AUTHORS)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= PUBLISHES {
                            break;
                        }
                        let slug = format!("skill-{number}");
                        if let Some(tree) = publish(&author, &slug, number) {
                            acknowledged.lock().unwrap().insert(slug, tree);
                        }
                    }
                })
            })
            .collect();
        let mut kills = 0;
        let mut pause = Pauses::new(42);
        while kills < KILLS && !workers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            std::thread::sleep(pause.next());
            registry.kill();
            registry.restart();
            kills += 1;
        }
        for worker in workers {
            worker.join().unwrap();
        }
        kills
    });

    let acknowledged = acknowledged.into_inner().unwrap();
    eprintln!("{name}: {} of {PUBLISHES} acknowledged, {kills} kills", acknowledged.len());
    assert_eq!(kills, KILLS, "the publishes were over before the server had died often enough");
    assert!(acknowledged.len() > PUBLISHES as usize / 4, "almost nothing got through");
    check_all(&registry, &acknowledged);
}

/// Publishes one skill, trying again while the server is away; gives the tree digest of the answer.
fn publish(author: &Sandbox, slug: &str, number: u32) -> Option<String> {
    let folder = format!("source-{number}");
    Skill::new(slug)
        .file("data.txt", format!("{number}\n").repeat(2000))
        .script("run.sh", "#!/bin/sh\necho run\n")
        .write(author, &folder);
    let mut out = Output { code: -1, stdout: String::new(), stderr: String::new() };
    for _ in 0..3 {
        out = author.skill(["publish", &folder, "--version", "1.0.0", "--json"]);
        if out.code == 0 {
            break;
        }
        assert_eq!(out.code, 6, "a dead server is exit 6 and nothing else\n{out}");
    }
    fs_err::remove_dir_all(author.path(&folder)).unwrap();
    (out.code == 0).then(|| out.json()["treeDigest"].as_str().unwrap().to_owned())
}

/// What the registry lists now holds every acknowledged release, and each one that it lists is whole: it is
/// installed into an empty folder, all at once, and verified. Then one more is published.
fn check_all(registry: &Registry, acknowledged: &BTreeMap<String, String>) {
    let listed = listed(registry);
    for slug in acknowledged.keys() {
        assert!(listed.contains(slug), "{slug} was acknowledged and is not listed");
    }
    let reader = Sandbox::with(registry);
    let references: Vec<String> = listed.iter().map(|slug| format!("acme/{slug}@1.0.0")).collect();
    let mut args = vec!["install", "--json"];
    args.extend(references.iter().map(String::as_str));
    let installed = reader.skill(args).success().json();
    let installed = installed["installed"].as_array().unwrap();
    assert_eq!(installed.len(), listed.len());
    for skill in installed {
        let name = skill["name"].as_str().unwrap();
        // One whose answer got lost is whole as well: its files say which number it was.
        let number = name.strip_prefix("skill-").unwrap();
        let data = reader.read(&format!("skills/{name}/data.txt"));
        assert_eq!(data, format!("{number}\n").repeat(2000), "{name}");
        if let Some(tree) = acknowledged.get(name) {
            assert_eq!(skill["treeDigest"].as_str(), Some(tree.as_str()), "{name}");
        }
    }
    reader.skill(["verify", "--all"]).success();
    let author = Sandbox::publisher(registry, "later");
    Skill::new("afterwards").publish(&author, "1.0.0").success();
}

/// The slugs of every skill that the registry lists, page by page.
fn listed(registry: &Registry) -> BTreeSet<String> {
    let mut slugs = BTreeSet::new();
    let mut cursor = String::new();
    loop {
        let page = registry.get(&format!("/api/v1/skills?limit=50{cursor}"));
        for item in page["items"].as_array().unwrap() {
            let slug = item["slug"].as_str().unwrap().to_owned();
            assert!(!slugs.contains(&slug), "{slug} is listed twice");
            slugs.insert(slug);
        }
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return slugs,
        }
    }
}

/// Pauses between 30 and 430 ms, the same in every run.
struct Pauses(u64);

impl Pauses {
    const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Duration::from_millis(30 + (self.0 >> 33) % 400)
    }
}
