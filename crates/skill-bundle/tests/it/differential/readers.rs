use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use skill_bundle::{BundlePath, Junk};
use skill_core::digest::Sha256;

use crate::programs::is_here;

/// The files of an archive by their paths in NFC, without what we leave out.
pub(super) type Contents = BTreeMap<String, File>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    /// `None` where the archive does not say, or the reader cannot tell.
    pub(super) executable: Option<bool>,
    pub(super) sha256: String,
}

/// What a reader makes of one archive.
#[derive(Debug)]
struct Reading {
    /// `None` where it refuses.
    contents: Option<Contents>,
    /// The same with the bytes of paths that are not marked as UTF-8, of which Python makes something else.
    unmarked: Option<Contents>,
    /// What other readers get wrong about it.
    quirks: Vec<String>,
}

impl Reading {
    fn has(&self, quirk: &str) -> bool {
        self.quirks.iter().any(|one| one == quirk)
    }

    /// Whether the archive says who may execute a file.
    fn says_mode(&self, path: &str) -> bool {
        let file = self.unmarked.as_ref().and_then(|contents| contents.get(path));
        file.is_some_and(|file| file.executable.is_some())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    Python,
    Unzip,
    Bsdtar,
    /// From a pipe: it goes by the headers in front of the entries, which know no modes.
    StreamedBsdtar,
    /// GNU's.
    Tar,
}

impl Reader {
    /// The program, and what the script that runs it calls it.
    const fn program(self) -> (&'static str, &'static str) {
        match self {
            Self::Python => ("python3", ""),
            Self::Unzip => ("unzip", "unzip"),
            Self::Bsdtar => ("bsdtar", "bsdtar"),
            Self::StreamedBsdtar => ("bsdtar", "streamed"),
            Self::Tar => ("tar", "tar"),
        }
    }

