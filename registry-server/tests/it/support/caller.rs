use axum::body::Body;
use http::header::{AUTHORIZATION, CONTENT_TYPE, IF_NONE_MATCH, USER_AGENT};
use http::{Method, Request};
use serde_json::Value;
use skill_registry::App;
use skill_registry::auth::TokenText;
use skill_registry::remote::{ConnectionId, Peer};
use tower::ServiceExt as _;

use super::Answer;

/// Somebody who sends requests, with one token or none; over no connection, unless one is said.
#[derive(Clone)]
pub(crate) struct Caller {
    app: App,
    token: Option<TokenText>,
    peer: Option<Peer>,
}

impl Caller {
    pub(super) fn new(app: &App, token: Option<TokenText>) -> Self {
        Self { app: app.clone(), token, peer: None }
    }

    /// The same somebody over a new connection from `address`.
    pub(crate) fn at(&self, address: &str) -> Self {
        let peer = Peer { address: address.parse().unwrap(), connection: ConnectionId::next() };
        Self { app: self.app.clone(), token: self.token.clone(), peer: Some(peer) }
    }

    /// The token, where one is needed by itself.
    pub(crate) fn token(&self) -> &TokenText {
        self.token.as_ref().expect("this caller has a token")
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    /// A GET of somebody who has what carries this entity tag.
    pub(crate) async fn known(&self, path: &str, tag: &str) -> Answer {
        let request = self.request(Method::GET, path).header(IF_NONE_MATCH, tag);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send_json(Method::POST, path, body).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send_json(Method::PUT, path, body).await
    }

    /// A request of this caller, for whatever the shorter calls do not say.
    pub(crate) fn request(&self, method: Method, path: &str) -> http::request::Builder {
        let mut request = Request::builder().method(method).uri(path).header("x-request-id", "test");
        request = request.header(USER_AGENT, "skill/0.1.0");
        if let Some(peer) = self.peer {
            request = request.extension(peer);
        }
        match &self.token {
            Some(token) => request.header(AUTHORIZATION, format!("Bearer {}", token.reveal())),
            None => request,
        }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        Answer::read(self.app.router().oneshot(request).await.unwrap()).await
    }

    /// A request of any method with a body of JSON.
    pub(crate) async fn send_json(&self, method: Method, path: &str, body: &Value) -> Answer {
        let request = self.request(method, path).header(CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }
}
