//! `cargo xtask bench`: what both programs cost now, each figure beside a known program in the same run.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use crate::registry::Registry;
use crate::workspace::{cargo, done, programs, run as run_command, say};

mod anew;
mod archives;
mod cost;
mod cpu;
mod exchange;
mod install;
mod machine;
mod nginx;
mod pages;
mod publish;
mod reads;
mod site;
mod skills;
mod startup;
mod table;
mod uv;
mod verify;

pub(crate) use cost::{MEASURE, measure};

use site::Site;
use skills::SkillSet;
use table::Table;
use uv::Uv;

/// Skills that are published, installed and verified: 2,000 files, 6 MB.
const SKILLS: usize = 200;
/// Pairs of runs, ours and the other in turn, behind one figure.
const PAIRS: usize = 9;

/// Limits that no load here reaches. What it takes to count for them is measured with everything else.
const UNREACHED: [(&str, &str); 5] = [
    ("SKILL_REGISTRY_RATE_READ_ADDRESS", MOST),
    ("SKILL_REGISTRY_RATE_READ_USER", MOST),
    ("SKILL_REGISTRY_RATE_WRITE_USER", MOST),
    ("SKILL_REGISTRY_RATE_DOWNLOAD_ADDRESS", MOST),
    ("SKILL_REGISTRY_RATE_DOWNLOAD_USER", MOST),
];
const MOST: &str = "4294967295";

/// Measures and prints the table. A figure that misses its goal is shown as missed and is no error; a
/// program that fails is one.
pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    ensure!(args.is_empty(), "bench takes nothing");
    if cfg!(debug_assertions) {
        say("building this program and the two that it measures, optimised");
        // The load comes from this program: not optimised, it would be what is measured.
        let itself = ["run", "--release", "--quiet", "--package", "xtask", "--", "bench"];
        return run_command(cargo().args(itself));
    }
    let programs = ["--package", "skill-registry", "--package", "skill-cli", "--bins"];
    run_command(cargo().args(["build", "--release", "--quiet"]).args(programs))?;

    let folder = tempfile::Builder::new().prefix("skill-bench-").tempdir()?;
    let bench = Bench::new(folder.path())?;
    say(&format!("{}\n", machine::facts()));
    let mut table = Table::default();
    startup::measure(&bench, &mut table)?;
    let site = bench.open_site()?;
    publish::measure(&bench, &site, &mut table)?;
    reads::measure(&site, &mut table)?;
    archives::measure(&bench, &site, &mut table)?;
    pages::measure(&bench, &site, &mut table)?;
    let installed = install::measure(&bench, &site, &mut table)?;
    verify::measure(&installed, &mut table)?;
    table.sort();
    say(&table.to_string());
    say(&format!("load average now {}", machine::load()));
    Ok(())
}

/// Where the programs are, and where there is room.
struct Bench {
    folder: PathBuf,
    skill: PathBuf,
    registry: PathBuf,
    uv: Option<Uv>,
}

impl Bench {
    fn new(folder: &Path) -> anyhow::Result<Self> {
        let programs = programs()?;
        Ok(Self {
            folder: folder.to_path_buf(),
            skill: programs.join("skill"),
            registry: programs.join("skill-registry"),
            uv: Uv::find(),
        })
    }

    /// A fresh registry, the skills to publish to it, and somebody who may.
    fn open_site(&self) -> anyhow::Result<Site> {
        let server = Registry::start(&self.registry, &self.folder, &UNREACHED)?;
        let token = server.new_publisher(site::PUBLISHER)?;
        let skills = SkillSet::write(&self.folder.join("skills"), SKILLS)?;
        Site::new(self.skill.clone(), self.folder.join("author"), server, token, skills)
    }

    /// An empty folder that never was there. None is removed before the end: ext4 without a journal passes
    /// over every inode that was freed lately when it makes a file, and that would be what is measured.
    fn fresh(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = tempfile::Builder::new().prefix(name).tempdir_in(&self.folder)?;
        Ok(folder.keep())
    }
}
