use serde::{Deserialize, Serialize};

use crate::digest::RegistryId;

/// Who may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Everybody.
    Public,
    /// Whoever has a token.
    Token,
}

/// `/.well-known/skill-registry.json`; answers without a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WellKnown {
    /// `skill.registry.v1`.
    pub schema: String,
    /// Identity of the registry; a claim until root version 1 was fetched and digested.
    pub registry_id: RegistryId,
    /// Newest version of the root metadata; `/trust/root/1.json` and so on up to it.
    pub root_version: u64,
    /// Base URL under which the registry says it is reached.
    pub public_url: String,
    /// Who may read.
    pub access: Access,
    /// What a publish may weigh.
    pub limits: ServerLimits,
}

/// What this registry takes: `GET /api/registry/v1/limits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerLimits {
    /// Bytes of one uploaded archive.
    pub archive_bytes: u64,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files of a bundle, unpacked.
    pub bundle_bytes: u64,
    /// Files in a bundle.
    pub files: u32,
    /// Bytes of one path.
    pub path_bytes: u32,
}
