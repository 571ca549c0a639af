//! What git is told by its environment and its command line, whoever runs it.
//!
//! The user's own configuration is read, for the credential helpers and proxies in it. What could ask a
//! question, run a program, or take a second repository along is turned off.

use std::ffi::{OsStr, OsString};

use crate::context::Environment;

/// `-c` of every call.
pub(super) const CONFIG: [&str; 13] = [
    "protocol.version=2",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false",
    "fetch.unpackLimit=1",
    "transfer.bundleURI=false",
    "maintenance.auto=false",
    "gc.auto=0",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=30",
];

/// `GIT_ALLOW_PROTOCOL` of a call that speaks to a remote. `ext::` would run a command, and a remote over https
/// leads to none without encryption. A user's own configuration may lead from any of them to another
/// (git-config(1), url.BASE.insteadOf). Programs that git starts obey it too, one that serves a folder of this
/// machine among them.
pub(super) const ENCRYPTED: &str = "https:ssh:file";
/// The same for http to this machine.
pub(super) const PLAIN_HTTP: &str = "http:https:ssh:file";
/// The same for git:// to this machine.
pub(super) const PLAIN_GIT: &str = "git:https:ssh:file";
/// The same of every other call: what is not here is missing, and is not fetched by the way.
pub(super) const NO_TRANSPORT: &str = "none";

/// Variables of git that are the user's to set: how to connect, whom to trust, where the configuration is.
const KEPT: [&str; 8] = [
    "GIT_SSH",
    "GIT_SSH_VARIANT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_EXEC_PATH",
];

/// The environment of a call: the user's without what would steer git elsewhere or let it ask, and with
/// configuration that has to stay off the command line.
pub(super) fn variables(user: &Environment, secret: &[(String, String)]) -> Vec<(OsString, OsString)> {
    let mut variables: Vec<(OsString, OsString)> = user
        .iter()
        .filter(|(name, _)| is_passed(name))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut set = |name: &str, value: &OsStr| variables.push((name.into(), value.into()));
    set("LC_ALL", "C".as_ref());
    set("GIT_TERMINAL_PROMPT", "0".as_ref());
    set("GIT_ASKPASS", "".as_ref());
    set("SSH_ASKPASS_REQUIRE", "never".as_ref());
    set("GCM_INTERACTIVE", "never".as_ref());
    set("GIT_NO_LAZY_FETCH", "1".as_ref());
    set("GIT_NO_REPLACE_OBJECTS", "1".as_ref());
    set("GIT_LFS_SKIP_SMUDGE", "1".as_ref());
    if let Some(own) = user.get("GIT_SSH_COMMAND") {
        set("GIT_SSH_COMMAND", own);
    }
    set_secret(user, secret, &mut set);
    variables
}

/// `GIT_CONFIG_COUNT` and its pairs (git-config(1)), behind those of the user.
fn set_secret(user: &Environment, secret: &[(String, String)], set: &mut dyn FnMut(&str, &OsStr)) {
    let own: usize = user.text("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok()).unwrap_or(0);
    for at in 0..own {
        for name in [format!("GIT_CONFIG_KEY_{at}"), format!("GIT_CONFIG_VALUE_{at}")] {
            // An empty value says something, and a pair must be whole.
            set(&name, user.get(&name).unwrap_or_default());
        }
    }
    for (at, (key, value)) in (own..).zip(secret) {
        set(&format!("GIT_CONFIG_KEY_{at}"), key.as_ref());
        set(&format!("GIT_CONFIG_VALUE_{at}"), value.as_ref());
    }
    set("GIT_CONFIG_COUNT", (own + secret.len()).to_string().as_ref());
}

fn is_passed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    if name.starts_with("GIT_") {
        return KEPT.contains(&name);
    }
    !(name.starts_with("SKILL_")
        || matches!(name, "SSH_ASKPASS" | "LANGUAGE" | "LC_ALL" | "BASH_ENV" | "ENV"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_steering_stay_behind_and_the_users_own_way_in_stays() {
        let user: Environment = [
            ("PATH", "/bin"),
            ("SKILL_TOKEN", "skr_secret"),
            ("GIT_DIR", "/elsewhere"),
            ("GIT_EXTERNAL_DIFF", "evil"),
            ("GIT_SSH_COMMAND", "ssh -i key"),
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "http.proxy"),
            ("GIT_CONFIG_VALUE_0", "http://proxy"),
            ("SSH_AUTH_SOCK", "/agent"),
        ]
        .into_iter()
        .collect();
        let secret = [("http.https://h/.extraHeader".to_owned(), "Authorization: Basic x".to_owned())];
        let all = variables(&user, &secret);
        let value = |name: &str| {
            let found = all.iter().find(|(key, _)| key == name);
            found.map(|(_, value)| value.to_str().unwrap())
        };
        assert_eq!(value("SKILL_TOKEN"), None);
        assert_eq!(value("GIT_DIR"), None);
        assert_eq!(value("GIT_EXTERNAL_DIFF"), None);
        assert_eq!(value("SSH_AUTH_SOCK"), Some("/agent"));
        assert_eq!(value("GIT_SSH_COMMAND"), Some("ssh -i key"));
        assert_eq!(value("GIT_CONFIG_COUNT"), Some("2"));
        assert_eq!(value("GIT_CONFIG_VALUE_0"), Some("http://proxy"));
        assert_eq!(value("GIT_CONFIG_KEY_1"), Some("http.https://h/.extraHeader"));
        assert_eq!(value("GIT_TERMINAL_PROMPT"), Some("0"));
    }
}
