//! Publishers, and who acts for them.

use reqwest::Method;
use skill_core::api::{
    InvitationLine, InvitationPage, InvitationRequest, MemberLine, MemberPage, PublisherLine,
    PublisherRequest, RoleRequest,
};
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

    /// Invites a user: anew, however often it arrives.
    pub async fn invite(
        &self,
        handle: &Owner,
        request: &InvitationRequest,
    ) -> Result<InvitationLine, ClientError> {
        let url = self.own(&["publishers", handle.as_str(), "invitations"]);
        let call = self.change(Method::POST, url, Content::Json(to_json(request)?));
        parsed(&self.good(self.send(&call).await?)?)
    }

    /// The open invitations to a publisher, or one's own.
    pub async fn invitations(&self, handle: Option<&Owner>) -> Result<Vec<InvitationLine>, ClientError> {
        let mut all: Vec<InvitationLine> = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let mut url = match handle {
                Some(handle) => self.own(&["publishers", handle.as_str(), "invitations"]),
                None => self.own(&["invitations"]),
            };
            url.query_pairs_mut().append_pair("limit", "200").extend_pairs(cursor.map(|at| ("cursor", at)));
            let page: InvitationPage = self.json(url).await?;
            let is_empty = page.invitations.is_empty();
            all.extend(page.invitations);
            cursor = page.next_cursor;
            if cursor.is_none() || is_empty {
                return Ok(all);
            }
        }
    }

    /// Accepts an own invitation. Sent once: one that was answered is not told from one that never was.
    pub async fn accept(&self, id: &str) -> Result<InvitationLine, ClientError> {
        self.answer_invitation(id, "accept").await
    }

    /// Declines an own invitation. Sent once, as the other answer.
    pub async fn decline(&self, id: &str) -> Result<InvitationLine, ClientError> {
        self.answer_invitation(id, "decline").await
    }

    async fn answer_invitation(&self, id: &str, how: &str) -> Result<InvitationLine, ClientError> {
        let call = self.change(Method::POST, self.own(&["invitations", id, how]), Content::Nothing);
        let answer = self.send(&Call { idempotent: false, ..call }).await?;
        parsed(&self.good(answer)?)
    }

    /// Takes an invitation back. If an earlier try may have arrived, it is gone, and that is what was wanted.
    pub async fn withdraw_invitation(&self, handle: &Owner, id: &str) -> Result<(), ClientError> {
        let url = self.own(&["publishers", handle.as_str(), "invitations", id]);
        let answer = self.send(&self.change(Method::DELETE, url, Content::Nothing)).await?;
        if answer.repeated && problem(&answer).code == "invitation-not-found" {
            return Ok(());
        }
        self.good(answer).map(drop)
    }
}
