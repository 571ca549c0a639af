//! Scripts of a bundle: which language they are in, and what they read, call and end with.

use super::shell::{self, Use};
use super::words::{rest_of_line, start_of_line};

/// A language that the rules can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Shell,
    Python,
    /// JavaScript and TypeScript.
    Node,
    /// A script, but in a language that is not read.
    Other,
}

impl Language {
    /// That of a file: by its first line, else by its ending.
    pub(super) fn of(path: &str, text: &str) -> Option<Self> {
        if let Some(program) = interpreter(text) {
            return Some(match program {
                "sh" | "bash" | "dash" | "zsh" | "ksh" => Self::Shell,
                "node" | "deno" | "bun" | "tsx" | "ts-node" => Self::Node,
                _ if program.starts_with("python") || program == "uv" => Self::Python,
                _ => Self::Other,
            });
        }
        let (_, ending) = path.rsplit_once('.')?;
        Some(match ending {
            "sh" | "bash" | "zsh" => Self::Shell,
            "py" => Self::Python,
            "js" | "mjs" | "cjs" | "ts" => Self::Node,
            "rb" | "pl" | "php" | "lua" | "ps1" | "r" | "R" => Self::Other,
            _ => return None,
        })
    }
}

/// The program that the first line names: `python3` of `#!/usr/bin/env python3`.
pub(super) fn interpreter(text: &str) -> Option<&str> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_ascii_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let first = words.next()?;
    if first == "env" {
        words.find(|word| !word.starts_with('-') && !word.contains('='))
    } else {
        Some(first)
    }
}

/// Environment variables that are read without a default, and those that have one or are set.
#[derive(Debug, Default)]
pub(super) struct Variables<'a> {
    pub(super) read: Vec<Use<'a>>,
    pub(super) settled: Vec<&'a str>,
}

/// The variables of a script.
pub(super) fn variables(language: Language, text: &str) -> Variables<'_> {
    let mut found = Variables::default();
    match language {
        Language::Shell => {
            let shell = shell::read(text);
            found.read = shell.variables;
            found.settled = shell.defined.into_iter().collect();
        }
        Language::Python => {
            for opening in
                ["os.environ[", "os.environ.get(", "os.getenv(", "environ[", "environ.get(", "getenv("]
            {
                in_python(text, opening, &mut found);
            }
        }
        Language::Node => in_node(text, &mut found),
        Language::Other => {}
    }
    found.read.sort_by_key(|used| used.at);
    found.read.dedup_by_key(|used| used.at);
    found
}

fn in_python<'a>(text: &'a str, opening: &str, found: &mut Variables<'a>) {
    for (at, _) in text.match_indices(opening) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || in_comment(text, at, "#") {
            continue;
        }
        let start = at + opening.len();
        let Some(quote) = text[start..].chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
        let Some(length) = text[start + 1..].find(quote) else { continue };
        let name = &text[start + 1..start + 1 + length];
        let rest = rest_of_line(text, start + 2 + length);
        let after = rest.trim_start();
        let has_default = after.starts_with(',') && !after[1..].trim_start().starts_with(')');
        let closed = after.trim_start_matches([')', ']']).trim_start();
        let set = closed.starts_with('=') && !closed.starts_with("==");
        if has_default || set || closed.starts_with("or ") || after.is_empty() && opening.ends_with('(') {
            found.settled.push(name);
        } else {
            found.read.push(Use { name, at: start + 1, rest });
        }
    }
}

fn in_node<'a>(text: &'a str, found: &mut Variables<'a>) {
    for (at, opening) in text.match_indices("process.env") {
        if in_comment(text, at, "//") {
            continue;
        }
        let after = at + opening.len();
        let quote = text[after..].strip_prefix("[").and_then(|rest| rest.chars().next());
        let start = match quote.filter(|c| matches!(c, '"' | '\'' | '`')) {
            Some(_) => after + 2,
            None if text[after..].starts_with('.') => after + 1,
            None => continue,
        };
        let length = text[start..].bytes().take_while(|&b| b.is_ascii_alphanumeric() || b == b'_').count();
        let name = &text[start..start + length];
        let rest = rest_of_line(text, start + length);
        let closed = rest.trim_start_matches(['"', '\'', '`', ']', '!', ')']).trim_start();
        let set = closed.starts_with('=') && !closed.starts_with("==");
        if set || ["||", "??", "?.", "? "].iter().any(|mark| closed.starts_with(mark)) {
            found.settled.push(name);
        } else if !name.is_empty() {
            found.read.push(Use { name, at: start, rest });
        }
    }
}

fn in_comment(text: &str, at: usize, mark: &str) -> bool {
    let line = start_of_line(text, at);
    line.trim_start().starts_with(mark) || line.trim_start().starts_with('*')
}

/// The programs that a script calls by their bare name.
pub(super) fn programs(language: Language, text: &str) -> Vec<Use<'_>> {
    match language {
        Language::Shell => shell::read(text).commands,
        Language::Python => {
            let openings =
                ["subprocess.run([", "subprocess.call([", "check_output([", "check_call([", "Popen(["];
            quoted_after(text, &openings, "#")
        }
        Language::Node => quoted_after(text, &["execFile(", "execFileSync(", "spawn(", "spawnSync("], "//"),
        Language::Other => Vec::new(),
    }
}

