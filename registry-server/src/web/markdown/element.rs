/// The elements that the text of others may become: the whole list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Paragraph,
    Heading(u8),
    Quote,
    Bullets,
    Numbers,
    Item,
    Pre,
    RawPre,
    Code,
    Region,
    Table,
    Head,
    Body,
    Row,
    HeadCell,
    Cell,
    Emphasis,
    Strong,
    Deleted,
    Link,
    Span,
}

impl Element {
    /// What opens it. A link has an address and is opened by [`super::writer::Writer`].
    pub(super) const fn start(self) -> &'static str {
        match self {
            Self::Paragraph => "<p>",
            Self::Heading(3) => "<h3>",
            Self::Heading(4) => "<h4>",
            Self::Heading(5) => "<h5>",
            Self::Heading(_) => "<h6>",
            Self::Quote => "<blockquote>",
            Self::Bullets => "<ul>",
            Self::Numbers => "<ol>",
            Self::Item => "<li>",
            Self::Pre => "<pre tabindex=\"0\">",
            Self::RawPre => "<pre class=\"raw\" tabindex=\"0\">",
            Self::Code => "<code>",
            Self::Region => "<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\">",
            Self::Table => "<table>",
            Self::Head => "<thead>",
            Self::Body => "<tbody>",
            Self::Row => "<tr>",
            Self::HeadCell => "<th scope=\"col\">",
            Self::Cell => "<td>",
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
            Self::Quote => "</blockquote>\n",
            Self::Bullets => "</ul>",
            Self::Numbers => "</ol>",
            Self::Item => "</li>",
            Self::Pre | Self::RawPre => "</pre>\n",
            Self::Code => "</code>",
            Self::Region => "</div>\n",
            Self::Table => "</table>",
            Self::Head => "</thead>",
            Self::Body => "</tbody>",
            Self::Row => "</tr>",
            Self::HeadCell => "</th>",
            Self::Cell => "</td>",
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
                | Self::Bullets
                | Self::Numbers
                | Self::Item
                | Self::Emphasis
                | Self::Strong
                | Self::Deleted
                | Self::Span
        )
    }
}
