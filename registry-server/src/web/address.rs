//! The addresses of pages, each made here alone, so that what stands in one (a path with a blank, a `+` or a `#`) is
//! spelled for the place where it stands.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use skill_core::name::{Owner, SkillName, Slug};

/// Characters of a value that stay as they are in a query.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// An address of this registry, from its root: a path, and what follows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct Address(String);

impl Address {
    /// The front page.
    pub(super) fn home() -> Self {
        Self("/".to_owned())
    }

    /// The list of all skills.
    pub(super) fn skills() -> Self {
        Self("/skills".to_owned())
    }

    /// The form that searches.
    pub(super) fn search() -> Self {
        Self("/search".to_owned())
    }

    /// The map for search engines.
    pub(super) fn sitemap() -> Self {
        Self("/sitemap.xml".to_owned())
    }

    /// What happened to all skills.
    pub(super) fn feed() -> Self {
        Self("/feed.atom".to_owned())
    }

    /// What happened to the skills of a publisher.
    pub(super) fn feed_of(owner: &Owner) -> Self {
        Self(format!("/{owner}/feed.atom"))
    }

    /// The first root of trust.
    pub(super) fn first_root() -> Self {
        Self("/trust/root/1.json".to_owned())
    }

    /// What the publishers of whoever is signed in have.
    pub(super) fn dashboard() -> Self {
        Self("/dashboard".to_owned())
    }

    /// The tokens of whoever is signed in.
    pub(super) fn tokens() -> Self {
        Self("/settings/tokens".to_owned())
    }

    /// The publishers of whoever is signed in.
    pub(super) fn publishers() -> Self {
        Self("/settings/publishers".to_owned())
    }

    /// Who acts for a publisher.
    pub(super) fn publisher_settings(owner: &Owner) -> Self {
        Self(format!("/settings/publishers/{owner}"))
    }

    /// The page that ends a membership of a publisher.
    pub(super) fn ending(owner: &Owner) -> Self {
        Self(format!("/settings/publishers/{owner}/members/remove"))
    }

    /// The webhooks of a publisher.
    pub(super) fn webhooks(owner: &Owner) -> Self {
        Self(format!("/settings/publishers/{owner}/webhooks"))
    }

    /// What was sent to one of them.
    pub(super) fn deliveries(owner: &Owner) -> Self {
        Self(format!("/settings/publishers/{owner}/webhooks/deliveries"))
    }

    /// What somebody published.
    pub(super) fn publisher(owner: &Owner) -> Self {
        Self(format!("/{owner}"))
    }

    /// The same with one more pair in its query, whatever the value holds.
    pub(super) fn with(mut self, key: &str, value: &str) -> Self {
        self.0.push(if self.0.contains('?') { '&' } else { '?' });
        self.0.push_str(key);
        self.0.push('=');
        self.0.extend(utf8_percent_encode(value, PLAIN));
        self
    }

    /// A place of the page: the line of a file, from 1; 0 is all of it.
    pub(super) fn line(mut self, number: u32) -> Self {
        if number > 0 {
            self.0 = format!("{}#L{number}", self.0);
        }
        self
    }

    /// As text.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The pages of one skill, and what programs ask of it. Names and versions are made of what a path has as it is:
/// letters, digits, `.` and `-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pages {
    owner: Owner,
    slug: Slug,
}

impl Pages {
    pub(super) fn of(owner: &Owner, slug: &Slug) -> Self {
        Self { owner: owner.clone(), slug: slug.clone() }
    }

    pub(super) fn named(name: &SkillName) -> Self {
        Self::of(&name.owner, &name.slug)
    }

    /// Its first page, about `latest`.
    pub(super) fn skill(&self) -> Address {
        Address(format!("/{}/skills/{}", self.owner, self.slug))
    }

    /// The first page of a version.
    pub(super) fn version(&self, version: &str) -> Address {
        Address(format!("{}/versions/{version}", self.skill()))
    }

