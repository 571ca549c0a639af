//! What is asked for, before anything was looked up.

use skill_core::name::{SkillName, Slug};
use skill_core::reference::{Reference, RegistryRef};
use skill_core::requirement::{Requirement, Selector};
use skill_core::wanted::WantedSkill;

use super::Desk;
use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::text::quote;

/// What an install is to do.
#[derive(Debug)]
pub enum Request {
    /// Everything in skills.toml and skills.lock.
    All,
    /// These.
    These(Vec<Wish>),
}

/// One thing asked for.
#[derive(Debug, Clone)]
pub struct Wish {
    /// What it is to be called; else the source says.
    pub local: Option<Slug>,
    /// Where it comes from.
    pub source: WishSource,
    /// What stands in the column `asked`.
    pub asked: String,
    /// Whether skills.toml is to say so from now on.
    pub record: bool,
}

/// Where a wished skill comes from.
#[derive(Debug, Clone)]
pub enum WishSource {
    /// A registry, by name or the default one.
    Registry {
        /// The registry's name; the default one if none.
        registry: Option<String>,
        /// Whose and which.
        reference: RegistryRef,
    },
    /// A folder, as it was written.
    Folder(String),
    /// Exactly what the lock names.
    Locked,
}

impl Wish {
    /// Reads a reference of the command line.
    ///
    /// # Errors
    /// The codes of exit 2; `not-built` for a source that this build cannot install from.
    pub fn parse(context: &Context, text: &str) -> Result<Self, Failure> {
        let source = match naming::reference(context, text)? {
            Reference::Registry(reference) => WishSource::Registry { registry: None, reference },
            Reference::Path(path) => WishSource::Folder(path),
            other => return Err(not_built(&other)),
        };
        let asked = match &source {
            WishSource::Registry { reference, .. } => {
                reference.selector.as_ref().map_or_else(|| "latest".to_owned(), ToString::to_string)
            }
            _ => "-".to_owned(),
        };
        Ok(Self { local: None, source, asked, record: true })
    }

    /// `--req`, for shells that eat `^` and `>`.
    ///
    /// # Errors
    /// `usage` where there is a requirement already, or nothing that takes one.
    pub fn require(&mut self, requirement: Requirement) -> Result<(), Failure> {
        match &mut self.source {
            WishSource::Registry { reference, .. } if reference.selector.is_none() => {
                self.asked = requirement.to_string();
                reference.selector = Some(Selector::Requirement(requirement));
                Ok(())
            }
            WishSource::Registry { .. } => {
                Err(Failure::usage("--req and a requirement after `@` say two things"))
            }
            _ => Err(Failure::usage("--req asks for releases of a registry's skill")),
        }
    }

    fn wanted(name: &Slug, skill: &WantedSkill) -> Result<Self, Failure> {
        let (source, asked) = match skill {
            WantedSkill::Registry { name: full, requirement, registry } => {
                let SkillName { owner, slug } = full.clone();
                let selector = Some(Selector::Requirement(requirement.clone()));
                let reference = RegistryRef { owner: Some(owner), slug, selector };
                (WishSource::Registry { registry: registry.clone(), reference }, requirement.to_string())
            }
            WantedSkill::Path { path } => (WishSource::Folder(path.clone()), "-".to_owned()),
            WantedSkill::Git { .. } => return Err(not_built_kind(name.as_str(), "git")),
            WantedSkill::Archive { .. } => return Err(not_built_kind(name.as_str(), "archive")),
        };
        Ok(Self { local: Some(name.clone()), source, asked, record: false })
    }

    fn locked(name: &Slug) -> Self {
        Self {
            local: Some(name.clone()),
            source: WishSource::Locked,
            asked: "lock".to_owned(),
            record: false,
        }
    }
}

impl Request {
    /// The wishes, each with its name if that is known. Without references: what skills.toml wants
    /// and what the lock holds besides, by name.
    pub(super) fn wishes(self, desk: &Desk<'_>) -> Result<Vec<Wish>, Failure> {
        let wishes = match self {
            Self::These(wishes) => return Ok(wishes),
            Self::All => desk.wanted.as_ref().map(skill_core::wanted::Wanted::skills),
        };
        let mut all = std::collections::BTreeMap::new();
        for (name, skill) in wishes.into_iter().flatten() {
            all.insert(name, Wish::wanted(name, skill)?);
        }
        for name in desk.lock.skills.keys() {
            all.entry(name).or_insert_with(|| Wish::locked(name));
        }
        Ok(all.into_values().collect())
    }
}

fn not_built(reference: &Reference) -> Failure {
    not_built_kind(&reference.to_string(), reference.kind())
}

fn not_built_kind(what: &str, kind: &str) -> Failure {
    let article = if kind == "archive" { "an" } else { "a" };
    Failure::new(Code::NotBuilt, format!("{} is {article} {kind} source", quote::path(what)))
        .because("this build installs from a registry and from a folder")
        .nothing_changed()
}
