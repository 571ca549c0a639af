//! One module for each concern of the crate; `craft` makes archives byte by byte.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "a test that could not run says so")]

mod bombs;
mod builder;
mod canonical;
mod corpus;
mod craft;
mod differential;
mod finding;
mod fingerprint;
mod fuzz_seeds;
mod installed;
mod links;
mod one_entry;
mod opening;
mod packed_attacks;
mod packing;
mod paths;
mod programs;
mod round_trip;
mod staging;
mod tar_attacks;
mod tools;
mod tree;
mod writers;
mod zip64_attacks;
mod zip_attacks;
mod zip_names;

use std::io::Cursor;

use skill_bundle::{Bundle, BundleBuilder, BundleError, BundlePath, Limits};

/// Path, executable, content.
type File<'a> = (&'a str, bool, &'a str);

fn bundle(files: &[File<'_>]) -> Bundle {
    let mut builder = BundleBuilder::new(Limits::default());
    for (path, executable, content) in files {
        builder.add(BundlePath::parse(path).unwrap(), *executable, content.as_bytes().to_vec()).unwrap();
    }
    builder.finish().unwrap()
}

/// A small bundle with everything a bundle can have.
fn sample() -> Bundle {
    bundle(&[
        ("SKILL.md", false, "---\nname: sample\n---\n# hi\n"),
        ("scripts/run.sh", true, "#!/bin/sh\necho hi\n"),
        ("数据/天气.md", false, "晴\r\n"),
        ("empty", false, ""),
        ("a-b/c", false, "1"),
        ("a/c", false, "2"),
    ])
}

fn open(archive: &[u8]) -> Result<Bundle, BundleError> {
    open_within(archive, &Limits::default())
}

fn open_within(archive: &[u8], limits: &Limits) -> Result<Bundle, BundleError> {
    skill_bundle::open_archive(&mut Cursor::new(archive), limits).map(|(bundle, _)| bundle)
}

/// Code and message of what was refused.
fn refusal<T>(result: Result<T, BundleError>) -> String {
    match result {
        Ok(_) => panic!("was not refused"),
        Err(error) => format!("{}: {error}", error.code()),
    }
}

/// Paths, with `*` behind executable ones.
fn listing(bundle: &Bundle) -> String {
    bundle
        .files()
        .map(|(path, file)| format!("{path}{}", if file.executable() { "*" } else { "" }))
        .collect::<Vec<_>>()
        .join(" ")
}
