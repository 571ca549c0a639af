//! Which release or folder is meant, and where it goes.

use std::collections::BTreeSet;

use futures_util::stream::{self, StreamExt as _};
use skill_core::api::IndexLine;
use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::{SkillName, Slug};
use skill_core::requirement::{Requirement, Selector};
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::folder::Folder;
use super::present::{Present, differs, looks_intact};
use super::sources::{Source, Sources};
use super::wish::{Wish, WishSource};
use super::{Desk, Request, frozen, places, restrictions, select};
use crate::cache::CachedIndex;
use crate::client::{Bound, ClientError, Index};
use crate::code::Code;
use crate::failure::Failure;
use crate::text::quote;
use crate::workdir::{self, TargetRoot};

/// How many registry calls run at once.
pub(super) const AT_ONCE: usize = 16;

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
    /// A changed copy lies there, which is kept.
    pub keep_old: bool,
    /// Something lies there.
    pub replaces: bool,
}

/// Where the bytes come from.
pub(super) enum Origin {
    /// A release of a registry.
    Release(Release),
    /// A folder of this machine.
    Folder(Box<Folder>),
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
        let wishes = request.wishes(desk)?;
        let wishes = if all || desk.options.frozen { frozen::settle(desk, wishes)? } else { wishes };
        let mut resolved = Self { sources: Sources::default(), skills: Vec::new(), unchanged: Vec::new() };
        let mut locked = Vec::new();
        for wish in wishes {
            match &wish.source {
                WishSource::Locked => locked.extend(wish.local.clone()),
                WishSource::Folder(path) => {
                    let folder = Folder::pack(desk, path, wish.record)?;
                    resolved.add_folder(desk, &wish, folder)?;
                }
                WishSource::Registry { registry, reference } => {
                    let what = wish.local.as_ref().unwrap_or(&reference.slug);
                    let source =
                        resolved.sources.for_reference(desk, registry.as_deref(), what.as_str()).await?;
                    let release = resolved.choose(desk, source, reference).await?;
                    resolved.add_release(desk, &wish, release)?;
                }
            }
        }
        resolved.add_locked(desk, locked).await?;
        resolved.check_names()?;
        Ok(resolved)
    }

    /// Two skills of one command cannot have one name.
    fn check_names(&mut self) -> Result<(), Failure> {
        self.skills.sort_by(|one, other| one.local.cmp(&other.local));
        let twice = self.skills.windows(2).find(|pair| pair[0].local == pair[1].local);
        match twice {
            None => Ok(()),
            Some(pair) => Err(Failure::new(Code::NameTaken, format!("two of these would be called {}", pair[0].local))
                .nothing_changed()
                .hint(format!("install one of them by itself with `--as {}-2`", pair[0].local))),
        }
    }

    async fn choose(
        &self,
        desk: &Desk<'_>,
        source: usize,
        reference: &skill_core::reference::RegistryRef,
    ) -> Result<(Release, Option<Requirement>), Failure> {
        let at = self.sources.get(source);
        let name = match reference.name() {
            Some(name) => name,
            None => bound(desk, at, &reference.slug).await?,
        };
        let lines = index(desk, at, &name).await?.ok_or_else(|| not_found(at, &name))?;
        let asked = reference.selector.as_ref().map_or_else(|| "latest".to_owned(), ToString::to_string);
        let line = select::select(&lines, reference.selector.as_ref())
            .map_err(|miss| restrictions::missed(&at.label(), &name, &asked, &lines, &miss))?;
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

    fn add_release(
        &mut self,
        desk: &Desk<'_>,
        wish: &Wish,
        (release, requirement): (Release, Option<Requirement>),
    ) -> Result<(), Failure> {
        let local = wish.local.clone().unwrap_or_else(|| release.name.slug.clone());
        let id = self.sources.get(release.source).id;
        let before = desk.lock.skills.get(&local);
        let (same_skill, same_release) = match before.map(|skill| &skill.source) {
            Some(LockedSource::Registry { registry, owner, slug, version, archive, .. }) => {
                let same = *registry == id && *owner == release.name.owner && *slug == release.name.slug;
                (same, same && *version == release.version && *archive == release.archive)
            }
            _ => (false, false),
        };
        let title = format!("{} {}", release.name, release.version);
        if let Some(before) = before.filter(|_| !same_skill) {
            return Err(taken(desk, &local, before, &title, Some(&release.name)));
        }
        let targets = targets(desk, before);
        let places = places(desk, &local, before, &targets, same_release, &title, Some(&release.name))?;
        let complete = before.is_some_and(|before| has_trust(desk, before) && before.targets == targets);
        if let Some(before) = before.filter(|_| same_release && complete && places.is_empty()) {
            let skill = LockedSkill { requirement, ..before.clone() };
            let registry = self.recorded_registry(release.source);
            self.unchanged.push(Unchanged { local, skill, record: wish.record, registry });
            return Ok(());
        }
        self.skills.push(ResolvedSkill {
            local,
            asked: wish.asked.clone(),
            record: wish.record,
            origin: Origin::Release(release),
            requirement,
            before: before.cloned(),
            targets,
            places,
        });
        Ok(())
    }

    fn add_folder(&mut self, desk: &Desk<'_>, wish: &Wish, folder: Folder) -> Result<(), Failure> {
        let local = match &wish.local {
            Some(local) => local.clone(),
            None => folder.slug()?,
        };
        let before = desk.lock.skills.get(&local);
        let same_source = matches!(
            before.map(|skill| &skill.source), Some(LockedSource::Path { path }) if *path == folder.recorded
        );
        if let Some(before) = before.filter(|_| !same_source) {
            return Err(taken(desk, &local, before, &folder.shown, None));
        }
        let tree = skill_bundle::Tree::of(&folder.bundle).digest();
        let targets = targets(desk, before);
        let same = before.is_some_and(|before| before.tree == tree);
        let places = places(desk, &local, before, &targets, same, &folder.shown, None)?;
        if let Some(before) = before.filter(|before| same && before.targets == targets && places.is_empty()) {
            let skill = before.clone();
            self.unchanged.push(Unchanged { local, skill, record: wish.record, registry: None });
            return Ok(());
        }
        folder.tell(desk);
        self.skills.push(ResolvedSkill {
            local,
            asked: "-".to_owned(),
            record: wish.record,
            origin: Origin::Folder(Box::new(folder)),
            requirement: None,
            before: before.cloned(),
            targets,
            places,
        });
        Ok(())
    }

    /// Entries of the lock, restored exactly.
    async fn add_locked(&mut self, desk: &Desk<'_>, names: Vec<Slug>) -> Result<(), Failure> {
        let mut releases = Vec::new();
        for local in names {
            let Some(skill) = desk.lock.skills.get(&local) else { continue };
            let title = local.to_string();
            let targets = targets(desk, Some(skill));
            let places = places(desk, &local, Some(skill), &targets, true, &title, None)?;
            if places.is_empty() && has_trust(desk, skill) && skill.targets == targets {
                let skill = skill.clone();
                self.unchanged.push(Unchanged { local, skill, record: false, registry: None });
                continue;
            }
            match &skill.source {
                LockedSource::Registry { registry, owner, slug, version, archive, .. } => {
                    let release = Release {
                        source: self.sources.for_entry(desk, *registry).await?,
                        name: SkillName::new(owner.clone(), slug.clone()),
                        version: version.clone(),
                        archive: *archive,
                        archive_size: None,
                        locked: true,
                    };
                    releases.push((local, skill, targets, places, release));
                }
                LockedSource::Path { path } => {
                    let folder = Folder::pack(desk, path, false)?;
                    check_source(desk, &local, skill.tree, &folder)?;
                    folder.tell(desk);
                    self.skills.push(ResolvedSkill {
                        local,
                        asked: "-".to_owned(),
                        record: false,
                        origin: Origin::Folder(Box::new(folder)),
                        requirement: None,
                        before: Some(skill.clone()),
                        targets,
                        places,
                    });
                }
                other => return Err(not_restorable(&local, other.kind())),
            }
        }
        let states: Vec<_> = stream::iter(releases.iter().map(|(.., release)| self.state(desk, release)))
            .buffered(AT_ONCE)
            .collect()
            .await;
        for ((local, skill, targets, places, release), state) in releases.into_iter().zip(states) {
            let archive_size = state?;
            self.skills.push(ResolvedSkill {
                local,
                asked: skill.requirement.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string),
                record: false,
                origin: Origin::Release(Release { archive_size, ..release }),
                requirement: skill.requirement.clone(),
                before: Some(skill.clone()),
                targets,
                places,
            });
        }
        Ok(())
    }

    /// Asks where a locked release stands. A yanked one is restored with a warning; a closed one from
    /// the cache at most. Gives the size that its archive is to have.
    async fn state(&self, desk: &Desk<'_>, release: &Release) -> Result<Option<u64>, Failure> {
        let at = self.sources.get(release.source);
        if at.session.is_none() {
            return Ok(None);
        }
        let lines = index(desk, at, &release.name).await?.unwrap_or_default();
        let line = lines.iter().find(|line| line.version == release.version);
        let cached = || desk.cache.archive(release.archive).is_ok_and(|bytes| bytes.is_some());
        let Some(line) = line else {
            if cached() {
                return Ok(None);
            }
            let asked = release.version.to_string();
            return Err(restrictions::missed(&at.label(), &release.name, &asked, &lines, &select::Miss::None));
        };
        let refused = match line.state {
            ReleaseState::Quarantined | ReleaseState::TakenDown | ReleaseState::Pending => true,
            ReleaseState::Withdrawn | ReleaseState::Deleted => !cached(),
            ReleaseState::Visible | ReleaseState::Suspicious | ReleaseState::Yanked => false,
        };
        if refused {
            return Err(restrictions::closed(&release.name, &release.version, line.state, line, &lines));
        }
        if let Some(warning) = restrictions::warning(&release.name, line) {
            desk.context.screen.tell(&warning);
        }
        Ok(Some(line.archive_size))
    }

    /// What skills.toml calls the registry; none for the default one.
    pub(super) fn recorded_registry(&self, source: usize) -> Option<String> {
        let source = self.sources.get(source);
        (!source.is_default).then(|| source.name.clone())
    }
}

