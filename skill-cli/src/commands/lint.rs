use std::path::{Path, PathBuf};

use serde_json::json;
use skill_core::diagnostic::{Diagnostic, Level};

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::packing::Packing;
use crate::report::{Block, Line, Message, Report};
use crate::sarif as log;
use crate::text::number;

mod artifact;
mod diff;
mod draft;
mod explain;
mod rewrite;
mod sarif;
mod show;

use artifact::Base;
use draft::Draft;

/// Check a skill's files
///
/// The codes are in docs/LINT.md; `--explain CODE` shows one.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  skill lint ./my-skill
  skill lint ./my-skill --fix --dry-run
  skill lint ./my-skill --strict --sarif
  skill lint --explain link-broken")]
pub struct Args {
    /// Folder or archive of the skill
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Folder inside PATH
    #[arg(long = "path", value_name = "PATH")]
    pub subpath: Option<PathBuf>,
    /// Follow the Agent Skills spec to the letter; warnings are errors
    #[arg(long)]
    pub strict: bool,
    /// Apply the fixes that a program can make
    #[arg(long)]
    pub fix: bool,
    /// With --fix: show the changes and write nothing
    #[arg(long, requires = "fix")]
    pub dry_run: bool,
    /// Print the findings as SARIF 2.1.0
    #[arg(long)]
    pub sarif: bool,
    /// Show what a code means and what to do about it
    #[arg(long, value_name = "CODE", conflicts_with_all = ["strict", "fix", "dry_run", "sarif"])]
    pub explain: Option<String>,
}

/// Rounds of fixing at most: a round has at most 50 findings of a rule in a file, and what one fix uncovers is fixed
/// in a further one. A rule that never rests cannot hold this up.
const ROUNDS: usize = 64;

/// What was found, and in which files.
#[derive(Debug)]
struct Judged<'a> {
    draft: &'a Draft,
    found: &'a [Diagnostic],
    /// Whether the findings are those of the files as they are, and the fixes of the draft only shown.
    dry_run: bool,
}

/// Judges a folder's files, and applies the fixes that a program can make.
///
/// # Errors
/// `bundle-…`, `path-not-found`, `file-changed`, `disk-…`; `usage` for a code that is none, for `--sarif` beside
/// `--json`, and for `--fix` of an archive. Findings are no error of this function: they are in the report, with `lint-failed` if one of them weighs
/// as much.
pub fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    if let Some(code) = &args.explain {
        return explain::report(code);
    }
    log::is_alone(context, args.sarif)?;
    let packing = Packing::read(context, &args.path, args.subpath.as_deref())?;
    let mut draft = Draft::of(&packing);
    let mut found = draft.lint(args.strict);
    let mut swept = 0;
    if args.fix {
        let folder = folder(&packing)?;
        draft.hold_back(folder);
        let mut left = found.clone();
        for _ in 0..ROUNDS {
            if draft.fix(&left) == 0 {
                break;
            }
            left = draft.lint(args.strict);
        }
        if !args.dry_run {
            swept = draft.sweep(folder, |path| context.shown(path))?;
            draft.write(folder, |path| context.shown(path))?;
            found = left;
        }
    }
    let judged = Judged { draft: &draft, found: &found, dry_run: args.dry_run };
    let report = report(context, &packing, &judged, args);
    Ok(match number::counted(swept, "file", "files") {
        _ if swept == 0 => report,
        files => report.note(Message::note(format!("{files} removed that a stopped `--fix` left"))),
    })
}

/// The folder whose files are fixed.
fn folder(packing: &Packing) -> Result<&Path, Failure> {
    if !packing.is_archive {
        return Ok(&packing.place);
    }
    let shown = &packing.shown;
    Err(Failure::usage(format!("`--fix` changes the files of a folder; {shown} is an archive")))
}

fn report(context: &Context, packing: &Packing, judged: &Judged<'_>, args: &Args) -> Report {
    let Judged { draft, found, .. } = *judged;
    let count = |level| found.iter().filter(|found| found.severity == level).count();
    let (errors, warnings, notes) = (count(Level::Error), count(Level::Warning), count(Level::Note));
    let (document, rows) = if args.sarif {
        let base = Base::of(&packing.place, &context.world.cwd, packing.is_archive);
        let document = sarif::document(&base, judged);
        let text = serde_json::to_string_pretty(&document).unwrap_or_default();
        (document, vec![Block::Verbatim(text + "\n")])
    } else {
        let document = json!({
            "ok": errors == 0,
            "files": packing.bundle.len(),
            "errors": errors,
            "warnings": warnings,
            "notes": notes,
            "fixed": draft.made(),
            "dryRun": args.dry_run,
            "changes": draft.changes(),
            "findings": found.iter().map(show::document).collect::<Vec<_>>(),
        });
        (document, rows(packing, draft, found, [errors, warnings, notes]))
    };
    closed(Report::new(document, rows), packing, judged, (errors, args))
}

fn rows(packing: &Packing, draft: &Draft, found: &[Diagnostic], counts: [usize; 3]) -> Vec<Block> {
    let mut rows = diff::rows(draft);
    if !rows.is_empty() && !found.is_empty() {
        rows.push(Block::Blank);
    }
    rows.extend(found.iter().flat_map(show::rows));
    if !rows.is_empty() {
        rows.push(Block::Blank);
    }
    let [errors, warnings, notes] = counts;
    let mut text = format!(
        "{}: {}, {}",
        number::counted(packing.bundle.len(), "file", "files"),
        number::counted(errors, "error", "errors"),
        number::counted(warnings, "warning", "warnings")
    );
    if notes > 0 {
        text.push_str(", ");
        text.push_str(&number::counted(notes, "note", "notes"));
    }
    rows.push(Line::from(text).into());
    rows
}

/// Says what was fixed, what failed and what to do next.
fn closed(
    mut report: Report,
    packing: &Packing,
    judged: &Judged<'_>,
    (errors, args): (usize, &Args),
) -> Report {
    let Judged { draft, found, .. } = *judged;
    let fixes = |count: usize| number::counted(count, "fix", "fixes");
    if draft.made() > 0 {
        let done = if args.dry_run { "would be applied" } else { "applied" };
        report = report.note(Message::note(format!("{} {done}", fixes(draft.made()))));
    }
    for link in draft.links_left(found) {
        report = report.note(Message::note(format!("{link} is a link; what it points to was not changed")));
    }
    for path in draft.several_left(found) {
        let text = format!("{path} has another name on this disk (a hard link) and was not changed");
        report = report.note(Message::note(text));
    }
    if errors > 0 {
        report.failure = Some(Failure::new(
            Code::LintFailed,
            format!("{} has {}", packing.shown, number::counted(errors, "error", "errors")),
        ));
    }
    // Of an archive nothing is fixed; behind `--fix` only what its rounds did not come to is left.
    let open = if args.dry_run { draft.made() } else { draft.fixable(found).count() };
    if open == 0 || packing.is_archive {
        return report;
    }
    let strict = args.strict.then_some("--strict");
    let words: Vec<&str> = ["skill", "lint", "--fix"].into_iter().chain(strict).collect();
    let hint = format!("run `{}` to apply {}", packing.command(&words), fixes(open));
    match &mut report.failure {
        Some(failure) => *failure = failure.clone().hint(hint),
        None => report = report.hint(hint),
    }
    report
}
