use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::RegistryId;
use skill_core::name::{Owner, Slug};
use skill_core::version::Version;

use super::Target;
use crate::key::{KeyId, PublicKey};

/// `publisher`: the author's own word, signed by the author's own key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublisherPredicate {
    /// In which registry.
    pub registry: RegistryId,
    /// Whose word it is.
    pub owner: Owner,
    /// What is said.
    pub action: PublisherAction,
    /// When.
    pub at: Timestamp,
}

/// What an author can say. JSON form: an object whose `type` names the variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum PublisherAction {
    /// "This release is mine." The statement's subject holds the bytes.
    Sign {
        /// Which skill.
        slug: Slug,
        /// Which number.
        version: Version,
    },
    /// "This key speaks for me too." Signed by an earlier key, or by the key itself if it is
    /// the owner's first.
    AddKey {
        /// The key that is added.
        key: PublicKey,
    },
    /// "This key no longer speaks for me."
    RevokeKey {
        /// The key that is dropped.
        #[serde(rename = "keyid")]
        key_id: KeyId,
    },
}

impl PublisherPredicate {
    pub(crate) fn target(&self) -> Target<'_> {
        let (slug, version) = match &self.action {
            PublisherAction::Sign { slug, version } => (Some(slug), Some(version)),
            PublisherAction::AddKey { .. } | PublisherAction::RevokeKey { .. } => (None, None),
        };
        Target { registry: self.registry, owner: &self.owner, slug, version }
    }
}
