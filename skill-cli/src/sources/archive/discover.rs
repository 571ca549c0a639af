//! Agent Skills discovery 0.2.0: a site that lists its skills at `.well-known/agent-skills/index.json`.
//!
//! An entry is an archive from a URL, or a `SKILL.md` alone, with the digest of its bytes. Version 0.1.0 listed
//! the files of a skill without digests. Such an index is told apart and not read: nothing holds its files together
//! or to what the site meant, and a lock names one artifact, which it does not have.

use serde::Deserialize;
use skill_core::digest::Sha256;
use skill_core::reference::{GitSource, Location, SourceUrl};

use super::{download, open};
use crate::client::Origin;
use crate::code::Code;
use crate::failure::Failure;
use crate::install::Desk;
use crate::sources::git::GitWish;
use crate::sources::several::{Candidate, several};
use crate::sources::{Local, shown};

const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const FILE: &str = "index.json";
const FOLDER: &str = ".well-known/agent-skills";
/// Bytes of an index.
const INDEX_CAP: u64 = 4 << 20;

/// What discovery came to.
pub(in crate::sources) enum Discovery {
    /// A skill.
    Found(Box<Local>),
    /// No index there, and why.
    Not(String),
}

#[derive(Deserialize)]
struct Index {
    #[serde(rename = "$schema")]
    schema: Option<String>,
    skills: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    description: String,
    url: String,
    digest: String,
}

/// Looks for an index below a URL and takes the skill that it names.
///
/// # Errors
/// `source-several`, `archive-digest`, and what downloading and opening give.
pub(in crate::sources) async fn discover(desk: &Desk<'_>, wish: &GitWish) -> Result<Discovery, Failure> {
    let GitSource::Url(site) = &wish.source else { return Ok(Discovery::Not("no URL".to_owned())) };
    let Some(url) = below(site) else { return Ok(Discovery::Not("no URL".to_owned())) };
    let bytes = match download::get(desk, &url, INDEX_CAP).await {
        Ok(download::Got::Bytes(bytes)) => bytes,
        Ok(download::Got::Status(status)) => {
            return Ok(Discovery::Not(format!("{url} answers with status {status}")));
        }
        // Who cannot be reached, or takes too long, is not asked a second time in another language.
        Err(failure) if failure.code == Code::BundleLarge => {
            return Ok(Discovery::Not(format!("{url} is no index")));
        }
        Err(failure) => return Err(failure),
    };
    let Ok(index) = serde_json::from_slice::<Index>(&bytes) else {
        let what = if is_of_files(&bytes) {
            "is of version 0.1.0, which gives no digests to hold its files to"
        } else {
            "is no index"
        };
        return Ok(Discovery::Not(format!("{url} {what}")));
    };
    if let Some(schema) = index.schema.filter(|schema| schema != SCHEMA) {
        return Ok(Discovery::Not(format!("{url} has the unknown schema {schema}")));
    }
    let title = shown(&site.to_string());
    let mut chosen: Vec<&Entry> = index
        .skills
        .iter()
        .filter(|entry| wish.path.as_ref().is_none_or(|path| *path == entry.name))
        .collect();
    let Some(entry) = chosen.pop() else {
        return Ok(Discovery::Not(format!("{url} lists no such skill")));
    };
    if !chosen.is_empty() {
        let candidates = index
            .skills
            .iter()
            .map(|entry| Candidate { path: entry.name.clone(), description: entry.description.clone() });
        return Err(several(&title, candidates.collect()));
    }
    take(desk, entry, &url).await.map(|local| Discovery::Found(Box::new(local)))
}

/// Whether this is an index of version 0.1.0.
fn is_of_files(index: &[u8]) -> bool {
    let index: serde_json::Value = serde_json::from_slice(index).unwrap_or_default();
    index["skills"].as_array().is_some_and(|skills| skills.iter().any(|skill| skill["files"].is_array()))
}

