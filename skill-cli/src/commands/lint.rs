use std::collections::BTreeSet;
use std::path::PathBuf;

use fs_err as fs;
use serde_json::json;
use skill_core::diagnostic::{Diagnostic, Edit, Level, apply_edits};
use skill_core::lint::{LintFile, LintInput, lint};

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::files;
use crate::packing::Packing;
use crate::report::{Block, Line, Message, Report, Role};
use crate::text::excerpt::Excerpt;
use crate::text::{number, quote};

/// Check a skill's files
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the skill
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Count warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// Apply the fixes that are safe
    #[arg(long)]
    pub fix: bool,
}

/// Judges a folder's files, and applies the fixes that a program can make.
///
/// # Errors
/// `bundle-…`, `path-not-found`, `disk-…`. Findings are no error of this function: they are in the
/// report, with `lint-failed` if one of them weighs as much.
pub fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let mut packing = Packing::read(context, &args.path, None)?;
    let mut found = findings(&packing, args.strict);
    let mut fixed = 0;
    if args.fix {
        fixed = fix(context, args, &found)?;
        if fixed > 0 {
            packing = Packing::read(context, &args.path, None)?;
            found = findings(&packing, args.strict);
        }
    }
    Ok(report(&packing, &found, args, fixed))
}

fn findings(packing: &Packing, strict: bool) -> Vec<Diagnostic> {
    let files: Vec<LintFile<'_>> = packing
        .bundle
        .files()
        .map(|(path, file)| LintFile {
            path: path.as_str(),
            executable: file.executable(),
            content: file.content(),
        })
        .collect();
    lint(&LintInput { folder: Some(&packing.base_name), files: &files, strict })
}

/// Writes the files that have fixes; gives how many changes were made.
fn fix(context: &Context, args: &Args, found: &[Diagnostic]) -> Result<usize, Failure> {
    let folder = context.absolute(&args.path);
    let fixable: BTreeSet<&str> =
        found.iter().filter(|found| found.edit.is_some()).map(|found| found.file.as_str()).collect();
    let mut made = 0;
    for path in fixable {
        let full = on_disk(&folder, path);
        let shown = context.shown(&full);
        let refused = |error: std::io::Error| Failure::disk(&error, &shown);
        let original = fs::read(&full).map_err(refused)?;
        let edits: Vec<&Edit> =
            found.iter().filter(|found| found.file == path).filter_map(|found| found.edit.as_ref()).collect();
        let (changed, count) = apply_edits(&original, edits);
        let permissions = fs::metadata(&full).map_err(refused)?.permissions();
        files::replace(&full, &changed, false).map_err(refused)?;
        fs::set_permissions(&full, permissions).map_err(refused)?;
        made += count;
    }
    Ok(made)
}

/// Where a file of the bundle lies: SKILL.md may be spelled in another letter case.
fn on_disk(folder: &std::path::Path, path: &str) -> PathBuf {
    let full = folder.join(path);
    if full.exists() || path != "SKILL.md" {
        return full;
    }
    let spelled = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let same = |path: &PathBuf| path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
    spelled.into_iter().find(same).unwrap_or(full)
}

fn report(packing: &Packing, found: &[Diagnostic], args: &Args, fixed: usize) -> Report {
    let errors = found.iter().filter(|found| found.severity == Level::Error).count();
    let warnings = found.len() - errors;
    let mut rows: Vec<Block> = found.iter().flat_map(rows).collect();
    if !found.is_empty() {
        rows.push(Block::Blank);
    }
    let files = number::counted(packing.bundle.len(), "file", "files");
    let counts =
        [number::counted(errors, "error", "errors"), number::counted(warnings, "warning", "warnings")]
            .join(", ");
    rows.push(Line::from(format!("{files}: {counts}")).into());
    let document = json!({
        "ok": errors == 0,
        "files": packing.bundle.len(),
        "errors": errors,
        "warnings": warnings,
        "fixed": fixed,
        "findings": found,
    });
    let mut report = Report::new(document, rows);
    if fixed > 0 {
        report = report.note(Message::note(format!("{} applied", number::counted(fixed, "fix", "fixes"))));
    }
    if errors > 0 {
        report.failure = Some(Failure::new(
            Code::LintFailed,
            format!("{} has {}", packing.shown, number::counted(errors, "error", "errors")),
        ));
    }
    let fixable = found.iter().filter(|found| found.edit.is_some()).count();
    if fixable > 0 {
        let strict = args.strict.then_some("--strict");
        let words = ["skill", "lint", "--fix"].into_iter().chain(strict).chain([packing.shown.as_str()]);
        let hint =
            format!("run `{}` to apply {}", quote::command(words), number::counted(fixable, "fix", "fixes"));
        match &mut report.failure {
            Some(failure) => *failure = failure.clone().hint(hint),
            None => report = report.hint(hint),
        }
    }
    report
}

fn rows(found: &Diagnostic) -> Vec<Block> {
    let (role, word) = match found.severity {
        Level::Error => (Role::Error, "error"),
        Level::Warning => (Role::Warning, "warning"),
    };
    let place = format!("{}:{}:{}: ", found.file, found.line, found.column);
    let head = Line::new()
        .plain(place)
        .role(role, format!("{word}[{}]:", found.code))
        .plain(format!(" {}", found.message));
    let mut rows: Vec<Block> = vec![head.indent(0, 2).into()];
    if !found.excerpt.is_empty() {
        let excerpt = Excerpt {
            line: found.line,
            column: found.column,
            end_column: found.end_column,
            text: &found.excerpt,
            label: found.label.as_deref(),
        };
        rows.extend(excerpt.lines().map(Block::from));
    }
    rows.extend(found.fix.iter().flat_map(|fix| fix.lines().enumerate()).map(|(index, line)| {
        let label = if index == 0 { "fix: " } else { "     " };
        Line::new().role(Role::Note, label).plain(line).indent(2, 7).into()
    }));
    rows
}
