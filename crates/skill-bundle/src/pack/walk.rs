use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::git_objects::GitObjects;
use super::ignore_rules::{Rules, Ruling};
use super::links::{Link, show};
use super::{Excluded, Exclusion, FollowedLink, Included, PackRules, Packed, Unread};
use crate::nofollow::{self, Entry, Kind};
use crate::{BundleBuilder, BundleError, BundlePath, Limits, PathError};

pub(super) fn pack(folder: &Path, rules: PackRules, limits: &Limits) -> Result<Packed, BundleError> {
    let (root_path, root) = open_root(folder)?;
    let rules = Rules::read(rules, root.as_fd(), folder)?;
    let mut walk = Walk {
        folder,
        root: root.as_fd(),
        root_path,
        rules: &rules,
        limits: *limits,
        builder: BundleBuilder::new(*limits),
        visited: 0,
        within: Vec::new(),
        excluded: Vec::new(),
        links: Vec::new(),
        objects: GitObjects::default(),
        unread: Vec::new(),
    };
    walk.folder(root.as_fd(), &Place::default(), false)?;
    walk.finish()
}

/// The folder itself, and where it really lies.
pub(super) fn open_root(folder: &Path) -> Result<(PathBuf, OwnedFd), BundleError> {
    let root_path = fs_err::canonicalize(folder).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => BundleError::NotFound { path: folder.to_owned() },
        _ => BundleError::io(folder, error),
    })?;
    let root = nofollow::open_root(&root_path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotADirectory => BundleError::NotAFolder { path: folder.to_owned() },
        _ => BundleError::io(folder, error),
    })?;
    Ok((root_path, root))
}

struct Walk<'a> {
    /// As the caller named it, for messages.
    folder: &'a Path,
    root: BorrowedFd<'a>,
    root_path: PathBuf,
    rules: &'a Rules,
    limits: Limits,
    builder: BundleBuilder,
    /// Entries that were neither left out nor are files: links and folders may multiply without a file in them.
    visited: u64,
    /// Where the folders that are being walked really lie.
    within: Vec<Vec<Vec<u8>>>,
    excluded: Vec<Excluded>,
    links: Vec<FollowedLink>,
    objects: GitObjects,
    unread: Vec<Unread>,
}

/// A place in the bundle, and where on disk it really is: the two part at a link to a folder.
#[derive(Debug, Clone, Default)]
struct Place {
    path: String,
    real: Vec<Vec<u8>>,
}

