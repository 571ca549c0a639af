//! The description: long enough, about this skill, in one language, and clear about when and when not.

use crate::diagnostic::{Diagnostic, Rule, rules};
use crate::frontmatter::node::Pair;

use super::{Family, Findings, Skill, words};

mod language;

pub(super) const FAMILY: Family = Family { title: "Description", rules: RULES, check };

rules! {
    pub(super) static RULES;

    DESCRIPTION_SHORT Warning "description-short"
        "the description is too short to choose the skill by"
        why "The description is all that an agent knows of a skill before it loads it."
        fix "Say what the skill does and when to use it."
        source "Agent Skills specification, `description`";
    DESCRIPTION_VAGUE Warning "description-vague"
        "the description could stand on any skill"
        why "An agent that chooses among many skills chooses by what tells them apart."
        fix "Name the task, the input and the result."
        source "Agent Skills specification, `description`";
    DESCRIPTION_WHAT Warning "description-what"
        "the description says when to use the skill and not what it does"
        why "People and agents that look for a result find skills by what they do."
        fix "Begin with a sentence that names what the skill does."
        source "Agent Skills specification, `description`";
    DESCRIPTION_WHEN Warning "description-when"
        "nothing says when to use the skill"
        why "Without it an agent loads the skill too often, or never."
        fix "Add a sentence like `Use when …`, or the field `when_to_use` below `metadata`."
        source "Agent Skills specification, `description`";
    WHEN_NOT_MISSING Warning "when-not-missing"
        "nothing says when not to use the skill"
        why "Requests that look alike are what a skill is wrongly chosen for."
        fix "Add a sentence like `Not for …`, the field `when_not_to_use` below `metadata`, or a heading `When not to use` (不适用)."
        source "this project";
    DESCRIPTION_PERSON Warning "description-person"
        "the description speaks in the first person"
        why "It is put into the agent's own instructions, where `I` is somebody else."
        fix "Write in the third person: `Draws a chart`, not `I can draw a chart`."
        source "authoring advice of Anthropic's clients";
    DESCRIPTION_LANGUAGES Warning "description-languages"
        "the description is written in two languages"
        why "Half of it is noise to every reader, and it counts against the 1024 characters."
        fix "Keep one language; names of tools and quoted requests may be in another."
        source "this project";
}

/// Fewer words say too little to choose by.
const SHORT: usize = 5;
/// Above this a description has said something, whatever words it uses.
const VAGUE_BELOW: usize = 12;

const WHEN: [&str; 25] = [
    "when",
    "use for",
    "use this",
    "use it",
    "used for",
    "used to",
    "trigger",
    "triggers",
    "triggered",
    "if the user",
    "if you",
    "whenever",
    "before",
    "after",
    "during",
    "asks",
    "asked",
    "用于",
    "适用",
    "场景",
    "需要",
    "触发",
    "当用户",
    "当你",
    "的时候",
];
/// What stands behind 时 where it means `when`; in 时间 and 实时 it does not.
const AFTER_WHEN: [&str; 12] =
    ["使用", "用", "调用", "触发", "启用", "加载", "激活", "，", ",", "。", "；", "、"];
/// What stands before 时 where it is part of another word: 小时, 实时, 及时.
const BEFORE_TIME: &str = "小实定临计及准同按延限工耗超随即";
const WHEN_NOT: [&str; 24] = [
    "do not",
    "don't",
    "rather than",
    "out of scope",
    "not intended",
    "not for",
    "not use",
    "not when",
    "never use",
    "not suitable",
    "not needed",
    "not meant",
    "skip for",
    "skip when",
    "skip if",
    "skip it",
    "skip this",
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
/// How a sentence begins that says nothing but when.
const ONLY_WHEN: [&str; 16] = [
    "use when",
    "use whenever",
    "use if",
    "use this when",
    "use this skill when",
    "use this skill whenever",
    "use this skill if",
    "also use when",
    "when the user",
    "when a user",
    "when you need",
    "invoke when",
    "activate when",
    "triggers on",
    "triggers when",
    "当用户",
];
const FIRST_PERSON: [&str; 26] = [
    "i can",
    "i will",
    "i'll",
    "i am",
    "i'm",
    "i help",
    "i have",
    "i use",
    "i create",
    "i analyze",
    "i provide",
    "i specialize",
    "we can",
    "we will",
    "we'll",
    "we provide",
    "we help",
    "my job",
    "my role",
    "我可以",
    "我会",
    "我能",
    "我将",
    "我帮",
    "我们会",
    "我们可以",
];
/// What a list of words that a person may say begins with; such a list may be in another language.
const LIST_OF_TRIGGERS: [&str; 8] =
    ["triggers", "trigger", "keywords", "触发词", "触发", "关键词", "examples", "aliases"];

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let manifest = skill.manifest;
    let Some(pair) = skill.frontmatter.top("description").filter(|_| !manifest.description.is_empty()) else {
        return;
    };
    let description = manifest.description.to_lowercase();
    let mut say =
        |rule, message: String| found.push(skill.at_key(Diagnostic::new(rule, message), Some(pair)));
    if let Some((rule, message)) = too_little(&description) {
        say(rule, message);
    }
    // Phrases are looked for; where they are those of a language that is not known here, nothing can be said.
    let is_known = language::is_known(&description);
    if is_known && manifest.when_to_use.is_none() && !says_when(&description) {
        say(&DESCRIPTION_WHEN, "the description does not say when to use the skill".to_owned());
    }
    if says_only_when(&description) {
        say(&DESCRIPTION_WHAT, "the description says when to use the skill and not what it does".to_owned());
    }
    let says_when_not = words::has_any(&description, &WHEN_NOT) || names_another(&description);
    if is_known && manifest.when_not_to_use.is_none() && !says_when_not && !heading_says_when_not(skill) {
        let message = "nothing says when not to use the skill: no when_not_to_use, no such heading";
        say(&WHEN_NOT_MISSING, message.to_owned());
    }
    if two_languages(&description) {
        say(&DESCRIPTION_LANGUAGES, "the description is written in two languages".to_owned());
    }
    first_person(skill, pair, &description, found);
}

