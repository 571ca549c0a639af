//! Publishers, and who acts for them.

use reqwest::Method;
use skill_core::api::{MemberLine, MemberPage, PublisherLine, PublisherRequest, RoleRequest};
use skill_core::name::Owner;

use super::to_json;
use crate::client::send::{Call, Content};
use crate::client::session::{parsed, problem};
use crate::client::{ClientError, Session};

impl Session {
    /// Makes a publisher. Sent once: an answer that was lost cannot be told from a handle that is taken.
    pub async fn make_publisher(&self, request: &PublisherRequest) -> Result<PublisherLine, ClientError> {
        let call = self.change(Method::POST, self.own(&["publishers"]), Content::Json(to_json(request)?));
        let answer = self.send(&Call { idempotent: false, ..call }).await?;
        parsed(&self.good(answer)?)
    }

    /// A publisher that the account acts for.
    pub async fn publisher(&self, handle: &Owner) -> Result<PublisherLine, ClientError> {
        self.json(self.own(&["publishers", handle.as_str()])).await
    }

    /// Who acts for a publisher, by name.
    pub async fn members(&self, handle: &Owner) -> Result<Vec<MemberLine>, ClientError> {
        let mut all: Vec<MemberLine> = Vec::new();
        loop {
            let mut url = self.own(&["publishers", handle.as_str(), "members"]);
            let cursor = all.last().map(|last| ("cursor", last.user.to_string()));
            url.query_pairs_mut().append_pair("limit", "200").extend_pairs(cursor);
            let page: MemberPage = self.json(url).await?;
            let is_last = page.next_cursor.is_none() || page.members.is_empty();
            all.extend(page.members);
            if is_last {
                return Ok(all);
            }
        }
    }

    /// Gives a member another role: the same one, however often it arrives.
    pub async fn set_role(
        &self,
        handle: &Owner,
        user: &Owner,
        role: &str,
    ) -> Result<MemberLine, ClientError> {
        let content = Content::Json(to_json(&RoleRequest { role: role.to_owned() })?);
        let url = self.own(&["publishers", handle.as_str(), "members", user.as_str()]);
        parsed(&self.good(self.send(&self.change(Method::PUT, url, content)).await?)?)
    }

    /// Ends a membership. If an earlier try may have arrived, it is over, and that is what was wanted.
    pub async fn remove_member(&self, handle: &Owner, user: &Owner) -> Result<(), ClientError> {
        let url = self.own(&["publishers", handle.as_str(), "members", user.as_str()]);
        let answer = self.send(&self.change(Method::DELETE, url, Content::Nothing)).await?;
        let is_over = matches!(problem(&answer).code.as_str(), "member-not-found" | "not-member");
        if answer.repeated && is_over {
            return Ok(());
        }
        self.good(answer).map(drop)
    }
}
