use serde::Serialize;

use crate::digest::{Sha256, TreeDigest};
use crate::name::{Owner, Slug};
use crate::verdict::Verdict;

/// The most bytes that a request may have; more fails closed (OpenClaw contract 1.3).
pub const REQUEST_BYTES: usize = 262_144;

/// What a policy program reads from its stdin: one JSON object, UTF-8, no line end (OpenClaw
/// contract 1.3; `host` and the keys of `skill` after `installId` are ours).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    protocol_version: u8,
    openclaw_version: String,
    host: &'static str,
    target_type: &'static str,
    target_name: String,
    source_path: String,
    source_path_kind: &'static str,
    source: Source,
    origin: Origin,
    #[serde(rename = "request")]
    ask: Ask,
    skill: SkillFacts,
}

/// Where the bytes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// Which kind.
    pub kind: Kind,
    /// Who stands behind it.
    pub authority: Authority,
    /// Whether the same words may give other bytes tomorrow.
    pub mutable: bool,
    /// Whether they came over a network.
    pub network: bool,
}

/// Kinds of sources, in the protocol's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A registry.
    Clawhub,
    /// A git repository.
    Git,
    /// A folder.
    LocalPath,
    /// An archive.
    Upload,
}

/// Who stands behind a source, in the protocol's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Authority {
    /// Whoever runs the registry or the repository.
    ThirdParty,
    /// The user.
    User,
}

/// The origin, by its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Origin {
    /// A release of a registry.
    Clawhub {
        /// Where the registry is reached.
        registry: String,
        /// The skill.
        slug: Slug,
        /// Whose.
        owner_handle: Owner,
        /// The version.
        version: String,
    },
    /// A commit of a repository.
    Git {
        /// The reference, without credentials.
        spec: String,
        /// The commit.
        #[serde(skip_serializing_if = "Option::is_none")]
        commit: Option<String>,
        /// The branch or tag that was asked for.
        #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
        reference: Option<String>,
    },
    /// A folder.
    Path {
        /// The path as it was written.
        spec: String,
    },
    /// An archive.
    Upload {
        /// Its path or URL, without credentials: there is no other name for what nobody uploaded.
        upload_id: String,
        /// Its digest.
        sha256: Sha256,
    },
    /// A probe, which installs nothing.
    Doctor,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ask {
    kind: &'static str,
    /// Whether something is there already.
    pub mode: Mode,
    /// What was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested_specifier: Option<String>,
}

/// Whether something is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nothing is there.
    Install,
    /// A copy is there and will be replaced.
    Update,
}

/// What is known of the skill beyond the protocol. Never the file list: the program reads the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillFacts {
    /// The protocol's word for the kind of install.
    pub install_id: &'static str,
    /// Digest of the staged tree.
    pub tree_digest: TreeDigest,
    /// Digest of the archive, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive_sha256: Option<Sha256>,
    /// What the scan says.
    pub verdict: Verdict,
    /// Who published it, in a registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<Owner>,
    /// Whether a registry signed these bytes.
    pub signed: bool,
    /// The number of its leaf in the registry's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_index: Option<u64>,
}

impl Ask {
    /// A request to install or to replace.
    pub fn new(mode: Mode, requested_specifier: impl Into<String>) -> Self {
        Self { kind: "skill-install", mode, requested_specifier: Some(requested_specifier.into()) }
    }
}

impl Request {
    /// A request about the folder `source_path`. `version` is this program's.
    pub fn new(
        version: &str,
        target_name: &str,
        source_path: &str,
        source: Source,
        origin: Origin,
        ask: Ask,
        skill: SkillFacts,
    ) -> Self {
        Self {
            protocol_version: 1,
            openclaw_version: version.to_owned(),
            host: "skill",
            target_type: "skill",
            target_name: target_name.to_owned(),
            source_path: source_path.to_owned(),
            source_path_kind: "directory",
            source,
            origin,
            ask,
            skill,
        }
    }

    /// The bytes that are sent; `None` if they are more than [`REQUEST_BYTES`].
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok().filter(|bytes| bytes.len() <= REQUEST_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(specifier: String) -> Request {
        Request::new(
            "0.1.0",
            "github",
            "/w/skills/.skill-stage-1/github",
            Source { kind: Kind::Clawhub, authority: Authority::ThirdParty, mutable: false, network: true },
            Origin::Clawhub {
                registry: "https://skills.example".to_owned(),
                slug: "github".parse().unwrap(),
                owner_handle: "acme".parse().unwrap(),
                version: "3.4.1".to_owned(),
            },
            Ask::new(Mode::Install, specifier),
            SkillFacts {
                install_id: "clawhub",
                tree_digest: TreeDigest::new(Sha256::of("tree")),
                archive_sha256: Some(Sha256::of("archive")),
                verdict: Verdict::Clean,
                publisher: Some("acme".parse().unwrap()),
                signed: true,
                log_index: Some(7),
            },
        )
    }

    #[test]
    fn keys_and_order_are_the_contracts() {
        let bytes = request("clawhub:@acme/github@3.4.1".to_owned()).to_bytes().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        insta::assert_snapshot!(text, @r#"{"protocolVersion":1,"openclawVersion":"0.1.0","host":"skill","targetType":"skill","targetName":"github","sourcePath":"/w/skills/.skill-stage-1/github","sourcePathKind":"directory","source":{"kind":"clawhub","authority":"third-party","mutable":false,"network":true},"origin":{"type":"clawhub","registry":"https://skills.example","slug":"github","ownerHandle":"acme","version":"3.4.1"},"request":{"kind":"skill-install","mode":"install","requestedSpecifier":"clawhub:@acme/github@3.4.1"},"skill":{"installId":"clawhub","treeDigest":"sha256:dc9c5edb8b2d479e697b4b0b8ab874f32b325138598ce9e7b759eb8292110622","archiveSha256":"0eb3e36bfb24dcd9bb1d1bece1531216b59539a8fde17ee80224af0653c92aa3","verdict":"clean","publisher":"acme","signed":true,"logIndex":7}}"#);
    }

    #[test]
    fn a_request_over_the_limit_is_none() {
        assert!(request("x".repeat(REQUEST_BYTES)).to_bytes().is_none());
    }

    #[test]
    fn absent_keys_are_left_out() {
        let origin = Origin::Git { spec: "git:/r".to_owned(), commit: None, reference: None };
        assert_eq!(serde_json::to_string(&origin).unwrap(), r#"{"type":"git","spec":"git:/r"}"#);
        assert_eq!(serde_json::to_string(&Origin::Doctor).unwrap(), r#"{"type":"doctor"}"#);
        let kind = serde_json::to_string(&[Kind::LocalPath, Kind::Upload]).unwrap();
        assert_eq!(kind, r#"["local-path","upload"]"#);
    }
}
