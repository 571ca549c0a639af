use std::ops::Range;

use anstyle::{AnsiColor, Style};

use crate::report::{Role, Span};
use crate::text::clean;

/// What a stream can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Surface {
    /// Columns of the terminal, 40 at least; `None` if it is none: no wrapping, no cutting.
    pub columns: Option<usize>,
    /// Whether roles become colours.
    pub colour: bool,
    /// Whether more than ASCII can be shown.
    pub unicode: bool,
}

impl Surface {
    /// Columns of prose: those of the terminal, 80 at most.
    pub(super) fn prose(self) -> Option<usize> {
        self.columns.map(|columns| columns.min(80))
    }

    /// The sign for what was cut.
    pub(super) fn ellipsis(self) -> &'static str {
        if self.unicode { "…" } else { "..." }
    }

    /// `text` in the colour of its role.
    pub(super) fn paint(self, role: Option<Role>, text: &str) -> String {
        match role.filter(|_| self.colour && !text.is_empty()) {
            None => text.to_owned(),
            Some(role) => {
                let style = style(role);
                format!("{}{text}{}", style.render(), style.render_reset())
            }
        }
    }
}

fn style(role: Role) -> Style {
    let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
    match role {
        Role::Error | Role::Bad => colour(AnsiColor::Red).bold(),
        Role::Warning => colour(AnsiColor::Yellow).bold(),
        Role::Note => colour(AnsiColor::Cyan),
        Role::Good => colour(AnsiColor::Green),
        Role::Name => Style::new().bold(),
        Role::Dim => Style::new().dimmed(),
    }
}

/// Cleaned text that remembers which part has which role.
pub(super) struct Ink {
    pub(super) text: String,
    roles: Vec<(Range<usize>, Role)>,
}

impl Ink {
    pub(super) fn of(spans: &[Span], surface: Surface) -> Self {
        let mut ink = Self { text: String::new(), roles: Vec::new() };
        for span in spans {
            let start = ink.text.len();
            ink.text.push_str(&clean::line(&span.text, surface.unicode));
            if let Some(role) = span.role {
                ink.roles.push((start..ink.text.len(), role));
            }
        }
        ink
    }

    /// A part of the text, painted.
    pub(super) fn painted(&self, part: Range<usize>, surface: Surface) -> String {
        let (mut painted, mut at) = (String::new(), part.start);
        for (range, role) in &self.roles {
            let (start, end) = (range.start.max(at), range.end.min(part.end));
            if start < end {
                painted.push_str(&self.text[at..start]);
                painted.push_str(&surface.paint(Some(*role), &self.text[start..end]));
                at = end;
            }
        }
        painted.push_str(&self.text[at..part.end]);
        painted
    }
}
