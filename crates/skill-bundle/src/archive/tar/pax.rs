use std::collections::BTreeMap;

use crate::ArchiveError;

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
    let equals = record.iter().position(|byte| *byte == b'=')?;
    Some((record.get(..equals)?, record.get(equals + 1..)?, rest))
}

impl Records {
    /// The name these records give to an entry whose header says `size`.
    ///
    /// A record that changes what the entry is makes readers that know it and those that do not disagree about every
    /// byte that follows. Times, owners, attributes and comments are read past.
    pub(super) fn name_for(&self, size: u64, number: u64) -> Result<Option<Vec<u8>>, ArchiveError> {
        for (key, value) in &self.0 {
            let overrides = match key.as_slice() {
                b"size" => value != size.to_string().as_bytes(),
                _ => key.starts_with(b"GNU.sparse."),
            };
            if overrides {
                return Err(overridden(key, number));
            }
        }
        Ok(self.0.get(b"path".as_slice()).cloned())
    }

    /// For a header about all entries that follow: git puts the commit there as a comment, and no file needs more.
    pub(super) fn refuse_all_but_comments(&self, number: u64) -> Result<(), ArchiveError> {
        match self.0.keys().find(|key| key.as_slice() != b"comment") {
            Some(key) => Err(overridden(key, number)),
            None => Ok(()),
        }
    }
}

fn overridden(key: &[u8], number: u64) -> ArchiveError {
    ArchiveError::PaxOverride { entry: number, key: String::from_utf8_lossy(key).into_owned() }
}
