//! The rules that every call keeps, against a server that misbehaves as told.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use skill_core::name::SkillName;
use skill_core::token::TokenText;

use super::*;

/// Answers one request after the other as its script says, and remembers what it was asked.
struct Server {
    url: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(script: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        std::thread::spawn(move || {
            for answer in script {
                let Ok((mut stream, _)) = listener.accept() else { return };
                log.lock().unwrap().push(request(&mut stream));
                let _ = stream.write_all(answer.as_bytes());
                if answer.is_empty() {
                    // It took the request and says nothing.
                    std::thread::sleep(Duration::from_secs(30));
                }
            }
        });
        Self { url, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

/// The head of a request.
fn request(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
        head.push(byte[0]);
    }
    String::from_utf8_lossy(&head).into_owned()
}

fn answer(status: &str, headers: &[&str], body: &str) -> String {
    let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    format!("{head}\r\n{body}")
}

fn session(url: &str, options: Options, token: bool) -> Session {
    let endpoint = Endpoint::parse(url).unwrap();
    let token = token.then(|| {
        Token::new(TokenText::of_secret([0xab; 32]), endpoint.origin().clone(), "SKILL_TOKEN".into())
    });
    Session::new(Arc::new(Client::new(options)), endpoint).with_token(token)
}

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn name() -> SkillName {
    "acme/github".parse().unwrap()
}

/// Case 112, for registries.
#[test]
fn a_transient_fault_is_tried_again() {
    let busy = || answer("503 Service Unavailable", &["Retry-After: 0"], "");
    let server = Server::start(vec![busy(), busy(), answer("200 OK", &["ETag: \"7\""], "{}\n\n")]);
    let index = run(session(&server.url, Options::default(), false).index(&name(), None)).unwrap();
    assert_eq!(index, Index::Body { body: b"{}\n\n".to_vec(), etag: Some("\"7\"".to_owned()) });
    assert_eq!(server.seen().len(), 3);
}

#[test]
fn a_fault_that_stays_is_told_with_its_request_id() {
    let broken = || answer("500 Internal Server Error", &["Retry-After: 0", "X-Request-Id: abc"], "");
    let server = Server::start((0..3).map(|_| broken()).collect());
    let error = run(session(&server.url, Options::default(), false).index(&name(), None)).unwrap_err();
    assert_eq!(error.code(), "registry-error");
    assert_eq!(error.because(), ["the request id is abc"]);
    assert_eq!(server.seen().len(), 3);
}

/// Case 112: what a registry asks to wait for is waited for.
#[test]
fn a_limit_that_ends_soon_is_waited_for() {
    let limited = || answer("429 Too Many Requests", &["Retry-After: 1"], "Rate limit exceeded");
    let server = Server::start(vec![limited(), answer("200 OK", &[], "{}\n\n")]);
    let began = std::time::Instant::now();
    run(session(&server.url, Options::default(), false).index(&name(), None)).unwrap();
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn a_long_wait_is_told_and_not_waited_for() {
    let server = Server::start(vec![answer("429 Too Many Requests", &["Retry-After: 42"], "")]);
    let error = run(session(&server.url, Options::default(), false).index(&name(), None)).unwrap_err();
    assert_eq!((error.code(), error.retry_after_seconds()), ("rate-limited", Some(42)));
}

#[test]
fn a_refusal_is_asked_once() {
    let problem =
        r#"{"type":"urn:skill-registry:problem:not-member","status":403,"code":"not-member","title":"no"}"#;
    let server = Server::start(vec![answer("403 Forbidden", &[], problem)]);
    let error =
        run(session(&server.url, Options::default(), true).yank(&name(), &"1.0.0".parse().unwrap(), ""))
            .unwrap_err();
    assert_eq!(error.code(), "not-member");
    assert_eq!(server.seen().len(), 1);
}

/// Case 108, for registries.
#[test]
fn a_token_stays_behind_when_a_redirect_leaves_its_origin() {
    for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let other = Server::start(vec![answer("200 OK", &[], "\n")]);
        let location = format!("Location: {}/elsewhere", other.url);
        let first = Server::start(vec![answer(status, &[&location], "")]);
        run(session(&first.url, Options::default(), true).index(&name(), None)).unwrap();
        assert!(first.seen()[0].to_lowercase().contains("authorization: bearer skr_abab"), "{status}");
        assert!(!other.seen()[0].to_lowercase().contains("authorization"), "{status}");
    }
}

#[test]
fn a_token_does_not_come_back_after_a_detour() {
    let first = TcpListener::bind("127.0.0.1:0").unwrap();
    let home = format!("http://{}", first.local_addr().unwrap());
    let away = Server::start(vec![answer("302 Found", &[&format!("Location: {home}/back")], "")]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let location = format!("Location: {}/away", away.url);
    std::thread::spawn(move || {
        for answer in [answer("302 Found", &[&location], ""), answer("200 OK", &[], "\n")] {
            let (mut stream, _) = first.accept().unwrap();
            log.lock().unwrap().push(request(&mut stream));
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    run(session(&home, Options::default(), true).index(&name(), None)).unwrap();
    let seen = seen.lock().unwrap();
    assert!(seen[0].to_lowercase().contains("authorization"));
    assert!(!seen[1].to_lowercase().contains("authorization"));
}

#[test]
fn a_redirect_that_never_ends_ends() {
    let to_self = answer("302 Found", &["Location: /again"], "");
    let server = Server::start(vec![to_self; 10]);
    let error = run(session(&server.url, Options::default(), false).index(&name(), None)).unwrap_err();
    assert_eq!(error.code(), "registry-error");
    assert_eq!(server.seen().len(), 6);
}

#[test]
fn a_change_does_not_follow_redirects() {
    let server = Server::start(vec![answer("307 Temporary Redirect", &["Location: /elsewhere"], "")]);
    let error =
        run(session(&server.url, Options::default(), true).yank(&name(), &"1.0.0".parse().unwrap(), ""))
            .unwrap_err();
    assert_eq!(error.code(), "registry-error");
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn offline_opens_nothing() {
    let server = Server::start(vec![answer("200 OK", &[], "\n")]);
    let options = Options { offline: true, ..Options::default() };
    let error = run(session(&server.url, options, false).index(&name(), None)).unwrap_err();
    assert_eq!(error.code(), "offline-miss");
    assert!(server.seen().is_empty());
}

#[test]
fn plain_http_goes_to_this_machine_or_to_a_pinned_registry_only() {
    let error = run(session("http://192.0.2.1", Options::default(), false).index(&name(), None)).unwrap_err();
    assert_eq!(error.code(), "registry-insecure");
    let options = Options { total: Some(Duration::from_millis(50)), ..Options::default() };
    let pinned = session("http://192.0.2.1", options, false).pinned();
    assert_ne!(run(pinned.index(&name(), None)).unwrap_err().code(), "registry-insecure");
}

#[test]
fn a_registry_that_says_nothing_is_given_up() {
    let server = Server::start(vec![String::new()]);
    let options = Options { total: Some(Duration::from_millis(300)), ..Options::default() };
    let error = run(session(&server.url, options, false).index(&name(), None)).unwrap_err();
    assert_eq!(error.code(), "registry-timeout");
}

#[test]
fn nobody_there_is_told_with_the_tries() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    match run(session(&url, Options::default(), false).index(&name(), None)).unwrap_err() {
        ClientError::Unreachable { cause, tries, .. } => {
            assert_eq!((cause.as_str(), tries), ("connection refused", 3));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_answer_longer_than_its_limit_is_not_read() {
    let server = Server::start(vec![answer("200 OK", &[], &"x".repeat(9000))]);
    let error =
        run(session(&server.url, Options::default(), false).envelope(&name(), &"1.0.0".parse().unwrap()))
            .unwrap_err();
    assert_eq!(error.code(), "registry-error");
}

#[test]
fn a_download_is_digested_and_stops_at_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let version = "1.0.0".parse().unwrap();
    let server = Server::start(vec![answer("200 OK", &[], "hello"), answer("200 OK", &[], "hello")]);
    let session = session(&server.url, Options::default(), false);
    let saved = run(session.download(&name(), &version, 5, &path, &|_| ())).unwrap();
    assert_eq!((saved.len, saved.sha256), (5, skill_core::digest::Sha256::of("hello")));
    assert_eq!(fs_err::read(&path).unwrap(), b"hello");
    let error = run(session.download(&name(), &version, 4, &path, &|_| ())).unwrap_err();
    assert_eq!(error.code(), "registry-error");
}

#[test]
fn a_body_that_breaks_off_is_fetched_again() {
    let cut = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\nhel".to_owned();
    let server = Server::start(vec![cut, answer("200 OK", &[], "hello\n")]);
    let index = run(session(&server.url, Options::default(), false).index(&name(), None)).unwrap();
    assert_eq!(index, Index::Body { body: b"hello\n".to_vec(), etag: None });
}

/// Another token would change nothing, on our own routes and on those of the contract.
#[test]
fn a_closed_account_is_not_told_to_log_in_again() {
    let problem =
        r#"{"type":"urn:x","status":401,"code":"account-disabled","title":"the account is disabled"}"#;
    let ours = answer("401 Unauthorized", &["Content-Type: application/problem+json"], problem);
    let stock = answer("401 Unauthorized", &["Content-Type: text/plain"], "Unauthorized: account disabled");
    let server = Server::start(vec![ours, stock]);
    for _ in 0..2 {
        let error = run(session(&server.url, Options::default(), true).whoami()).unwrap_err();
        assert_eq!(error.code(), "account-disabled");
        let failure = crate::failure::Failure::of_call(&error, "corp");
        assert_eq!(failure.code, crate::code::Code::AccountDisabled);
    }
}

#[test]
fn a_token_that_is_not_accepted_is_named_by_its_place() {
    let unauthorized = || answer("401 Unauthorized", &[], "");
    let server = Server::start(vec![unauthorized(), unauthorized()]);
    let with = run(session(&server.url, Options::default(), true).whoami()).unwrap_err();
    assert_eq!(with.code(), "token-rejected");
    assert!(with.because()[0].contains("SKILL_TOKEN"));
    let without = run(session(&server.url, Options::default(), false).whoami()).unwrap_err();
    assert_eq!(without.code(), "login-needed");
}

#[test]
fn a_tag_whose_removal_lost_its_answer_is_gone() {
    let lost = "HTTP/1.1 204 No".to_owned();
    let gone =
        r#"{"type":"about:blank","status":404,"code":"tag-not-found","title":"acme/github has no tag `x`"}"#;
    let absent = || answer("404 Not Found", &[], gone);
    let tag = "x".parse().unwrap();
    let server = Server::start(vec![lost, absent()]);
    run(session(&server.url, Options::default(), true).remove_tag(&name(), &tag)).unwrap();
    assert_eq!(server.seen().len(), 2);
    // A tag that was not there before the first try is told.
    let server = Server::start(vec![absent()]);
    let error = run(session(&server.url, Options::default(), true).remove_tag(&name(), &tag)).unwrap_err();
    assert_eq!(error.code(), "tag-not-found");
}

#[test]
fn a_release_stands_where_the_registry_says() {
    let server = Server::start(vec![answer("200 OK", &[], r#"{"status":"suspicious"}"#)]);
    let session = session(&server.url, Options::default(), true);
    let state = run(session.unyank(&name(), &"1.0.0".parse().unwrap(), "")).unwrap();
    assert_eq!(state.as_str(), "suspicious");
}

#[test]
fn https_goes_through_its_proxy_unless_excepted_and_plain_http_never_does() {
    let proxy = Server::start((0..9).map(|_| answer("403 Forbidden", &[], "")).collect());
    let options = |except: Option<&str>| Options {
        proxy: Some(Proxy { url: proxy.url.clone(), except: except.map(str::to_owned) }),
        total: Some(Duration::from_secs(5)),
        ..Options::default()
    };
    let index = |url: &str, options| run(session(url, options, true).index(&name(), None));
    let error = index("https://h.invalid", options(None)).unwrap_err();
    assert_eq!(error.code(), "proxy-refused");
    let through = proxy.seen();
    assert!(through.iter().all(|head| head.starts_with("CONNECT h.invalid:443 ")), "{through:?}");
    assert!(!through.is_empty() && !through.concat().contains("skr_"));
    let error = index("https://h.invalid", options(Some("h.invalid"))).unwrap_err();
    assert_eq!(error.code(), "name-unresolved");
    let registry = Server::start(vec![answer("200 OK", &[], "\n")]);
    index(&registry.url, options(None)).unwrap();
    assert_eq!((proxy.seen().len(), registry.seen().len()), (through.len(), 1));
}

#[test]
fn a_proxy_that_is_no_url_lets_nothing_past_it() {
    let proxy = Some(Proxy { url: "http://[".to_owned(), except: None });
    let options = Options { proxy, ..Options::default() };
    let error = run(session("https://h.invalid", options, false).index(&name(), None)).unwrap_err();
    assert_eq!(error.code(), "proxy-refused");
}