impl Walk<'_> {
    fn folder(&mut self, fd: BorrowedFd<'_>, place: &Place, named_only: bool) -> Result<(), BundleError> {
        self.within.push(place.real.clone());
        let walked = self.entries(fd, place, named_only);
        self.within.pop();
        walked
    }

    fn entries(&mut self, fd: BorrowedFd<'_>, place: &Place, named_only: bool) -> Result<(), BundleError> {
        for Entry { name, kind } in nofollow::list(fd).map_err(|error| self.error(&place.path, error))? {
            let path = join(&place.path, &name);
            let real = [place.real.as_slice(), &[name]].concat();
            let here = Place { path, real };
            let entered = match self.rules.rule_on(&here.path, kind == Kind::Folder, named_only) {
                Ruling::In => self.entry(fd, kind, &here, false),
                Ruling::OnlyWhatIsNamed => self.entry(fd, kind, &here, true),
                Ruling::Out(reason) => {
                    self.exclude(&here.path, kind == Kind::Folder, reason);
                    Ok(())
                }
            };
            entered.or_else(|error| self.pass_over(here.path, error))?;
        }
        Ok(())
    }

    /// Tells of an entry that could not be read, where the rules want everything; otherwise, and where there is no end
    /// of them, it is the end of the walk.
    fn pass_over(&mut self, path: String, error: BundleError) -> Result<(), BundleError> {
        let most = self.limits.entries();
        if !self.rules.take_everything() || self.visited > most || self.unread.len() as u64 >= most {
            return Err(error);
        }
        self.unread.push(Unread { path, error });
        Ok(())
    }

    fn entry(
        &mut self,
        fd: BorrowedFd<'_>,
        kind: Kind,
        here: &Place,
        named_only: bool,
    ) -> Result<(), BundleError> {
        let name = here.name();
        let path = here.bundle_path().map_err(|error| BundleError::Path { entry: None, error })?;
        match kind {
            Kind::File => self.file(fd, name, path),
            Kind::Folder => {
                let opened =
                    nofollow::open_folder(fd, name).map_err(|error| self.error(&here.path, error))?;
                self.visit()?;
                self.folder(opened.as_fd(), here, named_only)
            }
            Kind::Link => {
                let says = nofollow::read_link(fd, name).map_err(|error| self.error(&here.path, error))?;
                self.visit()?;
                self.link(here, path, &says)
            }
            Kind::Special(kind) => Err(BundleError::SpecialFile { path: here.path.clone(), kind }),
        }
    }

    fn file(&mut self, fd: BorrowedFd<'_>, name: &[u8], path: BundlePath) -> Result<(), BundleError> {
        let opened = nofollow::open_file(fd, name).map_err(|error| self.error(path.as_str(), error))?;
        let opened = opened.map_err(|kind| BundleError::SpecialFile {
            path: path.as_str().to_owned(),
            kind: kind.describe(),
        })?;
        if self.rules.take_everything() && self.objects.take(path.as_str(), &opened.file) {
            return Ok(());
        }
        self.builder.check_room(path.as_str(), opened.size)?;
        let executable = opened.executable;
        let content = nofollow::read_bytes(&opened, self.limits.file_bytes)
            .map_err(|error| self.error(path.as_str(), error))?
            .ok_or_else(|| BundleError::Changed { path: path.as_str().to_owned() })?;
        self.builder.add(path, executable, content)
    }

    /// Packs what a link ends at, at the place of the link.
    fn link(&mut self, here: &Place, path: BundlePath, says: &[u8]) -> Result<(), BundleError> {
        let target =
            Link { root: self.root, root_path: &self.root_path, place: &here.real, says }.resolve()?;
        if let Some(reason) = self.rules.never(&show(&target.path)) {
            self.exclude(&here.path, target.kind == Kind::Folder, reason);
            return Ok(());
        }
        let says = String::from_utf8_lossy(says).into_owned();
        match (target.kind, target.path.last()) {
            (Kind::Folder, name) => {
                if self.within.contains(&target.path) {
                    return Err(BundleError::LinkLoop { link: here.path.clone(), target: says });
                }
                let opened: OwnedFd = match name {
                    Some(name) => nofollow::open_folder(&target.parent, name)
                        .map_err(|error| self.error(&here.path, error))?,
                    None => target.parent,
                };
                self.links.push(FollowedLink { link: here.path.clone(), target: says });
                self.folder(opened.as_fd(), &Place { path: here.path.clone(), real: target.path }, false)
            }
            (Kind::File, Some(name)) => {
                self.links.push(FollowedLink { link: here.path.clone(), target: says });
                self.file(target.parent.as_fd(), name, path)
            }
            (kind, _) => Err(BundleError::SpecialFile { path: here.path.clone(), kind: kind.describe() }),
        }
    }

    fn visit(&mut self) -> Result<(), BundleError> {
        self.visited += 1;
        if self.visited > self.limits.entries() {
            return Err(BundleError::FilesMany { what: "folders and links", limit: self.limits.entries() });
        }
        Ok(())
    }

    fn exclude(&mut self, path: &str, is_folder: bool, reason: Exclusion) {
        let path = if is_folder { format!("{path}/") } else { path.to_owned() };
        self.excluded.push(Excluded { path, reason });
    }

    fn error(&self, path: &str, error: std::io::Error) -> BundleError {
        BundleError::io(self.folder.join(path), error)
    }

    fn finish(mut self) -> Result<Packed, BundleError> {
        let searched = || self.folder.display().to_string();
        let skills = self.builder.skills();
        if !skills.is_empty() && skills.iter().all(|folder| !folder.is_empty()) {
            return Err(BundleError::Several { folders: skills });
        }
        let bundle = self.builder.finish().map_err(|error| match error {
            BundleError::Empty { .. } => BundleError::Empty { searched: searched() },
            BundleError::NoSkillMd { .. } => {
                BundleError::NoSkillMd { searched: searched(), ignore_files: self.rules.files() }
            }
            other => other,
        })?;
        let included = bundle.files().map(|(path, file)| Included {
            path: path.clone(),
            size: file.size(),
            executable: file.executable(),
        });
        self.excluded.extend(self.objects.into_excluded());
        self.unread.sort_by(|one, other| one.path.cmp(&other.path));
        self.excluded.sort_by(|one, other| one.path.cmp(&other.path));
        self.links.sort_by(|one, other| one.link.cmp(&other.link));
        Ok(Packed {
            included: included.collect(),
            excluded: self.excluded,
            links: self.links,
            unread: self.unread,
            skill_md_rule: self.rules.rule_against(bundle.skill_md_found_as()),
            bundle,
        })
    }
}

impl Place {
    fn name(&self) -> &[u8] {
        self.real.last().map_or(&[], Vec::as_slice)
    }

    /// The path in the bundle. The name itself is checked, not what was made of it to show it.
    fn bundle_path(&self) -> Result<BundlePath, PathError> {
        BundlePath::from_bytes(self.name())?;
        BundlePath::parse(&self.path)
    }
}

pub(super) fn join(folder: &str, name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    if folder.is_empty() { name.into_owned() } else { format!("{folder}/{name}") }
}
