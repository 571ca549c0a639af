//! Who downloads, as far as they say it: only what people have fetched tells how much a skill is used.

use std::net::IpAddr;

use http::{HeaderMap, header};

use crate::network::Network;
use crate::store::downloads::Class;

/// Bytes of a `User-Agent` that are read; programs name themselves at its beginning.
const READ: usize = 256;
/// How a mirror of ours begins.
const MIRROR: &str = "skill-mirror/";
/// Clients that fetch for a person, whose names would be taken for those of others below.
const CLIENTS: [&str; 5] = ["skill/", "openclaw", "clawhub", "clawdbot", "moltbot"];
/// What programs call themselves that come by themselves: engines, previews of links, watchers.
const BOTS: [&str; 14] = [
    "bot",
    "crawl",
    "spider",
    "slurp",
    "archiver",
    "externalhit",
    "preview",
    "monitor",
    "uptime",
    "pingdom",
    "scrapy",
    "httrack",
    "headless",
    "lighthouse",
];

impl Class {
    /// Who sent a request with these headers from there. Whoever names no program is none that a person started.
    pub(crate) fn of(headers: &HeaderMap, address: Option<IpAddr>, mirrors: &[Network]) -> Self {
        if address.is_some_and(|address| mirrors.iter().any(|network| network.contains(address))) {
            return Self::Mirror;
        }
        let agent = headers.get(header::USER_AGENT).map_or(&[][..], |agent| agent.as_bytes());
        let agent = agent[..agent.len().min(READ)].to_ascii_lowercase();
        let agent = String::from_utf8_lossy(&agent);
        if agent.starts_with(MIRROR) {
            Self::Mirror
        } else if CLIENTS.iter().any(|client| agent.starts_with(client)) {
            Self::Person
        } else if agent.trim().is_empty() || BOTS.iter().any(|bot| agent.contains(bot)) {
            Self::Bot
        } else {
            Self::Person
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn of(agent: &[u8], address: &str) -> Class {
        let mut headers = HeaderMap::new();
        headers.insert(header::USER_AGENT, HeaderValue::from_bytes(agent).unwrap());
        let mirrors = Network::list("203.0.113.0/24, 2001:db8:1::/48").unwrap();
        Class::of(&headers, address.parse().ok(), &mirrors)
    }

    #[test]
    fn programs_as_they_call_themselves() {
        let agents = [
            "skill/0.1.0",
            "clawhub/0.23.3 node/22",
            "clawdbot/2026.1",
            "node",
            "curl/8.5.0",
            "python-requests/2.32",
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "facebookexternalhit/1.1",
            "Mozilla/5.0 AppleWebKit/537.36 HeadlessChrome/140.0",
            "UptimeRobot/2.0",
            "skill-mirror/0.1.0",
            "SKILL-MIRROR/9",
            "",
            " ",
        ];
        let line = |agent: &&str| format!("{:?} {agent:?}", of(agent.as_bytes(), "192.0.2.1"));
        insta::assert_snapshot!(agents.iter().map(line).collect::<Vec<_>>().join("\n"), @r#"
        Person "skill/0.1.0"
        Person "clawhub/0.23.3 node/22"
        Person "clawdbot/2026.1"
        Person "node"
        Person "curl/8.5.0"
        Person "python-requests/2.32"
        Person "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
        Bot "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
        Bot "facebookexternalhit/1.1"
        Bot "Mozilla/5.0 AppleWebKit/537.36 HeadlessChrome/140.0"
        Bot "UptimeRobot/2.0"
        Mirror "skill-mirror/0.1.0"
        Mirror "SKILL-MIRROR/9"
        Bot ""
        Bot " "
        "#);
    }

    #[test]
    fn a_network_of_mirrors_is_one_whatever_it_says() {
        assert_eq!(of(b"skill/0.1.0", "203.0.113.9"), Class::Mirror);
        assert_eq!(of(b"skill/0.1.0", "::ffff:203.0.113.9"), Class::Mirror);
        assert_eq!(of(b"Googlebot", "2001:db8:1::7"), Class::Mirror);
        assert_eq!(of(b"skill/0.1.0", "203.0.114.9"), Class::Person);
    }

    #[test]
    fn no_agent_is_too_strange() {
        assert_eq!(of(&[0xff, 0xfe, b'x'], "192.0.2.1"), Class::Person);
        assert_eq!(of("x".repeat(9000).as_bytes(), "192.0.2.1"), Class::Person);
        assert_eq!(Class::of(&HeaderMap::new(), None, &[]), Class::Bot);
    }
}
