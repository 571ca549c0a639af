//! What a skill reaches for, found by reading its files, beside what it declares.

use serde::Serialize;
use skill_scan::capabilities::{Capabilities, Capability, Kind};

use super::answer;
use crate::web::badge::Badge;
use crate::web::files::Location;
use crate::web::skill::head::Head;

/// Names that a page shows.
const SHOWN: usize = 60;

/// What was found.
#[derive(Debug, Default, Serialize)]
pub(super) struct Reach {
    /// Whether the files were read at all.
    read: bool,
    rows: Vec<Row>,
    more: usize,
}

#[derive(Debug, Serialize)]
struct Row {
    kind: &'static str,
    name: String,
    /// The first place, and its page.
    place: Option<Location>,
    places: u32,
    declared: Badge,
}

impl Reach {
    /// What was read; `None`: nothing was yet.
    pub(super) fn of(found: Option<&Capabilities>, head: &Head) -> Self {
        let Some(found) = found else { return Self::default() };
        Self {
            read: true,
            more: found.capabilities.len().saturating_sub(SHOWN) + found.more as usize,
            rows: found.capabilities.iter().take(SHOWN).map(|one| row(head, one)).collect(),
        }
    }
}

fn row(head: &Head, one: &Capability) -> Row {
    let place = one.place.as_ref().map(|site| Location::of(head, &site.file, site.line));
    Row {
        kind: match one.kind {
            Kind::Host => "Host",
            Kind::Program => "Program",
            Kind::File => "File",
            Kind::Variable => "Variable",
            Kind::Persistence => "Stays after use",
        },
        name: one.name.clone(),
        place,
        places: one.places,
        declared: if one.declared { answer::noted("Declared") } else { answer::limited("Not declared") },
    }
}
