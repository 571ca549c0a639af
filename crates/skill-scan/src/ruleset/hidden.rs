use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::{About, RuleError};

/// The rules about characters that a reader does not see.
#[derive(Debug)]
pub(crate) struct HiddenRules {
    classes: Vec<(RangeInclusive<u32>, Class)>,
    pub(crate) rules: Vec<HiddenRule>,
}

/// One such rule.
#[derive(Debug, Deserialize)]
pub(crate) struct HiddenRule {
    #[serde(flatten)]
    pub(crate) about: About,
    pub(crate) class: Class,
    pub(crate) shape: Shape,
}

/// What a hidden character is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    /// Tags, which spell ASCII; flags of regions use them.
    Tag,
    /// Choose a form of the character before.
    Variation,
    /// Join, or allow a break.
    ZeroWidth,
    /// Letters without a shape.
    Filler,
    /// Turn the order of what follows.
    Override,
    /// Open or close a passage with an order of its own.
    Isolate,
    /// Weigh on the order of their neighbours.
    Mark,
}

/// How such characters stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shape {
    /// They spell something.
    Message,
    /// Many in a row.
    Run,
    /// In code.
    Code,
    /// Anywhere else.
    Single,
}

#[derive(Deserialize)]
struct File {
    classes: BTreeMap<Class, Vec<String>>,
    rule: Vec<HiddenRule>,
}

impl HiddenRules {
    pub(super) fn read(text: &str) -> Result<Self, RuleError> {
        let file: File = toml::from_str(text).map_err(RuleError::Toml)?;
        let mut classes = Vec::new();
        for (class, texts) in file.classes {
            for text in texts {
                let range =
                    range(&text).ok_or_else(|| RuleError::Range { class: format!("{class:?}"), text })?;
                classes.push((range, class));
            }
        }
        Ok(Self { classes, rules: file.rule })
    }

    /// The class of a character; `None` for one that is seen.
    pub(crate) fn class(&self, character: char) -> Option<Class> {
        let point = u32::from(character);
        self.classes.iter().find(|(range, _)| range.contains(&point)).map(|&(_, class)| class)
    }

    pub(crate) fn rule(&self, class: Class, shape: Shape) -> Option<&About> {
        self.rules.iter().find(|rule| rule.class == class && rule.shape == shape).map(|rule| &rule.about)
    }
}

/// `E0000-E007F` or `FEFF`.
fn range(text: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some(u32::from_str_radix(first, 16).ok()?..=u32::from_str_radix(last, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use skill_core::hidden::Hidden;

    use crate::RuleSet;

    /// What the one table of hidden characters has, the rules look for.
    #[test]
    fn every_hidden_character_has_a_class() {
        let hidden = &RuleSet::builtin().hidden;
        for character in '\0'..=char::MAX {
            let steers =
                matches!(Hidden::of(character), Some(Hidden::Bidi | Hidden::Ignorable | Hidden::Annotation));
            assert_eq!(hidden.class(character).is_some(), steers, "{character:?}");
        }
    }
}
