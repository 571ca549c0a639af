/// Why an archive is not read: what two readers of it could take for two different things, what is damaged,
/// and what no reader here knows.
///
/// Entries are counted from 1 in the order of the archive's own list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// Neither a zip nor a tar, nor a gzip or zstd of a tar.
    #[error("this is neither a zip archive nor a tar archive")]
    UnknownFormat,
    /// A format that is known and not read.
    #[error("this is {format}, and what is read is zip, tar, and tar packed with gzip or zstd")]
    UnreadFormat {
        /// Its name, with what it is.
        format: &'static str,
    },
    /// What is packed with gzip or zstd is something else than a tar.
    #[error("what is packed in the archive is no tar archive")]
    NoTar,
    /// The first block is a tar's and begins like another format: readers differ in which they see.
    #[error("the archive begins like two formats at once")]
    TwoFormats,
    /// A zip whose parts are spread over several files.
    #[error("the archive is one part of several")]
    MultiDisk,
    /// A zip64 locator that does not lead to the record right before it, or fields that ask for one that is not there.
    #[error("the zip64 locator does not lead to a record right before it")]
    Zip64Locator,
    /// The zip64 end record and the end record say two different things.
    #[error("the archive's two end records differ, with 64 bits and with 32")]
    Zip64End,
    /// 64-bit fields without a field that they stand for, too few or too many of them, or two sets.
    #[error("entry {entry}, `{}`: its zip64 fields are not those that its header asks for", name.escape_debug())]
    Zip64Fields {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
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
    /// A second zstd frame behind the first: some decoders stop at the end of one.
    #[error("the archive is two zstd frames in a row")]
    ZstdFrames,
    /// A zstd frame that decoders skip: its bytes belong to nothing.
    #[error("the archive has a zstd frame that decoders skip")]
    ZstdSkippable,
    /// A zstd frame that needs a dictionary.
    #[error("the archive needs a zstd dictionary")]
    ZstdDictionary,
    /// A zstd frame whose window needs more memory than is given.
    #[error("the zstd stream needs a window of {window} bytes, {limit} are allowed: pack it without --long")]
    ZstdWindow {
        /// Bytes of the window.
        window: u64,
        /// Bytes allowed.
        limit: u64,
    },
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
    /// What follows the data of an entry is not the descriptor that its header announces.
    #[error("entry {entry}, `{}`: its data descriptor does not say what the list says", name.escape_debug())]
    Descriptor {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
    },
    /// A stored entry whose end a reader that starts at the front has to guess: its size follows its data, and
    /// its data hold the mark of a descriptor.
    #[error("entry {entry}, `{}`, is stored and could end in two places", name.escape_debug())]
    StoredDescriptor {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
    },
    /// A second mode, in an extra field, that is not the first.
    #[error("entry {entry}, `{}`, has a second mode that differs", name.escape_debug())]
    SecondMode {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
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
    /// A name in the code page of whoever made the archive: not ASCII, not marked as UTF-8, and not made on unix.
    #[error("entry {entry}, `{}`: its name is not marked as UTF-8 and readers spell it differently", name.escape_debug())]
    CodePage {
        /// Which entry.
        entry: u64,
        /// Its name, if it were UTF-8.
        name: String,
    },
    /// A name that ends in `;1`, which some readers cut off.
    #[error("entry {entry}, `{}`, ends in a file version that some readers cut off", name.escape_debug())]
    VersionedName {
        /// Which entry.
        entry: u64,
        /// Its name.
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
    /// Attributes of an entry, beside its mode, that some readers obey and others do not know.
    #[error("entry {entry}, `{}`, has unknown attributes {attributes:#06x}", name.escape_debug())]
    Attributes {
        /// Which entry.
        entry: u64,
        /// Its name.
        name: String,
        /// The internal attributes (APPNOTE 4.4.14).
        attributes: u16,
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
    /// An entry that asks for a newer version of the format than what is read here needs.
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
    /// The checksum of the zstd frame does not match.
    #[error("the checksum of the zstd stream does not match")]
    ZstdChecksum,
    /// The zstd frame announces another number of bytes than it holds.
    #[error("the zstd stream announces {announced} bytes and holds {held}")]
    ZstdSize {
        /// Bytes announced.
        announced: u64,
        /// Bytes there are.
        held: u64,
    },
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
    /// The sum of a tar header's bytes is not the one it holds.
    #[error("the checksum of the header does not match, at entry {entry}")]
    HeaderChecksum {
        /// Which entry.
        entry: u64,
    },
    /// A number in a tar header that readers read differently: a sign, a tab, GNU's binary form of a size.
    #[error("the {field} is not a number that every reader reads, at entry {entry}")]
    Number {
        /// Which entry.
        entry: u64,
        /// Which number.
        field: &'static str,
    },
    /// A tar header of another format than ustar with something where ustar has a prefix of the name.
    #[error("entry {entry} has a prefix to its name that not every reader sees")]
    Prefix {
        /// Which entry.
        entry: u64,
    },
    /// A long name of GNU's that does not end with the one NUL in it.
    #[error("entry {entry} holds a long name that not every reader ends in the same place")]
    LongName {
        /// Which entry.
        entry: u64,
    },
    /// A pax record with another size than the header's: readers go on at two different places.
    #[error("entry {entry} has one size in its header and another in an extended header")]
    PaxSize {
        /// Which entry.
        entry: u64,
    },
    /// A file with holes, in one of the forms of pax.
    #[error("entry {entry} is a sparse file, by `{}` in an extended header", key.escape_debug())]
    Sparse {
        /// Which entry.
        entry: u64,
        /// The record's key.
        key: String,
    },
    /// A global pax header that changes all entries after it.
    #[error("entry {entry} sets `{}` for all entries that follow", key.escape_debug())]
    PaxGlobal {
        /// Which entry.
        entry: u64,
        /// The record's key.
        key: String,
    },
    /// A file with a link target in front of it, which makes it a link for some readers.
    #[error("entry {entry} is a file in its header and a link in an extended header")]
    LinkedFile {
        /// Which entry.
        entry: u64,
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
            Self::UnknownFormat
            | Self::UnreadFormat { .. }
            | Self::NoTar
            | Self::TwoFormats
            | Self::MultiDisk
            | Self::ZstdDictionary
            | Self::ZstdWindow { .. } => "bundle-unknown-format",
            Self::StrayBytes { .. }
            | Self::TrailingBytes
            | Self::TwoEnds
            | Self::GzipMembers
            | Self::ZstdFrames
            | Self::ZstdSkippable => "bundle-trailing-bytes",
            Self::Truncated { .. } => "bundle-truncated",
            Self::Malformed { .. }
            | Self::Zip64Locator
            | Self::Zip64End
            | Self::Zip64Fields { .. }
            | Self::HeadersDiffer { .. }
            | Self::Descriptor { .. }
            | Self::StoredDescriptor { .. }
            | Self::SecondMode { .. }
            | Self::ReadersDiffer { .. }
            | Self::Overlap { .. }
            | Self::UnicodeName { .. }
            | Self::VersionedName { .. }
            | Self::FolderContent { .. }
            | Self::NamesConflict { .. }
            | Self::HeaderChecksum { .. }
            | Self::Number { .. }
            | Self::Prefix { .. }
            | Self::LongName { .. }
            | Self::PaxSize { .. }
            | Self::Sparse { .. }
            | Self::PaxGlobal { .. }
            | Self::LinkedFile { .. }
            | Self::ZstdSize { .. } => "bundle-headers-differ",
            Self::CodePage { .. } => "bundle-path-encoding",
            Self::Encrypted { .. } => "bundle-encrypted",
            Self::Method { .. } | Self::Version { .. } | Self::Flags { .. } | Self::Attributes { .. } => {
                "bundle-method"
            }
            Self::Checksum { .. } | Self::GzipChecksum | Self::ZstdChecksum => "bundle-checksum",
            Self::EntryType { .. } => "bundle-special-file",
        }
    }
}
