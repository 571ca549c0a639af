use jiff::Timestamp;
use skill_core::api::Access;
use skill_core::name::{Owner, SkillName};

use super::{Scope, Scopes};
use crate::problem::ApiError;
use crate::store::publishers::{MemberRole, Membership};
use crate::store::users::User;

/// Who sent a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// Nobody said.
    Anonymous,
    /// A user, by a token.
    User(Box<Identity>),
}

/// A user and what the token that was shown lets them do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Who.
    pub user: User,
    /// Id of the token.
    pub token_id: String,
    /// What the token may be used for.
    pub scopes: Scopes,
    /// Until when.
    pub expires_at: Option<Timestamp>,
    /// The publishers the user may act for; the personal one comes first.
    pub publishers: Vec<Membership>,
    /// The only publisher that the token is good for.
    pub only_publisher: Option<Owner>,
    /// The only skill that the token is good for.
    pub only_skill: Option<SkillName>,
}

impl Caller {
    /// The user, or the answer that a login is needed.
    pub fn identity(&self) -> Result<&Identity, ApiError> {
        match self {
            Self::Anonymous => Err(ApiError::LoginNeeded),
            Self::User(identity) => Ok(identity),
        }
    }

    /// Whether this caller may read at all.
    pub fn may_read(&self, access: Access) -> Result<(), ApiError> {
        match (access, self) {
            (Access::Public, Self::Anonymous) => Ok(()),
            (Access::Public | Access::Token, _) => self.identity()?.needs(Scope::Read),
        }
    }

    /// Whether this caller may publish, yank and tag for `owner`, whatever the skill.
    pub fn may_publish(&self, owner: &Owner) -> Result<&Identity, ApiError> {
        let identity = self.identity()?;
        identity.needs(Scope::Publish)?;
        if let Some(only) = &identity.only_publisher
            && only != owner
        {
            return Err(ApiError::TokenRestricted { to: only.to_string() });
        }
        if identity.role_in(owner).is_none() {
            return Err(ApiError::NotMember { owner: owner.clone() });
        }
        Ok(identity)
    }

    /// Whether this caller may publish, yank and tag this skill.
    pub fn may_change(&self, name: &SkillName) -> Result<&Identity, ApiError> {
        let identity = self.may_publish(&name.owner)?;
        match &identity.only_skill {
            Some(only) if only != name => Err(ApiError::TokenRestricted { to: only.to_string() }),
            _ => Ok(identity),
        }
    }
}

impl Identity {
    /// Refuses a token without this scope. `admin` has every other.
    pub fn needs(&self, scope: Scope) -> Result<(), ApiError> {
        if self.scopes.has(scope) || self.scopes.has(Scope::Admin) {
            return Ok(());
        }
        Err(ApiError::ScopeMissing { needs: scope, has: self.scopes.clone() })
    }

    /// What the user may do for a publisher.
    pub fn role_in(&self, owner: &Owner) -> Option<MemberRole> {
        self.publishers.iter().find(|m| m.publisher == *owner).map(|m| m.role)
    }

    /// The publisher that a publish without an owner goes to: the token's, else the personal one.
    pub fn own_publisher(&self) -> &Owner {
        self.only_publisher.as_ref().unwrap_or(&self.user.name)
    }
}
