//! `kill -9` of `skill` at random moments while it installs from the registry, git, an archive, the URL of an
//! archive and a folder in one command: the disk is as before, or complete.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::git::{GitServer, Manner, Repo};
use crate::support::policy::{ALLOW, program, security};
use crate::support::{Output, Registry, Sandbox, Skill};

/// Kills of each kind: a first install and a change of version, without and with a policy program.
const ROUNDS: u32 = 30;
const NAMES: [&str; 5] = ["registered", "gitty", "tarry", "linky", "dirry"];

/// All five sources, each in two versions.
struct World {
    _registry: Registry,
    repo: Repo,
    site: tempfile::TempDir,
    server: GitServer,
    user: Sandbox,
}

impl World {
    fn new() -> Self {
        let registry = Registry::start();
        let author = Sandbox::publisher(&registry, "acme");
        let repo = Repo::with(&["gitty"]);
        for (number, version) in [("1.0.0", "one"), ("2.0.0", "two")] {
            Skill::new("registered").file("version.txt", version).publish(&author, number).success();
            repo.write("gitty/version.txt", version);
            repo.commit(version);
            repo.git(&["tag", version]);
        }
        let site = tempfile::tempdir().unwrap();
        fs_err::create_dir(site.path().join("files")).unwrap();
        let server = GitServer::start(site.path(), Manner::Open);
        let user = Sandbox::with(&registry);
        Self { _registry: registry, repo, site, server, user }
    }

    /// Puts a version where the sources without versions are.
    fn set(&self, version: &str) {
        let user = &self.user;
        Skill::new("dirry").file("version.txt", version).write(user, "dirry");
        for name in ["tarry", "linky"] {
            Skill::new(name).file("version.txt", version).write(user, name);
            user.skill(["pack", name, "-o", &format!("{name}.zip")]).success();
        }
        fs_err::copy(user.path("linky.zip"), self.site.path().join("files/linky.zip")).unwrap();
    }

    fn install(&self, version: &str) -> std::process::Command {
        let number = if version == "one" { "1.0.0" } else { "2.0.0" };
        let mut command = self.user.command();
        command.args(["install", "tarry.zip", "./dirry", &self.server.url("/linky.zip")]);
        command.args([format!("registered@{number}"), format!("{}@{version}", self.repo.reference())]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Runs the next command. A program that was about to be started when its parent was killed holds the
    /// parent's lock until it has begun, and so long the folder is in use.
    fn next(&self) -> Output {
        for _ in 0..100 {
            let out = self.user.skill(["verify"]);
            if !out.stderr.contains("error[busy]") {
                return out;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("what was killed still holds its lock")
    }

    /// What belongs to an install: the skills, and the files that say what they are.
    fn installed(&self) -> String {
        let disk = self.user.disk();
        let own = |line: &&str| {
            let path = line.rsplit(' ').next().unwrap_or_default();
            let kept = [".skill/lock", ".skill/.gitignore"].contains(&path) || path == ".skill";
            let ours = ["skills", ".skill"].iter().any(|start| path.starts_with(start));
            ours && !kept
        };
        disk.lines().filter(own).collect::<Vec<_>>().join("\n")
    }

    fn clear(&self) {
        for folder in ["skills", ".skill"] {
            let _ = fs_err::remove_dir_all(self.user.path(folder));
        }
        for file in ["skills.lock", "skills.toml"] {
            let _ = fs_err::remove_file(self.user.path(file));
        }
    }
}

/// Spreads the kills of one kind evenly over `whole`, in no order.
fn moment(round: u32, whole: Duration) -> Duration {
    whole * (round * 11 % ROUNDS) / ROUNDS
}

#[test]
fn a_killed_install_from_all_sources_is_nothing_or_whole() {
    let world = World::new();
    let user = &world.user;
    let (mut before, mut after) = (0, 0);
    for with_policy in [false, true] {
        if with_policy {
            program(user, &format!("cat > /dev/null\n{ALLOW}"), "");
        } else {
            security(user, "");
        }
        // Both states, and how long it takes from one to the other.
        world.set("one");
        world.clear();
        assert!(world.install("one").status().unwrap().success());
        let one = world.installed();
        world.set("two");
        let began = Instant::now();
        assert!(world.install("two").status().unwrap().success());
        let whole = began.elapsed() * 11 / 10;
        let two = world.installed();
        for version in ["one", "two"] {
            world.set(version);
            let complete = if version == "one" { &one } else { &two };
            for round in 0..ROUNDS {
                // To two it is a change of version, to one a first install.
                let start = if version == "one" { "" } else { &one };
                if version == "one" {
                    world.clear();
                } else if world.installed() != one {
                    world.set("one");
                    assert!(world.install("one").status().unwrap().success());
                    world.set("two");
                }
                let mut child = world.install(version).spawn().unwrap();
                std::thread::sleep(moment(round, whole));
                let _ = child.kill();
                let _ = child.wait();
                // The next command, whatever it is, settles what was begun.
                let next = world.next();
                let found = world.installed();
                if found == *complete {
                    next.success();
                    after += 1;
                } else {
                    assert_eq!(found, start, "policy {with_policy}, {version}, round {round}: {next}");
                    next.code(if start.is_empty() { 3 } else { 0 });
                    before += 1;
                }
            }
            world.set(version);
            assert!(world.install(version).status().unwrap().success());
            assert_eq!(world.installed(), *complete);
            user.skill(["verify"]).success();
            for name in NAMES {
                assert_eq!(user.read(&format!("skills/{name}/version.txt")), version);
            }
        }
    }
    eprintln!("{} kills: {before} left the disk as before, {after} complete", before + after);
    assert!(before > 0 && after > 0, "no kill came while it was at work: {before} before, {after} after");
}
