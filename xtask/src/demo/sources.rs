//! One skill from each way in that needs no registry: an archive, a folder, a git repository.

use std::path::Path;
use std::process::Command;

use super::shell::Shell;
use crate::workspace::{root, say};

/// Installs one of the example skills each way, and verifies all of them.
pub(super) fn install_from_each(shell: &Shell, folder: &Path) -> anyhow::Result<()> {
    let examples = root().join("examples/skills");
    let example = |name: &str| examples.join(name).display().to_string();

    shell.step("From an archive: what `skill pack` writes is a zip that anybody can open");
    shell.skill(&["pack", &example("web-research"), "-o", "web-research.skill"])?;
    shell.skill(&["install", "web-research.skill"])?;

    shell.step("From a folder");
    shell.copy(&examples.join("release-notes"), "release-notes")?;
    shell.skill(&["install", "./release-notes"])?;

    shell.step("From a git repository with two skills: it lists them, and takes the one that is named");
    let repository = folder.join("skills-repository");
    make_repository(&repository, &examples, &["bar-chart", "code-reviewer"])?;
    let reference = format!("git:{}", repository.display());
    shell.skill_ends(&["install", &reference], 3)?;
    shell.skill(&["install", &reference, "--path", "code-reviewer"])?;
    anyhow::ensure!(shell.read("skills.lock")?.contains("source = \"git\""), "the lock names no git source");

    shell.step("Nobody signed these; they are held to the lock, and were scanned here");
    shell.skill(&["verify"])
}

/// A repository with one commit that holds some of the folders of `files`.
fn make_repository(repository: &Path, files: &Path, folders: &[&str]) -> anyhow::Result<()> {
    say(&format!("$ git init {} && git add … && git commit …", repository.display()));
    fs_err::create_dir(repository)?;
    let git = |args: &[&str]| -> anyhow::Result<()> {
        let status = Command::new("git")
            .current_dir(repository)
            .arg(format!("--work-tree={}", files.display()))
            .args(["--git-dir=.git", "-c", "user.name=Demo", "-c", "user.email=demo@localhost"])
            .args(["-c", "commit.gpgSign=false", "-c", "core.hooksPath=/dev/null"])
            .args(args)
            .status()?;
        anyhow::ensure!(status.success(), "git {} ended with {status}", args.join(" "));
        Ok(())
    };
    let status = Command::new("git").args(["init", "--quiet"]).arg(repository).status()?;
    anyhow::ensure!(status.success(), "git init ended with {status}");
    git(&[&["add", "--"], folders].concat())?;
    git(&["commit", "--quiet", "--message", "Two skills"])
}
