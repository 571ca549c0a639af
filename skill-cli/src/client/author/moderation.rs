//! What people tell the moderators.

use reqwest::Method;
use skill_core::api::{ReportRequest, Reported};
use skill_core::name::SkillName;

use super::to_json;
use crate::client::send::Content;
use crate::client::session::parsed;
use crate::client::{ClientError, Session};

impl Session {
    /// Reports a skill. If it arrives twice the registry answers with the same report.
    pub async fn report(&self, name: &SkillName, request: &ReportRequest) -> Result<Reported, ClientError> {
        let url = self.own(&["skills", name.owner.as_str(), name.slug.as_str(), "reports"]);
        let answer = self.send(&self.change(Method::POST, url, Content::Json(to_json(request)?))).await?;
        parsed(&self.good(answer)?)
    }
}
