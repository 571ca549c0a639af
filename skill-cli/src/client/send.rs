//! One call: the token's rule, redirects, retries and the deadline, in one place for all of them.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION};
use reqwest::{Method, Response};
use url::Url;

use super::body::{self, BodyError, Downloaded};
use super::{ClientError, Options, Origin, Proxy, RequestLine, Token, retry};

const REDIRECTS: u32 = 5;
const USER_AGENT: &str = concat!("skill/", env!("CARGO_PKG_VERSION"));

/// The network of one command. Making one costs nothing: TLS and connections come with the first
/// call.
pub struct Client {
    options: Options,
    plain: OnceLock<reqwest::Client>,
    secure: OnceLock<reqwest::Client>,
    deadline: OnceLock<Option<Instant>>,
}

/// What is to be sent.
pub(super) struct Call<'a> {
    pub method: Method,
    pub url: Url,
    pub token: Option<&'a Token>,
    /// `http` to another machine is allowed: the registry is pinned by its id.
    pub plain_http: bool,
    pub accept: &'static str,
    pub headers: Vec<(HeaderName, String)>,
    pub content: Content,
    /// The call may be sent again although an earlier try may have arrived.
    pub idempotent: bool,
    /// Longest body that is read, in bytes.
    pub cap: u64,
    /// Where the body of a 200 goes; into the answer if there is no such place.
    pub save_to: Option<&'a Path>,
    /// Is told how many bytes went there.
    pub arrived: Option<Arrived<'a>>,
}

/// Is told how many bytes of a body have come, from its start on; a second try starts anew.
pub(super) type Arrived<'a> = &'a (dyn Fn(u64) + Sync);

/// The body of a request.
pub(super) enum Content {
    Nothing,
    Json(Vec<u8>),
    /// `meta` as JSON and `archive` as bytes, in this order.
    Upload {
        meta: String,
        archive: Bytes,
        file_name: String,
    },
}

/// What came back, whatever its status.
pub(super) struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    pub saved: Option<Downloaded>,
    pub url: Url,
    /// Whether an earlier try may have arrived already.
    pub repeated: bool,
}

enum Failed {
    Transport(reqwest::Error),
    OutOfTime,
    Final(ClientError),
}

impl Client {
    /// Sets the rules; nothing is opened.
    pub const fn new(options: Options) -> Self {
        Self { options, plain: OnceLock::new(), secure: OnceLock::new(), deadline: OnceLock::new() }
    }

    /// Whether connections are forbidden.
    pub const fn is_offline(&self) -> bool {
        self.options.offline
    }

    pub(super) async fn call(&self, call: &Call<'_>) -> Result<Answer, ClientError> {
        let origin = Origin::of(&call.url)
            .ok_or_else(|| ClientError::Strange { url: shown(&call.url), why: "no http URL".to_owned() })?;
        if self.options.offline {
            return Err(ClientError::Offline { what: shown(&call.url) });
        }
        let deadline = *self.deadline.get_or_init(|| self.options.total.map(|total| Instant::now() + total));
        let began = Instant::now();
        let tries = if call.idempotent { retry::TRIES } else { 1 };
        for attempt in 1.. {
            let last = attempt >= tries;
            let (wait, ending) = match self.attempt(call, deadline).await {
                Ok(answer) if retry::is_transient(answer.status) && !last => {
                    (retry::retry_after(&answer.headers), Ok(answer))
                }
                Ok(answer) => return Ok(Answer { repeated: attempt > 1, ..answer }),
                Err(Failed::Transport(error)) if !last && worth_another_try(&error) => {
                    (None, Err(self.explain(&origin, &error, attempt, began)))
                }
                Err(Failed::Transport(error)) => return Err(self.explain(&origin, &error, attempt, began)),
                Err(Failed::OutOfTime) => {
                    let after = self.options.total.unwrap_or_default();
                    return Err(ClientError::Timeout { origin: origin.to_string(), after });
                }
                Err(Failed::Final(error)) => return Err(error),
            };
            if wait.is_some_and(|wait| wait > retry::LONGEST_WAIT) {
                return ending;
            }
            let delay = retry::delay(attempt, wait, retry::jitter());
            if deadline.is_some_and(|deadline| Instant::now() + delay >= deadline) {
                return ending;
            }
            tokio::time::sleep(delay).await;
        }
        Err(ClientError::Setup { cause: "no attempt was made".to_owned() })
    }

