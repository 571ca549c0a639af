//! Bringing a release in.

use bytes::Bytes;
use reqwest::Method;
use skill_core::api::{PublishMeta, PublishPlan, Published};

use super::to_json;
use crate::client::send::Content;
use crate::client::session::parsed;
use crate::client::{ClientError, Session};

/// A publish that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The registry's answer.
    pub published: Published,
    /// Whether it was sent more than once, so that an earlier try may be what brought it in.
    pub repeated: bool,
}

impl Session {
    /// Asks what a publish would come to. `meta` has the digest of the tree.
    pub async fn plan(&self, meta: &PublishMeta) -> Result<PublishPlan, ClientError> {
        let call = self.change(Method::POST, self.own(&["publish", "plan"]), Content::Json(to_json(meta)?));
        parsed(&self.good(self.send(&call).await?)?)
    }

    /// Publishes one archive. If it arrives twice the registry answers with the same release: the
    /// number that was asked for holds this tree, or the newest release does.
    pub async fn publish(&self, meta: &PublishMeta, archive: Bytes) -> Result<Sent, ClientError> {
        let meta_json = to_json(meta)?;
        let content = Content::Upload {
            meta: String::from_utf8_lossy(&meta_json).into_owned(),
            archive,
            file_name: format!("{}.skill", meta.slug),
        };
        let answer = self.send(&self.change(Method::POST, self.own(&["publish"]), content)).await?;
        let repeated = answer.repeated;
        Ok(Sent { published: parsed(&self.good(answer)?)?, repeated })
    }
}
