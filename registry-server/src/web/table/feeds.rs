//! What other programs show of skills: feeds and badges.

use axum::routing::get;

use super::Page;
use crate::http::Row;
use crate::web::{feed, shield};

pub(super) const PAGES: &[Page] = &[
    Page::kept(Row::read("/feed.atom"), &[], || get(feed::all)),
    Page::kept(Row::read("/{owner}/feed.atom"), &[], || get(feed::of_publisher)),
    Page::kept(Row::read("/{owner}/skills/{slug}/feed.atom"), &[], || get(feed::of_skill)),
    Page::kept(Row::read("/{owner}/skills/{slug}/badge.svg"), &["show"], || get(shield::badge)),
];
