use std::path::{Path, PathBuf};
use std::process::Command;

use super::PAIRS;
use super::cost::in_turn;
use super::install::Installed;
use super::table::{Goal, Table};

/// Goal 9: `skill verify --all`, signatures included, beside `sha256sum` over the same files. The goal for one
/// envelope is held against everything that is done for one skill.
pub(super) fn measure(installed: &Installed<'_>, table: &mut Table) -> anyhow::Result<()> {
    let mut files = Vec::new();
    collect(&installed.work.join("skills"), &mut files)?;
    files.sort();
    let mut ours = || {
        let mut command = installed.skill();
        command.args(["verify", "--all"]);
        Ok(command)
    };
    let mut other = || {
        let mut command = Command::new("sha256sum");
        command.args(&files);
        Ok(command)
    };
    let (ours, other) = in_turn(PAIRS, &mut ours, &mut other)?;
    let other = ("sha256sum", &other);
    table.walls("9 verify --all of 200 skills, wall", &ours, other, Goal::AtMost(1.5, "x"));
    table.cpus("9 verify --all of 200 skills, CPU", &ours, other);
    let each = ours.cpu().as_secs_f64() * 1e3 / installed.count() as f64;
    let shown = format!("{each:.2} ms CPU");
    table.number("9 a skill with its envelope", shown, Goal::AtMost(0.3, " ms"), each);
    table.peaks("9 verify --all of 200 skills, peak", &ours, other, Goal::None);
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
