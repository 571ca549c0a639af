//! in-toto v1 Statements: a predicate joined to the bytes or the name that it is about.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use skill_core::digest::{RegistryId, Sha256, TreeDigest};

use crate::dsse::{Envelope, EnvelopeError};
use crate::key::SigningKey;
use crate::predicate::{
    Kind, NamePredicate, Predicate, PublisherPredicate, PublisherResetPredicate, ReleasePredicate,
    RestorationPredicate, RestrictionPredicate, ScanPredicate, Target,
};

/// DSSE payload type of every statement.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// `_type` of every statement (in-toto attestation framework, Statement v1).
const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";

/// Which bytes a statement about a release speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Content {
    /// SHA-256 of the archive that the registry serves.
    pub archive: Sha256,
    /// Identity of what is in it, whatever the archive.
    pub tree: TreeDigest,
}

/// A predicate and its subject. The subject's name is the predicate's target, `owner/slug@version`,
/// `owner/slug` or `owner`; a release's digests are `sha256` (archive) and `skillTreeV1` (hex of
/// the tree digest), any other's is `sha256` over `<registry id>/<name>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    predicate: Predicate,
    content: Option<Content>,
}

/// Why bytes are no statement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// Not JSON of a Statement's shape.
    #[error("not an in-toto statement: {0}")]
    Shape(String),
    /// Another `_type`.
    #[error("`_type` is `{text}`, not `{STATEMENT_TYPE}`")]
    Type {
        /// What was read.
        text: String,
    },
    /// A predicate that this version does not know.
    #[error("`{text}` is no predicate that this version knows")]
    Unknown {
        /// The `predicateType`.
        text: String,
    },
    /// The predicate's fields are not those of its kind.
    #[error("{kind}: {error}")]
    Predicate {
        /// The kind of the predicate.
        kind: Kind,
        /// What is wrong.
        error: String,
    },
    /// Not exactly one subject.
    #[error("{count} subjects, one is wanted")]
    SubjectCount {
        /// How many there are.
        count: usize,
    },
    /// The subject's name is not what the predicate is about.
    #[error("the subject is `{subject}`, the predicate is about `{target}`")]
    SubjectName {
        /// What the subject says.
        subject: String,
        /// What the predicate says.
        target: String,
    },
    /// The subject's digests are not those that its kind has, or not the name's.
    #[error("the subject's digests do not fit a {kind} statement about `{target}`")]
    SubjectDigest {
        /// The kind of the predicate.
        kind: Kind,
        /// What the predicate is about.
        target: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wire<P> {
    #[serde(rename = "_type")]
    statement_type: String,
    subject: Vec<WireSubject>,
    predicate_type: String,
    predicate: P,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireSubject {
    name: String,
    digest: WireDigest,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WireDigest {
    sha256: Sha256,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill_tree_v1: Option<Sha256>,
}

impl Statement {
    /// These bytes are this release.
    pub const fn release(content: Content, predicate: ReleasePredicate) -> Self {
        Self { predicate: Predicate::Release(predicate), content: Some(content) }
    }

    /// These bytes were scanned.
    pub const fn scan(content: Content, predicate: ScanPredicate) -> Self {
        Self { predicate: Predicate::Scan(predicate), content: Some(content) }
    }

    /// This release, and for some restrictions these bytes, are restricted.
    pub const fn restriction(content: Content, predicate: RestrictionPredicate) -> Self {
        Self { predicate: Predicate::Restriction(predicate), content: Some(content) }
    }

    /// A restriction of this release is lifted.
    pub const fn restoration(content: Content, predicate: RestorationPredicate) -> Self {
        Self { predicate: Predicate::Restoration(predicate), content: Some(content) }
    }

    /// A name is claimed, leads elsewhere or changes hands.
    pub const fn name(predicate: NamePredicate) -> Self {
        Self { predicate: Predicate::Name(predicate), content: None }
    }

    /// A publisher's keys start anew.
    pub const fn publisher_reset(predicate: PublisherResetPredicate) -> Self {
        Self { predicate: Predicate::PublisherReset(predicate), content: None }
    }

    /// An author speaks; `content` if and only if it is about a release.
    pub fn publisher(
        content: Option<Content>,
        predicate: PublisherPredicate,
    ) -> Result<Self, StatementError> {
        let about_release = predicate.target().version.is_some();
        let predicate = Predicate::Publisher(predicate);
        if content.is_some() == about_release {
            return Ok(Self { predicate, content });
        }
        Err(StatementError::SubjectDigest { kind: Kind::Publisher, target: predicate.target().to_string() })
    }

    /// Its kind.
    pub const fn kind(&self) -> Kind {
        self.predicate.kind()
    }

    /// What it says.
    pub const fn predicate(&self) -> &Predicate {
        &self.predicate
    }

    /// What it says, taken out.
    pub fn into_predicate(self) -> Predicate {
        self.predicate
    }

    /// The bytes that it speaks of; `None` if it is about a name or an owner.
    pub const fn content(&self) -> Option<Content> {
        self.content
    }

    /// What it is about, by name.
    pub fn target(&self) -> Target<'_> {
        self.predicate.target()
    }

    /// Signs it with every key of `keys`: one key of the role that may, or as many as that
    /// role's threshold asks for.
    pub fn sign<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k SigningKey>,
    ) -> Result<Envelope, EnvelopeError> {
        Envelope::sign(PAYLOAD_TYPE, self.to_json(), keys)
    }

    /// The bytes to sign: compact JSON.
    pub fn to_json(&self) -> Vec<u8> {
        match &self.predicate {
            Predicate::Release(predicate) => self.wire(predicate),
            Predicate::Scan(predicate) => self.wire(predicate),
            Predicate::Name(predicate) => self.wire(predicate),
            Predicate::Restriction(predicate) => self.wire(predicate),
            Predicate::Restoration(predicate) => self.wire(predicate),
            Predicate::Publisher(predicate) => self.wire(predicate),
            Predicate::PublisherReset(predicate) => self.wire(predicate),
        }
    }

    fn wire(&self, predicate: &impl Serialize) -> Vec<u8> {
        let target = self.target();
        let digest = match self.content {
            Some(Content { archive, tree }) => {
                WireDigest { sha256: archive, skill_tree_v1: Some(tree.sha256()) }
            }
            None => name_digest(target.registry, &target.to_string()),
        };
        crate::json(&Wire {
            statement_type: STATEMENT_TYPE.to_owned(),
            subject: vec![WireSubject { name: target.to_string(), digest }],
            predicate_type: self.kind().predicate_type(),
            predicate,
        })
    }

    /// Reads the signed bytes: no unknown key, no key twice, one subject, and the subject is
    /// what the predicate is about.
    pub fn parse(json: &[u8]) -> Result<Self, StatementError> {
        let wire: Wire<&RawValue> =
            serde_json::from_slice(json).map_err(|error| StatementError::Shape(error.to_string()))?;
        if wire.statement_type != STATEMENT_TYPE {
            return Err(StatementError::Type { text: wire.statement_type });
        }
        let Some(kind) = Kind::from_predicate_type(&wire.predicate_type) else {
            return Err(StatementError::Unknown { text: wire.predicate_type });
        };
        let predicate = parse_predicate(kind, wire.predicate.get())
            .map_err(|error| StatementError::Predicate { kind, error: error.to_string() })?;
        let [subject] = wire.subject.as_slice() else {
            return Err(StatementError::SubjectCount { count: wire.subject.len() });
        };
        let content = check_subject(subject, &predicate)?;
        Ok(Self { predicate, content })
    }
}

fn parse_predicate(kind: Kind, json: &str) -> serde_json::Result<Predicate> {
    Ok(match kind {
        Kind::Release => Predicate::Release(serde_json::from_str(json)?),
        Kind::Scan => Predicate::Scan(serde_json::from_str(json)?),
        Kind::Name => Predicate::Name(serde_json::from_str(json)?),
        Kind::Restriction => Predicate::Restriction(serde_json::from_str(json)?),
        Kind::Restoration => Predicate::Restoration(serde_json::from_str(json)?),
        Kind::Publisher => Predicate::Publisher(serde_json::from_str(json)?),
        Kind::PublisherReset => Predicate::PublisherReset(serde_json::from_str(json)?),
    })
}

fn check_subject(subject: &WireSubject, predicate: &Predicate) -> Result<Option<Content>, StatementError> {
    let target = predicate.target();
    let name = target.to_string();
    if subject.name != name {
        return Err(StatementError::SubjectName { subject: subject.name.clone(), target: name });
    }
    let content = match (target.version, subject.digest.skill_tree_v1) {
        (Some(_), Some(tree)) => {
            Some(Content { archive: subject.digest.sha256, tree: TreeDigest::new(tree) })
        }
        (None, None) if subject.digest == name_digest(target.registry, &name) => None,
        _ => return Err(StatementError::SubjectDigest { kind: predicate.kind(), target: name }),
    };
    Ok(content)
}

/// What stands for bytes where there are none: a digest over the registry and the name.
fn name_digest(registry: RegistryId, name: &str) -> WireDigest {
    WireDigest { sha256: Sha256::of(format!("{registry}/{name}")), skill_tree_v1: None }
}
