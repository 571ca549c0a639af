//! The skills that require one.

use serde::Serialize;

use crate::store::requirements::Dependent;
use crate::web::address::{Address, Pages};

/// Skills that the page names.
pub(super) const SHOWN: u32 = 12;

/// The block.
#[derive(Debug, Serialize)]
pub(super) struct UsedBy {
    rows: Vec<Row>,
    /// How many more there are.
    more: u64,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    address: Address,
    requirement: String,
}

impl UsedBy {
    /// The first of `total`.
    pub(super) fn of(dependents: Vec<Dependent>, total: u64) -> Self {
        let row = |Dependent { name, requirement }: Dependent| Row {
            address: Pages::named(&name).skill(),
            name: name.to_string(),
            requirement,
        };
        let rows: Vec<Row> = dependents.into_iter().map(row).collect();
        Self { more: total.saturating_sub(rows.len() as u64), rows }
    }
}
