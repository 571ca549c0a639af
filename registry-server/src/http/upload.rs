//! An upload while it comes in: a form whose memory is bounded, whatever is sent.
//!
//! The parser of forms keeps what it has read until it finds the end of a part's head, and reads as much at a time
//! as is there. So the body behind it gives one piece at a time, ends before a head gets long, and asks for room on
//! the disk as it goes. How long the whole may be is the route's limit ([`most`]).

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, BodyDataStream};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest as _, Multipart, Request};
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use skill_core::api::ServerLimits;

/// The most bytes before the content of a part: what stands before the first boundary, and the part's head.
const HEAD_BYTES: u64 = 16 * 1024;
/// What a form may have beside its archive: `meta`, and the heads.
const BESIDE_BYTES: u64 = 64 * 1024 + 4 * HEAD_BYTES;
/// After how many bytes the disk is asked again.
const ROOM_EVERY: u64 = 1 << 20;

/// The most bytes that the body of a publish may have.
pub(crate) fn most(limits: &ServerLimits) -> usize {
    usize::try_from(limits.archive_bytes.saturating_add(BESIDE_BYTES)).unwrap_or(usize::MAX)
}

/// Why an upload was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CutOff {
    /// A part does not begin.
    #[error("more than {HEAD_BYTES} bytes stand before the content of a part")]
    HeadLong,
    /// The client stopped, or was too slow.
    #[error("the upload did not go on in time")]
    Stalled,
    /// The whole is longer than this registry takes.
    #[error("the upload is too long")]
    Long,
    /// There is no room for it.
    #[error("the disk is full")]
    DiskFull,
}

impl CutOff {
    /// Why the form ended with `error`, if it was cut off.
    pub(crate) fn of(error: &MultipartError) -> Option<Self> {
        if error.status() == http::StatusCode::PAYLOAD_TOO_LARGE {
            return Some(Self::Long);
        }
        let first: &(dyn std::error::Error + 'static) = error;
        std::iter::successors(Some(first), |error| error.source()).find_map(|error| {
            let stalled = error.is::<tower_http::timeout::TimeoutError>().then_some(Self::Stalled);
            stalled.or_else(|| error.downcast_ref::<Self>().copied())
        })
    }
}

/// The form of a publish.
pub(crate) struct Upload {
    form: Multipart,
    left: Left,
}

impl Upload {
    /// Begins to read a request's form; nothing of its body is read yet. `has_room` is asked whether the disk has
    /// room for more.
    pub(crate) async fn open(
        request: Request,
        has_room: impl Fn() -> bool + Unpin + Send + 'static,
    ) -> Result<Self, String> {
        let left = Left::default();
        let request = request.map(|body| {
            let body = body.into_data_stream();
            Body::from_stream(Paced { body, left: left.clone(), has_room, unasked: 0, gave: false })
        });
        let form = Multipart::from_request(request, &()).await.map_err(|error| error.body_text())?;
        Ok(Self { form, left })
    }

    /// The next part. Its head is bounded; its content is for the reader to count.
    pub(crate) async fn next_field(&mut self) -> Result<Option<Field<'_>>, MultipartError> {
        self.left.set(HEAD_BYTES);
        let field = self.form.next_field().await?;
        self.left.set(u64::MAX);
        Ok(field)
    }
}

/// Bytes that may still come before the content of a part.
#[derive(Debug, Clone, Default)]
struct Left(Arc<AtomicU64>);

impl Left {
    fn set(&self, bytes: u64) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn take(&self, bytes: u64) {
        self.set(self.0.load(Ordering::Relaxed).saturating_sub(bytes));
    }

