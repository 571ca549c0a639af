//! What becomes of a release and of a name after the publish.

use reqwest::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use skill_core::api::{DeprecationRequest, ReasonRequest, SkillDeleted, SkillUndeleted, TagRequest};
use skill_core::name::{SkillName, Tag};
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use url::Url;

use super::to_json;
use crate::client::send::Content;
use crate::client::session::{parsed, problem};
use crate::client::{ClientError, Session};

impl Session {
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

    /// Takes a release back, so that nobody gets it any more. Withdrawing what is withdrawn changes nothing. Gives
    /// where it stands.
    pub async fn withdraw(
        &self,
        name: &SkillName,
        version: &Version,
        reason: &str,
    ) -> Result<ReleaseState, ClientError> {
        self.restrict(name, version, "withdraw", reason).await
    }

    /// Brings a withdrawn release back. Without a withdrawal it changes nothing. Gives where the release stands.
    pub async fn restore(
        &self,
        name: &SkillName,
        version: &Version,
        reason: &str,
    ) -> Result<ReleaseState, ClientError> {
        self.restrict(name, version, "restore", reason).await
    }

    /// Deletes a whole skill. Deleting what is deleted changes nothing, not even until when the name is kept.
    pub async fn delete_skill(&self, name: &SkillName, reason: &str) -> Result<SkillDeleted, ClientError> {
        let url = self.own(&["skills", name.owner.as_str(), name.slug.as_str()]);
        self.reasoned(Method::DELETE, url, reason).await
    }

    /// Brings a deleted skill back. Without a deletion it changes nothing.
    pub async fn undelete_skill(
        &self,
        name: &SkillName,
        reason: &str,
    ) -> Result<SkillUndeleted, ClientError> {
        let url = self.own(&["skills", name.owner.as_str(), name.slug.as_str(), "undelete"]);
        self.reasoned(Method::POST, url, reason).await
    }

    /// Says what to do instead of using a skill; `None` takes that back. Said again it changes nothing.
    pub async fn deprecate(&self, name: &SkillName, message: Option<&str>) -> Result<(), ClientError> {
        let url = self.own(&["skills", name.owner.as_str(), name.slug.as_str(), "deprecation"]);
        let call = match message {
            Some(message) => {
                let content = to_json(&DeprecationRequest { message: message.to_owned() })?;
                self.change(Method::PUT, url, Content::Json(content))
            }
            None => self.change(Method::DELETE, url, Content::Nothing),
        };
        let answer = self.send(&call).await?;
        self.good(answer).map(drop)
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
        self.reasoned(Method::POST, url, reason).await.map(|Standing { status }| status)
    }

    async fn reasoned<T: DeserializeOwned>(
        &self,
        method: Method,
        url: Url,
        reason: &str,
    ) -> Result<T, ClientError> {
        let content = Content::Json(to_json(&ReasonRequest { reason: reason.to_owned() })?);
        let answer = self.send(&self.change(method, url, content)).await?;
        parsed(&self.good(answer)?)
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
}
