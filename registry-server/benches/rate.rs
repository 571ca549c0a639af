//! `cargo bench -p skill-registry --bench rate`: what a request pays for being counted (docs/PERFORMANCE.md, "Rate
//! limits").
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that cannot go on ends")]
#![allow(clippy::print_stdout, reason = "the table is the point")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use http::Request;
use jiff::Timestamp;
use skill_registry::Config;
use skill_registry::config::Flags;
use skill_registry::network::Network;
use skill_registry::rate::{Asker, Kind, Rates};
use skill_registry::remote::{ConnectionId, Forwarded, Peer, Proxies, Remote};

/// Checks between two looks at the clock.
const BATCH: u32 = 100;
const BATCHES: u32 = 10_000;
/// The goal for the middle and for the slowest one in a hundred batches.
const GOAL: Duration = Duration::from_micros(1);

fn main() {
    println!("{BATCHES} batches of {BATCH} checks each; times are of one check\n");
    println!("| what | p50 | p99 | p99 <= 1 us |\n|---|---|---|---|");
    let now: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
    let rates = rates();
    row("one address", |_| taken(&rates, 7, now));
    row("one address of 100,000", |n| taken(&rates, n.wrapping_mul(2_654_435_761) % 100_000, now));
    row("an address that was not there", |n| taken(&rates, n, now));
    let id = "0123456789abcdef0123456789abcdef";
    row("one user", |_| rates.take(Kind::Read, Asker::User { id, is_admin: false }, now).is_ok());
    let refused = from(IpAddr::from([192, 0, 2, 7]));
    row("one address, whether it may show a token", |_| rates.may_show_a_token(refused, now).is_ok());
    beside_others(&rates, now);

    let direct = Proxies::new(Vec::new(), Forwarded::XForwardedFor);
    let request = request("192.0.2.7", &[]);
    row("the address of a connection", |_| remote(&direct, &request).is_some());
    let behind = Proxies::new(Network::list("10.0.0.0/8, fd00::/8").unwrap(), Forwarded::XForwardedFor);
    let through = self::request("10.0.0.1", &[("x-forwarded-for", "198.51.100.9, 192.0.2.7, 10.0.0.2")]);
    row("the address behind two proxies", |_| remote(&behind, &through).is_some());
    let behind = Proxies::new(Network::list("10.0.0.0/8, fd00::/8").unwrap(), Forwarded::Rfc7239);
    let through = self::request("10.0.0.1", &[("forwarded", "for=192.0.2.7;proto=https, for=10.0.0.2")]);
    row("the same of RFC 7239", |_| remote(&behind, &through).is_some());
}

/// With limits that nothing here reaches.
fn rates() -> Rates {
    let most = Some(u32::MAX.to_string());
    let flags = Flags::default()
        .with("rate.read.address", most.clone())
        .with("rate.read.user", most.clone())
        .with("rate.refused.address", most);
    Rates::new(Config::load(None, &BTreeMap::new(), flags).unwrap().rate)
}

fn from(address: IpAddr) -> Remote {
    Remote { address: Some(address), connection: ConnectionId::next() }
}

fn taken(rates: &Rates, address: u32, now: Timestamp) -> bool {
    // Outside of 127.0.0.0/8, where connections count.
    let address = Ipv4Addr::from_bits(0xc000_0000 | address & 0x0fff_ffff);
    rates.take(Kind::Read, Asker::Remote(from(address.into())), now).is_ok()
}

fn request(peer: &str, headers: &[(&str, &str)]) -> Request<()> {
    let mut request = Request::builder();
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let peer = Peer { address: peer.parse().unwrap(), connection: ConnectionId::next() };
    request.extension(peer).body(()).unwrap()
}

fn remote(proxies: &Proxies, request: &Request<()>) -> Option<Remote> {
    proxies.remote(request.extensions(), request.headers())
}

/// While three more threads count for the same address, which is the worst that a client can do to the lock.
fn beside_others(rates: &Rates, now: Timestamp) {
    let ended = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !ended.load(std::sync::atomic::Ordering::Relaxed) {
                    black_box(taken(rates, 7, now));
                }
            });
        }
        row("one address, three more threads at it", |_| taken(rates, 7, now));
        ended.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

fn row(what: &str, mut check: impl FnMut(u32) -> bool) {
    let mut times: Vec<Duration> = Vec::new();
    let mut n = 0_u32;
    for _ in 0..BATCHES {
        let began = Instant::now();
        for _ in 0..BATCH {
            n += 1;
            assert!(black_box(check(n)));
        }
        times.push(began.elapsed() / BATCH);
    }
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let (p50, p99) = (at(0.5), at(0.99));
    let met = if p99 <= GOAL { "yes" } else { "no" };
    println!("| {what} | {} ns | {} ns | {met} |", p50.as_nanos(), p99.as_nanos());
}
