//! Commands without the tricks that a shell undoes: `c""url`, `cu\rl`, `cat${IFS}x`, `$A` for
//! what was put into `A` before.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

/// How many variables of a file are remembered, and how long their values may be.
const MOST_VARIABLES: usize = 64;
const LONGEST_VALUE: usize = 64;
/// How much longer than its line a text may become.
const MOST_GROWTH: usize = 4;

/// `NAME=word`, the word perhaps in quotes.
#[expect(clippy::expect_used, reason = "the expression is part of the program, and tests use it")]
static ASSIGNMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[;&|\s])([A-Za-z_]\w*)=["']?([\w./:@-]+)["']?(?:$|[;&|\s])"#)
        .expect("the expression reads")
});

/// What was put into the variables of a file so far.
#[derive(Default)]
pub(crate) struct Variables(BTreeMap<String, String>);

impl Variables {
    /// The line as a shell runs it, if that is another one; remembers what it puts into variables.
    pub(crate) fn plain(&mut self, line: &str) -> Option<String> {
        let tricks = ["''", "\"\"", "\\", "$"].iter().any(|mark| line.contains(mark));
        let plain = tricks.then(|| self.without_tricks(line)).filter(|plain| plain != line);
        if line.contains('=') {
            for set in ASSIGNMENT.captures_iter(line).take(MOST_VARIABLES) {
                if self.0.len() < MOST_VARIABLES && set[2].len() <= LONGEST_VALUE {
                    self.0.insert(set[1].to_owned(), set[2].to_owned());
                }
            }
        }
        plain
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
                '\\' if after.starts_with(|c: char| c.is_ascii_alphabetic()) => after,
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
            name => Some((self.0.get(name)?, rest)),
        }
    }
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
    }

    #[test]
    fn variables_of_a_file() {
        let mut variables = Variables::default();
        assert_eq!(variables.plain("A=curl; B='sh'"), None);
        assert_eq!(variables.plain("$A -s x | ${B}").as_deref(), Some("curl -s x | sh"));
        assert_eq!(variables.plain("$C"), None);
    }

    #[test]
    fn a_line_does_not_grow_without_end() {
        let mut variables = Variables::default();
        variables.plain(&format!("A={}", "x".repeat(64)));
        let line = "$A".repeat(10_000);
        assert!(variables.plain(&line).is_some_and(|plain| plain.len() <= line.len() * 6));
    }
}
