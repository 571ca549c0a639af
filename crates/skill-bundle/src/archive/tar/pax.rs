use std::collections::BTreeMap;

use crate::ArchiveError;

/// How star and Solaris say that a file has holes.
const SPARSE_KEYS: [&[u8]; 2] = [b"SCHILY.realsize", b"SUN.holesdata"];

/// The records of one extended header.
#[derive(Debug, Default)]
pub(super) struct Records(BTreeMap<Vec<u8>, Vec<u8>>);

/// Reads records: `<length> <key>=<value>\n`, where the length counts all of it.
///
/// Not by the library, which goes from line to line: values may hold line feeds (macOS puts attributes of files there),
/// and it takes a last record without its own.
pub(super) fn parse(content: &[u8], number: u64) -> Result<Records, ArchiveError> {
    let malformed = || ArchiveError::Malformed { entry: Some(number), what: "an extended header" };
    let mut records = BTreeMap::new();
    let mut ahead = content;
    while !ahead.is_empty() {
        let (key, value, rest) = record(ahead).ok_or_else(malformed)?;
        if records.insert(key.to_vec(), value.to_vec()).is_some() {
            return Err(ArchiveError::NamesConflict { entry: number });
        }
        ahead = rest;
    }
    Ok(Records(records))
}

/// Key and value of the first record, and what follows it.
fn record(ahead: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let blank = ahead.iter().position(|byte| *byte == b' ')?;
    let digits = std::str::from_utf8(ahead.get(..blank)?).ok()?;
    if digits.is_empty() || digits.len() > 5 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (record, rest) = ahead.split_at_checked(digits.parse().ok()?)?;
    let record = record.get(blank + 1..)?.strip_suffix(b"\n")?;
    let equals = record.iter().position(|byte| *byte == b'=').filter(|at| *at > 0)?;
    Some((record.get(..equals)?, record.get(equals + 1..)?, rest))
}

impl Records {
    /// Checks these records about an entry whose header says `size`.
    ///
    /// One that changes how many bytes an entry has makes readers that know it and those that do not disagree about
    /// every byte that follows. Times, owners, attributes, access lists and comments are read past, and dropped.
    pub(super) fn check(&self, size: u64, number: u64) -> Result<(), ArchiveError> {
        for (key, value) in &self.0 {
            if key == b"size" && value != size.to_string().as_bytes() {
                return Err(ArchiveError::PaxSize { entry: number });
            }
            if key.starts_with(b"GNU.sparse.") || SPARSE_KEYS.contains(&key.as_slice()) {
                return Err(ArchiveError::Sparse { entry: number, key: shown(key) });
            }
            if let Some(field) = bad_number(key, value) {
                return Err(ArchiveError::Number { entry: number, field });
            }
        }
        Ok(())
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.0.get(key).cloned()
    }

    /// For a header about all entries that follow: git puts the commit there as a comment, and no file needs more.
    pub(super) fn refuse_all_but_comments(&self, number: u64) -> Result<(), ArchiveError> {
        match self.0.keys().find(|key| key.as_slice() != b"comment") {
            Some(key) => Err(ArchiveError::PaxGlobal { entry: number, key: shown(key) }),
            None => Ok(()),
        }
    }
}

/// What a record gives as a number that is none. Not read here, but some readers stop at it.
fn bad_number(key: &[u8], value: &[u8]) -> Option<&'static str> {
    let text = std::str::from_utf8(value).unwrap_or_default();
    let digits =
        |text: &str| !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (field, good) = match key {
        b"uid" => ("owner", digits(text) && text.parse::<u32>().is_ok()),
        b"gid" => ("group", digits(text) && text.parse::<u32>().is_ok()),
        b"mtime" | b"atime" | b"ctime" => {
            let (seconds, fraction) = text.split_once('.').unwrap_or((text, "0"));
            let seconds = seconds.strip_prefix('-').unwrap_or(seconds);
            ("time", digits(seconds) && fraction.bytes().all(|byte| byte.is_ascii_digit()))
        }
        _ => return None,
    };
    (!good).then_some(field)
}

fn shown(key: &[u8]) -> String {
    String::from_utf8_lossy(key).into_owned()
}
