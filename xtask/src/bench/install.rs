use std::path::PathBuf;
use std::process::Command;

use super::cost::{Sample, alone, in_turn};
use super::site::{PUBLISHER, Site};
use super::table::{Goal, Table, milliseconds};
use super::{Bench, PAIRS, done};

/// A work directory in which every skill is installed.
pub(super) struct Installed<'a> {
    site: &'a Site,
    pub(super) work: PathBuf,
    home: PathBuf,
}

impl<'a> Installed<'a> {
    /// An empty work directory and an empty home.
    fn nothing(bench: &Bench, site: &'a Site) -> anyhow::Result<Self> {
        Ok(Self { site, work: bench.fresh("work-")?, home: bench.fresh("home-")? })
    }

    /// How many skills there are.
    pub(super) fn count(&self) -> usize {
        self.site.skills.skills.len()
    }

    /// `skill` there, with the home that it was installed with.
    pub(super) fn skill(&self) -> Command {
        self.site.skill(&self.work, &self.home)
    }
}

/// Goal 2: an install of every skill beside unpacking the same tree, and one with nothing to do.
pub(super) fn measure<'a>(bench: &Bench, site: &'a Site, table: &mut Table) -> anyhow::Result<Installed<'a>> {
    let installed = everything(bench, site, table)?;
    nothing_to_do(bench, &installed, table)?;
    notices(&installed, table)?;
    Ok(installed)
}

/// Into an empty work directory, with an empty home. Gives the last of them.
fn everything<'a>(bench: &Bench, site: &'a Site, table: &mut Table) -> anyhow::Result<Installed<'a>> {
    let refs: Vec<String> =
        site.skills.skills.iter().map(|skill| format!("{PUBLISHER}/{}", skill.slug)).collect();
    let mut installed = Installed::nothing(bench, site)?;
    let mut ours = || {
        installed = Installed::nothing(bench, site)?;
        settle()?;
        let mut command = installed.skill();
        command.arg("install").args(&refs);
        Ok(command)
    };
    let Some(archive) = packed(bench, site) else {
        let sample = alone(PAIRS, &mut ours)?;
        table.skipped("2 install beside tar --zstd", "tar or zstd is missing");
        table.number("2 install of 200 skills, wall", milliseconds(sample.wall()), Goal::None, 0.0);
        return Ok(installed);
    };
    let mut other = || {
        let unpacked = bench.fresh("unpacked-")?;
        settle()?;
        let mut command = Command::new("tar");
        command.arg("--zstd").arg("-xf").arg(&archive).arg("-C").arg(unpacked);
        Ok(command)
    };
    let ((ours, other), server) = site.server.cpu_of(|| in_turn(PAIRS, &mut ours, &mut other))?;
    let server = server / PAIRS as u32;
    let other = ("tar --zstd -xf", &other);
    table.walls("2 install of 200 skills, wall", &ours, other, Goal::AtMost(2.0, "x"));
    table.cpus("2 install of 200 skills, CPU", &ours, other);
    table.peaks("2 install of 200 skills, peak", &ours, other, Goal::None);
    table.number("2 install of 200 skills, server", format!("{} CPU", milliseconds(server)), Goal::None, 0.0);
    Ok(installed)
}

/// The same files in one archive; none if `tar` or `zstd` is missing.
fn packed(bench: &Bench, site: &Site) -> Option<PathBuf> {
    let archive = bench.folder.join("tree.tar.zst");
    let mut tar = Command::new("tar");
    tar.arg("--zstd").arg("-cf").arg(&archive).arg("-C").arg(&site.skills.folder).arg(".");
    tar.output().is_ok_and(|packed| packed.status.success()).then_some(archive)
}

/// What was written before is on disk, so that it is not written while the next run is measured.
fn settle() -> anyhow::Result<()> {
    done(&mut Command::new("sync")).map(drop)
}

/// Everything is locked and there.
fn nothing_to_do(bench: &Bench, installed: &Installed<'_>, table: &mut Table) -> anyhow::Result<()> {
    let figure = "2 nothing to install, wall";
    let mut ours = || {
        let mut command = installed.skill();
        command.arg("install");
        Ok(command)
    };
    let satisfied = bench.uv.as_ref().map(|uv| uv.satisfied(&bench.folder.join("venv"), installed.count()));
    let satisfied = match satisfied {
        Some(Ok(satisfied)) => satisfied,
        why => {
            let why =
                why.and_then(Result::err).map_or("no uv".to_owned(), |error| format!("uv venv: {error}"));
            let sample: Sample = alone(PAIRS, &mut ours)?;
            table.skipped("2 nothing to install, beside uv", why.lines().next().unwrap_or_default());
            table.number(figure, milliseconds(sample.wall()), Goal::None, 0.0);
            return Ok(());
        }
    };
    let (ours, other) = in_turn(PAIRS, &mut ours, &mut || Ok(satisfied.command()))?;
    let other = ("uv pip install, the same", &other);
    table.walls(figure, &ours, other, Goal::AtMost(0.6, "x"));
    table.cpus("2 nothing to install, CPU", &ours, other);
    Ok(())
}

/// A fast answer is worth nothing if it is wrong: a file that is gone or has another size is seen.
fn notices(installed: &Installed<'_>, table: &mut Table) -> anyhow::Result<()> {
    let file = installed
        .work
        .join("skills")
        .join(&installed.site.skills.skills[7].slug)
        .join("references/part-3.md");
    let content = fs_err::read(&file)?;
    let is_seen = || -> anyhow::Result<bool> {
        let ended_well = installed.skill().arg("install").output()?.status.success();
        Ok(!ended_well || fs_err::read(&file).is_ok_and(|now| now == content))
    };
    fs_err::remove_file(&file)?;
    table.fact("2 install sees a deleted file", is_seen()?);
    fs_err::write(&file, &content[1..])?;
    table.fact("2 install sees a resized file", is_seen()?);
    fs_err::write(&file, &content)?;
    Ok(())
}
