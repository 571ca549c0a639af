use std::time::Duration;

use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};
use url::{Host, Url};

use super::{Opens, Secret};

/// The cookie that holds a session: which one depends on how browsers reach the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cookie {
    /// Over TLS, bound to this very host (RFC 6265bis, 4.1.3.2).
    Host,
    /// On this machine, where nothing is sent over a network.
    Loopback,
}

impl Cookie {
    /// The cookie of a registry that is reached there. Over plain HTTP from another machine there is none: whoever
    /// listens would be signed in too.
    pub fn of(base_url: &str) -> Option<Self> {
        let url = Url::parse(base_url).ok()?;
        if url.scheme() == "https" {
            return Some(Self::Host);
        }
        let is_here = match url.host()? {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        is_here.then_some(Self::Loopback)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Host => "__Host-session",
            Self::Loopback => "session",
        }
    }

    /// What a request shows in it, if that reads like the secret of a session.
    pub fn shown(self, headers: &HeaderMap) -> Option<Secret> {
        let lists = headers.get_all(COOKIE).iter().filter_map(|list| list.to_str().ok());
        let mut pairs = lists.flat_map(|list| list.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let (_, value) = pairs.find(|(name, _)| *name == self.name())?;
        Secret::read(Opens::Session, value)
    }

    /// `Set-Cookie` for a new session.
    pub fn set(self, secret: &Secret, life: Duration) -> Option<HeaderValue> {
        self.header(secret.reveal(), life.as_secs())
    }

    /// `Set-Cookie` that has the browser forget it.
    pub fn forget(self) -> Option<HeaderValue> {
        self.header("", 0)
    }

    fn header(self, value: &str, seconds: u64) -> Option<HeaderValue> {
        let secure = if self == Self::Host { "; Secure" } else { "" };
        let text =
            format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}", self.name());
        let mut header = HeaderValue::try_from(text).ok()?;
        header.set_sensitive(true);
        Some(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_browser_can_be_signed_in() {
        for (url, expected) in [
            ("https://skills.example", Some(Cookie::Host)),
            ("https://127.0.0.1:8787", Some(Cookie::Host)),
            ("http://127.0.0.1:8787", Some(Cookie::Loopback)),
            ("http://[::1]:8787", Some(Cookie::Loopback)),
            ("http://localhost:8787", Some(Cookie::Loopback)),
            ("http://skills.example", None),
            ("http://localhost.example", None),
            ("http://10.0.0.1:8787", None),
            ("http://0.0.0.0:8787", None),
            ("not an address", None),
        ] {
            assert_eq!(Cookie::of(url), expected, "{url}");
        }
    }

    #[test]
    fn what_a_browser_is_told_and_what_it_shows() {
        let secret = Secret::make(Opens::Session, &crate::Entropy::seeded(1)).unwrap();
        let day = Duration::from_hours(24);
        let told = |cookie: Cookie| {
            let header = cookie.set(&secret, day).unwrap();
            header.to_str().unwrap().replace(secret.reveal(), "SECRET")
        };
        let local = "session=SECRET; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax";
        assert_eq!(told(Cookie::Loopback), local);
        assert_eq!(told(Cookie::Host), format!("__Host-{local}; Secure"));
        let forget = Cookie::Host.forget().unwrap();
        assert_eq!(forget, "__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");

        let shown = |text: String| {
            let headers = HeaderMap::from_iter([(COOKIE, HeaderValue::try_from(text).unwrap())]);
            Cookie::Host.shown(&headers)
        };
        let good = secret.reveal();
        assert_eq!(shown(format!("a=b; __Host-session={good}; c=d")), Some(secret.clone()));
        for text in [
            format!("session={good}"),
            format!("x__Host-session={good}"),
            format!("__Host-session=x{good}"),
            format!("__Host-session={good}0"),
            format!("__Host-session={}", good.replace("sks_", "skl_")),
            String::new(),
        ] {
            assert_eq!(shown(text.clone()), None, "{text}");
        }
    }
}
