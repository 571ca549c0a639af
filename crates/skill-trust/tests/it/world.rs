//! One registry with its keys, one release, and everything the registry says about it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::name::SkillName;
use skill_core::verdict::{Verdict, findings_digest};
use skill_trust::dsse::Envelope;
use skill_trust::predicate::{
    NameAction, NamePredicate, ReleasePredicate, RestorationPredicate, Restriction, RestrictionPredicate,
    Ruleset, ScanPredicate, Scanner,
};
use skill_trust::{
    Content, Expected, LoggedStatement, Role, Root, RootChain, SigningKey, Statement, TrustEnvelope,
    TrustError, TrustedRoot, VerifiedRelease, verify_release,
};

pub struct World {
    pub keys: BTreeMap<Role, SigningKey>,
    pub first: Vec<u8>,
    pub registry: RegistryId,
    pub root: TrustedRoot,
    pub content: Content,
}

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The key that the name gives, always the same.
pub fn key(name: &str) -> SigningKey {
    SigningKey::from_seed(Sha256::of(name).as_bytes())
}

pub fn role_keys() -> BTreeMap<Role, SigningKey> {
    Role::ALL.into_iter().map(|role| (role, key(role.as_str()))).collect()
}

impl World {
    pub fn new() -> Self {
        Self::of(role_keys())
    }

    /// A registry whose keys are others.
    pub fn with_prefix(prefix: &str) -> Self {
        Self::of(Role::ALL.into_iter().map(|role| (role, key(&format!("{prefix} {role}")))).collect())
    }

    fn of(keys: BTreeMap<Role, SigningKey>) -> Self {
        let first = Root::first(at("2026-11-30T12:00:00Z"), &keys).unwrap();
        let registry = Root::registry_id(&first);
        let root = RootChain::verify(std::slice::from_ref(&first), registry).unwrap();
        let content = Content { archive: Sha256::of("archive"), tree: TreeDigest::new(Sha256::of("tree")) };
        Self { keys, first, registry, root, content }
    }

    /// The first root's content, to be changed and signed again.
    pub fn root_content(&self) -> Root {
        self.root.root().clone()
    }

    pub fn expected(&self) -> Expected {
        Expected {
            registry: self.registry,
            owner: "acme".parse().unwrap(),
            slug: "github".parse().unwrap(),
            version: "3.4.1".parse().unwrap(),
        }
    }

    pub fn release(&self) -> ReleasePredicate {
        let Expected { registry, owner, slug, version } = self.expected();
        ReleasePredicate {
            registry,
            owner: owner.clone(),
            slug,
            version,
            previous: None,
            requirements: BTreeMap::from([("acme/git-basics".to_owned(), "^1.2.0".to_owned())]),
            publisher: owner,
            source_commit: None,
            archive_size: 42_189,
            published_at: at("2026-11-30T12:01:00Z"),
        }
    }

    pub fn scan(&self) -> ScanPredicate {
        let Expected { registry, owner, slug, version } = self.expected();
        ScanPredicate {
            registry,
            owner,
            slug,
            version,
            scanner: Scanner { name: "skill-scan".to_owned(), version: "0.1.0".to_owned() },
            ruleset: Ruleset { name: "2026.11.1".to_owned(), sha256: Sha256::of("rules") },
            verdict: Verdict::Clean,
            findings: findings_digest(&[]),
            analysable: true,
            scanned_at: at("2026-11-30T12:01:00Z"),
        }
    }

    pub fn restriction(&self, action: Restriction, sequence: u64) -> Statement {
        let Expected { registry, owner, slug, version } = self.expected();
        let (reason, at) = ("because".to_owned(), at("2026-11-30T13:00:00Z"));
        let predicate = RestrictionPredicate { registry, owner, slug, version, action, reason, sequence, at };
        Statement::restriction(self.content, predicate)
    }

    pub fn restoration(&self, lifts: u64, sequence: u64) -> Statement {
        let Expected { registry, owner, slug, version } = self.expected();
        let (reason, at) = ("a mistake".to_owned(), at("2026-11-30T14:00:00Z"));
        let predicate = RestorationPredicate { registry, owner, slug, version, lifts, reason, sequence, at };
        Statement::restoration(self.content, predicate)
    }

    /// Something about the name `name`, as `owner/slug`.
    pub fn named(&self, name: &str, action: NameAction) -> Statement {
        let SkillName { owner, slug } = name.parse().unwrap();
        let at = at("2026-11-30T15:00:00Z");
        Statement::name(NamePredicate { registry: self.registry, owner, slug, action, at })
    }

    pub fn claim(&self, name: &str) -> Statement {
        self.named(name, NameAction::Claim { bare_slug: true })
    }

    pub fn alias(&self, name: &str, target: &str) -> Statement {
        let target = target.parse::<SkillName>().unwrap().into();
        self.named(name, NameAction::Alias { target })
    }

    pub fn merge(&self, name: &str, target: &str) -> Statement {
        let target = target.parse::<SkillName>().unwrap().into();
        self.named(name, NameAction::Merge { target })
    }

    pub fn transfer(&self, name: &str, to: &str) -> Statement {
        let (to, consented_at) = (to.parse().unwrap(), at("2026-11-30T14:30:00Z"));
        self.named(name, NameAction::Transfer { to, consented_at })
    }

    /// Signs with the key of `role`, whether it may or not.
    pub fn sign_as(&self, role: Role, log_index: u64, statement: &Statement) -> LoggedStatement {
        let dsse = statement.sign([&self.keys[&role]]).unwrap();
        LoggedStatement { kind: statement.kind(), log_index, dsse }
    }

    /// Signs with the key of the role that may.
    pub fn sign(&self, log_index: u64, statement: &Statement) -> LoggedStatement {
        let skill_trust::Signer::Role(role) = statement.kind().signer() else {
            panic!("no role signs {}", statement.kind())
        };
        self.sign_as(role, log_index, statement)
    }

    /// Signs any text as a statement.
    pub fn sign_text(&self, role: Role, payload: &str) -> Envelope {
        let payload = payload.as_bytes().to_vec();
        Envelope::sign(skill_trust::statement::PAYLOAD_TYPE, payload, [&self.keys[&role]]).unwrap()
    }

    /// The signed release and scan, leaves 1841 and 1842.
    pub fn statements(&self) -> Vec<LoggedStatement> {
        vec![
            self.sign(1841, &Statement::release(self.content, self.release())),
            self.sign(1842, &Statement::scan(self.content, self.scan())),
        ]
    }

    pub fn verify(&self, statements: Vec<LoggedStatement>) -> Result<VerifiedRelease, TrustError> {
        verify_release(&TrustEnvelope::new(statements)?, &self.root, &self.expected())
    }

    /// The same, asked for under the name `name`.
    pub fn verify_as(
        &self,
        name: &str,
        statements: Vec<LoggedStatement>,
    ) -> Result<VerifiedRelease, TrustError> {
        let SkillName { owner, slug } = name.parse().unwrap();
        let expected = Expected { owner, slug, ..self.expected() };
        verify_release(&TrustEnvelope::new(statements)?, &self.root, &expected)
    }
}
