//! URLs that may hold credentials, and texts that cannot.

use std::fmt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use url::Url;

use crate::digest::serde_as_text;

/// A URL as a person wrote it. It may hold credentials; neither its text nor its debug form shows
/// them, so nothing that prints, logs or stores it can give them away.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SourceUrl(Url);

impl SourceUrl {
    /// Reads a URL with a scheme and a host (or `file:` and a path). Blanks, control characters,
    /// backslashes and too few or too many slashes after the scheme, all of which the URL standard would
    /// silently repair, are refused.
    pub fn parse(text: &str) -> Option<Self> {
        let repaired = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
        let (scheme, rest) = text.split_once("://")?;
        let is_repaired = scheme.contains([':', '/']) || (scheme != "file" && rest.starts_with('/'));
        if text.contains(repaired) || is_repaired {
            return None;
        }
        let url = Url::parse(text).ok()?;
        let reachable = url.scheme() == "file" || url.host_str().is_some_and(|host| !host.is_empty());
        reachable.then_some(Self(url))
    }

    /// The same without the `/` that its path may end with; `https:` and `file:` always have a path.
    #[must_use]
    pub(super) fn without_closing_slash(mut self) -> Self {
        let path = self.0.path();
        let trimmed = path.trim_end_matches('/');
        let may_be_empty = !matches!(self.0.scheme(), "http" | "https" | "file");
        if self.0.query().is_none() && trimmed.len() < path.len() && (may_be_empty || !trimmed.is_empty()) {
            let trimmed = trimmed.to_owned();
            self.0.set_path(&trimmed);
        }
        self
    }

    /// Whether it holds credentials: a password, a user name (but for ssh, where it says which
    /// account), or a query parameter that is called like a secret.
    pub fn has_credentials(&self) -> bool {
        without_credentials(self.0.as_str()) != self.0.as_str()
    }

    /// The same URL without credentials.
    pub fn location(&self) -> Location {
        Location(without_credentials(self.0.as_str()))
    }

    /// The URL with everything in it: for making the one request, never for showing or storing.
    pub const fn with_credentials(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for SourceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_credentials(self.0.as_str()))
    }
}

impl fmt::Debug for SourceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where something is: a URL, an scp-like text or a path, and never with credentials. The only form
/// in which a lock or a manifest can hold a URL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location(String);

/// A location that would put credentials into a file that is meant to be committed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the URL holds credentials, which do not belong into a file that is shared: {shown}")]
pub struct LocationError {
    /// The location without them.
    pub shown: String,
}

impl Location {
    /// Takes what is in `text` but for its credentials.
    pub fn stripped(text: &str) -> Self {
        Self(without_credentials(text))
    }

    /// The location as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        let shown = without_credentials(text);
        if shown == text { Ok(Self(shown)) } else { Err(LocationError { shown }) }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

serde_as_text!(Location);

/// `text` without the credentials of the first URL in it, whether or not that URL is well formed:
/// the user information before the host (over ssh only its password) and every query parameter that
/// is called like a secret.
pub fn without_credentials(text: &str) -> String {
    let Some(scheme_end) = text.find("://") else { return text.to_owned() };
    let (scheme, rest) = text.split_at(scheme_end + 3);
    let authority_end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(authority_end);
    let mut shown = scheme.to_owned();
    match authority.rsplit_once('@') {
        Some((user, host)) if scheme.ends_with("ssh://") => {
            let name = user.split(':').next().unwrap_or_default();
            shown.push_str(name);
            if !name.is_empty() {
                shown.push('@');
            }
            shown.push_str(host);
        }
        Some((_, host)) => shown.push_str(host),
        None => shown.push_str(authority),
    }
    let fragment = rest.find('#').unwrap_or(rest.len());
    let (path_and_query, fragment) = rest.split_at(fragment);
    match path_and_query.split_once('?') {
        None => shown.push_str(path_and_query),
        Some((path, query)) => {
            shown.push_str(path);
            if query.split('&').any(is_secret) {
                let kept: Vec<_> = query.split('&').filter(|pair| !is_secret(pair)).collect();
                if !kept.is_empty() {
                    shown.push('?');
                    shown.push_str(&kept.join("&"));
                }
            } else {
                shown.push('?');
                shown.push_str(query);
            }
        }
    }
    shown + fragment
}

/// A sentence without the credentials of any URL in it, for what is about to be shown: the last line of
/// defence behind [`SourceUrl`], which most places have. A URL ends at white space and at quotes.
pub fn shown_without_credentials(sentence: &str) -> String {
    if !sentence.contains("://") {
        return sentence.to_owned();
    }
    let ends = |c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'');
    let mut shown = String::with_capacity(sentence.len());
    for word in sentence.split_inclusive(ends) {
        let end = word.trim_end_matches(ends).len();
        shown.push_str(&without_credentials(&word[..end]));
        shown.push_str(&word[end..]);
    }
    shown
}

