//! The files of one skill: named, weighed before they are read, then read.

use std::collections::BTreeMap;

use skill_bundle::{Bundle, BundleBuilder, BundleError, BundlePath, Junk, Limits};

use super::fetch::Repository;
use super::links::{Lost, Step, Targets, walk};
use super::listing::{Entry, Kind, Listing, is_below, join};
use crate::failure::Failure;

/// Why the files of a skill are not taken.
pub(super) enum Refused {
    /// They are no bundle.
    Bundle(BundleError),
    /// A path leads nowhere.
    Lost(Lost),
    /// Git or the remote.
    Failed(Failure),
}

impl Refused {
    pub(super) fn into_failure(self, shown: &str) -> Failure {
        match self {
            Self::Bundle(error) => Failure::of_bundle(&error, shown).nothing_changed(),
            Self::Lost(lost) => Failure::of_bundle(&lost.refusal("--path", "it"), shown).nothing_changed(),
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
            // The reader of paths says what is wrong with it.
            let error = BundlePath::from_bytes(&[strange.as_bytes(), b"\xff"].concat()).err();
            return Err(error.map_or(BundleError::Empty { searched: folder.to_owned() }.into(), |error| {
                BundleError::Path { entry: None, error }.into()
            }));
        }
        let links: Vec<(String, String)> = listing
            .below(folder)
            .filter(|(_, entry)| entry.kind == Kind::Link)
            .map(|(path, entry)| (join(folder, path), entry.object.clone()))
            .collect();
        let objects: Vec<String> = links.iter().map(|(_, object)| object.clone()).collect();
        let mut targets = Targets::new();
        if !objects.is_empty() {
            check_count(objects.len())?;
            repository.bring(&objects).await?;
            let contents = repository.contents(&objects).await.map_err(Refused::Failed)?;
            for ((path, _), content) in links.into_iter().zip(contents) {
                let target = content.and_then(|content| String::from_utf8(content).ok()).unwrap_or_default();
                targets.insert(path, target);
            }
        }
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
        // Paths are checked before a byte of content is asked for.
        BundlePath::parse(&path).map_err(|error| BundleError::Path { entry: None, error })?;
        self.files.insert(path, (entry.object.clone(), executable));
        check_count(self.files.len())
    }
}
