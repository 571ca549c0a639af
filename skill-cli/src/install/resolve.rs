//! Which release or folder is meant, and where it goes.

use std::collections::BTreeSet;

use futures_util::stream::{self, StreamExt as _};
use skill_core::digest::Sha256;
use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::{SkillName, Slug};
use skill_core::reference::RegistryRef;
use skill_core::requirement::{Requirement, Selector};
use skill_core::version::Version;

use super::lookup::{bound, index, not_found};
use super::occupied::{Asked, before, has_trust, places_for, targets};
use super::sources::Sources;
use super::tally::Tally;
use super::wish::{Wish, WishSource};
use super::{Desk, Request, frozen, restrictions, select};
use crate::code::Code;
use crate::failure::Failure;
use crate::parallel;
use crate::sources::{self, Elsewhere, Git, Local};
use crate::workdir::{self, Seen, TargetRoot};

/// How many registry calls run at once.
pub(super) const AT_ONCE: usize = 16;

/// How many repositories and archives are fetched at once.
pub(super) const SOURCES_AT_ONCE: usize = 4;

/// What is to be installed, and what is there already.
pub struct Resolved {
    pub(super) sources: Sources,
    pub(super) skills: Vec<ResolvedSkill>,
    pub(super) unchanged: Vec<Unchanged>,
}

/// A skill that lies there as wanted.
pub(super) struct Unchanged {
    pub local: Slug,
    /// What its lock entry says from now on; its requirement may be another one.
    pub skill: LockedSkill,
    pub record: bool,
    pub registry: Option<String>,
}

/// One skill that is to be installed.
pub(super) struct ResolvedSkill {
    pub local: Slug,
    /// What was asked for, for the plan.
    pub asked: String,
    /// The source as it was typed, if it is none of a registry.
    pub typed: Option<String>,
    pub record: bool,
    pub origin: Origin,
    pub requirement: Option<Requirement>,
    /// Its lock entry, if it is a change of version or a restoration.
    pub before: Option<LockedSkill>,
    /// Every folder it is to lie in.
    pub targets: BTreeSet<String>,
    /// Those of them that are to be written, with what becomes of what is there.
    pub places: Vec<Place>,
}

/// A place that will be written.
pub(super) struct Place {
    pub root: TargetRoot,
    /// What lies there now.
    pub seen: Option<Seen>,
    /// A changed copy lies there, which is kept.
    pub keep_old: bool,
}

/// Where the bytes come from.
pub(super) enum Origin {
    /// A release of a registry.
    Release(Release),
    /// A folder, an archive or a repository.
    Local(Box<Local>),
}

/// A release that was chosen.
#[derive(Clone)]
pub(super) struct Release {
    pub source: usize,
    pub name: SkillName,
    pub version: Version,
    /// The archive as index or lock name it; the signed statement has the last word.
    pub archive: Sha256,
    /// The most bytes that are read of it.
    pub archive_size: Option<u64>,
    /// Whether the lock names it.
    pub locked: bool,
}

impl Resolved {
    /// Looks up everything that is asked for.
    ///
    /// # Errors
    /// What the registries say, `lock-stale`, `name-taken`, `disk-differs` and the like.
    pub async fn of(desk: &Desk<'_>, request: Request) -> Result<Self, Failure> {
        let all = matches!(request, Request::All);
        if all && desk.wanted.is_none() && !desk.has_lock {
            return Err(workdir::lock_absent(desk.workdir, desk.context).nothing_changed());
        }
        if desk.options.frozen && !desk.has_lock {
            return Err(workdir::lock_absent(desk.workdir, desk.context).nothing_changed());
        }
        let wishes = request.wishes(desk)?.into_iter().map(|wish| wish.of_page(desk));
        let wishes = wishes.collect::<Result<Vec<Wish>, Failure>>()?;
        let wishes = if all || desk.options.frozen { frozen::settle(desk, wishes)? } else { wishes };
        let mut resolved = Self { sources: Sources::default(), skills: Vec::new(), unchanged: Vec::new() };
        let (mut locked, mut asked, mut elsewhere) = (Vec::new(), Vec::new(), Vec::new());
        for wish in wishes {
            match &wish.source {
                WishSource::Locked { requirement } => {
                    locked.extend(wish.local.clone().map(|name| (name, requirement.clone())));
                }
                WishSource::Elsewhere(from) => elsewhere.push((from.clone(), wish)),
                WishSource::Registry { registry, reference } => {
                    let what = wish.local.as_ref().unwrap_or(&reference.slug);
                    let source =
                        resolved.sources.for_reference(desk, registry.as_deref(), what.as_str()).await?;
                    asked.push((source, reference.clone(), wish));
                }
            }
        }
        let git = Git::of(desk);
        resolved.add_elsewhere(desk, &git, elsewhere).await?;
        resolved.add_asked(desk, asked).await?;
        resolved.add_locked(desk, &git, locked).await?;
        resolved.check_names()?;
        Ok(resolved)
    }

