//! Goal 5: how many archives a second the registry gives out, beside nginx with the same bytes as a file.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use super::nginx::Nginx;
use super::publish::{send_all, upload};
use super::reads::{WARM_UP, load};
use super::site::{PUBLISHER, Site};
use super::skills::noise;
use super::table::{Goal, Table};
use super::{Bench, done};

const TIME: Duration = Duration::from_secs(3);
/// Loads of ours and of the other, in turn, behind one figure.
const PAIRS: usize = 3;

pub(super) fn measure(bench: &Bench, site: &Site, table: &mut Table) -> anyhow::Result<()> {
    let folder = bench.fresh("archives-")?;
    let nginx = Nginx::start(&folder)?;
    for (slug, bytes, goal) in [("ten-kb", 10_000, 0.8), ("one-mb", 1_000_000, 0.6)] {
        let archive = packed(site, &folder.join(slug), bytes)?;
        send_all(site, 1, vec![upload(site, slug, "1.0.0", &archive)])?;
        let figure = format!("5 GET archive of {} bytes", archive.len());
        let Some(nginx) = &nginx else {
            table.skipped(&figure, "no nginx");
            continue;
        };
        nginx.serve(slug, &archive)?;
        let path = format!("/api/v1/download?slug={slug}&ownerHandle={PUBLISHER}&version=1.0.0");
        let mut rates = (Vec::new(), Vec::new());
        for _ in 0..PAIRS {
            rates.0.push(rate(site.server.address(), &path)?);
            rates.1.push(rate(nginx.address(), &format!("/{slug}"))?);
        }
        let (ours, other) = (median(rates.0), median(rates.1));
        table.rates(&figure, ours, ("nginx", other), Goal::AtLeast(goal, "x"));
    }
    Ok(())
}

fn rate(address: SocketAddr, path: &str) -> anyhow::Result<f64> {
    load(address, path, WARM_UP)?;
    Ok(load(address, path, TIME)?.rate())
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or_default()
}

/// The archive of a skill with so many bytes that do not pack.
fn packed(site: &Site, folder: &Path, bytes: usize) -> anyhow::Result<Vec<u8>> {
    fs_err::create_dir_all(folder)?;
    fs_err::write(folder.join("SKILL.md"), "---\nname: noise\ndescription: Holds noise\n---\n\n# Noise\n")?;
    fs_err::write(folder.join("noise.bin"), noise(bytes))?;
    let archive = folder.with_extension("skill");
    done(site.author().arg("pack").arg(folder).arg("--output").arg(&archive))?;
    Ok(fs_err::read(archive)?)
}
