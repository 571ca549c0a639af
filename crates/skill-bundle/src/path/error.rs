use skill_core::hidden::Hidden;

/// Which rule a path breaks. One per way to make a path mean different things to different readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathRule {
    /// A segment `..`: leaves its folder.
    Parent,
    /// Starts with `/`.
    Absolute,
    /// Starts with a drive letter, `C:`.
    Drive,
    /// A backslash, which Windows takes for a separator.
    Backslash,
    /// A colon, which names a stream on NTFS.
    Colon,
    /// A control character, a line or paragraph separator, or NUL.
    Control,
    /// A character that turns the direction of writing.
    Bidi,
    /// A character that takes no room, so that two names look alike.
    ZeroWidth,
    /// Not UTF-8.
    Encoding,
    /// A device's name on Windows, with any extension: `NUL`, `com¹.txt`, `CONIN$`.
    Device,
    /// The form of the second name that Windows gives to files with long ones: `LONGNA~1.MD`.
    ShortName,
    /// A segment that begins with white space of any kind: nobody sees it, and what reads names from text drops it.
    Leading,
    /// A segment that ends in a dot or a blank, which Windows drops.
    Trailing,
    /// No text between two `/`, before the first or after the last.
    EmptySegment,
    /// A segment `.`: another spelling of the same path.
    DotSegment,
    /// Longer than [`MAX_PATH_BYTES`](super::MAX_PATH_BYTES).
    Long,
}

impl PathRule {
    /// The stable code of the rule. Kinds that share what a person has to do share a code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Parent => "bundle-path-parent",
            Self::EmptySegment | Self::DotSegment => "bundle-path-empty",
            Self::Absolute => "bundle-path-absolute",
            Self::Drive | Self::Colon => "bundle-path-drive",
            Self::Backslash => "bundle-path-backslash",
            Self::Control => "bundle-path-control",
            Self::Bidi | Self::ZeroWidth => "bundle-path-bidi",
            Self::Encoding => "bundle-path-encoding",
            Self::Device => "bundle-path-device",
            Self::ShortName => "bundle-path-collision",
            Self::Leading | Self::Trailing => "bundle-path-trailing",
            Self::Long => "bundle-path-long",
        }
    }

    /// What is wrong with such a path, to follow its name.
    pub const fn explain(self) -> &'static str {
        match self {
            Self::Parent => "leaves its folder",
            Self::Absolute => "is absolute",
            Self::Drive => "names a drive",
            Self::Backslash => "holds a backslash",
            Self::Colon => "holds a colon",
            Self::Control => "holds a control character",
            Self::Bidi => "holds a character that turns the direction of writing",
            Self::ZeroWidth => "holds a character that cannot be seen",
            Self::Encoding => "is not UTF-8",
            Self::Device => "is the name of a device on Windows",
            Self::ShortName => "can be another file's short name on Windows",
            Self::Leading => "has a segment that begins with a blank",
            Self::Trailing => "has a segment that ends in a dot or a blank",
            Self::EmptySegment => "has an empty segment",
            Self::DotSegment => "has a segment `.`",
            Self::Long => "is longer than 240 bytes",
        }
    }
}

/// A path that no bundle holds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` {}", visible(path), rule.explain())]
pub struct PathError {
    /// The path as it was found; bytes that are no UTF-8 read U+FFFD.
    pub path: String,
    /// The rule it breaks.
    pub rule: PathRule,
}

/// A path with every character spelled out that would not be seen.
fn visible(path: &str) -> String {
    let mut shown = String::with_capacity(path.len());
    for character in path.chars() {
        match Hidden::of(character) {
            Some(Hidden::Control) | None => shown.extend(character.escape_debug()),
            Some(_) => shown.extend(character.escape_unicode()),
        }
    }
    shown
}

impl PathError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        self.rule.code()
    }
}
