//! What people tell the moderators.

use reqwest::Method;
use skill_core::api::{AppealAnswer, AppealList, AppealView, ReasonRequest, ReportRequest, Reported};
use skill_core::name::SkillName;
use skill_core::version::Version;
use url::Url;

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

    /// Asks moderators to look again at a release. If it arrives twice the registry answers with the same appeal.
    pub async fn appeal(
        &self,
        name: &SkillName,
        version: &Version,
        reason: &str,
    ) -> Result<AppealAnswer, ClientError> {
        let request = ReasonRequest { reason: reason.to_owned() };
        let url = self.appeals_of(name, version);
        let answer = self.send(&self.change(Method::POST, url, Content::Json(to_json(&request)?))).await?;
        parsed(&self.good(answer)?)
    }

    /// What was said against the closing of a release, and answered: the appeal that waits, then the newest.
    pub async fn appeals(&self, name: &SkillName, version: &Version) -> Result<Vec<AppealView>, ClientError> {
        let list: AppealList = self.json(self.appeals_of(name, version)).await?;
        Ok(list.appeals)
    }

    fn appeals_of(&self, name: &SkillName, version: &Version) -> Url {
        let version = version.to_string();
        self.own(&["skills", name.owner.as_str(), name.slug.as_str(), "versions", &version, "appeals"])
    }
}
