use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use skill_bundle::{BundleError, Limits, PackRules, Packed, pack_folder};
use tempfile::TempDir;

use crate::refusal;

/// A folder with these files; a path that ends in `*` is executable, one that ends in `/` a folder.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let at = folder.path().join(path.trim_end_matches('*'));
        if path.ends_with('/') {
            fs_err::create_dir_all(&at).unwrap();
            continue;
        }
        fs_err::create_dir_all(at.parent().unwrap()).unwrap();
        fs_err::write(&at, content).unwrap();
        let mode = if path.ends_with('*') { 0o755 } else { 0o644 };
        fs_err::set_permissions(&at, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    folder
}

pub(crate) fn publish(folder: &Path) -> Result<Packed, BundleError> {
    pack_folder(folder, PackRules::Publish, &Limits::default())
}

pub(crate) fn account(packed: &Packed) -> String {
    let mut text = String::new();
    for file in &packed.included {
        let _ = writeln!(text, "in    {}{} {}", file.path, if file.executable { "*" } else { "" }, file.size);
    }
    for one in &packed.excluded {
        let _ = writeln!(text, "out   {} ({})", one.path, one.reason);
    }
    for link in &packed.links {
        let _ = writeln!(text, "link  {} -> {}", link.link, link.target);
    }
    if let Some(rule) = &packed.skill_md_rule {
        let _ = writeln!(text, "kept  SKILL.md against {rule}");
    }
    text
}

const EVERYTHING: &[(&str, &str)] = &[
    ("SKILL.md", "# hi\n"),
    ("README.md", "readme"),
    ("_draft.md", "draft"),
    ("scripts/run.sh*", "#!/bin/sh\n"),
    ("skill-card.md", "card"),
    ("docs/skill-card.md", "not at the root"),
    (".git/config", "x"),
    (".gitignore", "*.log\n!keep.log\n"),
    (".gitattributes", "x"),
    (".clawhubignore", "# a comment\n\nnotes/\n"),
    (".skillignore", "tests\n!.claude/\n!.tool/config.json\n!.env\n!.git\nkeep.log\n"),
    (".env", "SECRET=1"),
    (".env.example", "SECRET="),
    (".claude/settings.json", "{}"),
    (".tool/config.json", "{}"),
    (".tool/cache.bin", "x"),
    (".DS_Store", "x"),
    ("__MACOSX/x", "x"),
    ("docs/._x", "x"),
    ("node_modules/a/index.js", "x"),
    ("sub/node_modules/a/index.js", "x"),
    ("sub/.svn/x", "x"),
    ("notes/todo.md", "x"),
    ("debug.log", "x"),
    ("keep.log", "x"),
    ("tests/a.md", "x"),
    ("sub/tests/b.md", "x"),
    ("sub/.gitignore", "*\n"),
    ("sub/c.md", "x"),
];

