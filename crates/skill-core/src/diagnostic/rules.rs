//! What a kind of finding is, and the table of those that reading a `SKILL.md` gives.
//!
//! `skill lint` adds a table for each of its families; [`crate::lint::rules`] gives all of them.

use super::Level;

/// A kind of finding: its code, its weight, what it means and what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Stable for ever: never renamed, never used for something else.
    pub code: &'static str,
    /// The weight without `--strict`.
    pub level: Level,
    /// What it says, in a line.
    pub meaning: &'static str,
    /// Why it matters, in a sentence or two.
    pub why: &'static str,
    /// What to do about it.
    pub fix: &'static str,
    /// Who says so: a specification, a client, or this project.
    pub source: &'static str,
}

/// The rule of a code, if there is one.
pub fn rule(code: &str) -> Option<&'static Rule> {
    crate::lint::rules().find(|rule| rule.code == code)
}

macro_rules! rules {
    (
        $(#[$about:meta])* $seen:vis static $table:ident;
        $($name:ident $level:ident $code:literal $meaning:literal
            why $why:literal fix $fix:literal source $source:literal;)+
    ) => {
        $($seen const $name: $crate::diagnostic::Rule = $crate::diagnostic::Rule {
            code: $code,
            level: $crate::diagnostic::Level::$level,
            meaning: $meaning,
            why: $why,
            fix: $fix,
            source: $source,
        };)+

        $(#[$about])*
        $seen static $table: &[$crate::diagnostic::Rule] = &[$($name),+];
    };
}
pub(crate) use rules;

rules! {
    /// What the reader of the frontmatter and of the manifest finds.
    pub(crate) static READING;

    FRONTMATTER_MISSING Warning "frontmatter-missing"
        "there is no frontmatter; publishing refuses it"
        why "Agents choose a skill by its name and description; without them it is never chosen."
        fix "Put the shown lines at the top of SKILL.md."
        source "Agent Skills specification, frontmatter";
    FRONTMATTER_ENCODING Error "frontmatter-encoding"
        "SKILL.md is not UTF-8"
        why "Other programs read the file as UTF-8 and show nothing of it, or rubbish."
        fix "Save the file as UTF-8."
        source "YAML 1.2, section 5.2";
    FRONTMATTER_UNREADABLE Error "frontmatter-unreadable"
        "the frontmatter gives neither a name nor a description"
        why "What cannot be read cannot be offered to an agent."
        fix "Correct the shown line."
        source "Agent Skills specification, frontmatter";
    FRONTMATTER_BOM Warning "frontmatter-bom"
        "a byte-order mark stands before the frontmatter"
        why "Many readers look for `---` in the first three bytes and then see no skill at all."
        fix "Save the file without a byte-order mark."
        source "reference validator of the Agent Skills specification";
    FRONTMATTER_BLANK Warning "frontmatter-blank-before"
        "blank lines stand before the frontmatter"
        why "Many readers look for `---` in the first line and then see no skill at all."
        fix "Begin the file with `---`."
        source "reference validator of the Agent Skills specification";
    FRONTMATTER_UNCLOSED Warning "frontmatter-unclosed"
        "the closing `---` is missing; the fields were read up to the first line that is none"
        why "Most readers refuse such a file; where the fields end is a guess."
        fix "Close the frontmatter with a line `---`; `--fix` does where no line of it may be text that follows."
        source "Agent Skills specification, frontmatter";
    FRONTMATTER_FENCE Warning "frontmatter-fence"
        "a fence is missing, doubled or not spelled `---`"
        why "Most readers know no other fence, and then see no frontmatter, or half of it."
        fix "Begin and end the frontmatter with one line `---` each."
        source "Agent Skills specification, frontmatter";
    FRONTMATTER_CUT Warning "frontmatter-cut"
        "part of a text is a comment, an anchor or a tag to YAML and is not read"
        why "Every reader leaves it out without a word: ` #` begins a comment, `&x` and `!x` at the start are signs of YAML."
        fix "Put the text into quotes if that part belongs to it."
        source "YAML 1.2, sections 6.6 and 6.9";
    FRONTMATTER_INDENT Warning "frontmatter-indent"
        "a line is indented as YAML does not allow"
        why "Most readers refuse the frontmatter, or take the line for something else."
        fix "Indent the line as shown."
        source "YAML 1.2, section 6.1";
    FRONTMATTER_QUOTED Warning "frontmatter-quoted"
        "plain text that is no valid YAML was read as if it were quoted"
        why "To most readers the whole frontmatter is broken, and the skill does not exist."
        fix "Put the text into quotes."
        source "YAML 1.2, section 7.3.3";
    FRONTMATTER_COLON Warning "frontmatter-colon"
        "no blank follows a colon that ends a key"
        why "Without the blank YAML sees a text instead of a key with a value."
        fix "Put a blank behind the colon."
        source "YAML 1.2, section 7.4.2";
    FRONTMATTER_JSON5 Warning "frontmatter-json5"
        "a value is JSON5 and no valid YAML"
        why "Readers that know YAML alone refuse the frontmatter."
        fix "Write the value as YAML."
        source "YAML 1.2, chapter 7";
    FRONTMATTER_TAB Warning "frontmatter-tab"
        "a tab indents the frontmatter; YAML allows blanks only"
        why "Most readers refuse the frontmatter."
        fix "Indent with blanks."
        source "YAML 1.2, section 6.1";
    FRONTMATTER_SCANNED Warning "frontmatter-scanned"
        "part of the YAML is broken; it was kept as plain text or left out"
        why "What stands there is read by nobody as it was meant."
        fix "Correct the shown line."
        source "YAML 1.2";
    FRONTMATTER_DUPLICATE Warning "frontmatter-duplicate-key"
        "a key stands twice; the last one counts"
        why "Readers differ in which one counts, and some refuse the file."
        fix "Keep one of them."
        source "YAML 1.2, section 3.2.1.1";
    FRONTMATTER_UNKNOWN Warning "frontmatter-unknown-key"
        "a key that nothing here reads; it is kept"
        why "A misspelled key says nothing to anybody, and clients that know six keys refuse others."
        fix "Correct its spelling, or put it below `metadata`."
        source "Agent Skills specification, frontmatter";
    FRONTMATTER_TYPE Warning "frontmatter-type"
        "a field holds another type than it should and was left out"
        why "The field has no effect as it stands."
        fix "Write the type that the message names."
        source "docs/FORMAT.md, manifest";
    FRONTMATTER_NAMELESS Warning "frontmatter-name-missing"
        "there is no name; the folder's or the slug stands in"
        why "The specification requires a name; other clients refuse the skill."
        fix "Add the shown line."
        source "Agent Skills specification, `name`";
    FRONTMATTER_UNDESCRIBED Warning "frontmatter-description-missing"
        "there is no description; the first paragraph stands in"
        why "The specification requires a description; other clients refuse the skill."
        fix "Add a description that says what the skill does and when to use it."
        source "Agent Skills specification, `description`";
    FRONTMATTER_LONG Warning "frontmatter-long"
        "a field is longer than the Agent Skills spec allows"
        why "Some clients drop the whole skill. Counted in Unicode code points: name 64, description 1024, compatibility 500."
        fix "Shorten it; move the rest into the instructions."
        source "Agent Skills specification, `name`, `description`, `compatibility`";
}

#[cfg(test)]
mod tests {
    use crate::lint::rules;

    #[test]
    fn codes_are_kebab_case_and_used_once() {
        let mut codes = std::collections::HashSet::new();
        for rule in rules() {
            let kebab = rule.code.split('-').all(|word| {
                !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            });
            assert!(kebab && codes.insert(rule.code), "{}", rule.code);
        }
    }

    #[test]
    fn every_rule_says_what_why_and_what_to_do() {
        for rule in rules() {
            assert!(!rule.meaning.is_empty() && !rule.meaning.ends_with('.'), "{}", rule.code);
            assert!(!rule.source.is_empty() && !rule.source.ends_with('.'), "{}", rule.code);
            for sentence in [rule.why, rule.fix] {
                let outside_code: String = sentence.split('`').step_by(2).collect();
                assert!(sentence.ends_with('.') && !outside_code.contains('!'), "{}: {sentence}", rule.code);
            }
        }
    }
}
