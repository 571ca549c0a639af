//! In which language a program is written, as far as it decides what in it is a comment.

/// What can be said of a program's comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// The POSIX shell and its likes, read to the end.
    Shell,
    /// Python, read to the end.
    Python,
    /// JavaScript and TypeScript without JSX, read to the end.
    JavaScript,
    /// Any other with comments from this mark on: those above the first line of code count.
    Marked(&'static str),
    /// Nothing is known; no line of it is taken for a comment.
    Unknown,
}

impl Language {
    /// By the ending of a name and the first line. Where the two disagree it depends on who runs
    /// the file, so that nothing is known.
    pub(crate) fn of(ending: &str, text: &str) -> Self {
        let named = Self::of_ending(ending);
        let first = text.strip_prefix("#!").and_then(|rest| rest.lines().next());
        match (named, first.map(Self::of_interpreter)) {
            (named, None) => named,
            (Self::Unknown, Some(run)) => run,
            (named, Some(run)) if named == run => named,
            _ => Self::Unknown,
        }
    }

    fn of_ending(ending: &str) -> Self {
        match ending {
            "sh" | "bash" | "ksh" | "command" => Self::Shell,
            "py" | "pyw" => Self::Python,
            "js" | "cjs" | "mjs" | "ts" => Self::JavaScript,
            "c" | "cpp" | "cs" | "go" | "gradle" | "groovy" | "h" | "java" | "jsx" | "kt" | "rs" | "tsx" => {
                Self::Marked("//")
            }
            "awk" | "fish" | "pl" | "pm" | "ps1" | "psm1" | "r" | "rb" | "zsh" => Self::Marked("#"),
            "lua" => Self::Marked("--"),
            "clj" => Self::Marked(";"),
            _ => Self::Unknown,
        }
    }

    /// By a command such as `/usr/bin/env python3 -u`, or a name such as `bash`.
    pub(crate) fn of_interpreter(command: &str) -> Self {
        let mut words = command.split_ascii_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
        let program = words.find(|word| *word != "env" && !word.starts_with('-')).unwrap_or_default();
        match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "sh" | "bash" | "dash" | "ash" | "ksh" | "source" => Self::Shell,
            "python" => Self::Python,
            "node" | "deno" | "bun" => Self::JavaScript,
            "fish" | "perl" | "pwsh" | "ruby" | "zsh" | "awk" | "Rscript" => Self::Marked("#"),
            _ => Self::Unknown,
        }
    }
}
