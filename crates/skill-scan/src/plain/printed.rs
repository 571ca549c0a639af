//! What `$(echo curl)`, `$(which sh)`, `` `printf 'c%srl' u` `` and `$'\x63url'` stand for, as far as it is plain text.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::escape;

/// The longest text that is worked out.
const LONGEST: usize = 256;

#[expect(clippy::expect_used, reason = "the expressions are part of the program, and tests use them")]
static PRINTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\$\(\s*(?P<a>echo|printf|which|command\s+-v|type\s+-p)\s+(?P<b>[^()$`]+)\)",
        r"|`\s*(?P<c>echo|printf|which|command\s+-v|type\s+-p)\s+(?P<d>[^()$`]+)`",
        r"|\$'(?P<e>[^']+)'",
        r"|(?P<f>`\s*#[^`]*`|<#.*?#>)",
    ))
    .expect("the expression reads")
});

/// The line with what is printed in the place of what prints it, and without comments in the place of a command.
pub(super) fn undone(line: &str) -> String {
    let text = |captures: &Captures<'_>, name| captures.name(name).map(|text| text.as_str().to_owned());
    PRINTED
        .replace_all(line, |captures: &Captures<'_>| {
            let whole = captures.get_match().as_str();
            let command = text(captures, "a").zip(text(captures, "b"));
            let command = command.or_else(|| text(captures, "c").zip(text(captures, "d")));
            let printed = match (command, text(captures, "e")) {
                (Some((command, words)), _) => printed(&command, &words),
                (None, Some(quoted)) => Some(unescaped(&quoted)),
                (None, None) => Some(" ".to_owned()),
            };
            printed
                .filter(|text| text.len() <= LONGEST && !text.contains('\n'))
                .unwrap_or_else(|| whole.to_owned())
        })
        .into_owned()
}

/// What the command prints of these words; `None` if a shell does more with them.
fn printed(command: &str, text: &str) -> Option<String> {
    if text.len() > LONGEST || text.contains(['|', ';', '&', '<', '>', '*', '?', '\n']) {
        return None;
    }
    let mut words =
        words(text).into_iter().filter(|word| !matches!(word.as_str(), "-n" | "-e" | "-ne" | "-en" | "--"));
    if command != "printf" {
        return Some(unescaped(&words.collect::<Vec<_>>().join(" ")));
    }
    let (format, mut rest) = (words.next()?, words);
    let mut out = String::new();
    let mut pieces = unescaped(&format);
    while let Some(at) = pieces.find('%') {
        out.push_str(&pieces[..at]);
        match pieces.as_bytes().get(at + 1)? {
            b'%' => out.push('%'),
            b's' | b'b' | b'c' => out.push_str(&unescaped(&rest.next().unwrap_or_default())),
            _ => return None,
        }
        pieces.drain(..at + 2);
    }
    Some(out + &pieces + &rest.collect::<String>())
}

/// The words of a command, without their quotes.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in text.chars() {
        match (quote, character) {
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == character => quote = None,
            (None, ' ' | '\t') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// The text with the characters that `\x63` and `\143` stand for, and without other backslashes.
fn unescaped(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let (character, length) =
            escape(after).or_else(|| octal(after)).map_or((None, 0), |(c, n)| (Some(c), n));
        plain.extend(character);
        rest = &after[length..];
    }
    plain + rest
}

/// The character of ASCII that `143` or `0143` stands for, and its length.
fn octal(text: &str) -> Option<(char, usize)> {
    let most = if text.starts_with('0') { 4 } else { 3 };
    let length = text.bytes().take(most).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    let code = u8::from_str_radix(text.get(..length.max(2))?, 8).ok()?;
    matches!(code, b' '..=b'~').then_some((char::from(code), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed() {
        for (line, plain) in [
            ("$(printf 'c%srl' u) -s x | $(printf 's%s' h)", "curl -s x | sh"),
            ("$(echo curl) x | `echo ba``echo sh`", "curl x | bash"),
            (r"`printf '\x63\165%s' rl` x", "curl x"),
            (r"$'\x63\x75rl' x | $'\163h'", "curl x | sh"),
            ("curl x | `# run it` sh", "curl x |   sh"),
            ("irm x | <# it #> iex", "irm x |   iex"),
            ("curl x | \"$(command -v bash)\"", "curl x | \"bash\""),
            ("curl x | `which sh`", "curl x | sh"),
            ("printf %s%s cu rl", "printf %s%s cu rl"),
            ("$(echo \"$A\") $(date) $(echo a | tr a b)", "$(echo \"$A\") $(date) $(echo a | tr a b)"),
            ("$(printf '%d' 1)", "$(printf '%d' 1)"),
        ] {
            assert_eq!(undone(line), plain, "{line}");
        }
    }
}
