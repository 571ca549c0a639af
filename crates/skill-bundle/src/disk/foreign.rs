//! Files that stock tools write into the folder of a skill they installed.

/// Where they lie, and whose they are.
const KNOWN: [(&str, &str); 2] =
    [(".clawhub/origin.json", "clawhub"), (".openclaw/source-origin.json", "openclaw")];

/// The largest such file that is read, in bytes; theirs hold a few hundred.
pub(super) const MAX_BYTES: u64 = 64 * 1024;

/// A known file of another tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignFile {
    /// Path below the skill's folder.
    pub path: String,
    /// The tool.
    pub tool: &'static str,
    /// Whether it is what that tool writes, a JSON object of at most 64 KiB.
    pub readable: bool,
}

/// The tool that writes a file at this path.
pub(super) fn tool_of(path: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(known, _)| *known == path).map(|(_, tool)| *tool)
}

/// Whether the bytes are a JSON object.
pub(super) fn is_readable(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(bytes).is_ok()
}