    /// Two skills of one command cannot have one name.
    fn check_names(&mut self) -> Result<(), Failure> {
        self.skills.sort_by(|one, other| one.local.cmp(&other.local));
        let twice = self.skills.windows(2).find(|pair| pair[0].local == pair[1].local);
        match twice {
            None => Ok(()),
            Some(pair) => {
                Err(Failure::new(Code::NameTaken, format!("two of these would be called {}", pair[0].local))
                    .nothing_changed()
                    .hint(format!("install one of them by itself with `--as {}-2`", pair[0].local)))
            }
        }
    }

    /// Chooses releases, several at once. What cannot be chosen is told together.
    async fn add_asked(
        &mut self,
        desk: &Desk<'_>,
        asked: Vec<(usize, RegistryRef, Wish)>,
    ) -> Result<(), Failure> {
        let tally = Tally::new(&desk.context.screen, "Resolving", asked.len(), 0);
        let choices = asked.iter().map(|(source, reference, _)| {
            tally.piece(reference.slug.as_str(), self.choose(desk, *source, reference))
        });
        let chosen: Vec<_> = tally.beside(stream::iter(choices).buffered(AT_ONCE).collect()).await;
        let mut failures = Vec::new();
        let chosen = asked.into_iter().zip(chosen).map(|((_, _, wish), choice)| (wish, choice)).collect();
        // Every file of every copy that is there is read here.
        let sources = &self.sources;
        let decided = parallel::each(chosen, |(wish, choice): (Wish, Result<_, Failure>)| {
            desk.context.go_on()?;
            decide(desk, sources, &wish, choice?)
        });
        for decided in decided {
            match decided {
                Ok(Decision::Unchanged(skill)) => self.unchanged.push(*skill),
                Ok(Decision::Install(skill)) => self.skills.push(*skill),
                Err(failure) => failures.push(failure),
            }
        }
        Failure::gravest(failures).map_or(Ok(()), Err)
    }

    async fn choose(
        &self,
        desk: &Desk<'_>,
        source: usize,
        reference: &RegistryRef,
    ) -> Result<(Release, Option<Requirement>), Failure> {
        let at = self.sources.get(source);
        let name = match reference.name() {
            Some(name) => name,
            None => bound(desk, at, &reference.slug).await?,
        };
        let Some(lines) = index(desk, at, &name).await? else {
            return Err(not_found(desk, at, &name).await);
        };
        let asked = reference.selector.as_ref().map_or_else(|| "latest".to_owned(), ToString::to_string);
        let line = select::select(&lines, reference.selector.as_ref())
            .map_err(|miss| restrictions::missed(&at.label(), &name, &asked, &lines, &miss))?;
        if let Some(warning) = restrictions::deprecated(&name, line) {
            desk.context.screen.tell(&warning);
        }
        let requirement = match &reference.selector {
            Some(Selector::Requirement(requirement)) => requirement.clone(),
            Some(Selector::Tag(_)) | None => Requirement::caret(&line.version),
        };
        let release = Release {
            source,
            name,
            version: line.version.clone(),
            archive: line.archive_sha256,
            archive_size: Some(line.archive_size),
            locked: false,
        };
        Ok((release, Some(requirement)))
    }

