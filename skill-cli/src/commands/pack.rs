use std::io::Cursor;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skill_bundle::{Limits, open_archive, write_canonical};

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::files::{self, limit};
use crate::packing::Packing;
use crate::report::{Block, Cell, Column, Line, Report, Role, Table};
use crate::text::number;

/// Write a skill into one archive
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder or archive of the skill
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Folder inside PATH
    #[arg(long = "path", value_name = "PATH")]
    pub subpath: Option<PathBuf>,
    /// Slug [default: the name in SKILL.md, else the folder's name]
    #[arg(long, value_name = "SLUG")]
    pub slug: Option<String>,
    /// Archive to write; only another archive of a skill is replaced [default: SLUG.skill]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Show what goes in and what stays out, and stop
    #[arg(long)]
    pub dry_run: bool,
}

/// Packs a folder into one archive, exactly as `publish` would send it.
///
/// # Errors
/// `bundle-…`, `slug-underivable`, `file-exists`, `disk-…`.
pub fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let packing = Packing::read(context, &args.path, args.subpath.as_deref())?;
    let (slug, slug_from) = packing.slug(args.slug.as_deref())?;
    let output = context.absolute(args.output.clone().unwrap_or_else(|| format!("{slug}.skill").into()));
    let shown = context.shown(&output);
    let mut document = packing.document();
    let mut keys = |key: &str, value: Value| document[key] = value;
    keys("slug", json!(slug));
    keys("path", json!(output));
    keys("treeDigest", json!(packing.tree.digest()));
    check_free(&output, &shown)?;
    if args.dry_run {
        keys("dryRun", json!(true));
        let first = Line::from(format!("would write {shown}"));
        let rows = [vec![first.into(), Block::Blank], packing.rows()].concat();
        return Ok(Report::new(document, rows).closing("dry run: nothing was written"));
    }
    let mut archive = Vec::new();
    let canonical =
        write_canonical(&packing.bundle, &mut archive).map_err(|error| Failure::disk(&error, &shown))?;
    // A pack may be repeated; what it never does is to replace something that is no archive.
    if output.is_dir() {
        return Err(Failure::new(Code::FileExists, format!("{shown} is a folder")).nothing_changed());
    }
    files::replace(&output, &archive, false).map_err(|error| Failure::disk(&error, &shown))?;
    keys("archiveSha256", json!(canonical.sha256));
    keys("archiveSize", json!(canonical.size));
    let mut table = Table::new([
        Column::new(""),
        Column::new("").whole().gap(3),
        Column::new("").gap(3),
        Column::new(""),
    ]);
    table.push([
        Cell::of(Role::Good, "packed"),
        Cell::from(shown),
        Cell::from(number::size(canonical.size)),
        Cell::of(Role::Dim, number::digest(&packing.tree.digest().to_string(), context.screen.is_verbose())),
    ]);
    let out = match packing.excluded.len() {
        0 => String::new(),
        out => format!("; {} left out", number::counted(out, "entry", "entries")),
    };
    let closing = format!("{}{out}; slug {slug} from {slug_from}", packing.weight());
    Ok(Report::change(document, vec![table.into()]).closing(closing))
}

/// A pack may be repeated, so that the archive of a skill is replaced, and nothing else.
fn check_free(output: &Path, shown: &str) -> Result<(), Failure> {
    let exists = |what: &str| {
        Failure::new(Code::FileExists, format!("{shown} is {what}"))
            .nothing_changed()
            .hint("choose another place with `-o FILE`")
    };
    match files::read(output, limit::ARCHIVE) {
        Ok(None) => Ok(()),
        Ok(Some(bytes)) if open_archive(&mut Cursor::new(&bytes), &Limits::default()).is_ok() => Ok(()),
        Ok(Some(_)) => Err(exists("there already, and no archive of a skill")),
        Err(_) if output.is_dir() => Err(exists("a folder")),
        Err(error) if files::is_unfit(&error) => Err(exists("there already, and no archive of a skill")),
        Err(error) => Err(Failure::disk(&error, shown)),
    }
}