    fn is_nothing(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

/// A body that gives one piece, then waits until it is asked anew.
struct Paced<R> {
    body: BodyDataStream,
    left: Left,
    has_room: R,
    unasked: u64,
    gave: bool,
}

impl<R: Fn() -> bool + Unpin> Stream for Paced<R> {
    type Item = Result<Bytes, axum::BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.gave) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.left.is_nothing() {
            return Poll::Ready(Some(Err(CutOff::HeadLong.into())));
        }
        let piece = match self.body.poll_next_unpin(context) {
            Poll::Ready(Some(Ok(piece))) => piece,
            other => return other.map_err(Into::into),
        };
        self.gave = true;
        self.left.take(piece.len() as u64);
        self.unasked += piece.len() as u64;
        if self.unasked >= ROOM_EVERY {
            self.unasked = 0;
            if !(self.has_room)() {
                return Poll::Ready(Some(Err(CutOff::DiskFull.into())));
            }
        }
        Poll::Ready(Some(Ok(piece)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECE: usize = 1024;

    /// An upload of `first` and then of `again` without end, and how many bytes were taken of it.
    async fn endless(first: &'static str, again: &'static [u8]) -> (Upload, Arc<AtomicU64>) {
        let taken = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&taken);
        let rest = futures_util::stream::repeat(Bytes::from_static(again));
        let pieces = futures_util::stream::iter([Bytes::from_static(first.as_bytes())]).chain(rest);
        let body = Body::from_stream(pieces.map(move |piece| {
            count.fetch_add(piece.len() as u64, Ordering::Relaxed);
            Ok::<_, std::convert::Infallible>(piece)
        }));
        let request = http::Request::builder().header("content-type", "multipart/form-data; boundary=x");
        // The disk is full when that much was taken twice.
        let count = Arc::clone(&taken);
        let has_room = move || count.load(Ordering::Relaxed) < 2 * ROOM_EVERY;
        (Upload::open(request.body(body).unwrap(), has_room).await.unwrap(), taken)
    }

    async fn cut_off(first: &'static str, again: &'static [u8]) -> (Option<CutOff>, u64) {
        let (mut upload, taken) = endless(first, again).await;
        let error = upload.next_field().await.expect_err("a head without end is refused");
        (CutOff::of(&error), taken.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn a_preamble_without_end_is_refused_before_it_fills_the_memory() {
        let (why, taken) = cut_off("", &[b'a'; PIECE]).await;
        assert_eq!(why, Some(CutOff::HeadLong));
        assert!(taken <= HEAD_BYTES + PIECE as u64, "{taken}");
    }

    #[tokio::test]
    async fn a_part_head_without_end_is_refused_before_it_fills_the_memory() {
        let (why, taken) = cut_off("--x\r\nContent-Disposition: form-data; name=\"", &[b'm'; PIECE]).await;
        assert_eq!(why, Some(CutOff::HeadLong));
        assert!(taken <= HEAD_BYTES + PIECE as u64, "{taken}");
    }

    #[tokio::test]
    async fn a_content_without_end_is_given_piece_by_piece() {
        let head = "--x\r\nContent-Disposition: form-data; name=\"archive\"\r\n\r\n";
        let (mut upload, taken) = endless(head, &[b'z'; PIECE]).await;
        let mut field = upload.next_field().await.unwrap().unwrap();
        let mut given = 0;
        for _ in 0..64 {
            given += field.chunk().await.unwrap().unwrap().len() as u64;
            let kept = taken.load(Ordering::Relaxed) - given;
            assert!(kept <= (head.len() + 2 * PIECE) as u64, "{kept} bytes are kept");
        }
    }

    #[tokio::test]
    async fn a_disk_that_fills_up_meanwhile_ends_the_upload() {
        let head = "--x\r\nContent-Disposition: form-data; name=\"archive\"\r\n\r\n";
        let (mut upload, taken) = endless(head, &[b'z'; PIECE]).await;
        let mut field = upload.next_field().await.unwrap().unwrap();
        let error = loop {
            if let Err(error) = field.chunk().await {
                break error;
            }
        };
        assert_eq!(CutOff::of(&error), Some(CutOff::DiskFull));
        assert!(taken.load(Ordering::Relaxed) <= 3 * ROOM_EVERY);
    }
}