    pub(super) fn versions(&self) -> Address {
        self.page("versions")
    }

    /// What its members can do with it.
    pub(super) fn settings(&self) -> Address {
        self.page("settings")
    }

    /// The page of one of these things.
    pub(super) fn deed(&self, segment: &str) -> Address {
        Address(format!("{}/{segment}", self.settings()))
    }

    /// What happened to it.
    pub(super) fn feed(&self) -> Address {
        self.page("feed.atom")
    }

    /// The files of `latest`; of another version with `version=`.
    pub(super) fn files(&self) -> Address {
        self.page("files")
    }

    /// One file of a version.
    pub(super) fn file(&self, version: &str, path: &str) -> Address {
        self.files().with("version", version).with("path", path)
    }

    /// What `latest` changed; other versions with `from=` and `to=`.
    pub(super) fn diff(&self) -> Address {
        self.page("diff")
    }

    /// What changed between two versions.
    pub(super) fn changes(&self, from: &str, to: &str) -> Address {
        self.diff().with("from", from).with("to", to)
    }

    /// What was checked of `latest`; of another version with `version=`.
    pub(super) fn security(&self) -> Address {
        self.page("security")
    }

    /// The page of a version in a list of verdicts: what was checked, or why it is closed.
    pub(super) fn checked(&self, version: &str, is_open: bool) -> Address {
        if is_open { self.security().with("version", version) } else { self.version(version) }
    }

    /// The bytes of a file, which browsers save and never show.
    pub(super) fn raw(&self, version: &str, path: &str) -> Address {
        let file = Address(format!("/api/v1/skills/{}/file", self.slug));
        file.with("ownerHandle", self.owner.as_str()).with("version", version).with("path", path)
    }

    /// The bytes of a version.
    pub(super) fn archive(&self, version: &str) -> Address {
        let archive = Address("/api/v1/download".to_owned()).with("slug", self.slug.as_str());
        archive.with("ownerHandle", self.owner.as_str()).with("version", version)
    }

    /// A version as JSON.
    pub(super) fn json(&self, version: &str) -> Address {
        self.release(version, "")
    }

    /// The signed statements about a version.
    pub(super) fn envelope(&self, version: &str) -> Address {
        self.release(version, "/envelope")
    }

    fn page(&self, name: &str) -> Address {
        Address(format!("{}/{name}", self.skill()))
    }

    fn release(&self, version: &str, part: &str) -> Address {
        let release = Address(format!("/api/v1/skills/{}/versions/{version}{part}", self.slug));
        release.with("ownerHandle", self.owner.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Pages {
        Pages::named(&"ada/tides".parse().unwrap())
    }

    #[test]
    fn a_plus_is_no_blank() {
        assert_eq!(
            pages().changes("1.0.0+a", "2.0.0+b").as_str(),
            "/ada/skills/tides/diff?from=1.0.0%2Ba&to=2.0.0%2Bb"
        );
        assert_eq!(
            pages().raw("1.0.0", "a+b.md").as_str(),
            "/api/v1/skills/tides/file?ownerHandle=ada&version=1.0.0&path=a%2Bb.md"
        );
    }

    #[test]
    fn whatever_a_file_is_called_stays_one_value() {
        assert_eq!(
            pages().file("1.0.0", "a b/c&d=1#e%?é.md").line(7).as_str(),
            "/ada/skills/tides/files?version=1.0.0&path=a%20b%2Fc%26d%3D1%23e%25%3F%C3%A9.md#L7"
        );
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        for value in ["1.0.0+b", "a b", "100%", "#?&=+;/\\\"'<>", "é天👩‍💻", "\u{202e}"] {
            let address = Address::skills().with("q", value).with("r", "");
            let query = address.as_str().split_once('?').unwrap().1;
            let mut pairs = url::form_urlencoded::parse(query.as_bytes());
            assert_eq!(pairs.next().unwrap().1, value);
            assert_eq!(pairs.next().unwrap().1, "");
        }
    }
}
