//! Calls that read.

use std::path::Path;

use reqwest::header::{ETAG, IF_NONE_MATCH};
use serde::Deserialize;
use skill_core::api::{ServerLimits, SkillStatus, WellKnown};
use skill_core::name::{Owner, SkillName, Slug};
use skill_core::verdict::Verdict;
use skill_core::version::Version;
use url::Url;

use super::body::Downloaded;
use super::send::{Answer, Call, shown};
use super::session::{header, parsed};
use super::{ClientError, Session};

const WELL_KNOWN_CAP: u64 = 64 << 10;
const ROOT_CAP: u64 = 64 << 10;
const INDEX_CAP: u64 = 16 << 20;
/// docs/FORMAT.md, "Trust envelope": it is at most 8 KiB.
const ENVELOPE_CAP: u64 = 8 << 10;

/// Answer of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Index {
    /// The cached copy is as it should be.
    Fresh,
    /// The lines as they came, and what to ask with next time.
    Body {
        /// JSON lines, an empty line, later a signed note.
        body: Vec<u8>,
        /// The entity tag of these bytes.
        etag: Option<String>,
    },
    /// No such skill.
    Absent,
}

/// What a bare slug stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// The skill of its first publisher.
    To(SkillName),
    /// Nobody's; these have one of that name.
    Ambiguous(Vec<Candidate>),
    /// No skill of that name.
    Absent,
}

/// A skill that a bare slug might mean.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// Whose it is.
    pub owner_handle: Owner,
    /// Its slug.
    pub slug: Slug,
}

/// One result of a search.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// Whose it is.
    pub owner_handle: Owner,
    /// Its slug.
    pub slug: Slug,
    /// Its latest release.
    #[serde(default)]
    pub version: Option<Version>,
    /// What it is for.
    #[serde(default)]
    pub summary: Option<String>,
    /// What the scan of that release said, if the registry says so here.
    #[serde(default)]
    pub verdict: Option<Verdict>,
}

impl Session {
    /// What the registry says about itself; a claim until its root was digested.
    pub async fn well_known(&self) -> Result<WellKnown, ClientError> {
        let url = self.endpoint().join(&[".well-known", "skill-registry.json"]);
        let answer = self.send(&self.read(url, "application/json", WELL_KNOWN_CAP)).await?;
        if answer.status == 404 {
            return Err(no_registry(&answer));
        }
        parsed(&self.good(answer)?)
    }

    /// The exact bytes of version `number` of the root metadata.
    pub async fn root(&self, number: u64) -> Result<Vec<u8>, ClientError> {
        let url = self.endpoint().join(&["trust", "root", &format!("{number}.json")]);
        let answer = self.send(&self.read(url, "application/json", ROOT_CAP)).await?;
        if answer.status == 404 {
            return Err(no_registry(&answer));
        }
        Ok(self.good(answer)?.body)
    }

    /// What a publish may weigh.
    pub async fn limits(&self) -> Result<ServerLimits, ClientError> {
        self.json(self.endpoint().join(&["api", "registry", "v1", "limits"])).await
    }

    /// The releases of a skill; `etag` is that of the copy at hand.
    pub async fn index(&self, name: &SkillName, etag: Option<&str>) -> Result<Index, ClientError> {
        let url = self.endpoint().join(&["index", name.owner.as_str(), name.slug.as_str()]);
        let mut call = self.read(url, "*/*", INDEX_CAP);
        call.headers.extend(etag.map(|etag| (IF_NONE_MATCH, etag.to_owned())));
        let answer = self.send(&call).await?;
        match answer.status {
            304 if etag.is_some() => Ok(Index::Fresh),
            404 => Ok(Index::Absent),
            _ => {
                let answer = self.good(answer)?;
                let etag = header(&answer, &ETAG);
                Ok(Index::Body { body: answer.body, etag })
            }
        }
    }

    /// How a skill stands, for its publisher and for moderators; none for anybody else.
    pub async fn status(&self, name: &SkillName) -> Result<Option<SkillStatus>, ClientError> {
        let url = self.own(&["skills", name.owner.as_str(), name.slug.as_str(), "status"]);
        let answer = self.send(&self.read(url, "application/json", INDEX_CAP)).await?;
        if answer.status == 404 {
            return Ok(None);
        }
        parsed(&self.good(answer)?).map(Some)
    }

