//! Names like one that is not there, each with its publisher: the way on for who mistyped, and a warning of
//! look-alikes for who did not.

use serde::Serialize;
use skill_core::name::Slug;

use super::address::{Address, Pages};
use crate::app::App;
use crate::auth::Caller;
use crate::problem::ApiError;
use crate::store::catalogue;

/// How many are shown.
const MOST: usize = 5;
/// Names that are compared: those that begin alike.
const COMPARED: u32 = 200;

/// A skill that is called nearly so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Neighbour {
    /// Whose it is.
    pub owner: String,
    /// What it is called.
    pub slug: String,
    /// Its page.
    pub address: Address,
    /// Its summary.
    pub summary: String,
}

/// Skills whose slugs are a mistyping away from `tried`, nearest first; the same slug of others is the nearest.
/// Names are told to a caller whom the gate let in, and to nobody else.
pub(super) async fn of(app: &App, _: &Caller, tried: &str) -> Result<Vec<Neighbour>, ApiError> {
    let Ok(slug) = tried.trim_start_matches('@').to_lowercase().parse::<Slug>() else {
        return Ok(Vec::new());
    };
    let beginning = &slug.as_str()[..1];
    let mut conn = app.db().read().await?;
    let cards = catalogue::by_prefix(&mut conn, beginning, false, None, COMPARED).await?;
    drop(conn);
    let allowed = slug.as_str().len().div_ceil(4).clamp(1, 3);
    let mut near: Vec<_> = cards
        .into_iter()
        .map(|card| (strsim::damerau_levenshtein(card.slug.as_str(), slug.as_str()), card))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.truncate(MOST);
    let shown = near.into_iter().map(|(_, card)| Neighbour {
        owner: card.owner.to_string(),
        slug: card.slug.to_string(),
        address: Pages::of(&card.owner, &card.slug).skill(),
        summary: card.summary,
    });
    Ok(shown.collect())
}
