//! Holds docs/CLI.md, help pages and hints to the parser and to the table of codes.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::args::{self, Parsed, help};
use crate::code::Code;
use crate::commands::help::by_exit;

const BEGIN: &str = "<!-- made from the program from here on; `cargo test -p skill-cli docs` says how -->\n";

fn pages() -> Vec<Vec<String>> {
    fn below(command: &clap::Command, path: &[String], pages: &mut Vec<Vec<String>>) {
        pages.push(path.to_vec());
        for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
            below(verb, &[path, &[verb.get_name().to_owned()]].concat(), pages);
        }
    }
    let mut pages = Vec::new();
    below(&args::command(), &[], &mut pages);
    pages
}

fn reference() -> String {
    let root = args::command();
    let mut text = String::from("\n## Commands\n");
    for path in pages() {
        let name = std::iter::once("skill".to_owned()).chain(path.clone()).collect::<Vec<_>>().join(" ");
        let _ = write!(text, "\n### `{name}`\n\n```text\n{}```\n", help::page(&root, &path, true));
    }
    text.push_str("\n## Codes\n");
    for (exit, word) in by_exit() {
        let entries: Vec<_> = Code::TABLE.iter().filter(|entry| entry.exit == *exit).collect();
        if entries.is_empty() {
            continue;
        }
        let title = if *exit == 0 { "Warnings".to_owned() } else { format!("Exit {exit}: {word}") };
        let _ = write!(text, "\n### {title}\n\n| code | what happened | hint |\n|---|---|---|\n");
        for entry in entries {
            let cell = |text: &str| text.replace('|', "\\|");
            let _ = writeln!(text, "| `{}` | {} | {} |", entry.name, cell(entry.meaning), cell(entry.hint));
        }
    }
    text.push_str("\nWhat `skill lint` finds has a page of its own: [LINT.md](LINT.md).\n");
    text
}

#[test]
fn docs_cli_md_is_what_the_program_says() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("docs/CLI.md");
    let now = fs_err::read_to_string(&path).unwrap();
    let (prose, _) = now.split_once(BEGIN).expect("docs/CLI.md keeps its marker");
    let should = format!("{prose}{BEGIN}{}", reference());
    if now != should {
        fs_err::write(root.join("target/CLI.md"), &should).unwrap();
        panic!(
            "docs/CLI.md is behind the program; run `cp target/CLI.md docs/CLI.md` and read the difference"
        );
    }
}

#[test]
fn no_page_of_help_is_wider_than_80_columns() {
    let root = args::command();
    for path in pages() {
        for line in help::page(&root, &path, true).lines() {
            assert!(crate::text::width::of(line) <= 80, "{path:?}: {line}");
        }
    }
}

#[test]
fn every_command_is_on_the_first_page() {
    let page = help::page(&args::command(), &[], true);
    let (_, groups) = page.split_once("\nUse skills:\n").unwrap();
    let (groups, _) = groups.split_once("\nOptions:\n").unwrap();
    let words: Vec<&str> = groups.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
    for verb in args::command().get_subcommands() {
        assert!(words.contains(&verb.get_name()), "{}", verb.get_name());
    }
}

/// The values for what stands for one in a hint.
pub(crate) fn filled(command: &str) -> Vec<OsString> {
    let value = |word: &str| match word {
        "REF" => "acme/github@1.2.3".to_owned(),
        "NAME" | "WORD" | "SLUG" => "github".to_owned(),
        "PATH" => ".".to_owned(),
        "URL" => "https://skills.example".to_owned(),
        "VERSION" => "1.2.3".to_owned(),
        "SECS" => "5".to_owned(),
        other => other.to_owned(),
    };
    command.split(' ').map(|word| value(word).into()).collect()
}

