use std::io::Cursor;

use skill_bundle::{Bundle, Limits, Tree, open_archive, write_canonical};
use skill_core::digest::TreeDigest;
use skill_core::lock::{LockedSkill, LockedSource};

use super::Local;
use crate::install::Desk;
use crate::text::quote;

/// What was locked, as it was kept at its install; none if it is not here, or is not what is locked. What was left
/// out then was told then, and is not kept.
pub(super) fn of_entry(desk: &Desk<'_>, skill: &LockedSkill) -> Option<Local> {
    let bundle = bundle(desk, skill.tree)?;
    let shown = match &skill.source {
        LockedSource::Path { path } => quote::path(path),
        LockedSource::Archive { location, .. } => quote::path(location.as_str()),
        LockedSource::Git { url, .. } => quote::path(&format!("git:{url}")),
        LockedSource::Registry { .. } => return None,
    };
    Some(Local::plain(skill.source.clone(), shown, bundle))
}

fn bundle(desk: &Desk<'_>, locked: TreeDigest) -> Option<Bundle> {
    let archive = desk.cache.tree(locked).ok()??;
    let (bundle, _) = open_archive(&mut Cursor::new(archive), &Limits::default()).ok()?;
    (Tree::of(&bundle).digest() == locked).then_some(bundle)
}

/// Keeps the files, so that the lock can be restored after the source is gone.
pub(crate) fn keep(desk: &Desk<'_>, bundle: &Bundle, tree: TreeDigest) -> std::io::Result<()> {
    let mut archive = Vec::new();
    write_canonical(bundle, &mut archive)?;
    desk.cache.keep_tree(tree, &archive)
}
