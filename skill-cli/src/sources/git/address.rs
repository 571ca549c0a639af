//! Where a repository is, taken apart so that no credentials reach a command line.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use skill_core::reference::{GitSource, Location, SourceUrl};

use super::environment;
use crate::code::Code;
use crate::failure::Failure;
use crate::install::Desk;
use crate::sources;
use crate::sources::recorded::{absolute, recorded};

/// A repository as git is told of it.
#[derive(Debug, Clone)]
pub(super) struct Address {
    /// What stands on git's command line: no credentials.
    pub url: String,
    /// What the lock keeps.
    pub location: Location,
    /// What sentences and commands call it.
    pub shown: String,
    /// Whether it is on this machine.
    pub is_local: bool,
    /// Configuration that holds credentials: it goes through git's environment.
    pub secret: Vec<(String, String)>,
    /// `GIT_ALLOW_PROTOCOL` while git speaks to it.
    pub transports: &'static str,
}

impl Address {
    /// # Errors
    /// `usage` for credentials that could not be kept secret.
    pub(super) fn of(desk: &Desk<'_>, source: &GitSource, typed: bool) -> Result<Self, Failure> {
        let location = location_of(desk, source, typed);
        let shown = sources::shown(&format!("git:{source}"));
        let plain = |url: String, is_local| Self {
            url,
            location: location.clone(),
            shown: shown.clone(),
            is_local,
            secret: Vec::new(),
            transports: environment::ENCRYPTED,
        };
        match source {
            GitSource::Local(path) => {
                let full = absolute(desk, path, typed);
                Ok(plain(full.to_string_lossy().into_owned(), true))
            }
            GitSource::Scp(text) => Ok(plain(text.clone(), false)),
            GitSource::Url(url) => {
                let transports = transports(url)?;
                let (bare, secret) = without_credentials(url)?;
                Ok(Self { secret, transports, ..plain(bare, url.with_credentials().scheme() == "file") })
            }
        }
    }

    /// The repository's own name.
    pub(super) fn base_name(&self) -> String {
        let path = self.location.as_str().trim_end_matches('/').trim_end_matches("/.git");
        let name = path.rsplit(['/', ':']).next().unwrap_or_default();
        name.strip_suffix(".git").unwrap_or(name).to_owned()
    }

    /// The host, or the path of a local one.
    pub(super) fn host(&self) -> String {
        match SourceUrl::parse(&self.url) {
            Some(url) => url.with_credentials().host_str().unwrap_or("this machine").to_owned(),
            None if self.is_local => "this machine".to_owned(),
            None => {
                let host = self.url.split(':').next().unwrap_or_default();
                host.rsplit('@').next().unwrap_or(host).to_owned()
            }
        }
    }
}

/// What the lock keeps of a source.
pub(super) fn location_of(desk: &Desk<'_>, source: &GitSource, typed: bool) -> Location {
    match source {
        GitSource::Local(path) => Location::stripped(&recorded(desk, path, typed)),
        other => other.location(),
    }
}

/// What git may speak to a URL: what it says itself, and what is safe on the way, where the user's own
/// configuration leads there instead.
fn transports(url: &SourceUrl) -> Result<&'static str, Failure> {
    let full = url.with_credentials();
    let (encrypted, plain) = match full.scheme() {
        "http" => ("https", environment::PLAIN_HTTP),
        "git" => ("https or ssh", environment::PLAIN_GIT),
        _ => return Ok(environment::ENCRYPTED),
    };
    if is_loopback(full) {
        return Ok(plain);
    }
    let host = full.host_str().unwrap_or_default();
    let text = format!("{} to {host} can be read and changed on the way", full.scheme());
    Err(Failure::new(Code::RegistryInsecure, text).nothing_changed().hint(format!("use {encrypted}")))
}

fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The URL without user and password, and the header that stands for them: git hands the URL to a helper
/// program on its command line, where every user of the machine can read it.
fn without_credentials(url: &SourceUrl) -> Result<(String, Vec<(String, String)>), Failure> {
    let full = url.with_credentials();
    let mut bare = full.clone();
    let is_ssh = full.scheme() == "ssh";
    if !full.username().is_empty() || full.password().is_some() {
        // Over ssh the user name says which account; ssh never takes a password from a URL.
        let name = if is_ssh { full.username() } else { "" };
        bare.set_username(name).and_then(|()| bare.set_password(None)).map_err(|()| {
            Failure::usage("the credentials cannot be taken out of the URL").nothing_changed()
        })?;
    }
    if SourceUrl::parse(bare.as_str()).is_none_or(|bare| bare.has_credentials()) {
        return Err(Failure::usage("a git URL with a secret in its query would show it to other programs")
            .nothing_changed()
            .hint("use git's own credential helper"));
    }
    if is_ssh || bare == *full {
        return Ok((bare.into(), Vec::new()));
    }
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let pair = format!("{}:{}", decoded(full.username()), decoded(full.password().unwrap_or_default()));
    let origin = full.origin().ascii_serialization();
    let secret = vec![
        (format!("http.{origin}/.extraHeader"), format!("Authorization: Basic {}", STANDARD.encode(pair))),
        // The header would go along to wherever the remote points.
        ("http.followRedirects".to_owned(), "false".to_owned()),
    ];
    Ok((bare.into(), secret))
}
