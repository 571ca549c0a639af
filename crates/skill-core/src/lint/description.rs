//! The description: long enough, about this skill, and clear about when and when not.

use crate::diagnostic::{
    DESCRIPTION_SHORT, DESCRIPTION_VAGUE, DESCRIPTION_WHEN, Diagnostic, WHEN_NOT_MISSING,
};
use crate::frontmatter::lines::lines;

use super::Skill;

/// Fewer words say too little to choose by.
const SHORT: usize = 5;
/// Above this a description has said something, whatever words it uses.
const VAGUE_BELOW: usize = 12;

const WHEN: [&str; 21] = [
    "when",
    "use for",
    "use this",
    "use it",
    "used for",
    "used to",
    "trigger",
    "if the user",
    "if you",
    "whenever",
    "before ",
    "after ",
    "during ",
    "asks",
    "当",
    "时",
    "用于",
    "适用",
    "场景",
    "需要",
    "触发",
];
const WHEN_NOT: [&str; 17] = [
    "not for",
    "not use",
    "not when",
    "don't use",
    "never use",
    "not suitable",
    "not needed",
    "not meant",
    "skip",
    "instead of this",
    "不适用",
    "不要用",
    "不要使用",
    "不用于",
    "不应使用",
    "何时不",
    "请勿",
];
const VAGUE: [&str; 14] = [
    "helps with",
    "helps you with",
    "useful",
    "various",
    "stuff",
    "things",
    "misc",
    "a utility",
    "general purpose",
    "everything",
    "a skill for",
    "有用",
    "各种",
    "相关的",
];

pub(super) fn check(skill: &Skill<'_>, found: &mut Vec<Diagnostic>) {
    let manifest = skill.manifest;
    let Some(pair) = skill.frontmatter.top("description").filter(|_| !manifest.description.is_empty()) else {
        return;
    };
    let description = manifest.description.to_lowercase();
    let words = words(&description);
    let mut say =
        |rule, message: String| found.push(skill.at_key(Diagnostic::new(rule, message), Some(pair)));
    if words < SHORT {
        let count = if words == 1 { "1 word".to_owned() } else { format!("{words} words") };
        say(
            &DESCRIPTION_SHORT,
            format!("the description has {count}; say what the skill does and when to use it"),
        );
    } else if words < VAGUE_BELOW
        && let Some(vague) = VAGUE.iter().find(|vague| description.contains(**vague))
    {
        say(&DESCRIPTION_VAGUE, format!("`{vague}` fits any skill; name the task, the input and the result"));
    }
    if manifest.when_to_use.is_none() && !contains(&description, &WHEN) {
        say(&DESCRIPTION_WHEN, "the description does not say when to use the skill".to_owned());
    }
    if manifest.when_not_to_use.is_none()
        && !contains(&description, &WHEN_NOT)
        && !heading_says_when_not(skill.body)
    {
        let message = "nothing says when not to use the skill: no when_not_to_use, no such heading";
        say(&WHEN_NOT_MISSING, message.to_owned());
    }
}

/// Words, where two CJK characters count as one.
fn words(text: &str) -> usize {
    let cjk = |c: char| matches!(c as u32, 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF);
    let characters = text.chars().filter(|&c| cjk(c)).count();
    let spaced = text.split(|c: char| cjk(c) || !(c.is_alphanumeric() || matches!(c, '\'' | '_' | '-')));
    spaced.filter(|word| !word.is_empty()).count() + characters.div_ceil(2)
}

fn contains(text: &str, any: &[&str]) -> bool {
    any.iter().any(|part| text.contains(part))
}

fn heading_says_when_not(body: &str) -> bool {
    lines(body).filter(|line| line.text.starts_with('#')).any(|line| {
        let heading = line.text.to_lowercase();
        contains(&heading, &WHEN_NOT) || contains(&heading, &["when not", "not to use", "out of scope"])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_two_scripts() {
        assert_eq!(words("pdf helper"), 2);
        assert_eq!(words("don't re-use it, v1.2!"), 5);
        assert_eq!(words("根据天气给出穿衣建议"), 5);
        assert_eq!(words("用 gh 查看 issue"), 4);
        assert_eq!(words(""), 0);
    }
}
