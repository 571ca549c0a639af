//! How names, paths, commands and other people's sentences stand in a line.

use std::path::Path;

/// A path: bare if every character is in `A-Za-z0-9._/@+=-`, else in backticks.
pub fn path(text: &str) -> String {
    if !text.is_empty() && text.bytes().all(is_plain) { text.to_owned() } else { format!("`{text}`") }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._/@+=-~".contains(&byte)
}

/// A path as text shows it: relative to `base` when inside it, else with `~` for `home`.
pub fn path_from(full: &Path, base: &Path, home: Option<&Path>) -> String {
    let shown = if full == base {
        ".".to_owned()
    } else if let Ok(inside) = full.strip_prefix(base) {
        inside.to_string_lossy().into_owned()
    } else if let Some(Ok(inside)) = home.map(|home| full.strip_prefix(home)) {
        format!("~/{}", inside.to_string_lossy())
    } else {
        full.to_string_lossy().into_owned()
    };
    path(&shown)
}

/// A sentence from outside, in double quotes; `who` says it.
pub fn said(who: &str, sentence: &str) -> String {
    format!("{who} says: \"{}\"", sentence.trim())
}

/// A command line for POSIX sh. Words that need no quoting stay bare.
pub fn command<I: IntoIterator<Item: AsRef<str>>>(words: I) -> String {
    words.into_iter().map(|word| shell(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// One word for POSIX sh.
pub fn shell(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._/@+=-:,^%".contains(&byte);
    // A caret and a leading tilde are safe in sh; `=` first would be an assignment of nothing.
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// `a`, `a and b`, `a, b and c`; more than `most` end in `and N more`.
pub fn list<I: IntoIterator<Item: AsRef<str>>>(items: I, most: usize) -> String {
    let items: Vec<_> = items.into_iter().collect();
    let shown: Vec<&str> = items.iter().take(most).map(AsRef::as_ref).collect();
    let more = items.len() - shown.len();
    match (shown.as_slice(), more) {
        ([], 0) => String::new(),
        ([], more) => format!("{more} more"),
        (shown, 1..) => format!("{} and {more} more", shown.join(", ")),
        ([one], 0) => (*one).to_owned(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let (base, home) = (Path::new("/home/ada/site"), Some(Path::new("/home/ada")));
        let shown = |full: &str| path_from(Path::new(full), base, home);
        assert_eq!(shown("/home/ada/site/skills/github"), "skills/github");
        assert_eq!(shown("/home/ada/site"), ".");
        assert_eq!(shown("/home/ada/notes"), "~/notes");
        assert_eq!(shown("/srv/a b"), "`/srv/a b`");
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(command(["skill", "install", "github@^3"]), "skill install github@^3");
        assert_eq!(command(["skill", "search", "it's"]), r"skill search 'it'\''s'");
        assert_eq!(shell(">=1 <2"), "'>=1 <2'");
        assert_eq!(shell(""), "''");
    }

    #[test]
    fn lists() {
        assert_eq!(list(["a"], 3), "a");
        assert_eq!(list(["a", "b"], 3), "a and b");
        assert_eq!(list(["a", "b", "c", "d"], 3), "a, b, c and 1 more");
        assert_eq!(list(["a", "b", "c"], 3), "a, b and c");
    }
}
