//! `kill -9` of `skill` at random moments while it installs from git, an archive and a folder: the disk is as
//! before, or complete.

use std::process::Stdio;
use std::time::Duration;

use crate::support::git::Repo;
use crate::support::{Sandbox, Skill};

const ROUNDS: u64 = 100;

#[test]
fn a_killed_install_from_any_source_is_nothing_or_whole() {
    let repo = Repo::with(&["gitty"]);
    repo.write("gitty/version.txt", "one");
    repo.commit("one");
    repo.git(&["tag", "one"]);
    repo.write("gitty/version.txt", "two");
    repo.commit("two");
    repo.git(&["tag", "two"]);
    let user = Sandbox::new();
    for version in ["one", "two"] {
        for name in ["dirry", "tarry"] {
            Skill::new(name).file("version.txt", version).write(&user, &format!("src-{version}/{name}"));
        }
        let archive = user.path(&format!("tarry-{version}.tar.gz"));
        let status = std::process::Command::new("tar")
            .args(["-czf"])
            .arg(archive)
            .args(["-C", &user.path(&format!("src-{version}")).display().to_string(), "tarry"])
            .status();
        assert!(status.unwrap().success());
    }
    let set_to = |version: &str| {
        fs_err::copy(user.path(&format!("tarry-{version}.tar.gz")), user.path("tarry.tar.gz")).unwrap();
        Skill::new("dirry").file("version.txt", version).write(&user, "dirry");
    };
    let references = |version: &str| {
        [format!("{}@{version}", repo.reference()), "tarry.tar.gz".to_owned(), "./dirry".to_owned()]
    };
    set_to("one");
    user.skill(["install"].into_iter().map(str::to_owned).chain(references("one"))).success();
    for round in 0..ROUNDS {
        let wanted = ["two", "one"][(round % 2) as usize];
        set_to(wanted);
        let mut child = user
            .command()
            .arg("install")
            .args(references(wanted))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(3 + round * 37 % 330));
        let _ = child.kill();
        let _ = child.wait();
        user.skill(["verify"]).success();
        let versions: Vec<String> = ["gitty", "tarry", "dirry"]
            .iter()
            .map(|name| user.read(&format!("skills/{name}/version.txt")))
            .collect();
        assert!(versions.iter().all(|version| *version == versions[0]), "half of it: {versions:?}");
        assert!(!user.disk().contains("stage-"), "{}", user.disk());
    }
    user.skill(["install"].into_iter().map(str::to_owned).chain(references("two"))).success();
    user.skill(["verify"]).success();
}
