use std::net::SocketAddr;

use url::Url;

use super::ConfigError;
use super::layers::{Key, Layers};

const LISTEN: Key = Key { name: "listen", default: "127.0.0.1:8787" };
const PUBLIC_URL: Key = Key { name: "public_url", default: "" };
pub(super) const KEYS: [Key; 2] = [LISTEN, PUBLIC_URL];

/// Where the registry listens and how it is reached.
#[derive(Debug, Clone)]
pub struct Server {
    /// `listen`, `SKILL_REGISTRY_LISTEN`, `--listen`: address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// `public_url`, `SKILL_REGISTRY_PUBLIC_URL`, `--public-url`: what clients are told; without a
    /// slash at its end. Unset only on a loopback address.
    pub public_url: Option<String>,
}

impl Server {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        let listen: SocketAddr =
            layers.take(LISTEN, |text| text.parse().map_err(|_| "ADDRESS:PORT, as in 127.0.0.1:8787"))?;
        let public_url = layers.take(PUBLIC_URL, public_url)?;
        if public_url.is_none() && !listen.ip().is_loopback() {
            return Err(ConfigError::PublicUrlMissing { listen });
        }
        Ok(Self { listen, public_url })
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
