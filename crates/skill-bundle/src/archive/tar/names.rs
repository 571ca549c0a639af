use tar::EntryType;

use super::header::Fields;
use super::pax;
use crate::ArchiveError;

/// The largest extended header that is read, in bytes.
pub(super) const MAX_BYTES: u64 = 64 * 1024;

/// What an entry is called.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) path: Vec<u8>,
    /// What it links to, if an extended header says so.
    pub(super) long_link: Option<Vec<u8>>,
}

/// What extended headers say about the entry that follows them.
#[derive(Debug, Default)]
pub(super) struct PendingNames {
    /// GNU's long name.
    long: Option<Vec<u8>>,
    /// GNU's long link.
    long_link: Option<Vec<u8>>,
    /// POSIX's records.
    pax: Option<pax::Records>,
    /// POSIX's records for all that follows, which say nothing here.
    global: bool,
}

impl PendingNames {
    /// Takes in an extended header; a second of one kind is refused, as readers differ in which of them counts.
    pub(super) fn take(&mut self, kind: EntryType, content: &[u8], number: u64) -> Result<(), ArchiveError> {
        let conflict = ArchiveError::NamesConflict { entry: number };
        match kind {
            EntryType::GNULongName => {
                let name = until_nul(content).ok_or(ArchiveError::LongName { entry: number })?;
                self.long.replace(name).map_or(Ok(()), |_| Err(conflict))
            }
            EntryType::GNULongLink => {
                let name = until_nul(content).ok_or(ArchiveError::LongName { entry: number })?;
                self.long_link.replace(name).map_or(Ok(()), |_| Err(conflict))
            }
            EntryType::XGlobalHeader => {
                self.global = true;
                pax::parse(content, number)?.refuse_all_but_comments(number)
            }
            _ => {
                let records = pax::parse(content, number)?;
                self.pax.replace(records).map_or(Ok(()), |_| Err(conflict))
            }
        }
    }

    /// The names of an entry; clears what was pending.
    pub(super) fn for_entry(&mut self, fields: &Fields, number: u64) -> Result<Names, ArchiveError> {
        let Self { long, long_link, pax, .. } = std::mem::take(self);
        let pax = pax.unwrap_or_default();
        pax.check(fields.size, number)?;
        let one_of = |gnu: Option<Vec<u8>>, key: &[u8]| match (gnu, pax.get(key)) {
            (Some(_), Some(_)) => Err(ArchiveError::NamesConflict { entry: number }),
            (gnu, pax) => Ok(gnu.or(pax)),
        };
        let path = one_of(long, b"path")?.unwrap_or_else(|| fields.name.clone());
        Ok(Names { path, long_link: one_of(long_link, b"linkpath")? })
    }

    /// At the end of the archive: nothing may be pending. Some readers refuse an extended header without an entry.
    pub(super) fn refuse_left(&self, number: u64) -> Result<(), ArchiveError> {
        let Self { long, long_link, pax, global } = self;
        let left = long.is_some() || long_link.is_some() || pax.is_some() || *global;
        if left { Err(ArchiveError::NamesConflict { entry: number }) } else { Ok(()) }
    }
}

/// GNU's names end with a NUL, and hold no other: some readers go on behind the size up to the next one.
fn until_nul(content: &[u8]) -> Option<Vec<u8>> {
    content.strip_suffix(b"\0").filter(|name| !name.contains(&0)).map(<[u8]>::to_vec)
}
