use fs_err as fs;

use super::{Workdir, WorkdirError};

/// Refuses a `.skill` that is a link or has one where this program writes: it comes with a checkout,
/// and must not say where on the disk to write.
pub(super) fn refuse(workdir: &Workdir) -> Result<(), WorkdirError> {
    let state = workdir.state();
    let mut looked_at = vec![state.clone()];
    for folder in [state.clone(), state.join("trust")] {
        // A folder that is not there has no links in it.
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        looked_at.extend(entries.map(|entry| entry.path()));
    }
    match looked_at.into_iter().find(|path| path.is_symlink()) {
        Some(link) => Err(WorkdirError::Link(link)),
        None => Ok(()),
    }
}