/// Whether a query parameter is called like a secret.
fn is_secret(pair: &str) -> bool {
    const PARTS: [&str; 7] = ["token", "secret", "passw", "credential", "signature", "apikey", "accesskey"];
    const WHOLE: [&str; 7] = ["key", "sig", "pat", "pwd", "jwt", "auth", "authorization"];
    let key = pair.split('=').next().unwrap_or_default();
    let mut key = percent_decode_str(key).decode_utf8_lossy().to_lowercase();
    key.retain(|c| !matches!(c, '-' | '_' | '+'));
    WHOLE.contains(&key.as_str()) || PARTS.iter().any(|part| key.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_left_out_and_nothing_else() {
        let table = [
            ("https://u:p@h/r", "https://h/r"),
            ("https://ghp_abc@h:8443/r?x=1#f", "https://h:8443/r?x=1#f"),
            ("https://u:p@x@h/r", "https://h/r"),
            ("ssh://git@h/r", "ssh://git@h/r"),
            ("ssh://git:pw@h/r", "ssh://git@h/r"),
            ("ssh://:pw@h/r", "ssh://h/r"),
            ("https://h/r?access_token=t", "https://h/r"),
            ("https://h/r?a=1&private-token=t&b=2", "https://h/r?a=1&b=2"),
            ("https://h/r?X-Amz-Signature=t&author=a", "https://h/r?author=a"),
            ("https://h/r?%74oken=t", "https://h/r"),
            ("git:https://u:p@h/r@v1", "git:https://h/r@v1"),
            ("https://h/a@b", "https://h/a@b"),
            ("https://h/r?", "https://h/r?"),
            ("git@h:o/r", "git@h:o/r"),
            ("../x@y", "../x@y"),
        ];
        for (text, shown) in table {
            assert_eq!(without_credentials(text), shown, "{text}");
            assert_eq!(without_credentials(shown), shown, "{text}");
            assert_eq!(text.parse::<Location>().is_ok(), text == shown, "{text}");
            assert_eq!(Location::stripped(text).as_str(), shown);
        }
    }

    #[test]
    fn a_sentence_shows_no_credentials() {
        for (sentence, shown) in [
            ("`http://u:p@h/x` is a url source", "`http://h/x` is a url source"),
            ("http://u:p@h and `https://t@h/?token=1`, a@b", "http://h and `https://h/`, a@b"),
            ("see https://h or write to a@b", "see https://h or write to a@b"),
            ("a@b", "a@b"),
        ] {
            assert_eq!(shown_without_credentials(sentence), shown);
        }
    }

    #[test]
    fn what_a_url_parser_would_repair_is_refused() {
        for text in [
            "https://h/a b",
            "https://h\\a",
            "https://h/\ta",
            "https:h",
            "https:https://h",
            "https:///h",
            "https://",
            "h/r",
            "https://h:x/",
        ] {
            assert_eq!(SourceUrl::parse(text), None, "{text}");
        }
    }
}
