use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skill_core::api::{PublishMeta, ServerLimits};

use super::super::{Args, limits, meta, zipped};
use crate::connection::Connection;
use crate::context::Context;
use crate::failure::{Failure, NOTHING_SENT};
use crate::packing::Packing;

/// A folder with a skill.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// As commands to copy name it.
    pub given: PathBuf,
    /// As text shows it.
    pub shown: String,
}

/// A skill that was read, and is not held: so many may be many bytes.
#[derive(Debug)]
pub(super) struct Read {
    pub found: Found,
    /// What is asked for, or why it cannot be.
    pub meta: Result<PublishMeta, Failure>,
}

impl Found {
    /// The folder `below` the one that was given.
    pub(super) fn at(context: &Context, given: &Path, below: &str) -> Self {
        let given = if below.is_empty() { given.to_owned() } else { given.join(below) };
        Self { shown: context.shown(context.absolute(&given)), given }
    }

    /// Reads it as a publish of its own would.
    pub(super) fn read(
        self,
        context: &Context,
        args: &Args,
        limits: &ServerLimits,
        connection: &Connection,
    ) -> Read {
        let meta = self.meta(context, args, limits, connection);
        Read { found: self, meta }
    }

    fn meta(
        &self,
        context: &Context,
        args: &Args,
        announced: &ServerLimits,
        connection: &Connection,
    ) -> Result<PublishMeta, Failure> {
        let packing = self.pack(context)?;
        let (slug, _) = packing.slug(None)?;
        limits::hold(announced, connection, &packing, zipped(&packing)?.len() as u64)?;
        Ok(meta(args, &packing, slug))
    }

    /// Its files, if what they say can be published.
    pub(super) fn pack(&self, context: &Context) -> Result<Packing, Failure> {
        context.go_on()?;
        let packing = Packing::read(context, &self.given, None)?;
        packing.manifest()?;
        Ok(packing)
    }
}

/// Refuses two skills that would be one.
pub(super) fn are_apart(read: &[Read]) -> Result<(), Failure> {
    let mut slugs = BTreeMap::new();
    for Read { found, meta } in read {
        let Ok(meta) = meta else { continue };
        if let Some(other) = slugs.insert(&meta.slug, found) {
            let fact = format!("{} and {} would both be {}", other.shown, found.shown, meta.slug);
            return Err(Failure::usage(fact)
                .because("a slug is the name in SKILL.md, else the name of the folder")
                .because_in_text(NOTHING_SENT)
                .hint("give one of them another name, or publish it by itself with `--slug NAME`"));
        }
    }
    Ok(())
}
