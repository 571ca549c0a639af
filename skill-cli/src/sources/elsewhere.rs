//! What was asked for, other than a registry's skill.

use std::fmt;

use skill_core::lock::LockedSource;
use skill_core::reference::{
    GitRef, GitSource, Reference, ReferenceError, RegistryPage, RegistryRef, UrlKind, UrlRef, git_ref,
    subpath,
};
use skill_core::wanted::WantedSkill;

use super::archive::ArchiveWish;
use super::git::{self, Git, GitWish};
use super::recorded::recorded;
use super::{Local, archive};
use crate::client::Endpoint;
use crate::code::Code;
use crate::config::Config;
use crate::context::Context;
use crate::failure::Failure;
use crate::install::Desk;
use crate::naming;
use crate::text::quote;

/// Where a wished skill comes from, if not from a registry.
#[derive(Debug, Clone)]
pub(crate) enum Elsewhere {
    /// A folder, as it was written.
    Folder(String),
    /// An archive, by path or URL.
    Archive(ArchiveWish),
    /// A repository.
    Git(GitWish),
    /// A URL that says nothing by its shape.
    Url(Box<UrlWish>),
}

/// A URL that may be many things.
#[derive(Debug, Clone)]
pub(crate) struct UrlWish {
    /// What it is if it is a repository.
    git: GitWish,
    /// What it is if it is a page of a registry.
    page: Option<RegistryPage>,
    /// Whether `--ref` or `--path` was given for it.
    is_placed: bool,
}

impl Elsewhere {
    /// Reads a reference that is no registry's.
    pub(crate) fn of(context: &Context, reference: Reference) -> Result<Self, Failure> {
        Ok(match reference {
            Reference::Path(path) => Self::Folder(path),
            Reference::Archive(path) => Self::Archive(ArchiveWish::at_path(path)),
            Reference::Git(GitRef { source, reference, path }) => {
                Self::Git(GitWish { source, reference, path, tree: None })
            }
            Reference::GitHub(github) => {
                let source = github.url(&git::github(context)?).parse::<GitSource>();
                let source = source.map_err(|error| naming::unreadable(&error))?;
                Self::Git(GitWish { source, reference: github.reference, path: github.path, tree: None })
            }
            Reference::Url(url) => Self::url(url)?,
            Reference::Registry(reference) => {
                return Err(Failure::new(Code::Internal, format!("{reference} is a registry's")));
            }
        })
    }

    fn url(reference: UrlRef) -> Result<Self, Failure> {
        let page = reference.page();
        let UrlRef { url, kind, reference } = reference;
        Ok(match kind {
            UrlKind::Archive if reference.is_some() => {
                return Err(Failure::usage(format!(
                    "{} is an archive, which has no refs",
                    super::shown(&url.to_string())
                ))
                .hint("leave out what stands from `#` on; a folder in it is `--path PATH`"));
            }
            UrlKind::Archive => Self::Archive(ArchiveWish::at_url(url)),
            UrlKind::Tree(tree) => {
                let source = GitSource::Url(tree.repository.clone());
                Self::Git(GitWish { source, reference: None, path: None, tree: Some(tree) })
            }
            UrlKind::Unclear => {
                let git = GitWish { source: GitSource::Url(url), reference, path: None, tree: None };
                Self::Url(Box::new(UrlWish { git, page, is_placed: false }))
            }
        })
    }

    /// The registry and the skill in it, if this is a page of a registry that is known here.
    ///
    /// # Errors
    /// `usage` if a ref or a path was asked for, of which a registry has none.
    pub(crate) fn of_registry(&self, config: &Config) -> Result<Option<(String, RegistryRef)>, Failure> {
        let Self::Url(wish) = self else { return Ok(None) };
        let Some(page) = &wish.page else { return Ok(None) };
        let Ok(base) = Endpoint::parse(&page.base) else { return Ok(None) };
        let same = |url: &str| Endpoint::parse(url).is_ok_and(|known| known == base);
        let Some(known) = config.known().find(|known| same(&known.entry.url)) else { return Ok(None) };
        if wish.is_placed {
            return Err(Failure::usage(format!("{self} is the page of a registry's skill"))
                .because("--ref and --path are for git sources and archives")
                .hint(format!("ask for a version with `{}@VERSION`", page.skill)));
        }
        Ok(Some((known.name.to_string(), page.skill.clone())))
    }

