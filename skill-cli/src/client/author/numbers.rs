//! What a user thinks well of.

use reqwest::Method;
use skill_core::api::Starred;
use skill_core::name::SkillName;

use crate::client::send::Content;
use crate::client::session::parsed;
use crate::client::{ClientError, Session};

impl Session {
    /// Stars a skill. Once more it changes nothing.
    pub async fn star(&self, name: &SkillName) -> Result<Starred, ClientError> {
        self.change_star(Method::PUT, name).await
    }

    /// Takes a star back. Without one it changes nothing.
    pub async fn unstar(&self, name: &SkillName) -> Result<Starred, ClientError> {
        self.change_star(Method::DELETE, name).await
    }

    async fn change_star(&self, method: Method, name: &SkillName) -> Result<Starred, ClientError> {
        let url = self.own(&["skills", name.owner.as_str(), name.slug.as_str(), "star"]);
        let answer = self.send(&self.change(method, url, Content::Nothing)).await?;
        parsed(&self.good(answer)?)
    }
}
