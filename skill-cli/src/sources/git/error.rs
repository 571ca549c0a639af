//! What git and remotes say when they give nothing, as one of the stable codes.

use std::time::Duration;

use super::address::Address;
use super::process::Broken;
use super::refs::Refs;
use crate::code::Code;
use crate::failure::Failure;
use crate::text::{number, quote};

/// Why a call gave nothing.
#[derive(Debug)]
pub(super) enum Refusal {
    /// What git said before it ended, when it spoke to the remote.
    Said(String),
    /// What git said of the repository in the cache, or of itself.
    Here(String),
    /// It was ended, within the time that it had.
    Broken(Broken, Duration),
    /// The remote was sending a whole repository, larger than this many bytes.
    Whole(u64),
    /// There are more of these than fit into this many bytes.
    Many(&'static str, u64),
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

const AUTH: [&str; 9] = [
    "Authentication failed",
    "could not read Username",
    "could not read Password",
    "terminal prompts disabled",
    "unable to get password from user",
    "Permission denied (",
    "Permission denied, please try again",
    "returned error: 401",
    "returned error: 403",
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

/// What ssh says of a server whose key it does not know, and of one whose key it knows otherwise.
const HOST_KEY: &str = "Host key verification failed";
const OTHER_KEY: &str = "REMOTE HOST IDENTIFICATION HAS CHANGED";
/// What git says of objects that are not as their names say, or not there.
const DAMAGED: [&str; 7] = [
    "is corrupt",
    "object file",
    "bad object",
    "bad tree object",
    "missing blob",
    "unable to read tree",
    "did not send all necessary objects",
];
/// What the system says through git when a disk is full.
const FULL: [&str; 2] = ["No space left on device", "Disk quota exceeded"];
/// What git says of an option that came after it.
const TOO_OLD: [&str; 4] = ["unknown option", "unknown switch", "usage: git", "unknown object format"];
/// The git that knows all of what it is asked (git-fetch(1), --refetch).
const NEEDED: &str = "2.36";

/// What git says of a local repository that is somebody else's (git-config(1), safe.directory).
const FOREIGN: &str = "dubious ownership";

fn too_much(address: &Address, limit: u64) -> Failure {
    Failure::new(Code::BundleLarge, format!("{} sends more than {}", address.shown, number::size(limit)))
}

/// The failure of a call.
pub(super) fn failure(address: &Address, refusal: &Refusal) -> Failure {
    match refusal {
        Refusal::Broken(broken, patience) => ended(address, broken, *patience),
        Refusal::Whole(limit) => too_much(address, *limit)
            .because(format!(
                "{} was asked for one commit without contents, which it need not give",
                address.host()
            ))
            .because("the download was stopped there")
            .nothing_changed()
            .hint("take an archive of the skill's folder, or a remote that knows partial clones"),
        Refusal::Many(what, limit) => {
            let limit = number::size(*limit);
            let text = format!("{} lists more than {limit} of {what}", address.shown);
            Failure::new(Code::BundleFilesMany, text)
                .because("the list was not read further")
                .nothing_changed()
                .hint("take an archive of the skill's folder")
        }
        Refusal::Here(text) => here(address, text).unwrap_or_else(|| {
            Failure::new(Code::DiskIo, format!("git cannot read what it fetched of {}", address.shown))
                .because(said(text))
                .nothing_changed()
        }),
        Refusal::Said(text) => here(address, text)
            .or_else(|| refused(address, text))
            .unwrap_or_else(|| unreachable(address, text)),
    }
}

/// A call that was ended.
fn ended(address: &Address, broken: &Broken, patience: Duration) -> Failure {
    let failure = match broken {
        Broken::Absent => Failure::new(Code::GitAbsent, "the git program is not installed")
            .because(format!("{} is read with it", address.shown))
            .hint("install git, or take an archive of the repository"),
        Broken::Io(error) => Failure::disk(error, "the git program"),
        Broken::TimeUp => {
            let took = number::duration(patience);
            Failure::new(Code::GitTimeout, format!("{} did not answer within {took}", address.host()))
                .because(format!("asked for {}", address.shown))
                .hint("give it longer with `--timeout SECS`")
        }
        Broken::TooMuch(limit) => too_much(address, *limit)
            .because("the download was stopped there")
            .hint("add `--path PATH` to take a smaller folder of it"),
    };
    failure.nothing_changed()
}

/// What is a matter of this machine, whoever git was speaking to.
fn here(address: &Address, text: &str) -> Option<Failure> {
    let own: String =
        text.lines().filter(|line| !line.starts_with("remote: ")).collect::<Vec<_>>().join("\n");
    let failure = if FULL.iter().any(|known| own.contains(known)) {
        Failure::new(Code::DiskFull, "no space is left in the cache")
            .because(format!("git was fetching {}", address.shown))
            .because(said_of(&own, &FULL))
            .hint("free some space, or set SKILL_HOME to a folder on another disk")
    } else if TOO_OLD.iter().any(|known| own.contains(known)) {
        Failure::new(Code::GitAbsent, "the git program that is installed is too old")
            .because(format!("{} is read with git {NEEDED} or newer", address.shown))
            .because(said_of(&own, &TOO_OLD))
            .hint("install a newer git, or take an archive of the repository")
    } else {
        return None;
    };
    Some(failure.nothing_changed())
}

/// What the remote, or the way to it, says no with.
fn refused(address: &Address, text: &str) -> Option<Failure> {
    let says = |any: &[&str]| any.iter().any(|known| text.contains(known));
    let (host, shown) = (address.host(), &address.shown);
    let failure = if says(&[FOREIGN]) {
        Failure::new(Code::GitAuth, format!("git does not read {shown}"))
            .because("it belongs to another user of this machine")
            .because(said_of(text, &[FOREIGN]))
            .hint("if you know whose it is, add its path to `safe.directory` of your git configuration")
    } else if says(&[OTHER_KEY]) {
        Failure::new(Code::GitAuth, format!("the key of {host} is not the one that is known here"))
            .because("it was changed, or somebody else answers in its place")
            .because(said_of(text, &[OTHER_KEY]))
            .hint("compare it with what its operator publishes before you correct known_hosts")
    } else if says(&[HOST_KEY]) {
        Failure::new(Code::GitAuth, format!("the key of {host} is not known here"))
            .because(said_of(text, &[HOST_KEY]))
            .hint(format!(
                "run `ssh {}` once, and compare the key with what its operator publishes",
                quote::shell(&host)
            ))
    } else if says(&AUTH) && !address.secret.is_empty() {
        Failure::new(Code::GitAuth, format!("{host} does not accept the credentials of the URL"))
            .because(format!("asked for {shown}"))
            .because(said_of(text, &AUTH))
            .hint("correct them, or leave them out and set up git's own credential helper")
    } else if says(&AUTH) {
        Failure::new(Code::GitAuth, format!("{host} asks for credentials"))
            .because(format!("asked for {shown}, which does not exist or is private"))
            .because(said_of(text, &AUTH))
            .hint("set up git's own credential helper or ssh key for it, then run this again")
    } else if says(&ABSENT) {
        Failure::new(Code::GitNotFound, format!("there is no repository at {shown}"))
            .because(said_of(text, &ABSENT))
            .hint("check the address; `git ls-remote` with it has to answer")
    } else if says(&DAMAGED) {
        Failure::new(Code::GitUnreachable, format!("{shown} is damaged"))
            .because(said_of(text, &DAMAGED))
            .hint("tell whoever keeps it; `git fsck` there names what is missing")
    } else {
        return None;
    };
    Some(failure.nothing_changed())
}

fn unreachable(address: &Address, text: &str) -> Failure {
    Failure::new(Code::GitUnreachable, format!("{} does not answer as a git remote", address.host()))
        .because(format!("asked for {}", address.shown))
        .because(said(text))
        .nothing_changed()
        .hint("check the network and the address, or give it longer with `--timeout SECS`")
}

/// The line that tells which failure it is, else what [`said`] finds.
fn said_of(text: &str, telling: &[&str]) -> String {
    let line = text.lines().find(|line| telling.iter().any(|known| line.contains(known)));
    said(line.unwrap_or(text))
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
        let failure = Failure::new(Code::GitRefNotFound, format!("{} has no commit", address.shown));
        // A page for people reads like a remote without refs.
        let why = if address.url.starts_with("http") {
            "nothing was pushed to it yet, or it is a web page and no repository"
        } else {
            "nothing was pushed to it yet"
        };
        return failure.because(why).nothing_changed();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn address(secret: &[(String, String)]) -> Address {
        Address {
            url: "ssh://skills.example/r.git".to_owned(),
            location: skill_core::reference::Location::stripped("ssh://skills.example/r.git"),
            shown: "git:ssh://skills.example/r.git".to_owned(),
            is_local: false,
            secret: secret.to_vec(),
            transports: "",
        }
    }

    /// Texts of git 2.36 to 2.51, of OpenSSH and of the large hosts, with the line that tells and the lines around.
    #[test]
    fn what_git_says_is_told_by_the_line_that_tells() {
        let closing = "fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\n";
        for (text, code, message) in [
            (
                format!(
                    "No ED25519 host key is known for skills.example and you have requested strict checking.\r\nHost key verification failed.\r\n{closing}"
                ),
                Code::GitAuth,
                "the key of skills.example is not known here",
            ),
            (
                format!(
                    "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.\n{closing}"
                ),
                Code::GitAuth,
                "the key of skills.example is not the one that is known here",
            ),
            (
                format!("git@skills.example: Permission denied (publickey).\r\n{closing}"),
                Code::GitAuth,
                "skills.example asks for credentials",
            ),
            (
                format!("ERROR: Repository not found.\n{closing}"),
                Code::GitNotFound,
                "there is no repository at git:ssh://skills.example/r.git",
            ),
            (
                "fatal: write error: No space left on device\nfatal: index-pack failed\n".to_owned(),
                Code::DiskFull,
                "no space is left in the cache",
            ),
            (
                "error: unknown option `refetch'\nusage: git fetch [<options>]\n".to_owned(),
                Code::GitAbsent,
                "the git program that is installed is too old",
            ),
            (
                "error: object file ./objects/ab/cd is empty\nfatal: loose object abcd is corrupt\n"
                    .to_owned(),
                Code::GitUnreachable,
                "git:ssh://skills.example/r.git is damaged",
            ),
            (
                "remote: No space left on device\nfatal: early EOF\n".to_owned(),
                Code::GitUnreachable,
                "skills.example does not answer as a git remote",
            ),
        ] {
            let failure = failure(&address(&[]), &Refusal::Said(text.clone()));
            assert_eq!((failure.code, failure.message.as_str()), (code, message), "{text}");
            let because = failure.document()["error"]["because"].to_string();
            let bare = |line: &str| {
                let line = line.trim().trim_end_matches('.').trim_start_matches("error: ").to_owned();
                line.trim_start_matches("fatal: ").to_owned()
            };
            let is_told = text.lines().any(|line| because.contains(&bare(line)));
            assert!(is_told && !because.contains("Could not read from"), "{because}");
        }
        let local = failure(&address(&[]), &Refusal::Here("fatal: bad object 1234\n".to_owned()));
        assert_eq!(local.code, Code::DiskIo);
        let secret = [("http.extraHeader".to_owned(), "x".to_owned())];
        let text = Refusal::Said("fatal: Authentication failed for 'https://skills.example/'\n".to_owned());
        let refused = failure(&address(&secret), &text);
        assert_eq!(refused.message, "skills.example does not accept the credentials of the URL");
    }
}
