use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use skill_core::name::{NameError, Owner, SkillName};

use super::{Act, On, Scope, Scopes};
use crate::problem::ApiError;
use crate::store::publishers::{MemberRole, Membership};
use crate::store::users::User;

/// Who sent a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// Nobody said.
    Anonymous,
    /// A user, by a credential.
    User(Box<Identity>),
}

/// What a user showed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Credential {
    /// A token, by its id.
    Token(String),
    /// A session of a browser, by the SHA-256 of its cookie.
    Session(String),
}

impl fmt::Display for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(id) => write!(f, "token:{id}"),
            Self::Session(digest) => write!(f, "session:{digest}"),
        }
    }
}

impl FromStr for Credential {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.split_once(':') {
            Some(("token", id)) => Ok(Self::Token(id.to_owned())),
            Some(("session", digest)) => Ok(Self::Session(digest.to_owned())),
            _ => Err(NameError { text: text.to_owned(), wanted: "token:ID or session:SHA256" }),
        }
    }
}

/// A user and what the credential that was shown lets them do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Who.
    pub user: User,
    /// By what.
    pub by: Credential,
    /// What it may be used for.
    pub scopes: Scopes,
    /// Until when that is good; of a session, until when that is good that made its link.
    pub expires_at: Option<Timestamp>,
    /// Whether whoever shows it is who they say without doubt: of a session, whether its user showed it lately.
    pub is_sure: bool,
    /// The publishers the user may act for; the personal one comes first.
    pub publishers: Vec<Membership>,
    /// The only publisher that it is good for.
    pub only_publisher: Option<Owner>,
    /// The only skill that it is good for.
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

    /// The session, by its digest, that a browser showed.
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::User(identity) => identity.session(),
            Self::Anonymous => None,
        }
    }

    /// Whether this caller sees what of a skill is hidden from others ([`Act::SeeHidden`]). Whoever sees the queue of
    /// the moderators does.
    pub fn sees(&self, name: &SkillName) -> bool {
        self.identity().is_ok_and(|identity| identity.sees(name))
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

    /// As [`Caller::session`].
    pub fn session(&self) -> Option<&str> {
        match &self.by {
            Credential::Session(sha256) => Some(sha256),
            Credential::Token(_) => None,
        }
    }

    /// As [`Caller::sees`].
    pub fn sees(&self, name: &SkillName) -> bool {
        let hidden = self.may(Act::SeeHidden, &On::Skill(name.clone()));
        hidden.is_ok() || self.may(Act::SeeQueue, &On::Nothing).is_ok()
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