    async fn attempt(&self, call: &Call<'_>, deadline: Option<Instant>) -> Result<Answer, Failed> {
        let exchange = self.exchange(call);
        match deadline {
            None => exchange.await,
            Some(deadline) => {
                tokio::time::timeout_at(deadline.into(), exchange).await.unwrap_or(Err(Failed::OutOfTime))
            }
        }
    }

    /// Sends, follows redirects of reads, and takes the body.
    async fn exchange(&self, call: &Call<'_>) -> Result<Answer, Failed> {
        let mut url = call.url.clone();
        let mut token = call.token;
        for _ in 0..=REDIRECTS {
            let answer = self.send_once(call, &url, token).await?;
            let status = answer.status().as_u16();
            if !matches!(status, 301 | 302 | 303 | 307 | 308) {
                return receive(answer, call, url).await;
            }
            let next = redirect_target(&answer, &url).map_err(Failed::Final)?;
            if call.method != Method::GET {
                let why = format!("it sends a {} on to {}", call.method, shown(&next));
                return Err(Failed::Final(ClientError::Strange { url: shown(&url), why }));
            }
            // Once it has left its origin a token does not come back into the chain.
            if Origin::of(&next) != Origin::of(&url) {
                token = None;
            }
            url = next;
        }
        let why = format!("more than {REDIRECTS} redirects");
        Err(Failed::Final(ClientError::Strange { url: shown(&call.url), why }))
    }

    async fn send_once(&self, call: &Call<'_>, url: &Url, token: Option<&Token>) -> Result<Response, Failed> {
        let no_origin = || ClientError::Strange { url: shown(url), why: "no http URL".to_owned() };
        let origin = Origin::of(url).ok_or_else(no_origin).map_err(Failed::Final)?;
        if origin.is_plain() && !origin.is_loopback() && !call.plain_http {
            return Err(Failed::Final(ClientError::Insecure { origin: origin.to_string() }));
        }
        let client = self.http(&origin).map_err(Failed::Final)?;
        let mut request = client.request(call.method.clone(), url.clone()).header(ACCEPT, call.accept);
        for (name, value) in &call.headers {
            request = request.header(name, value);
        }
        if let Some(secret) = token.and_then(|token| token.for_origin(&origin)) {
            request = request.header(AUTHORIZATION, format!("Bearer {secret}"));
        }
        request = match &call.content {
            Content::Nothing => request,
            Content::Json(json) => request.header(CONTENT_TYPE, "application/json").body(json.clone()),
            Content::Upload { meta, archive, file_name } => {
                let meta = reqwest::multipart::Part::text(meta.clone()).mime_str("application/json");
                let archive =
                    reqwest::multipart::Part::stream_with_length(archive.clone(), archive.len() as u64)
                        .file_name(file_name.clone())
                        .mime_str("application/octet-stream");
                let (Ok(meta), Ok(archive)) = (meta, archive) else {
                    return Err(Failed::Final(ClientError::Setup { cause: "no media type".to_owned() }));
                };
                request.multipart(reqwest::multipart::Form::new().part("meta", meta).part("archive", archive))
            }
        };
        let began = Instant::now();
        let answer = request.send().await;
        self.observe(call, url, answer.as_ref().ok(), began.elapsed());
        answer.map_err(Failed::Transport)
    }

    /// TLS is set up only when an `https` URL is asked for: reading the system's certificates
    /// takes longer than everything else here.
    fn http(&self, origin: &Origin) -> Result<&reqwest::Client, ClientError> {
        let (cell, plain) = if origin.is_plain() { (&self.plain, true) } else { (&self.secure, false) };
        if cell.get().is_none() {
            // A second call finds the provider installed, which is just as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
            // The environment and the system are asked by nobody but the program's start.
            let mut builder = reqwest::Client::builder()
                .no_proxy()
                .user_agent(USER_AGENT)
                .redirect(reqwest::redirect::Policy::none())
                .referer(false)
                .tcp_nodelay(true)
                .connect_timeout(self.options.connect)
                .read_timeout(self.options.idle);
            if plain {
                builder = builder.tls_certs_only([]);
            } else if let Some(proxy) = &self.options.proxy {
                builder = builder.proxy(through(proxy, origin)?);
            }
            let client = builder.build().map_err(|error| ClientError::Setup { cause: cause(&error) })?;
            let _ = cell.set(client);
        }
        cell.get().ok_or_else(|| ClientError::Setup { cause: String::new() })
    }

