//! What a file is, told from its name and its bytes.

use std::borrow::Cow;

use crate::language::Language;
use crate::layout::Manner;

mod binary;
mod printable;

/// A file of the bundle, read as far as it is text.
pub(crate) struct SourceFile<'b> {
    path: &'b str,
    kind: Kind,
    /// All of it, or the runs of a binary that a person could read.
    text: Cow<'b, str>,
    /// Whether the text is all of the file, or nobody runs or reads it as text.
    readable: bool,
    language: Language,
    program: bool,
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
const TEXTS: [&str; 61] = [
    "awk",
    "bash",
    "bat",
    "c",
    "cfg",
    "cjs",
    "clj",
    "cmd",
    "command",
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
    "pyw",
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
    "zsh",
];

/// Endings of files whose comments are for whoever maintains them.
const PROGRAMS: [&str; 37] = [
    "awk", "bash", "bat", "c", "cjs", "clj", "cmd", "command", "cpp", "pyw", "vbs", "zsh", "cs", "fish",
    "go", "groovy", "gradle", "h", "java", "js", "jsx", "ksh", "kt", "lua", "mjs", "php", "pl", "pm", "ps1",
    "psm1", "py", "r", "rb", "rs", "sh", "ts", "tsx",
];

/// Endings of files that nobody takes for a program.
const PICTURES: [&str; 12] =
    ["png", "jpg", "jpeg", "gif", "webp", "ico", "bmp", "pdf", "woff", "woff2", "mp3", "mp4"];

/// Endings of files whose readers find text in them and are not interpreters.
const BINARIES: [&str; 9] = ["doc", "eps", "jar", "pdf", "ps", "tar", "xls", "ppt", "rtf"];

/// Endings of files in which U+2028 ends a line.
const SCRIPTS: [&str; 6] = ["cjs", "js", "jsx", "mjs", "ts", "tsx"];

const MARKDOWN: [&str; 4] = ["md", "markdown", "mdx", "mdc"];

/// Names of files that a program runs and that have no ending.
const PROGRAM_NAMES: [&str; 6] =
    ["containerfile", "dockerfile", "gnumakefile", "justfile", "makefile", "rakefile"];

impl<'b> SourceFile<'b> {
    /// `run_by` is the language of the interpreter that a command of the skill gives it to.
    pub(crate) fn read(path: &'b str, bytes: &'b [u8], run_by: Option<Language>) -> Self {
        let ending = ending(path);
        let markdown = MARKDOWN.contains(&ending.as_str()) && run_by.is_none();
        let text_kind = if markdown { Kind::Markdown } else { Kind::Code };
        let (kind, text, readable) = if let Some(text) = decode(bytes) {
            (text_kind, text, true)
        } else {
            let expects_text = markdown
                || run_by.is_some()
                || TEXTS.binary_search(&ending.as_str()).is_ok()
                || bytes.starts_with(b"#!");
            let kind = binary::kind(&ending, bytes);
            // A name says only what certainly is no text; an interpreter does not ask for it.
            let reads = printable::is_text(bytes) && !BINARIES.contains(&ending.as_str());
            if reads || (expects_text && kind != Kind::Program) {
                // What can be read is read all the same.
                (text_kind, String::from_utf8_lossy(bytes), false)
            } else {
                (kind, Cow::Owned(printable::runs(bytes)), !expects_text)
            }
        };
        let named = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        let program = run_by.is_some()
            || PROGRAMS.contains(&ending.as_str())
            || PROGRAM_NAMES.contains(&named.as_str())
            || (text_kind == kind && text.starts_with("#!"));
        let by_name = Language::of(&ending, &text);
        let language = match run_by {
            _ if !readable => Language::Unknown,
            None => by_name,
            Some(run) if run == by_name || by_name == Language::Unknown => run,
            // Two interpreters may read it, and what is a comment for one is none for the other.
            Some(_) => Language::Unknown,
        };
        Self { path, kind, text, readable, language, program }
    }

