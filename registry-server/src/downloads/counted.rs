//! Which downloads this process has counted today: they are not written again. The database decides; this only spares
//! it the question.

use std::collections::HashSet;

use jiff::Timestamp;

use super::Note;
use crate::store::downloads::day;

/// Notes that are remembered; when there are more, all are forgotten.
const MOST: usize = 20_000;

/// The notes of one day.
#[derive(Debug, Default)]
pub(super) struct Counted {
    day: i64,
    notes: HashSet<Note>,
}

impl Counted {
    /// Leaves the notes that are new on the day of `now`, each once, and remembers them.
    pub(super) fn keep_new(&mut self, notes: &mut Vec<Note>, now: Timestamp) {
        let day = day(now);
        if day != self.day || self.notes.len() > MOST {
            *self = Self { day, notes: HashSet::new() };
        }
        notes.retain(|note| self.notes.insert(note.clone()));
    }
}

#[cfg(test)]
mod tests {
    use skill_core::digest::Sha256;

    use super::*;

    fn note(release: &str, client: &str) -> Note {
        Note { release_id: release.to_owned(), client: Sha256::of(client) }
    }

    fn kept(counted: &mut Counted, notes: &[Note], second: i64) -> Vec<Note> {
        let mut notes = notes.to_vec();
        counted.keep_new(&mut notes, Timestamp::from_second(second).unwrap());
        notes
    }

    #[test]
    fn each_client_once_a_day_and_release() {
        let mut counted = Counted::default();
        let (one, other, second) = (note("r", "ada"), note("r", "bob"), note("s", "ada"));
        let all = [one.clone(), other.clone(), one.clone(), second.clone()];
        assert_eq!(kept(&mut counted, &all, 10), [one.clone(), other, second]);
        assert_eq!(kept(&mut counted, &all, 86_399), []);
        assert_eq!(kept(&mut counted, std::slice::from_ref(&one), 86_400), [one]);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut counted = Counted::default();
        for number in 0..3 * MOST {
            let new = note(&number.to_string(), "ada");
            assert_eq!(kept(&mut counted, std::slice::from_ref(&new), 10), [new]);
            assert!(counted.notes.len() <= MOST + 1);
        }
    }
}
