use std::collections::{HashMap, HashSet};

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use serde::Serialize;

/// Headings of a table of contents: fewer levels are listed where there are more, down to the highest.
const LISTED: usize = 100;
/// Characters of a heading there.
const LONGEST: usize = 200;

/// The headings of a text, known before it is written: links lead to those that come later, too.
#[derive(Debug, Default)]
pub(super) struct Outline {
    headings: Vec<Heading>,
    names: HashSet<String>,
}

#[derive(Debug)]
struct Heading {
    level: HeadingLevel,
    text: String,
    name: String,
}

/// A table of contents.
#[derive(Debug, Clone, Default, Serialize)]
pub(in crate::web) struct Contents {
    entries: Vec<Entry>,
    /// Headings of the listed levels that are not listed.
    more: usize,
}

#[derive(Debug, Clone, Serialize)]
struct Entry {
    /// Levels below the highest of the text.
    below: usize,
    text: String,
    name: String,
}

impl Outline {
    /// Reads the headings out of the events of a text.
    pub(super) fn of<'a>(events: impl Iterator<Item = Event<'a>>) -> Self {
        let mut outline = Self::default();
        let mut times: HashMap<String, u32> = HashMap::new();
        let mut open: Option<(HeadingLevel, String)> = None;
        for event in events {
            match event {
                Event::Start(Tag::Heading { level, .. }) => open = Some((level, String::new())),
                Event::Text(text) | Event::Code(text) => {
                    if let Some((_, heading)) = &mut open {
                        heading.push_str(&text);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    let Some((level, text)) = open.take() else { continue };
                    let name = outline.free(&text, &mut times);
                    outline.names.insert(name.clone());
                    let text = text.chars().take(LONGEST).collect();
                    outline.headings.push(Heading { level, text, name });
                }
                _ => {}
            }
        }
        outline
    }

    /// A name that no heading has, numbered as GitHub numbers them.
    fn free(&self, heading: &str, times: &mut HashMap<String, u32>) -> String {
        let name = anchor(heading);
        if !self.names.contains(&name) {
            return name;
        }
        let number = times.entry(name.clone()).or_default();
        loop {
            *number += 1;
            let numbered = format!("{name}-{number}");
            if !self.names.contains(&numbered) {
                return numbered;
            }
        }
    }

    /// Whether a heading has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The name of a heading by its place among them.
    pub(super) fn name(&self, place: usize) -> &str {
        self.headings.get(place).map_or("", |heading| &heading.name)
    }

    /// The table of contents of the first `written` headings.
    pub(super) fn contents(&self, written: usize) -> Contents {
        let written = &self.headings[..written.min(self.headings.len())];
        let highest = written.iter().map(|heading| heading.level).min().unwrap_or(HeadingLevel::H1);
        let among = |level| written.iter().filter(move |heading| heading.level <= level);
        let levels =
            [HeadingLevel::H5, HeadingLevel::H4, HeadingLevel::H3, HeadingLevel::H2, HeadingLevel::H1];
        let deepest =
            [HeadingLevel::H6].into_iter().chain(levels).find(|level| among(*level).count() <= LISTED);
        // Where even the highest level has too many, its first are listed.
        let deepest = deepest.filter(|level| *level >= highest).unwrap_or(highest);
        let entry = |heading: &Heading| Entry {
            below: heading.level as usize - highest as usize,
            text: heading.text.clone(),
            name: heading.name.clone(),
        };
        Contents {
            entries: among(deepest).take(LISTED).map(entry).collect(),
            more: among(deepest).count().saturating_sub(LISTED),
        }
    }
}

impl Contents {
    /// How many headings are listed.
    pub(super) const fn len(&self) -> usize {
        self.entries.len()
    }
}

/// The anchor of a heading, spelled as GitHub spells it, with a beginning that none of the page's own has.
pub(super) fn anchor(heading: &str) -> String {
    let mut anchor = String::from("md-");
    for character in heading.trim().chars().take(100) {
        if character.is_alphanumeric() || matches!(character, '-' | '_') {
            anchor.extend(character.to_lowercase());
        } else if character.is_whitespace() {
            anchor.push('-');
        }
    }
    anchor
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::Parser;

    use super::*;

    fn names(markdown: &str) -> Vec<String> {
        let outline = Outline::of(Parser::new(markdown));
        (0..outline.headings.len()).map(|place| outline.name(place).to_owned()).collect()
    }

    #[test]
    fn a_name_that_is_made_is_taken() {
        assert_eq!(
            names("# A\n# A\n# A 1\n# a\n# A 1"),
            ["md-a", "md-a-1", "md-a-1-1", "md-a-2", "md-a-1-2"]
        );
    }

    proptest! {
        #[test]
        fn no_two_headings_have_one_name(headings in prop::collection::vec("# [aA]?( ?-?[12]){0,3}", 0..30)) {
            let mut names = names(&headings.join("\n"));
            let all = names.len();
            names.sort();
            names.dedup();
            prop_assert_eq!(names.len(), all);
        }
    }

    #[test]
    fn contents_have_as_many_levels_as_are_listed() {
        let contents = |markdown: &str| {
            let outline = Outline::of(Parser::new(markdown));
            let contents = outline.contents(usize::MAX);
            let below: Vec<usize> = contents.entries.iter().map(|entry| entry.below).collect();
            (below, contents.more)
        };
        assert_eq!(contents("## a\n#### b\n## c"), (vec![0, 2, 0], 0));
        assert_eq!(contents(&"# a\n## b\n### c\n".repeat(50)), ([0, 1].repeat(50), 0));
        assert_eq!(contents(&"## b\n".repeat(900)), (vec![0; 100], 800));
        assert_eq!(contents("no heading"), (vec![], 0));
    }
}
