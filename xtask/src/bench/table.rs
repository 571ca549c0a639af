use std::fmt;
use std::time::Duration;

use super::cost::Sample;

/// What a number has to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal {
    AtMost(f64, &'static str),
    AtLeast(f64, &'static str),
    /// Something that is there or not.
    Yes,
    /// Stated only.
    None,
}

impl Goal {
    fn is_met(self, number: f64) -> Option<bool> {
        match self {
            Self::AtMost(most, _) => Some(number <= most),
            Self::AtLeast(least, _) => Some(number >= least),
            Self::Yes => Some(number > 0.0),
            Self::None => None,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most, unit) => write!(to, "<= {most}{unit}"),
            Self::AtLeast(least, unit) => write!(to, ">= {least}{unit}"),
            Self::Yes => to.write_str("yes"),
            Self::None => Ok(()),
        }
    }
}

/// The figures, as they are printed.
#[derive(Debug, Default)]
pub(super) struct Table(Vec<[String; 6]>);

const HEAD: [&str; 6] = ["figure", "ours", "other", "ratio", "goal", "met"];

impl Table {
    /// Wall time of two samples; the goal is about their ratio.
    pub(super) fn walls(&mut self, figure: &str, ours: &Sample, other: (&str, &Sample), goal: Goal) {
        let ratio = ours.wall().as_secs_f64() / other.1.wall().as_secs_f64();
        let other = format!("{}: {}", other.0, wall(other.1));
        self.push(figure, wall(ours), other, format!("{ratio:.2}x"), goal, ratio);
    }

    /// CPU time of two samples; stated only.
    pub(super) fn cpus(&mut self, figure: &str, ours: &Sample, other: (&str, &Sample)) {
        let ratio = ours.cpu().as_secs_f64() / other.1.cpu().as_secs_f64();
        let other = format!("{}: {}", other.0, milliseconds(other.1.cpu()));
        self.push(figure, milliseconds(ours.cpu()), other, format!("{ratio:.2}x"), Goal::None, ratio);
    }

    /// Peak memory of two samples; the goal is about ours.
    pub(super) fn peaks(&mut self, figure: &str, ours: &Sample, other: (&str, &Sample), goal: Goal) {
        let ratio = ours.peak_mib() / other.1.peak_mib();
        let mib = |sample: &Sample| format!("{:.1} MiB", sample.peak_mib());
        let other = format!("{}: {}", other.0, mib(other.1));
        self.push(figure, mib(ours), other, format!("{ratio:.2}x"), goal, ours.peak_mib());
    }

    /// How much of something happens in a second; the goal is about the ratio.
    pub(super) fn rates(&mut self, figure: &str, ours: f64, other: (&str, f64), goal: Goal) {
        let ratio = ours / other.1;
        let shown = format!("{}: {:.0}/s", other.0, other.1);
        self.push(figure, format!("{ours:.0}/s"), shown, format!("{ratio:.2}x"), goal, ratio);
    }

    /// One number of ours, written as `shown`.
    pub(super) fn number(&mut self, figure: &str, shown: String, goal: Goal, number: f64) {
        self.push(figure, shown, String::new(), String::new(), goal, number);
    }

    /// Whether something is so.
    pub(super) fn fact(&mut self, figure: &str, holds: bool) {
        let shown = if holds { "yes" } else { "no" };
        self.number(figure, shown.to_owned(), Goal::Yes, f64::from(u8::from(holds)));
    }

    /// A figure that cannot be taken here, and why.
    pub(super) fn skipped(&mut self, figure: &str, why: &str) {
        self.push(figure, "skipped".to_owned(), why.to_owned(), String::new(), Goal::None, 0.0);
    }

    /// Brings the rows into the order of the goals that they begin with; they are taken in another.
    pub(super) fn sort(&mut self) {
        self.0.sort_by_key(|[figure, ..]| figure.split(' ').next().and_then(|goal| goal.parse::<u8>().ok()));
    }

    fn push(&mut self, figure: &str, ours: String, other: String, ratio: String, goal: Goal, number: f64) {
        let met = goal.is_met(number).map_or("", |met| if met { "yes" } else { "no" });
        self.0.push([figure.to_owned(), ours, other, ratio, goal.to_string(), met.to_owned()]);
    }
}

/// As a table of Markdown, so that it can be pasted as it is.
impl fmt::Display for Table {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = HEAD.map(str::to_owned);
        let rows = || std::iter::once(&head).chain(&self.0);
        let mut widths = [0; 6];
        for row in rows() {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        for (at, row) in rows().enumerate() {
            for (width, cell) in widths.iter().zip(row) {
                write!(to, "| {cell:width$} ")?;
            }
            writeln!(to, "|")?;
            if at == 0 {
                for width in widths {
                    write!(to, "|-{:-<width$}-", "")?;
                }
                writeln!(to, "|")?;
            }
        }
        Ok(())
    }
}

fn wall(sample: &Sample) -> String {
    format!("{} (best {})", milliseconds(sample.wall()), milliseconds(sample.best()))
}

/// With as many digits as mean something.
pub(super) fn milliseconds(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    if milliseconds < 20.0 { format!("{milliseconds:.1} ms") } else { format!("{milliseconds:.0} ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown_in_the_order_of_the_goals() {
        let mut table = Table::default();
        table.number("7 rate", "120/s".to_owned(), Goal::AtLeast(100.0, "/s"), 120.0);
        table.fact("2 sees it", false);
        table.number("1 peak", "13.0 MiB".to_owned(), Goal::AtMost(12.0, " MiB"), 13.0);
        table.skipped("1 beside uv", "no uv");
        table.sort();
        let expected = "\
| figure      | ours     | other | ratio | goal      | met |
|-------------|----------|-------|-------|-----------|-----|
| 1 peak      | 13.0 MiB |       |       | <= 12 MiB | no  |
| 1 beside uv | skipped  | no uv |       |           |     |
| 2 sees it   | no       |       |       | yes       | no  |
| 7 rate      | 120/s    |       |       | >= 100/s  | yes |
";
        assert_eq!(table.to_string(), expected);
    }
}
