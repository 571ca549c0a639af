use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, FromArgMatches as _};

use super::{Arguments, Globals, help, suggest};
use crate::code::Code;
use crate::failure::Failure;

/// What a command line asks for.
#[derive(Debug)]
pub enum Parsed {
    /// A command.
    Run(Box<Arguments>),
    /// A page of help, or the version: stdout, exit 0.
    Page(String),
}

/// The whole grammar, ready to be looked into.
pub fn command() -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    command
}

/// Reads a command line; its first word is the program.
///
/// # Errors
/// `usage` and the other codes of exit 2, with the nearest verb or flag as hint.
pub fn parse(words: &[OsString]) -> Result<Parsed, Failure> {
    let parsed = Arguments::command().try_get_matches_from(words);
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => return refused(&error, words),
    };
    check(&arguments.globals)?;
    Ok(Parsed::Run(Box::new(arguments)))
}

/// Whether `--json` stands before a `--`: it holds for errors of the command line too.
pub fn asks_for_json(words: &[OsString]) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}

fn check(globals: &Globals) -> Result<(), Failure> {
    if globals.quiet && globals.verbose {
        return Err(Failure::usage("`--quiet` and `--verbose` contradict each other"));
    }
    if globals.global && globals.workdir.is_some() {
        return Err(Failure::new(
            Code::WorkdirGlobal,
            "`--global` and `--workdir` both name the work directory",
        ));
    }
    Ok(())
}

fn refused(error: &clap::Error, words: &[OsString]) -> Result<Parsed, Failure> {
    let root = command();
    let path = verbs(&root, words);
    let here = help::find(&root, &path);
    let text = |kind| error.get(kind).map(value).unwrap_or_default();
    let failure = match error.kind() {
        ErrorKind::DisplayHelp => {
            let long = words.iter().any(|word| word == "--help");
            return Ok(Parsed::Page(help::page(&root, &path, long)));
        }
        ErrorKind::DisplayVersion => return Ok(Parsed::Page(error.to_string())),
        ErrorKind::InvalidSubcommand => unknown_verb(&text(ContextKind::InvalidSubcommand), &path, here),
        ErrorKind::UnknownArgument => unknown_argument(&text(ContextKind::InvalidArg), &path, here),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::usage("a command is missing").hint(page_hint(&path))
        }
        ErrorKind::MissingRequiredArgument => {
            let needed = text(ContextKind::InvalidArg);
            Failure::usage(format!("`{}` needs {needed}", name(&path))).hint(page_hint(&path))
        }
        ErrorKind::ArgumentConflict => {
            let (one, other) = (text(ContextKind::InvalidArg), text(ContextKind::PriorArg));
            Failure::usage(format!("{one} and {other} contradict each other")).hint(page_hint(&path))
        }
        ErrorKind::InvalidUtf8 => Failure::usage("an argument is not UTF-8"),
        _ => refused_value(error, &path),
    };
    Err(failure)
}

fn value(value: &ContextValue) -> String {
    let plain = |word: &str| {
        // clap shows a flag with its value: `--color <WHEN>`.
        let word = if word.starts_with('-') { word.split([' ', '=']).next().unwrap_or(word) } else { word };
        if word.starts_with('<') || word.starts_with('[') { word.to_owned() } else { format!("`{word}`") }
    };
    match value {
        ContextValue::String(word) => plain(word),
        ContextValue::Strings(words) => {
            crate::text::quote::list(words.iter().map(|word| plain(word)), usize::MAX)
        }
        other => other.to_string(),
    }
}

fn unknown_verb(quoted: &str, path: &[String], here: &clap::Command) -> Failure {
    let word = quoted.trim_matches('`');
    let candidates = here
        .get_subcommands()
        .flat_map(|verb| std::iter::once(verb.get_name()).chain(verb.get_visible_aliases()));
    let named = [path, &[word.to_owned()]].concat().join(" ");
    let shown = if crate::text::quote::path(&named).starts_with('`') { format!("`{named}`") } else { named };
    let failure = Failure::usage(format!("no command named {shown}"));
    match suggest::nearest(word, candidates).as_slice() {
        [] => failure.hint(page_hint(path)),
        near => failure.hint(did_you_mean(near.iter().map(|near| format!("{} {near}", name(path))))),
    }
}

