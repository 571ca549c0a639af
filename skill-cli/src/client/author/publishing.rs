//! Bringing a release in.

use bytes::Bytes;
use reqwest::Method;
use skill_core::api::{PublishMeta, Published};

use super::to_json;
use crate::client::send::Content;
use crate::client::session::parsed;
use crate::client::{ClientError, Session};

impl Session {
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
}