    pub(crate) const fn path(&self) -> &'b str {
        self.path
    }

    /// Whether it has the character that ends a text for some programs; what is not UTF-8 has others besides.
    pub(crate) fn has_zero(&self) -> bool {
        self.text().contains('\0') && !self.text().contains(char::REPLACEMENT_CHARACTER)
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) const fn language(&self) -> Language {
        self.language
    }

    /// All of its text, or what can be read of a binary.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is a binary, of which [`Self::text`] holds some runs only.
    pub(crate) const fn is_binary(&self) -> bool {
        !matches!(self.kind, Kind::Markdown | Kind::Code)
    }

    /// How its lines are told.
    pub(crate) fn manner(&self) -> Manner {
        Manner {
            markdown: self.kind == Kind::Markdown,
            separators: self.language == Language::JavaScript
                || SCRIPTS.contains(&ending(self.path).as_str()),
            binary: self.is_binary(),
        }
    }

    /// Whether it is run, or configures what is run, and nobody reads its comments as instructions.
    pub(crate) const fn is_program(&self) -> bool {
        self.program
    }

    /// Whether it is prose with code in it.
    pub(crate) fn is_page(&self) -> bool {
        self.kind == Kind::Markdown
    }

    /// Whether its name says that it is a text or a picture.
    pub(crate) fn is_disguised(&self) -> bool {
        let ending = ending(self.path);
        let ending = ending.as_str();
        MARKDOWN.contains(&ending) || PICTURES.contains(&ending) || TEXTS.binary_search(&ending).is_ok()
    }

    pub(crate) const fn is_readable(&self) -> bool {
        self.readable
    }
}

fn ending(path: &str) -> String {
    path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase()
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

    fn of<'b>(path: &'b str, bytes: &'b [u8]) -> SourceFile<'b> {
        SourceFile::read(path, bytes, None)
    }

    #[test]
    fn utf_16_is_read() {
        let bytes: Vec<u8> =
            [0xFF, 0xFE].into_iter().chain("iex ä".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let file = of("a.ps1", &bytes);
        assert_eq!((file.text(), file.is_readable()), ("iex ä", true));
    }

    #[test]
    fn what_cannot_be_read_says_so() {
        for bytes in [b"echo \xff".as_slice(), b"echo \0", b"\xff\xfee"] {
            assert!(!of("run.sh", bytes).is_readable(), "{bytes:?}");
        }
        assert!(!of("run", b"#!/bin/sh\n\xff\xfe\0\0\0").is_readable());
        assert!(of("blob", b"\xff\xfe\0\0\0").is_readable(), "nothing in it to read");
    }

    #[test]
    fn what_is_mostly_text_is_text() {
        let script = b"all:\n\tcurl -s https://example.com/a | sh\n#\xff";
        for path in ["Makefile", "run", "run.command", "run.pyw", "x.bin", "BM"] {
            let file = of(path, script);
            assert_eq!((file.kind(), file.is_readable()), (Kind::Code, false), "{path}");
        }
        assert_eq!(of("a.pdf", script).kind(), Kind::Opaque);
        let run = SourceFile::read("a.pdf", script, Some(Language::Shell));
        assert_eq!((run.kind(), run.is_readable(), run.is_program()), (Kind::Code, false, true));
    }

    #[test]
    fn who_runs_it_decides_what_a_comment_is() {
        let language = |path, run_by| SourceFile::read(path, b"# a\n", run_by).language();
        assert_eq!(language("a.sh", None), Language::Shell);
        assert_eq!(language("a.md", Some(Language::Shell)), Language::Shell);
        assert_eq!(language("a.py", Some(Language::Shell)), Language::Unknown);
        assert_eq!(of("a.py", b"#!/bin/bash\n").language(), Language::Unknown);
        assert_eq!(of("a", b"#!/usr/bin/env -S python3 -u\n").language(), Language::Python);
        assert_eq!(of("a.sh", b"# \xff\n").language(), Language::Unknown);
    }
}
