//! An upload that is refused early is still read to its end, within bounds, so that the client gets to read
//! the answer: a connection closed on unread bytes is reset, and takes the answer with it.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, HttpBody as _};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};

/// More than this is not waited for.
const MOST: u64 = 128 << 20;
const LONGEST: Duration = Duration::from_secs(30);

/// A body that two can hold: the handler reads it, and what the handler leaves is read afterwards.
#[derive(Clone)]
struct Shared(Arc<Mutex<BodyDataStream>>);

impl Stream for Shared {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).poll_next_unpin(context)
    }
}

/// The layer: after a refusal (4xx), reads and drops what the handler left of the body.
pub(super) async fn linger(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    if body.is_end_stream() {
        return next.run(Request::from_parts(parts, body)).await;
    }
    let shared = Shared(Arc::new(Mutex::new(body.into_data_stream())));
    let mut rest = shared.clone();
    let response = next.run(Request::from_parts(parts, Body::from_stream(shared))).await;
    if response.status().is_client_error() {
        let drain = async {
            let mut read = 0;
            while let Some(Ok(piece)) = rest.next().await {
                read += piece.len() as u64;
                if read > MOST {
                    break;
                }
            }
        };
        // However it ends, the answer is sent.
        let _ = tokio::time::timeout(LONGEST, drain).await;
    }
    response
}
