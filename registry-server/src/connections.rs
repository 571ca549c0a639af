//! Connections: how many there are at a time, and how long each may keep the registry waiting.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::serve::Listener;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;
use tower_http::timeout::{DeadlineBody, TimeoutBody};

use crate::remote::{ConnectionId, Peer};

/// What is read ahead of a connection, and the longest head of a request.
const BUFFER: usize = 64 * 1024;

/// How long a client may take, and how many clients there may be.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the head of a request, from its connection or the answer before it on. A connection on which
    /// nothing is asked ends with it.
    pub head: Duration,
    /// Between two pieces of a body.
    pub pause: Duration,
    /// For a body from its first byte to its last.
    pub body: Duration,
    /// Before bytes that were sent are taken (Linux).
    pub unsent: Duration,
    /// Connections at a time; further ones wait until one ends.
    pub connections: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(30),
            pause: Duration::from_secs(30),
            body: Duration::from_mins(30),
            unsent: Duration::from_mins(1),
            connections: 1024,
        }
    }
}

/// Serves until `stop` ends, then takes no connection any more and waits for the requests that run.
pub async fn serve(
    mut listener: TcpListener,
    router: Router,
    patience: Patience,
    stop: impl Future<Output = ()>,
) {
    let seats = Arc::new(Semaphore::new(patience.connections));
    let running = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let next = async {
            let seat = Arc::clone(&seats).acquire_owned().await;
            (seat, Listener::accept(&mut listener).await)
        };
        let (seat, (socket, address)) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let connection = serve_one(socket, address, router.clone(), patience, running.watcher());
        tokio::spawn(async move {
            connection.await;
            drop(seat);
        });
    }
    drop(listener);
    running.shutdown().await;
}

async fn serve_one(
    socket: TcpStream,
    address: SocketAddr,
    router: Router,
    patience: Patience,
    watcher: Watcher,
) {
    if let Err(error) = prepare(&socket, patience) {
        tracing::debug!(%error, "a socket keeps its settings");
    }
    let peer = Peer { address: address.ip(), connection: ConnectionId::next() };
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request
            .map(|body| Body::new(DeadlineBody::new(patience.body, TimeoutBody::new(patience.pause, body))));
        request.extensions_mut().insert(peer);
        router.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(socket), service);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Small answers leave at once; a client that takes nothing is let go.
fn prepare(socket: &TcpStream, patience: Patience) -> std::io::Result<()> {
    socket.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    {
        let millis = u32::try_from(patience.unsent.as_millis()).unwrap_or(u32::MAX);
        rustix::net::sockopt::set_tcp_user_timeout(socket, millis)?;
    }
    #[cfg(not(target_os = "linux"))]
    let _ = patience.unsent;
    Ok(())
}
