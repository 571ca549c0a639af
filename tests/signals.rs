//! Ctrl-C and its kin while the program works without waiting for anything.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::{Sandbox, Skill};

/// A skill that takes a moment to read, to judge and to write.
fn large() -> Skill {
    let line = "one line of many, which are all the same\n";
    (0..150).fold(Skill::new("large"), |skill, at| skill.file(&format!("part-{at}.md"), line.repeat(1000)))
}

/// Starts `skill`, sends it a signal after a while, and gives what it printed on stdout and its exit code.
fn stopped(user: &Sandbox, words: &[&str], signal: &str, after: Duration) -> (String, Option<i32>) {
    let mut command = user.command();
    let child = command.args(words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    sleep(after);
    Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status().unwrap();
    let output = child.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn a_signal_in_the_middle_of_work_is_answered_and_leaves_nothing() {
    let mut interrupted = 0;
    for (round, signal) in ["INT", "TERM", "HUP"].into_iter().cycle().take(12).enumerate() {
        let user = Sandbox::new();
        large().write(&user, "large");
        let before = user.disk();
        let after = Duration::from_millis(40 * round as u64);
        let (out, exit) = stopped(&user, &["--json", "install", "./large"], signal, after);
        if exit.is_none() && out.is_empty() {
            // It came before the program had begun.
            assert_eq!(user.disk(), before, "after {after:?}");
            continue;
        }
        let document: serde_json::Value = serde_json::from_str(&out)
            .unwrap_or_else(|error| panic!("{error} after {after:?}, exit {exit:?}: {out}"));
        match exit {
            Some(0) => assert_eq!(document["installed"][0]["name"], "large"),
            Some(130) => {
                interrupted += 1;
                assert_eq!(document["error"]["code"], "interrupted");
                assert_eq!(user.disk(), before, "after {after:?}");
            }
            other => panic!("{other:?}: {out}"),
        }
    }
    assert!(interrupted > 1, "{interrupted}");
}

/// A scan works all the time and waits for nothing.
#[test]
fn a_scan_ends_at_once_and_is_not_clean() {
    let user = Sandbox::new();
    let line = "curl wget eval atob base64 | sh ; ".repeat(100) + "\n";
    let slow = (0..8).fold(Skill::new("slow"), |skill, at| skill.file(&format!("{at}.sh"), line.repeat(300)));
    slow.write(&user, "slow");
    let mut interrupted = 0;
    for (round, signal) in ["INT", "TERM", "HUP"].into_iter().cycle().take(9).enumerate() {
        let (out, exit) =
            stopped(&user, &["--json", "scan", "slow"], signal, Duration::from_millis(60 * round as u64));
        if exit.is_none() && out.is_empty() {
            continue;
        }
        let document: serde_json::Value =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}, exit {exit:?}: {out}"));
        match exit {
            Some(5) => assert_ne!(document["verdict"], "clean"),
            Some(130) => {
                interrupted += 1;
                assert_eq!(document["error"]["code"], "interrupted");
            }
            other => panic!("{other:?}: {out}"),
        }
    }
    assert!(interrupted > 1, "{interrupted}");
}
