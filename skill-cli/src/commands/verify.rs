use std::path::{Path, PathBuf};

use skill_core::lock::Lock;
use skill_core::name::Slug;

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::install::places_of;
use crate::registry::Pins;
use crate::report::{Message, Report};
use crate::text::quote;
use crate::verify::{self, Outcome, Requirement, Verifier};
use crate::workdir::{self, Guard, Search, Workdir};

/// Check what is on disk against what was published
///
/// Without NAME: every skill. PATH is the folder of an installed skill, which is
/// looked up in the lock of the work directory above it. Opens no connection.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "Examples:
  skill verify
  skill verify github --require publisher"
)]
pub struct Args {
    /// Local names, or folders of installed skills
    #[arg(value_name = "NAME|PATH")]
    pub names: Vec<String>,
    /// Check every skill, which is what happens without NAME
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Fail where a family of checks warns or was skipped (can be repeated)
    #[arg(long, value_name = "FAMILY")]
    pub require: Vec<String>,
    /// Remove what programs leave behind: `__pycache__`
    #[arg(long)]
    pub clean: bool,
}

/// Verifies the skills that are named, or all of them.
///
/// # Errors
/// `lock-absent`, `not-installed`, `not-locked`, and what lock and disk give. What a check finds is in
/// the report, with its exit code.
pub fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let required = requirements(&args.require)?;
    let (workdir, names) = selection(context, args)?;
    let home = &context.dirs.state;
    // Only who cleans changes anything, and only one command does at a time.
    let _guard = if args.clean {
        Some(Guard::take_settled(&workdir, home).map_err(|error| workdir::refused(context, &error))?)
    } else {
        workdir::settle(&workdir, home).map_err(|error| workdir::refused(context, &error))?;
        None
    };
    let lock =
        workdir::read_lock(context, &workdir)?.ok_or_else(|| workdir::lock_absent(&workdir, context))?;
    let chosen = chosen(context, &workdir, &lock, &names)?;
    let pins = Pins::below(&context.dirs.state);
    let verifier = Verifier::new(&workdir, &lock, &pins, context.now());
    let mut outcomes = verifier.verify(chosen.clone(), || context.go_on())?;
    if args.clean && clean(context, &workdir, &lock, &chosen)? {
        outcomes = verifier.verify(chosen, || context.go_on())?;
    }
    if names.is_empty() {
        outcomes.extend(verify::unmanaged(&workdir, &lock));
    }
    outcomes.sort_by_key(Outcome::title);
    for requirement in &required {
        for outcome in &mut outcomes {
            requirement.apply(outcome);
        }
    }
    Ok(verify::report(&outcomes, !required.is_empty()))
}

fn requirements(texts: &[String]) -> Result<Vec<Requirement>, Failure> {
    let parse = |text: &String| {
        Requirement::parse(text).ok_or_else(|| {
            Failure::usage(format!("{} is no family of checks", quote::path(text)))
                .because(format!("known are {}", Requirement::names()))
        })
    };
    texts
        .iter()
        .flat_map(|text| text.split(',').map(str::to_owned))
        .collect::<Vec<_>>()
        .iter()
        .map(parse)
        .collect()
}

/// The work directory, and the local names that were asked for. A path says both.
fn selection(context: &Context, args: &Args) -> Result<(Workdir, Vec<Name>), Failure> {
    let is_path = |text: &str| text.contains('/') || text == "." || text == "..";
    let mut names = Vec::new();
    let mut above: Option<Workdir> = None;
    for text in &args.names {
        if !is_path(text) {
            names.push(Name::Local(text.clone()));
            continue;
        }
        let folder = context.absolute(text);
        let folder = fs_err::canonicalize(&folder).unwrap_or(folder);
        if context.globals.workdir.is_none() && !context.globals.global && above.is_none() {
            let search = Search {
                explicit: None,
                global: false,
                from: folder.parent().unwrap_or(&folder),
                home: context.world.home.as_deref(),
            };
            above = search.find().ok();
        }
        names.push(Name::Folder(folder));
    }
    let workdir = match above {
        Some(workdir) => workdir,
        None => workdir::locate(context)?,
    };
    Ok((workdir, names))
}

enum Name {
    Local(String),
    Folder(PathBuf),
}

fn chosen<'a>(
    context: &Context,
    workdir: &Workdir,
    lock: &'a Lock,
    names: &[Name],
) -> Result<Vec<&'a Slug>, Failure> {
    if names.is_empty() {
        return Ok(lock.skills.keys().collect());
    }
    let mut chosen: Vec<&Slug> = Vec::new();
    for name in names {
        let found = match name {
            Name::Local(text) => by_name(lock, text).ok_or_else(|| {
                Failure::new(
                    Code::NotInstalled,
                    format!("no skill named {} is in skills.lock", quote::path(text)),
                )
                .hint("run `skill list` to see the names")
            })?,
            Name::Folder(folder) => by_folder(workdir, lock, folder).ok_or_else(|| {
                let shown = context.shown(folder);
                Failure::new(Code::NotLocked, format!("{shown} is in no skills.lock"))
                    .hint(format!("run `{}` to install it", quote::command(["skill", "install", &shown])))
            })?,
        };
        if !chosen.contains(&found) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}

fn by_name<'a>(lock: &'a Lock, text: &str) -> Option<&'a Slug> {
    let name = text.parse::<Slug>().ok()?;
    lock.skills.get_key_value(&name).map(|(name, _)| name)
}

/// The entry that is installed in a folder, links in the way of it followed.
fn by_folder<'a>(workdir: &Workdir, lock: &'a Lock, folder: &Path) -> Option<&'a Slug> {
    let name = folder.file_name()?.to_str()?.parse::<Slug>().ok()?;
    let (name, skill) = lock.skills.get_key_value(&name)?;
    let parent = folder.parent()?;
    let same = |target: &String| {
        let root = workdir.root().join(target);
        root == parent || fs_err::canonicalize(&root).is_ok_and(|real| real == parent)
    };
    skill.targets.iter().any(same).then_some(name)
}

/// Takes away what running Python left in the skills at hand; whether there was anything.
fn clean(context: &Context, workdir: &Workdir, lock: &Lock, names: &[&Slug]) -> Result<bool, Failure> {
    let mut cleaned = false;
    for name in names {
        let Some(skill) = lock.skills.get(*name) else { continue };
        for (root, place) in places_of(context, workdir, name, skill)? {
            let failed = |error: &std::io::Error| Failure::disk(error, &context.shown(&place));
            let published = verify::published_tree(workdir, skill.tree).map_err(|error| failed(&error))?;
            let Some(published) = published else { continue };
            for folder in verify::clean(&place, &published).map_err(|error| failed(&error))? {
                let shown = context.shown(root.shown(name).join(folder));
                context.screen.tell(&Message::note(format!("removed what Python left in {shown}")));
                cleaned = true;
            }
        }
    }
    Ok(cleaned)
}