/// A description that gives nothing to choose by.
fn too_little(description: &str) -> Option<(&'static Rule, String)> {
    let words = words::count(description);
    if words < SHORT {
        let count = if words == 1 { "1 word".to_owned() } else { format!("{words} words") };
        let message = format!("the description has {count}; say what the skill does and when to use it");
        return Some((&DESCRIPTION_SHORT, message));
    }
    let vague =
        VAGUE.iter().find(|vague| words < VAGUE_BELOW && words::find(description, vague).is_some())?;
    let message = format!("`{vague}` fits any skill; name the task, the input and the result");
    Some((&DESCRIPTION_VAGUE, message))
}

fn says_only_when(description: &str) -> bool {
    let sentences = words::sentences(description);
    let only_when = |sentence: &&str| {
        ONLY_WHEN.iter().any(|start| sentence.starts_with(start))
            || LIST_OF_TRIGGERS.iter().any(|start| sentence.starts_with(start))
            || words::has_any(sentence, &WHEN_NOT)
            || sentence.starts_with("for ")
    };
    let first = sentences.first().is_some_and(|first| ONLY_WHEN.iter().any(|start| first.starts_with(start)));
    first && sentences.iter().all(only_when)
}

fn says_when(description: &str) -> bool {
    let says_time = |(at, time): (usize, &str)| {
        let (before, after) = (description[..at].chars().next_back(), &description[at + time.len()..]);
        let ends = after.is_empty() || AFTER_WHEN.iter().any(|word| after.starts_with(word));
        ends && !before.is_some_and(|c| BEFORE_TIME.contains(c))
    };
    words::has_any(description, &WHEN) || description.match_indices('时').any(says_time)
}

/// `For email copy, see cold-email`, `Use cold-email instead`: what is said about the neighbour is said about this skill,
/// too.
fn names_another(description: &str) -> bool {
    let mut parts = description.split(['.', ';', '—', '–', '(', ',', '\n']).map(str::trim);
    let points = |part: &str| part.contains('→') || words::has_any(part, &["use", "see"]);
    let sentences = description.split(['.', ';', '—', '–', '(']).map(str::trim);
    sentences.filter(|part| part.starts_with("for ")).any(points)
        || parts.any(|part| words::find(part, "instead").is_some() && words::has_any(part, &["use", "see"]))
}

fn first_person(skill: &Skill<'_>, pair: &Pair, description: &str, found: &mut Findings) {
    let bare = words::without_quotes(description);
    let Some((_, phrase)) = words::find_any(&bare, &FIRST_PERSON) else { return };
    let message =
        format!("`{phrase}` is the first person; the description becomes part of the agent's instructions");
    let find = |line: &str| words::find(&words::without_quotes(line), phrase).map(|at| at..at + phrase.len());
    found.push(skill.in_value(Diagnostic::new(&DESCRIPTION_PERSON, message), pair, find));
}

/// Whether there are sentences in a script with blanks and sentences in CJK. A foreign name, a quotation or a list of
/// triggers makes no second language.
fn two_languages(description: &str) -> bool {
    let bare = words::without_quotes(description);
    let (mut cjk, mut latin) = (false, false);
    for sentence in words::sentences(&bare) {
        if LIST_OF_TRIGGERS.iter().any(|start| sentence.starts_with(start)) {
            continue;
        }
        let characters = sentence.chars().filter(|&c| words::is_cjk(c)).count();
        let spaced = words::latin(sentence).count();
        cjk |= characters >= 6 && characters > 2 * spaced;
        latin |= spaced >= 5 && characters < spaced / 2;
    }
    cjk && latin
}

fn heading_says_when_not(skill: &Skill<'_>) -> bool {
    skill.page.headings().any(|(_, heading)| {
        let heading = heading.to_lowercase();
        words::has_any(&heading, &WHEN_NOT) || words::has_any(&heading, &["when not", "not to use"])
    })
}
