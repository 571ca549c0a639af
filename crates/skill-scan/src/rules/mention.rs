//! Whether a text gives a command, or talks about one.
//!
//! Wording weighs only where an agent reads it, in Markdown, and only if it leaves no other way
//! to read the sentence: "never run" counts, "do not run it before" does not. Whoever is wrong
//! about it errs on the side of the command.

use std::sync::LazyLock;

use regex::Regex;
use skill_core::verdict::Severity;

use super::quoted::is_quoted;
use super::reading::Reading;
use crate::layout::Place;
use crate::ruleset::Found;
use crate::units::Unit;

/// What the text around a match makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention {
    /// To be run, as far as anyone can tell.
    Command,
    /// In a comment of a program, which nothing runs.
    Comment,
    /// An example of what not to do.
    Warning,
}

/// How much of the text on either side is read.
const NEIGHBOURHOOD: usize = 160;

/// The longest text between a label and what it is about.
const LONGEST_SENTENCE: usize = 1024;

struct Wording {
    /// Right before the match: "never run `".
    negated: Regex,
    /// What turns such a sentence round, between these words and the match.
    exception: Regex,
    /// Right before the match: "dangerous patterns such as `".
    listed: Regex,
    /// Right after the match: "` is dangerous".
    judged: Regex,
    /// Anywhere before it in its sentence, which then is a command whatever else it says.
    instructs: Regex,
    /// Opens the paragraph or the row that the match is in the first sentence of: "❌", "Bad:".
    label: Regex,
    /// A comment that says so about the lines below it.
    comment: Regex,
    /// A heading, or a line that ends in a colon, that says so about what is below it.
    section: Regex,
    /// What takes that back.
    guides: Regex,
    /// What takes back what a comment says.
    retracts: Regex,
}

#[expect(clippy::expect_used, reason = "the expressions are part of the program, and tests use them")]
static WORDING: LazyLock<Wording> = LazyLock::new(|| {
    let regex = |pattern: &str| {
        let bad = "(?:bad|wrong|unsafe|insecure|dangerous|vulnerable|malicious|suspicious|risky|harmful)";
        let not = "(?:never|do not|don['’]t|must not|should not|shouldn['’]t|avoid|refuse to)";
        let pattern = pattern.replace("BAD", bad).replace("NOT", not);
        Regex::new(&format!("(?i){pattern}")).expect("the expression reads")
    };
    Wording {
        negated: regex(concat!(
            r"(?:\bNOT\s+(?:(?:ever|blindly|just)\s+)*(?:run|pipe|execut|us|past|copy|do|install|suggest|recommend",
            r"|typ|trust|writ|generat|emit|allow|follow|send|upload|shar|commit|includ|fetch|call|request|access|open|visit|read|post|put|add)(?:e|ing)?\b|不要|禁止|切勿|请勿|绝不)(?P<gap>[^.;!?。；！？\x1f]*)$",
            r#"|\bNOT[\s"'`*_\x1f]+(?P<near>)$"#,
        )),
        exception: regex(concat!(
            r"\b(?:before|unless|until|without|except|but|then|first|instead|after|hesitate|forget|anything",
            r"|else|other|manually|and|or|simply|now)\b|[&,]|先|除非|之前|否则|直接|然后",
        )),
        listed: regex(concat!(
            r"\bBAD(?:\s+(?:shell|install|code|remote|commands?|patterns?|examples?|scripts?|one-liners?",
            r"|practices?|idioms?|constructs?|instructions?|phrases?|prompts?|requests?|sentences?|messages?|inputs?|text))*",
            r#"(?:\s*(?:such as|like|e\.g\.,?|for example|including|is|are|[:：(—–,-]))+[\s"'`(*_]*(?:sudo\s+)?$"#,
        )),
        judged: regex(concat!(
            r#"^[\s"'`)\]*_,:—–\x1f-]*(?:(?:is|are|as|this is|that is)\s+)?"#,
            r"(?:an?\s+|considered\s+|very\s+|extremely\s+)*(?:BAD\b|red flag",
            r"|not (?:allowed|safe|recommended|ok|acceptable)\b|NOT (?:do|run|use|pipe|execute)\b",
            r"|forbidden|prohibited|❌|🚫|⛔|✗)",
        )),
        instructs: regex(concat!(
            r"\b(?:run|running|execute|paste|use|using|install|type|copy|enter|start|launch|try|call|do|via|with|by",
            r"|need|must|have to|required?)\b|运行|执行|安装|使用",
        )),
        label: regex(concat!(
            r"^[\s>*+|\x1f#/\d.)(-]*(?:❌|🚫|⛔|✗|✘|[*_`]*(?:BAD|NOT)[*_`]*\s*[:：])",
            r"[^.!?;。！？；]*$",
        )),
        comment: regex(concat!(
            r"^\s*(?:#|//|--|;|rem\b|<!--)\s*(?:❌|🚫|⛔|✗|✘",
            r"|BAD\b\s*(?:$|[:：(—–-]|example|practice|pattern|idea)",
            r"|NOT\s+(?:do|run|pipe|use|execute|paste|this|these)\b)",
        )),
        section: regex(concat!(
            r"\bred flags?\b|\banti-?patterns?\b|❌|🚫|⛔",
            r"|\b(?:attack|threat|malware|injection|exfiltration|abuse|jailbreak)\s+(?:patterns?|vectors?|examples?",
            r"|techniques?|signatures?|indicators?|phrases?|attempts?|strings?|scenarios?)\b",
            r"|\bBAD\s+(?:\w+\s+)?(?:commands?|patterns?|examples?|code|practices?|operations?|skills?|inputs?",
            r"|content|instructions?|prompts?|requests?|actions?)\b",
            r"|\b(?:look|scan|watch|search|grep|check)(?:s|ing)?\s+(?:out\s+)?for\b[^.]*\b(?:BAD|injection|backdoors?",
            r"|secrets?|credentials?|attacks?|exfiltration|malware|obfuscat\w+)\b",
            r"|\b(?:blocked|rejected|forbidden|denied|prohibited|banned|disallowed|flagged)\s+(?:\w+\s+)?",
            r"(?:commands?|patterns?|operations?|instructions?|requests?|actions?|phrases?)\b",
            r"|^[\s>*_-]*(?:always\s+|must\s+)?(?:block|reject|refuse|flag|deny)\b",
            r"|\bNOT\s+(?:ever\s+)?(?:run|execut|do|us|pipe|past|allow|writ|generat|suggest|commit|follow)(?:e|ing)?\b",
            r"|\bsimulat\w*\s+(?:an?\s+)?attacks?\b",
            r"|\b(?:attackers?|anyone|malicious\s+\w+)\b[^.]*\b(?:such as|like|for example)\W*$",
            r"|(?:危险|恶意|高危|攻击|禁止|切勿)",
        )),
        guides: regex(concat!(
            r"\b(?:install(?:ation)?|paste|set ?up|setup|quick ?start|prerequisites?|before|unless|until|instead|then",
            r"|but|first|except|required?|getting started|fix|solution|workaround|executes|for you|on your behalf",
            r"|automatically|twice|again|skip\w*|forget)\b|安装|先",
        )),
        retracts: regex(concat!(
            r"\b(?:before|unless|until|without|instead|otherwise|first|else|twice|again|more than once|skip\w*",
            r"|miss\w*|forget|stop\w*|interrupt\w*|for you)\b|先|除非|否则",
        )),
    }
});

