//! Policy programs that attack what is staged, or what lies beside it, by other means than writing to files.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

use crate::support::engine::skipped;
use crate::support::policy::{ALLOW, Nobody, PATH, failed_closed, give, program, unchanged};
use crate::support::{Sandbox, Skill};

const INSTALL: &[&str] = &["install", "./dirry"];
const CHANGED: &str = "the staged files changed while it was asked";

fn user() -> Sandbox {
    let user = Sandbox::new();
    Skill::new("dirry").script("bin/run.sh", "#!/bin/sh\necho run\n").write(&user, "dirry");
    user
}

/// Makes it the program that does this with `$path`, `$stage` around it and `$out`, a folder elsewhere.
fn does(user: &Sandbox, what: &str) {
    let out = user.skill_home().join("out");
    let _ = fs_err::remove_dir_all(&out);
    fs_err::create_dir(&out).unwrap();
    fs_err::set_permissions(&out, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    program(user, &format!("{PATH}\nstage=$(dirname \"$path\")\nout={}\n{what}\n{ALLOW}", out.display()), "");
}

#[test]
fn names_modes_and_owners_of_staged_files_are_part_of_what_was_judged() {
    let user = user();
    let mut deeds = vec![
        // Another name for a file: it could be written to later.
        "ln \"$path/SKILL.md\" \"$out/SKILL.md\"",
        "ln \"$path/bin/run.sh\" \"$out/run.sh\"",
        // Another file with the same bytes.
        "cp \"$path/SKILL.md\" \"$out/x\" && ln -f \"$out/x\" \"$path/SKILL.md\"",
        "cp -p \"$path/SKILL.md\" \"$out/x\" && mv \"$out/x\" \"$path/SKILL.md\"",
        "cp -rp \"$path\" \"$stage/other\" && rm -r \"$path\" && mv \"$stage/other\" \"$path\"",
        // Modes that a bundle does not have.
        "chmod 666 \"$path/SKILL.md\"",
        "chmod 4755 \"$path/bin/run.sh\"",
        "chmod 777 \"$path\"",
        "chmod 777 \"$path/bin\"",
        "chmod 777 \"$stage\"",
        "chmod 600 \"$path/SKILL.md\"",
        "mkdir \"$path/empty\"",
        "mkfifo \"$path/pipe\"",
    ];
    if rustix::process::geteuid().is_root() {
        deeds.extend(["chown 65534 \"$path/SKILL.md\"", "chgrp 65534 \"$path/bin\""]);
    } else {
        skipped("giving a file to another user needs root");
    }
    for deed in deeds {
        does(&user, deed);
        assert_eq!(failed_closed(&user, INSTALL), CHANGED, "{deed}");
    }
}

#[test]
fn links_in_place_of_what_is_staged() {
    let user = user();
    for deed in [
        "mv \"$path\" \"$out/dirry\" && ln -s \"$out/dirry\" \"$path\"",
        "mv \"$path\" \"$stage/moved\" && ln -s moved \"$path\"",
        "mv \"$stage\" \"$out/stage\" && ln -s \"$out/stage\" \"$stage\"",
        "rm -r \"$stage\" && ln -s \"$out\" \"$stage\"",
        "rm -r \"$path\" && ln -s / \"$path\"",
        "mv \"$path/SKILL.md\" \"$out/x\" && ln -s \"$out/x\" \"$path/SKILL.md\"",
        "mv \"$path/bin\" \"$out/bin\" && ln -s \"$out/bin\" \"$path/bin\"",
    ] {
        does(&user, &format!("echo kept > \"$out/kept\"\n{deed}"));
        assert_eq!(failed_closed(&user, INSTALL), CHANGED, "{deed}");
        // What the links lead to is not cleaned away.
        let kept = user.skill_home().join("out/kept");
        assert_eq!(fs_err::read_to_string(kept).unwrap(), "kept\n", "{deed}");
    }
}

#[test]
fn staging_that_is_deleted() {
    let user = user();
    for deed in [
        "rm -r \"$path\"",
        "rm -r \"$stage\"",
        "rm -r \"$stage\" && : > \"$stage\"",
        "rm -r \"$(dirname \"$stage\")\"",
    ] {
        does(&user, deed);
        assert_eq!(failed_closed(&user, INSTALL), CHANGED, "{deed}");
    }
}

#[test]
fn staging_that_is_closed_to_its_owner() {
    let user = user();
    let Some(nobody) = Nobody::owning(&user) else { return };
    for deed in [
        "chmod 000 \"$path\"",
        "chmod 000 \"$path/bin\"",
        "chmod 000 \"$path/SKILL.md\"",
        "chmod 000 \"$stage\"",
        "chmod 000 \"$path/bin\" \"$path\" \"$stage\"",
        "chmod 500 \"$path/bin\" \"$path\" \"$stage\"",
    ] {
        does(&user, deed);
        give(&user.skill_home(), "65534:65534");
        let before = user.disk();
        let out = nobody.skill(&["install", "./dirry", "--json"]).code(5);
        assert_eq!(out.error_code(), "policy-failed-closed", "{deed}");
        assert_eq!(out.json()["error"]["detail"], CHANGED, "{deed}");
        unchanged(&user, &before, &out);
    }
}

#[test]
fn staging_that_nobody_can_remove_is_named_and_cleaned_once_it_can_be() {
    let user = user();
    let probe = user.skill_home().join("probe");
    fs_err::write(&probe, "").unwrap();
    let chattr = |flag: &str, path: &Path| {
        let out = Command::new("chattr").arg(flag).arg(path).output();
        out.is_ok_and(|out| out.status.success())
    };
    if !chattr("+i", &probe) {
        return skipped("making a file immutable needs root and a file system that can");
    }
    assert!(chattr("-i", &probe));
    does(&user, "chattr +i \"$path/SKILL.md\"");
    let before = user.disk();
    let out = user.skill(INSTALL).code(5);
    let staged = fs_err::read_dir(user.path("skills")).unwrap().next().unwrap().unwrap().path();
    let name = staged.file_name().unwrap().to_str().unwrap().to_owned();
    let next = user.skill(["verify"]);
    assert!(chattr("-i", &staged.join("dirry/SKILL.md")));
    let text = format!("{out}\n{next}").replace(&name, "[STAGE]");
    insta::assert_snapshot!(text, @r"
    -- stderr
    1 skill to install in skills/
      +  dirry  -  -  clean  143 B  ./dirry
    error[policy-failed-closed]: install policy failed closed: dirry
          the staged files changed while it was asked
      because: dirry changed while it was judged
      because: nothing was installed, but skills/[STAGE] cannot be removed
    hint: ask whoever looks after the program: it has to leave the staged files alone
    hint: make it removable; the next command here takes it away
    -- exit 5
    -- stderr
    error[disk-denied]: cannot read or write .skill
      because: cannot remove directory `[SANDBOX]/work/skills/[STAGE]`: operation not permitted
      because: nothing was changed
    -- exit 1
    ");
    user.skill(["list"]).success();
    assert_eq!(user.disk(), before);
}

#[test]
fn the_folder_of_records_is_deleted_or_exchanged() {
    for (deed, after) in [
        ("rm -rf .skill", "mkdir .skill"),
        ("mv .skill was && ln -s was .skill", "rm .skill && mv was .skill"),
        ("cp -r .skill copy && rm -r .skill && mv copy .skill", "true"),
    ] {
        let user = user();
        user.skill(INSTALL).success();
        let before = fs_err::read_dir(user.path("skills/dirry")).unwrap().count();
        user.write("dirry/more.md", "more");
        let cd = format!("cd {}", user.work().display());
        does(&user, &format!("{cd}\n{deed}"));
        let out = user.skill(["install", "./dirry", "--json"]).code(5);
        assert_eq!(out.json()["error"]["detail"], CHANGED, "{deed}");
        assert_eq!(fs_err::read_dir(user.path("skills/dirry")).unwrap().count(), before, "{deed}");
        let status = Command::new("sh").args(["-ec", after]).current_dir(user.work()).status();
        assert!(status.unwrap().success());
        does(&user, "true");
        user.skill(INSTALL).success();
        user.skill(["verify"]).success();
    }
}

#[test]
fn a_journal_that_a_program_removes_or_writes_is_written_anew() {
    for deed in ["rm .skill/journal", "echo x > .skill/journal", "ln -sf /etc/passwd .skill/journal"] {
        let user = user();
        does(&user, &format!("cd {}\n{deed}", user.work().display()));
        user.skill(INSTALL).success();
        user.skill(["verify"]).success();
    }
    let user = user();
    let deed = format!("{PATH}\necho x > {}\nexit 1", user.path(".skill/journal").display());
    program(&user, &deed, "");
    assert_eq!(failed_closed(&user, INSTALL), "policy command exited with code 1");
}

#[test]
fn other_skills_are_not_touched_by_an_install_and_verify_names_what_was_done_to_them() {
    let user = user();
    Skill::new("other").write(&user, "other");
    user.skill(["install", "./other"]).success();
    does(&user, &format!("echo evil >> {}", user.path("skills/other/SKILL.md").display()));
    user.skill(INSTALL).success();
    let out = user.skill(["verify", "--json"]).code(4);
    assert_eq!(out.failed_checks(), ["disk-content"]);
    user.skill(["verify", "dirry"]).success();
}

#[test]
fn a_lock_or_skills_toml_that_a_program_writes_is_not_written_over() {
    for (name, text) in [("skills.lock", "# a lock of mine\n"), ("skills.toml", "[skills]\n# mine\n")] {
        let user = user();
        does(&user, &format!("printf '{}' > {}", text.replace('\n', "\\n"), user.path(name).display()));
        let out = user.skill(["install", "./dirry", "--json"]).code(4);
        assert_eq!(out.error_code(), "disk-differs", "{name}");
        assert_eq!(out.json()["error"]["files"][0], name);
        assert_eq!(user.read(name), text);
        assert!(!user.path("skills/dirry").exists(), "{name}");
        // The same over one that was there; what nothing of the change is written to is left alone.
        fs_err::remove_file(user.path(name)).unwrap();
        does(&user, "true");
        user.skill(INSTALL).success();
        let before = fs_err::metadata(user.path("skills/dirry")).unwrap().ino();
        user.write("dirry/more.md", "more");
        does(&user, &format!("printf '# mine\\n' >> {}", user.path(name).display()));
        let out = user.skill(["install", "./dirry", "--json"]);
        assert!(user.read(name).ends_with("# mine\n"), "{name}");
        if name == "skills.toml" {
            // It says the same as before the change, so that it is not written.
            out.success();
            continue;
        }
        assert_eq!(out.code(4).error_code(), "disk-differs", "{name}");
        assert_eq!(fs_err::metadata(user.path("skills/dirry")).unwrap().ino(), before);
        assert!(!user.path("skills/dirry/more.md").exists());
    }
}
