//! Harmless archives as ten programs make them, in every form that these know: all are taken, and byte for byte.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use skill_bundle::{Bundle, BundleBuilder, BundlePath, Limits, PackRules, pack_folder, write_canonical};

use crate::open;
use crate::programs::is_here;

/// Trees that are packed by each writer.
const TREES: usize = 13;

/// Program, and what packs every folder `my` below the folders here into `$OUT`.
const WRITERS: &[(&str, &str)] = &[
    ("zip", "for t in *; do (cd $t && zip -qr $OUT/zip-$t.zip my); done"),
    ("zip", "for t in *; do (cd $t && zip -qr0D $OUT/zip-stored-$t.zip my); done"),
    ("zip", "for t in *; do (cd $t && zip -qrfd $OUT/zip-descriptors-$t.zip my); done"),
    ("zip", "for t in *; do (cd $t && zip -qrfz $OUT/zip-zip64-$t.zip my); done"),
    ("zip", "for t in *; do (cd $t && zip -qr - my > $OUT/zip-piped-$t.zip); done"),
    ("zip", "for t in *; do (cd $t/my && zip -qrX $OUT/zip-unwrapped-$t.zip .); done"),
    ("7z", "for t in *; do (cd $t && 7z a -tzip -bso0 $OUT/7z-$t.zip my); done"),
    ("7z", "for t in *; do (cd $t && 7z a -tzip -mx=0 -bso0 $OUT/7z-stored-$t.zip my); done"),
    ("7z", "for t in *; do (cd $t && 7z a -ttar -bso0 $OUT/7z-$t.tar my); done"),
    ("bsdtar", "for t in *; do bsdtar -C $t --format zip -cf $OUT/bsdtar-$t.zip my; done"),
    (
        "bsdtar",
        "for t in *; do bsdtar -C $t --format zip --options zip:zip64 -cf $OUT/bsdtar-zip64-$t.zip my; done",
    ),
    (
        "bsdtar",
        "for t in *; do bsdtar -C $t --format zip --options zip:compression=store -cf $OUT/bsdtar-stored-$t.zip my; done",
    ),
    (
        "bsdtar",
        "for t in *; do bsdtar -C $t --format zip --options zip:experimental -cf $OUT/bsdtar-modes-$t.zip my; done",
    ),
    ("bsdtar", "for t in *; do bsdtar -C $t -cf $OUT/bsdtar-$t.tar my; done"),
    ("bsdtar", "for t in *; do bsdtar -C $t --format pax -czf $OUT/bsdtar-pax-$t.tar.gz my; done"),
    ("bsdtar", "for t in *; do bsdtar -C $t --format ustar -cf $OUT/bsdtar-ustar-$t.tar my; done"),
    ("bsdtar", "for t in *; do bsdtar -C $t --format gnutar -cf $OUT/bsdtar-gnutar-$t.tar my; done"),
    ("bsdtar", "for t in *; do bsdtar -C $t --zstd -cf $OUT/bsdtar-$t.tar.zst my; done"),
    ("tar", "for t in *; do tar -C $t --format=gnu -cf $OUT/tar-gnu-$t.tar my; done"),
    ("tar", "for t in *; do tar -C $t --format=pax -cf $OUT/tar-pax-$t.tar my; done"),
    ("tar", "for t in *; do tar -C $t --format=ustar -cf $OUT/tar-ustar-$t.tar my; done"),
    ("tar", "for t in *; do tar -C $t --format=oldgnu -czf $OUT/tar-oldgnu-$t.tar.gz my; done"),
    ("tar", "for t in *; do tar -C $t/my -czf $OUT/tar-unwrapped-$t.tar.gz .; done"),
    ("zstd", "for t in *; do tar -C $t --zstd -cf $OUT/tar-$t.tar.zst my; done"),
    ("zstd", "for t in *; do tar -C $t -c my | zstd -q19 > $OUT/tar-19-$t.tar.zst; done"),
    (
        "git",
        "mkdir $OUT/../git && cp -r . $OUT/../git && cd $OUT/../git && git init -q . && git add . \
         && git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -qm x && for t in *; do \
         git archive --format=zip HEAD:$t > $OUT/git-$t.zip && git archive --format=tar HEAD:$t > $OUT/git-$t.tar \
         && git archive --format=tar.gz HEAD:$t > $OUT/git-$t.tar.gz; done",
    ),
    ("python3", "python3 $WRITERS/make.py $OUT"),
    ("javac", "java $WRITERS/Make.java $OUT"),
    ("npm", "node $WRITERS/make.js $OUT"),
    ("perl", "perl $WRITERS/make.pl $OUT"),
];

