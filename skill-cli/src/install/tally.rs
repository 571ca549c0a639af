//! How far a stage is, on a terminal: one line, redrawn in place.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{Either, select};

use crate::screen::{Progress, Screen};

/// The screen is told this often, and draws less often.
const TICK: Duration = Duration::from_millis(50);

/// What is done of a stage.
pub(super) struct Tally<'a> {
    screen: &'a Screen,
    verb: &'static str,
    total: usize,
    /// Bytes that are to come; 0 if nobody knows.
    bytes: u64,
    done: AtomicUsize,
    came: AtomicU64,
    at: Mutex<String>,
}

impl<'a> Tally<'a> {
    /// Nothing of `total` pieces and `bytes` bytes is done.
    pub(super) fn new(screen: &'a Screen, verb: &'static str, total: usize, bytes: u64) -> Self {
        let (done, came) = (AtomicUsize::new(0), AtomicU64::new(0));
        Self { screen, verb, total, bytes, done, came, at: Mutex::default() }
    }

    /// One piece, called `name`: from its start to its end.
    pub(super) async fn piece<F: Future>(&self, name: &str, work: F) -> F::Output {
        name.clone_into(&mut self.at.lock().unwrap_or_else(PoisonError::into_inner));
        let output = work.await;
        self.done.fetch_add(1, Ordering::Relaxed);
        output
    }

    /// What is to be told how many bytes of one file have come; the count starts anew where the file does.
    pub(super) fn file(&self) -> impl Fn(u64) + Sync {
        let before = AtomicU64::new(0);
        move |length| {
            let before = before.swap(length, Ordering::Relaxed);
            self.came.fetch_add(length.wrapping_sub(before), Ordering::Relaxed);
        }
    }

    /// Shows how far it is until `work` is done.
    pub(super) async fn beside<F: Future>(&self, work: F) -> F::Output {
        let mut work = pin!(work);
        let mut ticks = tokio::time::interval(TICK);
        loop {
            match select(work.as_mut(), pin!(ticks.tick())).await {
                Either::Left((output, _)) => return output,
                Either::Right(_) => self.show(),
            }
        }
    }

    fn show(&self) {
        let at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        let came = self.came.load(Ordering::Relaxed);
        self.screen.progress(&Progress {
            verb: self.verb,
            done: self.done.load(Ordering::Relaxed),
            total: self.total,
            bytes: (self.bytes > 0).then_some((came, self.bytes)),
            at: &at,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::Arc;
    use std::sync::atomic::AtomicI64;
    use std::task::Poll;

    use jiff::Timestamp;

    use super::*;
    use crate::args::Globals;
    use crate::context::{Clock, Terminal};
    use crate::report::Message;
    use crate::sandbox::Sandbox;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Sink {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A screen on which every look at the clock is 200 ms later than the one before.
    fn screen(stderr: bool, sink: &Sink) -> Screen {
        let mut world = Sandbox::new().context().world;
        world.terminal = Terminal { stdin: stderr, stdout: stderr, stderr, columns: Some(80) };
        let millis = AtomicI64::new(0);
        world.clock = Clock::new(move || {
            Timestamp::from_millisecond(millis.fetch_add(200, Ordering::Relaxed)).unwrap()
        });
        Screen::new(&Globals::default(), &world, io::sink(), sink.clone())
    }

    fn run<F: Future>(future: F) -> F::Output {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    #[test]
    fn the_line_is_drawn_while_work_goes_on_and_is_gone_before_another() {
        let sink = Sink::default();
        let screen = screen(true, &sink);
        let tally = Tally::new(&screen, "Fetching", 12, 3_565_158);
        let told = tally.file();
        let (first, again) = (500, 1_258_291);
        let work = async {
            tally.piece("notes", std::future::ready(())).await;
            tally
                .piece(
                    "github",
                    std::future::poll_fn(|_| {
                        // The first try broke off.
                        told(first);
                        told(again);
                        if sink.text().contains("github") { Poll::Ready(()) } else { Poll::Pending }
                    }),
                )
                .await;
        };
        run(tally.beside(work));
        screen.tell(&Message::note("done"));
        insta::assert_snapshot!(
            sink.text().replace("\r\x1b[K", "|"),
            @"|Fetching   [==>                         ]  1/12  1.2 of 3.4 MiB  github|note: done"
        );
    }

    #[test]
    fn no_terminal_no_line() {
        let sink = Sink::default();
        let screen = screen(false, &sink);
        let tally = Tally::new(&screen, "Fetching", 1, 0);
        let mut polls = 0;
        run(tally.beside(std::future::poll_fn(|_| {
            polls += 1;
            if polls > 5 { Poll::Ready(()) } else { Poll::Pending }
        })));
        assert_eq!(sink.text(), "");
    }
}
