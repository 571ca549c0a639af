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
    FRONTMATTER_COLON       Warning "frontmatter-colon"        "no blank follows a colon that ends a key";
    FRONTMATTER_JSON5       Warning "frontmatter-json5"        "a value is JSON5 and no valid YAML";
    FRONTMATTER_TAB         Warning "frontmatter-tab"          "a tab indents the frontmatter; YAML allows blanks only";
    FRONTMATTER_SCANNED     Warning "frontmatter-scanned"      "part of the YAML is broken; it was kept as plain text or left out";
    FRONTMATTER_DUPLICATE   Warning "frontmatter-duplicate-key" "a key stands twice; the last one counts";
    FRONTMATTER_UNKNOWN     Warning "frontmatter-unknown-key"  "a key that nothing here reads; it is kept";
    FRONTMATTER_TYPE        Warning "frontmatter-type"         "a field holds another type than it should and was left out";
    FRONTMATTER_NAMELESS    Warning "frontmatter-name-missing" "there is no name; the folder's or the slug stands in";
    FRONTMATTER_UNDESCRIBED Warning "frontmatter-description-missing" "there is no description; the first paragraph stands in";
    FRONTMATTER_NAME        Warning "frontmatter-name-differs" "the name is not the folder's";
    FRONTMATTER_LONG        Warning "frontmatter-long"         "a field is longer than the Agent Skills spec allows";
    SKILL_MD_ABSENT         Error   "bundle-no-skill-md"         "there is no SKILL.md";
    SKILL_MD_CASE           Warning "skill-md-case"            "the file is not spelled SKILL.md";
    NAME_CHARSET            Warning "name-charset"             "the name is a display name: not lower-case letters, digits and single hyphens";
    DESCRIPTION_SHORT       Warning "description-short"        "the description is too short to choose the skill by";
    DESCRIPTION_VAGUE       Warning "description-vague"        "the description could stand on any skill";
    DESCRIPTION_WHEN        Warning "description-when"         "nothing says when to use the skill";
    WHEN_NOT_MISSING        Warning "when-not-missing"         "nothing says when not to use the skill";
    ANGLE_BRACKETS          Warning "portability-angle-brackets" "name or description holds < or >, which some clients refuse";
    BODY_EMPTY              Warning "body-empty"               "there are no instructions after the frontmatter";
    BODY_LONG               Warning "body-long"                "the instructions are longer than 500 lines";
    LINK_BROKEN             Warning "link-broken"              "a relative link leads to no file of the skill";
    LINK_OUTSIDE            Warning "link-outside"             "a relative link leads out of the skill's folder";
    SCRIPT_MODE             Warning "script-not-executable"    "a file begins with #! and lacks the executable bit";
    REQUIRES_NAME           Error   "requires-skill-name"      "a required skill is neither owner/slug nor a slug";
    REQUIRES_VERSION        Error   "requires-skill-version"   "the version requirement of a required skill cannot be read";
    SPEC_KEY                Error   "spec-key"                 "a top-level key that the Agent Skills spec does not have (strict)";
    SPEC_TYPE               Error   "spec-type"                "a field holds another type than the Agent Skills spec says (strict)";
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