/// The targets of a skill: where it is, and where it is asked to be.
fn targets(desk: &Desk<'_>, before: Option<&LockedSkill>) -> BTreeSet<String> {
    let mut targets = before.map(|skill| skill.targets.clone()).unwrap_or_default();
    targets.extend(desk.options.targets.iter().cloned());
    if targets.is_empty() {
        targets.insert(places::USUAL.to_owned());
    }
    targets
}

/// The places that have to be written. What must not be replaced is an error.
fn places(
    desk: &Desk<'_>,
    local: &Slug,
    before: Option<&LockedSkill>,
    targets: &BTreeSet<String>,
    same_bytes: bool,
    title: &str,
    name: Option<&SkillName>,
) -> Result<Vec<Place>, Failure> {
    let mut found = Vec::new();
    for target in targets {
        let root = places::target_root(desk.context, desk.workdir, target)?;
        let place = root.place(local);
        let here = before.filter(|skill| skill.targets.contains(target));
        if let Some(here) = here.filter(|_| same_bytes && !desk.options.force) {
            if looks_intact(desk.workdir, &place, here.tree) {
                continue;
            }
        }
        let present =
            Present::of(desk.workdir, &place, here).map_err(|error| desk.disk(&error, &root.shown(local)))?;
        let (keep_old, replaces) = match present {
            Present::Nothing => (false, false),
            Present::Intact if same_bytes => continue,
            Present::Intact => (false, true),
            Present::Changed(_) if desk.options.force => (true, true),
            Present::Changed(findings) => {
                let command = if desk.options.frozen {
                    "skill install --frozen --force".to_owned()
                } else {
                    format!("skill install {} --force", name.map_or_else(|| local.to_string(), ToString::to_string))
                };
                let shown = root.shown(local);
                return Err(differs(desk.context, &shown, &findings, &command, "and take the release"));
            }
            Present::Unknown => return Err(unknown_there(desk, &root, local, title, name)),
        };
        found.push(Place { root, keep_old, replaces });
    }
    Ok(found)
}

