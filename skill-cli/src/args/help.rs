//! Pages of help: 80 columns at most, wherever they are read.

use std::fmt::Write as _;

use clap::{Arg, Command};

use crate::text::{width, wrap};

/// Columns of a page.
const COLUMNS: usize = 80;
/// Where descriptions of options begin, at least.
const TEXT_AT: usize = 24;
/// A flag longer than this stands on a line of its own.
const LONG_FLAG: usize = 24;

/// One task, and the commands for it.
struct Group {
    title: &'static str,
    /// Shown with what they do.
    rows: &'static [&'static str],
    /// Shown by name alone; `unyank`, `undelete` and `unstar` are named in the lines of what they undo.
    names: &'static [&'static str],
}

const GROUPS: &[Group] = &[
    Group { title: "Use skills", rows: &["install", "remove", "list", "search", "info", "star"], names: &[] },
    Group {
        title: "Check them",
        rows: &["verify", "scan", "policy", "registry", "report", "appeal"],
        names: &[],
    },
    Group {
        title: "Write them",
        rows: &["init", "lint", "pack", "publish", "yank", "deprecate", "delete", "tag"],
        names: &[],
    },
    Group {
        title: "Account and tool",
        rows: &[],
        names: &["login", "logout", "whoami", "token", "publisher", "help"],
    },
];

/// The command that `path` names, or the nearest one above it.
pub fn find<'a>(root: &'a Command, path: &[String]) -> &'a Command {
    path.iter().try_fold(root, |here, verb| here.find_subcommand(verb)).unwrap_or(root)
}

/// The page of the command that `path` names; with examples if it was asked for in full.
pub fn page(root: &Command, path: &[String], examples: bool) -> String {
    let command = find(root, path);
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let mut page = format!("{about}\n\n{}\n", usage.trim_end());
    let whole = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let more = whole.strip_prefix(&about).unwrap_or("").trim_matches('\n');
    if !more.is_empty() {
        let _ = write!(page, "\n{more}\n");
    }
    if path.is_empty() {
        push_groups(&mut page, root);
    } else {
        push_verbs(&mut page, command);
    }
    push_arguments(&mut page, command);
    push_options(&mut page, command, path.is_empty());
    let texts = [command.get_after_long_help().filter(|_| examples), command.get_after_help()];
    for text in texts.into_iter().flatten() {
        let _ = write!(page, "\n{}\n", text.to_string().trim_end());
    }
    page
}

fn push_groups(page: &mut String, root: &Command) {
    for group in GROUPS {
        let _ = write!(page, "\n{}:\n", group.title);
        for verb in group.rows.iter().filter_map(|name| root.find_subcommand(name)) {
            push_row(page, &format!("  {}", verb.get_name()), 15, &described(verb));
        }
        if !group.names.is_empty() {
            let _ = writeln!(page, "  {}", group.names.join(", "));
        }
    }
}

fn push_verbs(page: &mut String, command: &Command) {
    let verbs: Vec<&Command> = command.get_subcommands().filter(|verb| !verb.is_hide_set()).collect();
    if verbs.is_empty() {
        return;
    }
    page.push_str("\nCommands:\n");
    for verb in verbs {
        push_row(page, &format!("  {}", verb.get_name()), 15, &described(verb));
    }
}

fn described(verb: &Command) -> String {
    let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
    let aliases: Vec<&str> = verb.get_visible_aliases().collect();
    match aliases.as_slice() {
        [] => about,
        [one] => format!("{about} [alias: {one}]"),
        several => format!("{about} [aliases: {}]", several.join(", ")),
    }
}

fn push_arguments(page: &mut String, command: &Command) {
    let arguments: Vec<&Arg> = command.get_positionals().filter(|arg| !arg.is_hide_set()).collect();
    let widest = arguments.iter().map(|arg| width::of(&arg.to_string())).max().unwrap_or(0);
    if !arguments.is_empty() {
        page.push_str("\nArguments:\n");
    }
    for argument in arguments {
        push_row(page, &format!("  {argument}"), widest + 4, &help_of(argument));
    }
}

/// Options by heading; those without one come last, and under no title if there are headings.
fn push_options(page: &mut String, command: &Command, is_root: bool) {
    let options: Vec<&Arg> = command
        .get_opts()
        .chain(command.get_arguments().filter(|arg| !arg.get_action().takes_values() && !arg.is_positional()))
        .filter(|arg| !arg.is_hide_set() && (is_root || !arg.is_global_set()))
        .filter(|arg| !is_page(arg))
        .collect();
    let options = in_written_order(command, &options);
    let widest = options
        .iter()
        .map(|arg| width::of(&spec(arg)))
        .filter(|width| *width <= LONG_FLAG)
        .max()
        .unwrap_or(0);
    let text_at = (widest + 8).max(TEXT_AT);
    let mut headings: Vec<&str> = Vec::new();
    for heading in options.iter().filter_map(|arg| arg.get_help_heading()) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in &headings {
        let _ = write!(page, "\n{heading}:\n");
        for option in options.iter().filter(|arg| arg.get_help_heading() == Some(heading)) {
            push_option(page, option, text_at);
        }
    }
    page.push_str(if headings.is_empty() { "\nOptions:\n" } else { "\n" });
    for option in options.iter().filter(|arg| arg.get_help_heading().is_none()) {
        push_option(page, option, text_at);
    }
    let help = if is_root {
        "Print help; `skill help CMD` for one command"
    } else {
        "Print help (global options: `skill --help`)"
    };
    push_row(page, "  -h, --help", text_at, help);
    if is_root {
        push_row(page, "  -V, --version", text_at, "Print the version");
    }
}

/// As the source has them, those with a short form last.
fn in_written_order<'a>(command: &Command, options: &[&'a Arg]) -> Vec<&'a Arg> {
    let position = |arg: &Arg| command.get_arguments().position(|other| other.get_id() == arg.get_id());
    let mut sorted = options.to_vec();
    sorted.sort_by_key(|arg| (arg.get_short().is_some(), position(arg)));
    sorted.dedup_by_key(|arg| arg.get_id().clone());
    sorted
}

fn spec(arg: &Arg) -> String {
    let long = arg.get_long().unwrap_or_default();
    match arg.get_value_names().filter(|_| arg.get_action().takes_values()) {
        Some([value, ..]) => format!("--{long} <{value}>"),
        _ => format!("--{long}"),
    }
}

fn push_option(page: &mut String, arg: &Arg, text_at: usize) {
    let short = arg.get_short().map_or_else(|| "      ".to_owned(), |short| format!("  -{short}, "));
    push_row(page, &format!("{short}{}", spec(arg)), text_at, &help_of(arg));
}

fn help_of(arg: &Arg) -> String {
    arg.get_help().map(ToString::to_string).unwrap_or_default()
}

fn push_row(page: &mut String, left: &str, text_at: usize, text: &str) {
    let room = COLUMNS - text_at;
    let fits = width::of(left) + 2 <= text_at;
    if fits {
        page.push_str(&width::pad(left, text_at));
    } else {
        page.extend([left, "\n", &width::blanks(text_at)]);
    }
    for (index, range) in wrap::ranges(text, room, room).into_iter().enumerate() {
        if index > 0 {
            page.push_str(&width::blanks(text_at));
        }
        page.push_str(&text[range]);
        page.push('\n');
    }
}

/// `--help` of every command, and the program's `--version`; not `publish --version VERSION`.
fn is_page(arg: &Arg) -> bool {
    use clap::ArgAction::{Help, HelpLong, HelpShort, Version};
    matches!(arg.get_action(), Help | HelpLong | HelpShort | Version)
}
