//! Programs of an install policy that do what they should not: nothing is installed, nothing is left.

use std::cell::RefCell;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::engine::skipped;
use crate::support::policy::{ALLOW, PATH, failed_closed, program, refused, script, table, unchanged};
use crate::support::{Sandbox, Skill};

const INSTALL: &[&str] = &["install", "./dirry"];

fn user() -> Sandbox {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user
}

/// How many processes have `mark` in their command line.
fn running(mark: &str) -> usize {
    let ids = fs_err::read_dir("/proc").unwrap().filter_map(|entry| {
        let path = entry.ok()?.path();
        fs_err::read(path.join("cmdline")).ok()
    });
    ids.filter(|line| String::from_utf8_lossy(line).contains(mark)).count()
}

/// An install that runs beside the test.
struct Started(RefCell<Child>);

impl Started {
    fn of(user: &Sandbox) -> Self {
        let mut command = user.command();
        command.args(INSTALL).stdout(Stdio::null()).stderr(Stdio::null());
        Self(RefCell::new(command.spawn().unwrap()))
    }

    /// Waits until something is so; ends the test if the install ends before.
    #[track_caller]
    fn wait_for(&self, what: &str, is_so: impl Fn() -> bool) {
        while !is_so() {
            let ended = self.0.borrow_mut().try_wait().unwrap();
            assert!(ended.is_none(), "the install ended with {ended:?} and without {what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Interrupts it, and gives its exit code.
    fn interrupt(self) -> Option<i32> {
        let mut child = self.0.into_inner();
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        child.wait().unwrap().code()
    }
}

#[test]
fn a_program_that_edits_the_staged_tree() {
    let user = user();
    for edit in [
        "echo evil >> \"$path/SKILL.md\"",
        "echo evil > \"$path/more.md\"",
        "rm \"$path/SKILL.md\"",
        "chmod +x \"$path/SKILL.md\"",
        "ln -s /etc/passwd \"$path/passwd\"",
        "mkdir \"$path/.git\"",
        "rm -r \"$path\"",
        "mv \"$path\" \"$path.away\" && mkdir \"$path\" && cp \"$path.away/SKILL.md\" \"$path\" && echo x > \"$path/x\"",
    ] {
        program(&user, &format!("{PATH}\n{edit}\n{ALLOW}"), "");
        assert_eq!(failed_closed(&user, INSTALL), "the staged files changed while it was asked", "{edit}");
        assert!(!user.path("skills").exists(), "{edit}");
    }
}

#[test]
fn a_program_whose_child_races_the_rename() {
    let user = user();
    let race = format!(
        "{PATH}\n(while :; do echo evil >> \"$path/SKILL.md\"; echo evil >> {}/SKILL.md; done) > /dev/null 2>&1 &\n{ALLOW}",
        user.path("skills/dirry").display()
    );
    program(&user, &race, "");
    let why = failed_closed(&user, INSTALL);
    assert_eq!(why, "policy command left 1 process running behind it, which was ended");
}

#[test]
fn a_child_that_is_left_behind() {
    let user = user();
    let mark = format!("86400.{}", std::process::id());
    for leave in [
        format!("sleep {mark} > /dev/null 2>&1 < /dev/null &"),
        // It keeps the pipes open.
        format!("sleep {mark} &"),
        format!("setsid sleep {mark} > /dev/null 2>&1 < /dev/null &"),
        // Twice forked, a session of its own, no environment, the parent long gone.
        format!("(env -i setsid -f sleep {mark} > /dev/null 2>&1 < /dev/null); sleep 0.1"),
        format!("nohup sh -c '(setsid -f sh -c \"sleep {mark}; :\")' > /dev/null 2>&1 < /dev/null"),
    ] {
        program(&user, &format!("{leave}\n{ALLOW}"), "");
        let why = failed_closed(&user, INSTALL);
        assert!(why.starts_with("policy command left "), "{leave}: {why}");
        assert_eq!(running(&mark), 0, "{leave}");
    }
}

#[test]
fn a_child_that_ends_by_itself_in_a_moment_is_none_that_was_left() {
    let user = user();
    program(&user, &format!("sleep 0.05 > /dev/null 2>&1 &\n{ALLOW}"), "");
    user.skill(INSTALL).success();
}

#[test]
fn a_timeout_ends_the_whole_tree() {
    let user = user();
    let mark = format!("86401.{}", std::process::id());
    let tree =
        format!("setsid sleep {mark} &\n(setsid -f sleep {mark})\nsh -c 'sleep {mark}; :' &\nsleep {mark}");
    program(&user, &tree, "timeout_ms = 300");
    let began = Instant::now();
    assert_eq!(failed_closed(&user, INSTALL), "policy command timed out after 300ms");
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(running(&mark), 0);
}

#[test]
fn a_fork_bomb_is_ended() {
    let user = user();
    let mark = format!("bomb-{}", std::process::id());
    // Bounded, so that a failure of this test does not take the machine with it.
    let leaf = format!("86405.{}", std::process::id());
    let text = format!(
        "#!/bin/sh\n[ \"$1\" -gt 0 ] || exec sleep {leaf}\n\"$0\" $(($1 - 1)) &\nsetsid \"$0\" $(($1 - 1)) &\nwait\n"
    );
    let bomb = script(&user, &mark, &text);
    // It is ended once its leaves are there.
    program(&user, &format!("{} 7", bomb.display()), "timeout_ms = 60000");
    let before = user.disk();
    let child = Started::of(&user);
    child.wait_for("leaves of the bomb", || running(&leaf) >= 16);
    assert_eq!(child.interrupt(), Some(130));
    assert_eq!((running(&mark), running(&leaf)), (0, 0));
    assert_eq!(user.disk(), before);
    program(&user, &format!("{} 7", bomb.display()), "timeout_ms = 700");
    let why = failed_closed(&user, INSTALL);
    assert_eq!(why, "policy command timed out after 700ms");
    assert_eq!((running(&mark), running(&leaf)), (0, 0));
}

/// What is left behind is found in /proc; without one nothing could be, and a program is not started.
#[test]
fn a_system_that_shows_no_processes() {
    let user = user();
    let mark = user.skill_home().join("was-run");
    program(&user, &format!("touch {}\n{ALLOW}", mark.display()), "");
    let hidden = |command: &mut Command| {
        let plain = user.command();
        command.arg("--mount").args(["sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh"]);
        command.arg(plain.get_program()).current_dir(user.work()).env_clear();
        for (name, value) in plain.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
    };
    let mut command = Command::new("unshare");
    hidden(&mut command);
    if user.run(command.arg("--version")).code != 0 {
        return skipped("hiding /proc needs the right to mount");
    }
    let before = user.disk();
    let mut command = Command::new("unshare");
    hidden(&mut command);
    let out = user.run(command.args(INSTALL).arg("--json")).code(5);
    assert_eq!(out.error_code(), "policy-failed-closed");
    let why = "what the policy command starts cannot be seen: /proc does not show this process";
    assert_eq!(out.json()["error"]["detail"], why);
    unchanged(&user, &before, &out);
    assert!(!mark.exists());
}

#[test]
fn an_output_flood_is_bounded_on_both_pipes() {
    let user = user();
    for flood in ["yes", "yes >&2", "yes & yes >&2 & wait"] {
        program(&user, flood, "max_output_bytes = 100000");
        let why = failed_closed(&user, INSTALL);
        assert_eq!(why, "policy command output exceeded maxOutputBytes (100000)", "{flood}");
    }
}

#[test]
fn a_stdin_that_is_closed_or_never_read_is_the_programs_affair() {
    let user = user();
    for (body, code) in [
        (format!("exec 0<&-\n{ALLOW}"), 0),
        (ALLOW.to_owned(), 0),
        (
            "exec 0<&-\necho '{\"protocolVersion\":1,\"decision\":\"block\",\"reason\":\"unread\"}'"
                .to_owned(),
            5,
        ),
        ("exec 0<&-\nexit 1".to_owned(), 5),
    ] {
        let _ = fs_err::remove_dir_all(user.path("skills"));
        let _ = fs_err::remove_file(user.path("skills.lock"));
        program(&user, &body, "");
        user.skill(INSTALL).code(code);
    }
}

#[test]
fn the_program_runs_in_a_session_of_its_own_without_the_environment() {
    let user = user();
    let seen = user.skill_home().join("seen");
    let body = format!(
        "cat > /dev/null\n{{ echo \"$(cut -d' ' -f6 /proc/self/stat) $$\"; pwd; tr '\\0' '\\n' < /proc/$$/environ | sort; \
         (: > /dev/tty) 2>/dev/null && echo tty; ls -l /proc/$$/fd | grep -c lock; }} > {}\n{ALLOW}",
        seen.display()
    );
    program(
        &user,
        &body,
        "pass_env = [\"HOME\", \"NOT_SET\", \"WORD\"]\nenv = { WORD = \"literal\", MORE = \"1\" }",
    );
    user.run(user.command().args(INSTALL).env("SKILL_TOKEN_X", "secret").env("WORD", "parent")).success();
    let text = fs_err::read_to_string(&seen).unwrap();
    let mut lines = text.lines();
    let (session, id) = lines.next().unwrap().split_once(' ').unwrap();
    assert_eq!(session, id, "the program leads its session");
    assert_eq!(Path::new(lines.next().unwrap()), seen.parent().unwrap().join("policy"));
    let rest: Vec<&str> = lines.collect();
    let home = rest[0];
    assert!(home.starts_with("HOME=/"), "{text}");
    assert_eq!(&rest[1..], ["MORE=1", "OPENCLAW_CLI=1", "WORD=literal", "0"], "{text}");
}

#[test]
fn no_shell_reads_the_words() {
    let user = user();
    let seen = user.skill_home().join("seen");
    let path =
        script(&user, "check", &format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > {}\n{ALLOW}\n", seen.display()));
    table(
        &user,
        &format!(
            "enabled = true\ncommand = \"{}\"\nargs = [\"$(id)\", \"; exit 1\", \"a  b\", \"*\"]",
            path.display()
        ),
    );
    user.skill(INSTALL).success();
    assert_eq!(fs_err::read_to_string(&seen).unwrap(), "$(id)\n; exit 1\na  b\n*\n");
}

#[test]
fn an_interrupt_ends_the_program_and_takes_everything_back() {
    let user = user();
    let mark = format!("86402.{}", std::process::id());
    program(&user, &format!("(setsid -f sleep {mark})\nsleep {mark}"), "timeout_ms = 60000");
    let before = user.disk();
    let child = Started::of(&user);
    child.wait_for("both processes of the program", || running(&mark) >= 2);
    assert_eq!(child.interrupt(), Some(130));
    assert_eq!(running(&mark), 0);
    assert_eq!(user.disk(), before);
}

#[test]
fn one_blocked_skill_keeps_the_others_out_too() {
    let user = user();
    Skill::new("other").write(&user, "other");
    program(
        &user,
        "if grep -q '\"targetName\":\"other\"'; then echo '{\"protocolVersion\":1,\"decision\":\"block\",\"reason\":\"no\"}'; \
         else echo '{\"protocolVersion\":1,\"decision\":\"allow\"}'; fi",
        "",
    );
    let document = refused(&user, &["install", "./dirry", "./other"], "policy-blocked");
    let refused = document["error"]["refused"].as_array().unwrap();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0]["name"], "other");
}

#[test]
fn signals_that_can_be_ignored_are_not_what_ends_it() {
    let user = user();
    let mark = format!("86403.{}", std::process::id());
    for deaf in [
        format!("trap '' TERM INT HUP QUIT PIPE\nwhile :; do sleep {mark}; done"),
        // Stopped, it could not even act on a signal.
        format!("(sleep {mark} &)\nkill -STOP $$"),
    ] {
        program(&user, &format!("{ALLOW}\n{deaf}"), "timeout_ms = 300");
        let began = Instant::now();
        assert_eq!(failed_closed(&user, INSTALL), "policy command timed out after 300ms", "{deaf}");
        assert!(began.elapsed() < Duration::from_secs(30));
        assert_eq!(running(&mark), 0, "{deaf}");
    }
}

#[test]
fn a_program_that_closes_its_pipes_and_runs_on() {
    let user = user();
    let mark = format!("86404.{}", std::process::id());
    for (close, more, why) in [
        ("exec >&-", "timeout_ms = 300", "policy command timed out after 300ms"),
        ("exec >&- 2>&-", "timeout_ms = 300", "policy command timed out after 300ms"),
        ("exec >&- 2>&-", "no_output_timeout_ms = 300", "policy command produced no output for 300ms"),
    ] {
        program(&user, &format!("{ALLOW}\n{close}\nsleep {mark}"), more);
        assert_eq!(failed_closed(&user, INSTALL), why, "{close}");
        assert_eq!(running(&mark), 0, "{close}");
    }
    program(&user, "exec >&-", "");
    assert_eq!(failed_closed(&user, INSTALL), "policy command printed nothing");
}

#[test]
fn an_answer_that_comes_in_pieces_is_one() {
    let user = user();
    program(
        &user,
        "printf '{\"protocolVersion\":1,'\nsleep 0.2\nprintf '\"decision\":'\nsleep 0.2\nprintf '\"allow\"}'",
        "",
    );
    user.skill(INSTALL).success();
}