/// Whether the envelope and the root chain of a locked release are there, so that it can be verified.
fn has_trust(desk: &Desk<'_>, skill: &LockedSkill) -> bool {
    match &skill.source {
        LockedSource::Registry { registry, .. } => {
            desk.workdir.envelope(skill.tree).is_file()
                && desk.workdir.trust(*registry).join(crate::registry::root_file(1)).is_file()
        }
        _ => true,
    }
}

async fn bound(desk: &Desk<'_>, at: &Source, slug: &Slug) -> Result<SkillName, Failure> {
    let Some(session) = &at.session else {
        let mut locked = desk.lock.skills.values().filter_map(|skill| match &skill.source {
            LockedSource::Registry { registry, owner, slug: known, .. } if *registry == at.id && known == slug => {
                Some(SkillName::new(owner.clone(), slug.clone()))
            }
            _ => None,
        });
        return locked.next().ok_or_else(|| offline_miss(slug.as_str()));
    };
    match session.bound(slug).await.map_err(|error| at.failure(&error))? {
        Bound::To(name) => Ok(name),
        Bound::Absent => {
            let similar = session.search(slug.as_str(), 3).await.unwrap_or_default();
            let similar: Vec<String> =
                similar.iter().map(|hit| format!("{}/{}", hit.owner_handle, hit.slug)).collect();
            let failure = Failure::new(Code::SkillNotFound, format!("{} has no skill named {slug}", at.label()));
            let failure = if similar.is_empty() {
                failure
            } else {
                failure.because(format!("similar names there: {}", quote::list(&similar, 3))).key("similar", similar)
            };
            let failure = failure.nothing_changed().hint(format!("run `skill search {slug}`"));
            Err(with_folder_hint(desk, failure, slug.as_str()))
        }
        Bound::Ambiguous(candidates) => {
            let names: Vec<String> =
                candidates.iter().map(|one| format!("{}/{}", one.owner_handle, one.slug)).collect();
            let mut table =
                crate::report::Table::new([crate::report::Column::new("skill").whole()]).indent(5);
            for name in &names {
                table.push([crate::report::Cell::of(crate::report::Role::Name, name.clone())]);
            }
            let message = format!("the bare name {slug} belongs to nobody in {}", at.label());
            let failure =
                Failure::new(Code::SlugAmbiguous, message).nothing_changed().list(table).key("candidates", names.clone());
            Err(match names.first() {
                Some(name) => failure.hint(format!("run `skill install {name}` or name another owner")),
                None => failure,
            })
        }
    }
}

