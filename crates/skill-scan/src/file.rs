//! What a file is, told from its name and its bytes.

use std::borrow::Cow;

mod binary;

/// A file of the bundle, read as far as it is text.
pub(crate) struct SourceFile<'b> {
    path: &'b str,
    kind: Kind,
    text: Option<Cow<'b, str>>,
    /// Whether the text is all of the file, or nobody runs or reads it as text.
    readable: bool,
}

/// What the rules make of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Prose with code blocks in it.
    Markdown,
    /// Every line is code or data.
    Code,
    /// Machine code, or byte code of a known machine.
    Program,
    /// Pictures, sounds, fonts: nothing runs them.
    Media,
    /// Files in one, which may hold anything.
    Archive,
    /// The same behind a password.
    LockedArchive,
    /// Any other binary.
    Opaque,
}

/// Endings of files that a program runs or a model reads as text.
const TEXTS: [&str; 58] = [
    "awk",
    "bash",
    "bat",
    "c",
    "cfg",
    "cjs",
    "clj",
    "cmd",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "env",
    "fish",
    "go",
    "gradle",
    "groovy",
    "h",
    "htm",
    "html",
    "ini",
    "java",
    "js",
    "json",
    "jsonl",
    "jsx",
    "ksh",
    "kt",
    "lua",
    "mjs",
    "php",
    "pl",
    "pm",
    "properties",
    "ps1",
    "psm1",
    "py",
    "pyi",
    "r",
    "rb",
    "rs",
    "rst",
    "scala",
    "scpt",
    "sh",
    "sql",
    "svg",
    "swift",
    "tcl",
    "toml",
    "ts",
    "tsx",
    "txt",
    "vue",
    "xml",
    "yaml",
    "yml",
];

/// Endings of files whose comments are for whoever maintains them.
const PROGRAMS: [&str; 33] = [
    "awk", "bash", "bat", "c", "cjs", "clj", "cmd", "cpp", "cs", "fish", "go", "groovy", "gradle", "h",
    "java", "js", "jsx", "ksh", "kt", "lua", "mjs", "php", "pl", "pm", "ps1", "psm1", "py", "r", "rb", "rs",
    "sh", "ts", "tsx",
];

/// Endings of files that nobody takes for a program.
const PICTURES: [&str; 12] =
    ["png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "pdf", "woff", "woff2", "mp3", "mp4"];

const MARKDOWN: [&str; 4] = ["md", "markdown", "mdx", "mdc"];

impl<'b> SourceFile<'b> {
    pub(crate) fn read(path: &'b str, bytes: &'b [u8]) -> Self {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        let markdown = MARKDOWN.contains(&ending.as_str());
        let expects_text =
            markdown || TEXTS.binary_search(&ending.as_str()).is_ok() || bytes.starts_with(b"#!");
        let text_kind = if markdown { Kind::Markdown } else { Kind::Code };
        let of = |kind, text, readable| Self { path, kind, text, readable };
        if let Some(text) = decode(bytes) {
            return of(text_kind, Some(text), true);
        }
        let kind = binary::kind(bytes);
        if expects_text && kind != Kind::Program {
            // What can be read is read all the same.
            return of(text_kind, Some(String::from_utf8_lossy(bytes)), false);
        }
        of(kind, None, !expects_text)
    }

    pub(crate) const fn path(&self) -> &'b str {
        self.path
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Whether it is run, or configures what is run, and nobody reads its comments as instructions.
    pub(crate) fn is_program(&self) -> bool {
        let ending = self.path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let text = || self.text().is_some_and(|text| text.starts_with("#!"));
        PROGRAMS.iter().any(|known| known.eq_ignore_ascii_case(ending)) || text()
    }

    /// Whether it is prose with code in it.
    pub(crate) fn is_page(&self) -> bool {
        self.kind == Kind::Markdown
    }

    /// Whether its name says that it is a text or a picture.
    pub(crate) fn is_disguised(&self) -> bool {
        let ending = self.path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        let ending = ending.as_str();
        MARKDOWN.contains(&ending) || PICTURES.contains(&ending) || TEXTS.binary_search(&ending).is_ok()
    }

    /// What opens a comment that takes a whole line of it.
    pub(crate) fn comment_marks(&self) -> &'static [&'static str] {
        let ending = self.path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        match ending.as_str() {
            "c" | "cjs" | "cpp" | "cs" | "go" | "gradle" | "groovy" | "h" | "java" | "js" | "jsx" | "kt"
            | "mjs" | "php" | "rs" | "ts" | "tsx" => &["//", "/*", "* "],
            "bat" | "cmd" => &["rem ", "REM ", "::"],
            "lua" => &["--"],
            "clj" => &[";"],
            _ => &["# ", "#\t"],
        }
    }

    pub(crate) const fn is_readable(&self) -> bool {
        self.readable
    }
}

/// UTF-8 without a zero byte, or UTF-16 with a byte-order mark.
fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let utf16 = |pairs: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = pairs.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let even = pairs.len().is_multiple_of(2);
        let text: Result<String, _> = char::decode_utf16(units).collect();
        text.ok().filter(|text| even && !text.contains('\0')).map(Cow::Owned)
    };
    match bytes {
        [0xFF, 0xFE, pairs @ ..] => utf16(pairs, u16::from_le_bytes),
        [0xFE, 0xFF, pairs @ ..] => utf16(pairs, u16::from_be_bytes),
        _ if bytes.contains(&0) => None,
        _ => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_sorted() {
        assert!(TEXTS.is_sorted());
    }

    #[test]
    fn utf_16_is_read() {
        let bytes: Vec<u8> =
            [0xFF, 0xFE].into_iter().chain("iex ä".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let file = SourceFile::read("a.ps1", &bytes);
        assert_eq!((file.text(), file.is_readable()), (Some("iex ä"), true));
    }

    #[test]
    fn what_cannot_be_read_says_so() {
        for bytes in [b"echo \xff".as_slice(), b"echo \0", b"\xff\xfee"] {
            assert!(!SourceFile::read("run.sh", bytes).is_readable(), "{bytes:?}");
            assert!(SourceFile::read("blob", bytes).is_readable(), "{bytes:?}");
        }
        assert!(!SourceFile::read("run", b"#!/bin/sh\n\xff").is_readable());
    }
}
