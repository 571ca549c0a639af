//! Commands without the tricks that a shell undoes: `c""url`, `cu\rl`, `cat${IFS}x`, `$A` for
//! what was put into `A` before.

mod printed;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// How many variables of a file are remembered, and how long their values may be.
const MOST_VARIABLES: usize = 1024;
const LONGEST_VALUE: usize = 64;
/// How much longer than its line a text may become.
const MOST_GROWTH: usize = 4;

/// What gives something another name.
struct Naming {
    /// `NAME=word`, the word perhaps in quotes; what ends it is looked at apart, as it may begin the next.
    assignment: Regex,
    /// `NAME = "word"`, as programs other than shells have it.
    constant: Regex,
    /// `alias NAME=word`, `NAME() { command; }`.
    command: Regex,
    /// `import MODULE as NAME`, `NAME = module.function`, `NAME = require("module")`.
    call: Regex,
    /// Parts of a path in quotes.
    joined: Regex,
    /// A quoted part of a word: `c'ur'l`, and a word in quotes where a command stands.
    quoted: Regex,
    /// A name or nothing between two texts that are put together.
    added: Regex,
}

#[expect(clippy::expect_used, reason = "the expressions are part of the program, and tests use them")]
static NAMING: LazyLock<Naming> = LazyLock::new(|| {
    let regex = |pattern: &str| Regex::new(pattern).expect("the expression reads");
    Naming {
        assignment: regex(r#"(?:^|[;&|\s])([A-Za-z_]\w*)=(["']?)([\w./:@~\[\]-]+)"#),
        command: regex(concat!(
            r#"\balias\s+([A-Za-z_]\w*)=["']?([\w./-]+)"#,
            r"|(?:^|[;&\s])([A-Za-z_]\w*)\s*\(\)\s*\{\s*([\w./-]+)\s*;?\s*\}",
        )),
        call: regex(concat!(
            r"(?:\bimport\s+|,\s*)([\w.]+)\s+as\s+([A-Za-z_]\w*)",
            r"|(?:^|[;{]|\b(?:const|let|var))\s*([A-Za-z_]\w*)\s*=\s*",
            r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|exec|eval|compile|Function|Buffer|atob|require|open)\s*(?:;|$)",
            r#"|\b([A-Za-z_]\w*)\s*=\s*require\(\s*["'](?:node:)?([a-z_/]+)["']\s*\)"#,
        )),
        joined: regex(r#"["']\s*[/,]\s*["']/?"#),
        constant: regex(
            r#"(?:^|[;\s])([A-Za-z_]\w*)\s*(?::\s*\w+\s*)?=\s*["']([\w./:@~-]+)["']\s*(?:[;,#]|$)"#,
        ),
        quoted: regex(
            r#"(?P<a>[A-Za-z])(?:'(?P<b>[0-9A-Za-z_]{1,8})'|"(?P<c>[0-9A-Za-z_]{1,8})")|(?P<d>^|[;&|(]\s*)(?:'(?P<e>[\w./-]+)'|"(?P<f>[\w./-]+)")(?P<g>\s|$)"#,
        ),
        added: regex(r#"["']\s*\+\s*(?:([A-Za-z_]\w*)\s*\+\s*)?["']|(["'])\s*\+\s*([A-Za-z_]\w*)\b"#),
    }
});

/// What was given another name in a file so far.
#[derive(Default)]
pub(crate) struct Variables {
    values: BTreeMap<String, String>,
    /// Commands by their other names.
    commands: BTreeMap<String, String>,
    /// Modules and their functions by their other names.
    calls: BTreeMap<String, String>,
}

impl Variables {
    /// The line as it is run, if that is another one; remembers what it gives another name.
    pub(crate) fn plain(&mut self, line: &str) -> Option<String> {
        self.learn(line);
        let mut plain = Cow::Borrowed(line);
        if ["echo", "printf", "which", "command", "type", "$'", "`#", "` #", "<#"]
            .iter()
            .any(|mark| line.contains(mark))
        {
            plain = Cow::Owned(printed::undone(&plain));
        }
        if line.contains(['\'', '"']) {
            let word = "${a}${b}${c}${d}${e}${f}${g}";
            plain = Cow::Owned(NAMING.quoted.replace_all(&plain, word).into_owned());
        }
        if line.contains('+') {
            plain = Cow::Owned(self.put_together(&plain));
        }
        if ["''", "\"\"", "\\", "$", "{"].iter().any(|mark| line.contains(mark)) {
            plain = Cow::Owned(self.without_tricks(&plain));
        }
        if !(self.commands.is_empty() && self.calls.is_empty()) {
            plain = Cow::Owned(self.with_own_names(&plain));
        }
        if ["join(", "Path", "home"].iter().any(|mark| line.contains(mark)) {
            plain = Cow::Owned(NAMING.joined.replace_all(&plain, "/").into_owned());
        }
        (plain != line).then(|| plain.into_owned())
    }

    fn learn(&mut self, line: &str) {
        if line.contains('=') {
            for set in NAMING.assignment.captures_iter(line).take(MOST_VARIABLES) {
                let rest = line[set.get_match().end()..].strip_prefix(&set[2]);
                let ends =
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([';', '&', '|', ' ', '\t']));
                if ends {
                    remember(&mut self.values, &set[1], &set[3]);
                }
            }
        }
        if line.contains(['\'', '"']) && line.contains('=') {
            for set in NAMING.constant.captures_iter(line).take(MOST_VARIABLES) {
                remember(&mut self.values, &set[1], &set[2]);
            }
        }
        if ["alias", "()"].iter().any(|mark| line.contains(mark)) {
            for named in NAMING.command.captures_iter(line).take(MOST_VARIABLES) {
                let part = |group| named.get(group).map(|part| part.as_str());
                if let (Some(name), Some(command)) = (part(1).or(part(3)), part(2).or(part(4))) {
                    remember(&mut self.commands, name, command);
                }
            }
        }
        if [" as ", "=", "require"].iter().any(|mark| line.contains(mark)) {
            for named in NAMING.call.captures_iter(line).take(MOST_VARIABLES) {
                let part = |group| named.get(group).map(|part| part.as_str());
                let pair = part(2).zip(part(1)).or(part(3).zip(part(4))).or(part(5).zip(part(6)));
                if let Some((name, call)) = pair {
                    remember(&mut self.calls, name, call);
                }
            }
        }
    }

    /// Puts commands and calls under their own names.
    fn with_own_names(&self, line: &str) -> String {
        let mut own = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let (between, word) = rest.split_at(start);
            own.push_str(between);
            let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
            let (word, after) = word.split_at(end);
            let apart = !own.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '$' | '_'));
            let first = own.trim_end().is_empty() || own.trim_end().ends_with([';', '&', '|', '(', '{', '`']);
            let is_call = apart && after.starts_with(['(', '.']);
            let is_command = apart && first && !after.starts_with(['(', '=', '.']);
            let name = match (is_call, is_command) {
                _ if own.len() > line.len() * MOST_GROWTH => None,
                (true, _) => self.calls.get(word),
                (_, true) => self.commands.get(word),
                _ => None,
            };
            own.push_str(name.map_or(word, String::as_str));
            rest = after;
        }
        own.push_str(rest);
        own
    }

    /// Texts that are added, as one: `"cu" + "rl"`, `"http://" + HOST + "/a"`.
    fn put_together(&self, line: &str) -> String {
        NAMING
            .added
            .replace_all(line, |parts: &Captures<'_>| {
                let value = |group| parts.get(group).and_then(|name| self.values.get(name.as_str()));
                match (parts.get(1), parts.get(2)) {
                    (Some(_), _) => {
                        value(1).cloned().unwrap_or_else(|| parts.get_match().as_str().to_owned())
                    }
                    (None, Some(quote)) => match value(3) {
                        Some(value) => format!("{value}{}", quote.as_str()),
                        None => parts.get_match().as_str().to_owned(),
                    },
                    (None, None) => String::new(),
                }
            })
            .into_owned()
    }

    fn without_tricks(&self, line: &str) -> String {
        let mut plain = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(character) = rest.chars().next() {
            let after = &rest[character.len_utf8()..];
            if plain.len() > line.len() * MOST_GROWTH {
                plain.push_str(rest);
                break;
            }
            rest = match character {
                '\'' if after.starts_with('\'') => &after[1..],
                '"' if after.starts_with('"') => &after[1..],
                '\\' if escape(after).is_some() => {
                    let (escaped, length) = escape(after).unwrap_or(('\\', 0));
                    plain.push(escaped);
                    &after[length..]
                }
                '\\' if after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => after,
                '{' if let Some((value, rest)) = self.filled_in(after) => {
                    plain.push_str(value);
                    rest
                }
                '$' => {
                    let (value, rest) = self.expansion(after).unwrap_or(("$", after));
                    plain.push_str(value);
                    rest
                }
                _ => {
                    plain.push(character);
                    after
                }
            };
        }
        plain
    }

    /// What `{NAME}` in a text stands for, and what follows it.
    fn filled_in<'s, 't: 's>(&'s self, after: &'t str) -> Option<(&'s str, &'t str)> {
        let end = after.bytes().take(LONGEST_VALUE).position(|byte| byte == b'}')?;
        Some((self.values.get(&after[..end])?, &after[end + 1..]))
    }

    /// What `$NAME` or `${NAME}` stands for, and what follows it.
    fn expansion<'s, 't: 's>(&'s self, after: &'t str) -> Option<(&'s str, &'t str)> {
        let braced = after.starts_with('{');
        let name = &after[usize::from(braced)..];
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        let (name, rest) = name.split_at(end);
        let rest = if braced { rest.strip_prefix('}')? } else { rest };
        match name {
            "IFS" => Some((" ", rest)),
            "@" => Some(("", rest)),
            name => Some((self.values.get(name)?, rest)),
        }
    }
}

