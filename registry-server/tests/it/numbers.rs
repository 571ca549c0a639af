//! What is counted: downloads by people, programs and mirrors, and what is made of it.

mod badges;
mod chart;
mod classes;
mod days;
mod feeds;
mod law;
mod order;
mod privacy;
mod stars;

use axum::body::Body;
use http::Method;
use http::header::USER_AGENT;
use skill_registry::store::downloads::{self, OfDay};
use skill_registry::store::skills;

use crate::support::{Caller, TestRegistry};

/// How stock programs call themselves.
const PERSON: &str = "skill/0.1.0";
const BOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1)";
const MIRROR: &str = "skill-mirror/0.1.0";

/// Downloads `ada/SLUG` by a program of this name; answers the status.
async fn download(caller: &Caller, slug: &str, agent: &str) -> u16 {
    let path = format!("/api/v1/download?slug={slug}&ownerHandle=ada");
    let mut request = caller.request(Method::GET, &path).body(Body::empty()).unwrap();
    request.headers_mut().insert(USER_AGENT, agent.parse().unwrap());
    caller.send(request).await.status.as_u16()
}

/// What is counted of `ada/SLUG`, by day.
async fn counted(registry: &TestRegistry, slug: &str) -> Vec<OfDay> {
    let mut conn = registry.app.db().read().await.unwrap();
    let name = format!("ada/{slug}").parse().unwrap();
    let skill = skills::find(&mut conn, &name).await.unwrap().unwrap();
    downloads::by_day(&mut conn, &skill.id, 0).await.unwrap()
}

fn total(days: &[OfDay]) -> u64 {
    days.iter().map(|of| of.people + of.bots + of.mirrors).sum()
}

/// The same, once `wanted` downloads are counted: they are written beside the requests.
async fn once_counted(registry: &TestRegistry, slug: &str, wanted: u64) -> Vec<OfDay> {
    loop {
        let days = counted(registry, slug).await;
        if total(&days) >= wanted {
            return days;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}
