//! Which names the texts of a bundle hold.

use std::collections::HashSet;

use super::{LintFile, Skill, is_skill_md, words};

/// Names of several words that are looked for as a whole; nobody requires more of them.
const WHOLE: usize = 64;

/// The names that the instructions or another text of the bundle hold, found in one reading of them.
#[derive(Debug)]
pub(super) struct Named(HashSet<String>);

impl Named {
    /// Looks for names, without letter case. Of more than 64 that have several words (`docker-compose`) and all of these
    /// somewhere, the rest counts as held.
    pub(super) fn of<'n>(skill: &Skill<'_>, names: impl Iterator<Item = &'n str>) -> Self {
        let names: HashSet<String> = names.map(str::to_lowercase).collect();
        let wanted: HashSet<&str> = names.iter().flat_map(|name| parts(name)).collect();
        let longest = wanted.iter().map(|word| word.len()).max().unwrap_or_default();
        let others = skill.input.files.iter().filter(|file| !is_skill_md(file)).filter_map(LintFile::text);
        let texts: Vec<&str> = std::iter::once(skill.body).chain(others).collect();
        let mut seen: HashSet<String> = HashSet::new();
        // A letter has at most three times its bytes in the other case.
        for word in texts.iter().flat_map(|text| parts(text)).filter(|word| word.len() <= 3 * longest) {
            let word = word.to_lowercase();
            if wanted.contains(word.as_str()) {
                seen.insert(word);
            }
        }
        let possible = names.iter().filter(|name| parts(name).all(|word| seen.contains(word)));
        let (mut held, whole): (HashSet<&str>, Vec<&str>) = {
            let (single, whole): (Vec<&str>, Vec<&str>) =
                possible.map(String::as_str).partition(|name| parts(name).eq(std::iter::once(*name)));
            (single.into_iter().collect(), whole)
        };
        held.extend(whole.iter().skip(WHOLE));
        for text in texts.iter().filter(|_| !whole.is_empty()) {
            let text = text.to_lowercase();
            held.extend(whole.iter().take(WHOLE).filter(|name| words::find(&text, name).is_some()));
        }
        Self(held.into_iter().map(str::to_owned).collect())
    }

    /// Whether a text holds the name; of those only that were looked for.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.0.contains(&name.to_lowercase())
    }
}

/// The words of a text as `words::find` bounds them.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let inside = |c: char| (c.is_alphanumeric() || c == '_') && !words::is_cjk(c);
    text.split(move |c: char| !inside(c)).filter(|word| !word.is_empty())
}
