use std::net::SocketAddr;

use url::Url;

use super::ConfigError;
use super::layers::{Key, Layers};
use crate::network::Network;
use crate::remote::{Forwarded, Proxies};

const LISTEN: Key = Key { name: "listen", default: "127.0.0.1:8787" };
const PUBLIC_URL: Key = Key { name: "public_url", default: "" };
const TRUSTED_PROXIES: Key = Key { name: "server.trusted_proxies", default: "" };
const FORWARDED: Key = Key { name: "server.forwarded", default: "x-forwarded-for" };
pub(super) const KEYS: [Key; 4] = [LISTEN, PUBLIC_URL, TRUSTED_PROXIES, FORWARDED];

/// Where the registry listens and how it is reached.
#[derive(Debug, Clone)]
pub struct Server {
    /// `listen`, `SKILL_REGISTRY_LISTEN`, `--listen`: address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// `public_url`, `SKILL_REGISTRY_PUBLIC_URL`, `--public-url`: what clients are told; without a
    /// slash at its end. Unset only on a loopback address.
    pub public_url: Option<String>,
    /// `server.trusted_proxies`, `SKILL_REGISTRY_SERVER_TRUSTED_PROXIES`: networks with commas between; proxies in them
    /// are believed whom they ask for.
    pub trusted_proxies: Vec<Network>,
    /// `server.forwarded`, `SKILL_REGISTRY_SERVER_FORWARDED`: the header in which they say it, `x-forwarded-for` or
    /// `forwarded` (RFC 7239).
    pub forwarded: Forwarded,
}

impl Server {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        let listen: SocketAddr =
            layers.take(LISTEN, |text| text.parse().map_err(|_| "ADDRESS:PORT, as in 127.0.0.1:8787"))?;
        let public_url = layers.take(PUBLIC_URL, public_url)?;
        if public_url.is_none() && !listen.ip().is_loopback() {
            return Err(ConfigError::PublicUrlMissing { listen });
        }
        let trusted_proxies = layers.take(TRUSTED_PROXIES, |text| {
            Network::list(text).map_err(|_| "networks with commas between, as in 10.0.0.0/8, 192.0.2.7")
        })?;
        let forwarded = layers.take(FORWARDED, |text| match text {
            "x-forwarded-for" => Ok(Forwarded::XForwardedFor),
            "forwarded" => Ok(Forwarded::Rfc7239),
            _ => Err("x-forwarded-for or forwarded"),
        })?;
        Ok(Self { listen, public_url, trusted_proxies, forwarded })
    }

    /// The proxies that are believed.
    pub fn proxies(&self) -> Proxies {
        Proxies::new(self.trusted_proxies.clone(), self.forwarded)
    }

    /// What clients are told.
    pub fn base_url(&self) -> String {
        self.public_url.clone().unwrap_or_else(|| format!("http://{}", self.listen))
    }
}

fn public_url(text: &str) -> Result<Option<String>, &'static str> {
    const WANTED: &str = "http:// or https://, a host, and no user, query or fragment";
    if text.is_empty() {
        return Ok(None);
    }
    let url = Url::parse(text).map_err(|_| WANTED)?;
    let plain = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none()
        && url.has_host();
    if !plain || !matches!(url.scheme(), "http" | "https") {
        return Err(WANTED);
    }
    Ok(Some(url.as_str().trim_end_matches('/').to_owned()))
}
