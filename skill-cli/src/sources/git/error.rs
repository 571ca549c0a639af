//! What git and remotes say when they give nothing, as one of the stable codes.

use std::time::Duration;

use super::address::Address;
use super::process::Broken;
use super::refs::Refs;
use crate::code::Code;
use crate::failure::Failure;
use crate::text::number;

/// Why a call gave nothing.
#[derive(Debug)]
pub(super) enum Refusal {
    /// What git said before it ended.
    Said(String),
    /// It was ended, within the time that it had.
    Broken(Broken, Duration),
    /// The remote was sending a whole repository, larger than this many bytes.
    Whole(u64),
}

impl Refusal {
    /// Whether another way of asking may be answered.
    pub(super) fn is_about_the_way(&self) -> bool {
        const TEXTS: [&str; 6] = [
            "not our ref",
            "unadvertised object",
            "does not support shallow",
            "dumb http",
            "does not support --filter",
            "couldn't find remote ref",
        ];
        matches!(self, Self::Said(text) if TEXTS.iter().any(|known| text.contains(known)))
    }
}

const AUTH: [&str; 10] = [
    "Authentication failed",
    "could not read Username",
    "could not read Password",
    "terminal prompts disabled",
    "unable to get password from user",
    "Permission denied (",
    "Permission denied, please try again",
    "returned error: 401",
    "returned error: 403",
    "Host key verification failed",
];
const ABSENT: [&str; 9] = [
    "returned error: 404",
    "returned error: 410",
    "Repository not found",
    "repository not found",
    "' not found",
    "does not appear to be a git repository",
    "not valid: is this a git repository",
    "does not exist",
    "project you were looking for could not be found",
];

/// What git says of a local repository that is somebody else's (git-config(1), safe.directory).
const FOREIGN: &str = "dubious ownership";

fn too_much(address: &Address, limit: u64) -> Failure {
    Failure::new(Code::BundleLarge, format!("{} sends more than {}", address.shown, number::size(limit)))
}

/// The failure of a call.
pub(super) fn failure(address: &Address, refusal: &Refusal) -> Failure {
    let text = match refusal {
        Refusal::Broken(Broken::Absent, _) => {
            return Failure::new(Code::GitAbsent, "the git program is not installed")
                .because(format!("{} is read with it", address.shown))
                .nothing_changed()
                .hint("install git, or take an archive of the repository");
        }
        Refusal::Broken(Broken::Io(error), _) => {
            return Failure::disk(error, "the git program").nothing_changed();
        }
        Refusal::Broken(Broken::TimeUp, patience) => {
            let took = number::duration(*patience);
            return Failure::new(
                Code::GitTimeout,
                format!("{} did not answer within {took}", address.host()),
            )
            .because(format!("asked for {}", address.shown))
            .nothing_changed()
            .hint("give it longer with `--timeout SECS`");
        }
        Refusal::Broken(Broken::TooMuch(limit), _) => {
            return too_much(address, *limit)
                .because("the download was stopped there")
                .nothing_changed()
                .hint("add `--path PATH` to take a smaller folder of it");
        }
        Refusal::Whole(limit) => {
            return too_much(address, *limit)
                .because(format!(
                    "{} was asked for one commit without contents, which it need not give",
                    address.host()
                ))
                .because("the download was stopped there")
                .nothing_changed()
                .hint("take an archive of the skill's folder, or a remote that knows partial clones");
        }
        Refusal::Said(text) => text,
    };
    let says = |any: &[&str]| any.iter().any(|known| text.contains(known));
    if says(&[FOREIGN]) {
        return Failure::new(Code::GitAuth, format!("git does not read {}", address.shown))
            .because("it belongs to another user of this machine")
            .because(said(text))
            .nothing_changed()
            .hint("if you know whose it is, add its path to `safe.directory` of your git configuration");
    }
    if says(&AUTH) {
        return Failure::new(Code::GitAuth, format!("{} asks for credentials", address.host()))
            .because(format!("asked for {}, which does not exist or is private", address.shown))
            .because(said(text))
            .nothing_changed()
            .hint("set up git's own credential helper or ssh key for it, then run this again");
    }
    if says(&ABSENT) {
        return Failure::new(Code::GitNotFound, format!("there is no repository at {}", address.shown))
            .because(said(text))
            .nothing_changed()
            .hint("check the address; `git ls-remote` with it has to answer");
    }
    Failure::new(Code::GitUnreachable, format!("{} does not answer as a git remote", address.host()))
        .because(format!("asked for {}", address.shown))
        .because(said(text))
        .nothing_changed()
        .hint("check the network and the address, or give it longer with `--timeout SECS`")
}

/// The first reason that git names, without its URL's credentials and without its labels.
fn said(text: &str) -> String {
    let telling = |line: &&str| line.starts_with("fatal: ") || line.starts_with("error: ");
    let remote = |line: &&str| line.starts_with("remote: ") || line.starts_with("ERROR: ");
    let line =
        text.lines().find(telling).or_else(|| text.lines().find(remote)).or_else(|| text.lines().next());
    let line = line.unwrap_or("it ended without a word");
    let line = ["fatal: ", "error: "].iter().find_map(|label| line.strip_prefix(label)).unwrap_or(line);
    let shown: String = line.trim().trim_end_matches('.').chars().take(300).collect();
    format!("git says: \"{}\"", skill_core::reference::without_credentials(&shown))
}

/// `git-ref-not-found`, with names that are near.
pub(super) fn no_such_ref(address: &Address, reference: &str, refs: &Refs) -> Failure {
    if refs.is_empty() {
        return Failure::new(Code::GitRefNotFound, format!("{} has no commit yet", address.shown))
            .nothing_changed();
    }
    let nearest = refs.nearest(reference);
    let message = format!("{} has no branch, tag or commit {reference}", address.shown);
    let failure = Failure::new(Code::GitRefNotFound, message);
    let failure = if nearest.is_empty() {
        failure
    } else {
        failure
            .because(format!("similar names there: {}", nearest.join(", ")))
            .key("similar", nearest.clone())
    };
    let hint = nearest.first().map_or("REF", String::as_str);
    failure.nothing_changed().hint(format!("add `--ref {hint}`"))
}