async fn take(desk: &Desk<'_>, entry: &Entry, index: &SourceUrl) -> Result<Local, Failure> {
    let strange = |why: String| {
        Failure::new(Code::SourceUnclear, format!("the index {index} does not say what {} is", entry.name))
            .because(why)
            .nothing_changed()
    };
    if !matches!(entry.kind.as_str(), "archive" | "skill-md") {
        return Err(strange(format!("its type is {}", entry.kind)));
    }
    let url = index.with_credentials().join(&entry.url).ok().and_then(|url| SourceUrl::parse(url.as_str()));
    let url = url.ok_or_else(|| strange(format!("its URL is {}", entry.url)))?;
    if !may_lead(index, &url) {
        return Err(Failure::new(
            Code::SourceUnclear,
            format!("{} is not fetched for {}", shown(&url.to_string()), entry.name),
        )
        .because(format!(
            "{} leads to it, and may lead to other sites over https only",
            shown(&index.to_string())
        ))
        .nothing_changed()
        .hint("tell whoever runs that site"));
    }
    let digest = entry.digest.strip_prefix("sha256:").and_then(|hex| hex.parse::<Sha256>().ok());
    let digest = digest.ok_or_else(|| strange(format!("its digest is {}", entry.digest)))?;
    let bytes = download::download(desk, &url).await?;
    let found = Sha256::of(&bytes);
    let title = shown(&url.to_string());
    if found != digest {
        return Err(Failure::new(Code::ArchiveDigest, format!("{title} is not what its index says"))
            .because(format!("expected sha256 {digest}"))
            .because(format!("received sha256 {found}"))
            .nothing_changed()
            .key("expected", digest.to_string())
            .key("received", found.to_string())
            .hint("try again, and tell whoever runs that site if it stays"));
    }
    let name = if entry.kind == "skill-md" { "SKILL.md" } else { "archive" };
    let opened = open::open(&bytes, None, name, &title)?;
    let mut local = opened.local(url.location(), found, title, &entry.name);
    local.base_name.clone_from(&entry.name);
    Ok(local)
}

/// Whether an index may name this URL. One from elsewhere has nothing to ask of this machine, and nothing without
/// encryption.
fn may_lead(index: &SourceUrl, to: &SourceUrl) -> bool {
    let is_here =
        |url: &SourceUrl| Origin::of(url.with_credentials()).is_some_and(|origin| origin.is_loopback());
    is_here(index) || (to.with_credentials().scheme() == "https" && !is_here(to))
}

/// Whether a locked archive is one that lies beside the index of a site, and is called like the wish if that says
/// which one.
pub(in crate::sources) fn is_listed_at(wish: &GitWish, location: &Location) -> bool {
    let GitSource::Url(site) = &wish.source else { return false };
    let Some(index) = below(site).map(|index| index.location()) else { return false };
    let folder = index.as_str().strip_suffix(FILE).unwrap_or(index.as_str());
    let Some(inside) = location.as_str().strip_prefix(folder) else { return false };
    let inside = inside.split(['?', '#']).next().unwrap_or_default();
    wish.path.as_ref().is_none_or(|name| inside.split('/').any(|segment| open::stem(segment) == name))
}

/// The index below a URL.
fn below(site: &SourceUrl) -> Option<SourceUrl> {
    let mut url = site.with_credentials().clone();
    url.set_query(None);
    url.set_path(&format!("{}/{FOLDER}/{FILE}", url.path().trim_end_matches('/')));
    SourceUrl::parse(url.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_from_elsewhere_asks_nothing_of_this_machine_and_nothing_in_the_clear() {
        for (index, to, may) in [
            ("https://skills.example/i", "https://skills.example/x.zip", true),
            ("https://skills.example/i", "https://files.example/x.zip", true),
            ("https://skills.example/i", "http://skills.example/x.zip", false),
            ("https://skills.example/i", "http://127.0.0.1:8080/x.zip", false),
            ("https://skills.example/i", "http://localhost/x.zip", false),
            ("https://skills.example/i", "http://[::1]:8080/x.zip", false),
            ("https://skills.example/i", "https://127.0.0.1/x.zip", false),
            ("https://skills.example/i", "ftp://files.example/x.zip", false),
            ("http://127.0.0.1:8080/i", "http://127.0.0.1:8081/x.zip", true),
            ("http://127.0.0.1:8080/i", "https://files.example/x.zip", true),
        ] {
            let url = |text: &str| SourceUrl::parse(text).unwrap();
            assert_eq!(may_lead(&url(index), &url(to)), may, "{index} -> {to}");
        }
    }
}