fn remember(names: &mut BTreeMap<String, String>, name: &str, value: &str) {
    if names.len() < MOST_VARIABLES && value.len() <= LONGEST_VALUE && name != value {
        names.insert(name.to_owned(), value.to_owned());
    }
}

/// The character of ASCII that `u007c` or `x7c` stands for behind a backslash, and its length.
fn escape(text: &str) -> Option<(char, usize)> {
    let digits = match text.as_bytes().first()? {
        b'u' => 4,
        b'x' => 2,
        _ => return None,
    };
    let code = u8::from_str_radix(text.get(1..=digits)?, 16).ok()?;
    matches!(code, b' '..=b'~').then_some((char::from(code), digits + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_undoes() {
        let plain = |line: &str| Variables::default().plain(line);
        assert_eq!(plain(r#"c""url -s x | b''ash"#).as_deref(), Some("curl -s x | bash"));
        assert_eq!(plain(r"cu\rl${IFS}x|s\h").as_deref(), Some("curl x|sh"));
        assert_eq!(plain("curl x | sh"), None);
        assert_eq!(plain("echo $HOME"), None);
        assert_eq!(plain(r#"c'ur'l x | "bash""#).as_deref(), Some("curl x | bash"));
        assert_eq!(plain(r#"x("cu"+"rl y | ba" + "sh")"#).as_deref(), Some(r#"x("curl y | bash")"#));
    }

    #[test]
    fn constants_of_a_program() {
        let mut variables = Variables::default();
        let plain = |variables: &mut Variables, line: &str| variables.plain(line);
        assert_eq!(plain(&mut variables, r#"HOST: str = "203.0.113.7""#), None);
        for line in
            [r#"get(f"http://{HOST}/x")"#, "get(`http://${HOST}/x`)", r#"get("http://" + HOST + "/x")"#]
        {
            assert!(
                plain(&mut variables, line).is_some_and(|plain| plain.contains("http://203.0.113.7/x")),
                "{line}"
            );
        }
        assert_eq!(plain(&mut variables, r#"get(f"http://{OTHER}/x" + NAME + "/")"#), None);
        plain(&mut variables, "const e = eval;");
        assert_eq!(plain(&mut variables, "e(x)").as_deref(), Some("eval(x)"));
    }

    #[test]
    fn variables_of_a_file() {
        let mut variables = Variables::default();
        assert_eq!(variables.plain("A=curl; B='sh'"), None);
        assert_eq!(variables.plain("$A -s x | ${B}").as_deref(), Some("curl -s x | sh"));
        assert_eq!(variables.plain("$C"), None);
    }

    #[test]
    fn other_names() {
        let mut variables = Variables::default();
        let plain = |variables: &mut Variables, line: &str| variables.plain(line);
        assert_eq!(plain(&mut variables, "A=cu;B=rl"), None);
        assert_eq!(plain(&mut variables, "$A$B x").as_deref(), Some("curl x"));
        plain(&mut variables, "alias c=curl; run() { bash; }");
        assert_eq!(plain(&mut variables, "c -s x | run").as_deref(), Some("curl -s x | bash"));
        assert_eq!(plain(&mut variables, "echo c run"), None);
        plain(&mut variables, "import requests as r");
        plain(&mut variables, "from urllib.request import urlopen as u");
        plain(&mut variables, "b = base64.b64decode");
        assert_eq!(
            plain(&mut variables, "r.get(u(b(x))); f.r.x").as_deref(),
            Some("requests.get(urlopen(base64.b64decode(x))); f.r.x")
        );
        assert_eq!(
            plain(&mut variables, r#""a \u007c \x62 https:\/\/x""#).as_deref(),
            Some(r#""a | b https://x""#)
        );
        assert_eq!(
            plain(&mut variables, r#"Path.home() / ".aws" / "x""#).as_deref(),
            Some(r#"Path.home() / ".aws/x""#)
        );
    }

    #[test]
    fn a_line_does_not_grow_without_end() {
        let mut variables = Variables::default();
        variables.plain(&format!("A={}", "x".repeat(64)));
        let line = "$A".repeat(10_000);
        assert!(variables.plain(&line).is_some_and(|plain| plain.len() <= line.len() * 6));
    }
}
