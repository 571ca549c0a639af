use std::io::{self, Write};

use sha2::Digest as _;
use skill_core::digest::Sha256;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, PreparedZipFile, System, ZipWriter};

use crate::Bundle;
use crate::archive::Canonical;

/// Level of deflate; part of the format, as the bytes hang on it.
const LEVEL: i64 = 6;
/// From here on a bundle might need 64-bit fields, which no reader here takes: half of what 32 bits count, so that
/// headers and what does not deflate have room, and one entry less than 16 bits count.
const TOO_MANY_BYTES: u64 = 1 << 31;
const TOO_MANY_FILES: usize = u16::MAX as usize;

/// Writes the canonical zip, one file at a time.
///
/// Each file is deflated in memory first: its header then knows its sizes and checksum, and the writer neither seeks
/// back nor needs a data descriptor.
pub(in crate::archive) fn write<W: Write>(bundle: &Bundle, out: W) -> io::Result<Canonical> {
    if bundle.len() >= TOO_MANY_FILES || bundle.total_bytes() >= TOO_MANY_BYTES {
        let large = "the bundle is too large for a zip without 64-bit fields";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, large));
    }
    let out = Digesting { out, digest: sha2::Sha256::new(), written: 0, failed: None };
    let mut zip = ZipWriter::new(StreamWriter::new(out));
    for (path, file) in bundle.files() {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(LEVEL))
            .last_modified_time(DateTime::DEFAULT)
            .system(System::Unix)
            .unix_permissions(if file.executable() { 0o755 } else { 0o644 });
        zip.add_prepared_file(PreparedZipFile::from_data(path.as_str(), options, file.content())?)?;
    }
    let mut out = zip.finish()?.into_inner();
    out.out.flush()?;
    match out.failed {
        Some(error) => Err(error),
        None => Ok(Canonical { sha256: Sha256::from_bytes(out.digest.finalize().into()), size: out.written }),
    }
}

/// Digests and counts what goes through it.
///
/// A failure is kept and everything behind it dropped, as the writer of zips prints to standard error when it
/// is thrown away unfinished.
struct Digesting<W> {
    out: W,
    digest: sha2::Sha256,
    written: u64,
    failed: Option<io::Error>,
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
            self.digest.update(bytes);
            self.written += bytes.len() as u64;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