    /// What the reader makes of archives.
    fn read(self, names: &[&String], folder: &Path) -> BTreeMap<String, Reading> {
        let archives = folder.join("archives");
        if self == Self::Python {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/read_archives.py");
            let run = Command::new("python3").arg(script).arg(archives).output().unwrap();
            return from_python(&run.stdout);
        }
        let into = folder.join(format!("{self:?}"));
        for name in names {
            fs_err::create_dir_all(into.join(name)).unwrap();
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/unpack_archives.sh");
        let mut run = Command::new("sh");
        run.arg(script).arg(archives).arg(self.program().1).arg(&into).env("LC_ALL", "C.UTF-8");
        assert!(run.status().unwrap().success());
        let unpacked = |name: &String| {
            let failed = into.join(format!("{name}.failed")).exists();
            let contents = (!failed).then(|| from_disk(&into.join(name)));
            (name.clone(), Reading { contents, unmarked: None, quirks: Vec::new() })
        };
        names.iter().map(|name| unpacked(name)).collect()
    }
}

/// How readers see archives.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// What they see otherwise than we do, a line each.
    pub(super) differences: Vec<String>,
    /// Archives of which Python differs in the spelling of names that unix made and did not mark as UTF-8, and in nothing
    /// else: the one known difference.
    pub(super) code_page: usize,
    /// Whether Python is here.
    pub(super) with_python: bool,
}

/// Holds what readers see against what we see.
pub(super) fn compared(readers: &[Reader], ours: &BTreeMap<String, Contents>, folder: &Path) -> Comparison {
    let names: Vec<&String> = ours.keys().collect();
    let here: Vec<Reader> = readers.iter().copied().filter(|reader| is_here(reader.program().0)).collect();
    let readings: Vec<BTreeMap<String, Reading>> = std::thread::scope(|scope| {
        let runs: Vec<_> = here.iter().map(|reader| scope.spawn(|| reader.read(&names, folder))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    // Python tells, too, which files have a mode in the archive, and what others get wrong.
    let python = here
        .iter()
        .zip(&readings)
        .find(|(reader, _)| **reader == Reader::Python)
        .map(|(_, readings)| readings);
    let mut comparison = Comparison { with_python: python.is_some(), ..Comparison::default() };
    for (reader, readings) in here.iter().zip(&readings) {
        for (name, ours) in ours {
            let difference = match &readings[name].contents {
                None if *reader == Reader::Unzip
                    && python.is_some_and(|python| python[name].has("unzip sees an overlap")) =>
                {
                    None
                }
                None => Some("refuses it".to_owned()),
                Some(theirs) => {
                    let reading = python.map(|python| &python[name]);
                    let same = |theirs| agree(ours, theirs, reading, *reader);
                    let respelled = !same(theirs) && readings[name].unmarked.as_ref().is_some_and(same);
                    comparison.code_page += usize::from(respelled);
                    (!respelled && !same(theirs)).then(|| format!("{theirs:#?}\n  and ours: {ours:#?}"))
                }
            };
            comparison
                .differences
                .extend(difference.map(|difference| format!("{name}: {reader:?}: {difference}")));
        }
        eprintln!("{reader:?} read {} archives", readings.len());
    }
    comparison
}

fn agree(ours: &Contents, theirs: &Contents, python: Option<&Reading>, reader: Reader) -> bool {
    if reader == Reader::Unzip && python.is_some_and(|python| python.has("unzip spells names otherwise")) {
        let contents = |files: &Contents| {
            let mut digests: Vec<String> = files.values().map(|file| file.sha256.clone()).collect();
            digests.sort();
            digests
        };
        return contents(ours) == contents(theirs);
    }
    let same = |(path, file): (&String, &File)| {
        let Some(other) = theirs.get(path) else { return false };
        let modes = reader != Reader::StreamedBsdtar && python.is_some_and(|python| python.says_mode(path));
        file.sha256 == other.sha256 && (!modes || file.executable == other.executable)
    };
    ours.len() == theirs.len() && ours.iter().all(same)
}

/// Puts in a file, unless we leave such a path out.
fn put(contents: &mut Contents, path: &[u8], executable: Option<bool>, sha256: String) {
    let relative = path.strip_prefix(b"./").unwrap_or(path);
    if String::from_utf8_lossy(relative).split('/').any(|segment| Junk::of(segment).is_some()) {
        return;
    }
    let path = match BundlePath::from_bytes(relative) {
        Ok(path) => path.as_str().to_owned(),
        Err(error) => format!("{error}"),
    };
    contents.insert(path, File { executable, sha256 });
}

fn from_python(json: &[u8]) -> BTreeMap<String, Reading> {
    let read: BTreeMap<String, serde_json::Value> = serde_json::from_slice(json).unwrap();
    let reading = |value: &serde_json::Value| {
        let contents = |unmarked: bool| {
            let mut contents = Contents::new();
            for file in value["files"].as_array()? {
                let (path, sha256) = (file[0].as_str().unwrap(), file[2].as_str().unwrap());
                let path = file[3].as_str().filter(|_| unmarked).unwrap_or(path);
                let bytes =
                    (0..path.len()).step_by(2).map(|at| u8::from_str_radix(&path[at..at + 2], 16).unwrap());
                put(&mut contents, &bytes.collect::<Vec<_>>(), file[1].as_bool(), sha256.to_owned());
            }
            Some(contents)
        };
        let quirks = value["quirks"].as_array().into_iter().flatten();
        let (contents, unmarked) = (contents(false), contents(true));
        Reading {
            contents,
            unmarked,
            quirks: quirks.map(|quirk| quirk.as_str().unwrap().to_owned()).collect(),
        }
    };
    read.iter().map(|(name, value)| (name.clone(), reading(value))).collect()
}

/// What a tool unpacked; a link or the like stands under its path without content, which no file of ours has.
fn from_disk(root: &Path) -> Contents {
    let mut contents = Contents::new();
    let mut folders: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        fs_err::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).unwrap();
        for entry in fs_err::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs_err::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                folders.push(path);
                continue;
            }
            let mut sha256 = "no file".to_owned();
            if metadata.is_file() {
                fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
                sha256 = Sha256::of(fs_err::read(&path).unwrap()).to_hex();
            }
            let executable = Some(metadata.permissions().mode() & 0o100 != 0);
            let relative = path.strip_prefix(root).unwrap().as_os_str().as_encoded_bytes().to_vec();
            put(&mut contents, &relative, executable, sha256);
        }
    }
    contents
}
