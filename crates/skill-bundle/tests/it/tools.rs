//! Archives as the tools of this machine make them, and our archive as they read it. A tool that is not here is said.

use std::path::Path;
use std::process::{Command, Stdio};

use skill_bundle::disk::read_installed;
use skill_bundle::{Bundle, PackRules, Tree, pack_folder, write_canonical};

use crate::packing::folder;
use crate::{Limits, open, sample};

const FILES: &[(&str, &str)] = &[
    ("my/SKILL.md", "# hi\n"),
    ("my/scripts/run.sh*", "#!/bin/sh\necho hi\n"),
    ("my/a b/c d.md", "blanks in names"),
    ("my/empty", ""),
    ("my/数据/天气.md", "晴"),
];
const LONG: &str = "my/a-folder-with-quite-a-long-name-that-goes-on/and-another-one-below-it-just-as-long/file-with-a-name.md";

/// What each tool prints or leaves in the file `../made` when it is run in the folder that holds `my`.
const WRITERS: &[(&str, &str)] = &[
    ("zip", "zip -qr ../made my"),
    ("zip", "zip -qr0 ../made my"),
    ("zip", "cd my && zip -qr ../../made ."),
    ("zip", "zip -qr - my > ../made"),
    ("python3", "python3 -m zipfile -c ../made my"),
    (
        "python3",
        "python3 -c 'import shutil; shutil.make_archive(\"../made\", \"zip\", \".\", \"my\")' && mv ../made.zip ../made",
    ),
    (
        "python3",
        "python3 -c 'import shutil; shutil.make_archive(\"../made\", \"gztar\", \".\", \"my\")' && mv ../made.tar.gz ../made",
    ),
    ("python3", "python3 -m tarfile -c ../made my"),
    ("tar", "tar --format=gnu -cf ../made my"),
    ("tar", "tar --format=pax -cf ../made my"),
    ("tar", "tar --format=ustar -cf ../made my"),
    ("tar", "tar --format=oldgnu -czf ../made my"),
    ("tar", "tar -C my -czf ../made ."),
    ("bsdtar", "bsdtar -cf ../made my"),
    ("bsdtar", "bsdtar --format zip -cf ../made my"),
    ("7z", "7z a -tzip -bso0 ../made.zip my && mv ../made.zip ../made"),
    (
        "git",
        "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm x && git archive --format=zip HEAD my > ../made",
    ),
    (
        "git",
        "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm x && git archive --format=tar.gz HEAD my > ../made",
    ),
];

fn is_here(tool: &str) -> bool {
    Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

fn packed(folder: &Path) -> Bundle {
    pack_folder(&folder.join("my"), PackRules::Source, &Limits::default()).unwrap().bundle
}

#[test]
fn archives_of_every_tool_give_the_same_bundle() {
    let mut made = 0;
    for (tool, line) in WRITERS {
        if !is_here(tool) {
            eprintln!("not run: {tool} is not here");
            continue;
        }
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("inner");
        fs_err::rename(folder(&[FILES, &[(LONG, "long")]].concat()).keep(), &inner).unwrap();
        let run = Command::new("sh").args(["-c", line]).current_dir(&inner).output().unwrap();
        assert!(run.status.success(), "{line}: {run:?}");
        let archive =
            ["made", "made.zip"].map(|name| outer.path().join(name)).into_iter().find(|path| path.exists());
        let opened =
            open(&fs_err::read(archive.unwrap()).unwrap()).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(opened, packed(&inner), "{line}");
        made += 1;
    }
    eprintln!("{made} archives");
}

#[test]
fn tools_read_our_archive_as_we_do() {
    let outer = tempfile::tempdir().unwrap();
    let archive = outer.path().join("made.zip");
    write_canonical(&sample(), fs_err::File::create(&archive).unwrap()).unwrap();
    for (tool, line) in [
        ("unzip", "unzip -q made.zip -d out"),
        ("bsdtar", "mkdir out && bsdtar -C out -xf made.zip"),
        ("7z", "7z x -bso0 -oout made.zip"),
    ] {
        if !is_here(tool) {
            eprintln!("not run: {tool} is not here");
            continue;
        }
        let run = Command::new("sh").args(["-c", line]).current_dir(outer.path()).output().unwrap();
        assert!(run.status.success(), "{line}: {run:?}");
        let out = outer.path().join("out");
        assert_eq!(read_installed(&out).unwrap().tree, Tree::of(&sample()), "{line}");
        fs_err::remove_dir_all(out).unwrap();
    }
}