fn unknown_argument(quoted: &str, path: &[String], here: &clap::Command) -> Failure {
    let word = quoted.trim_matches('`');
    if !word.starts_with('-') {
        return Failure::usage(format!("`{}` takes no further argument, `{word}` is one", name(path)))
            .hint(page_hint(path));
    }
    let flags: Vec<String> = here
        .get_arguments()
        .filter_map(clap::Arg::get_long)
        .chain(["help"])
        .map(|long| format!("--{long}"))
        .collect();
    if flags.iter().any(|flag| flag == word) {
        // clap reads what stands before a command as a flag of the command above it.
        return Failure::usage(format!("`{word}` belongs behind `{}`", name(path)))
            .hint(format!("write `{} {word}`", name(path)));
    }
    let failure = Failure::usage(format!("`{}` has no flag `{word}`", name(path)));
    match suggest::nearest(word, flags.iter().map(String::as_str)).as_slice() {
        [] => failure.hint(page_hint(path)),
        near => failure.hint(did_you_mean(near.iter().map(|near| (*near).to_owned()))),
    }
}

fn refused_value(error: &clap::Error, path: &[String]) -> Failure {
    let text = |kind| error.get(kind).map(value).unwrap_or_default();
    let (flag, given) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    if given.is_empty() || given == "``" {
        return Failure::usage(format!("{flag} needs a value")).hint(page_hint(path));
    }
    let failure = Failure::usage(format!("{given} is not a value of {flag}"));
    match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(words)) => {
            let failure =
                failure.because(format!("accepted: {}", crate::text::quote::list(words, usize::MAX)));
            match suggest::nearest(given.trim_matches('`'), words.iter().map(String::as_str)).as_slice() {
                [] => failure,
                near => failure.hint(did_you_mean(near.iter().map(|near| (*near).to_owned()))),
            }
        }
        _ => match std::error::Error::source(error) {
            Some(reason) => failure.because(reason.to_string()),
            None => failure.hint(page_hint(path)),
        },
    }
}

fn did_you_mean(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    format!("did you mean {}", words.join(" or "))
}

fn page_hint(path: &[String]) -> String {
    match path {
        [] => "run `skill --help` for all commands".to_owned(),
        path => format!("run `skill help {}`", path.join(" ")),
    }
}

fn name(path: &[String]) -> String {
    std::iter::once("skill").chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

/// The verbs that a command line begins with, by their own names.
fn verbs(root: &clap::Command, words: &[OsString]) -> Vec<String> {
    let (mut here, mut path) = (root, Vec::new());
    let mut words = words.iter().skip(1).map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        if let Some(long) = word.strip_prefix("--") {
            let takes_value =
                |arg: &clap::Arg| arg.get_long() == Some(long) && arg.get_action().takes_values();
            if here.get_arguments().any(takes_value) {
                words.next();
            }
            continue;
        }
        match here.find_subcommand(word.as_ref()) {
            Some(verb) => {
                here = verb;
                path.push(verb.get_name().to_owned());
            }
            None if word.starts_with('-') => {}
            None => break,
        }
    }
    path
}

/// The page of help on `topic`, a command by its words; all of it if there are none.
///
/// # Errors
/// `usage` with the nearest command if there is none of that name.
pub fn topic(root: &clap::Command, topic: &[String]) -> Result<String, Failure> {
    let (mut here, mut path) = (root, Vec::new());
    for word in topic {
        match here.find_subcommand(word) {
            Some(verb) => {
                here = verb;
                path.push(verb.get_name().to_owned());
            }
            None => return Err(unknown_verb(word, &path, here)),
        }
    }
    Ok(help::page(root, &path, true))
}
