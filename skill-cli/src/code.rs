//! The stable codes of errors and warnings, and the exit code that each one means.
//!
//! Never renamed, never reused, never translated. `skill help codes` and docs/CLI.md are made
//! from [`Code::TABLE`].

mod table;

use std::fmt;

pub use table::Code;

/// One row of the table of codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The code itself.
    pub code: Code,
    /// Its spelling: kebab-case.
    pub name: &'static str,
    /// Exit code of the program; 0 for a warning.
    pub exit: u8,
    /// What happened, in a line.
    pub meaning: &'static str,
    /// What to do, commands in backticks; `-` where nothing can be done from here.
    pub hint: &'static str,
}

impl Code {
    /// Its row in the table.
    pub fn entry(self) -> &'static Entry {
        &Self::TABLE[self as usize]
    }

    /// Its spelling: kebab-case.
    pub fn as_str(self) -> &'static str {
        self.entry().name
    }

    /// Exit code of the program; 0 for a warning.
    pub fn exit(self) -> u8 {
        self.entry().exit
    }

    /// The code that is spelled `name`, as a library or a registry gives it.
    pub fn named(name: &str) -> Option<Self> {
        Self::TABLE.iter().find(|entry| entry.name == name).map(|entry| entry.code)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What each exit code says, for help and docs.
pub const EXITS: &[(u8, &str)] = &[
    (0, "done"),
    (1, "failed"),
    (2, "usage"),
    (3, "not found"),
    (4, "verification failed"),
    (5, "refused"),
    (6, "network"),
    (7, "not allowed"),
    (8, "lock out of date"),
    (130, "interrupted"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, entry) in Code::TABLE.iter().enumerate() {
            assert_eq!(entry.code as usize, index, "{}", entry.name);
        }
    }

    #[test]
    fn every_code_is_spelled_once_and_has_a_known_exit() {
        let names: BTreeSet<&str> = Code::TABLE.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), Code::TABLE.len());
        for entry in Code::TABLE {
            let kebab = entry.name.split('-').all(|part| {
                !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            });
            assert!(kebab, "{}", entry.name);
            assert!(EXITS.iter().any(|(exit, _)| *exit == entry.exit), "{}", entry.name);
            assert_eq!(Code::named(entry.name), Some(entry.code));
        }
    }

    /// What reading a SKILL.md finds is a warning of other commands, too.
    #[test]
    fn findings_of_reading_are_part_of_the_table() {
        for rule in skill_core::lint::FAMILIES[0].rules {
            assert!(Code::named(rule.code).is_some(), "{}", rule.code);
        }
    }

    #[test]
    fn the_table_keeps_the_rules_of_voice() {
        for entry in Code::TABLE {
            for text in [entry.meaning, entry.hint] {
                assert!(!text.is_empty(), "{}", entry.name);
                assert!(!text.contains('!') && !text.ends_with('.'), "{}: {text}", entry.name);
                for word in ["invalid", "illegal", "failed to", "unable to", "please", "sorry", "  "] {
                    assert!(!text.to_lowercase().contains(word), "{}: {text}", entry.name);
                }
            }
        }
    }
}
