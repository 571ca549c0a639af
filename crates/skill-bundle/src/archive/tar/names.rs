use tar::EntryType;

use super::header::Fields;
use super::pax;
use crate::ArchiveError;

/// The largest extended header that is read, in bytes.
pub(super) const MAX_BYTES: u64 = 64 * 1024;

/// What extended headers say about the entry that follows them.
#[derive(Debug, Default)]
pub(super) struct PendingNames {
    /// GNU's long name.
    long: Option<Vec<u8>>,
    /// GNU's long link, of which it only counts that it is there.
    long_link: bool,
    /// POSIX's records.
    pax: Option<pax::Records>,
}

impl PendingNames {
    /// Takes in an extended header; a second of one kind is refused, as readers differ in which of them counts.
    pub(super) fn take(&mut self, kind: EntryType, content: &[u8], number: u64) -> Result<(), ArchiveError> {
        let conflict = ArchiveError::NamesConflict { entry: number };
        match kind {
            EntryType::GNULongName => {
                let name = content.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
                self.long.replace(name).map_or(Ok(()), |_| Err(conflict))
            }
            EntryType::GNULongLink => {
                let twice = std::mem::replace(&mut self.long_link, true);
                if twice { Err(conflict) } else { Ok(()) }
            }
            EntryType::XGlobalHeader => pax::parse(content, number)?.refuse_all_but_comments(number),
            _ => {
                let records = pax::parse(content, number)?;
                self.pax.replace(records).map_or(Ok(()), |_| Err(conflict))
            }
        }
    }

    /// The name of an entry; clears what was pending.
    pub(super) fn name_for(&mut self, fields: &Fields, number: u64) -> Result<Vec<u8>, ArchiveError> {
        let Self { long, pax, .. } = std::mem::take(self);
        let pax_name = pax.map(|records| records.name_for(fields.size, number)).transpose()?.flatten();
        match (long, pax_name) {
            (Some(_), Some(_)) => Err(ArchiveError::NamesConflict { entry: number }),
            (Some(name), None) | (None, Some(name)) => Ok(name),
            (None, None) => Ok(fields.name.clone()),
        }
    }

    /// At the end of the archive: nothing may be pending.
    pub(super) fn refuse_left(&self, number: u64) -> Result<(), ArchiveError> {
        match (&self.long, self.long_link, &self.pax) {
            (None, false, None) => Ok(()),
            _ => Err(ArchiveError::NamesConflict { entry: number }),
        }
    }
}
