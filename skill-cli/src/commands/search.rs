use serde_json::{Value, json};
use skill_core::verdict::Verdict;

use crate::client::SearchHit;
use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Cell, Column, Report, Role, Table};
use crate::text::number;

/// Search the registry
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Words to look for
    #[arg(value_name = "WORD", required = true)]
    pub words: Vec<String>,
    /// How many results at most
    #[arg(long, value_name = "N", default_value_t = 25, hide_default_value = true, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub limit: u32,
}

/// Searches the registry.
///
/// # Errors
/// `registry-not-set`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let words = args.words.join(" ");
    let connection = connection::open(context, "search").await?;
    let hits =
        connection.session.search(&words, args.limit).await.map_err(|error| connection.refused(&error))?;
    let mut table =
        Table::new([Column::new("skill").whole(), Column::new("version").whole(), Column::new("summary")]);
    for hit in &hits {
        let version = hit.version.as_ref().map_or_else(String::new, ToString::to_string);
        table.push([
            Cell::of(Role::Name, format!("{}/{}", hit.owner_handle, hit.slug)),
            Cell::from(version),
            Cell::from(marked(hit)),
        ]);
    }
    let results = hits.iter().map(|hit| {
        json!({
            "owner": hit.owner_handle,
            "slug": hit.slug,
            "version": hit.version,
            "summary": hit.summary,
            "verdict": hit.verdict,
        })
    });
    let document = json!({ "results": results.collect::<Value>() });
    let label = connection.label();
    let closing = match hits.len() {
        0 => format!("nothing in {label} matches"),
        found if found as u32 == args.limit => format!("the first {found} results in {label}"),
        found => format!("{} in {label}", number::counted(found, "result", "results")),
    };
    Ok(Report::new(document, vec![table.into()]).closing(closing))
}

/// The summary, with the verdict before it where a person has to read it first.
fn marked(hit: &SearchHit) -> String {
    let summary = hit.summary.clone().unwrap_or_default();
    match hit.verdict {
        Some(verdict) if verdict != Verdict::Clean => format!("({verdict}) {summary}"),
        _ => summary,
    }
}
