use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::cost::children_cpu;
use super::exchange::Exchange;
use super::site::Site;
use super::table::{Goal, Table};
use super::{Bench, done};

/// Clients at a time.
const CLIENTS: usize = 4;
const BOUNDARY: &str = "bench-boundary";
const GOAL: Goal = Goal::AtLeast(100.0, "/s");

/// Goal 7: publishes a second, the skills of the later figures among them.
pub(super) fn measure(bench: &Bench, site: &Site, table: &mut Table) -> anyhow::Result<()> {
    let before = children_cpu()?;
    let (wall, server) = site.server.cpu_of(|| by_command(site))?;
    let clients = children_cpu()?.saturating_sub(before);
    let count = site.skills.skills.len();
    let rate = count as f64 / wall.as_secs_f64();
    table.number("7 skill publish, 4 at a time", format!("{rate:.0}/s"), GOAL, rate);
    table.number("7 skill publish, server", each(server, count), Goal::None, 0.0);
    table.number("7 skill publish, client", each(clients, count), Goal::None, 0.0);

    let uploads = uploads(bench, site)?;
    let (wall, server) = site.server.cpu_of(|| send_all(site, CLIENTS, uploads))?;
    let rate = count as f64 / wall.as_secs_f64();
    table.number("7 bare uploads, 4 at a time", format!("{rate:.0}/s"), GOAL, rate);
    table.number("7 bare uploads, server", each(server, count), Goal::None, 0.0);
    Ok(())
}

fn each(time: Duration, count: usize) -> String {
    format!("{:.1} ms CPU each", time.as_secs_f64() * 1e3 / count as f64)
}

/// Every skill by a process of `skill publish` of its own.
fn by_command(site: &Site) -> anyhow::Result<Duration> {
    let next = AtomicUsize::new(0);
    let client = || -> anyhow::Result<()> {
        while let Some(skill) = site.skills.skills.get(next.fetch_add(1, Ordering::Relaxed)) {
            done(site.author().arg("publish").arg(&skill.folder).args(["--version", "1.0.0"]))?;
        }
        Ok(())
    };
    let began = Instant::now();
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
        let join = |client: std::thread::ScopedJoinHandle<'_, anyhow::Result<()>>| client.join();
        clients
            .into_iter()
            .try_for_each(|client| join(client).unwrap_or_else(|_| anyhow::bail!("a client panicked")))
    })?;
    Ok(began.elapsed())
}

/// The same skills under other slugs, as ready requests.
fn uploads(bench: &Bench, site: &Site) -> anyhow::Result<Vec<Vec<u8>>> {
    let folder = bench.fresh("archives-")?;
    let mut uploads = Vec::with_capacity(site.skills.skills.len());
    for skill in &site.skills.skills {
        let archive = folder.join(&skill.slug);
        done(site.author().arg("pack").arg(&skill.folder).arg("--output").arg(&archive))?;
        uploads.push(upload(site, &format!("bare-{}", skill.slug), "1.0.0", &fs_err::read(&archive)?));
    }
    Ok(uploads)
}

/// A ready request that publishes an archive.
pub(super) fn upload(site: &Site, slug: &str, version: &str, archive: &[u8]) -> Vec<u8> {
    let part =
        |name: &str| format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
    let meta = serde_json::json!({ "slug": slug, "version": version });
    let (meta, archive_head) = (format!("{}{meta}\r\n", part("meta")), part("archive"));
    let end = format!("\r\n--{BOUNDARY}--\r\n");
    let length = meta.len() + archive_head.len() + archive.len() + end.len();
    let head = format!(
        "POST /api/registry/v1/publish HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: {length}\r\n\r\n",
        site.server.address(),
        site.token,
    );
    [head.as_bytes(), meta.as_bytes(), archive_head.as_bytes(), archive, end.as_bytes()].concat()
}

/// Sends ready requests over so many kept connections: what a client costs is left out. Releases of one skill go
/// over one: each has to be placed behind the one before.
pub(super) fn send_all(site: &Site, clients: usize, uploads: Vec<Vec<u8>>) -> anyhow::Result<Duration> {
    let address = site.server.address();
    let (uploads, next) = (Arc::new(uploads), Arc::new(AtomicUsize::new(0)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let began = Instant::now();
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..clients {
            let (uploads, next) = (Arc::clone(&uploads), Arc::clone(&next));
            tasks.spawn(async move {
                let mut connection = Exchange::open(address).await?;
                while let Some(upload) = uploads.get(next.fetch_add(1, Ordering::Relaxed)) {
                    connection.send(upload, 201).await?;
                }
                anyhow::Ok(())
            });
        }
        while let Some(task) = tasks.join_next().await {
            task??;
        }
        Ok(began.elapsed())
    })
}
