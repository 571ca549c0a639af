//! Which programs are started at all: those that nobody else could have put there.

use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::Path;

use crate::support::engine::skipped;
use crate::support::policy::{ALLOW, Nobody, failed_closed, give, program, script, table, unchanged};
use crate::support::{Sandbox, Skill};

const INSTALL: &[&str] = &["install", "./dirry"];

fn user() -> Sandbox {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user
}

fn chmod(path: &Path, mode: u32) {
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_program_that_others_could_replace_is_not_started() {
    let user = user();
    let good = script(&user, "check", &format!("#!/bin/sh\n{ALLOW}\n"));
    let folder = good.parent().unwrap().to_owned();
    let link = folder.join("link");
    symlink(&good, &link).unwrap();
    let open = script(&user, "open", "#!/bin/sh\n");
    chmod(&open, 0o775);
    let plain = script(&user, "plain", "#!/bin/sh\n");
    chmod(&plain, 0o644);
    let headless = script(&user, "headless", ALLOW);
    let env = script(&user, "env", "#!/bin/sh\n");
    fs_err::create_dir(folder.join("wide")).unwrap();
    let wide = script(&user, "wide/check", "#!/bin/sh\n");
    chmod(&folder.join("wide"), 0o777);
    let text = |path: &Path| path.display().to_string();
    for (command, detail) in [
        ("check".to_owned(), "the command is not an absolute path"),
        (format!("{}/../policy/check", text(&folder)), "the path holds `.` or `..`"),
        ("/nonexistent/check".to_owned(), "does not exist"),
        (text(&folder), "is a folder"),
        (text(&link), "is a symbolic link; name what it points to"),
        ("/dev/null".to_owned(), "is not a regular file"),
        (text(&open), "can be written by its group or by others (mode 0775)"),
        (text(&plain), "is not executable"),
        (text(&headless), "is neither a program nor a script that begins with #!"),
        (text(&env), "is env, which starts another program; name that one"),
    ] {
        table(&user, &format!("enabled = true\ncommand = \"{command}\""));
        assert_eq!(failed_closed(&user, INSTALL), detail, "{command}");
    }
    table(&user, &format!("enabled = true\ncommand = \"{}\"", wide.display()));
    let why = failed_closed(&user, INSTALL);
    assert!(why.contains("wide can be written by its group or by others (mode 0777)"), "{why}");
    chmod(&folder.join("wide"), 0o1777);
    table(
        &user,
        &format!("enabled = true\ncommand = \"{}\"\ntrusted_dirs = [\"/opt/policy\"]", good.display()),
    );
    assert_eq!(failed_closed(&user, INSTALL), "lies in none of trusted_dirs");
    table(&user, "enabled = true");
    assert_eq!(failed_closed(&user, INSTALL), "enabled is true and no command is named");
    table(
        &user,
        &format!("enabled = true\ncommand = \"{}\"\ntrusted_dirs = [\"{}\"]", good.display(), text(&folder)),
    );
    user.skill(INSTALL).success();
}

#[test]
fn a_program_of_somebody_else_is_not_started() {
    if !rustix::process::geteuid().is_root() {
        return skipped("giving a file to another user needs root");
    }
    let user = user();
    let path = program(&user, ALLOW, "");
    chown(&path, Some(65534), None).unwrap();
    assert_eq!(failed_closed(&user, INSTALL), "belongs to user 65534, not to root");
    chown(&path, Some(0), None).unwrap();
    let folder = path.parent().unwrap();
    chown(folder, Some(65534), None).unwrap();
    let why = failed_closed(&user, INSTALL);
    assert!(why.contains("policy belongs to user 65534, not to root"), "{why}");
}

#[test]
fn a_user_without_rights_trusts_root_and_itself_and_nobody_else() {
    let user = user();
    let path = program(&user, ALLOW, "");
    let Some(nobody) = Nobody::owning(&user) else { return };
    let install = || nobody.skill(&["install", "./dirry", "--json"]);
    let folder = path.parent().unwrap();
    give(&path, "65533:65533");
    let out = install().code(5);
    assert_eq!(out.json()["error"]["detail"], "belongs to user 65533, not to root or to this user", "{out}");
    give(folder, "65533:65533");
    give(&path, "0:0");
    let out = install().code(5);
    assert!(out.stdout.contains("policy belongs to user 65533"), "{out}");
    give(folder, "65534:65534");
    install().success();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    give(folder, "0:0");
    install().success();
}

#[test]
fn a_program_that_this_user_cannot_look_at() {
    let user = user();
    let path = program(&user, ALLOW, "");
    let Some(nobody) = Nobody::owning(&user) else { return };
    let folder = path.parent().unwrap();
    let detail = || {
        let before = user.disk();
        let out = nobody.skill(&["install", "./dirry", "--json"]).code(5);
        assert_eq!(out.error_code(), "policy-failed-closed");
        unchanged(&user, &before, &out);
        out.json()["error"]["detail"].as_str().unwrap().to_owned()
    };
    give(folder, "0:0");
    chmod(folder, 0o700);
    assert_eq!(detail(), "cannot be read: permission denied");
    chmod(folder, 0o755);
    chmod(&path, 0o700);
    // Executable, but for root alone.
    assert_eq!(detail(), "may not be run by this user");
}

#[test]
fn a_folder_that_others_may_write_is_taken_only_with_its_sticky_bit() {
    let user = user();
    let wide = script(&user, "above/wide/deep/check", &format!("#!/bin/sh\n{ALLOW}\n"));
    let folder = wide.ancestors().nth(2).unwrap();
    table(&user, &format!("enabled = true\ncommand = \"{}\"", wide.display()));
    for mode in [0o777, 0o775, 0o757] {
        chmod(folder, mode);
        let why = failed_closed(&user, INSTALL);
        let end = format!("/wide can be written by its group or by others (mode {mode:04o})");
        assert!(why.ends_with(&end), "{why}");
    }
    chmod(folder, 0o1777);
    user.skill(INSTALL).success();
}

#[test]
fn a_folder_that_is_reached_through_a_link_is_looked_at_as_it_really_is() {
    let user = user();
    let real = script(&user, "real/check", &format!("#!/bin/sh\n{ALLOW}\n"));
    let folder = real.parent().unwrap();
    let link = folder.with_file_name("link");
    symlink(folder, &link).unwrap();
    table(&user, &format!("enabled = true\ncommand = \"{}/check\"", link.display()));
    chmod(folder, 0o777);
    let why = failed_closed(&user, INSTALL);
    assert!(why.contains("can be written by its group or by others (mode 0777)"), "{why}");
    chmod(folder, 0o755);
    user.skill(INSTALL).success();
}

#[test]
fn trusted_dirs_hold_the_command_and_every_script() {
    let user = user();
    let inside = script(&user, "in/check", &format!("#!/bin/sh\n{ALLOW}\n"));
    let folder = inside.parent().unwrap();
    let outside = script(&user, "in-other/check", &format!("#!/bin/sh\n{ALLOW}\n"));
    let lines = |command: &Path, args: &str, dirs: &str| {
        let command = command.display();
        format!("enabled = true\ncommand = \"{command}\"\nargs = [{args}]\ntrusted_dirs = [{dirs}]")
    };
    let quoted = |path: &Path| format!("\"{}\"", path.display());
    // A folder is no prefix of a name.
    table(&user, &lines(&outside, "", &quoted(folder)));
    assert_eq!(failed_closed(&user, INSTALL), "lies in none of trusted_dirs");
    table(&user, &lines(&inside, "", "\"policy\""));
    assert_eq!(failed_closed(&user, INSTALL), "trusted_dirs holds policy, which is not an absolute path");
    let shell = fs_err::canonicalize("/usr/bin/bash").unwrap();
    let dirs = format!("{}, {}", quoted(folder), quoted(shell.parent().unwrap()));
    table(&user, &lines(&shell, &quoted(&outside), &dirs));
    assert!(failed_closed(&user, INSTALL).ends_with("in-other/check: lies in none of trusted_dirs"));
    table(&user, &lines(&shell, &quoted(&inside), &dirs));
    user.skill(INSTALL).success();
    user.skill(["remove", "dirry"]).success();
    // `~` is the user's home, and nobody else's.
    let home = user.work().with_file_name("home");
    fs_err::create_dir(home.join("policy")).unwrap();
    let own = home.join("policy/check");
    fs_err::copy(&inside, &own).unwrap();
    chmod(&own, 0o755);
    table(&user, &lines(&inside, "", "\"~/policy\""));
    assert_eq!(failed_closed(&user, INSTALL), "lies in none of trusted_dirs");
    table(&user, &lines(&own, "", "\"~root/policy\""));
    let why = failed_closed(&user, INSTALL);
    assert_eq!(why, "trusted_dirs holds ~root/policy, which is not an absolute path");
    table(&user, &lines(&own, "", "\"~/policy\""));
    user.skill(INSTALL).success();
}

#[test]
fn what_is_not_there_or_cannot_be_started() {
    let user = user();
    let folder = script(&user, "x", "#!/bin/sh\n").parent().unwrap().to_owned();
    let pipe = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let gone = script(&user, "gone", "#!/nonexistent/interpreter\n");
    let below = folder.join("x/check");
    for (path, why) in [
        (&pipe, "is not a regular file"),
        (&below, "does not exist"),
        (&gone, "policy command cannot be started: No such file or directory (os error 2)"),
    ] {
        table(&user, &format!("enabled = true\ncommand = \"{}\"", path.display()));
        assert_eq!(failed_closed(&user, INSTALL), why, "{}", path.display());
    }
}

#[test]
fn every_shape_of_a_script_for_an_interpreter_is_looked_at() {
    let user = user();
    let good = script(&user, "good.sh", &format!("{ALLOW}\n"));
    let folder = good.parent().unwrap();
    let link = folder.join("link.sh");
    symlink(&good, &link).unwrap();
    let wide = script(&user, "wide/check.sh", &format!("{ALLOW}\n"));
    chmod(wide.parent().unwrap(), 0o777);
    let text = |path: &Path| path.display().to_string();
    for (arg, why) in [
        ("check.sh".to_owned(), "the command is not an absolute path"),
        ("./check".to_owned(), "the command is not an absolute path"),
        ("a/b".to_owned(), "the command is not an absolute path"),
        ("a\\\\b".to_owned(), "the command is not an absolute path"),
        ("--init-file=rc.sh".to_owned(), "the command is not an absolute path"),
        ("--init-file=../rc".to_owned(), "the command is not an absolute path"),
        (format!("--init-file={}", text(&link)), "is a symbolic link; name what it points to"),
        (text(&link), "is a symbolic link; name what it points to"),
        (text(folder), "is a folder"),
        (format!("{}/../policy/good.sh", text(folder)), "the path holds `.` or `..`"),
        (text(&wide), "can be written by its group or by others (mode 0777)"),
    ] {
        table(&user, &format!("enabled = true\ncommand = \"/usr/bin/bash\"\nargs = [\"{arg}\"]"));
        let detail = failed_closed(&user, INSTALL);
        assert!(detail.starts_with("the script ") && detail.ends_with(why), "{arg}: {detail}");
    }
    // Every one of several.
    table(
        &user,
        &format!("enabled = true\ncommand = \"/usr/bin/bash\"\nargs = [\"{}\", \"x.py\"]", text(&good)),
    );
    let why = failed_closed(&user, INSTALL);
    assert_eq!(why, "the script x.py: the command is not an absolute path");
    table(&user, &format!("enabled = true\ncommand = \"/usr/bin/bash\"\nargs = [\"{}\"]", text(&good)));
    user.skill(INSTALL).success();
}

#[test]
fn a_script_for_an_interpreter_is_looked_at_too() {
    let user = user();
    let open = script(&user, "open.py", "print()\n");
    chmod(&open, 0o666);
    let bash = "/usr/bin/bash";
    for (args, detail) in [
        ("[\"check.sh\"]".to_owned(), "the script check.sh: the command is not an absolute path"),
        ("[\"/nonexistent/x\"]".to_owned(), "the script /nonexistent/x: does not exist"),
        ("[\"--rcfile=/nonexistent/x\"]".to_owned(), "the script /nonexistent/x: does not exist"),
    ] {
        table(&user, &format!("enabled = true\ncommand = \"{bash}\"\nargs = {args}"));
        assert_eq!(failed_closed(&user, INSTALL), detail);
    }
    table(&user, &format!("enabled = true\ncommand = \"{bash}\"\nargs = [\"{}\"]", open.display()));
    let why = failed_closed(&user, INSTALL);
    assert!(why.ends_with("open.py: can be written by its group or by others (mode 0666)"), "{why}");
}

/// Whoever may write the folder that holds a link on the way decides what is started.
#[test]
fn a_link_on_the_way_in_a_folder_of_everybody() {
    let user = user();
    let real = script(&user, "real/check", &format!("#!/bin/sh\n{ALLOW}\n"));
    let folder = real.parent().unwrap().parent().unwrap().to_owned();
    fs_err::create_dir(folder.join("wide")).unwrap();
    symlink(folder.join("real"), folder.join("wide/hop")).unwrap();
    symlink("wide/hop", folder.join("way")).unwrap();
    table(&user, &format!("enabled = true\ncommand = \"{}/way/check\"", folder.display()));
    user.skill(INSTALL).success();
    // What is unchanged is not asked about.
    user.skill(["remove", "dirry"]).success();
    chmod(&folder.join("wide"), 0o777);
    let why = failed_closed(&user, INSTALL);
    assert!(why.contains("wide can be written by its group or by others (mode 0777)"), "{why}");

    let (one, other) = (folder.join("one"), folder.join("other"));
    symlink(&other, &one).unwrap();
    symlink(&one, &other).unwrap();
    table(&user, &format!("enabled = true\ncommand = \"{}/check\"", one.display()));
    failed_closed(&user, INSTALL);
}
