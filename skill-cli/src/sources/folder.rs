//! A skill in a folder of this machine.

use std::path::Path;

use skill_bundle::{BundleError, Limits, PackRules, SKILL_MD, pack_folder};
use skill_core::lock::LockedSource;

use super::Local;
use super::recorded::{absolute, recorded};
use crate::code::Code;
use crate::failure::Failure;
use crate::install::Desk;
use crate::report::{Cell, Column, Hint, Role, Table};
use crate::text::{number, quote};

/// Packs a folder by the rules of a publish. `typed`: the path comes from the command line.
///
/// # Errors
/// `path-not-found`, `bundle-…`, `disk-…`.
pub(crate) fn pack(desk: &Desk<'_>, path: &str, typed: bool) -> Result<Local, Failure> {
    let full = absolute(desk, path, typed);
    let shown = if typed { quote::path(path) } else { desk.context.shown(&full) };
    let packed = pack_folder(&full, PackRules::Publish, &Limits::default())
        .map_err(|error| refused(error, &full, path, &shown).nothing_changed())?;
    // `.` and `..` have no name of their own.
    let real = fs_err::canonicalize(&full).unwrap_or_else(|_| full.clone());
    Ok(Local {
        source: LockedSource::Path { path: recorded(desk, path, typed) },
        shown,
        bundle: packed.bundle,
        excluded: packed.excluded.into_iter().map(|out| (out.path, out.reason.to_string())).collect(),
        links: packed.links.into_iter().map(|link| (link.link, link.target)).collect(),
        base_name: real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
    })
}

/// Why a folder is not taken. Whether it is a skill at all comes before what is wrong with a file far below.
fn refused(error: BundleError, full: &Path, path: &str, shown: &str) -> Failure {
    match error {
        BundleError::Several { folders } => below(&folders, path, shown),
        BundleError::NotAFolder { .. } if unread_format(full).is_some() => {
            let suffix = unread_format(full).unwrap_or_default();
            Failure::new(
                Code::BundleUnknownFormat,
                format!("{shown} is an archive in a format that is not read"),
            )
            .because(format!("its name ends in {suffix}"))
            .hint("pack it as .skill, .zip, .tar or .tar.gz")
        }
        BundleError::NotFound { .. } | BundleError::NotAFolder { .. } => Failure::of_folder(&error, shown),
        BundleError::NoSkillMd { .. } => no_skill_md(&error, shown),
        BundleError::Io { path: at, error } => {
            let inside = at.strip_prefix(full).ok().filter(|inside| !inside.as_os_str().is_empty());
            let inside = inside
                .map(|inside| quote::path(&format!("{}/{}", path.trim_end_matches('/'), inside.display())));
            Failure::disk(&error, inside.as_deref().unwrap_or(shown))
        }
        _ if !has_skill_md(full) => {
            let searched = full.display().to_string();
            no_skill_md(&BundleError::NoSkillMd { searched, ignore_files: Vec::new() }, shown)
        }
        error => Failure::of_folder(&error, shown),
    }
}

fn no_skill_md(error: &BundleError, shown: &str) -> Failure {
    let mut failure = Failure::of_folder(error, shown);
    failure.hints = vec![Hint::new("write the folder that holds it as REF")];
    failure
}

/// `source-several` for a folder, which is chosen by its own path.
fn below(folders: &[String], path: &str, shown: &str) -> Failure {
    let path = path.trim_end_matches('/');
    let paths = folders.iter().map(|folder| format!("{path}/{folder}")).collect::<Vec<_>>();
    let mut table = Table::new([Column::new("").whole()]).indent(5);
    for path in &paths {
        table.push([Cell::of(Role::Name, path)]);
    }
    let count = number::counted(folders.len(), "skill", "skills");
    let text = format!("{shown} holds {count}, and no SKILL.md of its own");
    let failure = Failure::new(Code::SourceSeveral, text).list(table).key("candidates", folders.to_vec());
    match paths.first() {
        Some(first) => failure.hint(format!("run `{}`", quote::command(["skill", "install", first]))),
        None => failure,
    }
}

fn has_skill_md(folder: &Path) -> bool {
    let names = fs_err::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names
        .into_iter()
        .any(|name| name.eq_ignore_ascii_case(SKILL_MD) || name.eq_ignore_ascii_case("skills.md"))
}

/// The suffix of an archive that no reader here opens.
fn unread_format(path: &Path) -> Option<&'static str> {
    const SUFFIXES: [&str; 8] = [".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.lz", ".7z", ".rar", ".gz"];
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    SUFFIXES.into_iter().find(|suffix| name.ends_with(suffix))
}
