//! Objects of git: what a repository keeps of its history. They are compressed, may be many times as large as the
//! files, and nothing runs them; whatever else lies in a `.git` (hooks, configuration) is a file like others. So is what
//! only has an object's name and first bytes: a shell steps over those and runs the lines behind them.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt as _;

use super::{Excluded, Exclusion};

/// How git's compressed objects (RFC 1950), packs, their indexes, reverse indexes, commit graphs and bitmaps begin
/// (gitformat-pack, gitformat-commit-graph).
const MAGIC: [&[u8]; 9] = [
    b"x\x01",
    b"x\x9c",
    b"x\xda",
    b"PACK\0\0\0",
    b"\xfftOc",
    b"RIDX\0\0\0",
    b"CGPH\x01",
    b"MIDX\x01",
    b"BITM\0",
];

/// How many objects were passed over, by the folder that holds them.
#[derive(Debug, Default)]
pub(super) struct GitObjects(BTreeMap<String, u64>);

impl GitObjects {
    /// Whether the file at `path` is an object by its name and by its bytes; it is counted then. An object may be valid
    /// and hold a script all the same, in a block that is not compressed: so no text may stand in it.
    pub(super) fn take(&mut self, path: &str, file: &File) -> bool {
        let Some(folder) = objects_folder(path) else { return false };
        let mut first = [0; 8];
        let read = file.read_at(&mut first, 0).unwrap_or(0);
        let is_object = MAGIC.iter().any(|magic| first[..read].starts_with(magic)) && !holds_text(file);
        if is_object {
            *self.0.entry(folder.to_owned()).or_default() += 1;
        }
        is_object
    }

    pub(super) fn into_excluded(self) -> impl Iterator<Item = Excluded> {
        self.0.into_iter().map(|(path, count)| Excluded { path, reason: Exclusion::GitObjects(count) })
    }
}

/// How many printable bytes in a row are a text. Compressed bytes have as many by chance once in 10 GiB.
const SHORTEST_TEXT: usize = 24;

/// Whether a text stands in the file as it lies there; one that cannot be read to its end is read by whoever reads files.
fn holds_text(file: &File) -> bool {
    let mut bytes = vec![0; 64 << 10];
    let (mut at, mut run) = (0, 0);
    loop {
        let Ok(read) = file.read_at(&mut bytes, at) else { return true };
        if read == 0 {
            return false;
        }
        at += read as u64;
        for byte in &bytes[..read] {
            run = if matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r') { run + 1 } else { 0 };
            if run >= SHORTEST_TEXT {
                return true;
            }
        }
    }
}

/// The folder of objects that `path` lies in, with the slash at its end, if it has the name of one.
fn objects_folder(path: &str) -> Option<&str> {
    const FOLDER: &str = ".git/objects/";
    let at = path.rfind(FOLDER).filter(|&at| at == 0 || path[..at].ends_with('/'))?;
    let (folder, name) = path.split_at(at + FOLDER.len());
    let hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_named = match name.split_once('/')? {
        ("pack", name) => name.starts_with("pack-") || name.starts_with("multi-pack-index"),
        ("info", name) => name.starts_with("commit-graph"),
        (two, rest) => two.len() == 2 && matches!(rest.len(), 38 | 62) && hex(two) && hex(rest),
    };
    is_named.then_some(folder)
}
