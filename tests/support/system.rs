//! `skill` with a system configuration of its own: in this process, because the program has no switch
//! for that file.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use skill_cli::context::{Clock, Stop, Terminal, World};

use super::{Output, Sandbox};

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

/// Where the system's file of a sandbox lies.
pub(crate) fn path(user: &Sandbox) -> PathBuf {
    user.skill_home().join("etc/config.toml")
}

/// Writes the system's file.
pub(crate) fn write(user: &Sandbox, text: &str) {
    fs_err::create_dir_all(path(user).parent().unwrap()).unwrap();
    fs_err::write(path(user), text).unwrap();
}

/// Runs `skill` below the system's file; its owner has to be `owner`.
pub(crate) fn run_as(user: &Sandbox, args: &[&str], owner: u32) -> Output {
    run_with(user, args, owner, Clock::new(now))
}

/// Runs `skill` at a moment that does not pass.
pub(crate) fn run_at(user: &Sandbox, args: &[&str], at: jiff::Timestamp) -> Output {
    run_with(user, args, rustix::process::geteuid().as_raw(), Clock::fixed(at))
}

fn run_with(user: &Sandbox, args: &[&str], owner: u32, clock: Clock) -> Output {
    let plain = user.command();
    let env = plain.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
    let world = World {
        env: env.collect(),
        home: Some(user.work().with_file_name("home")),
        cwd: user.work(),
        terminal: Terminal::default(),
        clock,
        system_config: path(user),
        system_owner: owner,
        stop: Stop::default(),
    };
    let words: Vec<_> = std::iter::once("skill").chain(args.iter().copied()).map(Into::into).collect();
    let (out, err) = (Sink::default(), Sink::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let command = skill_cli::run(&words, world, std::future::pending(), out.clone(), err.clone());
    let code = runtime.block_on(command).into();
    Output { code, stdout: user.filtered(&out.text()), stderr: user.filtered(&err.text()) }
}

/// The same, owned by who runs the tests.
pub(crate) fn run(user: &Sandbox, args: &[&str]) -> Output {
    run_as(user, args, rustix::process::geteuid().as_raw())
}

#[expect(clippy::disallowed_methods, reason = "the program's own clock")]
fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}
