//! A registry as one value: opened once, handed to every route.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::IntoResponse as _;
use skill_core::digest::RegistryId;
use skill_trust::{Role, SigningKey, TrustedRoot};
use tower_http::catch_panic::CatchPanicLayer;

use crate::accounts;
use crate::auth::{Cookie, Secret, TokenText};
use crate::clock::Clock;
use crate::config::Config;
use crate::data::{self, DataError, Folder, Opened};
use crate::disk::Disk;
use crate::entropy::Entropy;
use crate::problem::ApiError;
use crate::sealed::WebKey;
use crate::store::{Db, StoreError};
use crate::works::Works;
use crate::{metrics, problem, telemetry};

/// A registry, opened. Clones are the same registry.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    config: Config,
    clock: Clock,
    entropy: Entropy,
    opened: Opened,
    disk: Disk,
    works: Works,
}

impl App {
    /// Opens the registry that `config` describes; an empty data folder becomes a new one.
    pub async fn build(config: Config, clock: Clock, entropy: Entropy) -> Result<Self, DataError> {
        let opened = data::open_or_make(&config, &clock, &entropy).await?;
        let disk = Disk::under(&config.data);
        let works = Works::open(&config, &opened.folder)?;
        let app = Self(Arc::new(Parts { config, clock, entropy, opened, disk, works }));
        app.pulse().ask(app.db()).await?;
        app.works().start(&app);
        Ok(app)
    }

    /// Every route, with the layers around them.
    pub fn router(&self) -> Router {
        let routes = Router::new().merge(crate::http::router(self).0).fallback(crate::web::nothing_here);
        let counted = from_fn_with_state(self.clone(), metrics::count);
        layered(routes).layer(counted).with_state(self.clone())
    }

    /// Its settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Its time.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// Its chance.
    pub fn entropy(&self) -> &Entropy {
        &self.0.entropy
    }

    /// Its memory.
    pub fn db(&self) -> &Db {
        &self.0.opened.db
    }

    /// Where its files are.
    pub fn folder(&self) -> &Folder {
        &self.0.opened.folder
    }

    /// Blobs, caches, search, and what keeps them.
    pub(crate) fn works(&self) -> &Works {
        &self.0.works
    }

    /// Room to write.
    pub fn disk(&self) -> &Disk {
        &self.0.disk
    }

    /// Who it is.
    pub fn registry_id(&self) -> RegistryId {
        self.0.opened.root.registry()
    }

    /// What its statements verify with.
    pub fn root(&self) -> &TrustedRoot {
        &self.0.opened.root
    }

    /// The key of a role. Those of online roles are always here; root and restore may be elsewhere.
    pub fn key(&self, role: Role) -> Result<&SigningKey, ApiError> {
        self.0.opened.keys.get(role).ok_or_else(|| ApiError::Other {
            status: http::StatusCode::CONFLICT,
            code: "key-elsewhere",
            title: format!("the key of role {role} does not lie with this registry"),
        })
    }

    /// What it knows its own forms by.
    pub(crate) fn web_key(&self) -> &WebKey {
        &self.0.opened.web_key
    }

    /// The cookie that signs browsers in; `None` where it would be sent over a network in the clear.
    pub fn cookie(&self) -> Option<Cookie> {
        Cookie::of(&self.base_url())
    }

    /// The URL under which clients reach it, without a slash at its end.
    pub fn base_url(&self) -> String {
        self.0.config.server.base_url()
    }

    /// The administrator's first token, while nobody was shown it ([`App::first_token_shown`]).
    pub fn first_token(&self) -> Option<&TokenText> {
        self.0.opened.first_token.as_ref()
    }

    /// The first token was shown: no later start makes another.
    pub async fn first_token_shown(&self) -> Result<(), StoreError> {
        data::first_token_shown(self.db()).await
    }

    /// Where a browser is signed in with this secret.
    pub fn sign_in_url(&self, secret: &Secret) -> String {
        accounts::sign_in_url(&self.base_url(), secret)
    }

    /// Waits for what is running and lets go of the database.
    pub async fn close(&self) {
        self.works().stop().await;
        self.db().close().await;
    }
}

/// Puts around routes what every answer passes, from the inside: a panic becomes an error, errors get
/// their bodies, every answer its headers, and the log its line.
pub fn layered<S: Clone + Send + Sync + 'static>(routes: Router<S>) -> Router<S> {
    routes
        .layer(CatchPanicLayer::custom(|_| ApiError::internal("a handler panicked").into_response()))
        .layer(from_fn(problem::render))
        .layer(from_fn(crate::http::cors))
        .layer(from_fn(crate::http::nosniff))
        .layer(from_fn(telemetry::trace))
}

/// Puts in front of routes what decides who may take them ([`crate::http::rows`]).
pub fn gated(routes: Router<App>, app: &App) -> Router<App> {
    routes.route_layer(from_fn_with_state(app.clone(), crate::http::gate::gate))
}