/// A tree that differs from the others: what is executable begins like a script, and nothing else does, so that
/// writers without modes say the same as those with them.
fn tree(number: usize) -> Bundle {
    let mut builder = BundleBuilder::new(Limits::default());
    let mut add = |path: &str, executable, content: Vec<u8>| {
        builder.add(BundlePath::parse(path).unwrap(), executable, content).unwrap();
    };
    add("SKILL.md", false, format!("---\nname: tree-{number}\n---\n# hi\n").into_bytes());
    add("empty", false, Vec::new());
    add("scripts/run.sh", true, format!("#!/bin/sh\necho {number}\n").into_bytes());
    add("a b/c d.md", false, b"blanks in names".to_vec());
    add("数据/天气.md", false, "晴\r\n".repeat(number).into_bytes());
    let long =
        format!("{}/{}/notes.md", "a-folder-with-a-long-name-".repeat(2), "and-another-below-it-".repeat(2));
    let script = number.is_multiple_of(2);
    add(&long, script, if script { b"#!long".to_vec() } else { b"long".to_vec() });
    // A name that fits into no field of a header, content that does not pack, and content that packs well.
    add(&format!("{}.md", "n".repeat(60 + 3 * number)), false, vec![b'x'; 511 + number]);
    let noise = (0..3000 * number as u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8);
    add("noise.bin", false, std::iter::once(0).chain(noise).collect());
    add("table.csv", false, format!("{number},0.5,yes\n").repeat(100 * number).into_bytes());
    // Marks of the formats themselves.
    add("marks.bin", false, b"PK\x03\x04 PK\x01\x02 PK\x05\x06 ustar\x0000".to_vec());
    builder.finish().unwrap()
}

fn laid_out(bundle: &Bundle, folder: &Path) {
    fs_err::create_dir_all(folder).unwrap();
    let dir = cap_std::fs::Dir::open_ambient_dir(folder, cap_std::ambient_authority()).unwrap();
    skill_bundle::disk::stage(bundle, &dir).unwrap();
}

#[test]
fn archives_of_every_writer_are_taken() {
    let outer = tempfile::tempdir().unwrap();
    let (inner, out) = (outer.path().join("trees"), outer.path().join("made"));
    fs_err::create_dir(&out).unwrap();
    let mut trees = BTreeMap::new();
    for number in 0..TREES {
        let bundle = tree(number);
        let name = format!("t{number:02}");
        laid_out(&bundle, &inner.join(&name).join("my"));
        write_canonical(&bundle, fs_err::File::create(out.join(format!("ours-{name}.zip"))).unwrap())
            .unwrap();
        let packed =
            pack_folder(&inner.join(&name).join("my"), PackRules::Source, &Limits::default()).unwrap();
        assert_eq!(packed.bundle, bundle);
        trees.insert(name, bundle);
    }
    let mut absent = false;
    for (program, line) in WRITERS {
        if !is_here(program) {
            absent = true;
            continue;
        }
        let mut run = Command::new("sh");
        run.args(["-ec", line]).current_dir(&inner).env("LC_ALL", "C.UTF-8").env("OUT", &out);
        let run = run
            .env("WRITERS", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/writers"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{line}: {said}");
        eprint!("{said}");
    }
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut refused = Vec::new();
    for entry in fs_err::read_dir(&out).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (writer, tree) = name.split_once('.').unwrap().0.rsplit_once('-').unwrap();
        match open(&fs_err::read(&path).unwrap()) {
            Ok(bundle) if bundle == trees[tree] => *taken.entry(writer.to_owned()).or_default() += 1,
            Ok(_) => refused.push(format!("{name}: differs")),
            Err(error) => refused.push(format!("{name}: {}: {error}", error.code())),
        }
    }
    let all: usize = taken.values().sum();
    eprintln!("{all} archives of {} writers: {taken:?}", taken.len());
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
    assert!(absent || all >= 500, "{all}");
}
