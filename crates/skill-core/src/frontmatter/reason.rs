//! What is wrong with a YAML text, in words.

use granit_parser::ErrorKind;

/// An alias whose anchor stands nowhere before it.
pub(super) const UNKNOWN_ANCHOR: &str =
    "text that begins with * is an alias to YAML, and there is no such anchor";

/// A backslash that begins nothing.
pub(super) const ESCAPE: &str = "a backslash in double quotes begins no escape that YAML knows";

/// A tab that indents a line, or stands where blanks part two signs.
pub(super) const TAB: &str = "a tab where YAML allows blanks only";

/// A sentence for what the parser says, and the limit if it passed one.
pub(super) fn of(kind: &ErrorKind) -> (String, Option<&'static str>) {
    let said = match kind {
        ErrorKind::RecursionLimitExceeded => {
            return ("depth of nesting".to_owned(), Some("depth of nesting"));
        }
        ErrorKind::DirectiveByteLimitExceeded { .. } | ErrorKind::TooManyReservedDirectiveParams { .. } => {
            return ("length of a directive".to_owned(), Some("length of a directive"));
        }
        ErrorKind::UnknownAnchor => UNKNOWN_ANCHOR,
        ErrorKind::UnexpectedEofFlowSequence | ErrorKind::ExpectedFlowSequenceSeparator => {
            "a list in [ ] lacks a comma or its ]"
        }
        ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::ExpectedFlowMappingSeparator => "a map in { } lacks a comma or its }",
        ErrorKind::UnclosedFlowCollection { open } => return (format!("{open} is never closed"), None),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return (format!("{open} is closed by {close}"), None);
        }
        ErrorKind::MisplacedFlowCollectionEnd => "a bracket closes that none opened",
        ErrorKind::ExpectedBlockMappingKey | ErrorKind::UnexpectedEofBlockMapping => {
            "no key where one is expected; the indentation may differ"
        }
        ErrorKind::ExpectedBlockSequenceEntry | ErrorKind::UnexpectedEofBlockSequence => {
            "no `- ` where a list item is expected; the indentation may differ"
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => "a line without `key: `",
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => "a colon inside plain text",
        ErrorKind::MappingKeyNotAllowed => "a key where none can stand",
        ErrorKind::BlockSequenceEntryNotAllowed => "a list item where none can stand",
        ErrorKind::BlockEntryInFlowCollection => "a list item with - inside of brackets",
        ErrorKind::InvalidIndentation
        | ErrorKind::InvalidQuotedScalarIndent
        | ErrorKind::InvalidFlowScalarIndent
        | ErrorKind::InvalidBlockScalarIndent => "the indentation differs from that of the lines around",
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => TAB,
        ErrorKind::UnexpectedCharacter { character } => {
            return (format!("plain text cannot begin with {}", character.escape_default()), None);
        }
        ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar => {
            "a quote is never closed"
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "text after the closing quote"
        }
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidUnicodeEscape => ESCAPE,
        ErrorKind::ZeroBlockScalarIndent | ErrorKind::InvalidBlockScalarHeader => {
            "text on the line of a block mark"
        }
        ErrorKind::CommentInterceptedScalar => "a comment inside of a text over several lines",
        ErrorKind::CommentNotSeparated => "a # without a blank before it",
        ErrorKind::BomInsideDocument => "a byte-order mark inside of the frontmatter",
        other => return (other.to_string(), None),
    };
    (said.to_owned(), None)
}
