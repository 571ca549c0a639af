//! The folders that skills may be put into.

use std::path::PathBuf;

use skill_core::lock::LockedSkill;
use skill_core::name::Slug;
use skill_runtime::agents;

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::text::quote;
pub(super) use crate::workdir::USUAL;
use crate::workdir::{TargetError, TargetRoot, Workdir};

/// Where an agent looks, relative to the work directory.
///
/// # Errors
/// `usage` for an agent that nobody knows.
pub(crate) fn of_agent(workdir: &Workdir, name: &str) -> Result<String, Failure> {
    let agent = agents::find(name).ok_or_else(|| {
        let names = agents::AGENTS.iter().map(|agent| agent.name);
        Failure::usage(format!("no agent named {} is known", quote::path(name)))
            .because(format!("known are {}", quote::list(names, usize::MAX)))
    })?;
    Ok(if workdir.is_global() { format!("../{}", agent.global_dir) } else { agent.project_dir.to_owned() })
}

/// The root behind a target of the lock.
///
/// # Errors
/// `lock-unreadable` for any other folder, `disk-…`.
pub(super) fn target_root(context: &Context, workdir: &Workdir, target: &str) -> Result<TargetRoot, Failure> {
    TargetRoot::of(workdir, target).map_err(|error| match error {
        TargetError::Unknown(_) => Failure::new(
            Code::LockUnreadable,
            format!("skills.lock names the folder {}, where no agent looks", quote::path(target)),
        )
        .nothing_changed()
        .hint("restore it from version control"),
        TargetError::Io(error) => {
            Failure::disk(&error, &context.shown(workdir.join(target))).nothing_changed()
        }
    })
}

/// The places of an installed skill, each with its root.
///
/// # Errors
/// What [`target_root`] gives.
pub(crate) fn places_of(
    context: &Context,
    workdir: &Workdir,
    name: &Slug,
    skill: &LockedSkill,
) -> Result<Vec<(TargetRoot, PathBuf)>, Failure> {
    let mut places = Vec::new();
    for target in &skill.targets {
        let root = target_root(context, workdir, target)?;
        let place = root.place(name);
        places.push((root, place));
    }
    Ok(places)
}
