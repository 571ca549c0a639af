//! What answers cost that are made anew: a change before each round drops all that the registry keeps.

use std::time::Duration;

use super::exchange::Exchange;
use super::reads::request;
use super::site::{PUBLISHER, Site};

/// The registry's CPU time for all requests of all rounds, without the changes between them.
pub(super) fn cost(site: &Site, rounds: &[Vec<String>]) -> anyhow::Result<Duration> {
    let ((), with) = site.server.cpu_of(|| ask(site, rounds))?;
    let alone = vec![Vec::new(); rounds.len()];
    let ((), changes) = site.server.cpu_of(|| ask(site, &alone))?;
    Ok(with.saturating_sub(changes))
}

fn ask(site: &Site, rounds: &[Vec<String>]) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut connection = Exchange::open(site.server.address()).await?;
        let change = change(site);
        for paths in rounds {
            connection.send(&change, 200).await?;
            for path in paths {
                connection.send(request(site.server.address(), path).as_bytes(), 200).await?;
            }
        }
        Ok(())
    })
}

/// The cheapest change that there is: a tag is set.
fn change(site: &Site) -> Vec<u8> {
    let (slug, body) = (&site.skills.skills[0].slug, r#"{"version":"1.0.0"}"#);
    format!(
        "PUT /api/registry/v1/skills/{PUBLISHER}/{slug}/tags/bench HTTP/1.1\r\nHost: {}\r\n\
         Authorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        site.server.address(),
        site.token,
        body.len(),
    )
    .into_bytes()
}
