use std::fmt;

use jiff::Timestamp;
use skill_core::name::{Owner, SkillName};

use crate::auth::{Identity, Scope, Scopes};

/// What a token can be used for, on what, and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// What it may be used for.
    pub scopes: Scopes,
    /// The only publisher that it is good for.
    pub publisher: Option<Owner>,
    /// The only skill that it is good for.
    pub skill: Option<SkillName>,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

/// In what a token would go beyond the one that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// In this scope.
    Scope(Scope),
    /// In the publishers that it is good for.
    Publisher,
    /// In the skills that it is good for.
    Skill,
    /// It ends later.
    End,
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scope(scope) => write!(f, "the scope {scope}"),
            Self::Publisher => f.write_str("other publishers"),
            Self::Skill => f.write_str("other skills"),
            Self::End => f.write_str("a longer life"),
        }
    }
}

impl Reach {
    /// That of what somebody showed.
    pub fn of(identity: &Identity) -> Self {
        Self {
            scopes: identity.scopes.clone(),
            publisher: identity.only_publisher.clone(),
            skill: identity.only_skill.clone(),
            expires_at: identity.expires_at,
        }
    }

    /// In what this goes beyond `maker`; `None` if it lies within. The scope `admin` stands for every other.
    pub fn beyond(&self, maker: &Self) -> Option<Beyond> {
        let holds = |scope: &Scope| maker.scopes.has(*scope) || maker.scopes.has(Scope::Admin);
        if let Some(scope) = self.scopes.iter().find(|scope| !holds(scope)) {
            return Some(Beyond::Scope(scope));
        }
        let owner = self.publisher.as_ref().or_else(|| self.skill.as_ref().map(|skill| &skill.owner));
        if maker.publisher.is_some() && owner != maker.publisher.as_ref() {
            return Some(Beyond::Publisher);
        }
        if maker.skill.is_some() && self.skill != maker.skill {
            return Some(Beyond::Skill);
        }
        let ends_later = match (self.expires_at, maker.expires_at) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(end), Some(most)) => end > most,
        };
        ends_later.then_some(Beyond::End)
    }
}
