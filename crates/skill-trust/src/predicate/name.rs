use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::RegistryId;
use skill_core::name::{Owner, SkillName, Slug};

/// `name`: to whom `owner/slug` belongs, or where it leads. Clients follow signed names only.
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

impl NamePredicate {
    /// The name that it is about.
    pub fn name(&self) -> SkillName {
        SkillName::new(self.owner.clone(), self.slug.clone())
    }
}

/// What happens to a name. JSON form: an object whose `type` names the variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum NameAction {
    /// The skill is called so from now on: at its first publish, and at each later change of name.
    Claim {
        /// Whether the bare slug is bound to this owner by it.
        bare_slug: bool,
    },
    /// From now on the skill is called otherwise. What was said under this name holds for the
    /// other: it is one skill, which uses each number once.
    Alias {
        /// What it is called now.
        target: NameTarget,
    },
    /// From now on whoever asks for it is led to another skill, which has numbers and releases of
    /// its own. No release is carried along: `1.0.0` of the one is not `1.0.0` of the other.
    Merge {
        /// The skill that it leads to.
        target: NameTarget,
    },
    /// It changes hands, under the same slug.
    Transfer {
        /// Who gets it.
        to: Owner,
        /// When the owner up to now agreed.
        consented_at: Timestamp,
    },
}

/// The name that an alias or a merge leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameTarget {
    /// Whose.
    pub owner: Owner,
    /// Which.
    pub slug: Slug,
}

impl From<NameTarget> for SkillName {
    fn from(target: NameTarget) -> Self {
        Self::new(target.owner, target.slug)
    }
}

impl From<SkillName> for NameTarget {
    fn from(name: SkillName) -> Self {
        Self { owner: name.owner, slug: name.slug }
    }
}
