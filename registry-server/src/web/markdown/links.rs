use std::collections::HashSet;

use percent_encoding::percent_decode_str;
use serde::Serialize;
use url::{ParseError, Url};

use super::outline::{Outline, anchor};
use crate::web::address::Pages;

/// The files beside a text: what its links can lead to.
#[derive(Debug, Clone, Copy)]
pub(in crate::web) struct Siblings<'a> {
    /// The pages of the skill.
    pub pages: &'a Pages,
    /// The version that the text is of.
    pub version: &'a str,
    /// The paths in the bundle.
    pub paths: &'a HashSet<&'a str>,
}

/// Where a link of the text leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// To the web or to a mailbox.
    Outside(Outside),
    /// To a page of this registry.
    Inside(String),
    /// Nowhere: another scheme, an address of the registry itself, a file or a heading that is not there, an address
    /// with a name and a password in it.
    Nowhere,
}

/// An address outside of the registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Outside {
    /// The address, as browsers read it.
    pub href: String,
    /// What stands for it: the host, with the port if it is another than usual, or the mailbox. Letters beyond ASCII
    /// are spelled as the name system spells them (`xn--…`).
    pub host: String,
}

impl Outside {
    /// Reads an address of the web or of a mailbox. `None` for any other, and where it holds a name or a password:
    /// `https://github.com@evil.example/` is a way to hide a host and no way to log in any more.
    pub(crate) fn read(address: &str) -> Option<Self> {
        // Read as browsers read it: what hides a scheme from the eye does not hide it from them.
        let url = Url::parse(address).ok()?;
        let host = match url.scheme() {
            "http" | "https" if url.username().is_empty() && url.password().is_none() => {
                let host = url.host_str()?;
                url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
            }
            "mailto" => url.path().to_owned(),
            _ => return None,
        };
        Some(Self { href: url.into(), host })
    }

    /// Whether a text says by itself where the link leads: it is the host or the address, and nothing else.
    pub(super) fn is_named_by(&self, text: &str) -> bool {
        let text = text.trim().to_lowercase();
        let schemes = ["https://", "http://", "mailto:"];
        let text = schemes.iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(&text);
        let Some(rest) = text.strip_prefix(&self.host.to_lowercase()) else { return false };
        (rest.is_empty() || rest.starts_with(['/', '?', '#'])) && !rest.contains(char::is_whitespace)
    }
}

impl Siblings<'_> {
    /// Where an address of the text leads, whose headings are `outline`.
    pub(super) fn target(&self, address: &str, outline: &Outline) -> Target {
        if let Some(fragment) = address.strip_prefix('#') {
            let fragment = percent_decode_str(fragment).decode_utf8_lossy();
            let name = anchor(&fragment);
            return if outline.has(&name) { Target::Inside(format!("#{name}")) } else { Target::Nowhere };
        }
        match Url::parse(address) {
            Err(ParseError::RelativeUrlWithoutBase) => self.file(address),
            _ => Outside::read(address).map_or(Target::Nowhere, Target::Outside),
        }
    }

    fn file(&self, address: &str) -> Target {
        let path = address.split(['?', '#']).next().unwrap_or_default();
        let path = percent_decode_str(path).decode_utf8_lossy();
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "." => {}
                ".." => {
                    if parts.pop().is_none() {
                        return Target::Nowhere;
                    }
                }
                _ => parts.push(part),
            }
        }
        let path = parts.join("/");
        if self.paths.contains(path.as_str()) {
            return Target::Inside(self.pages.file(self.version, &path).to_string());
        }
        Target::Nowhere
    }
}
