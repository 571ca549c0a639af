//! What this registry asks others for users, and what it does not let them ask through it.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HOST};
use http::{HeaderMap, HeaderValue, Method};
use insta::assert_snapshot;
use skill_registry::network::Network;
use skill_registry::outbound::{ANSWER_BYTES, Answer, Names, Outbound, OutboundError};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// Somebody who answers every request with the same bytes, and counts them.
struct Receiver {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
    last: Arc<std::sync::Mutex<String>>,
}

impl Receiver {
    async fn at(address: &str, answer: impl Into<Vec<u8>>) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let (address, answer) = (listener.local_addr().unwrap(), answer.into());
        let asked = Arc::new(AtomicUsize::new(0));
        let last = Arc::new(std::sync::Mutex::new(String::new()));
        let (count, text) = (asked.clone(), last.clone());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let mut request = vec![0; 16 * 1024];
                let read = stream.read(&mut request).await.unwrap_or_default();
                *text.lock().unwrap() = String::from_utf8_lossy(&request[..read]).into_owned();
                let _ = stream.write_all(&answer).await;
                let _ = stream.shutdown().await;
            }
        });
        Self { address, asked, last }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn outbound(allowed: &str, names: Names) -> Outbound {
    Outbound::new(Network::list(allowed).unwrap(), names)
}

async fn ask(outbound: &Outbound, url: &str) -> Result<Answer, OutboundError> {
    outbound.send(Method::GET, &outbound.read(url)?, HeaderMap::new(), Bytes::new()).await
}

fn said(result: &Result<Answer, OutboundError>) -> String {
    match result {
        Ok(answer) => format!("{} {}", answer.status.as_u16(), String::from_utf8_lossy(&answer.body)),
        Err(error) => error.to_string(),
    }
}

const FINE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";

/// What is not asked: closed addresses in every spelling, names that lead to them, and what is no URL of ours.
const CLOSED: &[&str] = &[
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://0x7f.1/",
    "https://127.0.0.1./",
    "https://1２7.0.0.1/",
    "https://0/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[fd00:ec2::254]/latest/meta-data/",
    "https://169.254.169.254/latest/meta-data/",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://metadata.example/",
    "https://both.example/",
    "https://mapped.example/",
    "https://nowhere.example/",
    "http://1.1.1.1/",
    "http://hooks.example/",
    "https://user@hooks.example/",
    "https://user:word@hooks.example/",
    "https://hooks.example/#part",
    "ftp://hooks.example/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_INFO",
    "//hooks.example/",
    "hooks.example",
    "",
];

