//! The only writer: it turns answers, messages and failures into bytes on two streams.
//!
//! stdout carries the text form of the value that `--json` prints, and nothing else; all other
//! text is stderr. Each stream decides for itself about colour and width.

mod bar;
mod draw;
mod paint;
mod table;

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::args::{Color, Globals};
use crate::context::{Clock, Environment, World};
use crate::failure::Failure;
use crate::report::{Block, Label, Message, Quiet, Report};
use crate::text::clean;

pub use bar::Progress;
pub use paint::Surface;

/// How much is said, and in which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Mode {
    json: bool,
    quiet: bool,
    verbose: bool,
}

struct Stream {
    surface: Surface,
    sink: Box<dyn Write + Send>,
    /// The first error of the sink; nothing is written after it.
    broken: Option<io::Error>,
}

impl Stream {
    fn write(&mut self, text: &str) {
        if !text.is_empty()
            && self.broken.is_none()
            && let Err(error) = self.sink.write_all(text.as_bytes()).and_then(|()| self.sink.flush())
        {
            self.broken = Some(error);
        }
    }

    fn draw(&mut self, blocks: &[Block]) {
        let text = draw::blocks(blocks, self.surface);
        self.write(&text);
    }
}

struct Streams {
    out: Stream,
    err: Stream,
    bar: bar::Bar,
}

impl Streams {
    /// Writes to stdout; a bar goes first.
    fn out(&mut self, blocks: &[Block]) {
        self.erase();
        self.out.draw(blocks);
    }

    /// Writes to stderr; a bar goes first.
    fn err(&mut self, blocks: &[Block]) {
        self.erase();
        self.err.draw(blocks);
    }

    fn erase(&mut self) {
        self.err.write(self.bar.erase());
    }
}

/// Where output goes.
pub struct Screen {
    mode: Mode,
    clock: Clock,
    streams: Mutex<Streams>,
}

impl std::fmt::Debug for Screen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Screen").field("mode", &self.mode).finish_non_exhaustive()
    }
}

impl Screen {
    /// A screen over two sinks, as flags, environment and terminals ask for it.
    pub fn new(
        globals: &Globals,
        world: &World,
        out: impl Write + Send + 'static,
        err: impl Write + Send + 'static,
    ) -> Self {
        let surface = |is_terminal: bool| Surface {
            columns: world.terminal.columns.filter(|_| is_terminal).map(|c| usize::from(c).max(40)),
            colour: colour(globals.color, &world.env, is_terminal),
            unicode: is_unicode(&world.env),
        };
        let (out_surface, err_surface) = (surface(world.terminal.stdout), surface(world.terminal.stderr));
        Self {
            mode: Mode { json: globals.json, quiet: globals.quiet, verbose: globals.verbose },
            clock: world.clock.clone(),
            streams: Mutex::new(Streams {
                bar: bar::Bar::default(),
                out: Stream { surface: out_surface, sink: Box::new(out), broken: None },
                err: Stream { surface: err_surface, sink: Box::new(err), broken: None },
            }),
        }
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        // A thread that panicked while it wrote leaves a line that may be half; the rest is whole.
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether `--verbose` was given: full digests, every request.
    pub fn is_verbose(&self) -> bool {
        self.mode.verbose
    }

    /// Says a warning or note at once. With `--json` only warnings are said, and only under
    /// `--verbose`; `--quiet` keeps warnings, without their hints.
    pub fn tell(&self, message: &Message) {
        let warning = message.label != Label::Note;
        let said = if self.mode.json { warning && self.mode.verbose } else { warning || !self.mode.quiet };
        if said {
            self.streams().err(&draw::message(message, !self.mode.quiet));
        }
    }

    /// Shows what is about to be done.
    pub fn plan(&self, blocks: &[Block]) {
        if !self.mode.json && !self.mode.quiet {
            self.streams().err(blocks);
        }
    }

    /// Says what somebody has to do now so that the command goes on: in every mode, as it would wait for ever.
    pub fn call(&self, blocks: &[Block]) {
        self.streams().err(blocks);
    }

    /// Shows a question and leaves the cursor behind it.
    pub fn ask(&self, question: &str) {
        let mut streams = self.streams();
        streams.erase();
        streams.err.write(&clean::line(question, true));
    }

    /// Shows how far a long piece of work is, on a terminal, in place.
    pub fn progress(&self, progress: &Progress<'_>) {
        if self.mode.json || self.mode.quiet {
            return;
        }
        let mut streams = self.streams();
        let surface = streams.err.surface;
        if let Some(frame) = streams.bar.frame(progress, surface, self.clock.now()) {
            streams.err.write(&frame);
        }
    }

    /// Says a line that only `--verbose` shows: a request, a cache hit, the layer of a value.
    pub fn detail(&self, text: &str) {
        if self.mode.verbose && !self.mode.json {
            self.streams().err(&[Block::Line(text.into())]);
        }
    }

    /// Prints the answer of a command.
    pub fn report(&self, report: &Report) {
        for note in &report.notes {
            self.tell(note);
        }
        if self.mode.json {
            self.document(&report.document);
            return;
        }
        let mut streams = self.streams();
        match &report.quiet {
            _ if !self.mode.quiet => streams.out(&report.rows),
            Quiet::All => streams.out(&report.rows),
            Quiet::Nothing => {}
            Quiet::Rows(rows) => streams.out(rows),
        }
        for failure in report.failure.iter().flat_map(|gravest| std::iter::once(gravest).chain(&gravest.also))
        {
            streams.err(&draw::failure(failure, !self.mode.quiet));
        }
        if self.mode.quiet {
            return;
        }
        if let Some(closing) = &report.closing {
            streams.err(&[Block::Line(closing.as_str().into())]);
        }
        streams.err(&draw::hints(&report.hints));
    }

    /// Prints a failure: with `--json` its document alone, else the block on stderr.
    pub fn failure(&self, failure: &Failure) {
        if self.mode.json {
            self.document(&failure.document());
            return;
        }
        let mut streams = self.streams();
        for failure in std::iter::once(failure).chain(&failure.also) {
            streams.err(&draw::failure(failure, !self.mode.quiet));
        }
    }

    fn document(&self, document: &Value) {
        let mut line = clean::json(document);
        line.push('\n');
        let mut streams = self.streams();
        streams.erase();
        streams.out.write(&line);
    }

    /// The first error of stdout that matters: a reader that closed its end early is none.
    pub fn finish(&self) -> io::Result<()> {
        let mut streams = self.streams();
        streams.erase();
        match streams.out.broken.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

/// `--color` wins; else no colour if NO_COLOR is set, TERM is `dumb` or the stream is no terminal.
fn colour(wanted: Color, env: &Environment, is_terminal: bool) -> bool {
    match wanted {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && env.get("NO_COLOR").is_none() && !is_dumb(env),
    }
}

fn is_dumb(env: &Environment) -> bool {
    env.get("TERM").is_some_and(|term| term == "dumb")
}

/// Whether the locale is UTF-8: LC_ALL, LC_CTYPE, LANG, the first that is set.
fn is_unicode(env: &Environment) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| env.text(name));
    let utf8 = locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    utf8 && !is_dumb(env)
}

#[cfg(test)]
mod tests;
