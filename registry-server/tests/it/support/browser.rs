use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use futures_util::StreamExt as _;
use futures_util::stream::once;
use http::header::{CONTENT_TYPE, COOKIE, SET_COOKIE, USER_AGENT};
use http::{Method, Request};
use skill_registry::App;
use skill_registry::remote::{ConnectionId, Peer};
use tower::ServiceExt as _;

use super::Answer;

/// A browser: it keeps the cookie that it is given, and says where a form is from.
#[derive(Clone)]
pub(crate) struct Browser {
    app: App,
    peer: Peer,
    cookie: Arc<Mutex<Option<String>>>,
}

impl Browser {
    pub(super) fn new(app: &App) -> Self {
        let peer = Peer { address: "192.0.2.7".parse().unwrap(), connection: ConnectionId::next() };
        Self { app: app.clone(), peer, cookie: Arc::default() }
    }

    /// The same browser somewhere else.
    pub(crate) fn at(mut self, address: &str) -> Self {
        self.peer.address = address.parse().unwrap();
        self
    }

    /// `NAME=VALUE` of the cookie that it has.
    pub(crate) fn cookie(&self) -> Option<String> {
        self.cookie.lock().unwrap().clone()
    }

    /// Has it a cookie from somewhere else.
    pub(crate) fn plant(&self, cookie: &str) {
        *self.cookie.lock().unwrap() = Some(cookie.to_owned());
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, "").await
    }

    /// Sends the form of a page of this registry.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let form = self.form().await;
        self.post_from("same-origin", path, &[fields, &[("form", &form)]].concat()).await
    }

    /// Sends a form of a page that is somewhere, as the browser says it.
    pub(crate) async fn post_from(&self, site: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self
            .request(Method::POST, path)
            .header("sec-fetch-site", site)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.sent(request.body(Body::from(body)).unwrap()).await
    }

    /// [`Browser::post`], of which the second half of the body comes after something else has happened.
    pub(crate) async fn post_while(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        meanwhile: impl Future<Output = ()> + Send + 'static,
    ) -> Answer {
        let form = self.form().await;
        let pairs = [fields, &[("form", &form)]].concat();
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let (first, rest) = body.split_at(body.len() / 2);
        let (first, rest) = (first.to_owned(), rest.to_owned());
        let rest = once(async move {
            meanwhile.await;
            Ok::<_, Infallible>(rest)
        });
        let body = Body::from_stream(once(async move { Ok(first) }).chain(rest));
        let request = self
            .request(Method::POST, path)
            .header("sec-fetch-site", "same-origin")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.sent(request.body(body).unwrap()).await
    }

    /// Opens a link that signs in, and presses the button.
    pub(crate) async fn follow(&self, secret: &str) -> Answer {
        self.post_from("same-origin", "/sign-in/link", &[("link", secret)]).await
    }

    /// The field that its forms have; empty where nobody is signed in.
    pub(crate) async fn form(&self) -> String {
        let page = self.get("/settings/sessions").await;
        let field = page.text().split(r#"name="form" value=""#).nth(1);
        field.map(|rest| rest.split('"').next().unwrap().to_owned()).unwrap_or_default()
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: &'static str) -> Answer {
        self.sent(self.request(method, path).body(Body::from(body)).unwrap()).await
    }

    fn request(&self, method: Method, path: &str) -> http::request::Builder {
        let request = Request::builder().method(method).uri(path).header("x-request-id", "test");
        let request = request.header(USER_AGENT, "Test/1.0").extension(self.peer);
        match self.cookie() {
            Some(cookie) => request.header(COOKIE, cookie),
            None => request,
        }
    }

    async fn sent(&self, request: Request<Body>) -> Answer {
        let answer = Answer::read(self.app.router().oneshot(request).await.unwrap()).await;
        if let Some(set) = answer.header(SET_COOKIE.as_str()) {
            let pair = set.split(';').next().unwrap();
            let kept = (!pair.ends_with('=')).then(|| pair.to_owned());
            *self.cookie.lock().unwrap() = kept;
        }
        answer
    }
}
