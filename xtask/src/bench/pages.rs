//! What the pages of a large skill cost the registry, each made anew: 500 versions, the last with 2,000 files.

use std::path::Path;

use super::anew;
use super::publish::{send_all, upload};
use super::site::{PUBLISHER, Site};
use super::table::{Goal, Table};
use super::{Bench, done};

const VERSIONS: usize = 500;
const FILES: usize = 2_000;
/// How often each page is asked for. CPU time is counted in hundredths of a second, so one page alone says nothing.
const ASKED: usize = 40;
const GOAL: Goal = Goal::AtMost(50.0, " ms");

pub(super) fn measure(bench: &Bench, site: &Site, table: &mut Table) -> anyhow::Result<()> {
    publish(bench, site)?;
    let pages = [
        ("skill", ""),
        ("older version", "/versions/1.0.250"),
        ("versions", "/versions?page=5"),
        ("files", "/files?page=5"),
        ("one file", "/files?path=references/page-1000.md"),
        ("changes of few files", "/diff?from=1.0.1&to=1.0.499"),
        ("changes of 2,000 files", "/diff?from=1.0.1&to=2.0.0"),
        ("security", "/security"),
    ];
    for (page, path) in pages {
        let path = format!("/{PUBLISHER}/skills/large{path}");
        let cpu = anew::cost(site, &vec![vec![path]; ASKED])?;
        let cpu = cpu.as_secs_f64() * 1e3 / ASKED as f64;
        table.number(&format!("page: {page}"), format!("{cpu:.1} ms CPU"), GOAL, cpu);
    }
    Ok(())
}

fn publish(bench: &Bench, site: &Site) -> anyhow::Result<()> {
    let folder = bench.fresh("large-")?;
    let small = packed(site, &folder.join("small"), 10)?;
    let mut uploads: Vec<Vec<u8>> = Vec::with_capacity(VERSIONS);
    for number in 1..VERSIONS {
        uploads.push(upload(site, "large", &format!("1.0.{number}"), &small));
    }
    send_all(site, 1, uploads)?;
    let large = packed(site, &folder.join("large"), FILES)?;
    send_all(site, 1, vec![upload(site, "large", "2.0.0", &large)])?;
    Ok(())
}

/// The archive of a skill of so many files.
fn packed(site: &Site, folder: &Path, files: usize) -> anyhow::Result<Vec<u8>> {
    fs_err::create_dir_all(folder.join("references"))?;
    let text = "---\nname: large\ndescription: Notes about many things. Use when somebody asks for them.\n---\n\n# Notes\n";
    fs_err::write(folder.join("SKILL.md"), text)?;
    for number in 1..files {
        let path = folder.join(format!("references/page-{number:04}.md"));
        fs_err::write(path, format!("# Page {number}\n\nOne of {files}.\n"))?;
    }
    let archive = folder.with_extension("skill");
    done(site.author().arg("pack").arg(folder).arg("--output").arg(&archive))?;
    Ok(fs_err::read(archive)?)
}
