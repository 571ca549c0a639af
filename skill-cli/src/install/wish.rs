//! What is asked for, before anything was looked up.

use skill_core::name::{SkillName, Slug};
use skill_core::reference::{Reference, RegistryRef};
use skill_core::requirement::{Requirement, Selector};
use skill_core::wanted::WantedSkill;

use super::Desk;
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::sources::Elsewhere;

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
    pub(crate) source: WishSource,
    /// What stands in the column `asked`.
    pub asked: String,
    /// Whether skills.toml is to say so from now on.
    pub record: bool,
}

/// Where a wished skill comes from.
#[derive(Debug, Clone)]
pub(crate) enum WishSource {
    /// A registry, by name or the default one.
    Registry {
        /// The registry's name; the default one if none.
        registry: Option<String>,
        /// Whose and which.
        reference: RegistryRef,
    },
    /// A folder, an archive or a repository.
    Elsewhere(Elsewhere),
    /// Exactly what the lock names.
    Locked {
        /// What it is asked for by from now on, if that is another requirement.
        requirement: Option<Requirement>,
    },
}

impl Wish {
    /// Reads a reference of the command line.
    ///
    /// # Errors
    /// The codes of exit 2.
    pub fn parse(context: &Context, text: &str) -> Result<Self, Failure> {
        let source = match naming::reference(context, text)? {
            Reference::Registry(reference) => WishSource::Registry { registry: None, reference },
            other => WishSource::Elsewhere(Elsewhere::of(context, other)?),
        };
        let asked = match &source {
            WishSource::Registry { reference, .. } => {
                reference.selector.as_ref().map_or_else(|| "latest".to_owned(), ToString::to_string)
            }
            WishSource::Elsewhere(from) => from.asked(),
            WishSource::Locked { .. } => "-".to_owned(),
        };
        Ok(Self { local: None, source, asked, record: true })
    }

    /// `--ref` and `--path`: the form that needs no guessing.
    ///
    /// # Errors
    /// The codes of exit 2, `usage` for a source that has neither.
    pub fn place(&mut self, reference: Option<&str>, path: Option<&str>) -> Result<(), Failure> {
        match &mut self.source {
            WishSource::Elsewhere(from) => {
                from.place(reference, path)?;
                self.asked = from.asked();
                Ok(())
            }
            _ => Err(Failure::usage("--ref and --path are for git sources and archives")),
        }
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

    /// The source as it was typed, without credentials; none for what skills.toml or the lock asks for.
    pub(super) fn typed(&self) -> Option<String> {
        match &self.source {
            WishSource::Elsewhere(from) if self.record => Some(from.to_string()),
            _ => None,
        }
    }

    /// The words of the command that asks for the same again; `what` is the skill or source without its
    /// requirement. What skills.toml asks for is asked for by the whole of it.
    pub(super) fn again(&self, what: &str) -> Vec<String> {
        let mut words = vec!["skill".to_owned(), "install".to_owned()];
        if !self.record {
            return words;
        }
        match &self.source {
            WishSource::Registry { registry, reference } => {
                words.push(match &reference.selector {
                    Some(selector) => format!("{what}@{selector}"),
                    None => what.to_owned(),
                });
                words.extend(registry.iter().flat_map(|name| ["--registry".to_owned(), name.clone()]));
            }
            WishSource::Elsewhere(Elsewhere::Folder(_)) | WishSource::Locked { .. } => {
                words.push(what.to_owned());
            }
            WishSource::Elsewhere(from) => words.push(from.to_string()),
        }
        words.extend(self.local.iter().flat_map(|name| ["--as".to_owned(), name.to_string()]));
        words
    }

    /// The page of a known registry means its skill.
    ///
    /// # Errors
    /// `usage` if a ref or a path was asked for.
    pub(super) fn of_page(mut self, desk: &Desk<'_>) -> Result<Self, Failure> {
        if let WishSource::Elsewhere(from) = &self.source
            && let Some((registry, reference)) = from.of_registry(&desk.config)?
        {
            self.asked = reference.selector.as_ref().map_or_else(|| "latest".to_owned(), ToString::to_string);
            self.source = WishSource::Registry { registry: Some(registry), reference };
        }
        Ok(self)
    }

    fn wanted(name: &Slug, skill: &WantedSkill) -> Result<Self, Failure> {
        let (source, asked) = match skill {
            WantedSkill::Registry { name: full, requirement, registry } => {
                let SkillName { owner, slug } = full.clone();
                let selector = Some(Selector::Requirement(requirement.clone()));
                let reference = RegistryRef { owner: Some(owner), slug, selector };
                (WishSource::Registry { registry: registry.clone(), reference }, requirement.to_string())
            }
            other => {
                let from = Elsewhere::wanted(other)?;
                let asked = from.asked();
                (WishSource::Elsewhere(from), asked)
            }
        };
        Ok(Self { local: Some(name.clone()), source, asked, record: false })
    }

    /// A wish for exactly what the lock holds under that name.
    pub(super) fn locked(name: &Slug) -> Self {
        Self {
            local: Some(name.clone()),
            source: WishSource::Locked { requirement: None },
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
