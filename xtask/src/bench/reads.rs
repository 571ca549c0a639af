use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::anew;
use super::exchange::Exchange;
use super::site::{PUBLISHER, Site};
use super::table::{Goal, Table};

const CONNECTIONS: usize = 32;
pub(super) const WARM_UP: Duration = Duration::from_millis(300);
const TIME: Duration = Duration::from_secs(4);
/// How often each skill is asked for anew.
const ROUNDS: usize = 10;

/// Goal 4: what a GET of metadata costs the server, answered from what it keeps.
pub(super) fn measure(site: &Site, table: &mut Table) -> anyhow::Result<()> {
    let slug = &site.skills.skills[0].slug;
    let paths = [format!("/api/v1/skills/{slug}"), format!("/index/{PUBLISHER}/{slug}")];
    for path in paths {
        load(site.server.address(), &path, WARM_UP)?;
        let (load, cpu) = site.server.cpu_of(|| load(site.server.address(), &path, TIME))?;
        let cpu = cpu.as_secs_f64() * 1e6 / load.latencies.len() as f64;
        let shown = format!("{cpu:.1} us CPU");
        table.number(&format!("4 GET {path}, a request"), shown, Goal::AtMost(25.0, " us"), cpu);
        table.number(&format!("4 GET {path}, rate"), format!("{:.0}/s", load.rate()), Goal::None, 0.0);
        let p99 = load.quantile(0.99).as_secs_f64() * 1e3;
        let shown = format!("{p99:.1} ms");
        table.number(&format!("4 GET {path}, p99"), shown, Goal::AtMost(2.0, " ms"), p99);
    }
    uncached(site, table)?;
    search(site, table)
}

/// Goal 4, where nothing is kept: every skill, [`ROUNDS`] times.
fn uncached(site: &Site, table: &mut Table) -> anyhow::Result<()> {
    for folder in ["/api/v1/skills".to_owned(), format!("/index/{PUBLISHER}")] {
        let slugs = site.skills.skills.iter().map(|skill| &skill.slug);
        let paths: Vec<String> = slugs.map(|slug| format!("{folder}/{slug}")).collect();
        let asked = ROUNDS * paths.len();
        let cpu = anew::cost(site, &vec![paths; ROUNDS])?;
        let cpu = cpu.as_secs_f64() * 1e6 / asked as f64;
        let shown = format!("{cpu:.0} us CPU");
        table.number(&format!("4 GET {folder}/*, made anew"), shown, Goal::AtMost(200.0, " us"), cpu);
    }
    Ok(())
}

/// Goal 6, over the wire: a word that stands in many of the skills. How 50,000 are searched is measured by
/// `cargo bench -p skill-registry`.
fn search(site: &Site, table: &mut Table) -> anyhow::Result<()> {
    let path = "/api/v1/search?q=notes&limit=20";
    load(site.server.address(), path, WARM_UP)?;
    let (load, cpu) = site.server.cpu_of(|| load(site.server.address(), path, TIME))?;
    let figure = format!("6 search of {} skills", 2 * site.skills.skills.len());
    let rate = load.rate();
    let goal = Goal::AtLeast(3_000.0, "/s");
    table.number(&format!("{figure}, rate"), format!("{rate:.0}/s"), goal, rate);
    let cpu = cpu.as_secs_f64() * 1e6 / load.latencies.len() as f64;
    table.number(&format!("{figure}, a request"), format!("{cpu:.0} us CPU"), Goal::None, cpu);
    let p99 = load.quantile(0.99).as_secs_f64() * 1e3;
    table.number(&format!("{figure}, p99"), format!("{p99:.1} ms"), Goal::None, p99);
    Ok(())
}

pub(super) fn request(address: SocketAddr, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n")
}

/// What came of a load.
pub(super) struct Load {
    wall: Duration,
    /// Of every request, sorted.
    latencies: Vec<Duration>,
}

impl Load {
    /// Requests a second.
    pub(super) fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.wall.as_secs_f64()
    }

    fn quantile(&self, share: f64) -> Duration {
        let at = (self.latencies.len() as f64 * share) as usize;
        self.latencies.get(at).copied().unwrap_or_default()
    }
}

/// Asks for `path` over [`CONNECTIONS`] kept connections, each anew as soon as it is answered.
pub(super) fn load(address: SocketAddr, path: &str, time: Duration) -> anyhow::Result<Load> {
    let request = request(address, path);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let began = Instant::now();
        let mut clients = tokio::task::JoinSet::new();
        for _ in 0..CONNECTIONS {
            clients.spawn(ask(address, request.clone(), began + time));
        }
        let mut latencies = Vec::new();
        while let Some(client) = clients.join_next().await {
            latencies.append(&mut client??);
        }
        let wall = began.elapsed();
        latencies.sort_unstable();
        Ok(Load { wall, latencies })
    })
}

async fn ask(address: SocketAddr, request: String, end: Instant) -> anyhow::Result<Vec<Duration>> {
    let mut connection = Exchange::open(address).await?;
    let mut latencies = Vec::new();
    loop {
        let began = Instant::now();
        if began >= end {
            return Ok(latencies);
        }
        connection.send(request.as_bytes(), 200).await?;
        latencies.push(began.elapsed());
    }
}
