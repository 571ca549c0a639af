use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::RegistryId;
use skill_core::name::{Owner, Slug};

/// `name`: to whom `owner/slug` belongs, or where it leads. Clients follow signed aliases only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NamePredicate {
    /// In which registry.
    pub registry: RegistryId,
    /// Whose name it is when this is said.
    pub owner: Owner,
    /// The name.
    pub slug: Slug,
    /// What happens to it.
    pub action: NameAction,
    /// When.
    pub at: Timestamp,
}

/// What happens to a name. JSON form: an object whose `type` names the variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum NameAction {
    /// The owner publishes under it for the first time.
    Claim {
        /// Whether the bare slug is bound to this owner by it.
        bare_slug: bool,
    },
    /// From now on it stands for another name (a rename or a merge).
    Alias {
        /// Where it leads.
        target: NameTarget,
    },
    /// It changes hands.
    Transfer {
        /// Who gets it.
        to: Owner,
        /// When the owner up to now agreed.
        consented_at: Timestamp,
    },
}

/// The name that an alias leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameTarget {
    /// Whose.
    pub owner: Owner,
    /// Which.
    pub slug: Slug,
}
