//! `kill -9` of `skill` at random moments: the disk is as before, or the next command finishes it.

use std::process::Stdio;
use std::time::Duration;

use crate::install_registry::github;
use crate::support::{Registry, Sandbox};

#[test]
fn a_killed_install_is_nothing_or_whole() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    let versions = ["3.4.1", "4.0.0"];
    for round in 0..40_u64 {
        let wanted = versions[(round % 2) as usize];
        let mut child = user
            .command()
            .args(["install", &format!("github@{wanted}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(5 + round * 13 % 250));
        let _ = child.kill();
        let _ = child.wait();
        let out = user.skill(["verify"]).success();
        let version = user.read("skills/github/data/version.txt");
        assert!(versions.contains(&version.as_str()), "{version}");
        assert!(out.stdout.contains(&format!("acme/github {version} ")), "{out}");
        let lock = user.read("skills.lock");
        assert!(lock.contains(&format!("version = \"{version}\"")), "{lock}");
        assert!(!user.disk().contains("stage-"), "{}", user.disk());
    }
    user.skill(["install", "github@^4"]).success();
    user.skill(["verify"]).success();
}
