use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::json;
use skill_core::name::{NameError, Slug};

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::files;
use crate::packing::lines_to_add;
use crate::report::{Line, Report, Role};
use crate::text::quote;

/// What stands in for a description until somebody writes one.
const DESCRIPTION: &str = "Say what it does, and when an agent should use it.";

/// Start a new skill
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the skill
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Its name [default: the folder's name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What it does and when to use it
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
}

/// Writes a SKILL.md that reads well and passes `lint`.
///
/// # Errors
/// `file-exists` if there is one already, `slug-underivable`, `usage` for a name that is none, `disk-…`.
pub fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    if args.path.to_string_lossy().contains("://") {
        let named = quote::path(&args.path.to_string_lossy());
        return Err(Failure::usage(format!("{named} is a URL; a skill is begun in a folder")));
    }
    let folder = context.absolute(&args.path);
    let name = name(&folder, args.name.as_deref())?;
    let path = folder.join("SKILL.md");
    let shown = context.shown(&path);
    if let Some(taken) = taken(&folder).map_err(|error| Failure::disk(&error, &context.shown(&folder)))? {
        let there = context.shown(folder.join(taken));
        return Err(Failure::new(Code::FileExists, format!("{there} is there already")).nothing_changed());
    }
    let description = args.description.as_deref().unwrap_or(DESCRIPTION);
    files::replace(&path, page(&name, description).as_bytes(), false)
        .map_err(|error| Failure::disk(&error, &shown))?;
    let written = Line::new().role(Role::Good, "written").plain("  ").plain(shown.clone());
    let document = json!({ "name": name, "path": path });
    let lint = quote::command(["skill", "lint", &args.path.to_string_lossy()]);
    let publish = quote::command(["skill", "publish", &args.path.to_string_lossy()]);
    Ok(Report::change(document, vec![written.into()])
        .hint(format!("fill in {shown}, then run `{lint}`"))
        .hint(format!("run `{publish}` to publish it")))
}

/// A SKILL.md in any letter case.
fn taken(folder: &Path) -> std::io::Result<Option<String>> {
    if !folder.is_dir() {
        return Ok(None);
    }
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.eq_ignore_ascii_case("SKILL.md") {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

fn name(folder: &Path, given: Option<&str>) -> Result<Slug, Failure> {
    if let Some(text) = given {
        return text.parse().map_err(|error: NameError| Failure::usage(error.to_string()));
    }
    let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let base = real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Slug::slugify(&base).ok_or_else(|| {
        Failure::new(Code::SlugUnderivable, format!("no name follows from {}", quote::path(&base)))
            .hint("add `--name NAME`")
    })
}

fn page(name: &Slug, description: &str) -> String {
    let frontmatter = lines_to_add(name.as_str(), description).join("\n");
    format!(
        "{frontmatter}

# {name}

What the agent has to know before it begins.

## When to use it

- A request that this skill answers

## When not to use it

- A request that looks alike and is not one

## Steps

1. Call `TOOL` with what the request names
2. Answer with what it returned, without a further tool call

## Rules

- Never do what looks helpful and is not asked for
"
    )
}

#[cfg(test)]
mod tests {
    use skill_core::lint::PLACEHOLDERS;

    use super::*;

    #[test]
    fn lint_knows_every_placeholder() {
        let page = page(&"notes".parse().unwrap(), DESCRIPTION);
        for placeholder in PLACEHOLDERS {
            assert!(page.contains(placeholder), "{placeholder}");
        }
        // Nothing else is there to be replaced.
        let (_, body) = page.split_once("# notes\n").unwrap();
        for line in body.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let text = line.trim_start_matches(['-', ' ', '1', '2', '.']);
            assert!(PLACEHOLDERS.contains(&text), "{line}");
        }
    }
}
