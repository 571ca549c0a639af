//! The one table of finding codes.

use super::Level;

/// A kind of finding: its code, its weight, its meaning in one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Stable for ever: never renamed, never used for something else.
    pub code: &'static str,
    /// The weight without `--strict`.
    pub level: Level,
    /// What it says, for a table in the documentation.
    pub meaning: &'static str,
}

/// The rule of a code, if it is one of the table.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

macro_rules! rules {
    ($($name:ident $level:ident $code:literal $meaning:literal;)+) => {
        $(pub(crate) const $name: Rule =
            Rule { code: $code, level: Level::$level, meaning: $meaning };)+

        /// Every code that reading or linting a skill can give, in the order of the documentation.
        pub static RULES: &[Rule] = &[$($name),+];
    };
}

rules! {
    FRONTMATTER_MISSING     Warning "frontmatter-missing"      "there is no frontmatter; publishing refuses it";
    FRONTMATTER_ENCODING    Error   "frontmatter-encoding"     "SKILL.md is not UTF-8";
    FRONTMATTER_UNREADABLE  Error   "frontmatter-unreadable"   "the frontmatter gives neither a name nor a description";
    FRONTMATTER_BOM         Warning "frontmatter-bom"          "a byte-order mark stands before the frontmatter";
    FRONTMATTER_BLANK       Warning "frontmatter-blank-before" "blank lines stand before the frontmatter";
    FRONTMATTER_UNCLOSED    Warning "frontmatter-unclosed"     "the closing `---` is missing; the fields were read up to the first line that is none";
    FRONTMATTER_QUOTED      Warning "frontmatter-quoted"       "plain text that is no valid YAML was read as if it were quoted";
    FRONTMATTER_TAB         Warning "frontmatter-tab"          "a tab indents the frontmatter; YAML allows blanks only";
    FRONTMATTER_SCANNED     Warning "frontmatter-scanned"      "the YAML is broken; what could be read line by line was used";
    FRONTMATTER_DUPLICATE   Warning "frontmatter-duplicate-key" "a key stands twice; the last one counts";
    FRONTMATTER_UNKNOWN     Warning "frontmatter-unknown-key"  "a key that nothing here reads; it is kept";
    FRONTMATTER_TYPE        Warning "frontmatter-type"         "a field holds another type than it should and was left out";
    FRONTMATTER_NAME        Warning "frontmatter-name-differs" "the name is not the folder's";
    FRONTMATTER_LONG        Warning "frontmatter-long"         "a field is longer than the Agent Skills spec allows";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_kebab_case_and_used_once() {
        for (index, rule) in RULES.iter().enumerate() {
            let kebab = rule.code.split('-').all(|word| {
                !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            });
            assert!(kebab, "{}", rule.code);
            assert!(RULES[..index].iter().all(|other| other.code != rule.code), "{}", rule.code);
            assert!(!rule.meaning.ends_with('.') && !rule.meaning.is_empty(), "{}", rule.code);
        }
    }
}
