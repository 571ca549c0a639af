use std::fmt::Write as _;

/// On which side of its column the text of a cell stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Side {
    #[default]
    Start,
    Middle,
    End,
}

/// The elements that the text of others may become: the whole list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Paragraph,
    Heading(u8),
    Quote,
    /// A quote that says what it is: a note, a warning.
    Alert,
    Bullets,
    /// A list and its first number.
    Numbers(u64),
    Item,
    /// A footnote by its number, and whether its place can be linked to: each number once.
    Footnote(usize, bool),
    Pre,
    RawPre,
    Code,
    Region,
    Table,
    Head,
    Body,
    Row,
    HeadCell(Side),
    Cell(Side),
    Emphasis,
    Strong,
    Deleted,
    Link,
    Span,
}

impl Element {
    /// Opens it. A link has an address and is opened by [`super::writer::Writer`].
    pub(super) fn open(self, out: &mut String) {
        // Writing to a string cannot end in an error.
        let _ = match self {
            Self::Numbers(1) => write!(out, "<ol>"),
            Self::Numbers(first) => write!(out, "<ol start=\"{first}\">"),
            Self::Footnote(number, true) => {
                write!(out, "<ol start=\"{number}\" class=\"footnote\"><li id=\"fn-{number}\">")
            }
            Self::Footnote(number, false) => write!(out, "<ol start=\"{number}\" class=\"footnote\"><li>"),
            _ => out.write_str(self.start()),
        };
    }

    const fn start(self) -> &'static str {
        match self {
            Self::Paragraph => "<p>",
            Self::Heading(3) => "<h3>",
            Self::Heading(4) => "<h4>",
            Self::Heading(5) => "<h5>",
            Self::Heading(_) => "<h6>",
            Self::Quote => "<blockquote>",
            Self::Alert => "<blockquote class=\"alert\">",
            Self::Bullets => "<ul>",
            Self::Numbers(_) => "<ol>",
            Self::Item => "<li>",
            Self::Footnote(..) => "<ol><li>",
            Self::Pre => "<pre tabindex=\"0\">",
            Self::RawPre => "<pre class=\"raw\" tabindex=\"0\">",
            Self::Code => "<code>",
            Self::Region => "<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\">",
            Self::Table => "<table>",
            Self::Head => "<thead>",
            Self::Body => "<tbody>",
            Self::Row => "<tr>",
            Self::HeadCell(Side::Start) => "<th scope=\"col\">",
            Self::HeadCell(Side::Middle) => "<th scope=\"col\" class=\"middle\">",
            Self::HeadCell(Side::End) => "<th scope=\"col\" class=\"end\">",
            Self::Cell(Side::Start) => "<td>",
            Self::Cell(Side::Middle) => "<td class=\"middle\">",
            Self::Cell(Side::End) => "<td class=\"end\">",
            Self::Emphasis => "<em>",
            Self::Strong => "<strong>",
            Self::Deleted => "<del>",
            Self::Link => "<a>",
            Self::Span => "<span>",
        }
    }

    /// What closes it; blocks end a line.
    pub(super) const fn end(self) -> &'static str {
        match self {
            Self::Paragraph => "</p>\n",
            Self::Heading(3) => "</h3>\n",
            Self::Heading(4) => "</h4>\n",
            Self::Heading(5) => "</h5>\n",
            Self::Heading(_) => "</h6>\n",
            Self::Quote | Self::Alert => "</blockquote>\n",
            Self::Bullets => "</ul>",
            Self::Numbers(_) => "</ol>",
            Self::Item => "</li>",
            Self::Footnote(..) => "</li></ol>\n",
            Self::Pre | Self::RawPre => "</pre>\n",
            Self::Code => "</code>",
            Self::Region => "</div>\n",
            Self::Table => "</table>",
            Self::Head => "</thead>",
            Self::Body => "</tbody>",
            Self::Row => "</tr>",
            Self::HeadCell(_) => "</th>",
            Self::Cell(_) => "</td>",
            Self::Emphasis => "</em>",
            Self::Strong => "</strong>",
            Self::Deleted => "</del>",
            Self::Link => "</a>",
            Self::Span => "</span>",
        }
    }

    /// Whether one may stand inside another of its kind without end.
    pub(super) const fn nests(self) -> bool {
        matches!(
            self,
            Self::Quote
                | Self::Alert
                | Self::Bullets
                | Self::Numbers(_)
                | Self::Item
                | Self::Footnote(..)
                | Self::Emphasis
                | Self::Strong
                | Self::Deleted
                | Self::Link
                | Self::Span
        )
    }
}
