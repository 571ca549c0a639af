//! Files, written beside their place.

use std::path::PathBuf;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use fs_err as fs;
use skill_bundle::disk;

use super::Desk;
use super::marks::Marks;
use super::resolve::Unchanged;
use super::sources::Sources;
use super::verified::{Content, Verified, VerifiedSkill, archived};
use crate::code::Code;
use crate::failure::Failure;
use crate::parallel;
use crate::workdir::Transaction;

/// Everything is written beside its place, and nothing in its place was touched.
pub struct Staged {
    pub(super) sources: Sources,
    pub(super) skills: Vec<StagedSkill>,
    pub(super) unchanged: Vec<Unchanged>,
}

/// One skill, written.
pub(super) struct StagedSkill {
    pub verified: VerifiedSkill,
    /// One folder for each of its places, in their order.
    pub folders: Vec<PathBuf>,
    /// What the system says of them.
    pub marks: Marks,
}

impl Verified {
    /// Writes every skill into a staging folder inside each of its target roots, on all cores.
    ///
    /// # Errors
    /// `disk-…`.
    pub fn stage(
        self,
        desk: &Desk<'_>,
        transaction: &mut Option<Transaction<'_>>,
    ) -> Result<Staged, Failure> {
        let Self { sources, skills, unchanged } = self;
        if skills.is_empty() {
            return Ok(Staged { sources, skills: Vec::new(), unchanged });
        }
        let transaction = transaction.as_mut().ok_or_else(not_guarded)?;
        let mut work = Vec::with_capacity(skills.len());
        for skill in skills {
            let mut folders = Vec::new();
            for place in &skill.resolved.places {
                let staging = transaction
                    .stage_in(&place.root)
                    .map_err(|error| desk.disk(&error, place.root.named()))?;
                folders.push(staging.join(skill.resolved.local.as_str()));
            }
            work.push((skill, folders));
        }
        let written = parallel::each(work, |(verified, folders)| {
            desk.context.go_on()?;
            write(desk, &verified, &folders)?;
            let marks = Marks::of(&verified, &folders, desk.workdir.state());
            let marks = marks.map_err(|error| desk.disk(&error, desk.workdir.root()))?;
            Ok(StagedSkill { verified, folders, marks })
        });
        desk.context.go_on()?;
        let skills = written.into_iter().collect::<Result<_, _>>()?;
        Ok(Staged { sources, skills, unchanged })
    }
}

fn write(desk: &Desk<'_>, verified: &VerifiedSkill, folders: &[PathBuf]) -> Result<(), Failure> {
    let opened;
    let bundle = match &verified.content {
        Content::Held(bundle) => bundle,
        Content::Archive(digest) => {
            opened = archived(desk, *digest, verified.resolved.local.as_str(), None)?;
            &opened
        }
    };
    for folder in folders {
        let failed = |error: &std::io::Error| desk.disk(error, folder);
        fs::create_dir(folder).map_err(|error| failed(&error))?;
        set_folder_mode(folder).map_err(|error| failed(&error))?;
        let dir = Dir::open_ambient_dir(folder, ambient_authority()).map_err(|error| failed(&error))?;
        disk::stage(bundle, &dir).map_err(|error| {
            Failure::new(Code::named(error.code()).unwrap_or(Code::DiskIo), error.to_string())
                .nothing_changed()
        })?;
    }
    Ok(())
}

/// 0755, whatever the umask says.
fn set_folder_mode(folder: &std::path::Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))
}

pub(super) fn not_guarded() -> Failure {
    Failure::new(Code::Internal, "the work directory was not taken before it was written to")
        .nothing_changed()
}
