//! Which downloads this process has counted today: they are not written again. The database decides; this only spares
//! it the question.

use std::collections::HashSet;

use jiff::Timestamp;
use skill_core::digest::Sha256;

use super::Note;
use super::client::DayKey;
use crate::app::App;
use crate::problem::ApiError;
use crate::store::downloads::{self, Class, day};

/// Downloads that are remembered; when there are more, all are forgotten.
const MOST: usize = 20_000;

/// A download that is new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct New {
    pub(super) release_id: String,
    pub(super) client: Sha256,
    pub(super) class: Class,
}

/// One day, and the downloads of it.
#[derive(Debug)]
pub(super) struct Today {
    day: i64,
    key: DayKey,
    counted: HashSet<(String, Sha256)>,
}

impl Today {
    /// The day of `now`. Its key is that of the first process that needs one.
    pub(super) async fn begin(app: &App, now: Timestamp) -> Result<Self, ApiError> {
        let fresh = Sha256::from_bytes(app.entropy().bytes()?);
        let mut tx = app.db().quiet().await?;
        let key = downloads::key(tx.conn(), day(now), fresh).await?;
        tx.commit().await?;
        Ok(Self::under(DayKey::new(*key.as_bytes()), now))
    }

    fn under(key: DayKey, now: Timestamp) -> Self {
        Self { day: day(now), key, counted: HashSet::new() }
    }

    /// Whether the day goes on.
    pub(super) fn is_now(&self, now: Timestamp) -> bool {
        self.day == day(now)
    }

    /// The notes that are new, each once, and remembers them. Who downloads again is who they were the first time.
    pub(super) fn new_of(&mut self, notes: &[Note]) -> Vec<New> {
        if self.counted.len() > MOST {
            self.counted.clear();
        }
        let of = |note: &Note| New {
            release_id: note.release_id.clone(),
            client: self.key.digest(&note.client),
            class: note.class,
        };
        let new = notes.iter().map(of).collect::<Vec<_>>();
        let is_new = |new: &New| self.counted.insert((new.release_id.clone(), new.client));
        new.into_iter().filter(is_new).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::client::Client;
    use super::*;

    fn note(release: &str, client: &str) -> Note {
        Note { release_id: release.to_owned(), client: Client::User(client.to_owned()), class: Class::Person }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn releases(new: &[New]) -> Vec<&str> {
        new.iter().map(|new| new.release_id.as_str()).collect()
    }

    #[test]
    fn each_client_once_a_day_and_release() {
        let mut today = Today::under(DayKey::new([7; 32]), at(10));
        let (one, other, second) = (note("r", "ada"), note("r", "bob"), note("s", "ada"));
        let mut again = one.clone();
        again.class = Class::Bot;
        assert_eq!(releases(&today.new_of(&[one.clone(), other, again.clone(), second])), ["r", "r", "s"]);
        assert_eq!(today.new_of(&[one, again]), []);
        assert!(today.is_now(at(86_399)) && !today.is_now(at(86_400)));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut today = Today::under(DayKey::new([7; 32]), at(10));
        for number in 0..MOST + 100 {
            assert_eq!(today.new_of(&[note(&number.to_string(), "ada")]).len(), 1);
            assert!(today.counted.len() <= MOST + 1);
        }
    }
}