#[test]
fn for_publishing() {
    insta::assert_snapshot!(account(&publish(folder(EVERYTHING).path()).unwrap()), @r"
    in    .claude/settings.json 2
    in    .tool/config.json 2
    in    README.md 6
    in    SKILL.md 5
    in    _draft.md 5
    in    docs/skill-card.md 15
    in    scripts/run.sh* 10
    in    sub/c.md 1
    out   .DS_Store (left by the operating system, always)
    out   .clawhubignore (dot name, unless .skillignore takes it in)
    out   .env (secret file, always)
    out   .env.example (dot name, unless .skillignore takes it in)
    out   .git/ (version control, always)
    out   .gitattributes (git's own file, always)
    out   .gitignore (git's own file, always)
    out   .skillignore (dot name, unless .skillignore takes it in)
    out   .tool/cache.bin (dot name, unless .skillignore takes it in)
    out   __MACOSX/ (left by the operating system, always)
    out   debug.log (.gitignore line 1: `*.log`)
    out   docs/._x (left by the operating system, always)
    out   keep.log (.skillignore line 6: `keep.log`)
    out   node_modules/ (dependencies, always)
    out   notes/ (.clawhubignore line 3: `notes/`)
    out   skill-card.md (made by ClawHub, always)
    out   sub/.gitignore (git's own file, always)
    out   sub/.svn/ (version control, always)
    out   sub/node_modules/ (dependencies, always)
    out   sub/tests/ (.skillignore line 1: `tests`)
    out   tests/ (.skillignore line 1: `tests`)
    ");
}

#[test]
fn as_a_source() {
    let folder = folder(EVERYTHING);
    let packed = pack_folder(folder.path(), PackRules::Source, &Limits::default()).unwrap();
    insta::assert_snapshot!(account(&packed), @r"
    in    .claude/settings.json 2
    in    .clawhubignore 20
    in    .env 8
    in    .env.example 7
    in    .gitattributes 1
    in    .gitignore 16
    in    .skillignore 56
    in    .tool/cache.bin 1
    in    .tool/config.json 2
    in    README.md 6
    in    SKILL.md 5
    in    _draft.md 5
    in    debug.log 1
    in    docs/skill-card.md 15
    in    keep.log 1
    in    node_modules/a/index.js 1
    in    notes/todo.md 1
    in    scripts/run.sh* 10
    in    skill-card.md 4
    in    sub/.gitignore 2
    in    sub/c.md 1
    in    sub/node_modules/a/index.js 1
    in    sub/tests/b.md 1
    in    tests/a.md 1
    out   .DS_Store (left by the operating system, always)
    out   .git/ (version control, always)
    out   __MACOSX/ (left by the operating system, always)
    out   docs/._x (left by the operating system, always)
    out   sub/.svn/ (version control, always)
    ");
}

#[test]
fn skill_md_is_never_left_out() {
    let folder =
        folder(&[("SKILL.md", "x"), (".gitignore", "# docs\n*.md\n"), ("a.md", "x"), (".git/HEAD", "x")]);
    insta::assert_snapshot!(account(&publish(folder.path()).unwrap()), @r"
    in    SKILL.md 1
    out   .git/ (version control, always)
    out   .gitignore (git's own file, always)
    out   a.md (.gitignore line 2: `*.md`)
    kept  SKILL.md against .gitignore line 2: `*.md`
    ");
}

/// As Windows' editors write them. git does not take the mark for a part of the first pattern, either.
#[test]
fn a_byte_order_mark_before_the_first_pattern() {
    for file in [".gitignore", ".clawhubignore", ".skillignore"] {
        for (pattern, kept) in [("secrets.txt\n", "a.md 1"), ("*.txt\r\n!b.txt", "a.md 1\nin    b.txt 1")] {
            let text = format!("\u{feff}{pattern}");
            let folder = folder(&[
                ("SKILL.md", "x"),
                ("a.md", "x"),
                ("secrets.txt", "x"),
                ("b.txt", "x"),
                (file, &text),
            ]);
            let packed = publish(folder.path()).unwrap();
            let account = account(&packed);
            let rule = format!("out   secrets.txt ({file} line 1: `{}`)", pattern.lines().next().unwrap());
            assert!(account.contains(&rule), "{account}");
            assert!(account.contains(kept), "{account}");
        }
    }
    let named = folder(&[("SKILL.md", "x"), (".tool/a", "x"), (".skillignore", "\u{feff}!.tool/a\n")]);
    assert!(account(&publish(named.path()).unwrap()).starts_with("in    .tool/a 1\n"));
    // In the middle of a file it is a character like others.
    let second = folder(&[("SKILL.md", "x"), ("a.md", "x"), (".gitignore", "b\n\u{feff}a.md\n")]);
    assert!(account(&publish(second.path()).unwrap()).contains("in    a.md 1"));
}

/// What they mean to keep out is not known.
#[test]
fn ignore_files_that_do_not_read() {
    for file in [".gitignore", ".clawhubignore", ".skillignore"] {
        // UTF-16, as Windows' shell writes it, and Latin-1.
        for bytes in [&b"\xff\xfes\0\n\0"[..], b"caf\xe9.txt\n"] {
            let folder = folder(&[("SKILL.md", "x")]);
            fs_err::write(folder.path().join(file), bytes).unwrap();
            assert_eq!(refusal(publish(folder.path())), format!("bundle-ignore-file: `{file}` is not UTF-8"));
        }
    }
    let folder = folder(&[("SKILL.md", "x"), (".gitignore", "a\n[z-a]\n")]);
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-ignore-file: line 2 of `.gitignore` is no pattern: `[z-a]`");
}

#[test]
fn no_skill_md_says_what_was_searched() {
    let folder = folder(&[("a.md", "x"), (".gitignore", "b\n"), (".skillignore", "c\n")]);
    let error = publish(folder.path()).unwrap_err();
    let BundleError::NoSkillMd { searched, ignore_files } = error else { panic!("{error}") };
    assert_eq!(searched, folder.path().display().to_string());
    assert_eq!(ignore_files, [".gitignore", ".skillignore"]);
}

#[test]
fn several_skills_in_a_folder() {
    let folder = folder(&[("a/SKILL.md", "x"), ("b/skill.md", "x")]);
    insta::assert_snapshot!(refusal(publish(folder.path())), @"source-several: no SKILL.md at its root, but in a, b");
}

#[test]
fn two_skill_md() {
    let folder = folder(&[("SKILL.md", "x"), ("skill.md", "x")]);
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-two-skill-md: `SKILL.md` and `skill.md` are both the skill's main file");
}

#[test]
fn empty_folder() {
    let folder = folder(&[("a/b/", "")]);
    assert_eq!(publish(folder.path()).unwrap_err().code(), "bundle-empty");
}

#[test]
fn nothing_there() {
    let folder = folder(&[("file", "x")]);
    assert_eq!(publish(&folder.path().join("absent")).unwrap_err().code(), "path-not-found");
    assert_eq!(publish(&folder.path().join("file")).unwrap_err().code(), "path-not-found");
}

#[test]
fn special_files() {
    let folder = folder(&[("SKILL.md", "x")]);
    let pipe = folder.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-special-file: `pipe` is a named pipe, not a file");
    fs_err::remove_file(&pipe).unwrap();
    let _listening = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-special-file: `socket` is a socket, not a file");
}

#[test]
fn names_on_disk_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = folder(&[("SKILL.md", "x")]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.md");
    fs_err::write(folder.path().join(name), "x").unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-path-encoding: `caf\u{fffd}.md` is not UTF-8");
}

#[test]
fn what_is_left_out_may_have_any_name() {
    let folder = folder(&[
        ("SKILL.md", "x"),
        ("node_modules/a:b", "x"),
        ("cache/x\\y", "x"),
        (".gitignore", "cache\n"),
    ]);
    assert_eq!(publish(folder.path()).unwrap().included.len(), 1);
    let folder = self::folder(&[("SKILL.md", "x"), ("a:b", "x")]);
    assert_eq!(publish(folder.path()).unwrap_err().code(), "bundle-path-drive");
}

#[test]
fn limits() {
    let folder = folder(&[("SKILL.md", "x"), ("a", "123456")]);
    let limits = Limits { file_bytes: 5, ..Limits::default() };
    let large = pack_folder(folder.path(), PackRules::Publish, &limits);
    insta::assert_snapshot!(refusal(large), @"bundle-file-large: `a` holds 6 bytes, 5 are allowed");
}

#[test]
fn an_ignore_file_through_a_link_is_refused() {
    let folder = folder(&[("SKILL.md", "x")]);
    std::os::unix::fs::symlink("/etc/hostname", folder.path().join(".skillignore")).unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-special-file: `.skillignore` is a link, not a file");
}

#[test]
fn the_folder_itself_may_be_a_link() {
    let folder = folder(&[("real/SKILL.md", "x")]);
    std::os::unix::fs::symlink("real", folder.path().join("link")).unwrap();
    assert_eq!(publish(&folder.path().join("link")).unwrap().included.len(), 1);
}

#[test]
fn an_archive_gives_no_secrets_either() {
    let files = [
        ("SKILL.md", false, "x"),
        (".env", false, "SECRET=1"),
        ("sub/.ENV", false, "SECRET=2"),
        ("node_modules/a/b.js", false, "x"),
        (".github/x.yml", false, "x"),
        ("Skill-Card.md", false, "x"),
        ("old.skill", false, "x"),
        (".tool/config.json", false, "{}"),
        ("assets/other.skill", false, "x"),
    ];
    let (kept, out) = skill_bundle::as_published(crate::bundle(&files), &Limits::default()).unwrap();
    assert_eq!(crate::listing(&kept), ".tool/config.json SKILL.md assets/other.skill");
    let out: Vec<String> = out.iter().map(|out| format!("{} ({})", out.path, out.reason)).collect();
    assert_eq!(
        out,
        [
            ".env (secret file, always)",
            ".github/x.yml (git's own file, always)",
            "Skill-Card.md (made by ClawHub, always)",
            "node_modules/a/b.js (dependencies, always)",
            "old.skill (a packed skill, always)",
            "sub/.ENV (secret file, always)",
        ]
    );
}

/// A writer that is at work all the time: sooner or later a file is read while it is written, and that is said.
#[test]
fn a_file_that_is_written_while_it_is_read() {
    use std::io::{Seek as _, Write as _};
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("SKILL.md"), "x").unwrap();
    let path = folder.path().join("big");
    fs_err::write(&path, vec![b'a'; 2 << 20]).unwrap();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        // Where this thread fails, the sender goes, and the writer ends.
        let _stop = stop;
        scope.spawn(move || {
            let mut file = fs_err::OpenOptions::new().write(true).open(&path).unwrap();
            for letter in (b'a'..=b'z').cycle() {
                file.rewind().unwrap();
                file.write_all(&vec![letter; 2 << 20]).unwrap();
                if stopped.try_recv() == Err(std::sync::mpsc::TryRecvError::Disconnected) {
                    break;
                }
            }
        });
        let mut changed = 0;
        while changed < 3 {
            match pack_folder(folder.path(), PackRules::Publish, &Limits::default()) {
                Ok(_) => {}
                Err(BundleError::Changed { path }) => {
                    assert_eq!(path, "big");
                    changed += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    });
}
