//! Archives that are ambiguous or damaged: each is refused, or read exactly as every other reader here reads it, but for
//! one known difference, which is counted: how Python spells names that unix made and did not mark as UTF-8.

mod dice;
mod readers;
mod tars;
mod zips;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use skill_bundle::{Limits, read_archive};

use dice::Dice;
use readers::{Comparison, Contents, File, Reader};

use crate::craft::{gzipped, zstd};

/// Of each of zip and tar.
const ARCHIVES: usize = 1400;

/// What we make of an archive: every file in it under its name in the archive, or why it is refused.
fn ours(bytes: &[u8]) -> Result<Contents, String> {
    let opened =
        read_archive(&mut Cursor::new(bytes), &Limits::default()).map_err(|error| error.code().to_owned())?;
    let wrapper = opened.wrapper().map(|wrapper| wrapper + "/").unwrap_or_default();
    let (bundle, _) = opened.into_bundle().map_err(|error| error.code().to_owned())?;
    let spelled = |path: &str| match (path, bundle.skill_md_renamed_from()) {
        ("SKILL.md", Some(found)) => format!("{wrapper}{found}"),
        _ => format!("{wrapper}{path}"),
    };
    Ok(bundle
        .files()
        .map(|(path, file)| {
            let executable = Some(file.executable());
            (spelled(path.as_str()), File { executable, sha256: file.sha256().to_hex() })
        })
        .collect())
}

/// Writes the archives that we take into a folder; counts what we make of all.
fn judged(archives: impl Iterator<Item = (String, Vec<u8>)>, folder: &Path) -> BTreeMap<String, Contents> {
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    let mut taken = BTreeMap::new();
    for (name, bytes) in archives {
        let outcome = ours(&bytes);
        *outcomes.entry(outcome.as_ref().err().cloned().unwrap_or("taken".to_owned())).or_default() += 1;
        if let Ok(contents) = outcome {
            fs_err::write(folder.join(&name), &bytes).unwrap();
            taken.insert(name, contents);
        }
    }
    eprintln!("{outcomes:?}");
    taken
}

/// `code_page`: whether some of the archives are to have the one known difference.
fn all_agree(archives: impl Iterator<Item = (String, Vec<u8>)>, readers: &[Reader], code_page: bool) {
    let folder = tempfile::tempdir().unwrap();
    let within = folder.path().join("archives");
    fs_err::create_dir(&within).unwrap();
    let taken = judged(archives, &within);
    assert!(taken.len() > ARCHIVES / 4, "only {} are taken: the test has become empty", taken.len());
    let Comparison { differences, code_page: known, with_python } =
        readers::compared(readers, &taken, folder.path());
    eprintln!("{known} of {} with names that Python takes for DOS's code page", taken.len());
    assert_eq!(known > 0, code_page && with_python, "{known}");
    if differences.is_empty() {
        return;
    }
    panic!("{} differ, see {}\n{}", differences.len(), folder.keep().display(), differences.join("\n"));
}

#[test]
fn zips_are_refused_or_read_as_others_read_them() {
    let mut dice = Dice(0x5eed);
    let archives = (0..ARCHIVES).map(|number| (format!("{number:04}.zip"), zips::ambiguous(&mut dice)));
    all_agree(archives, &[Reader::Python, Reader::Unzip, Reader::Bsdtar, Reader::StreamedBsdtar], true);
}

#[test]
fn tars_are_refused_or_read_as_others_read_them() {
    let mut dice = Dice(0x7a5);
    let archives = (0..ARCHIVES).map(|number| {
        let tar = tars::ambiguous(&mut dice);
        match number % 4 {
            0 | 1 => (format!("{number:04}.tar"), tar),
            2 => (format!("{number:04}.tar.gz"), packed(gzipped(&tar), &mut dice)),
            _ => {
                let whole = zstd(&tar);
                let whole = if dice.once_in(2) { whole } else { unchecked(whole) };
                (format!("{number:04}.tar.zst"), packed(whole, &mut dice))
            }
        }
    });
    all_agree(archives, &[Reader::Python, Reader::Bsdtar, Reader::Tar], false);
}

/// A zstd frame without its checksum: nothing but the decoder tells whether it is damaged.
fn unchecked(mut frame: Vec<u8>) -> Vec<u8> {
    frame[4] &= !(1 << 2);
    frame.truncate(frame.len() - 4);
    frame
}

/// Changes of the compressed stream.
fn packed(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    match dice.below(8) {
        0 => dice.damage(&mut bytes),
        1 => bytes.extend(dice.one_of(&[&b"\0\0\0\0"[..], b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"x"])),
        2 => {
            let whole = bytes.clone();
            bytes.extend(whole);
        }
        3 => {
            let at = dice.below(14.min(bytes.len()));
            bytes[at] = dice.below(256) as u8;
        }
        _ => {}
    }
    bytes
}
