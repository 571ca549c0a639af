use std::fmt::{Display, Write as _};

/// What the samples of a family are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// Only grows, from 0 at the start of the process.
    Counter,
    /// Goes up and down.
    Gauge,
    /// How many took up to how long.
    Histogram,
    /// How many there were and how long they took together.
    Summary,
}

/// A name, and what stands under it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    /// As Prometheus wants names: the unit in it, `_total` at the end of a counter.
    pub(super) name: &'static str,
    /// What its samples are.
    pub(super) kind: Type,
    /// One sentence.
    pub(super) help: &'static str,
}

/// Metrics as text, one family after the other.
#[derive(Debug, Default)]
pub(super) struct Text {
    text: String,
    name: &'static str,
}

impl Text {
    /// Begins a family.
    pub(super) fn family(&mut self, family: &Family) {
        let Family { name, kind, help } = family;
        let kind = match kind {
            Type::Counter => "counter",
            Type::Gauge => "gauge",
            Type::Histogram => "histogram",
            Type::Summary => "summary",
        };
        self.name = name;
        self.push(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
    }

    /// One sample of the family that was begun. `part` is what its name has more than that of the family. Labels are
    /// words and templates of this program: nothing in them has to be escaped.
    pub(super) fn sample(&mut self, part: &str, labels: &[(&str, &str)], value: impl Display) {
        let name = self.name;
        self.push(format_args!("{name}{part}"));
        let mut before = '{';
        for (label, text) in labels {
            debug_assert!(!text.contains(['\\', '"', '\n']), "{text:?} is no word of this program");
            self.push(format_args!("{before}{label}=\"{text}\""));
            before = ',';
        }
        let end = if labels.is_empty() { "" } else { "}" };
        self.push(format_args!("{end} {value}\n"));
    }

    /// A family of one sample without labels.
    pub(super) fn alone(&mut self, family: &Family, value: impl Display) {
        self.family(family);
        self.sample("", &[], value);
    }

    /// All of it.
    pub(super) fn into_string(self) -> String {
        self.text
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // A string takes whatever is written to it.
        let _ = self.text.write_fmt(text);
    }
}