    /// Reads a wish of skills.toml that is no registry's.
    pub(crate) fn wanted(skill: &WantedSkill) -> Result<Self, Failure> {
        Ok(match skill {
            WantedSkill::Path { path } => Self::Folder(path.clone()),
            WantedSkill::Archive { archive, path } => {
                Self::Archive(ArchiveWish::recorded(archive, path.clone()))
            }
            WantedSkill::Git { url, reference, path } => Self::Git(GitWish {
                source: url.as_str().parse().map_err(|error: ReferenceError| naming::unreadable(&error))?,
                reference: reference.clone(),
                path: path.clone(),
                tree: None,
            }),
            WantedSkill::Registry { name, .. } => {
                return Err(Failure::new(Code::Internal, format!("{name} is a registry's")));
            }
        })
    }

    /// `--ref` and `--path`, which win over what the reference says.
    pub(crate) fn place(&mut self, reference: Option<&str>, path: Option<&str>) -> Result<(), Failure> {
        let unreadable = |error: ReferenceError| naming::unreadable(&error);
        let reference = reference.map(git_ref).transpose().map_err(unreadable)?;
        let path = path.map(subpath).transpose().map_err(unreadable)?.map(Option::unwrap_or_default);
        match self {
            Self::Folder(_) => Err(Failure::usage("--ref and --path are for git sources and archives")
                .hint("write the folder itself as REF")),
            Self::Archive(_) if reference.is_some() => Err(Failure::usage("--ref is for git sources")),
            Self::Archive(wish) => {
                wish.path = path.filter(|path| !path.is_empty());
                Ok(())
            }
            Self::Git(wish) => {
                wish.place(reference, path);
                Ok(())
            }
            Self::Url(wish) => {
                wish.is_placed = true;
                wish.git.place(reference, path);
                Ok(())
            }
        }
    }

    /// What stands in the column `asked`.
    pub(crate) fn asked(&self) -> String {
        let reference = match self {
            Self::Git(GitWish { reference, .. }) => reference.clone(),
            Self::Url(wish) => wish.git.reference.clone(),
            Self::Folder(_) | Self::Archive(_) => None,
        };
        reference.unwrap_or_else(|| "-".to_owned())
    }

    /// Whether a lock entry is what this asks for. `typed`: its paths come from the command line.
    pub(crate) fn answers(&self, desk: &Desk<'_>, typed: bool, locked: &LockedSource) -> bool {
        match (self, locked) {
            (Self::Folder(path), LockedSource::Path { path: locked }) => {
                recorded(desk, path, typed) == *locked
            }
            (Self::Archive(wish), LockedSource::Archive { location, path, .. }) => {
                wish.location(desk, typed) == *location && (wish.path.is_none() || wish.path == *path)
            }
            (Self::Git(wish), LockedSource::Git { url, reference, path, .. }) => {
                wish.answers(desk, typed, (url, reference.as_deref(), path.as_deref()))
            }
            (Self::Url(wish), LockedSource::Git { url, reference, path, .. }) => {
                wish.git.answers(desk, typed, (url, reference.as_deref(), path.as_deref()))
            }
            (Self::Url(wish), LockedSource::Archive { location, .. }) => {
                archive::is_listed_at(&wish.git, location)
            }
            _ => false,
        }
    }
}

impl fmt::Display for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => f.write_str(path),
            Self::Archive(wish) => fmt::Display::fmt(wish, f),
            Self::Git(wish) => fmt::Display::fmt(wish, f),
            Self::Url(wish) => fmt::Display::fmt(&wish.git.source, f),
        }
    }
}

/// A URL whose shape says nothing: a repository, if git finds one there.
///
/// # Errors
/// `source-unclear` with the answer that came, and what a repository gives.
pub(super) async fn unclear(
    desk: &Desk<'_>,
    git: &Git<'_>,
    UrlWish { git: wish, page, .. }: &UrlWish,
    typed: bool,
) -> Result<Local, Failure> {
    let discovered = archive::discover(desk, wish).await?;
    let why_not = match discovered {
        archive::Discovery::Found(found) => return Ok(*found),
        archive::Discovery::Not(why) => why,
    };
    match git::take(desk, git, wish, typed).await {
        Err(failure) if failure.code == Code::GitNotFound => {
            let shown = super::shown(&wish.source.to_string());
            let failure = Failure::new(
                Code::SourceUnclear,
                format!("{shown} is neither a skills index nor a repository"),
            )
            .because(format!("Agent Skills discovery: {why_not}"))
            .because(format!("git: {}", failure.message))
            .nothing_changed();
            Err(match page {
                Some(page) => {
                    let command = quote::command(["skill", "registry", "add", &page.base]);
                    failure.hint(format!("if it is a page of a registry, run `{command}` first"))
                }
                None => failure.hint("write `git:URL` for a repository, or the URL of an archive"),
            })
        }
        answer => answer,
    }
}
