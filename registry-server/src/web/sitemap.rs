//! The map of the site: the page of every skill that can be chosen and has no mark.
//!
//! <https://www.sitemaps.org/protocol.html>: a file has at most 50,000 addresses and 50 MB. Where there are more skills
//! than one file lists, `/sitemap.xml` is an index of files. Skills stand in the order in which they came, so that a file
//! that is full stays as it is.

use std::fmt::Write as _;

use super::address::{Address, Pages};
use crate::app::App;
use crate::problem::ApiError;
use crate::store::catalogue::shelf::{self, Filter};

/// How the map is cut into files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sitemap {
    per_file: u32,
}

impl Default for Sitemap {
    /// Ten thousand addresses a file: less than 3 MB, since none is longer than 300 bytes.
    fn default() -> Self {
        Self { per_file: 10_000 }
    }
}

impl Sitemap {
    /// The most addresses that a file may hold, and that an index may name.
    pub const MOST: u32 = 50_000;

    /// A map of `per_file` addresses a file, at least 1 and at most [`Sitemap::MOST`].
    #[must_use]
    pub fn of(per_file: u32) -> Self {
        Self { per_file: per_file.clamp(1, Self::MOST) }
    }

    /// The XML of a file: the one with this number, from 1, or what stands at `/sitemap.xml`: all addresses, if one
    /// file holds them, else the index. There is no file behind the last.
    pub async fn file(self, app: &App, number: Option<u32>) -> Result<String, ApiError> {
        let mut conn = app.db().read().await?;
        let plain = Filter { suspicious: Some(false), ..Filter::default() };
        let total = shelf::count(&mut conn, &plain).await?;
        let files = u32::try_from(total.div_ceil(u64::from(self.per_file))).unwrap_or(u32::MAX).max(1);
        let number = match number {
            None if files > 1 => return Ok(index(&app.base_url(), files.min(Self::MOST))),
            None => 1,
            Some(number) if (1..=files).contains(&number) => number,
            Some(_) => return Err(ApiError::RouteNotFound),
        };
        let before = u64::from(number - 1) * u64::from(self.per_file);
        let names = shelf::names(&mut conn, before, self.per_file).await?;
        let base = app.base_url();
        let addresses = names.iter().map(|(name, updated)| {
            let page = format!("{base}{}", Pages::named(name).skill());
            (page, Some(updated.strftime("%Y-%m-%d").to_string()))
        });
        Ok(listed("urlset", "url", addresses))
    }
}

fn index(base: &str, files: u32) -> String {
    let addresses = (1..=files).map(|number| {
        let file = Address::sitemap().with("page", &number.to_string());
        (format!("{base}{file}"), None)
    });
    listed("sitemapindex", "sitemap", addresses)
}

/// A list of addresses, each with the day of its last change where that is known.
fn listed(list: &str, item: &str, addresses: impl Iterator<Item = (String, Option<String>)>) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{list} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    );
    for (address, day) in addresses {
        let address = super::text::escaped(&address);
        let day = day.map(|day| format!("<lastmod>{day}</lastmod>")).unwrap_or_default();
        // Writing to a string cannot end in an error.
        let _ = writeln!(xml, "<{item}><loc>{address}</loc>{day}</{item}>");
    }
    let _ = writeln!(xml, "</{list}>");
    xml
}
