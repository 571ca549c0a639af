use serde::Serialize;
use skill_core::version::Version;

use crate::web::words::counted;

/// Versions that a list holds.
const MOST: usize = 500;

/// The versions that a form lets one choose from.
#[derive(Debug, Serialize)]
pub(in crate::web) struct Choices {
    pub versions: Vec<String>,
    /// How many older ones there are besides, in words; empty if the list is whole.
    pub more: String,
}

impl Choices {
    /// The newest of `all`, which come highest first, and those that the page is about wherever they stand: a form
    /// shows the two versions that it would compare again.
    pub(in crate::web) fn of<'a>(all: impl Iterator<Item = &'a Version>, about: &[&Version]) -> Self {
        let mut left_out = 0;
        let versions = all
            .enumerate()
            .filter(|(index, version)| {
                let listed = *index < MOST || about.contains(version);
                left_out += u64::from(!listed);
                listed
            })
            .map(|(_, version)| version.to_string())
            .collect();
        let more = if left_out == 0 { String::new() } else { counted(left_out, "older version") };
        Self { versions, more }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_shows_can_be_chosen_however_old_it_is() {
        let all: Vec<Version> = (0..600).rev().map(|minor| format!("1.{minor}.0").parse().unwrap()).collect();
        let oldest = &all[599];
        let choices = Choices::of(all.iter(), &[&all[0], oldest]);
        assert_eq!(choices.versions.len(), 501);
        assert_eq!(choices.versions.last().unwrap(), "1.0.0");
        assert_eq!(choices.more, "99 older versions");
        let choices = Choices::of(all[..500].iter(), &[]);
        assert_eq!((choices.versions.len(), choices.more.as_str()), (500, ""));
    }
}
