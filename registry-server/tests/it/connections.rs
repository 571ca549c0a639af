//! Connections that keep the registry waiting are ended. Each wait here has an end of its own, far beyond the
//! registry's.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use skill_registry::connections::{Patience, serve};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::support::TestRegistry;

const BRIEF: Patience = Patience {
    head: Duration::from_millis(200),
    pause: Duration::from_millis(200),
    body: Duration::from_secs(2),
    unsent: Duration::from_mins(1),
    connections: 2,
};

/// Serves with little patience while `ask` runs on a thread of its own.
async fn served(registry: &TestRegistry, ask: impl FnOnce(SocketAddr) + Send + 'static) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = serve(listener, registry.app.router(), BRIEF, async {
        stopped.await.unwrap();
    });
    let asking = async {
        tokio::task::spawn_blocking(move || ask(address)).await.unwrap();
        stop.send(()).unwrap();
    };
    tokio::join!(serving, asking);
}

fn connect(address: SocketAddr) -> TcpStream {
    let socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    socket
}

/// All that comes until the registry closes; a reset is a close too.
fn until_closed(mut socket: TcpStream) -> String {
    let mut answer = Vec::new();
    match socket.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the registry did not close the connection: {error}"),
    }
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn silence_and_half_a_head_end_the_connection() {
    let registry = TestRegistry::on_sqlite().start().await;
    served(&registry, |address| {
        assert_eq!(until_closed(connect(address)), "");
        let mut half = connect(address);
        half.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n").unwrap();
        until_closed(half);
        // After an answer too.
        let mut idle = connect(address);
        idle.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
        assert!(until_closed(idle).starts_with("HTTP/1.1 200"));
    })
    .await;
}

/// Slowloris: a head that goes on for ever, a byte at a time.
#[tokio::test]
async fn a_head_that_trickles_ends_the_connection() {
    let registry = TestRegistry::on_sqlite().start().await;
    served(&registry, |address| {
        let mut socket = connect(address);
        socket.write_all(b"GET /healthz HTTP/1.1\r\nx: ").unwrap();
        // Ends when the registry has closed: a write to a closed connection fails, soon after.
        for _ in 0..2000 {
            if socket.write_all(b"a").is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        panic!("the registry still reads the head");
    })
    .await;
}

#[tokio::test]
async fn an_upload_that_stops_is_answered() {
    let registry = TestRegistry::on_sqlite().start().await;
    let token = registry.user("ada").await.token().reveal().to_owned();
    served(&registry, move |address| {
        let mut socket = connect(address);
        let head = format!(
            "POST /api/registry/v1/publish HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
             content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000\r\n\r\n--x\r\nConte"
        );
        socket.write_all(head.as_bytes()).unwrap();
        let answer = until_closed(socket);
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(answer.contains("\"upload-slow\""), "{answer}");
    })
    .await;
}

/// A body that never rests, and never ends.
#[tokio::test]
async fn an_upload_that_trickles_is_answered() {
    let registry = TestRegistry::on_sqlite().start().await;
    let token = registry.user("ada").await.token().reveal().to_owned();
    served(&registry, move |address| {
        let mut socket = connect(address);
        let head = format!(
            "POST /api/registry/v1/publish HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
             content-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n"
        );
        socket.write_all(head.as_bytes()).unwrap();
        let mut writer = socket.try_clone().unwrap();
        std::thread::spawn(move || {
            while writer.write_all(b"a").is_ok() {
                std::thread::sleep(Duration::from_millis(30));
            }
        });
        let mut begin = [0; 12];
        socket.read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"HTTP/1.1 408");
        // Ends the writer, if the registry has not closed by now.
        let _ = socket.shutdown(std::net::Shutdown::Both);
    })
    .await;
}

/// Bug report 111: whoever asks from this machine counts by the connection, not as everybody else there.
#[tokio::test]
async fn requests_over_one_connection_count_together() {
    let registry = TestRegistry::on_sqlite().with("rate.read.address = 1").start().await;
    served(&registry, |address| {
        for _ in 0..2 {
            let mut socket = connect(address);
            let get = "GET /api/v1/skills HTTP/1.1\r\nhost: x\r\n";
            let both = format!("{get}\r\n{get}connection: close\r\n\r\n");
            socket.write_all(both.as_bytes()).unwrap();
            let answers = until_closed(socket);
            let statuses: Vec<&str> = answers.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
            assert_eq!(statuses, ["200", "429"]);
        }
    })
    .await;
}

#[tokio::test]
async fn further_connections_wait_for_a_seat() {
    let registry = TestRegistry::on_sqlite().start().await;
    served(&registry, |address| {
        // Nobody who says nothing keeps a seat for ever: all are answered in the end.
        let silent: Vec<TcpStream> = (0..5).map(|_| connect(address)).collect();
        let mut last = connect(address);
        last.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        assert!(until_closed(last).starts_with("HTTP/1.1 200"));
        drop(silent);
    })
    .await;
}
