//! A skill in a folder of this machine.

use skill_bundle::{Limits, PackRules, pack_folder};
use skill_core::lock::LockedSource;

use super::Local;
use super::recorded::{absolute, recorded};
use crate::failure::Failure;
use crate::install::Desk;
use crate::text::quote;

/// Packs a folder by the rules of a publish. `typed`: the path comes from the command line.
///
/// # Errors
/// `path-not-found`, `bundle-…`, `disk-…`.
pub(crate) fn pack(desk: &Desk<'_>, path: &str, typed: bool) -> Result<Local, Failure> {
    let full = absolute(desk, path, typed);
    let shown = if typed { quote::path(path) } else { desk.context.shown(&full) };
    let packed = pack_folder(&full, PackRules::Publish, &Limits::default())
        .map_err(|error| Failure::of_bundle(&error, &shown).nothing_changed())?;
    // `.` and `..` have no name of their own.
    let real = fs_err::canonicalize(&full).unwrap_or_else(|_| full.clone());
    Ok(Local {
        source: LockedSource::Path { path: recorded(desk, path, typed) },
        shown,
        bundle: packed.bundle,
        excluded: packed.excluded.into_iter().map(|out| (out.path, out.reason.to_string())).collect(),
        links: packed.links.into_iter().map(|link| (link.link, link.target)).collect(),
        pointers: Vec::new(),
        base_name: real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
    })
}
