use jiff::{SignedDuration, Timestamp};

use super::paint::Surface;
use crate::text::{clean, number, width};

/// Nothing is drawn before this.
const FIRST_AFTER: SignedDuration = SignedDuration::from_millis(300);
/// Ten frames a second at most.
const BETWEEN: SignedDuration = SignedDuration::from_millis(100);
/// Below this many columns the counts stand without a bar.
const BAR_FROM: usize = 60;
/// Columns of the bar, without its brackets.
const BAR: usize = 28;

/// How far a long piece of work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is being done, as `Fetching`.
    pub verb: &'a str,
    /// How many are done.
    pub done: usize,
    /// Of how many.
    pub total: usize,
    /// Bytes that came and that will come, where they count.
    pub bytes: Option<(u64, u64)>,
    /// What it is at: the name of a skill.
    pub at: &'a str,
}

/// One line on a terminal, redrawn in place.
#[derive(Debug, Default)]
pub(super) struct Bar {
    began: Option<Timestamp>,
    drawn: Option<Timestamp>,
    visible: bool,
}

impl Bar {
    /// The bytes that draw a frame, if it is time for one.
    pub(super) fn frame(
        &mut self,
        progress: &Progress<'_>,
        surface: Surface,
        now: Timestamp,
    ) -> Option<String> {
        let columns = surface.columns?;
        let began = *self.began.get_or_insert(now);
        let is_time = now.duration_since(began) >= FIRST_AFTER
            && self.drawn.is_none_or(|drawn| now.duration_since(drawn) >= BETWEEN);
        if !is_time {
            return None;
        }
        (self.drawn, self.visible) = (Some(now), true);
        Some(format!("\r\x1b[K{}", line(progress, columns - 1, surface)))
    }

    /// The bytes that take the line away, if there is one.
    pub(super) fn erase(&mut self) -> &'static str {
        if std::mem::take(&mut self.visible) { "\r\x1b[K" } else { "" }
    }
}

fn line(progress: &Progress<'_>, columns: usize, surface: Surface) -> String {
    let Progress { verb, done, total, bytes, at } = progress;
    let total_text = total.to_string();
    let counts = format!("{done:>width$}/{total_text}", width = total_text.len());
    let bytes = bytes.map(|(came, all)| share(&number::size(came), &number::size(all)));
    let bar = if columns + 1 < BAR_FROM { String::new() } else { bar(*done, *total) };
    let head = format!("{}{bar} {counts}{}  ", width::pad(verb, 10), bytes.unwrap_or_default());
    let room = columns.saturating_sub(width::of(&head));
    let at = width::cut(&clean::line(at, surface.unicode), room, surface.ellipsis());
    if room < 4 { head.trim_end().to_owned() } else { format!("{head}{at}") }
}

/// `  1.2 of 3.4 MiB`, `  512 B of 3.4 MiB`
fn share(came: &str, all: &str) -> String {
    let unit = |size: &str| size.split_once(' ').map(|(_, unit)| unit.to_owned());
    match came.split_once(' ') {
        Some((number, _)) if unit(came) == unit(all) => format!("  {number} of {all}"),
        _ => format!("  {came} of {all}"),
    }
}

fn bar(done: usize, total: usize) -> String {
    let filled = (BAR * done.min(total)).checked_div(total).unwrap_or(0);
    let arrow = if filled < BAR { ">" } else { "" };
    let line = format!("{}{arrow}", "=".repeat(filled));
    format!(" [{line:<BAR$}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(columns: usize) -> Surface {
        Surface { columns: Some(columns), colour: false, unicode: true }
    }

    const PROGRESS: Progress<'_> =
        Progress { verb: "Fetching", done: 5, total: 12, bytes: None, at: "github" };

    #[test]
    fn a_line_of_the_terminals_width() {
        assert_eq!(
            line(&PROGRESS, 79, surface(80)),
            "Fetching   [===========>                ]  5/12  github"
        );
        assert_eq!(line(&PROGRESS, 49, surface(50)), "Fetching    5/12  github");
        let bytes = |came| Progress { bytes: Some((came, 3_565_158)), ..PROGRESS };
        assert_eq!(line(&bytes(1_258_291), 49, surface(50)), "Fetching    5/12  1.2 of 3.4 MiB  github");
        assert_eq!(line(&bytes(512), 49, surface(50)), "Fetching    5/12  512 B of 3.4 MiB  github");
        let long = Progress { at: "a-name-that-is-much-longer-than-the-terminal", ..PROGRESS };
        assert_eq!(width::of(&line(&long, 49, surface(50))), 49);
    }

    #[test]
    fn nothing_before_300_ms_and_ten_frames_a_second() {
        let mut bar = Bar::default();
        let at = |millis| Timestamp::from_millisecond(millis).unwrap();
        let mut drawn = |millis| bar.frame(&PROGRESS, surface(80), at(millis)).is_some();
        assert_eq!(
            [drawn(0), drawn(299), drawn(300), drawn(399), drawn(400)],
            [false, false, true, false, true]
        );
        assert_eq!(bar.erase(), "\r\x1b[K");
        assert_eq!(bar.erase(), "");
    }

    #[test]
    fn none_where_there_is_no_terminal() {
        let surface = Surface { columns: None, ..surface(80) };
        assert!(Bar::default().frame(&PROGRESS, surface, Timestamp::UNIX_EPOCH).is_none());
    }
}