    /// Takes what comes from elsewhere than a registry, several at once: what a skill is called stands in
    /// its files, so that its bytes come before its place is known.
    async fn add_elsewhere(
        &mut self,
        desk: &Desk<'_>,
        git: &Git<'_>,
        wishes: Vec<(Elsewhere, Wish)>,
    ) -> Result<(), Failure> {
        let taking = wishes.iter().map(|(from, wish)| sources::take(desk, git, from, wish.record));
        let taken: Vec<_> = stream::iter(taking).buffered(SOURCES_AT_ONCE).collect().await;
        let mut failures = Vec::new();
        for ((_, wish), local) in wishes.into_iter().zip(taken) {
            match local.and_then(|local| self.add_local(desk, &wish, local)) {
                Ok(()) => {}
                Err(failure) => failures.push(failure),
            }
        }
        Failure::gravest(failures).map_or(Ok(()), Err)
    }

    fn add_local(&mut self, desk: &Desk<'_>, wish: &Wish, found: Local) -> Result<(), Failure> {
        let local = match &wish.local {
            Some(local) => local.clone(),
            None => found.slug()?,
        };
        let asked = Asked { title: &found.shown, name: None, again: wish.again(&found.reference()) };
        let is_same = |locked: &LockedSource| sources::is_same(locked, &found.source);
        let before = before(desk, &local, &asked, is_same)?;
        let tree = skill_bundle::Tree::of(&found.bundle).digest();
        let targets = targets(desk, before);
        let same = before.is_some_and(|before| before.tree == tree);
        let places = places_for(desk, &local, before, &targets, same, &asked)?;
        if let Some(before) = before.filter(|before| same && before.targets == targets && places.is_empty()) {
            // Another commit may hold the same files; the lock names the newer one.
            let skill = LockedSkill { source: found.source, ..before.clone() };
            self.unchanged.push(Unchanged { local, skill, record: wish.record, registry: None });
            return Ok(());
        }
        found.tell(desk);
        self.skills.push(ResolvedSkill {
            local,
            asked: wish.asked.clone(),
            typed: wish.typed(),
            record: wish.record,
            origin: Origin::Local(Box::new(found)),
            requirement: None,
            before: before.cloned(),
            targets,
            places,
        });
        Ok(())
    }
}

enum Decision {
    Unchanged(Box<Unchanged>),
    Install(Box<ResolvedSkill>),
}

/// What becomes of a chosen release.
fn decide(
    desk: &Desk<'_>,
    sources: &Sources,
    wish: &Wish,
    (release, requirement): (Release, Option<Requirement>),
) -> Result<Decision, Failure> {
    let local = wish.local.clone().unwrap_or_else(|| release.name.slug.clone());
    let id = sources.get(release.source).id;
    let title = format!("{} {}", release.name, release.version);
    let name = release.name.to_string();
    let asked = Asked { title: &title, name: Some(&release.name), again: wish.again(&name) };
    let before = before(desk, &local, &asked, |locked| match locked {
        LockedSource::Registry { registry, owner, slug, .. } => {
            *registry == id && *owner == release.name.owner && *slug == release.name.slug
        }
        _ => false,
    })?;
    let same_release = before.is_some_and(|before| match &before.source {
        LockedSource::Registry { version, archive, .. } => {
            *version == release.version && *archive == release.archive
        }
        _ => false,
    });
    let targets = targets(desk, before);
    let places = places_for(desk, &local, before, &targets, same_release, &asked)?;
    let complete = before.is_some_and(|before| has_trust(desk, before) && before.targets == targets);
    if let Some(before) = before.filter(|_| same_release && complete && places.is_empty()) {
        let skill = LockedSkill { requirement, ..before.clone() };
        let registry = sources.get(release.source).recorded();
        return Ok(Decision::Unchanged(Box::new(Unchanged { local, skill, record: wish.record, registry })));
    }
    Ok(Decision::Install(Box::new(ResolvedSkill {
        local,
        asked: wish.asked.clone(),
        typed: None,
        record: wish.record,
        origin: Origin::Release(release),
        requirement,
        before: before.cloned(),
        targets,
        places,
    })))
}
