//! Which folder of a repository is meant.

use super::address::Address;
use super::contents::Refused;
use super::fetch::Repository;
use super::links::{Lost, Step, Targets, walk};
use super::listing::{Entry, Kind, Listing, join};
use crate::failure::Failure;
use crate::sources::several::{Candidate, elsewhere_in, empty, several};

/// More skills than this are listed without their descriptions.
const DESCRIBED: usize = 200;

/// The folder of a skill.
#[derive(Debug)]
pub(super) struct Folder {
    /// As it was asked for, or found; the lock keeps this one.
    pub asked: String,
    /// Without links on the way.
    pub real: String,
}

/// The folder at `path`, which may lead through links; without one the root, else the only skill.
///
/// # Errors
/// `source-several` with every skill and its description, `source-empty`.
pub(super) async fn folder(
    repository: &Repository<'_>,
    address: &Address,
    listing: &Listing,
    path: Option<&str>,
) -> Result<Folder, Failure> {
    let asked = path.unwrap_or_default();
    let shown = &address.shown;
    let real = match follow(repository, listing, asked).await {
        Ok(real) => real,
        Err(Refused::Lost(_)) => {
            let skills = listing.skills("");
            return Err(if skills.is_empty() {
                empty(shown, &format!("there is no folder {asked}"))
            } else {
                elsewhere_in(shown, asked, candidates(repository, &skills, str::to_owned).await)
            });
        }
        Err(refused) => return Err(refused.into_failure(shown)),
    };
    // `--path` to the SKILL.md itself means its folder.
    let (parent, name) = split(&real);
    let is_file = matches!(listing.get(&real).map(|entry| entry.kind), Some(Kind::File { .. }));
    if is_file && name.eq_ignore_ascii_case(skill_bundle::SKILL_MD) {
        return Ok(Folder { asked: split(asked).0.to_owned(), real: parent.to_owned() });
    }
    let skills = listing.skills(&real);
    match &skills[..] {
        [] => Err(empty(shown, if asked.is_empty() { "every folder" } else { asked })),
        [(first, _), ..] if *first == real => Ok(Folder { asked: asked.to_owned(), real }),
        [(only, _)] if path.is_none() => Ok(Folder { asked: only.clone(), real: only.clone() }),
        _ => {
            let below = |folder: &str| {
                let inside = folder.strip_prefix(real.as_str()).unwrap_or(folder);
                join(asked, inside.trim_start_matches('/'))
            };
            Err(several(shown, candidates(repository, &skills, below).await))
        }
    }
}

/// What can be chosen; `path` makes of a folder what `--path` takes.
async fn candidates(
    repository: &Repository<'_>,
    skills: &[(String, &Entry)],
    path: impl Fn(&str) -> String,
) -> Vec<Candidate> {
    let described = described(repository, skills).await;
    let folders = skills.iter().zip(described);
    folders.map(|((folder, _), text)| Candidate::of(path(folder), text.as_deref())).collect()
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// The SKILL.md of every folder; a list is worth having without them.
async fn described(repository: &Repository<'_>, skills: &[(String, &Entry)]) -> Vec<Option<Vec<u8>>> {
    let none = vec![None; skills.len()];
    if skills.len() > DESCRIBED {
        return none;
    }
    let objects: Vec<String> = skills.iter().map(|(_, entry)| entry.object.clone()).collect();
    if repository.get_contents(&objects).await.is_err() {
        return none;
    }
    repository.contents(&objects).await.unwrap_or(none)
}

/// Walks a path, and asks for the content of every link that turns up on the way.
async fn follow(repository: &Repository<'_>, listing: &Listing, path: &str) -> Result<String, Refused> {
    let mut targets = Targets::new();
    loop {
        let link = match walk(listing, &targets, path).map_err(Refused::Lost)? {
            Step::At(real) => return Ok(real),
            Step::Unknown(link) => link,
        };
        let object =
            listing.get(&link).map(|entry| entry.object.clone()).ok_or(Refused::Lost(Lost::Dangling))?;
        let found = repository.targets(vec![(link, object)]).await?;
        if found.is_empty() {
            return Err(Refused::Lost(Lost::Dangling));
        }
        targets.extend(found);
    }
}
