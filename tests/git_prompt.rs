//! Nothing that git starts can ask a question, and all of it ends with the command.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;

use crate::support::git::{GitServer, Manner, Repo};
use crate::support::{Output, Sandbox};

/// An executable script in the user's home; gives its path.
fn script(user: &Sandbox, text: &str) -> PathBuf {
    let path = user.path("../home/script");
    fs_err::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Configures it as credential helper and as ssh.
fn configure(user: &Sandbox, script: &std::path::Path) {
    let path = script.display();
    let config =
        format!("[credential]\n\thelper = {path}\n[core]\n\tsshCommand = {path}\n\taskPass = {path}\n");
    fs_err::write(user.path("../home/.gitconfig"), config).unwrap();
}

#[test]
fn a_credential_helper_and_an_ssh_find_no_terminal() {
    let repo = Repo::with(&["gitty"]);
    let server = GitServer::start(repo.root(), Manner::Private);
    let over_http = format!("git:{}", server.url("/r.git"));
    for (reference, code) in [(over_http.as_str(), 7), ("git:git@skills.example:/r.git", 6)] {
        let user = Sandbox::new();
        let found = user.path("../home/found");
        let asking = format!(
            "if (exec 3<>/dev/tty) 2>/dev/null; then\n  echo Password: > /dev/tty\n  echo terminal >> {found}\n\
             else\n  echo nothing >> {found}\nfi\nexit 1",
            found = found.display()
        );
        configure(&user, &script(&user, &asking));
        let out = user.on_terminal(80, &["install", reference]).code(code);
        assert!(!out.stdout.contains("Password:"), "{out}");
        let found = fs_err::read_to_string(found).unwrap();
        assert!(!found.is_empty() && found.lines().all(|line| line == "nothing"), "{found}");
        assert_eq!(user.disk(), "");
    }
}

/// Case 77.
#[test]
fn what_git_started_ends_with_the_time_and_with_an_interrupt() {
    let repo = Repo::with(&["gitty"]);
    let server = GitServer::start(repo.root(), Manner::Private);
    let over_http = format!("git:{}", server.url("/r.git"));
    for reference in [over_http.as_str(), "git:git@skills.example:/r.git"] {
        for interrupted in [false, true] {
            let user = Sandbox::new();
            let pids = user.path("../home/pids");
            let waiting = format!("sleep 600 &\necho $! $$ >> {}\nwait", pids.display());
            configure(&user, &script(&user, &waiting));
            let mut command = user.command();
            command.args(["install", reference, "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped());
            if !interrupted {
                command.args(["--timeout", "2"]);
            }
            let mut skill = command.spawn().unwrap();
            while !fs_err::read_to_string(&pids).is_ok_and(|text| text.ends_with('\n')) {
                assert!(skill.try_wait().unwrap().is_none(), "it ended before it started anything");
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            if interrupted {
                let pid = rustix::process::Pid::from_child(&skill);
                rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
            }
            let out = skill.wait_with_output().unwrap();
            let code = out.status.code().unwrap();
            let text = |bytes: &[u8]| user.filtered(&String::from_utf8_lossy(bytes));
            let out = Output { code, stdout: text(&out.stdout), stderr: text(&out.stderr) };
            let (exit, error) = if interrupted { (130, "interrupted") } else { (6, "git-timeout") };
            assert_eq!(out.clone().code(exit).error_code(), error, "{out}");
            for pid in fs_err::read_to_string(&pids).unwrap().split_whitespace() {
                assert!(ends(pid), "{pid} still runs: {reference}");
            }
            assert_eq!(user.disk(), "");
            let left = fs_err::read_dir(user.skill_home().join("cache/git")).unwrap().count();
            assert_eq!(left, 0, "a repository was left in the cache");
        }
    }
}

/// Whether a process ends, or waits only for somebody to hear that it has.
fn ends(pid: &str) -> bool {
    (0..500).any(|_| {
        let stat = fs_err::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let ended = stat.is_empty() || stat.contains(") Z");
        if !ended {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        ended
    })
}
