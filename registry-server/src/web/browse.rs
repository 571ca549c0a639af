//! Every skill that can be chosen, with filters, in an order, by pages.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;

use super::address::Address;
use super::page::{Frame, page};
use super::row::{Paging, Row, in_a_line};
use crate::app::App;
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::store::catalogue::shelf::{self, Filter, Sort};
use crate::store::downloads;
use crate::store::facets::System;

const PER_PAGE: u32 = 24;

#[derive(Debug, Serialize)]
struct View {
    rows: Vec<Row>,
    paging: Paging,
    sorts: Vec<Choice>,
    systems: Vec<Choice>,
    verdicts: Vec<Choice>,
    owner: String,
    without_secrets: bool,
    /// What narrows the list, each with the address without it.
    in_force: Vec<InForce>,
    /// A filter that nothing can pass, in words; empty if there is none.
    unknown: String,
}

/// One of the values of a field.
#[derive(Debug, Serialize)]
struct Choice {
    value: &'static str,
    word: &'static str,
    chosen: bool,
}

#[derive(Debug, Serialize)]
struct InForce {
    word: String,
    without: Address,
}

/// Days of which downloads count for what is used most, today among them.
pub(super) const USED_DAYS: i64 = 90;

const SORTS: [(&str, &str); 4] = [
    ("updated", "Recently updated"),
    ("newest", "Newest"),
    ("name", "Name"),
    ("used", "Most used in 90 days"),
];

const VERDICTS: [(&str, &str, Option<bool>); 3] =
    [("", "Any", None), ("clean", "Clean", Some(false)), ("suspicious", "Suspicious", Some(true))];

/// What a query asks for.
struct Wanted {
    filter: Filter,
    sort: &'static str,
    order: Sort,
    /// A value that is none of its key, in words: nothing is listed rather than everything.
    unknown: String,
}

impl Wanted {
    fn of(query: &Query, now: Timestamp) -> Self {
        let (sort, _) =
            SORTS.into_iter().find(|(value, _)| query.text("sort") == Some(value)).unwrap_or(SORTS[0]);
        let order = match sort {
            "newest" => Sort::Newest,
            "name" => Sort::Name,
            "used" => Sort::Used { since: downloads::since(now, USED_DAYS) },
            _ => Sort::Updated,
        };
        let verdict = VERDICTS.into_iter().find(|(value, ..)| query.text("verdict") == Some(value));
        let owner =
            query.text("owner").map(|owner| owner.trim().trim_start_matches('@').to_lowercase().parse());
        Self {
            filter: Filter {
                owner: owner.clone().and_then(Result::ok),
                system: System::ALL.into_iter().find(|system| query.text("os") == Some(system.as_str())),
                without_secrets: query.text("secrets") == Some("none"),
                suspicious: verdict.and_then(|(_, _, suspicious)| suspicious),
            },
            sort,
            order,
            unknown: unknown(query, owner.is_some_and(|owner| owner.is_err())),
        }
    }

    /// The pairs of the query that are in force: key, value, and what to call it.
    fn pairs(&self) -> Vec<(&'static str, String, String)> {
        let mut pairs = Vec::new();
        if let Some(owner) = &self.filter.owner {
            pairs.push(("owner", owner.to_string(), format!("by {owner}")));
        }
        if let Some(system) = self.filter.system {
            pairs.push(("os", system.as_str().to_owned(), format!("for {}", system.title())));
        }
        if self.filter.without_secrets {
            pairs.push(("secrets", "none".to_owned(), "needs no secrets".to_owned()));
        }
        if let Some(suspicious) = self.filter.suspicious {
            let word = if suspicious { "suspicious" } else { "clean" };
            pairs.push(("verdict", word.to_owned(), word.to_owned()));
        }
        pairs
    }

    /// The address of this list, without the pair of one key.
    fn address(&self, without: &str) -> Address {
        let all = Address::skills();
        let sorted = if self.sort == SORTS[0].0 { all } else { all.with("sort", self.sort) };
        let pairs = self.pairs().into_iter().filter(|(key, ..)| *key != without);
        pairs.fold(sorted, |address, (key, value, _)| address.with(key, &value))
    }
}

/// `/skills`.
pub(super) async fn browse(State(app): State<App>, query: Query) -> Result<Response, ApiError> {
    let wanted = Wanted::of(&query, app.clock().now());
    let mut conn = app.db().read().await?;
    let total = if wanted.unknown.is_empty() { shelf::count(&mut conn, &wanted.filter).await? } else { 0 };
    let base = wanted.address("");
    let paging = Paging::of(&query, total, PER_PAGE, &base)?;
    let cards = if total == 0 {
        Vec::new()
    } else {
        shelf::page(&mut conn, &wanted.filter, wanted.order, paging.offset(), PER_PAGE).await?
    };
    drop(conn);
    let view = View {
        rows: cards.iter().map(Row::of).collect(),
        sorts: SORTS.map(|(value, word)| Choice { value, word, chosen: value == wanted.sort }).into(),
        systems: systems(wanted.filter.system),
        verdicts: VERDICTS
            .map(|(value, word, suspicious)| Choice {
                value,
                word,
                chosen: suspicious == wanted.filter.suspicious,
            })
            .into(),
        owner: query.text("owner").unwrap_or_default().to_owned(),
        without_secrets: wanted.filter.without_secrets,
        in_force: wanted
            .pairs()
            .into_iter()
            .map(|(key, _, word)| InForce { word, without: wanted.address(key) })
            .collect(),
        unknown: wanted.unknown,
        paging,
    };
    let frame = Frame {
        title: "Browse skills".to_owned(),
        description: format!("{} skills that can be installed from this registry.", view.paging.total),
        canonical: Some(base),
        hidden_from_engines: !view.in_force.is_empty() || !view.unknown.is_empty() || view.paging.page > 1,
        place: "browse",
        ..Frame::default()
    };
    page(&app, StatusCode::OK, "browse.html", &frame, &view)
}

/// The first value of a query that is none of its key. A list of everything would be taken for what was asked for.
fn unknown(query: &Query, no_owner: bool) -> String {
    let systems = System::ALL.map(System::as_str);
    let known: [(&str, &str, &[&str]); 4] = [
        ("sort", "order", &SORTS.map(|(value, _)| value)),
        ("verdict", "verdict to filter by", &VERDICTS.map(|(value, ..)| value)),
        ("os", "system", &systems),
        ("secrets", "answer about secrets", &["none"]),
    ];
    for (key, what, values) in known {
        if let Some(value) = query.text(key).filter(|value| !values.contains(value)) {
            return format!("There is no {what} “{}”.", in_a_line(value));
        }
    }
    if no_owner { "No publisher can be called that.".to_owned() } else { String::new() }
}

fn systems(chosen: Option<System>) -> Vec<Choice> {
    let mut all = vec![Choice { value: "", word: "Any", chosen: chosen.is_none() }];
    all.extend(System::ALL.map(|system| Choice {
        value: system.as_str(),
        word: system.title(),
        chosen: chosen == Some(system),
    }));
    all
}
