//! Whether a text gives a command, or talks about one.
//!
//! Wording weighs only where an agent reads it, in Markdown, and only if it leaves no other way
//! to read the sentence: "never run" counts, "do not run it before" does not. Whoever is wrong
//! about it errs on the side of the command.

use std::sync::LazyLock;

use regex::Regex;
use skill_core::verdict::Severity;

use crate::file::{Kind, SourceFile};
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

struct Wording {
    /// Right before the match: "never run `", "dangerous patterns such as `".
    before: Regex,
    /// In what is between such words and the match, turns the sentence round.
    exception: Regex,
    /// Right after the match: "` is dangerous".
    after: Regex,
    /// Opens a paragraph, a row or a comment: "❌", "Bad:".
    label: Regex,
    /// A comment that says so about the lines below it.
    comment: Regex,
}

#[expect(clippy::expect_used, reason = "the expressions are part of the program, and tests use them")]
static WORDING: LazyLock<Wording> = LazyLock::new(|| {
    let bad = "(?:bad|wrong|unsafe|insecure|dangerous|vulnerable|malicious|suspicious|risky|harmful)";
    let regex = |pattern: &str| {
        Regex::new(&format!("(?i){}", pattern.replace("BAD", bad))).expect("the expression reads")
    };
    Wording {
        before: regex(
            r#"(?:\b(?:never|do not|don['’]t|must not|should not|shouldn['’]t|avoid|refuse to)\s+(?:ever\s+|blindly\s+|just\s+)*(?:run|running|pipe|piping|execute|executing|use|using|paste|pasting|copy|do|install|suggest|recommend|type|trust|write|generate|emit)\b(?P<gap>[^.;!?。；！？\x1f]*)|(?:不要|禁止|切勿|请勿|绝不)(?P<gap2>[^.;!?。；！？\x1f]*)|\bBAD(?:\s+(?:shell|install|code|remote))*(?:\s+(?:commands?|patterns?|examples?|scripts?|one-liners?|practices?|idioms?|constructs?|code))?(?:\s*(?:such as|like|e\.g\.,?|for example|including|is|are|[:：(—–,-]))+)[\s"'`(*_]*(?:sudo\s+)?$"#,
        ),
        exception: regex(
            r"\b(?:before|unless|until|without|except|but|then|first|instead|after|hesitate|forget|anything|else|other|manually|and|or|simply|now)\b|&|先|除非|之前|否则|直接|然后|,",
        ),
        after: regex(
            r#"^[\s"'`)\]*_,:—–\x1f-]*(?:(?:is|are|as|this is|that is)\s+)?(?:an?\s+|considered\s+|very\s+|extremely\s+)*(?:BAD\b|red flag|not (?:allowed|safe|recommended|ok|acceptable)\b|never (?:do|run|use|pipe|execute|allowed|acceptable|ok)\b|(?:do not|don['’]t) (?:do|run|use|pipe|execute)\b|forbidden|prohibited|❌|🚫|⛔|✗)"#,
        ),
        label: regex(
            r"^[\s>*+|\x1f#/\d.)(-]*(?:❌|🚫|⛔|✗|✘|[*_`]*(?:BAD|don['’]t|do not|never)[*_`]*\s*[:：])",
        ),
        comment: regex(
            r"^\s*(?:#|//|--|;|rem\b|<!--)\s*(?:❌|🚫|⛔|✗|✘|BAD\b\s*(?:$|[:：(—–-]|example|practice|pattern|idea)|(?:never|do not|don['’]t|avoid)\s+(?:do|run|pipe|use|execute|paste|this|these)\b)",
        ),
    }
});

impl Mention {
    pub(super) fn of(file: &SourceFile<'_>, unit: &Unit<'_>, found: &Found) -> Self {
        let (before, rest) = unit.raw.split_at(found.start);
        let after = &rest[found.end - found.start..];
        if file.kind() != Kind::Markdown {
            let comment = file.is_program() && opens_comment(before);
            return if comment { Self::Comment } else { Self::Command };
        }
        let warns = match unit.place {
            Place::Prose | Place::Table => {
                WORDING.label.is_match(before) || warns_before(before) || warns_after(after)
            }
            Place::Code => WORDING.comment.is_match(unit.before) || WORDING.comment.is_match(before),
        };
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

/// Whether the line up to a match is nothing but the start of a comment.
fn opens_comment(before: &str) -> bool {
    let before = before.trim_start();
    ["# ", "#\t", "//", "* ", "-- ", "REM ", "rem ", ":: "].iter().any(|mark| before.starts_with(mark))
}

fn warns_before(before: &str) -> bool {
    let near = tail(before, NEIGHBOURHOOD);
    let Some(words) = WORDING.before.captures(near) else { return false };
    let gap = words.name("gap").or_else(|| words.name("gap2"));
    gap.is_none_or(|gap| !WORDING.exception.is_match(gap.as_str()))
}

fn warns_after(after: &str) -> bool {
    WORDING.after.is_match(head(after, NEIGHBOURHOOD))
}

/// At most the last `bytes` of `text`, from a character's border on.
fn tail(text: &str, bytes: usize) -> &str {
    let from = text.len().saturating_sub(bytes);
    let from = (from..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    &text[from..]
}

/// At most the first `bytes` of `text`, up to a character's border.
fn head(text: &str, bytes: usize) -> &str {
    let to = bytes.min(text.len());
    let to = (0..=to).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..to]
}