fn with_folder_hint(desk: &Desk<'_>, failure: Failure, what: &str) -> Failure {
    if !desk.context.world.cwd.join(what).is_dir() {
        return failure;
    }
    let command = quote::command(["skill", "install", &format!("./{what}")]);
    failure.hint(format!("for a folder of that name run `{command}`"))
}

fn not_found(at: &Source, name: &SkillName) -> Failure {
    Failure::new(Code::SkillNotFound, format!("{} has no skill named {name}", at.label()))
        .nothing_changed()
        .hint(format!("run `skill search {}`", name.slug))
}

fn offline_miss(what: &str) -> Failure {
    Failure::new(Code::OfflineMiss, format!("{what} is not in the cache"))
        .because("--offline opens no connection")
        .nothing_changed()
        .hint("run it once without `--offline`")
}

/// The releases of a skill, asked anew with the tag of the copy at hand; none if there is no such skill.
async fn index(desk: &Desk<'_>, at: &Source, name: &SkillName) -> Result<Option<Vec<IndexLine>>, Failure> {
    let disk = |error: std::io::Error| Failure::disk(&error, "the cache").nothing_changed();
    let cached = desk.cache.index(at.id, name).map_err(disk)?;
    let Some(session) = &at.session else {
        let cached = cached.ok_or_else(|| offline_miss(&name.to_string()))?;
        return lines(at, name, &cached.body).map(Some);
    };
    let etag = cached.as_ref().and_then(|cached| cached.etag.as_deref());
    let body = match session.index(name, etag).await.map_err(|error| at.failure(&error))? {
        Index::Absent => return Ok(None),
        Index::Fresh => cached.map(|cached| cached.body).unwrap_or_default(),
        Index::Body { body, etag } => {
            let kept = CachedIndex { etag, body };
            desk.cache.keep_index(at.id, name, &kept).map_err(disk)?;
            kept.body
        }
    };
    lines(at, name, &body).map(Some)
}

