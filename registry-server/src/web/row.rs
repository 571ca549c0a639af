//! A skill in a list, and the pages of a list.

use serde::Serialize;

use super::address::{Address, Pages};
use super::badge::Badge;
use super::words::{Time, grouped};
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::store::catalogue::Card;

/// The last page that is answered; nobody reads so far, and the database would have to.
const LAST_PAGE: u32 = 1_000;

/// A skill in a list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub owner: String,
    pub slug: String,
    pub address: Address,
    pub version: String,
    pub summary: String,
    /// Only where there is something to know.
    pub badge: Option<Badge>,
    pub needs: Vec<String>,
    pub updated: Time,
}

/// Names that a row has room for.
const NEEDS: usize = 4;
/// Characters of one of them; what it is stands whole in the skill's own table.
const NAME: usize = 40;

/// A name that stands in a line with others, however long its publisher made it.
pub(super) fn in_a_line(name: &str) -> String {
    match name.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

impl Row {
    pub(super) fn of(card: &Card) -> Self {
        let list = |pointer: &str| {
            let list = card.manifest.as_ref().and_then(|manifest| manifest.pointer(pointer)?.as_array());
            list.into_iter().flatten().filter_map(|name| name.as_str()).map(in_a_line).collect::<Vec<_>>()
        };
        let mut needs = [list("/requires/bins"), list("/requires/env")].concat();
        needs.truncate(NEEDS);
        Self {
            owner: card.owner.to_string(),
            slug: card.slug.to_string(),
            address: Pages::of(&card.owner, &card.slug).skill(),
            version: card.version.to_string(),
            summary: card.summary.clone(),
            badge: Badge::listed(card.verdict),
            needs,
            updated: Time::of(card.updated_at),
        }
    }
}

/// Where in a list a page is.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Paging {
    pub total: String,
    pub page: u32,
    pub pages: u32,
    pub before: Option<Address>,
    pub after: Option<Address>,
    #[serde(skip)]
    per_page: u32,
}

impl Paging {
    /// The page that `page=` names; one that is not there is not found. `address` is that of the first.
    pub(super) fn of(query: &Query, total: u64, per_page: u32, address: &Address) -> Result<Self, ApiError> {
        let pages =
            u32::try_from(total.div_ceil(u64::from(per_page))).unwrap_or(LAST_PAGE).clamp(1, LAST_PAGE);
        let page = query.text("page").map_or(Ok(1), str::parse).unwrap_or_default();
        if !(1..=pages).contains(&page) {
            return Err(ApiError::RouteNotFound);
        }
        let at = |page: u32| match page {
            1 => address.clone(),
            page => address.clone().with("page", &page.to_string()),
        };
        Ok(Self {
            total: grouped(total),
            page,
            pages,
            before: (page > 1).then(|| at(page - 1)),
            after: (page < pages).then(|| at(page + 1)),
            per_page,
        })
    }

    /// How many come before this page.
    pub(super) const fn offset(&self) -> u32 {
        (self.page - 1) * self.per_page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_fills_a_list_with_a_name() {
        assert_eq!(in_a_line("jq"), "jq");
        assert_eq!(in_a_line(&"ä".repeat(40)), "ä".repeat(40));
        assert_eq!(in_a_line(&"ä".repeat(900)), format!("{}…", "ä".repeat(40)));
    }
}
