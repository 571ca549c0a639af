//! What anybody looks at who may read: skills, their publishers, and what a page is made with.

use axum::routing::get;

use super::{Keys, Page};
use crate::http::Row;
use crate::web::{assets, browse, diff, files, home, publisher, robots, search, security, skill};

const FILTERS: Keys = &["os", "owner", "page", "secrets", "sort", "verdict"];
const COMPARED: Keys = &["from", "path", "to", "view", "w"];
const SHOWN: Keys = &["page", "path", "version"];

pub(super) const PAGES: &[Page] = &[
    Page::fresh(Row::open("/static/{file}").uncounted(), &[], || get(assets::asset)),
    Page::fresh(Row::open("/robots.txt"), &[], || get(robots::robots)),
    Page::kept(Row::read("/sitemap.xml"), &["page"], || get(robots::sitemap)),
    Page::kept(Row::read("/"), &[], || get(home::home)),
    Page::kept(Row::read("/skills"), FILTERS, || get(browse::browse)),
    Page::fresh(Row::read("/search"), &["q"], || get(search::search)),
    Page::kept(Row::read("/{owner}"), &["page", "sort"], || get(publisher::publisher)),
    Page::kept(Row::read("/{owner}/skills/{slug}"), &[], || get(skill::readme)),
    Page::kept(Row::read("/{owner}/skills/{slug}/versions"), &["page"], || get(skill::versions)),
    Page::kept(Row::read("/{owner}/skills/{slug}/versions/{version}"), &[], || get(skill::readme)),
    Page::kept(Row::read("/{owner}/skills/{slug}/files"), SHOWN, || get(files::files)),
    Page::kept(Row::read("/{owner}/skills/{slug}/diff"), COMPARED, || get(diff::diff)),
    Page::kept(Row::read("/{owner}/skills/{slug}/security"), &["version"], || get(security::security)),
];
