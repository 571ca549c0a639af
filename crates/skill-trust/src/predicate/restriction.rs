use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::RegistryId;
use skill_core::name::{Owner, Slug};
use skill_core::version::Version;

/// `restriction`: what may no longer be done with a release, or may be done again.
///
/// A yank, a withdrawal and a deletion bind one release. A quarantine, and a takedown of
/// `bytes`, bind the tree digest too: the same bytes under another name are refused as well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
pub struct RestrictionPredicate {
    /// In which registry.
    pub registry: RegistryId,
    /// Whose skill.
    pub owner: Owner,
    /// Which skill.
    pub slug: Slug,
    /// Which release.
    pub version: Version,
    /// What is restricted, or no longer.
    pub action: Restriction,
    /// Why, for people; `hidden` if a moderator hid it.
    pub reason: String,
    /// Number of the restriction in its registry; restrictions and restorations count together
    /// and only upwards.
    pub sequence: u64,
    /// When.
    pub at: Timestamp,
}

/// The kinds of restriction. JSON form: `action`, and for a takedown `scope` beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Restriction {
    /// The owner advises against it: nothing chooses it any more but a lock that names it.
    Yank,
    /// The owner takes a yank back.
    Unyank,
    /// The owner takes the release back.
    Withdraw,
    /// The owner deletes the whole skill; said for each release.
    Delete,
    /// The owner takes a withdrawal or a deletion back.
    Undelete,
    /// The registry closes it; only a restoration opens it.
    Quarantine,
    /// The registry removes it; only a restoration opens it.
    Takedown(TakedownScope),
}

/// What a takedown takes down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TakedownScope {
    /// These bytes, whatever they are called.
    Bytes,
    /// This name and number; the bytes are good (a squat).
    Release,
}

impl Restriction {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        self.action().0
    }

    /// Whether the same bytes under another name are restricted too.
    pub const fn binds_bytes(self) -> bool {
        matches!(self, Self::Quarantine | Self::Takedown(TakedownScope::Bytes))
    }

    /// Whether only a restoration lifts it.
    pub const fn needs_restoration(self) -> bool {
        matches!(self, Self::Quarantine | Self::Takedown(_))
    }

    const fn action(self) -> (&'static str, Action, Option<TakedownScope>) {
        match self {
            Self::Yank => ("yank", Action::Yank, None),
            Self::Unyank => ("unyank", Action::Unyank, None),
            Self::Withdraw => ("withdraw", Action::Withdraw, None),
            Self::Delete => ("delete", Action::Delete, None),
            Self::Undelete => ("undelete", Action::Undelete, None),
            Self::Quarantine => ("quarantine", Action::Quarantine, None),
            Self::Takedown(scope) => ("takedown", Action::Takedown, Some(scope)),
        }
    }
}

impl fmt::Display for Restriction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Yank,
    Unyank,
    Withdraw,
    Delete,
    Undelete,
    Quarantine,
    Takedown,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    registry: RegistryId,
    owner: Owner,
    slug: Slug,
    version: Version,
    action: Action,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<TakedownScope>,
    reason: String,
    sequence: u64,
    at: Timestamp,
}

#[derive(Debug, thiserror::Error)]
enum ScopeError {
    #[error("a takedown needs a scope, `bytes` or `release`")]
    Missing,
    #[error("only a takedown has a scope")]
    Unasked,
}

impl TryFrom<Wire> for RestrictionPredicate {
    type Error = ScopeError;

    fn try_from(wire: Wire) -> Result<Self, ScopeError> {
        let action = match (wire.action, wire.scope) {
            (Action::Takedown, Some(scope)) => Restriction::Takedown(scope),
            (Action::Takedown, None) => return Err(ScopeError::Missing),
            (_, Some(_)) => return Err(ScopeError::Unasked),
            (Action::Yank, None) => Restriction::Yank,
            (Action::Unyank, None) => Restriction::Unyank,
            (Action::Withdraw, None) => Restriction::Withdraw,
            (Action::Delete, None) => Restriction::Delete,
            (Action::Undelete, None) => Restriction::Undelete,
            (Action::Quarantine, None) => Restriction::Quarantine,
        };
        let Wire { registry, owner, slug, version, reason, sequence, at, .. } = wire;
        Ok(Self { registry, owner, slug, version, action, reason, sequence, at })
    }
}

impl From<RestrictionPredicate> for Wire {
    fn from(predicate: RestrictionPredicate) -> Self {
        let RestrictionPredicate { registry, owner, slug, version, action, reason, sequence, at } = predicate;
        let (_, action, scope) = action.action();
        Self { registry, owner, slug, version, action, scope, reason, sequence, at }
    }
}
