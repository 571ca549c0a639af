use std::io::Cursor;

use skill_bundle::{Bundle, BundleBuilder, BundleError, BundlePath, Limits, Opened, SKILL_MD, read_archive};
use skill_core::reference::without_archive_suffix;

use crate::failure::Failure;
use crate::sources::several::{Candidate, elsewhere_in, empty, several};

/// A skill of an archive.
pub(super) struct Taken {
    pub bundle: Bundle,
    /// What was left out and why.
    pub skipped: Vec<(String, String)>,
    /// The folder that it lies in, if that had to be said or is the only one with a skill.
    pub folder: Option<String>,
    /// The folder that wraps the whole archive.
    pub wrapper: Option<String>,
}

/// Opens an archive and takes the skill at `path`; without one the skill at its root or in the folder that
/// wraps everything, else the only one.
///
/// # Errors
/// `bundle-…`, `source-several`, `source-empty`.
pub(super) fn open(bytes: &[u8], path: Option<&str>, file_name: &str, shown: &str) -> Result<Taken, Failure> {
    let refused = |error: BundleError| Failure::of_foreign_bundle(&error, shown).nothing_changed();
    if is_markdown(file_name) {
        let bundle = single(bytes).map_err(refused)?;
        return Ok(Taken { bundle, skipped: Vec::new(), folder: None, wrapper: None });
    }
    let opened = read_archive(&mut Cursor::new(bytes), &Limits::default()).map_err(refused)?;
    let skills = opened.skills();
    let wrapper = opened.wrapper();
    let folder = match path {
        Some(path) => Some(path.to_owned()),
        None if skills.iter().any(String::is_empty) || wrapper.is_some() => None,
        None => match &skills[..] {
            [only] => Some(only.clone()),
            [] => None,
            _ => return Err(several(shown, candidates(&opened, skills))),
        },
    };
    let is_in = |skill: &String, path: &str| {
        skill == path || skill.strip_suffix(path).is_some_and(|above| above.ends_with('/'))
    };
    if let Some(path) = path
        && !skills.is_empty()
        && !skills.iter().any(|skill| is_in(skill, path.trim_end_matches('/')))
    {
        return Err(elsewhere_in(shown, path, candidates(&opened, skills)));
    }
    let taken = match &folder {
        None => opened.into_bundle(),
        Some(folder) => opened.into_bundle_at(folder),
    };
    match taken {
        Ok((bundle, skipped)) => {
            let skipped = skipped.into_iter().map(|out| (out.path, out.junk.to_string())).collect();
            Ok(Taken { bundle, skipped, folder, wrapper })
        }
        Err(BundleError::Several { folders }) => {
            let folders = folders.into_iter().map(|folder| Candidate::of(folder, None)).collect();
            Err(match path {
                Some(path) => elsewhere_in(shown, path, folders),
                None => several(shown, folders),
            })
        }
        Err(error @ BundleError::NoSkillMd { .. }) => match path {
            Some(path) => Err(empty(shown, &format!("the folder {path}"))),
            None => Err(refused(error)),
        },
        Err(error) => Err(refused(error)),
    }
}

/// What can be chosen, with what each one says about itself.
fn candidates(opened: &Opened, folders: Vec<String>) -> Vec<Candidate> {
    let described = |folder: String| {
        let skill_md = opened.skill_md(&folder);
        Candidate::of(folder.clone(), skill_md)
    };
    folders.into_iter().map(described).collect()
}

/// A SKILL.md alone, as Agent Skills discovery offers it.
fn single(bytes: &[u8]) -> Result<Bundle, BundleError> {
    let mut builder = BundleBuilder::new(Limits::default());
    let path = BundlePath::parse(SKILL_MD).map_err(|error| BundleError::Path { entry: None, error })?;
    builder.add(path, false, bytes.to_vec())?;
    builder.finish()
}

/// The name by which to open what a URL gave. A site may offer a SKILL.md at any URL: text that begins with
/// frontmatter is one, and so is any text if it is `known` to be a skill. No archive is text without U+0000.
pub(super) fn name_of<'n>(bytes: &[u8], file_name: &'n str, known: bool) -> &'n str {
    let text = str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let text = text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text));
    let is_fence = |text: &str| text.lines().next().is_some_and(|line| line.trim_end() == "---");
    if text.is_some_and(|text| known || is_fence(text)) { SKILL_MD } else { file_name }
}

fn is_markdown(file_name: &str) -> bool {
    file_name.rsplit_once('.').is_some_and(|(_, suffix)| suffix.eq_ignore_ascii_case("md"))
}

/// A file name without what says that it is an archive.
pub(super) fn stem(file_name: &str) -> &str {
    without_archive_suffix(file_name).unwrap_or(file_name)
}
