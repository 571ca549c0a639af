//! Rules of the instructions that are worded as advice.

use crate::diagnostic::{Diagnostic, rules};

use super::{Family, Findings, Skill, at_line, words};

pub(super) const FAMILY: Family = Family { title: "Prohibitions", rules: RULES, check };

rules! {
    pub(super) static RULES;

    ADVICE Warning "advice-not-prohibition"
        "advice stands where a prohibition is meant"
        why "A model weighs advice against its task and may act against it; what must not happen has to be forbidden."
        fix "Write `Never …` (绝不), and name the exception if there is one."
        source "this project";
}

/// Words that leave the choice to the reader.
const ADVICE_WORDS: [&str; 30] = [
    "try not to",
    "try to avoid",
    "should avoid",
    "should try to avoid",
    "should generally not",
    "should normally not",
    "should not normally",
    "should probably not",
    "preferably do not",
    "preferably don't",
    "preferably not",
    "prefer not to",
    "ideally do not",
    "ideally don't",
    "ideally avoid",
    "better not to",
    "best not to",
    "best to avoid",
    "be careful not to",
    "avoid if possible",
    "if possible, avoid",
    "if possible, do not",
    "may want to avoid",
    "might want to avoid",
    "尽量不要",
    "尽量避免",
    "尽量别",
    "最好不要",
    "最好避免",
    "最好别",
];
/// What cannot be undone, or must not get out.
const DANGER: [&str; 48] = [
    "delete",
    "deletes",
    "deleting",
    "deletion",
    "overwrite",
    "overwrites",
    "overwriting",
    "drop table",
    "drop database",
    "truncate",
    "truncating",
    "force push",
    "force-push",
    "--force",
    "force pushing",
    "force-pushing",
    "reset --hard",
    "rm",
    "rm -rf",
    "wipe",
    "wiping",
    "erase",
    "erasing",
    "destroy",
    "destructive",
    "irreversible",
    "production",
    "secret",
    "secrets",
    "password",
    "passwords",
    "credential",
    "credentials",
    "api key",
    "api keys",
    "private key",
    "private keys",
    "access token",
    "leak",
    "leaking",
    "删除",
    "覆盖",
    "清空",
    "生产环境",
    "密码",
    "密钥",
    "泄露",
    "转账",
];

fn check(skill: &Skill<'_>, found: &mut Findings) {
    for line in skill.page.prose() {
        let lower = line.text.to_ascii_lowercase();
        let Some((at, phrase)) = words::find_any(&words::without_quotes(&lower), &ADVICE_WORDS) else {
            continue;
        };
        let sentence = sentence_around(&lower, at);
        let Some((_, danger)) = words::find_any(sentence, &DANGER) else { continue };
        let message = format!("`{phrase}` leaves the choice to the agent where {danger} is at stake");
        found.push(at_line(Diagnostic::new(&ADVICE, message), line, at..at + phrase.len()).fix("Never"));
    }
}

fn sentence_around(text: &str, at: usize) -> &str {
    let start = text[..at].rfind(['.', '。', '!', ';', '；']).map_or(0, |end| end + 1);
    let start = (start..=at).find(|&byte| text.is_char_boundary(byte)).unwrap_or(at);
    let end = text[at..].find(". ").or_else(|| text[at..].find('。')).map_or(text.len(), |end| at + end);
    &text[start..end]
}