#[test]
fn every_hint_of_the_table_parses() {
    for entry in Code::TABLE {
        let commands = entry.hint.split('`').skip(1).step_by(2).filter(|text| text.starts_with("skill "));
        for command in commands {
            let parsed = args::parse(&filled(command));
            assert!(parsed.is_ok(), "{}: {command}: {parsed:?}", entry.name);
        }
    }
}

#[test]
fn every_example_of_the_help_parses() {
    let root = args::command();
    for path in pages() {
        let page = help::page(&root, &path, true);
        let Some((_, examples)) = page.split_once("\nExamples:\n") else { continue };
        for example in examples.lines().take_while(|line| line.starts_with("  skill ")) {
            let words = example.trim().split('\'').enumerate().flat_map(|(index, part)| {
                let quoted = index % 2 == 1;
                let words: Vec<&str> = if quoted { vec![part] } else { part.split_whitespace().collect() };
                words.into_iter().map(OsString::from).collect::<Vec<_>>()
            });
            let parsed = args::parse(&words.collect::<Vec<_>>());
            assert!(matches!(parsed, Ok(Parsed::Run(_))), "{example}: {parsed:?}");
        }
    }
}

#[test]
fn only_the_short_flags_that_are_meant_exist() {
    let root = args::command();
    for path in pages() {
        let command = help::find(&root, &path);
        for short in command.get_arguments().filter_map(clap::Arg::get_short) {
            let packs = command.get_name() == "pack" && short == 'o';
            assert!(packs || "qvhV".contains(short), "{path:?} -{short}");
        }
    }
}

/// Help offers nothing that the program answers with `not-built`.
#[test]
fn no_page_of_help_offers_what_is_not_built() {
    let root = args::command();
    for (verb, flag) in [("install", "managed"), ("install", "link"), ("publish", "sign")] {
        let path = [verb.to_owned()];
        let known = help::find(&root, &path).get_arguments().any(|arg| arg.get_long() == Some(flag));
        assert!(known, "{verb} reads --{flag}, to say that it is not built");
        let page = help::page(&root, &path, true);
        assert!(!page.split_whitespace().any(|word| word == format!("--{flag}")), "{verb} --{flag}");
    }
}

/// The commands in a page of the catalogue: what stands in `<code>`, and what a button copies. What a page puts in is a
/// word here.
fn commands_of(template: &str) -> Vec<String> {
    let code = template.split("<code>").skip(1).filter_map(|rest| rest.split("</code>").next());
    let copied =
        template.split("{{ command(").skip(1).filter_map(|rest| rest.split(" }}").next()?.split('"').nth(3));
    let lines = code.chain(copied).flat_map(str::lines).filter(|line| line.starts_with("skill "));
    lines.map(with_values).collect()
}

/// A line of a page with a value for each that is put in there.
fn with_values(line: &str) -> String {
    let value = |of: &str| if of.contains("base") { "https://skills.example" } else { "github" };
    let mut parts = line.split("{{");
    let mut command = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (variable, rest) = part.split_once("}}").unwrap_or((part, ""));
        command.push_str(value(variable));
        command.push_str(rest);
    }
    // A button's command ends where the page puts the value behind it.
    if command.ends_with(' ') {
        command.push_str(value(if command.contains("registry") { "base" } else { "" }));
    }
    command
}

/// Whoever reads a page of the catalogue is given commands that there are.
#[test]
fn every_command_on_a_page_of_the_catalogue_is_one() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../web/templates");
    let mut seen = 0;
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        for command in commands_of(&fs_err::read_to_string(&path).unwrap()) {
            let words = filled(&command);
            let known = args::command().get_subcommands().any(|verb| words[1] == verb.get_name());
            assert!(known, "{}: {command}", path.display());
            // A command that ends with its verb names a command; one with words is to be run.
            let parsed = if words.len() > 2 { args::parse(&words) } else { continue };
            assert!(matches!(parsed, Ok(Parsed::Run(_))), "{}: {command}: {parsed:?}", path.display());
            seen += 1;
        }
    }
    assert!(seen >= 4, "{seen}");
}
