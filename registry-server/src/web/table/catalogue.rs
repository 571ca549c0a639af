//! What anybody looks at who may read: skills, their publishers, and what a page is made with.

use axum::routing::get;

use super::{Before, Keys, Route};
use crate::web::{assets, browse, diff, files, home, publisher, robots, search, security, skill};

const FILTERS: Keys = &["os", "owner", "page", "secrets", "sort", "verdict"];
const COMPARED: Keys = &["from", "path", "to", "view", "w"];

pub(super) const ROUTES: &[Route] = &[
    ("/static/{file}", Before::Open, &[], || get(assets::asset)),
    ("/robots.txt", Before::Open, &[], || get(robots::robots)),
    ("/sitemap.xml", Before::Kept, &["page"], || get(robots::sitemap)),
    ("/", Before::Kept, &[], || get(home::home)),
    ("/skills", Before::Kept, FILTERS, || get(browse::browse)),
    ("/search", Before::Fresh, &["q"], || get(search::search)),
    ("/{owner}", Before::Kept, &["page", "sort"], || get(publisher::publisher)),
    ("/{owner}/skills/{slug}", Before::Kept, &[], || get(skill::readme)),
    ("/{owner}/skills/{slug}/versions", Before::Kept, &["page"], || get(skill::versions)),
    ("/{owner}/skills/{slug}/versions/{version}", Before::Kept, &[], || get(skill::readme)),
    ("/{owner}/skills/{slug}/files", Before::Kept, &["page", "path", "version"], || get(files::files)),
    ("/{owner}/skills/{slug}/diff", Before::Kept, COMPARED, || get(diff::diff)),
    ("/{owner}/skills/{slug}/security", Before::Kept, &["version"], || get(security::security)),
];