/// Whatever stands in a URL for an address of this machine, of its network or of its cloud.
#[tokio::test]
async fn no_spelling_of_a_closed_address_is_asked() {
    let names = Names::fixed([
        ("localhost", vec![vec![ip("127.0.0.1")]]),
        ("localhost.", vec![vec![ip("::1")]]),
        ("metadata.example", vec![vec![ip("169.254.169.254")]]),
        ("both.example", vec![vec![ip("1.1.1.1"), ip("10.0.0.7")]]),
        ("mapped.example", vec![vec![ip("::ffff:192.168.0.1")]]),
    ]);
    let outbound = outbound("", names);
    let mut shown = String::new();
    for url in CLOSED {
        shown += &format!("{url:44} {}\n", said(&ask(&outbound, url).await));
    }
    assert_snapshot!(shown, @r"
    https://127.0.0.1/                           127.0.0.1 is not on the public internet
    https://127.1/                               127.0.0.1 is not on the public internet
    https://2130706433/                          127.0.0.1 is not on the public internet
    https://0x7f000001/                          127.0.0.1 is not on the public internet
    https://0177.0.0.1/                          127.0.0.1 is not on the public internet
    https://0x7f.1/                              127.0.0.1 is not on the public internet
    https://127.0.0.1./                          127.0.0.1 is not on the public internet
    https://1２7.0.0.1/                           127.0.0.1 is not on the public internet
    https://0/                                   0.0.0.0 is not on the public internet
    https://[::1]/                               [::1] is not on the public internet
    https://[::]/                                [::] is not on the public internet
    https://[::ffff:127.0.0.1]/                  [::ffff:7f00:1] is not on the public internet
    https://[::ffff:7f00:1]/                     [::ffff:7f00:1] is not on the public internet
    https://[64:ff9b::7f00:1]/                   [64:ff9b::7f00:1] is not on the public internet
    https://[2002:7f00:1::]/                     [2002:7f00:1::] is not on the public internet
    https://[fd00:ec2::254]/latest/meta-data/    [fd00:ec2::254] is not on the public internet
    https://169.254.169.254/latest/meta-data/    169.254.169.254 is not on the public internet
    https://localhost/                           localhost is not on the public internet
    https://LOCALHOST/                           localhost is not on the public internet
    https://localhost./                          localhost. is not on the public internet
    https://metadata.example/                    metadata.example is not on the public internet
    https://both.example/                        both.example is not on the public internet
    https://mapped.example/                      mapped.example is not on the public internet
    https://nowhere.example/                     nowhere.example has no address
    http://1.1.1.1/                              1.1.1.1 is asked over https only
    http://hooks.example/                        hooks.example is asked over https only
    https://user@hooks.example/                  only an https URL with a host and without user, password and fragment is asked
    https://user:word@hooks.example/             only an https URL with a host and without user, password and fragment is asked
    https://hooks.example/#part                  only an https URL with a host and without user, password and fragment is asked
    ftp://hooks.example/                         only an https URL with a host and without user, password and fragment is asked
    file:///etc/passwd                           only an https URL with a host and without user, password and fragment is asked
    gopher://127.0.0.1:6379/_INFO                only an https URL with a host and without user, password and fragment is asked
    //hooks.example/                             only an https URL with a host and without user, password and fragment is asked
    hooks.example                                only an https URL with a host and without user, password and fragment is asked
                                                 only an https URL with a host and without user, password and fragment is asked
    ");
}

#[tokio::test]
async fn an_allowed_network_is_reached_over_plain_http_too() {
    let receiver = Receiver::at("127.0.0.1:0", FINE).await;
    let port = receiver.address.port();
    let names = Names::fixed([("hooks.example", vec![vec![ip("127.0.0.1")]])]);
    let outbound = outbound("127.0.0.0/8", names);
    assert_eq!(said(&ask(&outbound, &format!("http://127.0.0.1:{port}/a?b=c")).await), "200 hi");
    let url = outbound.read(&format!("http://hooks.example:{port}/hook?x=1")).unwrap();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let answer = outbound.send(Method::POST, &url, headers, Bytes::from_static(b"{\"a\":1}")).await;
    assert_eq!(said(&answer), "200 hi");
    let request = receiver.last.lock().unwrap().clone();
    let mut lines: Vec<&str> = request.lines().collect();
    lines[1..].sort_unstable();
    assert_snapshot!(lines.join("\n").replace(&port.to_string(), "PORT"), @r#"
    POST /hook?x=1 HTTP/1.1

    accept: */*
    content-length: 7
    content-type: application/json
    host: hooks.example:PORT
    user-agent: skill-registry/0.1.0
    {"a":1}
    "#);
    assert!(request.to_lowercase().contains(&format!("{HOST}: hooks.example:{port}")));
}

/// DNS rebinding: the name leads elsewhere as soon as it was checked. What was checked is what is asked.
#[tokio::test]
async fn a_name_that_changes_its_mind_is_asked_where_it_was_checked() {
    let good = Receiver::at("127.0.0.2:0", FINE).await;
    let port = good.address.port();
    let inside = Receiver::at(&format!("127.0.0.1:{port}"), FINE).await;
    let names = Names::fixed([("hooks.example", vec![vec![ip("127.0.0.2")], vec![ip("127.0.0.1")]])]);
    let outbound = outbound("127.0.0.2/32", names);
    let url = format!("http://hooks.example:{port}/");
    assert_eq!(said(&ask(&outbound, &url).await), "200 hi");
    assert_eq!((good.asked(), inside.asked()), (1, 0));
    // Asked once more it leads inside, and is refused before anything is sent.
    let refused = ask(&outbound, &url).await;
    assert!(matches!(refused, Err(OutboundError::Address { address, .. }) if address == ip("127.0.0.1")));
    assert_eq!((good.asked(), inside.asked()), (1, 0));
}

#[tokio::test]
async fn no_redirect_is_followed() {
    let inside = Receiver::at("127.0.0.1:0", FINE).await;
    let to = format!(
        "HTTP/1.1 307 Go\r\nlocation: http://{}/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        inside.address
    );
    let receiver = Receiver::at("127.0.0.2:0", to).await;
    let outbound = outbound("127.0.0.0/8", Names::System);
    assert_eq!(said(&ask(&outbound, &format!("http://{}/", receiver.address)).await), "307 ");
    assert_eq!((receiver.asked(), inside.asked()), (1, 0));
}

#[tokio::test]
async fn a_long_answer_is_cut_off() {
    let outbound = outbound("127.0.0.0/8", Names::System);
    for (bytes, fits) in [(ANSWER_BYTES, true), (ANSWER_BYTES + 1, false)] {
        let mut answer = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec();
        answer.resize(answer.len() + bytes, b'x');
        let receiver = Receiver::at("127.0.0.1:0", answer).await;
        let result = ask(&outbound, &format!("http://{}/", receiver.address)).await;
        assert_eq!(matches!(result, Ok(Answer { body, .. }) if body.len() == bytes), fits);
    }
}

#[tokio::test]
async fn who_does_not_answer_is_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let outbound = outbound("127.0.0.0/8", Names::System).within(Duration::from_millis(200));
    let silent = ask(&outbound, &format!("http://{}/", listener.local_addr().unwrap())).await;
    assert!(matches!(silent, Err(OutboundError::Slow { .. })), "{silent:?}");
    let address = listener.local_addr().unwrap();
    drop(listener);
    let gone = ask(&outbound, &format!("http://{address}/")).await;
    assert!(matches!(gone, Err(OutboundError::Transport { .. })), "{gone:?}");
    let noise = Receiver::at("127.0.0.1:0", "SSH-2.0-x\r\n").await;
    let noise = ask(&outbound, &format!("http://{}/", noise.address)).await;
    assert!(matches!(noise, Err(OutboundError::Transport { .. })), "{noise:?}");
}
