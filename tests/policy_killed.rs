//! `skill` is killed while a policy program runs: the next command takes everything back.

use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::elsewhere::Elsewhere;
use crate::support::policy::{ALLOW, program};
use crate::support::{Registry, Sandbox, Skill};

/// Starts `skill`, and kills it with signal 9 once its policy program runs. Gives the disk as it was then.
fn killed(user: &Sandbox, args: &[&str]) -> String {
    let mark = user.skill_home().join("policy-runs");
    let _ = fs_err::remove_file(&mark);
    program(
        user,
        &format!("echo $$ > {0}.new\nmv {0}.new {0}\nexec sleep 1000", mark.display()),
        "timeout_ms = 600000",
    );
    let mut child = user.command().args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !mark.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before its policy was asked: {args:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let disk = user.disk();
    let program = fs_err::read_to_string(&mark).unwrap().trim().parse().ok().and_then(Pid::from_raw);
    let _ = kill_process(program.unwrap(), Signal::KILL);
    disk
}

/// What is there but for the folder of records, which a first command makes.
fn without_records(disk: &str) -> String {
    disk.lines().filter(|line| !line.contains(".skill")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_next_command_takes_back_what_was_staged_from_every_source() {
    let registry = Registry::start();
    let acme = Sandbox::publisher(&registry, "acme");
    Skill::new("fine").publish(&acme, "1.0.0").success();
    let user = Sandbox::with(&registry);
    let places = Elsewhere::of(&user, "fine", &Skill::new("fine"));
    let references = places.all().into_iter().chain(["acme/fine".to_owned()]);
    for reference in references {
        let before = user.disk();
        let there = killed(&user, &["install", &reference]);
        assert!(there.contains(".skill-stage-") && there.contains(".skill/journal"), "{reference}: {there}");
        assert!(!there.contains("skills/fine/SKILL.md"), "{reference}: {there}");
        // Any command that looks at the work directory is the next one.
        user.skill(["list"]).success();
        assert_eq!(without_records(&user.disk()), without_records(&before), "{reference}");
        assert!(!user.disk().contains("stage-") && !user.disk().contains("journal"), "{}", user.disk());
        program(&user, ALLOW, "");
        user.skill(["install", &reference]).success();
        user.skill(["verify"]).success();
        user.skill(["remove", "fine"]).success();
    }
}

#[test]
fn an_update_a_restore_and_a_forced_one_leave_what_was_there() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    user.write("dirry/more.md", "more");
    let before = user.disk();
    killed(&user, &["install", "./dirry"]);
    user.skill(["verify"]).success();
    assert_eq!(user.disk(), before);

    user.write("skills/dirry/SKILL.md", "changed by hand");
    let before = user.disk();
    killed(&user, &["install", "./dirry", "--force"]);
    user.skill(["list"]).success();
    assert_eq!(user.disk(), before);

    fs_err::remove_file(user.path("dirry/more.md")).unwrap();
    fs_err::remove_dir_all(user.path("skills/dirry")).unwrap();
    let before = user.disk();
    killed(&user, &["install", "--frozen"]);
    user.skill(["list"]).success();
    assert_eq!(user.disk(), before);
    program(&user, ALLOW, "");
    user.skill(["install", "--frozen"]).success();
    user.skill(["verify"]).success();
}

#[test]
fn a_program_that_outlives_skill_can_bring_nothing_in() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    killed(&user, &["install", "./dirry"]);
    // It goes on and writes into what was staged.
    let staged = fs_err::read_dir(user.path("skills")).unwrap().next().unwrap().unwrap().path();
    fs_err::write(staged.join("dirry/SKILL.md"), "evil").unwrap();
    fs_err::write(staged.join("dirry/evil.md"), "evil").unwrap();
    user.skill(["list"]).success();
    assert!(!user.path("skills").exists());
    assert!(!user.path("skills.lock").exists());
}
