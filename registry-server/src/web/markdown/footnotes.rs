use std::collections::HashMap;

/// The footnotes of a text, numbered in the order in which they are met.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    notes: HashMap<String, Note>,
}

#[derive(Debug, Clone, Copy)]
struct Note {
    number: usize,
    written: bool,
}

impl Footnotes {
    fn note(&mut self, label: &str) -> &mut Note {
        let number = self.notes.len() + 1;
        let note = Note { number, written: false };
        self.notes.entry(label.to_owned()).or_insert(note)
    }

    /// Its number where a text refers to it.
    pub(super) fn refer(&mut self, label: &str) -> usize {
        self.note(label).number
    }

    /// Its number where it is written, and whether it is the first with this label.
    pub(super) fn write(&mut self, label: &str) -> (usize, bool) {
        let note = self.note(label);
        (note.number, !std::mem::replace(&mut note.written, true))
    }
}
