/// Why an archive is not read: what two readers of it could take for two different things, what is damaged,
/// and what no reader here knows.
///
/// Entries are counted from 1 in the order of the archive's own list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// Neither a zip nor a tar, nor a gzip of a tar.
    #[error("this is neither a zip archive nor a tar archive")]
    UnknownFormat,
    /// A zip whose parts are spread over several files.
    #[error("the archive is one part of several")]
    MultiDisk,
    /// A zip with 64-bit fields, which nothing within the limits needs.
    #[error("the archive has zip64 fields{}", at(*entry))]
    Zip64 {
        /// Which entry; none for the archive's end.
        entry: Option<u64>,
    },
    /// Bytes before the first entry, between two, or behind the last, that belong to none.
    #[error("{bytes} bytes at offset {offset} belong to no entry")]
    StrayBytes {
        /// Where they begin.
        offset: u64,
        /// How many.
        bytes: u64,
    },
    /// Bytes behind the end of the archive.
    #[error("there are bytes behind the end of the archive")]
    TrailingBytes,
    /// A second end record, in the comment of the first.
    #[error("the archive has two end records")]
    TwoEnds,
    /// A second gzip member behind the first.
    #[error("the archive is two gzip streams in a row")]
    GzipMembers,
    /// It stops before its end.
    #[error("the archive is cut off in {what}")]
    Truncated {
        /// In which part.
        what: &'static str,
    },
    /// A part that does not read as the format wants it.
    #[error("{what} cannot be read{}", at(*entry))]
    Malformed {
        /// Which entry; none for the archive as a whole.
        entry: Option<u64>,
        /// Which part.
        what: &'static str,
    },
    /// The archive says two different things about one entry.
    #[error("entry {entry}, `{}`: its headers differ in {field}", name.escape_debug())]
    HeadersDiffer {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
        /// In what.
        field: &'static str,
    },
    /// The strict reader here and the library behind it see two different things.
    #[error("two readers of the archive disagree about {what}{}", at(*entry))]
    ReadersDiffer {
        /// Which entry; none for the archive as a whole.
        entry: Option<u64>,
        /// About what.
        what: &'static str,
    },
    /// Two entries share bytes.
    #[error("entry {entry}, `{}`, shares bytes with another entry", name.escape_debug())]
    Overlap {
        /// One of them.
        entry: u64,
        /// Its name.
        name: String,
    },
    /// A second name, in an extra field, that is not the first.
    #[error("entry {entry}, `{}`, has a second name that differs", name.escape_debug())]
    UnicodeName {
        /// Which entry.
        entry: u64,
        /// Its first name.
        name: String,
    },
    /// An encrypted entry.
    #[error("entry {entry}, `{}`, is encrypted", name.escape_debug())]
    Encrypted {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
    },
    /// A compression method other than stored and deflate.
    #[error("entry {entry}, `{}`, is compressed with method {method}", name.escape_debug())]
    Method {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
        /// The method's number (APPNOTE 4.4.5).
        method: u16,
    },
    /// An entry that asks for a newer version of the format than there is.
    #[error("entry {entry}, `{}`, needs version {version} of the format", name.escape_debug())]
    Version {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
        /// Ten times the version.
        version: u16,
    },
    /// Bits of the general purpose flags that change how an entry is read.
    #[error("entry {entry}, `{}`, has unknown flags {flags:#06x}", name.escape_debug())]
    Flags {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
        /// All flags.
        flags: u16,
    },
    /// The bytes are not those that were packed.
    #[error("entry {entry}, `{}`: its checksum does not match", name.escape_debug())]
    Checksum {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
    },
    /// The checksum of the whole gzip stream, or its length, does not match.
    #[error("the checksum of the gzip stream does not match")]
    GzipChecksum,
    /// A folder entry with content, or one that is named like a file.
    #[error("entry {entry}, `{}`, is a folder in one place and a file in another", name.escape_debug())]
    FolderContent {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
    },
    /// Two long names, or a long name with nothing to name.
    #[error("entry {entry} is named twice, or a name stands without its entry")]
    NamesConflict {
        /// Which entry.
        entry: u64,
    },
    /// A PAX record that changes what an entry is: its size, its link, its sparseness.
    #[error("entry {entry} changes `{}` in an extended header", key.escape_debug())]
    PaxOverride {
        /// Which entry.
        entry: u64,
        /// The record's key.
        key: String,
    },
    /// A tar entry of a type that no file of a skill has.
    #[error("entry {entry}, `{}`, has the unknown type `{}`", name.escape_debug(), char::from(*kind).escape_debug())]
    EntryType {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
        /// The type flag.
        kind: u8,
    },
}

fn at(entry: Option<u64>) -> String {
    entry.map(|number| format!(", at entry {number}")).unwrap_or_default()
}

impl ArchiveError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownFormat | Self::MultiDisk | Self::Zip64 { .. } => "bundle-unknown-format",
            Self::StrayBytes { .. } | Self::TrailingBytes | Self::TwoEnds | Self::GzipMembers => {
                "bundle-trailing-bytes"
            }
            Self::Truncated { .. } => "bundle-truncated",
            Self::Malformed { .. }
            | Self::HeadersDiffer { .. }
            | Self::ReadersDiffer { .. }
            | Self::Overlap { .. }
            | Self::UnicodeName { .. }
            | Self::FolderContent { .. }
            | Self::NamesConflict { .. }
            | Self::PaxOverride { .. } => "bundle-headers-differ",
            Self::Encrypted { .. } => "bundle-encrypted",
            Self::Method { .. } | Self::Version { .. } | Self::Flags { .. } => "bundle-method",
            Self::Checksum { .. } | Self::GzipChecksum => "bundle-checksum",
            Self::EntryType { .. } => "bundle-special-file",
        }
    }
}