    fn observe(&self, call: &Call<'_>, url: &Url, answer: Option<&Response>, elapsed: Duration) {
        if let Some(observer) = &self.options.observer {
            observer(&RequestLine {
                method: call.method.to_string(),
                url: shown(url),
                status: answer.map(|answer| answer.status().as_u16()),
                bytes: answer.and_then(Response::content_length),
                elapsed,
            });
        }
    }

    fn explain(&self, origin: &Origin, error: &reqwest::Error, tries: u32, began: Instant) -> ClientError {
        let text = cause(error);
        let lower = text.to_lowercase();
        if error.is_timeout() {
            let after = if error.is_connect() { self.options.connect } else { self.options.idle };
            return ClientError::Timeout { origin: origin.to_string(), after };
        }
        if error.is_dns() {
            return ClientError::NameUnresolved { host: origin.host().to_owned() };
        }
        if lower.contains("certificate") || lower.contains("tls") {
            return ClientError::Tls { origin: origin.to_string(), cause: text };
        }
        if lower.contains("tunnel") || lower.contains("proxy") {
            return ClientError::Proxy { origin: origin.to_string(), cause: text };
        }
        ClientError::Unreachable { origin: origin.to_string(), cause: text, tries, elapsed: began.elapsed() }
    }
}

/// A text that is no URL sends nothing past the proxy that was wanted.
fn through(proxy: &Proxy, origin: &Origin) -> Result<reqwest::Proxy, ClientError> {
    let except = proxy.except.as_deref().and_then(reqwest::NoProxy::from_string);
    match reqwest::Proxy::https(&proxy.url) {
        Ok(through) => Ok(through.no_proxy(except)),
        Err(_) => Err(ClientError::Proxy {
            origin: origin.to_string(),
            cause: "HTTPS_PROXY does not read as a URL".to_owned(),
        }),
    }
}

async fn receive(answer: Response, call: &Call<'_>, url: Url) -> Result<Answer, Failed> {
    let status = answer.status().as_u16();
    let headers = answer.headers().clone();
    let failed = |error| match error {
        BodyError::Broken(error) => Failed::Transport(error),
        BodyError::Final(error) => Failed::Final(error),
    };
    if let Some(path) = call.save_to.filter(|_| status == 200) {
        let saved = body::save(answer, call.cap, path, call.arrived).await.map_err(failed)?;
        return Ok(Answer { status, headers, body: Vec::new(), saved: Some(saved), url, repeated: false });
    }
    let body = body::read(answer, call.cap).await.map_err(failed)?;
    Ok(Answer { status, headers, body, saved: None, url, repeated: false })
}

fn redirect_target(answer: &Response, url: &Url) -> Result<Url, ClientError> {
    let strange = |why: &str| ClientError::Strange { url: shown(url), why: why.to_owned() };
    let location = answer.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let next = url
        .join(location.ok_or_else(|| strange("a redirect without a target"))?)
        .map_err(|_| strange("a redirect to what is no URL"))?;
    match next.scheme() {
        "https" => Ok(next),
        "http" if url.scheme() == "http" => Ok(next),
        _ => Err(strange("a redirect away from https")),
    }
}

/// A name that has no address and a certificate that is not accepted stay as they are.
fn worth_another_try(error: &reqwest::Error) -> bool {
    let text = cause(error).to_lowercase();
    !error.is_builder() && !error.is_dns() && !text.contains("certificate")
}

/// The innermost reason, as the system says it, without the number it has there.
fn cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = innermost.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// A URL for messages: without its query and without credentials.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    // Neither can be refused where there is a host, and without one there are no credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}