    /// Whose skill a bare slug means.
    pub async fn bound(&self, slug: &Slug) -> Result<Bound, ClientError> {
        #[derive(Deserialize)]
        struct Detail {
            skill: Option<SkillPart>,
            owner: Option<OwnerPart>,
        }
        #[derive(Deserialize)]
        struct SkillPart {
            slug: Slug,
        }
        #[derive(Deserialize)]
        struct OwnerPart {
            handle: Option<Owner>,
        }
        #[derive(Deserialize)]
        struct Several {
            matches: Vec<Candidate>,
        }
        let url = self.endpoint().join(&["api", "v1", "skills", slug.as_str()]);
        let answer = self.send(&self.read(url, "application/json", 4 << 20)).await?;
        match answer.status {
            404 => Ok(Bound::Absent),
            409 => parsed(&answer).map(|several: Several| Bound::Ambiguous(several.matches)),
            _ => {
                let detail: Detail = parsed(&self.good(answer)?)?;
                let owner = detail.owner.and_then(|owner| owner.handle);
                Ok(match (detail.skill, owner) {
                    (Some(skill), Some(owner)) => Bound::To(SkillName::new(owner, skill.slug)),
                    _ => Bound::Absent,
                })
            }
        }
    }

    /// The trust envelope of a release, as bytes; none if there is no such release, or no longer.
    pub async fn envelope(
        &self,
        name: &SkillName,
        version: &Version,
    ) -> Result<Option<Vec<u8>>, ClientError> {
        let version = version.to_string();
        let segments = ["api", "v1", "skills", name.slug.as_str(), "versions", &version, "envelope"];
        let mut url = self.endpoint().join(&segments);
        url.query_pairs_mut().append_pair("ownerHandle", name.owner.as_str());
        let answer = self.send(&self.read(url, "application/json", ENVELOPE_CAP)).await?;
        if matches!(answer.status, 404 | 410) {
            return Ok(None);
        }
        self.good(answer).map(|answer| Some(answer.body))
    }

    /// Writes the archive of a release to `path`, at most `cap` bytes. `arrived` is told how many have come, from 0
    /// on again if a try broke off.
    pub async fn download(
        &self,
        name: &SkillName,
        version: &Version,
        cap: u64,
        path: &Path,
        arrived: &(dyn Fn(u64) + Sync),
    ) -> Result<Downloaded, ClientError> {
        let mut url = self.endpoint().join(&["api", "v1", "download"]);
        url.query_pairs_mut()
            .append_pair("slug", name.slug.as_str())
            .append_pair("ownerHandle", name.owner.as_str())
            .append_pair("version", &version.to_string());
        let call =
            Call { save_to: Some(path), arrived: Some(arrived), ..self.read(url, "application/zip", cap) };
        let answer = self.send(&call).await?;
        let url = shown(&answer.url);
        if let Some(saved) = answer.saved {
            return Ok(saved);
        }
        self.good(answer)?;
        Err(ClientError::Strange { url, why: "no archive came".to_owned() })
    }

    /// Searches, best first.
    pub async fn search(&self, query: &str, limit: u32) -> Result<Vec<SearchHit>, ClientError> {
        #[derive(Deserialize)]
        struct Results {
            results: Vec<SearchHit>,
        }
        let mut url = self.endpoint().join(&["api", "v1", "search"]);
        url.query_pairs_mut().append_pair("q", query).append_pair("limit", &limit.to_string());
        self.json(url).await.map(|results: Results| results.results)
    }

    /// Any other document below the base, such as the detail of a skill; `query` in order.
    pub async fn document(
        &self,
        segments: &[&str],
        query: &[(&str, &str)],
    ) -> Result<serde_json::Value, ClientError> {
        self.json(with_query(self.endpoint().join(segments), query)).await
    }
}

fn with_query(mut url: Url, query: &[(&str, &str)]) -> Url {
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(query);
    }
    url
}

fn no_registry(answer: &Answer) -> ClientError {
    ClientError::Strange { url: shown(&answer.url), why: "no registry of ours is there".to_owned() }
}