impl Mention {
    pub(super) fn of(reading: &Reading<'_>, unit: &Unit<'_>, found: &Found) -> Self {
        let (before, rest) = unit.raw.split_at(found.start);
        let after = &rest[found.end - found.start..];
        if !reading.file.is_page() {
            let comment = reading.comments.hold(unit.in_file(found.start)..unit.in_file(found.end));
            return if comment { Self::Comment } else { Self::Command };
        }
        let warns = match unit.place {
            Place::Prose | Place::Table => {
                is_labelled(before)
                    || is_negated(before)
                    || is_judged(before, after)
                    || is_quoted(before, &rest[..found.end - found.start], after)
            }
            Place::Code => [unit.before, before].into_iter().any(is_warning_comment),
        };
        // What prose sends the agent to is no example.
        let sent = unit.place == Place::Code && reading.orders.reach(unit);
        let warns = warns || (!sent && is_below_a_warning(unit, before));
        if warns { Self::Warning } else { Self::Command }
    }

    /// What is left of the severity of a rule.
    pub(super) fn severity(self, severity: Severity) -> Severity {
        match self {
            Self::Command => severity,
            Self::Comment => severity.min(Severity::Warn),
            Self::Warning => Severity::Info,
        }
    }
}

/// Whether a heading, or a line that ends in a colon, shows what not to do.
pub(super) fn shows(title: &str) -> bool {
    let title = head(title, NEIGHBOURHOOD);
    WORDING.section.is_match(title) && !WORDING.guides.is_match(title)
}

/// Whether the text that leads here, or else the heading above, shows what not to do, and the
/// sentence itself asks for nothing.
fn is_below_a_warning(unit: &Unit<'_>, before: &str) -> bool {
    let [lead, heading, above] =
        [unit.lead, unit.heading, unit.above].map(|title| head(title, NEIGHBOURHOOD));
    // "Run this:" and "The setup is simple:" below "Dangerous commands" is to be run.
    let asks = (WORDING.instructs.is_match(lead) || WORDING.guides.is_match(lead)) && !shows(lead);
    let warns = !asks && [lead, heading, above].into_iter().any(shows);
    warns && (unit.place == Place::Code || !WORDING.instructs.is_match(sentence(tail(before, NEIGHBOURHOOD))))
}

/// Whether the sentence that opens the paragraph, and that the match is in, begins with a label.
fn is_labelled(before: &str) -> bool {
    before.len() <= LONGEST_SENTENCE && WORDING.label.is_match(before)
}

fn is_warning_comment(line: &str) -> bool {
    let line = head(line, NEIGHBOURHOOD);
    WORDING.comment.is_match(line) && !WORDING.retracts.is_match(line)
}

fn is_negated(before: &str) -> bool {
    let words = WORDING.negated.captures(tail(before, NEIGHBOURHOOD));
    let gap = words.and_then(|words| words.name("gap").or(words.name("near")).map(|gap| gap.as_str()));
    gap.is_some_and(|gap| !WORDING.exception.is_match(gap))
}

/// Called bad on either side, in a sentence that asks for nothing.
fn is_judged(before: &str, after: &str) -> bool {
    let near = tail(before, NEIGHBOURHOOD);
    let judged = WORDING.listed.is_match(near) || WORDING.judged.is_match(head(after, NEIGHBOURHOOD));
    judged && !WORDING.instructs.is_match(sentence(near))
}

/// The last sentence of a text, as far as it goes.
fn sentence(text: &str) -> &str {
    text.rsplit(['.', '!', '?', ';', '。', '！', '？', '；']).next().unwrap_or(text)
}

/// At most the last `bytes` of `text`, from a character's border on.
pub(super) fn tail(text: &str, bytes: usize) -> &str {
    let from = text.len().saturating_sub(bytes);
    let from = (from..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    &text[from..]
}

/// At most the first `bytes` of `text`, up to a character's border.
pub(super) fn head(text: &str, bytes: usize) -> &str {
    let to = bytes.min(text.len());
    let to = (0..=to).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..to]
}