/// The quoted words that directly follow one of the openings.
fn quoted_after<'a>(text: &'a str, openings: &[&str], comment: &str) -> Vec<Use<'a>> {
    let mut found = Vec::new();
    for opening in openings {
        for (at, _) in text.match_indices(opening) {
            let after = text[at + opening.len()..].trim_start();
            let start = text.len() - after.len() + 1;
            let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
            let Some(length) = after[1..].find(quote) else { continue };
            let name = &text[start..start + length];
            let plain =
                name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'+'));
            if plain && !name.is_empty() && !in_comment(text, at, comment) {
                found.push(Use { name, at: start, rest: rest_of_line(text, start + length) });
            }
        }
    }
    found
}

/// Whether a script prints anything.
pub(super) fn prints(language: Language, text: &str) -> bool {
    let marks: &[&str] = match language {
        Language::Shell => &["echo ", "printf ", "cat ", "jq "],
        Language::Python => &["print(", "sys.stdout", "json.dump("],
        Language::Node => &["console.log(", "process.stdout"],
        Language::Other => &["puts ", "print ", "echo "],
    };
    marks.iter().any(|mark| text.contains(mark))
}

/// The codes above 1 that a script ends with by intention, lowest first.
pub(super) fn exit_codes(language: Language, text: &str) -> Vec<u8> {
    let openings: &[&str] = match language {
        Language::Shell => &["exit "],
        // What `main` returns is what the script ends with.
        Language::Python if text.contains("sys.exit(main(") || text.contains("SystemExit(main(") => {
            &["sys.exit(", "SystemExit(", "os._exit(", "parser.exit(", "    return "]
        }
        Language::Python => &["sys.exit(", "SystemExit(", "os._exit(", "parser.exit("],
        Language::Node => &["process.exit(", "process.exitCode = "],
        Language::Other => &[],
    };
    let comment = if language == Language::Node { "//" } else { "#" };
    let mut codes: Vec<u8> = Vec::new();
    for opening in openings {
        for (at, _) in text.match_indices(opening) {
            let before = text[..at].chars().next_back();
            let after = &text[at + opening.len()..];
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let ends = after[digits..]
                .chars()
                .next()
                .is_none_or(|c| matches!(c, ')' | ';' | '\n' | '\r' | ' ' | '}'));
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                || !ends
                || in_comment(text, at, comment)
            {
                continue;
            }
            codes.extend(after[..digits].parse::<u8>().ok().filter(|&code| code > 1));
        }
    }
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(language: Language, text: &str) -> Vec<&str> {
        variables(language, text).read.iter().map(|used| used.name).collect()
    }

    #[test]
    fn languages() {
        assert_eq!(Language::of("x", "#!/usr/bin/env python3\n"), Some(Language::Python));
        assert_eq!(Language::of("x", "#!/usr/bin/env -S uv run --script\n"), Some(Language::Python));
        assert_eq!(Language::of("a.mjs", ""), Some(Language::Node));
        assert_eq!(Language::of("a.sh", "#!/bin/sh\n"), Some(Language::Shell));
        assert_eq!(Language::of("a.md", ""), None);
    }

    #[test]
    fn variables_of_python() {
        let text = "a = os.environ[\"A\"]\nb = os.getenv('B')\nc = os.environ.get('C', 'x')\nd = os.getenv('D') or 1\n\
                    os.environ['E'] = '1'\n# os.environ['F']\nif os.environ.get(\"G\"):\n";
        assert_eq!(read(Language::Python, text), ["A", "B", "G"]);
    }

    #[test]
    fn variables_of_node() {
        let text = "const a = process.env.A;\nconst b = process.env['B'] || 1; process.env.C = 2\n// process.env.D\n\
                    if (process.env.E === 'x' && !process.env.F) {}\nx = process.env.G ?? 1\nprocess.env[key]";
        assert_eq!(read(Language::Node, text), ["A", "E", "F"]);
    }

    #[test]
    fn programs_of_python_and_node() {
        let text = "subprocess.run([\"gh\", 'x'])\nsubprocess.run([sys.executable])\nPopen([\n  'ffmpeg'])";
        let names: Vec<&str> = programs(Language::Python, text).iter().map(|used| used.name).collect();
        assert_eq!(names, ["gh", "ffmpeg"]);
        let names: Vec<&str> =
            programs(Language::Node, "spawn('git', [])").iter().map(|used| used.name).collect();
        assert_eq!(names, ["git"]);
    }

    #[test]
    fn codes_that_are_meant() {
        assert_eq!(
            exit_codes(Language::Shell, "exit 0; exit 3\nexit 12;exit $x # exit 4\n# exit 5"),
            [3, 4, 12]
        );
        assert_eq!(
            exit_codes(Language::Python, "sys.exit(2)\nraise SystemExit(4)\nsys.exit(main())"),
            [2, 4]
        );
        assert_eq!(exit_codes(Language::Python, "def main():\n    return 3\n\nsys.exit(main())"), [3]);
        assert_eq!(exit_codes(Language::Python, "def width():\n    return 3\n"), [0; 0]);
        assert_eq!(exit_codes(Language::Node, "process.exit(1); process.exitCode = 7;"), [7]);
    }
}
