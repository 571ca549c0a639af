//! The files of one skill: named, weighed before they are read, then read.

use std::collections::BTreeMap;

use skill_bundle::{Bundle, BundleBuilder, BundleError, BundlePath, Junk, Limits, PathError, PathRule};

use super::fetch::Repository;
use super::links::{Lost, MAX_TARGET, Step, Targets, walk};
use super::listing::{Entry, Kind, Listing, is_below, join};
use crate::code::Code;
use crate::failure::Failure;
use crate::text::number;

/// Why the files of a skill are not taken.
pub(super) enum Refused {
    /// They are no bundle.
    Bundle(BundleError),
    /// A path leads nowhere.
    Lost(Lost),
    /// A link says more than a path can be.
    LinkLong {
        link: String,
        /// Bytes.
        size: u64,
    },
    /// Git or the remote.
    Failed(Failure),
}

impl Refused {
    pub(super) fn into_failure(self, shown: &str) -> Failure {
        match self {
            Self::Bundle(error) => Failure::of_foreign_bundle(&error, shown).nothing_changed(),
            Self::Lost(lost) => {
                Failure::of_foreign_bundle(&lost.refusal("--path", "it"), shown).nothing_changed()
            }
            Self::LinkLong { link, size } => Failure::new(
                Code::BundleLinkLong,
                format!("{shown}: `{link}` is a link whose target has {}", number::size(size)),
            )
            .because(format!("no path is longer than {}", number::size(MAX_TARGET)))
            .because_in_text("nothing was unpacked")
            .nothing_changed()
            .hint(Code::BundleLinkLong.entry().hint),
            Self::Failed(failure) => failure,
        }
    }
}

impl From<BundleError> for Refused {
    fn from(error: BundleError) -> Self {
        Self::Bundle(error)
    }
}

/// What a skill is made of, before its contents are here.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Path in the skill, object, executable bit.
    files: BTreeMap<String, (String, bool)>,
    excluded: Vec<(String, String)>,
    links: Vec<(String, String)>,
    /// Entries so far, whatever became of them: links multiply what has no file in it, too.
    visited: u64,
}

/// A skill, read.
pub(super) struct Contents {
    pub bundle: Bundle,
    pub excluded: Vec<(String, String)>,
    pub links: Vec<(String, String)>,
}

impl Repository<'_> {
    /// Brings objects here. A remote that gives none by their names has given them with the commit, or
    /// cannot be asked.
    pub(super) async fn bring(&self, objects: &[String]) -> Result<(), Refused> {
        let absent = self.sizes(objects).await.map_err(Refused::Failed)?;
        let absent: Vec<String> = objects
            .iter()
            .zip(absent)
            .filter(|(_, size)| size.is_none())
            .map(|(object, _)| object.clone())
            .collect();
        if absent.is_empty() {
            return Ok(());
        }
        match self.get_contents(&absent).await {
            Ok(()) => Ok(()),
            Err(refusal) if refusal.is_about_the_way() => self.get_whole().await.map_err(Refused::Failed),
            Err(refusal) => Err(Refused::Failed(self.failure(&refusal))),
        }
    }

    /// What links say, by path; each is a path and its object. None that could be no path is read.
    pub(super) async fn targets(&self, links: Vec<(String, String)>) -> Result<Targets, Refused> {
        let objects: Vec<String> = links.iter().map(|(_, object)| object.clone()).collect();
        self.bring(&objects).await?;
        let sizes = self.sizes(&objects).await.map_err(Refused::Failed)?;
        for ((link, _), size) in links.iter().zip(sizes) {
            if let Some(size) = size.filter(|size| *size > MAX_TARGET) {
                return Err(Refused::LinkLong { link: link.clone(), size });
            }
        }
        let contents = self.contents(&objects).await.map_err(Refused::Failed)?;
        let text = |content: Vec<u8>| String::from_utf8_lossy(&content).into_owned();
        let links = links.into_iter().zip(contents);
        Ok(links.filter_map(|((path, _), content)| Some((path, text(content?)))).collect())
    }
}

impl Wanted {
    /// Lists the files below `folder`, links as what they point to, without contents but those of links.
    pub(super) async fn collect(
        repository: &Repository<'_>,
        listing: &Listing,
        folder: &str,
    ) -> Result<Self, Refused> {
        if let Some(repeated) = listing.repeated_below(folder) {
            return Err(BundleError::Duplicate { path: repeated.to_owned() }.into());
        }
        if let Some(strange) = listing.strange_below(folder) {
            let error = PathError { path: strange.to_owned(), rule: PathRule::Encoding };
            return Err(BundleError::Path { entry: None, error }.into());
        }
        let links: Vec<(String, String)> = listing
            .below(folder)
            .filter(|(_, entry)| entry.kind == Kind::Link)
            .map(|(path, entry)| (join(folder, path), entry.object.clone()))
            .collect();
        check_count(links.len())?;
        let targets = if links.is_empty() { Targets::new() } else { repository.targets(links).await? };
        let mut wanted = Self::default();
        Collector { listing, targets: &targets, folder }.folder(&mut wanted, folder, "", &mut Vec::new())?;
        Ok(wanted)
    }

