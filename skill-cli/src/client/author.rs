//! Calls that change something, and who may.

use bytes::Bytes;
use jiff::Timestamp;
use reqwest::Method;
use serde::Deserialize;
use skill_core::api::{PublishMeta, Published, TagRequest, YankRequest};
use skill_core::name::{Owner, SkillName, Tag};
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use url::Url;

use super::send::Content;
use super::session::{parsed, problem};
use super::{ClientError, Session};

/// Whose token it is and what it may do.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The account.
    pub user: String,
    /// The publishers that it may publish for.
    #[serde(default)]
    pub publishers: Vec<Membership>,
    /// What the token may do.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// When the token ends.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

/// A publisher that an account belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Membership {
    /// The publisher.
    pub owner: Owner,
    /// What the account is there.
    pub role: String,
}

impl Session {
    /// Whose token this session carries.
    pub async fn whoami(&self) -> Result<Identity, ClientError> {
        self.json(self.own(&["whoami"])).await
    }

    /// Publishes one archive. If it arrives twice the registry answers with the same release: the
    /// number that was asked for holds this tree, or the newest release does.
    pub async fn publish(&self, meta: &PublishMeta, archive: Bytes) -> Result<Published, ClientError> {
        let meta_json = to_json(meta)?;
        let content = Content::Upload {
            meta: String::from_utf8_lossy(&meta_json).into_owned(),
            archive,
            file_name: format!("{}.skill", meta.slug),
        };
        let answer = self.send(&self.change(Method::POST, self.own(&["publish"]), content)).await?;
        parsed(&self.good(answer)?)
    }

    /// Takes a release out of new installs. Yanking what is yanked changes nothing. Gives where it stands.
    pub async fn yank(
        &self,
        name: &SkillName,
        version: &Version,
        reason: &str,
    ) -> Result<ReleaseState, ClientError> {
        self.restrict(name, version, "yank", reason).await
    }

    /// Takes a yank back. Without one it changes nothing. Gives where the release stands.
    pub async fn unyank(
        &self,
        name: &SkillName,
        version: &Version,
        reason: &str,
    ) -> Result<ReleaseState, ClientError> {
        self.restrict(name, version, "unyank", reason).await
    }

    async fn restrict(
        &self,
        name: &SkillName,
        version: &Version,
        action: &str,
        reason: &str,
    ) -> Result<ReleaseState, ClientError> {
        #[derive(Deserialize)]
        struct Standing {
            status: ReleaseState,
        }
        let version = version.to_string();
        let (owner, slug) = (name.owner.as_str(), name.slug.as_str());
        let url = self.own(&["skills", owner, slug, "versions", &version, action]);
        let content = Content::Json(to_json(&YankRequest { reason: reason.to_owned() })?);
        let answer = self.send(&self.change(Method::POST, url, content)).await?;
        parsed(&self.good(answer)?).map(|Standing { status }| status)
    }

    /// Points a tag at a release: the same one, however often it arrives.
    pub async fn set_tag(&self, name: &SkillName, tag: &Tag, version: &Version) -> Result<(), ClientError> {
        let content = Content::Json(to_json(&TagRequest { version: version.clone() })?);
        let answer = self.send(&self.change(Method::PUT, self.tag_url(name, tag), content)).await?;
        self.good(answer).map(drop)
    }

    /// Takes a tag away. If an earlier try may have arrived, it is no longer there, and that is what was wanted.
    pub async fn remove_tag(&self, name: &SkillName, tag: &Tag) -> Result<(), ClientError> {
        let call = self.change(Method::DELETE, self.tag_url(name, tag), Content::Nothing);
        let answer = self.send(&call).await?;
        if answer.repeated && answer.status == 404 && problem(&answer).code == "tag-not-found" {
            return Ok(());
        }
        self.good(answer).map(drop)
    }

    fn tag_url(&self, name: &SkillName, tag: &Tag) -> Url {
        self.own(&["skills", name.owner.as_str(), name.slug.as_str(), "tags", tag.as_str()])
    }

    /// A URL of the registry's own face.
    fn own(&self, segments: &[&str]) -> Url {
        let all: Vec<&str> = ["api", "registry", "v1"].into_iter().chain(segments.iter().copied()).collect();
        self.endpoint().join(&all)
    }
}

fn to_json<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, ClientError> {
    serde_json::to_vec(value).map_err(|error| ClientError::Setup { cause: error.to_string() })
}
