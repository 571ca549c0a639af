use skill_core::api::ServerLimits;

const MIB: u64 = 1024 * 1024;

/// How many times its own size an archive may unpack to, above [`RATIO_FREE`]. Text packs to a tenth, tables to a
/// fiftieth; a thousandth, which deflate can do, is what bombs are made of.
const RATIO: u64 = 200;
/// What any archive may unpack to, however small it is.
const RATIO_FREE: u64 = 4 * MIB;

/// How much a bundle may hold. Sizes are in bytes; a size equal to its limit is within it.
///
/// [`Limits::default`] is the ceiling of the format (docs/FORMAT.md, "Limits"). A server may announce
/// less for what is published to it; what is opened obeys the opener's own ceiling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file, unpacked.
    pub file_bytes: u64,
    /// Bytes of all files together, unpacked.
    pub bundle_bytes: u64,
    /// Number of files.
    pub files: u32,
    /// Bytes of one path; at most [`MAX_PATH_BYTES`](crate::MAX_PATH_BYTES) has an effect.
    pub path_bytes: u32,
    /// Bytes of one archive as it is received.
    pub archive_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 10 * MIB,
            bundle_bytes: 50 * MIB,
            files: 2000,
            path_bytes: crate::MAX_PATH_BYTES as u32,
            archive_bytes: 64 * MIB,
        }
    }
}

impl Limits {
    /// How many entries an archive may list: its files, and besides them folders and a system's leftovers
    /// (macOS doubles every file), which are read past.
    pub const fn entries(&self) -> u64 {
        self.files as u64 * 4
    }

    /// How many bytes an archive of `packed` bytes may unpack to, everything in it counted.
    pub const fn unpacked(packed: u64) -> u64 {
        packed.saturating_mul(RATIO).saturating_add(RATIO_FREE)
    }

    /// The same limits as a server announces them.
    pub const fn announced(&self) -> ServerLimits {
        ServerLimits {
            archive_bytes: self.archive_bytes,
            file_bytes: self.file_bytes,
            bundle_bytes: self.bundle_bytes,
            files: self.files,
            path_bytes: self.path_bytes,
        }
    }
}

impl From<ServerLimits> for Limits {
    fn from(announced: ServerLimits) -> Self {
        Self {
            file_bytes: announced.file_bytes,
            bundle_bytes: announced.bundle_bytes,
            files: announced.files,
            path_bytes: announced.path_bytes,
            archive_bytes: announced.archive_bytes,
        }
    }
}