    /// Reads the contents, each within the limits.
    pub(super) async fn read(self, repository: &Repository<'_>) -> Result<Contents, Refused> {
        let mut objects: Vec<String> = self.files.values().map(|(object, _)| object.clone()).collect();
        objects.sort();
        objects.dedup();
        repository.bring(&objects).await?;
        let sizes = repository.sizes(&objects).await.map_err(Refused::Failed)?;
        let sizes: BTreeMap<&String, u64> =
            objects.iter().zip(sizes).filter_map(|(object, size)| Some((object, size?))).collect();
        check_sizes(&self.files, &sizes)?;
        let contents = repository.contents(&objects).await.map_err(Refused::Failed)?;
        let contents: BTreeMap<&String, Vec<u8>> =
            objects.iter().zip(contents).filter_map(|(object, content)| Some((object, content?))).collect();
        let mut builder = BundleBuilder::new(Limits::default());
        for (path, (object, executable)) in &self.files {
            let parsed = BundlePath::parse(path).map_err(|error| BundleError::Path { entry: None, error })?;
            let Some(content) = contents.get(object) else {
                return Err(BundleError::LinkDangling { link: path.clone(), target: object.clone() }.into());
            };
            builder.add(parsed, *executable, content.clone())?;
        }
        Ok(Contents { bundle: builder.finish()?, excluded: self.excluded, links: self.links })
    }
}

fn check_count(count: usize) -> Result<(), BundleError> {
    let limit = u64::from(Limits::default().files);
    if count as u64 > limit {
        return Err(BundleError::FilesMany { what: "files", limit });
    }
    Ok(())
}

/// Nothing above a limit is read.
fn check_sizes(
    files: &BTreeMap<String, (String, bool)>,
    sizes: &BTreeMap<&String, u64>,
) -> Result<(), BundleError> {
    let limits = Limits::default();
    let mut all = 0;
    for (path, (object, _)) in files {
        let size = sizes.get(object).copied().unwrap_or_default();
        if size > limits.file_bytes {
            return Err(BundleError::FileLarge { path: path.clone(), size, limit: limits.file_bytes });
        }
        all += size;
        if all > limits.bundle_bytes {
            return Err(BundleError::Large { path: path.clone(), limit: limits.bundle_bytes });
        }
    }
    Ok(())
}

/// Walks a skill's folder in a listing.
struct Collector<'l> {
    listing: &'l Listing,
    targets: &'l Targets,
    /// The skill's folder, which no link may leave.
    folder: &'l str,
}

impl Collector<'_> {
    /// Adds what lies below `real` as what lies below `path` of the skill. `open` holds the folders that are
    /// being walked.
    fn folder(
        &self,
        wanted: &mut Wanted,
        real: &str,
        path: &str,
        open: &mut Vec<String>,
    ) -> Result<(), BundleError> {
        open.push(real.to_owned());
        for (name, entry) in self.listing.below(real) {
            wanted.visit()?;
            let place = join(path, name);
            if let Some(junk) = place.split('/').find_map(Junk::of) {
                wanted.excluded.push((place, junk.to_string()));
                continue;
            }
            match entry.kind {
                Kind::Submodule => {
                    wanted.excluded.push((place, "a submodule is another repository".to_owned()));
                }
                Kind::File { executable } => wanted.add(place, entry, executable)?,
                Kind::Link => self.link(wanted, &join(real, name), &place, open)?,
            }
        }
        open.pop();
        Ok(())
    }

    fn link(
        &self,
        wanted: &mut Wanted,
        real: &str,
        place: &str,
        open: &mut Vec<String>,
    ) -> Result<(), BundleError> {
        let target = self.targets.get(real).map_or("", String::as_str);
        let lost = |lost: Lost| lost.refusal(place, target);
        let end = match walk(self.listing, self.targets, real).map_err(lost)? {
            Step::At(end) => end,
            // A link beyond the skill's folder, of which nothing is known.
            Step::Unknown(_) => return Err(lost(Lost::Outside)),
        };
        check_path(place)?;
        if end != self.folder && !is_below(&end, self.folder) {
            return Err(lost(Lost::Outside));
        }
        match self.listing.get(&end).map(|entry| (entry, entry.kind)) {
            Some((entry, Kind::File { executable })) => wanted.add(place.to_owned(), entry, executable)?,
            Some(_) => return Err(lost(Lost::Dangling)),
            // The link lies in the folder that it points to, or below one that is being walked.
            None if open.contains(&end) || is_below(real, &end) => return Err(lost(Lost::Loop)),
            None => self.folder(wanted, &end, place, open)?,
        }
        wanted.links.push((place.to_owned(), target.to_owned()));
        Ok(())
    }
}

impl Wanted {
    fn add(&mut self, path: String, entry: &Entry, executable: bool) -> Result<(), BundleError> {
        // Before a byte of content is asked for.
        check_path(&path)?;
        self.files.insert(path, (entry.object.clone(), executable));
        check_count(self.files.len())
    }

    fn visit(&mut self) -> Result<(), BundleError> {
        self.visited += 1;
        let limit = Limits::default().entries();
        if self.visited > limit {
            return Err(BundleError::FilesMany { what: "entries", limit });
        }
        Ok(())
    }
}

fn check_path(path: &str) -> Result<(), BundleError> {
    BundlePath::parse(path).map(drop).map_err(|error| BundleError::Path { entry: None, error })
}