/// Reads the lines up to the empty one. Each must be about the skill that was asked for.
fn lines(at: &Source, name: &SkillName, body: &[u8]) -> Result<Vec<IndexLine>, Failure> {
    let strange = |why: String| {
        let error = ClientError::Strange { url: format!("{}/index/{name}", at.url), why };
        at.failure(&error)
    };
    let mut found = Vec::new();
    for line in body.split(|&byte| byte == b'\n').take_while(|line| !line.is_empty()) {
        let line: IndexLine = serde_json::from_slice(line).map_err(|error| strange(error.to_string()))?;
        if (&line.owner, &line.slug) != (&name.owner, &name.slug) {
            return Err(strange(format!("a line is about {}/{}", line.owner, line.slug)));
        }
        found.push(line);
    }
    Ok(found)
}

/// `name-taken`: another skill is locked under that name.
fn taken(desk: &Desk<'_>, local: &Slug, before: &LockedSkill, title: &str, name: Option<&SkillName>) -> Failure {
    let target = before.targets.iter().next().map_or(places::USUAL, String::as_str);
    let holds = match &before.source {
        LockedSource::Registry { owner, slug, version, .. } => format!("{owner}/{slug} {version}"),
        LockedSource::Path { path } => format!("a copy of {}", quote::path(path)),
        other => format!("a skill from a {} source", other.kind()),
    };
    let place = desk.context.shown(desk.workdir.root().join(target).join(local.as_str()));
    let failure = Failure::new(Code::NameTaken, format!("{place} already holds {holds}"))
        .because(format!("{title} is another skill, not a version of it"))
        .nothing_changed();
    with_as_hint(failure, local, name, title)
}

fn with_as_hint(failure: Failure, local: &Slug, name: Option<&SkillName>, title: &str) -> Failure {
    let command = match name {
        Some(name) => format!("skill install {name} --as {}-{}", name.owner.as_str().replace('_', "-"), name.slug),
        None => format!("skill install {title} --as {local}-2"),
    };
    failure.hint(format!("run `{command}`"))
}

/// `name-taken`: something lies there that no lock knows.
fn unknown_there(desk: &Desk<'_>, root: &TargetRoot, local: &Slug, title: &str, name: Option<&SkillName>) -> Failure {
    let place = desk.context.shown(root.shown(local));
    let failure = Failure::new(Code::NameTaken, format!("{place} is there already, and no lock knows it"))
        .because(format!("{title} does not replace what was not installed from here"))
        .nothing_changed();
    with_as_hint(failure, local, name, title)
}

/// `--frozen` restores a folder's bytes, not whatever lies there today.
fn check_source(desk: &Desk<'_>, local: &Slug, locked: TreeDigest, folder: &Folder) -> Result<(), Failure> {
    let today = skill_bundle::Tree::of(&folder.bundle).digest();
    if !desk.options.frozen || today == locked {
        return Ok(());
    }
    let message = format!("{} holds other files than {local} is locked with", folder.shown);
    Err(Failure::new(Code::LockSourceChanged, message)
        .because(format!("locked {}, there today {}", locked.short(), today.short()))
        .nothing_changed()
        .key("locked", locked.to_string())
        .key("found", today.to_string())
        .hint(format!("run `skill install {}` to take what is there today", folder.shown)))
}

fn not_restorable(local: &Slug, kind: &str) -> Failure {
    Failure::new(Code::NotBuilt, format!("{local} is locked from a {kind} source"))
        .because("this build installs from a registry and from a folder")
        .nothing_changed()
}

/// Which registry a release is from.
pub(super) fn registry_of(sources: &Sources, release: &Release) -> RegistryId {
    sources.get(release.source).id
}
