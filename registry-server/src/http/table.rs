//! Every route, one file an area: its row here says who may, `gate.rs` holds everybody to it. Paths and texts are at the
//! handlers; `GET /api/v1/openapi.json` and the snapshot in `tests/it/routes.rs` show them in one list.

use std::collections::HashMap;
use std::sync::LazyLock;

use http::Method;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::auth::Act;
use crate::rate::Kind;
use crate::web;

mod accounts;
mod moderation;
mod names;
mod numbers;
mod publishers;
mod publishing;
mod reading;
mod webhooks;

/// A route, who may take it, and how often.
#[derive(Debug, Clone)]
pub struct Row {
    /// GET stands for HEAD too.
    pub method: Method,
    /// The template of its path.
    pub path: &'static str,
    /// What is done.
    pub act: Act,
    /// What to.
    pub on: OnPath,
    /// As what it is counted; `None` is not counted.
    pub rate: Option<Kind>,
    /// What whoever asks may show.
    pub shown: Shown,
}

/// What whoever asks may show. A browser sends its cookie along wherever a page of whomever leads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// A token: a program does that on purpose.
    Token,
    /// A token or a session: it only reads.
    Either,
    /// A session: it is a page about the browser that asks.
    Session,
    /// A session, with a form that the registry made for it.
    Form,
}

/// What of a path an act is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnPath {
    /// Nothing, or nothing that matters for who may.
    Nothing,
    /// The publisher `{owner}`.
    Owner,
    /// The skill `{owner}/{slug}`.
    Skill,
    /// Not the path says it, but the body or a stored row; the handler asks again.
    Later,
}

impl Row {
    /// Whoever may read.
    pub(crate) const fn read(path: &'static str) -> Self {
        Self::new(Method::GET, path, Act::Read, OnPath::Nothing)
    }

    /// Everybody, on a private registry too.
    pub(crate) const fn open(path: &'static str) -> Self {
        Self::new(Method::GET, path, Act::Open, OnPath::Nothing).counted(Kind::Open)
    }

    /// Whoever may do this to that. What is no GET counts as a write.
    pub(crate) const fn new(method: Method, path: &'static str, act: Act, on: OnPath) -> Self {
        let reads = matches!(method, Method::GET);
        let rate = Some(if reads { Kind::Read } else { Kind::Write });
        let shown = if reads { Shown::Either } else { Shown::Token };
        Self { method, path, act, on, rate, shown }
    }

    /// A page for whoever is signed in with a browser.
    pub(crate) const fn own(path: &'static str, act: Act) -> Self {
        let mut row = Self::new(Method::GET, path, act, OnPath::Nothing);
        row.shown = Shown::Session;
        row
    }

    /// A form that is sent to a page.
    pub(crate) const fn form(path: &'static str, act: Act) -> Self {
        let mut row = Self::new(Method::POST, path, act, OnPath::Nothing);
        row.shown = Shown::Form;
        row
    }

    /// The same, about something.
    pub(crate) const fn about(mut self, on: OnPath) -> Self {
        self.on = on;
        self
    }

    /// The same, counted as another kind.
    pub(crate) const fn counted(mut self, kind: Kind) -> Self {
        self.rate = Some(kind);
        self
    }

    /// The same, as often as anybody likes.
    pub(crate) const fn uncounted(mut self) -> Self {
        self.rate = None;
        self
    }
}

const AREAS: &[&[Row]] = &[
    accounts::ROWS,
    moderation::ROWS,
    names::ROWS,
    numbers::ROWS,
    publishers::ROWS,
    publishing::ROWS,
    reading::ROWS,
    webhooks::ROWS,
];

/// The row of every route, of the API and of the pages.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    AREAS.iter().copied().flatten().chain(web::rows())
}

/// The rows of a route, by the template of its path.
pub(super) fn at(path: &str) -> &'static [&'static Row] {
    static BY_PATH: LazyLock<HashMap<&str, Vec<&Row>>> = LazyLock::new(|| {
        let mut by_path: HashMap<&str, Vec<&Row>> = HashMap::new();
        for row in rows() {
            by_path.entry(row.path).or_default().push(row);
        }
        by_path
    });
    BY_PATH.get(path).map_or(&[], Vec::as_slice)
}

/// The routes of the API.
pub(super) fn routes(app: &App) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(accounts::routes())
        .merge(moderation::routes())
        .merge(names::routes())
        .merge(numbers::routes())
        .merge(publishers::routes())
        .merge(publishing::routes(app))
        .merge(reading::routes(app))
        .merge(webhooks::routes())
}
