use serde::{Deserialize, Serialize};

use crate::name::{Owner, Slug};

/// Answer of `PUT` and `DELETE /api/registry/v1/skills/{owner}/{slug}/star`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starred {
    /// Whose skill it is.
    pub owner: Owner,
    /// Its slug.
    pub slug: Slug,
    /// Whether the request changed anything.
    pub changed: bool,
    /// Users that starred it, after it.
    pub stars: u64,
}
