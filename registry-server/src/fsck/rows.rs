use super::finding::{Family, Report};
use crate::store::tables::{TABLES, each};
use crate::store::{Conn, StoreError};

/// Every row of every table can be read as columns of texts and numbers.
pub(super) async fn check(conn: &mut Conn, report: &mut Report) -> Result<(), StoreError> {
    for table in TABLES {
        let count = each(conn, table, |_| Ok::<_, StoreError>(())).await?;
        report.saw(Family::Rows, count);
    }
    Ok(())
}
