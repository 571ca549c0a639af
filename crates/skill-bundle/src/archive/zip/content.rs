use std::collections::HashSet;
use std::io::{self, Read, Seek};

use zip::read::{ArchiveOffset, Config, ZipFile};
use zip::result::ZipError;
use zip::{CompressionMethod, System, ZipArchive};

use super::central::{Central, STORED};
use super::local::Local;
use super::unpack::{Output, Unpacker};
use super::unreadable;
use crate::{ArchiveError, BundleError};

/// The second reader: gives the content of entries that the judge has passed, and has to see them as the judge does.
///
/// It hands out packed bytes and they are unpacked here, as its own decoder does not tell where a deflate
/// stream ended: bytes hidden behind that would pass.
pub(super) struct Contents<'a, R> {
    archive: ZipArchive<&'a mut R>,
    unpacker: Unpacker,
}

impl<'a, R: Read + Seek> Contents<'a, R> {
    /// Opens an archive whose list the judge read as `list`.
    pub(super) fn open(reader: &'a mut R, list: &[Central]) -> Result<Self, BundleError> {
        let config = Config { archive_offset: ArchiveOffset::Known(0) };
        let archive = ZipArchive::with_config(config, reader).map_err(|error| refused(error, None))?;
        let names: HashSet<&[u8]> = list.iter().map(|entry| entry.name.as_slice()).collect();
        if archive.len() != names.len() {
            return Err(ArchiveError::ReadersDiffer { entry: None, what: "the number of entries" }.into());
        }
        Ok(Self { archive, unpacker: Unpacker::default() })
    }

    /// The bytes of an entry, unpacked: as many as announced, from as many packed ones as announced, with the
    /// announced checksum. No more than `entry.size` bytes and one are ever made.
    pub(super) fn read(&mut self, entry: &Central, local: &Local) -> Result<Vec<u8>, BundleError> {
        let mut output = Output::kept(entry.size);
        self.unpack(entry, local, &mut output)?;
        Ok(output.into_bytes())
    }

    /// The same checks of an entry that is left out. One that lies would hide other entries from us alone: a reader
    /// that starts at the front finds them where its data end.
    pub(super) fn check(&mut self, entry: &Central, local: &Local) -> Result<(), BundleError> {
        self.unpack(entry, local, &mut Output::dropped())
    }

    fn unpack(&mut self, entry: &Central, local: &Local, into: &mut Output) -> Result<(), BundleError> {
        let differs = |what| ArchiveError::ReadersDiffer { entry: Some(entry.number), what };
        let index = self.archive.index_for_name_raw(&entry.name).ok_or_else(|| differs("the name"))?;
        let packed = self.archive.by_index_raw(index).map_err(|error| refused(error, Some(entry.number)))?;
        if let Some(what) = disagreement(entry, local, &packed) {
            return Err(differs(what).into());
        }
        self.unpacker.unpack(packed, entry, into)
    }
}

/// The first thing that the library sees otherwise.
fn disagreement<R: Read>(entry: &Central, local: &Local, seen: &ZipFile<'_, R>) -> Option<&'static str> {
    let method = if entry.method == STORED { CompressionMethod::Stored } else { CompressionMethod::Deflated };
    let same = [
        ("the name", seen.name_raw() == entry.name),
        ("the header's place", seen.header_start() == entry.offset),
        ("the content's place", seen.data_start() == Some(local.data)),
        ("the packed size", seen.compressed_size() == entry.packed),
        ("the size", seen.size() == entry.size),
        ("the checksum", seen.crc32() == entry.crc),
        ("the method", seen.compression() == method),
        ("encryption", !seen.encrypted()),
        ("the system", seen.system() == System::from(entry.system)),
        ("the mode", seen.external_attributes() == entry.attributes),
    ];
    same.into_iter().find_map(|(what, same)| (!same).then_some(what))
}

/// The library refuses what the judge has passed, or the bytes did not come.
fn refused(error: ZipError, entry: Option<u64>) -> BundleError {
    use io::ErrorKind::{InvalidData, Other, UnexpectedEof};
    match error {
        // Kinds that the library gives to judgements of its own.
        ZipError::Io(error) if !matches!(error.kind(), InvalidData | Other | UnexpectedEof) => {
            unreadable(error)
        }
        _ => ArchiveError::ReadersDiffer { entry, what: "whether it can be read" }.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::{BundleBuilder, BundlePath, Limits};

    /// The judge saw something else than the library: what they disagree about.
    fn about(change: fn(&mut Central)) -> String {
        let mut builder = BundleBuilder::new(Limits::default());
        builder.add(BundlePath::skill_md(), false, b"# hi\n".to_vec()).unwrap();
        let mut zip = Cursor::new(Vec::new());
        let size = super::super::write(&builder.finish().unwrap(), &mut zip).unwrap().size;
        let (mut list, list_offset) = super::super::read_list(&mut zip, size, &Limits::default()).unwrap();
        let local = Local::read(&mut zip, &list[0], list_offset).unwrap();
        let mut contents = Contents::open(&mut zip, &list).unwrap();
        assert_eq!(contents.read(&list[0], &local).unwrap(), b"# hi\n");
        change(&mut list[0]);
        match contents.read(&list[0], &local) {
            Err(BundleError::Archive(ArchiveError::ReadersDiffer { entry: Some(1), what })) => {
                what.to_owned()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_field_that_readers_could_see_differently() {
        assert_eq!(about(|entry| entry.name = b"other".to_vec()), "the name");
        assert_eq!(about(|entry| entry.offset += 1), "the header's place");
        assert_eq!(about(|entry| entry.packed += 1), "the packed size");
        assert_eq!(about(|entry| entry.size += 1), "the size");
        assert_eq!(about(|entry| entry.crc ^= 1), "the checksum");
        assert_eq!(about(|entry| entry.method = STORED), "the method");
        assert_eq!(about(|entry| entry.system = 0), "the system");
        assert_eq!(about(|entry| entry.attributes ^= 1 << 16), "the mode");
    }
}
